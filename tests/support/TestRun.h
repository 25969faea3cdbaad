// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/openms/Compat.h>

#include <OpenMS/KERNEL/MSExperiment.h>
#include <OpenMS/METADATA/ProteinIdentification.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace psmformer::test
{
  /// What a simulated run looks like; the defaults are an ordinary one.
  struct TestRunOptions
  {
    std::string name = "run";         ///< base name in spectra_data
    std::size_t n_spectra = 40;       ///< MS2 spectra; an MS1 spectrum comes before every tenth
    std::size_t n_unidentifiable = 8; ///< of these, at the end: noise alone, with wrong hits
    std::size_t n_hits = 2;           ///< candidates of each spectrum
    std::string native_id_prefix = "controllerType=0 controllerNumber=1 scan="; ///< followed by the scan number
    std::uint64_t seed = 1;
  };

  /// A run whose spectra are simulated and whose "search results" are made up, as objects that a test can change before
  /// it writes them.
  ///
  /// Each spectrum has most b and y ions of its peptide with errors of a few ppm, and noise. Its hits are that peptide
  /// (a target) and permutations of it with the same ends and mass (decoys and false targets, in turn). Search engine
  /// "Comet", main score "expect" (lower is better), fragment tolerance 20 ppm, `target_decoy` on every hit.
  struct TestRun
  {
    std::string name;
    OpenMS::MSExperiment spectra;
    OpenMS::ProteinIdentification run;
    PeptideIds identifications;

    /// Position of the spectrum of an identification in `spectra`.
    std::vector<std::size_t> spectrum_of_identification;
  };

  TestRun makeTestRun(const TestRunOptions& options = {});

  /// Sets or replaces the spectrum reference of an identification.
  void setReference(OpenMS::PeptideIdentification& identification, const std::string& reference);

  /// Makes one run of several: their files in `spectra_data`, and `id_merge_index` on each identification.
  TestRun mergeRuns(const std::vector<TestRun>& runs);

  /// Writes the spectra as `<folder>/<name>.mzML` and returns the path.
  std::string writeSpectra(const TestRun& run, const std::filesystem::path& folder);

  /// The identified spectra as MGF with the peptides of the best hits (`SEQ=`), as PSMFormerTrainer takes them.
  std::string toAnnotatedMgf(const TestRun& run);

  /// Writes the identifications of one or more runs as one idXML and returns its path.
  std::string writeIdentifications(const std::vector<TestRun>& runs, const std::filesystem::path& file);

  /// An idXML as objects.
  struct Identifications
  {
    std::vector<OpenMS::ProteinIdentification> runs;
    PeptideIds identifications;
  };

  Identifications readIdentifications(const std::filesystem::path& file);

  std::size_t countHits(const PeptideIds& identifications);

  /// Number of hits by `PSMFormer:status`.
  std::size_t countStatus(const PeptideIds& identifications, const std::string& status);
}
