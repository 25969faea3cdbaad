// SPDX-License-Identifier: BSD-3-Clause
// The LibTorch header takes most of the compile time of a file that computes with tensors.
#pragma once

#include <torch/torch.h>
