// SPDX-License-Identifier: BSD-3-Clause
process FILECONVERTER {
    tag "$meta.id"
    label 'process_single'

    conda "${moduleDir}/environment.yml"

    input:
    tuple val(meta), path(mzml, stageAs: "raw/*")

    output:
    tuple val(meta), path("*.mzML"), emit: mzml
    tuple val("${task.process}"), val('FileConverter'), eval("FileConverter --help 2>&1 | sed -nE 's/^Version: ([0-9.]+).*/\\1/p'"), emit: versions, topic: versions

    when:
    task.ext.when == null || task.ext.when

    script:
    def args = task.ext.args ?: ''
    def prefix = task.ext.prefix ?: "${meta.run}"
    """
    FileConverter \\
        -in $mzml \\
        -out ${prefix}.mzML \\
        -threads $task.cpus \\
        $args
    """

    stub:
    def prefix = task.ext.prefix ?: "${meta.run}"
    """
    touch ${prefix}.mzML
    """
}
