/* SPDX-License-Identifier: BSD-3-Clause */
#include "spbench/summary.h"

#include <math.h>
#include <stdio.h>

#include "common/columns.h"
#include "common/glyphs.h"
#include "common/number.h"

/* A pick that is so many percent behind counts as good: times vary by as much from run to run. */
#define CLOSE_PERCENT 5

void summary_add(struct summary *summary, const struct report *report, spry_backend backend) {
    double regret = report->pick[backend].regret;
    if (regret <= 0.0)
        return;
    summary->count++;
    summary->close += regret <= 1.0 + CLOSE_PERCENT / 100.0;
    summary->log_regret += log(regret);
    if (regret > summary->worst) {
        summary->worst = regret;
        snprintf(summary->worst_input, sizeof summary->worst_input, "%s", source_shown(report->source));
    }
}

void summary_print(const struct summary *summary, spry_backend backend) {
    if (summary->count < 2)
        return;
    columns_labelled("summary",
                     "%s: %d picks, %.0f %% of them within %d %% of the best; times of the picks over the "
                     "best: %s%s in the geometric mean, %s%s at worst (%s)",
                     spry_backend_name(backend), summary->count, 100.0 * summary->close / summary->count,
                     CLOSE_PERCENT, number_short(exp(summary->log_regret / summary->count)).text,
                     glyphs()->times, number_short(summary->worst).text, glyphs()->times,
                     summary->worst_input);
}
