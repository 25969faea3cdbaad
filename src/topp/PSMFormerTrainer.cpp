// SPDX-License-Identifier: BSD-3-Clause
#include "TrainerToolBase.h"

#include <PSMFormer/core/Files.h>
#include <PSMFormer/core/PeptidePool.h>
#include <PSMFormer/openms/ModelCard.h>

#include <OpenMS/CONCEPT/LogStream.h>

#include <algorithm>
#include <filesystem>

using namespace OpenMS;

namespace
{
  /// Reads the data, trains, writes the model and its card.
  class TOPPPSMFormerTrainer : public psmformer::TrainerToolBase
  {
  protected:
    ExitCodes runTool_() override
    {
      options_ = getParam_();
      const std::string out_model = outputs();
      // Before the data are read, so that an impossible model or device shows at once.
      std::vector<psmformer::PSMTrainer> trainers;
      trainers.push_back(makeTrainer(out_model));
      const psmformer::TrainingData data = readTrainingData(sources(), trainers.front().manifest().inputs);
      log(data);
      writeKeys(data.split);

      const psmformer::FoldRule folds{static_cast<std::size_t>(getIntOption_("folds")), seed()};
      psmformer::ModelCardContent card;
      if (folds.count == 1)
      {
        fit(trainers.front(), data, checkpoint(), card);
      }
      else
      {
        fitFolds(trainers, out_model, data, folds, card);
      }
      card.parameters = parameters();
      const psmformer::ModelManifest manifest = save(out_model, trainers, folds.seed);
      psmformer::writeFileAtomically(std::filesystem::path(out_model).replace_filename("MODEL_CARD.md"),
                                     psmformer::writeModelCard(manifest, data.split, card));
      OPENMS_LOG_INFO << "Model " << manifest.name << "@" << manifest.version << " with " << manifest.n_parameters
                      << " parameters" << (folds.count > 1 ? " in each of " + String(folds.count) + " folds" : String())
                      << " written to '" << out_model << "'." << std::endl;
      return EXECUTION_OK;
    }

  private:
    psmformer::PSMTrainer makeTrainer(const std::string& out_model) const
    {
      return {makeManifest(out_model), psmformer::trainingParameters(options_), runtimeOptions(), initialModel()};
    }

    static psmformer::ModelManifest save(const std::string& out_model,
                                         const std::vector<psmformer::PSMTrainer>& trainers, std::uint64_t fold_seed)
    {
      if (trainers.size() > 1)
      {
        return psmformer::PSMTrainer::saveFolds(out_model, trainers, fold_seed);
      }
      trainers.front().save(out_model);
      return trainers.front().manifest();
    }

    static void log(const psmformer::TrainingData& data)
    {
      for (const std::string& note : data.notes)
      {
        OPENMS_LOG_INFO << note << std::endl;
      }
      for (const std::string& warning : data.warnings)
      {
        OPENMS_LOG_WARN << "Warning: " << warning << std::endl;
      }
    }

    void writeKeys(const psmformer::TrainingSplit& split) const
    {
      const std::string file(getStringOption_("out_keys"));
      if (file.empty())
      {
        return;
      }
      std::string text;
      for (const std::string& key : split.keys)
      {
        text += key + "\n";
      }
      psmformer::writeFileAtomically(file, text);
    }

    /// A training without each of the folds.
    void fitFolds(std::vector<psmformer::PSMTrainer>& trainers, const std::string& out_model,
                  const psmformer::TrainingData& data, const psmformer::FoldRule& folds,
                  psmformer::ModelCardContent& card) const
    {
      for (std::size_t fold = 0; fold < folds.count; ++fold)
      {
        if (fold == trainers.size())
        {
          trainers.push_back(makeTrainer(out_model));
        }
        const psmformer::TrainingData others = withoutFold(data, folds, fold);
        OPENMS_LOG_INFO << "Fold " << fold + 1 << " of " << folds.count
                        << " is left out: " << others.split.training.size() << " training and "
                        << others.split.validation.size() << " validation spectra." << std::endl;
        fit(trainers.back(), others, checkpoint(".fold" + std::to_string(fold + 1)), card);
      }
    }

    /// Trains, and adds the loss curve to the card.
    void fit(psmformer::PSMTrainer& trainer, const psmformer::TrainingData& data, const std::string& checkpoint,
             psmformer::ModelCardContent& card) const
    {
      const std::vector<double> fixed =
          psmformer::fixedModificationMasses(toStrings(getStringList_("fixed_modifications")));
      const psmformer::PeptidePool pool(data.natural_peptides, psmformer::DataPart::TRAINING, fixed);
      const psmformer::PeptidePool validation_pool(data.natural_peptides, psmformer::DataPart::VALIDATION, fixed);
      card.n_pool = std::max(card.n_pool, pool.size());
      OPENMS_LOG_INFO << pool.size() << " natural peptides for negatives of training, " << validation_pool.size()
                      << " of validation spectra." << std::endl;
      const std::size_t n_spectra = data.split.training.size() * psmformer::trainingParameters(options_).epochs;
      ProgressLogger progress;
      progress.setLogType(log_type_);
      progress.startProgress(0, static_cast<SignedSize>(n_spectra), "training (spectra, all epochs)");
      card.curves.emplace_back();
      const auto log_epoch = [&](const psmformer::EpochRecord& record)
      {
        OPENMS_LOG_INFO << "epoch " << record.epoch << ": training loss " << record.training_loss
                        << ", validation loss " << record.validation_loss << ", true peptide first "
                        << 100.0 * record.validation_top1 << " %, AUC of the cosine " << record.validation_cosine_auc
                        << ", " << record.spectra_per_second << " spectra/s" << std::endl;
        card.curves.back().push_back(record);
        writeLog(card.curves);
      };
      card.curves.back() =
          trainer.fit(data.split.training, data.split.validation, pool, validation_pool, checkpoint, getFlag_("resume"),
                      log_epoch, [&](std::size_t done) { progress.setProgress(static_cast<SignedSize>(done)); });
      progress.endProgress();
      writeLog(card.curves); // with the epochs before a resumption
    }

    void writeLog(const psmformer::LossCurves& curves) const
    {
      if (const std::string file(getStringOption_("out_log")); !file.empty())
      {
        psmformer::writeFileAtomically(file, psmformer::writeLossCurves(curves));
      }
    }
  };
}

int main(int argc, const char** argv)
{
  return psmformer::runTool<TOPPPSMFormerTrainer>("PSMFormerTrainer", argc, argv);
}
