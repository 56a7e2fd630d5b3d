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

static void *create(const struct peer_problem *problem, int format) {
    struct product *p = malloc(sizeof *p);
    if (!p)
        return NULL;
    *p = (struct product){
        .context = problem->context, .op = problem->product.op, .x = problem->x, .y = problem->y};
    if (spry_convert(problem->context, problem->csr, (spry_format)format, NULL, &p->a) != SPRY_OK) {
        free(p);
        return NULL;
    }
    return p;
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

#define SPRY_PEER(NAME, title, description)                                                                  \
    {                                                                                                        \
        .name = #title,                                                                                      \
        .call = "spry_spmv, " description,                                                                   \
        .kind = PEER_SPRY,                                                                                   \
        .f32 = 1,                                                                                            \
        .transposes = 1,                                                                                     \
        .variant = SPRY_##NAME,                                                                              \
        .create = create,                                                                                    \
        .multiply = multiply,                                                                                \
        .destroy = destroy,                                                                                  \
    },

const struct peer peer_spry[SPRY_FORMAT_COUNT] = {SPRY_FORMAT_LIST(SPRY_PEER)};
