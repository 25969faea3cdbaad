// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/model/PSMScorer.h>
