// SPDX-License-Identifier: BSD-3-Clause
process FALSEDISCOVERYRATE {
    tag "$meta.id"
    label 'process_single'

    conda "${moduleDir}/environment.yml"

    input:
    tuple val(meta), path(idxml)

    output:
    tuple val(meta), path("*.idXML"), emit: idxml
    tuple val("${task.process}"), val('FalseDiscoveryRate'), eval("FalseDiscoveryRate --help 2>&1 | sed -nE 's/^Version: ([0-9.]+).*/\\1/p'"), emit: versions, topic: versions

    when:
    task.ext.when == null || task.ext.when

    script:
    def args = task.ext.args ?: ''
    def prefix = task.ext.prefix ?: "${meta.id}_q_values"
    """
    FalseDiscoveryRate \\
        -in $idxml \\
        -out ${prefix}.idXML \\
        -threads $task.cpus \\
        $args
    """

    stub:
    def prefix = task.ext.prefix ?: "${meta.id}_q_values"
    """
    touch ${prefix}.idXML
    """
}
