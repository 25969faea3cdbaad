// SPDX-License-Identifier: BSD-3-Clause
// From runs to accepted matches; the steps are those of workflows/chain.sh.
include { DECOYDATABASE      } from '../modules/local/decoydatabase/main'
include { FILECONVERTER      } from '../modules/local/fileconverter/main'
include { COMETADAPTER       } from '../modules/local/cometadapter/main'
include { XTANDEMADAPTER     } from '../modules/local/xtandemadapter/main'
include { PEPTIDEINDEXER     } from '../modules/local/peptideindexer/main'
include { IDMERGER           } from '../modules/local/idmerger/main'
include { PSMFORMER          } from '../modules/local/psmformer/main'
include { FALSEDISCOVERYRATE } from '../modules/local/falsediscoveryrate/main'
include { IDFILTER           } from '../modules/local/idfilter/main'
include { MZTABEXPORTER      } from '../modules/local/mztabexporter/main'

workflow RESCORING {
    take:
    runs     // [meta, mzML]; meta has id, sample, run, n_runs
    database // [meta, fasta]
    model    // a model file, or [] for the installed model

    main:
    versions = channel.empty()
    if (params.add_decoys) {
        DECOYDATABASE(database)
        searched = DECOYDATABASE.out.fasta
        versions = versions.mix(DECOYDATABASE.out.versions)
    }
    else {
        searched = database
    }
    if (params.index_spectra) {
        FILECONVERTER(runs)
        spectra = FILECONVERTER.out.mzml
        versions = versions.mix(FILECONVERTER.out.versions)
    }
    else {
        spectra = runs
    }

    fasta = searched.map { _meta, file -> file }
    if (params.search_engine == 'xtandem') {
        XTANDEMADAPTER(spectra.combine(fasta))
        found = XTANDEMADAPTER.out.idxml
        versions = versions.mix(XTANDEMADAPTER.out.versions)
    }
    else {
        COMETADAPTER(spectra.combine(fasta))
        found = COMETADAPTER.out.idxml
        versions = versions.mix(COMETADAPTER.out.versions)
    }
    PEPTIDEINDEXER(found.combine(fasta))

    // One element a sample, its runs in the order of their names: the order in which tasks end must change neither the result nor
    // what -resume finds.
    samples = PEPTIDEINDEXER.out.idxml
        .join(spectra)
        .map { meta, idxml, mzml -> [groupKey(meta.sample, meta.n_runs), [meta.run, idxml, mzml]] }
        .groupTuple()
        .map { key, entries ->
            def ordered = entries.sort { one, other -> one[0] <=> other[0] }
            [[id: key.toString()], ordered.collect { entry -> entry[1] }, ordered.collect { entry -> entry[2] }]
        }
        .branch { _meta, idxmls, _mzmls ->
            several: idxmls.size() > 1
            one: true
        }
    IDMERGER(samples.several.map { meta, idxmls, _mzmls -> [meta, idxmls] })
    merged = IDMERGER.out.idxml.join(samples.several.map { meta, _idxmls, mzmls -> [meta, mzmls] })
    single = samples.one.map { meta, idxmls, mzmls -> [meta, idxmls[0], mzmls] }

    PSMFORMER(merged.mix(single), model)
    FALSEDISCOVERYRATE(PSMFORMER.out.idxml)
    IDFILTER(FALSEDISCOVERYRATE.out.idxml)
    MZTABEXPORTER(IDFILTER.out.idxml)

    // Which program of which version did what. Not channel.topic('versions'), which no one spelling turns on in all releases.
    versions
        .mix(PEPTIDEINDEXER.out.versions, IDMERGER.out.versions, PSMFORMER.out.versions, FALSEDISCOVERYRATE.out.versions)
        .mix(IDFILTER.out.versions, MZTABEXPORTER.out.versions)
        .unique()
        .map { process, tool, version -> "${process.tokenize(':').last()}\t${tool}\t${version}" }
        .collectFile(name: 'versions.tsv', newLine: true, sort: true, storeDir: "${params.outdir}/pipeline_info")

    emit:
    rescored = PSMFORMER.out.idxml
    accepted = IDFILTER.out.idxml
    mztab    = MZTABEXPORTER.out.mztab
    features = PSMFORMER.out.feature_names
    report   = PSMFORMER.out.report
}
