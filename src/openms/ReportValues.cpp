// SPDX-License-Identifier: BSD-3-Clause
#include "ReportValues.h"

#include "MetaValues.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace psmformer
{
  namespace
  {
    /// A feature of the best hit of each identification; NaN where there is none.
    std::vector<double> featureOfBest(const PeptideIds& identifications, const std::string& name)
    {
      std::vector<double> values;
      for (const auto& identification : identifications)
      {
        values.push_back(std::numeric_limits<double>::quiet_NaN());
        if (!identification.getHits().empty())
        {
          metaNumber(identification.getHits().front(), name, values.back());
        }
      }
      return values;
    }
  }

  std::string grouped(std::size_t number)
  {
    std::string text = std::to_string(number);
    for (std::size_t at = text.size(); at > 3; at -= 3)
    {
      text.insert(at - 3, ",");
    }
    return text;
  }

  std::string plural(std::size_t number, const std::string& what)
  {
    return grouped(number) + " " + what + (number == 1 ? "" : "s");
  }

  std::string enumeration(const std::vector<std::string>& names)
  {
    std::vector<std::string> distinct;
    std::string text;
    for (const std::string& name : names)
    {
      if (!name.empty() && std::find(distinct.begin(), distinct.end(), name) == distinct.end())
      {
        distinct.push_back(name);
        text += (text.empty() ? "" : ", ") + name;
      }
    }
    return text;
  }

  std::string recordedValue(const OpenMS::ProteinIdentification& run, const std::string& name)
  {
    return std::string(run.getSearchParameters().getMetaValue(PREFIX + name).toString());
  }

  std::vector<std::pair<std::string, std::string>>
  recordedValues(const std::vector<OpenMS::ProteinIdentification>& runs)
  {
    std::vector<std::pair<std::string, std::string>> values;
    for (const auto& run : runs)
    {
      std::vector<OmsString> keys;
      run.getSearchParameters().getKeys(keys);
      for (const auto& key : keys)
      {
        const std::string name = std::string(key).substr(std::min(PREFIX.size(), key.size()));
        const bool is_known =
            std::any_of(values.begin(), values.end(), [&](const auto& value) { return value.first == name; });
        if (std::string(key) != PREFIX + name || is_known)
        {
          continue;
        }
        std::vector<std::string> of_runs;
        of_runs.reserve(runs.size());
        for (const auto& other : runs)
        {
          of_runs.push_back(recordedValue(other, name));
        }
        values.emplace_back(name, enumeration(of_runs));
      }
    }
    return values;
  }

  std::vector<double> minutes(const PeptideIds& identifications, const std::vector<std::size_t>& members)
  {
    std::vector<double> times;
    for (const std::size_t i : members)
    {
      if (identifications[i].hasRT())
      {
        times.push_back(identifications[i].getRT() / 60.0);
      }
    }
    return times;
  }

  MassErrors MassErrors::ofPrecursors(const PeptideIds& identifications)
  {
    MassErrors errors;
    errors.unit_ = "ppm";
    errors.errors_ = featureOfBest(identifications, PREFIX + "precursor_error_ppm");
    return errors;
  }

  MassErrors MassErrors::ofFragments(const std::vector<OpenMS::ProteinIdentification>& runs,
                                     const PeptideIds& identifications, const RunAssignment& assignment)
  {
    MassErrors errors;
    std::vector<std::string> units;
    units.reserve(runs.size());
    for (const auto& run : runs)
    {
      units.push_back(recordedValue(run, "fragment_tolerance_unit"));
    }
    errors.unit_ = enumeration(units);
    errors.errors_ = featureOfBest(identifications, PREFIX + "fragment_error_median");
    const bool is_one_unit = errors.unit_.find(',') == std::string::npos;
    for (std::size_t i = 0; i < identifications.size(); ++i)
    {
      double tolerance = std::numeric_limits<double>::quiet_NaN();
      if (is_one_unit)
      {
        metaNumber(runs[assignment.run_of_identification[i]].getSearchParameters(), PREFIX + "fragment_tolerance",
                   tolerance);
      }
      errors.errors_[i] *= tolerance;
    }
    return errors;
  }

  std::vector<double> MassErrors::of(const std::vector<std::size_t>& members) const
  {
    std::vector<double> values;
    for (const std::size_t i : members)
    {
      if (!std::isnan(errors_[i]))
      {
        values.push_back(errors_[i]);
      }
    }
    return values;
  }
}
