// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/openms/Compat.h>

#include <type_traits>

static_assert(std::is_same_v<psmformer::PeptideIds, OpenMS::PeptideIdentificationList>,
              "the stand-in for the list type of OpenMS 3.5 is not in use");
