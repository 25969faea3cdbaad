// SPDX-License-Identifier: BSD-3-Clause
#include "ToolBase.h"

#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/Files.h>
#include <PSMFormer/core/ModelLocator.h>
#include <PSMFormer/model/PSMScorer.h>
#include <PSMFormer/openms/BorrowedFeatures.h>
#include <PSMFormer/openms/CountsTable.h>
#include <PSMFormer/openms/IdentificationFile.h>
#include <PSMFormer/openms/PSMRescoring.h>
#include <PSMFormer/openms/PercolatorInput.h>
#include <PSMFormer/openms/ReportWriter.h>

#include <OpenMS/CONCEPT/LogStream.h>
#include <OpenMS/FORMAT/IdXMLFile.h>

#include <algorithm>
#include <filesystem>

using namespace OpenMS;

/// @cond TOPPCLASSES
namespace
{
  using psmformer::ErrorKind;
  using psmformer::require;

  /// The files to write; empty: not wanted.
  struct Outputs
  {
    std::string identifications;
    std::string features;
    std::string pin;
    std::string report;

    bool needAllFeatures() const { return !features.empty() || !pin.empty(); }
  };

  class TOPPPSMFormer : public psmformer::ToolBase
  {
  public:
    TOPPPSMFormer()
        : ToolBase("PSMFormer", "Rescores peptide-spectrum matches with a transformer that sees spectrum and peptide.")
    {
    }

  protected:
    void registerOptionsAndFlags_() override
    {
      registerInputFile_("in", "<file>", "", "Identifications of any number of runs.");
      setValidFormats_("in", {"idXML"});
      registerInputFileList_("in_spectra", "<files>", StringList(),
                             "Spectra of these runs, matched to them by the base name in spectra_data; with one run a "
                             "single file of any name.");
      setValidFormats_("in_spectra", {"mzML"});
      registerOutputFile_("out", "<file>", "", "Rescored identifications.");
      setValidFormats_("out", {"idXML"});
      registerOutputFile_(
          "out_features", "<file>", "",
          "Names of all label-free features, which are then all written, for PSMFeatureExtractor -extra.", false);
      setValidFormats_("out_features", {"tsv"});
      registerOutputFile_("out_report", "<file>", "",
                          "Report with charts and counts before and after, as one page that needs no network.", false);
      setValidFormats_("out_report", {"html"}, false);
      registerOutputFile_("out_pin", "<file>", "",
                          "Percolator input (PIN) with all label-free features of the scored hits, which are then all "
                          "written.",
                          false);
      setValidFormats_("out_pin", {"tsv"});
      registerStringOption_("model", "<model>", "base",
                            "A model file (.safetensors), or the name of an installed model, with '@version' for "
                            "another than the newest.",
                            false);
      registerFullParam_(rescoringDefaults());
      registerStringOption_("device", "<device>", "auto",
                            "Where the network runs: auto, cpu, cuda or cuda:N; auto falls back to the CPU.", false);
      registerStringOption_(
          "precision", "<type>", "auto",
          "Numbers that the network computes with; auto means float32, bfloat16 is refused in this version.", false,
          true);
      setValidStrings_("precision", {"auto", "float32", "bfloat16"});
      registerIntOption_(
          "batch_tokens", "<number>", 0,
          "Peaks and cleavage sites that go through the network at once, for each thread; bounds memory; "
          "0: automatic (16384).",
          false, true);
      setMinInt_("batch_tokens", 0);
    }

