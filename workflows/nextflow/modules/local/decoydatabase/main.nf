// SPDX-License-Identifier: BSD-3-Clause
process DECOYDATABASE {
    tag "$meta.id"
    label 'process_single'

    conda "${moduleDir}/environment.yml"

    input:
    tuple val(meta), path(fasta)

    output:
    tuple val(meta), path("*.fasta"), emit: fasta
    tuple val("${task.process}"), val('DecoyDatabase'), eval("DecoyDatabase --help 2>&1 | sed -nE 's/^Version: ([0-9.]+).*/\\1/p'"), emit: versions, topic: versions

    when:
    task.ext.when == null || task.ext.when

    script:
    def args = task.ext.args ?: ''
    def prefix = task.ext.prefix ?: "${fasta.baseName}_decoy"
    """
    DecoyDatabase \\
        -in $fasta \\
        -out ${prefix}.fasta \\
        -threads $task.cpus \\
        $args
    """

    stub:
    def prefix = task.ext.prefix ?: "${fasta.baseName}_decoy"
    """
    touch ${prefix}.fasta
    """
}
