// SPDX-License-Identifier: BSD-3-Clause
process MZTABEXPORTER {
    tag "$meta.id"
    label 'process_single'

    conda "${moduleDir}/environment.yml"

    input:
    tuple val(meta), path(idxml)

    output:
    tuple val(meta), path("*.mzTab"), emit: mztab
    tuple val("${task.process}"), val('MzTabExporter'), eval("MzTabExporter --help 2>&1 | sed -nE 's/^Version: ([0-9.]+).*/\\1/p'"), emit: versions, topic: versions

    when:
    task.ext.when == null || task.ext.when

    script:
    def args = task.ext.args ?: ''
    def prefix = task.ext.prefix ?: "${meta.id}"
    """
    MzTabExporter \\
        -in $idxml \\
        -out ${prefix}.mzTab \\
        -threads $task.cpus \\
        $args
    """

    stub:
    def prefix = task.ext.prefix ?: "${meta.id}"
    """
    touch ${prefix}.mzTab
    """
}
