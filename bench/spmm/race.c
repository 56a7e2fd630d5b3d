/* SPDX-License-Identifier: BSD-3-Clause */
#include "spmm/race.h"

#include <math.h>

#include "common/complain.h"
#include "measuring/rounds.h"

/* Time of one turn. */
#define TURN_SECONDS 0.01

#define MOST_WAYS (ORDERS * (PEERS_MOST + RACE_MATRICES) + RACE_MATRICES)

/* One way to compute Y. */
struct way {
    const struct operands *operands;
    const spry_matrix *matrix; /* Spry's; null: a peer's */
    const struct peer *peer;
    void *product; /* the peer's */
    enum order order;
    bool vector;     /* Spry's product with one vector */
    double *seconds; /* of Spry's: where its time goes */
};

struct race {
    const struct operands *operands;
    struct way way[MOST_WAYS];
    int count;
};

static spry_status multiply(void *user) {
    const struct way *way = user;
    const spry_view x = operands_x(way->operands, way->order), y = operands_y(way->operands, way->order);
    return spry_spmm(way->operands->place->context, SPRY_N, 1.0, way->matrix, &x, 0.0, &y);
}

static spry_status multiply_vector(void *user) {
    const struct way *way = user;
    return spry_spmv(way->operands->place->context, SPRY_N, 1.0, way->matrix, way->operands->x[way->order],
                     0.0, way->operands->y[way->order]);
}

static spry_status multiply_peer(void *user) {
    const struct way *way = user;
    return way->peer->multiply(way->product) == 0 ? SPRY_OK : SPRY_ERROR_UNSUPPORTED;
}

static timed_call *call_of(const struct way *way) {
    return way->peer ? multiply_peer : way->vector ? multiply_vector : multiply;
}

/* ---- who takes part ---- */

static void add(struct race *race, struct way way) {
    way.operands = race->operands;
    race->way[race->count++] = way;
}

static void add_spry(struct race *race, const spry_matrix *matrix, double seconds[ORDERS], double *vector) {
    for (int order = 0; order < ORDERS; order++)
        add(race, (struct way){.matrix = matrix, .order = (enum order)order, .seconds = &seconds[order]});
    if (race->operands->columns == 1)
        add(race, (struct way){.matrix = matrix, .vector = true, .seconds = vector});
}

/* One that refuses the matrix, the order or the number of columns takes no part. */
static void add_peer(struct race *race, const struct peer *peer, const spry_matrix *csr, enum order order) {
    const struct operands *operands = race->operands;
    const spry_csr *arrays = spry_matrix_csr(csr);
    const struct peer_problem problem = {
        .product = {SPRY_F64, SPRY_N},
        .rows = (int32_t)spry_matrix_rows(csr),
        .cols = (int32_t)spry_matrix_cols(csr),
        .ptr = arrays->ptr,
        .idx = arrays->idx,
        .val = arrays->val,
        .x = operands->x[order],
        .y = operands->y[order],
        .columns = operands->columns,
        .by_rows = order == BY_ROWS,
        .context = operands->place->context,
        .csr = csr,
    };
    void *product = peer->create(&problem, peer->variant);
    if (product)
        add(race, (struct way){.peer = peer, .product = product, .order = order});
}

static void explain(const struct way *way, const char *why) {
    complain("%s, %d columns: %s", way->peer ? way->peer->call : "Spry's product", way->operands->columns,
             why);
}

/* A peer that fails or is wrong is taken out. */
static spry_status check(struct race *race, struct result *result) {
    int kept = 0;
    spry_status status = SPRY_OK;
    for (int i = 0; i < race->count; i++) {
        struct way way = race->way[i];
        bool right = false;
        spry_status checked = operands_check(race->operands, way.order, call_of(&way), &way, &right);
        if (right) {
            race->way[kept++] = way;
            continue;
        }
        explain(&way, checked == SPRY_OK ? "the result is wrong" : spry_status_string(checked));
        if (way.peer) {
            way.peer->destroy(way.product);
            continue;
        }
        result->right = false;
        status = checked == SPRY_OK ? status : checked;
    }
    race->count = kept;
    return status;
}

/* ---- time ---- */

static void note(const struct way *way, double seconds, struct result *result) {
    if (!way->peer) {
        *way->seconds = seconds;
    } else if (!(result->best_peer <= seconds)) {
        result->best_peer = seconds;
        result->peer = way->peer;
        result->peer_order = way->order;
    }
}

/* A peer that cannot be timed, as a GPU's may be in a graph, does not count. */
static spry_status measure(struct race *race, int count, struct result *result) {
    struct contender contenders[MOST_WAYS];
    struct place *place = race->operands->place;
    const struct rounds rounds = {.least = count, .most = count, .batch = TURN_SECONDS};
    spry_status status = SPRY_OK;
    for (int i = 0; i < race->count; i++)
        contenders[i] = (struct contender){.call = call_of(&race->way[i]), .user = &race->way[i]};
    (void)rounds_measure(place, contenders, race->count, &rounds);
    for (int i = 0; i < race->count; i++) {
        const struct way *way = &race->way[i];
        if (contenders[i].status == SPRY_OK)
            note(way, contenders[i].time.median, result);
        else if (way->peer)
            explain(way, place_failure(place, contenders[i].status));
        else
            status = contenders[i].status;
    }
    if (status == SPRY_OK)
        place->message[0] = '\0';
    return status;
}

spry_status race_run(const struct operands *operands, spry_matrix *const *matrix, int matrices,
                     const spry_matrix *csr, const struct peers *peers, int rounds, struct result *result) {
    struct race race = {.operands = operands};
    *result = (struct result){.right = true, .best_peer = NAN};
    for (int i = 0; i < matrices; i++) {
        result->spry[i][BY_ROWS] = result->spry[i][BY_COLUMNS] = result->vector[i] = NAN;
        if (matrix[i])
            add_spry(&race, matrix[i], result->spry[i], &result->vector[i]);
    }
    for (int i = 0; i < peers->count; i++)
        for (int order = 0; order < ORDERS; order++)
            add_peer(&race, peers->peer[i], csr, (enum order)order);
    spry_status status = check(&race, result);
    if (status == SPRY_OK && result->right)
        status = measure(&race, rounds, result);
    for (int i = 0; i < race.count; i++)
        if (race.way[i].peer)
            race.way[i].peer->destroy(race.way[i].product);
    return status;
}
