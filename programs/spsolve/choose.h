/* SPDX-License-Identifier: BSD-3-Clause */
/* What methods and preconditioners a matrix gets, where the command line leaves them open. */
#ifndef SPRY_SPSOLVE_CHOOSE_H
#define SPRY_SPSOLVE_CHOOSE_H

#include "spsolve/chain.h"
#include "spsolve/system.h"

struct choice {
    struct traits traits;
    struct chain chain;
    const char
        *why_method; /* what of the matrix decided on the first step; null where the command line did */
    const char *why_precond;
};

/* The traits of the matrix alone. False: system->message says why. */
bool solve_look(struct system *system, struct choice *choice);

/* The steps as well, and why they are what they are. False: system->message says why. */
bool solve_choose(struct system *system, struct choice *choice);

#endif
