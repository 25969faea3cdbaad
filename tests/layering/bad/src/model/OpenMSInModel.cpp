// SPDX-License-Identifier: BSD-3-Clause
#include <OpenMS/KERNEL/MSSpectrum.h>
