/* SPDX-License-Identifier: BSD-3-Clause */
/* Which entries of a diagonal can be divided by, the same in C and in device code. */
#ifndef SPRY_SOLVE_INVERSE_H
#define SPRY_SOLVE_INVERSE_H

#include <stdbool.h>

#include "core/host_device.h"
#include "core/tmpl.h"

/* Whether the reciprocal is a finite number other than zero: not that of zero, of what is so small that it overflows, of
   infinity or of NaN. */
SPRY_HOST_AND_DEVICE bool has_inverse(val_t value) {
    const val_t reciprocal = 1 / value;
    return reciprocal - reciprocal == 0 && reciprocal != 0;
}

#endif
