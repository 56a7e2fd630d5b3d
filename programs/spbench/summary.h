/* SPDX-License-Identifier: BSD-3-Clause */
/* How well the selector picked, over several matrices. */
#ifndef SPRY_SPBENCH_SUMMARY_H
#define SPRY_SPBENCH_SUMMARY_H

#include "spbench/report.h"

/* Of one backend. Zero-initialise it. */
struct summary {
    int count;         /* matrices whose pick was measured */
    int close;         /* of these, picks about as good as the best */
    double log_regret; /* added up */
    double worst;
    char worst_input[256]; /* its name */
};

void summary_add(struct summary *summary, const struct report *report, spry_backend backend);

/* One line, after a label as above tables; nothing for fewer than two matrices. */
void summary_print(const struct summary *summary, spry_backend backend);

#endif