    ExitCodes runTool_() override
    {
      // Files are checked when their option is read; all that can be refused early is.
      const Outputs outputs = {std::string(getStringOption_("out")), std::string(getStringOption_("out_features")),
                               std::string(getStringOption_("out_pin")), std::string(getStringOption_("out_report"))};
      requireOutputs_({{"out", outputs.identifications},
                       {"out_features", outputs.features},
                       {"out_pin", outputs.pin},
                       {"out_report", outputs.report}});
      const std::string in(getStringOption_("in"));
      require(getStringOption_("precision") != "bfloat16", ErrorKind::OPTION,
              "-precision bfloat16 is not available in this version; use float32.");
      const std::filesystem::path report_template =
          outputs.report.empty() ? std::filesystem::path()
                                 : psmformer::locateReportTemplate(psmformer::modelFolders(executableFolder_()));
      psmformer::PSMRescoring rescoring;
      rescoring.setParameters(rescoringParameters(outputs.needAllFeatures()));
      rescoring.setLogType(log_type_);

      std::vector<ProteinIdentification> runs;
      psmformer::PeptideIds identifications;
      psmformer::loadIdentifications(in, runs, identifications);
      if (identifications.empty())
      {
        OPENMS_LOG_WARN << "Warning: '" << in << "' has no identifications; an idXML without any is written."
                        << std::endl;
        if (!outputs.report.empty())
        {
          storeReport(outputs, psmformer::collectReport(runs, identifications, {}, {}, {}), report_template);
        }
        store(outputs, runs, identifications, {}, rescoring.featureNames());
        return EXECUTION_OK;
      }
      if (!outputs.pin.empty())
      {
        psmformer::requireTargetsAndDecoys(identifications);
      }
      const StringList spectra_option = getStringList_("in_spectra");
      const std::vector<std::string> spectra(spectra_option.begin(), spectra_option.end());

      const psmformer::PSMScorer scorer = loadModel();
      const auto report =
          outputs.report.empty()
              ? rescoring.rescore(runs, identifications, spectra, scorer, provenance(scorer))
              : rescoreWithReport(rescoring, runs, identifications, spectra, scorer, outputs, report_template);
      store(outputs, runs, identifications, spectra, report.feature_names);
      print(report);
      return EXECUTION_OK;
    }

  private:
    /// Those parameters of the algorithm that are options of the tool by themselves.
    static Param rescoringDefaults()
    {
      Param defaults = psmformer::PSMRescoring().getDefaults();
      defaults.remove("accept_profile"); // -force
      return defaults;
    }

    Param rescoringParameters(bool all_features)
    {
      Param parameters = psmformer::PSMRescoring().getDefaults();
      const Param defaults = rescoringDefaults();
      for (auto it = defaults.begin(); it != defaults.end(); ++it)
      {
        parameters.setValue(it.getName(), getParam_().getValue(it.getName()));
      }
      parameters.setValue("accept_profile", getFlag_("force") ? "true" : "false");
      if (all_features)
      {
        parameters.setValue("write_features", "all");
      }
      return parameters;
    }

    psmformer::PSMScorer loadModel()
    {
      const std::filesystem::path file =
          psmformer::locateModel(std::string(getStringOption_("model")), psmformer::modelFolders(executableFolder_()));
      psmformer::RuntimeOptions options;
      options.device = std::string(getStringOption_("device"));
      options.threads = std::max(1, static_cast<int>(getIntOption_("threads")));
      options.seed = static_cast<std::uint64_t>(static_cast<Int>(getIntOption_("seed")));
      if (const Int tokens = getIntOption_("batch_tokens"); tokens > 0)
      {
        options.batch_tokens = static_cast<std::size_t>(tokens);
      }
      psmformer::PSMScorer scorer(file, options);
      const std::size_t n_folds = scorer.manifest().folds.count;
      OPENMS_LOG_INFO << "Model " << modelName(scorer) << " on " << scorer.device()
                      << (n_folds > 1 ? ", with weights for each of " + String(n_folds) + " folds of peptides." : ".")
                      << std::endl;
      return scorer;
    }

    static std::string modelName(const psmformer::PSMScorer& scorer)
    {
      return scorer.manifest().name + "@" + scorer.manifest().version;
    }

    std::vector<psmformer::ProvenanceEntry> provenance(const psmformer::PSMScorer& scorer)
    {
      return {{"version", std::string(version_)},
              {"model", modelName(scorer)},
              {"model_sha256", scorer.modelHash()},
              {"precision", std::string("float32")},
              {"device", scorer.device()}};
    }

