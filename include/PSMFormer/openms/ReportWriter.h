// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/openms/ReportData.h>

#include <filesystem>
#include <string>
#include <vector>

namespace psmformer
{
  /// Finds the folder with the files of which reports are made (`share/PSMFormer/report`).
  /// @param model_folders  of modelFolders(); the template lies beside each of them, or in it
  /// @throws Error NOT_FOUND naming the folders
  std::filesystem::path locateReportTemplate(const std::vector<std::filesystem::path>& model_folders);

  /// The report as one HTML page that needs no other file and no network.
  ///
  /// In `report.html` of the template, `{{title}}` and `{{headline}}` are replaced as text, `{{data}}` by the JSON, and
  /// `{{file:<name>}}` by the content of a file of the template. What comes from the data cannot end its element.
  /// @throws Error NOT_FOUND or NOT_READABLE for files of the template; DAMAGED_INPUT for an unknown placeholder
  std::string reportHtml(const ReportData& data, const std::filesystem::path& template_folder);
}
