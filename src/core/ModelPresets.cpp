// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/ModelManifest.h>

#include <vector>

namespace psmformer
{
  namespace
  {
    struct Preset
    {
      std::string name;
      std::int64_t d_model;
      std::int64_t n_heads;
      std::int64_t spectrum_layers;
      std::int64_t peptide_layers;
      std::int64_t decoder_layers;
      std::int64_t d_feedforward;
      std::size_t max_peaks;
    };

    const std::vector<Preset>& presets()
    {
      static const std::vector<Preset> rows = {
          {"tiny", 32, 4, 1, 1, 1, 128, 60},
          {"base", 64, 4, 2, 1, 3, 256, 120},
          {"medium", 256, 8, 3, 2, 3, 1024, 150},
          {"large", 512, 8, 6, 3, 6, 2048, 150},
      };
      return rows;
    }
  }

  ModelManifest presetManifest(const std::string& preset)
  {
    std::string known;
    for (const Preset& row : presets())
    {
      if (row.name == preset)
      {
        ModelManifest manifest;
        manifest.name = row.name;
        manifest.version = "0.0.0";
        manifest.license = "CC-BY-4.0";
        manifest.architecture.d_model = row.d_model;
        manifest.architecture.n_heads = row.n_heads;
        manifest.architecture.spectrum_layers = row.spectrum_layers;
        manifest.architecture.peptide_layers = row.peptide_layers;
        manifest.architecture.decoder_layers = row.decoder_layers;
        manifest.architecture.d_feedforward = row.d_feedforward;
        manifest.inputs.preprocessing.max_peaks = row.max_peaks;
        return manifest;
      }
      known += (known.empty() ? "" : ", ") + row.name;
    }
    throw Error(ErrorKind::OPTION, "Preset '" + preset + "' does not exist; choose one of " + known + ".");
  }
}
