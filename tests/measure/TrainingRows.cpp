// SPDX-License-Identifier: BSD-3-Clause
#include "TrainingBatch.h"
#include "TrainingFeatures.h"

#include <PSMFormer/core/PSMFeatures.h>

#include <cstdio>
#include <string>

namespace psmformer
{
  namespace
  {
    constexpr std::size_t FIRST_EPOCH = 1;

    void printHead()
    {
      std::string head = "spectrum\ttrue";
      for (const PSMFeature& feature : psmFeatures())
      {
        head += "\t" + feature.name;
      }
      std::printf("%s\n", head.c_str());
    }

    void print(const TrainingRow& row, const std::vector<IonChannel>& channels)
    {
      for (std::size_t c = 0; c < row.peptides.size(); ++c)
      {
        std::printf("%zu\t%d", row.example, c == 0 && row.kind != RowKind::FOREIGN ? 1 : 0);
        for (const PSMFeature& feature : psmFeatures())
        {
          std::printf("\t%.6g",
                      feature.compute({row.prepared.spectrum, row.peptides[c], row.prepared.evidence[c], channels}));
        }
        std::printf("\n");
      }
    }
  }

  void printTrainingFeatures(const std::vector<TrainingExample>& examples, const PeptidePool& pool,
                             const ModelInputs& inputs, const TrainingParameters& parameters, std::uint64_t seed)
  {
    const TrainingRowMaker maker(examples, pool, inputs, parameters, seed, true);
    const EpochPlan plan = planEpoch(maker.masses(), parameters, seed, FIRST_EPOCH);
    const std::vector<IonChannel> channels = parseIonChannels(inputs.ions);
    printHead();
    for (std::size_t i = 0; i < examples.size(); ++i)
    {
      print(maker.makeRow(FIRST_EPOCH, i, plan.kinds[i]), channels);
    }
  }
}
