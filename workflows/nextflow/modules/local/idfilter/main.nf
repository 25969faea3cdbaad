// SPDX-License-Identifier: BSD-3-Clause
process IDFILTER {
    tag "$meta.id"
    label 'process_single'

    conda "${moduleDir}/environment.yml"

    input:
    tuple val(meta), path(idxml)

    output:
    tuple val(meta), path("*.idXML"), emit: idxml
    tuple val("${task.process}"), val('IDFilter'), eval("IDFilter --help 2>&1 | sed -nE 's/^Version: ([0-9.]+).*/\\1/p'"), emit: versions, topic: versions

    when:
    task.ext.when == null || task.ext.when

    script:
    def args = task.ext.args ?: ''
    def prefix = task.ext.prefix ?: "${meta.id}_accepted"
    """
    # OpenMS 3.2 renamed -score:pep.
    threshold=-score:pep
    if IDFilter --helphelp 2>&1 | grep -q -e '-score:psm'; then threshold=-score:psm; fi
    IDFilter \\
        -in $idxml \\
        -out ${prefix}.idXML \\
        "\$threshold" ${task.ext.max_q_value ?: 0.01} \\
        -threads $task.cpus \\
        $args
    """

    stub:
    def prefix = task.ext.prefix ?: "${meta.id}_accepted"
    """
    touch ${prefix}.idXML
    """
}
