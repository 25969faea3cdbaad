#!/usr/bin/env nextflow
// SPDX-License-Identifier: BSD-3-Clause
// Searches mzML runs, rescores the matches with PSMFormer and filters them at a false discovery rate:
//   nextflow run workflows/nextflow --input samples.csv --database proteins.fasta --outdir results
// workflows/README.md has the options; the sample sheet has the columns sample and spectra, one run a line. Runs of one sample
// are rescored and filtered together.

include { RESCORING } from './workflows/rescoring'

// Lines of the sample sheet as [meta, mzML]; relative paths start at the folder of the sheet.
def readSampleSheet(sheet) {
    def rows = sheet.splitCsv(header: true, strip: true)
    if (!rows || !rows[0].containsKey('sample') || !rows[0].containsKey('spectra')) {
        error("${sheet}: the sample sheet needs the columns 'sample' and 'spectra' and at least one run.")
    }
    def n_runs = rows.countBy { row -> row.sample }
    return rows.collect { row ->
        def spectra = file(sheet.parent.resolve(row.spectra.toString()), checkIfExists: true)
        def run = spectra.name.replaceFirst(/(?i)\.mzML(\.gz|\.bz2)?$/, '')
        [[id: "${row.sample}_${run}".toString(), sample: row.sample, run: run, n_runs: n_runs[row.sample]], spectra]
    }
}

workflow {
    if (!params.input) {
        error("Name the sample sheet with --input; it has the columns sample and spectra.")
    }
    if (!params.database) {
        error("Name the protein sequences with --database <fasta>.")
    }
    if (!(params.search_engine in ['comet', 'xtandem'])) {
        error("There is no --search_engine ${params.search_engine}; it is comet or xtandem.")
    }
    def runs = readSampleSheet(file(params.input, checkIfExists: true))
    def repeated = runs.countBy { run -> run[0].id }.findAll { name -> name.value > 1 }.keySet()
    if (repeated) {
        error("${params.input}: a run of one sample occurs twice (${repeated.join(', ')}); give each file its own name.")
    }
    RESCORING(
        channel.fromList(runs),
        channel.of([[id: 'database'], file(params.database, checkIfExists: true)]),
        params.model_file ? file(params.model_file, checkIfExists: true) : []
    )
}
