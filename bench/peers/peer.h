/* SPDX-License-Identifier: BSD-3-Clause */
/* What the comparison knows of another library: how to set up y = op(A) x, or Y = A X, and how to run it. */
#ifndef SPRY_PEERS_PEER_H
#define SPRY_PEERS_PEER_H

#include <spry/spry.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which product. */
struct peer_product {
    spry_value_type type; /* of the matrix and of both vectors */
    spry_op op;
};

/* A product y = op(A) x, or Y = A X in f64. The arrays belong to the comparison, lie where its context works and outlive
   what a peer makes of them. */
struct peer_problem {
    struct peer_product product;
    int32_t rows, cols;
    const int32_t *ptr; /* rows + 1, from 0 */
    const int32_t *idx; /* ptr[rows], rising within each row */
    const void *val;    /* ptr[rows] */
    const void *x;      /* cols (transposed: rows), or X: cols × columns; never changes */
    void *y;            /* rows (transposed: cols), or Y: rows × columns */
    int32_t columns;    /* of X and Y; 0: x and y are vectors */
    int by_rows;        /* 1: X and Y are row after row; 0: column after column */
    /* The same matrix as Spry has it, for Spry's own formats. */
    spry_context *context;
    const spry_matrix *csr;
};

enum peer_kind {
    PEER_SPRY,   /* one of Spry's formats */
    PEER_CHOICE, /* what Spry takes unasked */
    PEER_OPEN,   /* open source: counts for the best peer of a matrix */
    PEER_CLOSED  /* compared with on its own */
};

/* One way of one library to compute the product. Functions that return int return 0, or anything else when
   they fail. */
struct peer {
    const char *name; /* heading of its column, 10 characters at most */
    const char *call; /* what is timed */
    enum peer_kind kind;
    int one_thread; /* 1: the library has no threads for this and runs one, whatever was asked for */
    int f32;        /* 1: it has f32 too, not f64 alone */
    int transposes; /* 1: it has y = Aᵀ x too */
    int variant;    /* handed to create: which of the library's ways */
    void (*version)(int version[3]);
    int (*start)(int threads); /* once in a process, before create; null: nothing to do */
    void (*stop)(void);        /* once, after all else; null: nothing to do */
    /* Take over a problem, with all the preparation that the library offers; null on failure. */
    void *(*create)(const struct peer_problem *problem, int variant);
    int (*multiply)(void *product);
    int (*fetch)(void *product); /* bring the result to the problem's y; null: it is there */
    void (*destroy)(void *product);
};

static inline int32_t peer_x_length(const struct peer_problem *problem) {
    return problem->product.op == SPRY_T ? problem->rows : problem->cols;
}

static inline int32_t peer_y_length(const struct peer_problem *problem) {
    return problem->product.op == SPRY_T ? problem->cols : problem->rows;
}

/* Whether it is one of Spry's own. */
static inline int peer_is_spry(const struct peer *peer) {
    return peer->kind == PEER_SPRY || peer->kind == PEER_CHOICE;
}

/* Spry's formats, in the order of its list, SELL with narrow columns, and last the library's choice. */
#define SPRY_PEER_COUNT (SPRY_FORMAT_COUNT + 2)
extern const struct peer peer_spry[SPRY_PEER_COUNT];
/* The same of the transpose, made once: for y = Aᵀ x. */
extern const struct peer peer_spry_transposed[SPRY_PEER_COUNT];

/* Number i of the peers that spcompare knows: its name, and in *peer what it is, null when spcompare was
   built without it. A null name past the last. */
const char *peer_at(int i, const struct peer **peer);

#ifdef __cplusplus
}
#endif

#endif
