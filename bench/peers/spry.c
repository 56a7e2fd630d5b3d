/* SPDX-License-Identifier: BSD-3-Clause */
/* Spry's own formats, each with the kernel that it takes by itself. */
#include "peers/peer.h"

#include <stdlib.h>

struct product {
    spry_context *context;
    spry_matrix *a;
    spry_op op;
    const void *x;
    void *y;
};

static void *make(const struct peer_problem *problem, const spry_matrix *csr, spry_op op, int format) {
    struct product *p = malloc(sizeof *p);
    if (!p)
        return NULL;
    *p = (struct product){.context = problem->context, .op = op, .x = problem->x, .y = problem->y};
    if (spry_convert(problem->context, csr, (spry_format)format, NULL, &p->a) != SPRY_OK) {
        free(p);
        return NULL;
    }
    return p;
}

static void *create(const struct peer_problem *problem, int format) {
    return make(problem, problem->csr, problem->product.op, format);
}

/* For Aᵀ x: the transpose as a matrix of its own, which is multiplied with as it is. */
static void *create_transposed(const struct peer_problem *problem, int format) {
    spry_matrix *transpose;
    if (spry_transpose(problem->context, problem->csr, &transpose) != SPRY_OK)
        return NULL;
    void *product = make(problem, transpose, SPRY_N, format);
    spry_matrix_destroy(transpose);
    return product;
}

static int multiply(void *product) {
    const struct product *p = product;
    return spry_spmv(p->context, p->op, 1.0, p->a, p->x, 0.0, p->y) != SPRY_OK;
}

static void destroy(void *product) {
    struct product *p = product;
    spry_matrix_destroy(p->a);
    free(p);
}

#define SPRY_PEER_AS(NAME, title, what, made)                                                                \
    {                                                                                                        \
        .name = title,                                                                                       \
        .call = "spry_spmv, " what,                                                                          \
        .kind = PEER_SPRY,                                                                                   \
        .f32 = 1,                                                                                            \
        .transposes = 1,                                                                                     \
        .variant = SPRY_##NAME,                                                                              \
        .create = made,                                                                                      \
        .multiply = multiply,                                                                                \
        .destroy = destroy,                                                                                  \
    },
#define SPRY_PEER(NAME, title, description) SPRY_PEER_AS(NAME, #title, description, create)
#define SPRY_PEER_TRANSPOSED(NAME, title, description)                                                       \
    SPRY_PEER_AS(NAME, #title "-T", "of spry_transpose: " description, create_transposed)

const struct peer peer_spry[SPRY_FORMAT_COUNT] = {SPRY_FORMAT_LIST(SPRY_PEER)};
const struct peer peer_spry_transposed[SPRY_FORMAT_COUNT] = {SPRY_FORMAT_LIST(SPRY_PEER_TRANSPOSED)};
