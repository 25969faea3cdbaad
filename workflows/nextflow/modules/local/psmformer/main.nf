// SPDX-License-Identifier: BSD-3-Clause
process PSMFORMER {
    tag "$meta.id"
    label 'process_medium'

    conda "${moduleDir}/environment.yml"

    input:
    tuple val(meta), path(idxml), path(mzml)
    path model

    output:
    tuple val(meta), path("*.idXML"), emit: idxml
    tuple val(meta), path("*feature_names.tsv"), optional: true, emit: feature_names
    tuple val(meta), path("*.pin.tsv"), optional: true, emit: pin
    tuple val(meta), path("*.html"), optional: true, emit: report
    tuple val("${task.process}"), val('PSMFormer'), eval("${task.ext.tool ?: 'PSMFormer'} --help 2>&1 | sed -nE 's/^Version: ([0-9.]+).*/\\1/p'"), emit: versions, topic: versions

    when:
    task.ext.when == null || task.ext.when

    script:
    def tool = task.ext.tool ?: 'PSMFormer'
    def args = task.ext.args ?: ''
    def prefix = task.ext.prefix ?: "${meta.id}_psmformer"
    if (idxml.name == "${prefix}.idXML") {
        error("PSMFORMER: input and output are both named ${idxml.name}; set another ext.prefix.")
    }
    def model_file = model ? "-model ${model}" : ''
    def features = task.ext.features == false ? '' : "-out_features ${prefix}_feature_names.tsv"
    def pin = task.ext.pin ? "-out_pin ${prefix}.pin.tsv" : ''
    def report = task.ext.report ? "-out_report ${prefix}.html" : ''
    """
    $tool \\
        -in $idxml \\
        -in_spectra $mzml \\
        -out ${prefix}.idXML \\
        -threads $task.cpus \\
        -no_progress \\
        $model_file $features $pin $report $args
    """

    stub:
    def prefix = task.ext.prefix ?: "${meta.id}_psmformer"
    """
    touch ${prefix}.idXML
    if [ '${task.ext.features == false}' = false ]; then touch ${prefix}_feature_names.tsv; fi
    if [ '${task.ext.pin ? true : false}' = true ]; then touch ${prefix}.pin.tsv; fi
    if [ '${task.ext.report ? true : false}' = true ]; then touch ${prefix}.html; fi
    """
}
