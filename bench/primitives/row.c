/* SPDX-License-Identifier: BSD-3-Clause */
#include "primitives/row.h"

enum way {
    SUM,
    DOT,
    NORM2,
    MAX_ABS,
    INCLUSIVE,
    EXCLUSIVE,
    IN_PLACE,
    FEW_BINS,
    MANY_BINS,
    SCALE,
    AXPBY,
    AXPBY_DOT,
    WAYS
};

static const struct {
    const char *what;
    spry_primitive primitive;
    double arrays_moved;
    enum roof roof;
} ways[WAYS] = {
    [SUM] = {"sum", SPRY_REDUCE, 1, ROOF_READ},
    [DOT] = {"dot", SPRY_REDUCE, 2, ROOF_READ},
    [NORM2] = {"norm2", SPRY_REDUCE, 1, ROOF_READ},
    [MAX_ABS] = {"max_abs", SPRY_REDUCE, 1, ROOF_READ},
    [INCLUSIVE] = {"inclusive scan", SPRY_SCAN, 2, ROOF_COPY},
    [EXCLUSIVE] = {"exclusive scan", SPRY_SCAN, 2, ROOF_COPY},
    [IN_PLACE] = {"scan in place", SPRY_SCAN, 2, ROOF_UPDATE},
    [FEW_BINS] = {"histogram, 256 bins", SPRY_HISTOGRAM, 1, ROOF_READ},
    [MANY_BINS] = {"histogram, 65536 bins", SPRY_HISTOGRAM, 1, ROOF_READ},
    [SCALE] = {"axpby, beta = 0", SPRY_AXPBY, 2, ROOF_COPY},
    [AXPBY] = {"axpby", SPRY_AXPBY, 3, ROOF_TRIAD},
    [AXPBY_DOT] = {"axpby and dot", SPRY_AXPBY, 3, ROOF_TRIAD},
};

/* y = (x + y) / 2 stays as small as x is. */
static spry_status run(void *user) {
    const struct row *row = user;
    const struct primitive_arrays *a = row->arrays;
    switch (row->way) {
    case SUM:
        return spry_sum(row->context, a->number, a->n, a->x, a->result);
    case DOT:
        return spry_dot(row->context, a->number, a->n, a->x, a->w, a->result);
    case NORM2:
        return spry_norm2(row->context, a->number, a->n, a->x, a->result);
    case MAX_ABS:
        return spry_max_abs(row->context, a->number, a->n, a->x, a->result);
    case INCLUSIVE:
        return spry_scan(row->context, SPRY_INCLUSIVE, a->number, a->n, a->x, a->y);
    case EXCLUSIVE:
        return spry_scan(row->context, SPRY_EXCLUSIVE, a->number, a->n, a->x, a->y);
    case IN_PLACE:
        return spry_scan(row->context, SPRY_INCLUSIVE, a->number, a->n, a->zero, a->zero);
    case FEW_BINS:
        return spry_histogram(row->context, a->number, a->n, a->x, PRIMITIVE_FEW, a->result);
    case MANY_BINS:
        return spry_histogram(row->context, a->number, a->n, a->w, PRIMITIVE_MANY, a->result);
    case SCALE:
        return spry_axpby(row->context, a->number, a->n, 0.5, a->x, 0, a->y);
    case AXPBY:
        return spry_axpby(row->context, a->number, a->n, 0.5, a->x, 0.5, a->y);
    default:
        return spry_axpby_dot(row->context, a->number, a->n, 0.5, a->x, 0.5, a->y, a->y, a->result);
    }
}

/* The next row, with what it is held against; null when there are too many. */
static struct row *add(struct rows *rows, enum way way, const struct primitive_arrays *arrays,
                       const char *by) {
    if (rows->count == MOST_ROWS)
        return NULL;
    struct row *row = &rows->row[rows->count++];
    *row = (struct row){
        .what = ways[way].what,
        .by = by,
        .bytes = ways[way].arrays_moved * (double)arrays->n * (double)spry_number_size(arrays->number),
        .roof = ways[way].roof,
        .way = way,
        .arrays = arrays,
    };
    return row;
}

