/* SPDX-License-Identifier: BSD-3-Clause */
#include "measuring/rounds.h"

#include <math.h>

#include "common/clock.h"
#include "common/interrupt.h"
#include "measuring/quiet.h"

/* What may be spent on repeating batches, as a multiple of what the batches themselves are to take. */
#define SPARE 2.0
/* Calls before a turn take so many seconds, and at least this part of the turn's. A branch predictor needs some repetitions to
   know how long each of ten thousand rows is, and has forgotten it when other kernels have had their turns. */
#define WARM_SECONDS 1e-3
#define WARM_PART 5

/* A measurement that goes on. */
struct race {
    struct place *place;
    struct contender *contenders;
    int count;
    const struct rounds *rounds;
    double spare; /* seconds that repeating batches may still take */
};

static bool by_events(const struct place *place) {
    return place && place->backend != SPRY_CPU;
}

static struct batch batch_of(const struct race *race, const struct contender *contender) {
    return (struct batch){
        .call = contender->call,
        .user = contender->user,
        .context = contender->context,
        .calls = contender->batch,
        .warm = race->count > 1 ? contender->warm : 0,
    };
}

static void find_batch(const struct race *race, struct contender *contender) {
    contender->status = SPRY_OK;
    contender->batch = contender->warm = 1;
    contender->samples = contender->quiet = 0;
    contender->is_behind = false;
    if (race->rounds->batch > 0 && !by_events(race->place)) {
        struct batch batch = batch_of(race, contender);
        double took = 0.0;
        contender->status = quiet_find_batch(&batch, race->rounds->batch, &took);
        contender->batch = batch.calls;
        if (took > 0.0)
            contender->warm = (long)((double)batch.calls * fmax(WARM_SECONDS / took, 1.0 / WARM_PART)) + 1;
    }
}

static void keep(struct contender *contender, double sample, bool disturbed) {
    contender->sample[contender->samples++] = sample;
    if (disturbed)
        return;
    double *first_disturbed = &contender->sample[contender->quiet++];
    contender->sample[contender->samples - 1] = *first_disturbed;
    *first_disturbed = sample;
}

static void take_turn(struct race *race, struct contender *contender) {
    const struct batch batch = batch_of(race, contender);
    struct spread warm, cold;
    double seconds = 0.0;
    bool disturbed = false;
    if (by_events(race->place)) {
        contender->status = race->place->time(race->place, contender->call, contender->user,
                                              race->rounds->batch, &warm, &cold);
        seconds = warm.median;
    } else {
        contender->status = quiet_time(&batch, &race->spare, &seconds, &disturbed);
    }
    if (contender->status == SPRY_OK)
        keep(contender, seconds, disturbed);
}

/* What was disturbed is no time of the call: it counts only where there is too little else. */
static void sum_up(struct contender *contender) {
    bool enough = contender->quiet >= TIMING_ENOUGH;
    contender->time = timing_spread(contender->sample, enough ? contender->quiet : contender->samples);
    contender->time.batches = contender->samples;
    contender->time.disturbed = contender->samples - contender->quiet;
}

static spry_status finish(const struct race *race) {
    spry_status status = interrupt_seen() ? INTERRUPTED : SPRY_OK;
    for (int i = 0; i < race->count && !interrupt_seen(); i++) {
        struct contender *contender = &race->contenders[i];
        if (contender->status == SPRY_OK)
            sum_up(contender);
        else if (status == SPRY_OK)
            status = contender->status;
    }
    return status;
}

/* When each has had its first turn. */
static void leave_behind(struct race *race) {
    double fastest = INFINITY;
    for (int i = 0; i < race->count; i++)
        if (race->contenders[i].samples > 0)
            fastest = fmin(fastest, race->contenders[i].sample[0]);
    for (int i = 0; i < race->count; i++)
        race->contenders[i].is_behind =
            race->contenders[i].samples > 0 && race->contenders[i].sample[0] > race->rounds->behind * fastest;
}

spry_status rounds_measure(struct place *place, struct contender *contenders, int count,
                           const struct rounds *rounds) {
    double planned = fmax(rounds->seconds, rounds->batch * rounds->least * count);
    struct race race = {place, contenders, count, rounds, SPARE * planned};
    for (int i = 0; i < count && !interrupt_seen(); i++)
        find_batch(&race, &contenders[i]);
    double begin = clock_now();
    for (int round = 0; round < rounds->most && !interrupt_seen(); round++) {
        double repeating = SPARE * planned - race.spare;
        if (round >= rounds->least && clock_now() - begin - repeating >= rounds->seconds)
            break;
        for (int i = 0; i < count && !interrupt_seen(); i++) {
            struct contender *contender = &contenders[(i + round) % count];
            if (contender->status == SPRY_OK && !contender->is_behind)
                take_turn(&race, contender);
        }
        if (round == 0 && rounds->behind > 0)
            leave_behind(&race);
    }
    return finish(&race);
}
