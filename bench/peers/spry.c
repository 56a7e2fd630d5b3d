/* SPDX-License-Identifier: BSD-3-Clause */
/* Spry's own formats, SELL with narrow columns, and what the library chooses, each with the kernel that it takes by itself. */
#include "peers/peer.h"

#include <stdlib.h>

struct product {
    spry_context *context;
    spry_matrix *a;
    spry_op op;
    const void *x;
    void *y;
};

/* What there is besides the formats. */
enum { NARROW = SPRY_FORMAT_COUNT, CHOICE };

static spry_status convert(spry_context *context, const spry_matrix *csr, int variant, spry_matrix **result) {
    const spry_storage narrow = {.format = SPRY_SELL, .columns = SPRY_COLUMNS_NARROW};
    if (variant == NARROW)
        return spry_convert_to(context, csr, &narrow, NULL, result);
    return spry_convert(context, csr, variant == CHOICE ? SPRY_AUTO : (spry_format)variant, NULL, result);
}

static void *make(const struct peer_problem *problem, const spry_matrix *csr, spry_op op, int variant) {
    struct product *p = malloc(sizeof *p);
    if (!p)
        return NULL;
    *p = (struct product){.context = problem->context, .op = op, .x = problem->x, .y = problem->y};
    if (convert(problem->context, csr, variant, &p->a) != SPRY_OK) {
        free(p);
        return NULL;
    }
    return p;
}

static void *create(const struct peer_problem *problem, int variant) {
    return make(problem, problem->csr, problem->product.op, variant);
}

/* For Aᵀ x: the transpose as a matrix of its own, which is multiplied with as it is. */
static void *create_transposed(const struct peer_problem *problem, int variant) {
    spry_matrix *transpose;
    if (spry_transpose(problem->context, problem->csr, &transpose) != SPRY_OK)
        return NULL;
    void *product = make(problem, transpose, SPRY_N, variant);
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

#define OWN(of_kind, number, title, what, made)                                                              \
    {                                                                                                        \
        .name = title, .call = "spry_spmv, " what, .kind = of_kind, .f32 = 1, .transposes = 1,               \
        .variant = number, .create = made, .multiply = multiply, .destroy = destroy,                         \
    }
#define ALL_OWN(PLAIN, suffix, of, made)                                                                     \
    {                                                                                                        \
        [NARROW] = OWN(PEER_SPRY, NARROW, "narrow" suffix, of "sell+narrow, columns of two bytes", made),    \
        [CHOICE] =                                                                                           \
            OWN(PEER_CHOICE, CHOICE, "auto" suffix, of "what SPRY_AUTO takes for many products", made),      \
        SPRY_FORMAT_LIST(PLAIN)                                                                              \
    }
#define AS_IT_IS(NAME, title, description)                                                                   \
    [SPRY_##NAME] = OWN(PEER_SPRY, SPRY_##NAME, #title, description, create),
#define TRANSPOSED "of spry_transpose: "
#define OF_TRANSPOSE(NAME, title, description)                                                               \
    [SPRY_##NAME] = OWN(PEER_SPRY, SPRY_##NAME, #title "-T", TRANSPOSED description, create_transposed),

const struct peer peer_spry[SPRY_PEER_COUNT] = ALL_OWN(AS_IT_IS, "", "", create);
const struct peer peer_spry_transposed[SPRY_PEER_COUNT] =
    ALL_OWN(OF_TRANSPOSE, "-T", TRANSPOSED, create_transposed);
