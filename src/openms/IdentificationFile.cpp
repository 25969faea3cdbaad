// SPDX-License-Identifier: BSD-3-Clause
#include "OpenMSReader.h"

#include <PSMFormer/openms/IdentificationFile.h>

#include <OpenMS/FORMAT/IdXMLFile.h>

namespace psmformer
{
  void loadIdentifications(const std::string& file, std::vector<OpenMS::ProteinIdentification>& runs,
                           PeptideIds& identifications)
  {
    readWithOpenMS(file, [&] { OpenMS::IdXMLFile().load(file, runs, identifications); });
  }
}
