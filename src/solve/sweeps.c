/* SPDX-License-Identifier: BSD-3-Clause */
#include "solve/walk.h"

extern const struct spry_sweep_table NAME(spry_sweeps);
const struct spry_sweep_table NAME(spry_sweeps) = {0, table};
