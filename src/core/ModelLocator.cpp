// SPDX-License-Identifier: BSD-3-Clause
#include "SemanticVersion.h"

#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/ModelLocator.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <set>
#include <sstream>
#include <system_error>

namespace fs = std::filesystem;

namespace psmformer
{
  namespace
  {
    struct InstalledModel
    {
      std::string name;
      std::string version;
      fs::path file;
    };

    bool isFile(const fs::path& path)
    {
      std::error_code ignored;
      return fs::is_regular_file(path, ignored);
    }

    /// Sub-folders by name; none when the folder cannot be read.
    std::vector<fs::path> subfolders(const fs::path& folder)
    {
      std::vector<fs::path> found;
      std::error_code error;
      for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
      {
        std::error_code ignored;
        if (entry->is_directory(ignored))
        {
          found.push_back(entry->path());
        }
      }
      std::sort(found.begin(), found.end());
      return found;
    }

    /// The models of one folder by name, oldest version first.
    std::vector<InstalledModel> listModels(const fs::path& folder)
    {
      std::vector<InstalledModel> models;
      for (const fs::path& name : subfolders(folder))
      {
        std::vector<InstalledModel> versions;
        for (const fs::path& version : subfolders(name))
        {
          const fs::path file = version / (name.filename().string() + ".safetensors");
          if (isSemanticVersion(version.filename().string()) && isFile(file))
          {
            versions.push_back({name.filename().string(), version.filename().string(), file});
          }
        }
        std::sort(versions.begin(), versions.end(),
                  [](const InstalledModel& a, const InstalledModel& b)
                  { return isOlderVersion(a.version, b.version); });
        models.insert(models.end(), versions.begin(), versions.end());
      }
      return models;
    }

    std::string describe(const InstalledModel& model)
    {
      std::error_code error;
      const auto bytes = fs::file_size(model.file, error);
      char size[32];
      std::snprintf(size, sizeof size, "%.1f MB", error ? 0.0 : static_cast<double>(bytes) / 1e6);
      return model.name + "@" + model.version + " (" + size + ")";
    }

    std::optional<fs::path> findIn(const std::vector<InstalledModel>& models, const std::string& name,
                                   const std::string& version)
    {
      std::optional<fs::path> newest;
      for (const InstalledModel& model : models)
      {
        if (model.name == name && (version.empty() || model.version == version))
        {
          newest = model.file;
        }
      }
      return newest;
    }

    bool isPath(const std::string& model)
    {
      return model.find('/') != std::string::npos || fs::path(model).extension() == ".safetensors";
    }
  }

  fs::path locateModel(const std::string& model, const std::vector<fs::path>& folders)
  {
    if (isPath(model))
    {
      std::error_code ignored;
      require(!fs::is_directory(model, ignored), ErrorKind::NOT_READABLE,
              "Model '" + model + "' is a folder; give the .safetensors file in it, or the name of a model.");
      require(isFile(model), ErrorKind::NOT_FOUND, "Model file '" + model + "' does not exist; check the path.");
      return model;
    }
    const std::size_t at = std::min(model.find('@'), model.size());
    const std::string name = model.substr(0, at);
    const std::string version = at == model.size() ? "" : model.substr(at + 1);
    std::string available;
    std::string searched;
    std::set<std::string> listed;
    for (const fs::path& folder : folders)
    {
      const std::vector<InstalledModel> models = listModels(folder);
      if (const auto file = findIn(models, name, version))
      {
        return *file;
      }
      for (const InstalledModel& other : models)
      {
        if (listed.insert(other.name + "@" + other.version).second)
        {
          available += (available.empty() ? "" : ", ") + describe(other);
        }
      }
      searched += (searched.empty() ? "" : ", ") + folder.string();
    }
    throw Error(ErrorKind::NOT_FOUND, "Model '" + model + "' was not found; there is " +
                                          (available.empty() ? "no model" : available) + " in " +
                                          (searched.empty() ? "no folder" : searched) +
                                          "; choose one of these, give a file or set PSMFORMER_DATA_PATH.");
  }

  std::vector<fs::path> modelFolders(const fs::path& executable_folder)
  {
    std::vector<fs::path> folders;
    if (const char* list = std::getenv("PSMFORMER_DATA_PATH"))
    {
      std::istringstream stream(list);
      for (std::string folder; std::getline(stream, folder, ':');)
      {
        // Whether the folder of the data or that of the models in it is meant.
        std::error_code ignored;
        const fs::path models = fs::path(folder) / "models";
        if (!folder.empty())
        {
          folders.emplace_back(fs::is_directory(models, ignored) ? models : fs::path(folder));
        }
      }
    }
    if (!executable_folder.empty())
    {
      folders.push_back((executable_folder / "../share/PSMFormer/models").lexically_normal());
    }
    folders.emplace_back(PSMFORMER_INSTALLED_MODELS);
    folders.emplace_back(PSMFORMER_SOURCE_MODELS);
    std::vector<fs::path> distinct;
    for (const fs::path& folder : folders)
    {
      if (std::find(distinct.begin(), distinct.end(), folder) == distinct.end())
      {
        distinct.push_back(folder);
      }
    }
    return distinct;
  }
}
