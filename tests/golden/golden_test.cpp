// SPDX-License-Identifier: BSD-3-Clause
// Each shipped model carries matches and their logits; this program must compute the same.
#include "Checkpoint.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace psmformer
{
  namespace
  {
    std::vector<std::filesystem::path> shippedModels()
    {
      const std::filesystem::path folder = std::filesystem::path(PSMFORMER_REPOSITORY) / "share/PSMFormer/models";
      std::vector<std::filesystem::path> models;
      if (std::filesystem::is_directory(folder))
      {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        {
          if (entry.path().extension() == ".safetensors")
          {
            models.push_back(entry.path());
          }
        }
      }
      return models;
    }

    TEST(Golden, ShippedModelsScoreAsWhenTheyWereMade)
    {
      const std::vector<std::filesystem::path> models = shippedModels();
      if (models.empty())
      {
        GTEST_SKIP() << "no model is shipped yet";
      }
      for (const std::filesystem::path& model : models)
      {
        EXPECT_LE(goldenDifference(model), 1e-5) << model;
      }
    }
  }
}
