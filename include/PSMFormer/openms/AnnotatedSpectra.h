// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/model/PSMTrainer.h>

#include <cstddef>
#include <string>
#include <vector>

namespace psmformer
{
  /// What holds for entries that do not say it themselves.
  struct AnnotationDefaults
  {
    Tolerance fragment_tolerance; ///< not known: every entry must state its own
    Activation activation = Activation::UNKNOWN;
  };

  /// The spectra of one file whose peptide is known, and how many entries were left out.
  struct AnnotatedSpectra
  {
    std::vector<TrainingExample> examples;
    std::size_t n_unlabelled = 0; ///< entries without a peptide
    std::size_t n_ambiguous = 0;  ///< a residue without a mass (B, J, X, Z)
    std::size_t n_mismatched = 0; ///< the precursor does not have the mass of the peptide (2 Da, isotopes -1 to 3)
  };

  /// Reads annotated spectra: MGF with `SEQ=` in OpenMS notation, or a NIST library (MSP); plain or gzip-compressed.
  ///
  /// MGF keys: TITLE (`source:number`), PEPMASS, CHARGE, SEQ, RTINSECONDS, ITOL and ITOLU (fragment tolerance: Da, mmu
  /// or ppm), ACTIVATION (HCD, CID, ETD, EThcD); keys before the first entry hold for all. OpenMS 2.6 reads MGF but
  /// drops SEQ. MSP: `Name: PEPTIDE/2`, `Mods=`, `Parent=` and `Num peaks:`, annotations of peaks are skipped; a
  /// modification at position 0 or at the last residue is taken as one of the residue where it can be, else of the
  /// terminus (fragment masses are equal). Files are read line by line, each distinct sequence is parsed once.
  ///
  /// @param file  ends in .mgf, .msp, .mgf.gz or .msp.gz
  /// @throws Error NOT_FOUND for a missing file; DAMAGED_INPUT naming file and line for a value that cannot be read, a
  ///         sequence that OpenMS does not know, an entry without begin or end, or compressed data that are cut off;
  ///         INVALID_INPUT for a missing key and a file without a labelled spectrum
  AnnotatedSpectra readAnnotatedSpectra(const std::string& file, const AnnotationDefaults& defaults = {});

  /// The activation of a text such as "HCD", "CID", "ETD" or "EThcD" (case does not matter); UNKNOWN for an empty one.
  /// @throws Error INVALID_INPUT for any other text
  Activation parseActivation(const std::string& text);
}
