/* SPDX-License-Identifier: BSD-3-Clause */
#include "solve/walk.h"

extern const struct spry_update_table NAME(spry_updates);
const struct spry_update_table NAME(spry_updates) = {0, table};
