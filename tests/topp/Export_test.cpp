// SPDX-License-Identifier: BSD-3-Clause
// What the tools of OpenMS that convert or map identifications make of PSMFormer's output.
#include "Rescoring.h"

#include <PSMFormer/core/Files.h>

#include <OpenMS/FORMAT/ConsensusXMLFile.h>
#include <OpenMS/FORMAT/FeatureXMLFile.h>
#include <OpenMS/KERNEL/ConsensusMap.h>
#include <OpenMS/KERNEL/FeatureMap.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <sstream>

namespace psmformer::test
{
  namespace
  {
    using ::testing::HasSubstr;

    /// Scores of the hits of each spectrum, in their order and in the 1e-4 to which PSMFormer rounds them.
    using Scores = std::map<std::string, std::vector<long>>;

    long inTenThousandths(double score)
    {
      return std::lround(1e4 * score);
    }

    Scores scoresOf(const PeptideIds& identifications)
    {
      Scores scores;
      for (const auto& identification : identifications)
      {
        EXPECT_EQ(identification.getScoreType(), "PSMFormer:score");
        for (const auto& hit : identification.getHits())
        {
          scores[spectrumReference(identification)].push_back(inTenThousandths(hit.getScore()));
        }
      }
      return scores;
    }

    /// What stands between `begin` and the next `end`, wherever it does.
    std::vector<std::string> allBetween(const std::string& text, const std::string& begin, const std::string& end)
    {
      std::vector<std::string> found;
      for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at))
      {
        at += begin.size();
        found.push_back(text.substr(at, text.find(end, at) - at));
      }
      return found;
    }

    /// The rows of one kind in a text of tables, as cells by the name of their column.
    std::vector<std::map<std::string, std::string>> readTable(const std::string& text, const std::string& header,
                                                              const std::string& row)
    {
      std::vector<std::map<std::string, std::string>> rows;
      std::vector<std::string> names;
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);)
      {
        const std::vector<std::string> cells = allBetween("\t" + line, "\t", "\t");
        if (cells.front() == header)
        {
          names = cells;
        }
        else if (cells.front() == row)
        {
          rows.emplace_back();
          for (std::size_t k = 0; k < std::min(names.size(), cells.size()); ++k)
          {
            rows.back()[names[k]] = cells[k];
          }
        }
      }
      return rows;
    }

    /// A simulated run that PSMFormer has rescored.
    class RescoredRun : public Rescoring
    {
    public:
      RescoredRun()
      {
        SetUp();
        result = rescore();
        identifications = readIdentifications(path("out.idXML")).identifications;
        scores = scoresOf(identifications);
      }
      void TestBody() override {}
      using Rescoring::path;

      ToolResult result;
      PeptideIds identifications;
      Scores scores;
    };

    /// One run of PSMFormer for all tests; CTest starts them together.
    class Export : public ::testing::Test
    {
    protected:
      static void SetUpTestSuite() { rescored_ = std::make_unique<RescoredRun>(); }
      static void TearDownTestSuite() { rescored_.reset(); }

      void SetUp() override
      {
        ASSERT_EQ(rescored_->result.exit_code, 0) << rescored_->result.output;
        ASSERT_EQ(rescored_->scores.size(), 40u);
        ASSERT_EQ(countHits(rescored_->identifications), 80u);
      }

      static std::string path(const std::string& name) { return rescored_->path(name); }
      static const PeptideIds& identifications() { return rescored_->identifications; }
      static const Scores& scores() { return rescored_->scores; }

      /// Lets a tool read PSMFormer's output by its option `in`, and returns what it writes.
      static std::string outputOf(const std::string& tool, const std::string& in, const std::string& out,
                                  const std::vector<std::string>& more = {})
      {
        std::vector<std::string> arguments = {in, path("out.idXML"), "-out", path(out), "-test", "-no_progress"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const ToolResult result = runProgram(tool, arguments);
        EXPECT_EQ(result.exit_code, 0) << result.output;
        return result.exit_code == 0 ? readFile(path(out)) : "";
      }

      /// Every fourth identification has a feature; one more is where nothing was identified.
      template <typename Map, typename MakeFeature> static Map makeMap(const MakeFeature& makeFeature)
      {
        Map map;
        map.setUniqueId(1);
        for (std::size_t k = 0; k < identifications().size(); k += 4)
        {
          map.push_back(makeFeature(identifications()[k].getRT(), identifications()[k].getMZ(), k + 2));
        }
        map.push_back(makeFeature(5000.0, 333.25, 1000));
        return map;
      }

      template <typename Map> static void expectMapped(const Map& map)
      {
        ASSERT_EQ(map.size(), 11u);
        Scores mapped;
        for (const auto& feature : map)
        {
          const bool is_empty = std::abs(feature.getMZ() - 333.25) < 0.01;
          ASSERT_EQ(feature.getPeptideIdentifications().size(), is_empty ? 0u : 1u) << feature.getMZ();
          if (!is_empty)
          {
            const auto& identification = feature.getPeptideIdentifications().front();
            EXPECT_NEAR(identification.getRT(), feature.getRT(), 0.01);
            EXPECT_NEAR(identification.getMZ(), feature.getMZ(), 1e-4);
          }
          mapped.merge(scoresOf(feature.getPeptideIdentifications()));
        }
        EXPECT_EQ(mapped.size(), 10u);
        mapped.merge(scoresOf(map.getUnassignedPeptideIdentifications()));
        EXPECT_EQ(mapped, scores());
      }

    private:
      static std::unique_ptr<RescoredRun> rescored_;
    };

    std::unique_ptr<RescoredRun> Export::rescored_;
  }

  TEST_F(Export, MzidHasEveryMatchWithItsScore)
  {
    const std::string mzid = outputOf("IDFileConverter", "-in", "out.mzid");
    const std::string score = "<userParam name=\"PSMFormer:score\" unitName=\"xsd:double\" value=\"";
    Scores converted;
    for (const auto& spectrum : allBetween(mzid, "<SpectrumIdentificationResult ", "</SpectrumIdentificationResult>"))
    {
      std::vector<long>& of_spectrum = converted[allBetween(spectrum, "spectrumID=\"", "\"").at(0)];
      for (const auto& match : allBetween(spectrum, "<SpectrumIdentificationItem ", "</SpectrumIdentificationItem>"))
      {
        of_spectrum.push_back(inTenThousandths(std::stod(allBetween(match, score, "\"").at(0))));
        EXPECT_THAT(match, HasSubstr("name=\"PSMFormer:q-value\""));
      }
    }
    EXPECT_EQ(converted, scores());
  }

  TEST_F(Export, MzTabHasTheBestMatchOfEverySpectrumWithItsScore)
  {
    const std::string text = outputOf("MzTabExporter", "-in", "out.mzTab");
    EXPECT_THAT(text, HasSubstr("MTD\tpsm_search_engine_score[1]\t[, , Comet PSMFormer:score, ]\n"));
    const auto table = readTable(text, "PSH", "PSM");
    ASSERT_EQ(table.size(), identifications().size());
    for (std::size_t k = 0; k < table.size(); ++k)
    {
      const auto& best = identifications()[k].getHits().front();
      EXPECT_EQ(table[k].at("spectra_ref"), "ms_run[1]:" + spectrumReference(identifications()[k]));
      EXPECT_EQ(table[k].at("sequence"), std::string(best.getSequence().toUnmodifiedString()));
      EXPECT_EQ(inTenThousandths(std::stod(table[k].at("search_engine_score[1]"))), inTenThousandths(best.getScore()));
      EXPECT_EQ(table[k].at("opt_global_PSMFormer:status"), "scored");
    }
  }

  TEST_F(Export, TextHasEveryMatchWithItsScore)
  {
    const auto table = readTable(outputOf("TextExporter", "-in", "out.tsv"), "#PEPTIDE", "PEPTIDE");
    ASSERT_EQ(table.size(), 80u);
    std::size_t row = 0;
    for (const auto& identification : identifications())
    {
      for (const auto& hit : identification.getHits())
      {
        EXPECT_NEAR(std::stod(table[row].at("rt")), identification.getRT(), 0.01);
        EXPECT_EQ(table[row].at("sequence"), std::string(hit.getSequence().toString()));
        EXPECT_EQ(table[row].at("score_type"), "PSMFormer:score");
        EXPECT_EQ(inTenThousandths(std::stod(table[row].at("score"))), inTenThousandths(hit.getScore()));
        ++row;
      }
    }
  }

  TEST_F(Export, FeaturesGetTheMatchesAtTheirPlace)
  {
    const auto map = makeMap<OpenMS::FeatureMap>(
        [](double rt, double mz, std::size_t id)
        {
          OpenMS::Feature feature;
          feature.setRT(rt);
          feature.setMZ(mz);
          feature.setCharge(2);
          feature.setUniqueId(id);
          return feature;
        });
    OpenMS::FeatureXMLFile().store(path("features.featureXML"), map);
    outputOf("IDMapper", "-id", "mapped.featureXML",
             {"-in", path("features.featureXML"), "-feature:use_centroid_rt", "true"});
    OpenMS::FeatureMap mapped;
    OpenMS::FeatureXMLFile().load(path("mapped.featureXML"), mapped);
    expectMapped(mapped);
  }

  TEST_F(Export, ConsensusFeaturesGetTheMatchesAtTheirPlace)
  {
    auto map = makeMap<OpenMS::ConsensusMap>(
        [](double rt, double mz, std::size_t id)
        {
          OpenMS::BaseFeature element;
          element.setRT(rt);
          element.setMZ(mz);
          element.setCharge(2);
          element.setUniqueId(id);
          return OpenMS::ConsensusFeature(0, element);
        });
    map.getColumnHeaders()[0].filename = "run.mzML";
    OpenMS::ConsensusXMLFile().store(path("consensus.consensusXML"), map);
    outputOf("IDMapper", "-id", "mapped.consensusXML", {"-in", path("consensus.consensusXML")});
    OpenMS::ConsensusMap mapped;
    OpenMS::ConsensusXMLFile().load(path("mapped.consensusXML"), mapped);
    expectMapped(mapped);
  }
}
