/* SPDX-License-Identifier: BSD-3-Clause */
#include "peers/contest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/progress.h"
#include "common/vector.h"
#include "measuring/exact.h"
#include "measuring/quiet.h"

/* Seconds that no call is shorter than, so that the calls in a block stay countable. */
#define SHORTEST 1e-8

/* One peer with its matrix, ready to multiply. */
struct runner {
    const struct peer *peer;
    struct outcome *outcome;
    void *product;
    double fastest; /* seconds of one call, as far as known */
    double sample[ROUNDS_MAX];
};

static void fail(struct outcome *outcome, enum outcome_status status, const char *message) {
    outcome->status = status;
    snprintf(outcome->message, sizeof outcome->message, "%s", message);
}

/* A timed_call. */
static spry_status multiply(void *user) {
    const struct runner *runner = user;
    return runner->peer->multiply(runner->product) ? SPRY_ERROR_UNSUPPORTED : SPRY_OK;
}

static bool prepare(struct runner *runner, const struct peer_problem *problem) {
    const struct peer *peer = runner->peer;
    double start = clock_now();
    runner->product = peer->create(problem, peer->variant);
    runner->outcome->prepare = clock_now() - start;
    if (!runner->product)
        fail(runner->outcome, OUTCOME_FAILED,
             peer->kind == PEER_SPRY ? spry_message(problem->context) : "could not take the matrix");
    return runner->product != NULL;
}

static bool check(struct runner *runner, const struct peer_problem *problem, const struct exact *exact) {
    const struct peer *peer = runner->peer;
    struct outcome *outcome = runner->outcome;
    vector_poison(SPRY_F64, problem->y, problem->rows);
    double first;
    if (timing_batch(multiply, runner, 1, &first) != SPRY_OK ||
        (peer->fetch && peer->fetch(runner->product))) {
        fail(outcome, OUTCOME_FAILED, "the product failed");
        return false;
    }
    runner->fastest = fmax(first, SHORTEST);
    outcome->error = exact_error(exact, problem->y);
    if (!(outcome->error <= exact_tolerance(exact)))
        fail(outcome, OUTCOME_WRONG, "the result is wrong");
    return true;
}

/* Seconds of one call, over a block of them; negative when one failed. */
static double time_block(struct runner *runner, double block) {
    long calls = (long)(block / runner->fastest) + 1;
    const struct batch batch = {multiply, runner, calls, calls / 5 + 1};
    double seconds, spare = QUIET_ATTEMPTS * block;
    bool disturbed;
    if (quiet_time(&batch, &spare, &seconds, &disturbed) != SPRY_OK)
        return -1.0;
    runner->fastest = fmin(runner->fastest, fmax(seconds, SHORTEST));
    return seconds;
}

/* Each round times a block of everyone, from another one on, so that neither a slow moment of the machine nor
   who came before favours anyone. The first, which is not kept, finds out how many calls fill a block. */
static void run_rounds(struct runner *runners, int count, const struct rules *rules) {
    for (int round = -1; round < rules->rounds; round++) {
        for (int i = 0; i < count; i++) {
            struct runner *runner = &runners[(i + round + 1) % count];
            runner->sample[round < 0 ? 0 : round] = time_block(runner, rules->block);
        }
    }
    for (int i = 0; i < count; i++) {
        double *sample = runners[i].sample;
        struct outcome *outcome = runners[i].outcome;
        outcome->time = timing_spread(sample, rules->rounds);
        if (outcome->time.min < 0.0)
            fail(outcome, OUTCOME_FAILED, "the product failed");
        outcome->quartiles =
            (sample[rules->rounds * 3 / 4] - sample[rules->rounds / 4]) / outcome->time.median;
    }
}

static void run_all(const struct peer_problem *problem, const struct lineup *lineup,
                    const struct exact *exact, const struct rules *rules, struct contest *contest) {
    struct runner runners[LINEUP_MAX];
    int count = 0;
    for (int i = 0; i < lineup->count; i++) {
        struct runner *runner = &runners[count];
        *runner = (struct runner){.peer = lineup->peer[i], .outcome = &contest->outcome[i]};
        progress_show("%s: preparing %s", contest->name, runner->peer->name);
        if (!prepare(runner, problem))
            continue;
        if (check(runner, problem, exact))
            count++;
        else
            runner->peer->destroy(runner->product);
    }
    progress_show("%s: %d rounds", contest->name, rules->rounds);
    run_rounds(runners, count, rules);
    for (int i = 0; i < count; i++)
        runners[i].peer->destroy(runners[i].product);
}

spry_status contest_run(spry_context *context, const spry_matrix *csr, const struct lineup *lineup,
                        const struct rules *rules, struct contest *contest) {
    const spry_csr *arrays = spry_matrix_csr(csr);
    int threads = spry_context_threads(context);
    int64_t rows = spry_matrix_rows(csr), cols = spry_matrix_cols(csr);
    double *x = vector_new(SPRY_F64, cols, threads), *y = vector_new(SPRY_F64, rows, threads);
    struct exact exact = {0};
    spry_status status = SPRY_ERROR_MEMORY;

    contest->rows = rows;
    contest->cols = cols;
    contest->nnz = spry_matrix_nnz(csr);
    if (x && y) {
        vector_randomise(SPRY_F64, x, cols);
        status = exact_product(csr, SPRY_N, x, threads, &exact);
    }
    if (status == SPRY_OK) {
        struct peer_problem problem = {
            (int32_t)rows, (int32_t)cols, arrays->ptr, arrays->idx, arrays->val, x, y, context, csr};
        run_all(&problem, lineup, &exact, rules, contest);
    }
    exact_free(&exact);
    free(x);
    free(y);
    return status;
}

int contest_best(const struct contest *contest, const struct lineup *lineup, enum peer_kind kind) {
    int best = -1;
    for (int i = 0; i < lineup->count; i++) {
        const struct outcome *outcome = contest->outcome;
        if (lineup->peer[i]->kind == kind && outcome[i].status == OUTCOME_OK &&
            (best < 0 || outcome[i].time.median < outcome[best].time.median))
            best = i;
    }
    return best;
}
