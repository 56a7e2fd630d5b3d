/* SPDX-License-Identifier: BSD-3-Clause */
#include "solve/ranks.h"

spry_status spry_add_up(spry_context *context, const struct spry_ranks *ranks, int count, double *values) {
    spry_status status = ranks->sum(context, ranks->user, values, count);
    return status
               ? spry_fail(context, status, "the sum over all ranks failed: %s", spry_status_string(status))
               : SPRY_OK;
}
