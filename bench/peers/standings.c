/* SPDX-License-Identifier: BSD-3-Clause */
#include "peers/standings.h"

#include <math.h>
#include <stdlib.h>

static int csr_of(const struct contest *contest, const struct lineup *lineup) {
    for (int i = 0; i < lineup->count; i++)
        if (lineup->peer[i] == &peer_spry[SPRY_CSR] && contest->outcome[i].status == OUTCOME_OK)
            return i;
    return -1;
}

/* Take in one matrix; `mean` is a sum of logarithms until ratios_close. */
static void ratios_add(struct ratios *ratios, const struct contest *contest, int spry, int other) {
    if (spry < 0 || other < 0 || contest->outcome[other].status != OUTCOME_OK)
        return;
    double ratio = contest->outcome[other].time.median / contest->outcome[spry].time.median;
    if (ratios->count == 0 || ratio < ratios->least) {
        ratios->least = ratio;
        ratios->least_at = contest->name;
    }
    if (ratios->count == 0 || ratio > ratios->most)
        ratios->most = ratio;
    ratios->mean += log(ratio);
    ratios->count++;
}

static void ratios_close(struct ratios *ratios) {
    if (ratios->count > 0)
        ratios->mean = exp(ratios->mean / ratios->count);
}

/* Places of Spry in the lineup. */
struct places {
    int csr, best, choice;
};

static void standing_add(struct standing *standing, const struct contest *contest, const struct places *spry,
                         int other) {
    ratios_add(&standing->csr, contest, spry->csr, other);
    ratios_add(&standing->best, contest, spry->best, other);
    ratios_add(&standing->choice, contest, spry->choice, other);
}

static void take_in(struct standings *standings, const struct contest *contest, const struct lineup *lineup) {
    const int best = contest_best(contest, lineup, PEER_SPRY);
    const struct places spry = {csr_of(contest, lineup), best, contest_best(contest, lineup, PEER_CHOICE)};
    int row = 0;
    standing_add(&standings->row[row++], contest, &spry, contest_best(contest, lineup, PEER_OPEN));
    for (int i = 0; i < lineup->count; i++)
        if (!peer_is_spry(lineup->peer[i]))
            standing_add(&standings->row[row++], contest, &spry, i);
    if (best >= 0)
        standings->fastest[best]++;
    standings->matrices++;
}

static spry_status typical_quartiles(const struct contest *contests, int count, const struct lineup *lineup,
                                     double *typical) {
    int samples = 0;
    double *sample = malloc(((size_t)count * LINEUP_MAX + 1) * sizeof *sample);
    if (!sample)
        return SPRY_ERROR_MEMORY;
    for (int i = 0; i < count; i++)
        for (int j = 0; contests[i].counted && j < lineup->count; j++)
            if (contests[i].outcome[j].status == OUTCOME_OK)
                sample[samples++] = contests[i].outcome[j].quartiles;
    if (samples > 0)
        *typical = timing_spread(sample, samples).median;
    free(sample);
    return SPRY_OK;
}

spry_status standings_make(const struct contest *contests, int count, const struct lineup *lineup,
                           struct standings *standings) {
    *standings = (struct standings){.rows = 1, .row[0].against = "best open"};
    for (int i = 0; i < lineup->count; i++)
        if (!peer_is_spry(lineup->peer[i]))
            standings->row[standings->rows++].against = lineup->peer[i]->name;
    for (int i = 0; i < count; i++)
        if (contests[i].counted)
            take_in(standings, &contests[i], lineup);
    for (int i = 0; i < standings->rows; i++) {
        ratios_close(&standings->row[i].csr);
        ratios_close(&standings->row[i].best);
        ratios_close(&standings->row[i].choice);
    }
    return typical_quartiles(contests, count, lineup, &standings->quartiles);
}
