// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace psmformer
{
  /// Finds the file of a model that is named by path, by name, or by name@version.
  ///
  /// A text that ends in ".safetensors" or contains a path separator is a path. A name is looked up as
  /// `<folder>/<name>/<version>/<name>.safetensors` in the folders in order; without a version the newest (by SemVer)
  /// of the first folder that has the name is taken.
  /// @throws Error NOT_FOUND: for a path, naming it; for a name, listing what is there (name, version, size) and the
  /// folders
  std::filesystem::path locateModel(const std::string& model, const std::vector<std::filesystem::path>& folders);

  /// Folders that hold models: $PSMFORMER_DATA_PATH (several separated by ':'), `../share/PSMFormer/models` from the
  /// executable, the install prefix, the source tree this program was built from.
  /// @param executable_folder  folder of the running program; may be empty
  std::vector<std::filesystem::path> modelFolders(const std::filesystem::path& executable_folder);
}
