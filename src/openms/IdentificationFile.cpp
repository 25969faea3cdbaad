// SPDX-License-Identifier: BSD-3-Clause
#include "OpenMSReader.h"

#include <PSMFormer/core/Error.h>
#include <PSMFormer/openms/IdentificationFile.h>

#include <OpenMS/FORMAT/FileHandler.h>
#include <OpenMS/FORMAT/IdXMLFile.h>

namespace psmformer
{
  void loadIdentifications(const std::string& file, std::vector<OpenMS::ProteinIdentification>& runs,
                           PeptideIds& identifications)
  {
    readWithOpenMS(file, [&] { OpenMS::IdXMLFile().load(file, runs, identifications); });
    // OpenMS takes any other XML for an idXML without identifications.
    const bool is_empty = runs.empty() && identifications.empty();
    require(!is_empty || OpenMS::FileHandler::getTypeByContent(file) == OpenMS::FileTypes::IDXML,
            ErrorKind::DAMAGED_INPUT,
            "File '" + file + "' is no idXML, whatever its name; convert it (IDFileConverter) or fetch it again.");
  }
}