static void add_ways(struct rows *rows, const spry_algorithm_info *info,
                     const struct primitive_arrays *arrays, spry_context *context) {
    for (int way = 0; way < WAYS; way++) {
        if (ways[way].primitive != info->primitive || (way == NORM2 && info->number > SPRY_NUMBER_F64))
            continue;
        struct row *row = add(rows, (enum way)way, arrays, info->name);
        if (!row)
            return;
        row->context = context;
        row->call = run;
        row->user = row;
    }
}

static spry_status add_algorithm(struct rows *rows, const spry_algorithm *algorithm,
                                 const struct primitive_arrays *arrays, spry_context_options options) {
    spry_algorithm_info info = spry_algorithm_describe(algorithm);
    if (info.primitive == SPRY_GEMM || info.backend != options.backend || info.number != arrays->number ||
        rows->contexts == MOST_CONTEXTS)
        return SPRY_OK;
    options.algorithms = info.name;
    spry_context **context = &rows->context[rows->contexts];
    spry_status status = spry_context_create(context, &options);
    if (status != SPRY_OK)
        return status;
    rows->contexts++;
    if (spry_algorithm_runs(*context, algorithm))
        add_ways(rows, &info, arrays, *context);
    return SPRY_OK;
}

spry_status rows_add_library(struct rows *rows, const struct primitive_arrays *arrays,
                             const spry_context_options *options) {
    const spry_algorithm *algorithm;
    spry_status status = SPRY_OK;
    for (size_t i = 0; (algorithm = spry_algorithm_at(i)) && status == SPRY_OK; i++)
        status = add_algorithm(rows, algorithm, arrays, *options);
    return status;
}

/* ---- the other library's, and the machine's ---- */

static void add_peer(struct rows *rows, enum way way, const struct primitive_arrays *arrays, void *stream) {
    bool scan = ways[way].primitive == SPRY_SCAN;
    struct primitive_task task = {
        .primitive = ways[way].primitive,
        .kind = way == EXCLUSIVE ? SPRY_EXCLUSIVE : SPRY_INCLUSIVE,
        .number = arrays->number,
        .n = arrays->n,
        .bins = way == MANY_BINS ? PRIMITIVE_MANY : PRIMITIVE_FEW,
        .x = way == MANY_BINS ? arrays->w : arrays->x,
        .y = scan ? arrays->y : arrays->result,
        .stream = stream,
    };
    struct primitive_peer *peer = primitive_peer_open(&task);
    struct row *row = peer ? add(rows, way, arrays, "CUB") : NULL;
    if (!row) {
        primitive_peer_close(peer);
        return;
    }
    row->call = primitive_peer_run;
    row->user = row->peer = peer;
}

void rows_add_peer(struct rows *rows, const struct primitive_arrays *arrays, void *stream) {
    static const enum way theirs[] = {SUM, INCLUSIVE, EXCLUSIVE, FEW_BINS, MANY_BINS};
    for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++)
        add_peer(rows, theirs[i], arrays, stream);
}

void rows_add_roofs(struct rows *rows, struct roof_arrays *arrays) {
    for (int roof = 0; roof < ROOFS && rows->count < MOST_ROWS; roof++)
        rows->row[rows->count++] = (struct row){
            .what = roof_name((enum roof)roof),
            .by = "(memory)",
            .bytes = roof_arrays_moved((enum roof)roof) * (double)arrays->count * sizeof(double),
            .roof = (enum roof)roof,
            .call = roof_calls[roof],
            .user = arrays,
        };
}

void rows_close(struct rows *rows) {
    for (int r = 0; r < rows->count; r++)
        primitive_peer_close(rows->row[r].peer);
    for (int c = 0; c < rows->contexts; c++)
        spry_context_destroy(rows->context[c]);
    *rows = (struct rows){0};
}
