// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/Paths.h>
#include <PSMFormer/openms/ErrorTranslation.h>
#include <PSMFormer/openms/ToolDescription.h>

#include <OpenMS/APPLICATIONS/TOPPBase.h>
#include <OpenMS/CONCEPT/VersionInfo.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>
#include <vector>

namespace psmformer
{
  /// What the tools of this project share: version, error boundary, no update check, `-write_ctd`.
  class ToolBase : public OpenMS::TOPPBase
  {
  protected:
    /// Not `official`: OpenMS's own list does not have the tool.
    ToolBase(const std::string& name, const std::string& description) : OpenMS::TOPPBase(name, description, false)
    {
      version_ = PSMFORMER_VERSION;
      verboseVersion_ = std::string(PSMFORMER_VERSION) + " (OpenMS " + OpenMS::VersionInfo::getVersion() + ")";
    }

    /// Folder of the running program, empty where the system does not tell. OpenMS 2.6 reads its path without an end
    /// and sometimes returns nothing.
    static std::filesystem::path executableFolder_()
    {
      std::error_code error;
      const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
      return error ? std::filesystem::path() : program.parent_path();
    }

    /// An option and one of its files; an empty name: not given.
    struct OptionFile
    {
      std::string option;
      std::string file;
    };

    /// To be called before the work, which may take hours.
    /// @throws Error CANNOT_WRITE when one of the outputs is a folder, OPTION when it would replace another one, or one
    ///         of the inputs
    static void requireOutputs_(const std::vector<OptionFile>& outputs, const std::vector<OptionFile>& inputs = {})
    {
      std::vector<OptionFile> seen = inputs;
      for (const OptionFile& output : outputs)
      {
        std::error_code ignored;
        require(!std::filesystem::is_directory(output.file, ignored), ErrorKind::CANNOT_WRITE,
                "-" + output.option + " '" + output.file + "' is a folder; give the name of a file.");
        for (const OptionFile& other : seen)
        {
          require(output.file.empty() || other.file.empty() || !isSameFile(output.file, other.file), ErrorKind::OPTION,
                  "-" + output.option + " and -" + other.option + " are both '" + output.file +
                      "', so that one would replace the other; give each a file of its own.");
        }
        seen.push_back(output);
      }
    }

    /// The work of the tool; may throw psmformer::Error and OpenMS's exceptions.
    virtual ExitCodes runTool_() = 0;

  private:
    ExitCodes main_(int, const char**) final
    {
      return runWithErrorBoundary([this] { return runTool_(); });
    }
  };

  /// The `main` of a tool.
  template <typename Tool> int runTool(const std::string& name, int argc, const char** argv)
  {
    setenv("OPENMS_DISABLE_UPDATE_CHECK", "ON", 0);
    try
    {
      const ToolDescription description(name, std::vector<std::string>(argv, argv + argc));
      Tool tool;
      const auto exit_code = tool.main(argc, argv);
      description.complete();
      return exit_code;
    }
    catch (const Error& error)
    {
      std::cerr << "Error: " << error.what() << std::endl;
      return exitCodeOf(error.kind());
    }
    catch (const std::exception& error)
    {
      std::cerr << "Error: " << error.what() << std::endl;
      return OpenMS::TOPPBase::INTERNAL_ERROR;
    }
  }
}
