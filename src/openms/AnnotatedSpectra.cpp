// SPDX-License-Identifier: BSD-3-Clause
#include "AnnotationCollector.h"
#include "FragmentTolerance.h"

#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/PSMFeatures.h>
#include <PSMFormer/openms/ResidueTokens.h>

#include <OpenMS/CHEMISTRY/AASequence.h>
#include <OpenMS/CONCEPT/Exception.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numeric>
#include <utility>

namespace psmformer
{
  namespace
  {
    /// Coarser than any instrument: a precursor further away shows a wrong label, not an error of measurement.
    constexpr double MAX_MASS_DIFFERENCE = 2.0; // Da

    std::string lowerCase(std::string text)
    {
      std::transform(text.begin(), text.end(), text.begin(),
                     [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
      return text;
    }

    /// The extension that tells the format, without that of the compression.
    std::string formatOf(const std::string& file)
    {
      std::filesystem::path name(lowerCase(file));
      if (name.extension() == ".gz")
      {
        name = name.stem();
      }
      return name.extension().string();
    }

    void sortPeaks(Spectrum& spectrum)
    {
      std::vector<std::size_t> order(spectrum.mz.size());
      std::iota(order.begin(), order.end(), std::size_t(0));
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t a, std::size_t b) { return spectrum.mz[a] < spectrum.mz[b]; });
      Spectrum sorted;
      for (const std::size_t k : order)
      {
        sorted.mz.push_back(spectrum.mz[k]);
        sorted.intensity.push_back(spectrum.intensity[k]);
      }
      spectrum.mz = std::move(sorted.mz);
      spectrum.intensity = std::move(sorted.intensity);
    }
  }

  Activation parseActivation(const std::string& text)
  {
    static const std::vector<std::pair<std::string, Activation>> names = {{"", Activation::UNKNOWN},
                                                                          {"hcd", Activation::HCD},
                                                                          {"cid", Activation::CID},
                                                                          {"etd", Activation::ETD},
                                                                          {"ethcd", Activation::ETHCD}};
    for (const auto& [name, activation] : names)
    {
      if (name == lowerCase(text))
      {
        return activation;
      }
    }
    throw Error(ErrorKind::INVALID_INPUT,
                "Activation '" + text + "' is not known; it must be one of HCD, CID, ETD, EThcD.");
  }

