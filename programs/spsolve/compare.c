/* SPDX-License-Identifier: BSD-3-Clause */
#include "spsolve/compare.h"

#include "common/interrupt.h"
#include "common/progress.h"

bool comparison_prepare(struct comparison *comparison, const struct workplace *place, const char *input) {
    *comparison = (struct comparison){.count = 0};
    bool good = system_open(&comparison->system, place, input) &&
                solve_look(&comparison->system, &comparison->choice) &&
                system_make_vectors(&comparison->system);
    progress_clear();
    return good;
}

static bool compare_one(struct comparison *comparison, const struct step *step) {
    struct system *system = &comparison->system;
    struct attempt *attempt = &comparison->attempt[comparison->count];
    struct plot plot;
    if (!plot_begin(&plot, system->norm_b, 1.0, false))
        return system_check(system, system->place->host, SPRY_ERROR_MEMORY);
    bool good = attempt_run(attempt, system, step, true, system->norm_b, &plot);
    plot_free(&plot);
    comparison->count += good;
    return good;
}

bool comparison_run(struct comparison *comparison) {
    struct step step[COMPARE_MOST];
    const struct system *system = &comparison->system;
    comparison->planned = chain_compare(step, &comparison->choice.traits, system->place->options);
    for (int i = 0; i < comparison->planned && !interrupt_seen(); i++) {
        if (!compare_one(comparison, &step[i]))
            return false;
    }
    return true;
}

bool comparison_was_cut_short(const struct comparison *comparison) {
    const int count = comparison->count;
    return count < comparison->planned ||
           (count > 0 && comparison->attempt[count - 1].end == END_INTERRUPTED);
}

static double seconds_of(const struct attempt *attempt) {
    return attempt->precond_seconds + attempt->workspace_seconds + attempt->solve_seconds;
}

const struct attempt *comparison_fastest(const struct comparison *comparison) {
    const struct attempt *best = NULL;
    for (int i = 0; i < comparison->count; i++) {
        const struct attempt *attempt = &comparison->attempt[i];
        if (attempt->end == SPRY_CONVERGED && (!best || seconds_of(attempt) < seconds_of(best)))
            best = attempt;
    }
    return best;
}

void comparison_close(struct comparison *comparison) {
    system_close(&comparison->system);
}
