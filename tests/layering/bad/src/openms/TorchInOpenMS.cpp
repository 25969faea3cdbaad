// SPDX-License-Identifier: BSD-3-Clause
#include <c10/util/Exception.h>
