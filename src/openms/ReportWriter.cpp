// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/openms/ReportWriter.h>

#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/Files.h>

#include <system_error>

namespace fs = std::filesystem;

namespace psmformer
{
  namespace
  {
    const char* const TEMPLATE = "report.html";
    const std::string OPEN = "{{";
    const std::string CLOSE = "}}";
    const std::string FILE_PREFIX = "file:";

    std::string escapedText(const std::string& text)
    {
      std::string result;
      for (const char c : text)
      {
        switch (c)
        {
        case '&':
          result += "&amp;";
          break;
        case '<':
          result += "&lt;";
          break;
        case '>':
          result += "&gt;";
          break;
        case '"':
          result += "&quot;";
          break;
        default:
          result += c;
        }
      }
      return result;
    }

    /// JSON within a script element: '<' only occurs in strings, where it has another notation.
    std::string escapedJson(const std::string& json)
    {
      std::string result;
      for (const char c : json)
      {
        if (c == '<')
        {
          result += "\\u003c";
        }
        else
        {
          result += c;
        }
      }
      return result;
    }

    std::string contentOf(const std::string& name, const ReportData& data, const fs::path& folder)
    {
      if (name == "title")
      {
        return escapedText(data.title);
      }
      if (name == "headline")
      {
        return escapedText(data.headline);
      }
      if (name == "data")
      {
        return escapedJson(data.json);
      }
      const bool is_file = name.compare(0, FILE_PREFIX.size(), FILE_PREFIX) == 0;
      require(is_file && name.find('/') == std::string::npos, ErrorKind::DAMAGED_INPUT,
              "'" + (folder / TEMPLATE).string() + "' has the placeholder '" + name +
                  "', which reports do not have; install PSMFormer again.");
      return readFile(folder / name.substr(FILE_PREFIX.size()));
    }
  }

  fs::path locateReportTemplate(const std::vector<fs::path>& model_folders)
  {
    std::string searched;
    for (const fs::path& models : model_folders)
    {
      for (const fs::path& folder : {models / ".." / "report", models / "report"})
      {
        std::error_code ignored;
        if (fs::is_regular_file(folder / TEMPLATE, ignored))
        {
          return folder.lexically_normal();
        }
        searched += (searched.empty() ? "" : ", ") + folder.lexically_normal().string();
      }
    }
    throw Error(ErrorKind::NOT_FOUND, "The template of the report (" + std::string(TEMPLATE) + ") is not in " +
                                          (searched.empty() ? "any folder" : searched) +
                                          "; install PSMFormer again or set PSMFORMER_DATA_PATH.");
  }

  std::string reportHtml(const ReportData& data, const fs::path& template_folder)
  {
    const std::string page = readFile(template_folder / TEMPLATE);
    std::string result;
    std::size_t at = 0;
    for (std::size_t begin = page.find(OPEN); begin != std::string::npos; begin = page.find(OPEN, at))
    {
      const std::size_t end = page.find(CLOSE, begin);
      require(end != std::string::npos, ErrorKind::DAMAGED_INPUT,
              "'" + (template_folder / TEMPLATE).string() +
                  "' has a placeholder without end; install PSMFormer again.");
      const std::size_t first = begin + OPEN.size();
      result += page.substr(at, begin - at) + contentOf(page.substr(first, end - first), data, template_folder);
      at = end + CLOSE.size();
    }
    return result + page.substr(at);
  }
}
