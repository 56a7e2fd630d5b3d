/* SPDX-License-Identifier: BSD-3-Clause */
#include "measuring/preparation.h"

#include <math.h>

#include "common/clock.h"
#include "common/interrupt.h"
#include "measuring/quiet.h"

/* Preparations are repeated while they are short, for a median; long ones speak for themselves. */
#define PREPARATIONS 5
#define PREPARATION_SECONDS 0.1
/* Those in which a processor was taken away are repeated for so long, to find one without. */
#define SPARE_SECONDS 0.5

spry_status preparation_measure(timed_call *make, void (*unmake)(void *user), void *user, double *seconds) {
    double quiet[PREPARATIONS], shortest = INFINITY, total = 0.0;
    spry_status status = SPRY_OK;
    int count = 0, quiet_count = 0;
    while (status == SPRY_OK && count < PREPARATIONS &&
           total < (quiet_count > 0 ? PREPARATION_SECONDS : SPARE_SECONDS)) {
        if (count++ > 0)
            unmake(user);
        struct moment begin = quiet_now();
        status = interrupt_seen() ? INTERRUPTED : make(user);
        double took = clock_now() - begin.wall;
        if (!quiet_was_disturbed(&begin))
            quiet[quiet_count++] = took;
        shortest = fmin(shortest, took);
        total += took;
    }
    if (status == SPRY_OK)
        *seconds = quiet_count > 0 ? timing_spread(quiet, quiet_count).median : shortest;
    return status;
}

/* ---- conversions ---- */

struct conversion {
    spry_context *context;
    const spry_matrix *from;
    const spry_storage *storage;
    spry_op op;
    spry_matrix *to;
};

/* With what is left to the first product that scatters. */
static spry_status make(void *user) {
    struct conversion *conversion = user;
    spry_status status =
        spry_convert_to(conversion->context, conversion->from, conversion->storage, NULL, &conversion->to);
    return status ? status : spry_reserve(conversion->context, conversion->to, conversion->op);
}

static void unmake(void *user) {
    struct conversion *conversion = user;
    spry_matrix_destroy(conversion->to);
    conversion->to = NULL;
}

spry_status preparation_convert(spry_context *context, const spry_matrix *from, const spry_storage *storage,
                                spry_op op, spry_matrix **to, double *seconds) {
    struct conversion conversion = {context, from, storage, op, NULL};
    spry_status status = preparation_measure(make, unmake, &conversion, seconds);
    if (status)
        unmake(&conversion);
    *to = conversion.to;
    return status;
}
