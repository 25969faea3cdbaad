// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file
/// The only place with checks for the OpenMS version outside CMake: 2.6 (Debian 12) and newer releases.

#include <PSMFormer/core/Spectrum.h>

#include <OpenMS/DATASTRUCTURES/ListUtils.h>
#include <OpenMS/METADATA/MetaInfoInterface.h>
#include <OpenMS/METADATA/PeptideIdentification.h>
#include <OpenMS/METADATA/Precursor.h>

#if __has_include(<OpenMS/METADATA/PeptideIdentificationList.h>)
#include <OpenMS/METADATA/PeptideIdentificationList.h>
#endif

#include <charconv>
#include <cmath>
#include <string>
#include <vector>

#ifndef PSMFORMER_OPENMS_VERSION
#error "PSMFORMER_OPENMS_VERSION is not defined; link psmformer_openms_dep, which sets it (20600 for OpenMS 2.6.0)."
#endif

namespace psmformer
{
#if __has_include(<OpenMS/METADATA/PeptideIdentificationList.h>)
  using PeptideIds = OpenMS::PeptideIdentificationList; // OpenMS 3.5
#else
  using PeptideIds = std::vector<OpenMS::PeptideIdentification>;
#endif

  /// OpenMS::String until 3.5, std::string from 3.6.
  using OmsString = OpenMS::StringList::value_type;

#if PSMFORMER_OPENMS_VERSION >= 20700
  using ParamStringList = std::vector<std::string>;
#else
  using ParamStringList = OpenMS::StringList;
#endif

  /// The text of the meta value `spectrum_reference`, empty when absent; also when it is held as a number.
  inline std::string spectrumReference(const OpenMS::PeptideIdentification& identification)
  {
    return identification.metaValueExists("spectrum_reference")
               ? std::string(identification.getMetaValue("spectrum_reference").toString())
               : std::string();
  }

  /// Reads a meta value as a number, from a number or from a text that is a number as a whole.
  /// @return false, and `number` unchanged, when it is absent or not a number
  inline bool metaNumber(const OpenMS::MetaInfoInterface& meta, const std::string& key, double& number)
  {
    if (!meta.metaValueExists(key))
    {
      return false;
    }
    const OpenMS::DataValue value = meta.getMetaValue(key);
    if (value.valueType() == OpenMS::DataValue::DOUBLE_VALUE)
    {
      number = static_cast<double>(value);
      return true;
    }
    const std::string text(value.toString());
    double parsed = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
    if (error != std::errc() || text.empty() || end != text.data() + text.size())
    {
      return false;
    }
    number = parsed;
    return true;
  }

  /// How a precursor was broken, from the terms that this OpenMS version knows.
  ///
  /// OpenMS 2.6 reads beam-type CID (MS:1000422, the HCD of Orbitraps) as HCID and drops the terms of EThcD and EtciD;
  /// electron transfer together with a collision term therefore counts as EThcD.
  inline Activation activationOf(const OpenMS::Precursor& precursor)
  {
    using Method = OpenMS::Precursor::ActivationMethod;
    bool collision = false;
    bool beam_type = false;
    bool electron_transfer = false;
    bool supplemental = false;
    for (const Method method : precursor.getActivationMethods())
    {
      collision = collision || method == Method::CID;
      beam_type = beam_type || method == Method::HCID;
      electron_transfer = electron_transfer || method == Method::ETD;
#if PSMFORMER_OPENMS_VERSION >= 20800
      beam_type = beam_type || method == Method::HCD;
#endif
#if PSMFORMER_OPENMS_VERSION >= 30200
      supplemental = supplemental || method == Method::ETciD || method == Method::EThcD;
#endif
    }
    if (supplemental || (electron_transfer && (collision || beam_type)))
    {
      return Activation::ETHCD;
    }
    if (electron_transfer)
    {
      return Activation::ETD;
    }
    if (beam_type)
    {
      return Activation::HCD;
    }
    return collision ? Activation::CID : Activation::UNKNOWN;
  }
}
