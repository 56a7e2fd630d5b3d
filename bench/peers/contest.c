/* SPDX-License-Identifier: BSD-3-Clause */
#include "peers/contest.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/progress.h"
#include "common/vector.h"
#include "measuring/exact.h"
#include "measuring/rounds.h"

/* One peer with its matrix, ready to multiply. */
struct runner {
    const struct peer *peer;
    struct outcome *outcome;
    void *product;
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
             peer_is_spry(peer) ? spry_message(problem->context) : "could not take the matrix");
    return runner->product != NULL;
}

static bool check(struct runner *runner, const struct peer_problem *problem, const struct exact *exact) {
    const struct peer *peer = runner->peer;
    struct outcome *outcome = runner->outcome;
    vector_poison(problem->product.type, problem->y, peer_y_length(problem));
    if (multiply(runner) != SPRY_OK || (peer->fetch && peer->fetch(runner->product))) {
        fail(outcome, OUTCOME_FAILED, "the product failed");
        return false;
    }
    outcome->error = exact_error(exact, problem->y);
    if (!(outcome->error <= exact_tolerance(exact)))
        fail(outcome, OUTCOME_WRONG, "the result is wrong");
    return true;
}

/* All side by side. */
static void run_rounds(const struct runner *runners, int count, const struct rules *rules) {
    struct contender contenders[LINEUP_MAX];
    for (int i = 0; i < count; i++)
        contenders[i] = (struct contender){.call = multiply, .user = (void *)(uintptr_t)&runners[i]};
    (void)rounds_measure(
        NULL, contenders, count,
        &(struct rounds){.least = rules->rounds, .most = rules->rounds, .batch = rules->block});
    for (int i = 0; i < count; i++) {
        struct outcome *outcome = runners[i].outcome;
        if (contenders[i].status != SPRY_OK) {
            fail(outcome, OUTCOME_FAILED, "the product failed");
            continue;
        }
        outcome->time = contenders[i].time;
        outcome->quartiles = (outcome->time.q3 - outcome->time.q1) / outcome->time.median;
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

/* With vectors of the problem's lengths. */
static spry_status run_product(struct peer_problem *problem, const struct lineup *lineup,
                               const struct rules *rules, struct contest *contest) {
    const spry_value_type type = problem->product.type;
    void *x = vector_new(type, peer_x_length(problem), problem->context),
         *y = vector_new(type, peer_y_length(problem), problem->context);
    struct exact exact = {0};
    spry_status status = SPRY_ERROR_MEMORY;
    if (x && y) {
        vector_randomise(type, x, peer_x_length(problem));
        status = exact_product(problem->context, problem->csr, problem->product.op, x, &exact);
    }
    if (status == SPRY_OK) {
        problem->x = x;
        problem->y = y;
        run_all(problem, lineup, &exact, rules, contest);
    }
    exact_free(&exact);
    free(x);
    free(y);
    return status;
}

spry_status contest_run(spry_context *context, const spry_matrix *csr, spry_op op,
                        const struct lineup *lineup, const struct rules *rules, struct contest *contest) {
    const spry_csr *arrays = spry_matrix_csr(csr);
    contest->rows = spry_matrix_rows(csr);
    contest->cols = spry_matrix_cols(csr);
    contest->nnz = spry_matrix_nnz(csr);
    struct peer_problem problem = {
        .product = {spry_matrix_type(csr), op},
        .rows = (int32_t)contest->rows,
        .cols = (int32_t)contest->cols,
        .ptr = arrays->ptr,
        .idx = arrays->idx,
        .val = arrays->val,
        .context = context,
        .csr = csr,
    };
    return run_product(&problem, lineup, rules, contest);
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
