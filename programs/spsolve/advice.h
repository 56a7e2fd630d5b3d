/* SPDX-License-Identifier: BSD-3-Clause */
/* What a person can do about a run that did not converge, or whose solution is not what it seems. */
#ifndef SPRY_SPSOLVE_ADVICE_H
#define SPRY_SPSOLVE_ADVICE_H

#include "spsolve/run.h"

struct advice {
    const char *title; /* "try" or "note"; null: there is nothing to say */
    char text[512];
};

struct advice advice_on(const struct run *run);

#endif