    /// Rescores and writes the report, which needs all features, also when they are not written.
    psmformer::RescoringReport rescoreWithReport(psmformer::PSMRescoring& rescoring,
                                                 std::vector<ProteinIdentification>& runs,
                                                 psmformer::PeptideIds& identifications,
                                                 const std::vector<std::string>& spectra,
                                                 const psmformer::PSMScorer& scorer, const Outputs& outputs,
                                                 const std::filesystem::path& report_template)
    {
      const std::vector<std::string> asked_for = rescoring.featureNames();
      rescoring.setParameters(rescoringParameters(true));
      const psmformer::BorrowedFeatures borrowed(asked_for, rescoring.featureNames());
      const auto seed = static_cast<std::uint64_t>(static_cast<Int>(getIntOption_("seed")));
      const psmformer::PreviousScores previous = psmformer::readPreviousScores(identifications, seed);
      auto report = rescoring.rescore(runs, identifications, spectra, scorer, provenance(scorer));
      storeReport(outputs, psmformer::collectReport(runs, identifications, spectra, previous, report), report_template);
      borrowed.giveBack(runs, identifications);
      return report;
    }

    static void storeReport(const Outputs& outputs, const psmformer::ReportData& data,
                            const std::filesystem::path& report_template)
    {
      psmformer::writeFileAtomically(outputs.report, psmformer::reportHtml(data, report_template));
    }

    static void store(const Outputs& outputs, const std::vector<ProteinIdentification>& runs,
                      const psmformer::PeptideIds& identifications, const std::vector<std::string>& spectra,
                      const std::vector<std::string>& feature_names)
    {
      if (!outputs.features.empty())
      {
        std::string table = "feature_generator\tfeature_name\n";
        for (const std::string& name : feature_names)
        {
          table += "PSMFormer\t" + name + "\n";
        }
        psmformer::writeFileAtomically(outputs.features, table);
      }
      if (!outputs.pin.empty())
      {
        psmformer::writeFileAtomically(outputs.pin,
                                       psmformer::percolatorInput(runs, identifications, spectra, feature_names));
      }
      psmformer::writeThroughTemporary(outputs.identifications, [&](const std::filesystem::path& file)
                                       { IdXMLFile().store(file.string(), runs, identifications); });
    }

    static void print(const psmformer::RescoringReport& report)
    {
      for (const auto& warnings : {report.warnings, report.join.warnings})
      {
        for (const std::string& warning : warnings)
        {
          OPENMS_LOG_WARN << "Warning: " << warning << std::endl;
        }
      }
      for (const auto& notes : {report.join.notes, report.notes})
      {
        for (const std::string& note : notes)
        {
          OPENMS_LOG_INFO << note << std::endl;
        }
      }
      const std::size_t n_unscored = report.join.n_hits - report.join.scored();
      if (n_unscored > 0)
      {
        OPENMS_LOG_WARN << "Warning: " << n_unscored << " hits cannot be scored: " << report.join.reasons() << "."
                        << std::endl;
      }
      if (report.writing.n_nonfinite_scores > 0)
      {
        OPENMS_LOG_WARN << "Warning: " << report.writing.n_nonfinite_scores
                        << " previous scores are not finite; they are kept as text." << std::endl;
      }
      if (report.writing.n_removed_hits > 0)
      {
        OPENMS_LOG_INFO << report.writing.n_removed_hits << " hits without score are removed." << std::endl;
      }
      OPENMS_LOG_INFO << "Hits: " << report.join.scored() << " scored + " << n_unscored
                      << " unscored = " << report.join.n_hits << "." << std::endl;
      OPENMS_LOG_INFO << "PSMFormer:score quartiles: " << report.score_quartiles[0] << ", " << report.score_quartiles[1]
                      << ", " << report.score_quartiles[2] << "." << std::endl;
      if (report.has_decoys)
      {
        OPENMS_LOG_INFO << "Best hits: " << report.n_targets << " targets, " << report.n_decoys << " decoys.\n"
                        << psmformer::countsTable(report.counts) << std::endl;
      }
    }
  };
}
/// @endcond

int main(int argc, const char** argv)
{
  return psmformer::runTool<TOPPPSMFormer>("PSMFormer", argc, argv);
}
