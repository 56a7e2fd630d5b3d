/* SPDX-License-Identifier: BSD-3-Clause */
#include "measuring/rounds.h"

#include "common/clock.h"
#include "common/interrupt.h"
#include "measuring/quiet.h"

/* Long against what the clock and the first call take, short against what disturbs a machine. */
#define BATCH_SECONDS 1e-3

static spry_status find_batches(struct contender *contenders, int count, double seconds) {
    double batch = seconds / (ROUNDS_MOST * count);
    spry_status status = SPRY_OK;
    for (int i = 0; i < count && status == SPRY_OK; i++)
        status = timing_find_batch(contenders[i].call, contenders[i].user,
                                   batch < BATCH_SECONDS ? batch : BATCH_SECONDS, &contenders[i].batch);
    return status;
}

static spry_status take_turn(struct contender *contender, int round, double *spare) {
    const struct batch batch = {contender->call, contender->user, contender->batch, 1};
    bool disturbed;
    return interrupt_seen() ? INTERRUPTED : quiet_time(&batch, spare, &contender->sample[round], &disturbed);
}

spry_status rounds_measure(struct contender *contenders, int count, double seconds) {
    spry_status status = find_batches(contenders, count, seconds);
    double begin = clock_now(), spare = seconds;
    int round = 0;
    for (;
         status == SPRY_OK && round < ROUNDS_MOST && (round < ROUNDS_LEAST || clock_now() - begin < seconds);
         round++)
        for (int i = 0; i < count && status == SPRY_OK; i++)
            status = take_turn(&contenders[i], round, &spare);
    for (int i = 0; i < count && status == SPRY_OK; i++)
        contenders[i].seconds = timing_spread(contenders[i].sample, round).median;
    return status;
}
