/* SPDX-License-Identifier: BSD-3-Clause */
/* The method and preconditioner for a matrix, where the command line leaves them open. */
#ifndef SPRY_BENCH_SOLVE_CHOOSE_H
#define SPRY_BENCH_SOLVE_CHOOSE_H

#include <stdbool.h>

#include "solve_options.h"
#include "source.h"

struct choice {
    spry_method method;
    spry_precond_kind precond; /* SPRY_PRECOND_COUNT: none */
    const char *why_method;    /* what of the matrix decided; null where the command line did */
    const char *why_precond;
};

/* `csr` is the matrix where it is solved; it is copied to the `host` context if that is elsewhere and has to be
   looked at. */
spry_status solve_choose(spry_context *host, const spry_matrix *csr, const spry_file_info *info,
                         const struct solve_options *options, struct choice *choice);

#endif