  std::string_view trim(std::string_view text)
  {
    constexpr std::string_view BLANKS = " \t\r";
    const std::size_t first = text.find_first_not_of(BLANKS);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(BLANKS) - first + 1);
  }

  std::string_view takeUntil(std::string_view& text, std::string_view separators)
  {
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    const std::string_view taken = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return taken;
  }

  double parseNumber(std::string_view text, const std::string& what, const LineReader& reader)
  {
    text = trim(text);
    double number = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number))
    {
      reader.fail(what + " '" + std::string(text) + "' is not a number", "correct it");
    }
    return number;
  }

  std::size_t parseCount(std::string_view text, const std::string& what, const LineReader& reader)
  {
    constexpr double MAX_COUNT = 1e9;
    const double number = parseNumber(text, what, reader);
    if (number < 0.0 || number > MAX_COUNT || number != std::floor(number))
    {
      reader.fail(what + " '" + std::string(trim(text)) + "' is not a whole number from 0", "correct it");
    }
    return static_cast<std::size_t>(number);
  }

  void addPeak(std::string_view line, Spectrum& spectrum, const LineReader& reader)
  {
    constexpr std::string_view BLANKS = " \t";
    constexpr double MAX_INTENSITY = std::numeric_limits<float>::max();
    line = trim(line);
    const double mz = parseNumber(takeUntil(line, BLANKS), "The m/z of a peak,", reader);
    line = trim(line);
    const double intensity = parseNumber(takeUntil(line, BLANKS), "The intensity of a peak,", reader);
    if (mz <= 0.0 || intensity < 0.0 || intensity > MAX_INTENSITY)
    {
      reader.fail("A peak has an m/z that is not above 0 or an intensity below 0 or above 3.4e38", "remove it");
    }
    spectrum.mz.push_back(mz);
    spectrum.intensity.push_back(static_cast<float>(intensity));
  }

  AnnotationCollector::AnnotationCollector(const std::string& file, const AnnotationDefaults& defaults)
      : file_(file), defaults_(defaults)
  {
  }

  const std::optional<Peptide>& AnnotationCollector::peptideOf(const std::string& sequence, const LineReader& reader)
  {
    const auto known = peptides_.find(sequence);
    if (known != peptides_.end())
    {
      return known->second;
    }
    try
    {
      return peptides_.emplace(sequence, toPeptide(OpenMS::AASequence::fromString(sequence))).first->second;
    }
    catch (const OpenMS::Exception::BaseException& error)
    {
      reader.fail("Sequence '" + sequence + "' of the entry that ends is not one that OpenMS knows (" + error.what() +
                      ")",
                  "write it as in PEPM(Oxidation)TIDE with Unimod names, or remove the entry");
    }
  }

  void AnnotationCollector::complete(Spectrum& spectrum, const LineReader& reader) const
  {
    if (!spectrum.fragment_tolerance.known())
    {
      spectrum.fragment_tolerance = defaults_.fragment_tolerance;
    }
    if (!spectrum.fragment_tolerance.known())
    {
      reader.fail("The entry that ends does not state its fragment tolerance",
                  "add ITOL and ITOLU to an MGF file or set the fragment tolerance of the tool",
                  ErrorKind::INVALID_INPUT);
    }
    if (!isFragmentTolerance(spectrum.fragment_tolerance))
    {
      reader.fail("The fragment tolerance of the entry that ends is above 2 Da",
                  "correct ITOL, or state its unit as ITOLU (Da, mmu or ppm)", ErrorKind::INVALID_INPUT);
    }
    if (spectrum.activation == Activation::UNKNOWN)
    {
      spectrum.activation = defaults_.activation;
    }
    if (spectrum.precursor_mz <= 0.0 || spectrum.precursor_charge < 1)
    {
      reader.fail("The entry that ends lacks a precursor m/z or a charge",
                  "add them (PEPMASS and CHARGE in MGF, Parent= and Name: SEQUENCE/charge in MSP)",
                  ErrorKind::INVALID_INPUT);
    }
    sortPeaks(spectrum);
  }

  std::string AnnotationCollector::sourceOf(const std::string& title) const
  {
    const std::size_t colon = title.rfind(':');
    return colon == std::string::npos ? std::filesystem::path(file_).filename().string() : title.substr(0, colon);
  }

  void AnnotationCollector::add(AnnotatedEntry entry, const LineReader& reader)
  {
    ++n_entries_;
    if (entry.sequence.empty())
    {
      ++result_.n_unlabelled;
      return;
    }
    const std::optional<Peptide>& peptide = peptideOf(entry.sequence, reader);
    if (!peptide)
    {
      ++result_.n_ambiguous;
      return;
    }
    complete(entry.spectrum, reader);
    const int charge = entry.spectrum.precursor_charge;
    if (std::abs(precursorError(entry.spectrum.precursor_mz, charge, *peptide).da) > MAX_MASS_DIFFERENCE)
    {
      ++result_.n_mismatched;
      return;
    }
    std::string source = sourceOf(entry.spectrum.native_id);
    result_.examples.push_back({std::move(entry.spectrum), *peptide, charge, {}, std::move(source)});
  }

  AnnotatedSpectra AnnotationCollector::finish()
  {
    require(!result_.examples.empty(), ErrorKind::INVALID_INPUT,
            "'" + file_ + "' has no spectrum with a known peptide (" + std::to_string(n_entries_) + " entries, " +
                std::to_string(result_.n_unlabelled) + " without a sequence, " + std::to_string(result_.n_ambiguous) +
                " with an ambiguous residue, " + std::to_string(result_.n_mismatched) +
                " of another mass); give annotated spectra.");
    return std::move(result_);
  }

  AnnotatedSpectra readAnnotatedSpectra(const std::string& file, const AnnotationDefaults& defaults)
  {
    const std::string format = formatOf(file);
    require(format == ".mgf" || format == ".msp", ErrorKind::INVALID_INPUT,
            "'" + file +
                "' is neither an MGF nor an MSP file by its name; it must end in .mgf, .msp, .mgf.gz or .msp.gz.");
    LineReader reader(file);
    AnnotationCollector collector(file, defaults);
    if (format == ".mgf")
    {
      readMgf(reader, collector);
    }
    else
    {
      readMsp(reader, collector);
    }
    return collector.finish();
  }
}
