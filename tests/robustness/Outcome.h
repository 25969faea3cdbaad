// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/Files.h>

#include <support/TestRun.h>

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <stdexcept>
#include <string>

namespace psmformer::test
{
  /// `PSMFormer:logit` of every hit, by "reference sequence/charge".
  inline std::map<std::string, double> logitsOf(const Identifications& all)
  {
    std::map<std::string, double> logits;
    for (const auto& identification : all.identifications)
    {
      for (const auto& hit : identification.getHits())
      {
        logits[spectrumReference(identification) + ' ' + std::string(hit.getSequence().toString()) + '/' +
               std::to_string(hit.getCharge())] = static_cast<double>(hit.getMetaValue("PSMFormer:logit"));
      }
    }
    return logits;
  }

  inline void expectSameLogits(const Identifications& expected, const Identifications& actual, double tolerance = 1e-5)
  {
    const auto a = logitsOf(expected);
    const auto b = logitsOf(actual);
    ASSERT_EQ(a.size(), b.size());
    for (const auto& [match, logit] : a)
    {
      const auto found = b.find(match);
      ASSERT_NE(found, b.end()) << match;
      EXPECT_NEAR(logit, found->second, tolerance) << match;
    }
  }

  inline std::string statusOf(const OpenMS::PeptideHit& hit)
  {
    return std::string(hit.getMetaValue("PSMFormer:status").toString());
  }

  /// A record of the search parameters of the first run.
  inline std::string recorded(const Identifications& all, const std::string& name)
  {
    return std::string(all.runs.at(0).getSearchParameters().getMetaValue(name).toString());
  }

  inline std::size_t countText(const std::string& text, const std::string& part)
  {
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    {
      ++n;
    }
    return n;
  }

  /// Replaces a text everywhere in a file; the test fails when it is not there.
  inline void replaceInFile(const std::string& file, const std::string& from, const std::string& to)
  {
    std::string text = readFile(file);
    std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << "'" << from << "' is not in " << file;
    for (; at != std::string::npos; at = text.find(from, at + to.size()))
    {
      text.replace(at, from.size(), to);
    }
    writeFileAtomically(file, text);
  }
}
