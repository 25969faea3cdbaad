// SPDX-License-Identifier: BSD-3-Clause
#include <torch/torch.h>
