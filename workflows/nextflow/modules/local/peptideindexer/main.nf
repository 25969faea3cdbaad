// SPDX-License-Identifier: BSD-3-Clause
process PEPTIDEINDEXER {
    tag "$meta.id"
    label 'process_low'

    conda "${moduleDir}/environment.yml"

    input:
    tuple val(meta), path(idxml), path(fasta)

    output:
    tuple val(meta), path("*.idXML"), emit: idxml
    tuple val("${task.process}"), val('PeptideIndexer'), eval("PeptideIndexer --help 2>&1 | sed -nE 's/^Version: ([0-9.]+).*/\\1/p'"), emit: versions, topic: versions

    when:
    task.ext.when == null || task.ext.when

    script:
    def args = task.ext.args ?: ''
    def prefix = task.ext.prefix ?: "${meta.id}_indexed"
    """
    PeptideIndexer \\
        -in $idxml \\
        -fasta $fasta \\
        -out ${prefix}.idXML \\
        -threads $task.cpus \\
        $args
    """

    stub:
    def prefix = task.ext.prefix ?: "${meta.id}_indexed"
    """
    touch ${prefix}.idXML
    """
}
