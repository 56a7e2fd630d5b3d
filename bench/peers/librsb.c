/* SPDX-License-Identifier: BSD-3-Clause */
/* librsb: rsb_spmv on a matrix whose recursive blocking rsb_tune_spmm has chosen. */
#include "peers/peer.h"

#include <rsb.h>
#include <stdlib.h>

struct product {
    struct rsb_mtx_t *a;
    rsb_trans_t op;
    const void *one, *zero; /* of the matrix's type */
    const void *x;
    void *y;
};

static const float one_f32 = 1.0f, zero_f32 = 0.0f;
static const double one_f64 = 1.0, zero_f64 = 0.0;

static void version(int v[3]) {
    v[0] = RSB_LIBRSB_VER_MAJOR;
    v[1] = RSB_LIBRSB_VER_MINOR;
    v[2] = RSB_LIBRSB_VER_PATCH;
}

static int start(int threads) {
    rsb_int_t wanted = threads;
    return rsb_lib_init(RSB_NULL_INIT_OPTIONS) != RSB_ERR_NO_ERROR ||
           rsb_lib_set_opt(RSB_IO_WANT_EXECUTING_THREADS, &wanted) != RSB_ERR_NO_ERROR;
}

static void stop(void) {
    rsb_lib_exit(RSB_NULL_EXIT_OPTIONS);
}

static void destroy(void *product) {
    struct product *p = product;
    rsb_mtx_free(p->a);
    free(p);
}

static void *create(const struct peer_problem *problem, int variant) {
    (void)variant;
    const int automatic = 0;
    rsb_err_t error = RSB_ERR_NO_ERROR;
    struct product *p = malloc(sizeof *p);
    if (!p)
        return NULL;
    const int narrow = problem->product.type == SPRY_F32;
    *p = (struct product){
        .op = problem->product.op == SPRY_T ? RSB_TRANSPOSITION_T : RSB_TRANSPOSITION_N,
        .one = narrow ? (const void *)&one_f32 : &one_f64,
        .zero = narrow ? (const void *)&zero_f32 : &zero_f64,
        .x = problem->x,
        .y = problem->y,
    };
    p->a = rsb_mtx_alloc_from_csr_const(problem->val, problem->ptr, problem->idx, problem->ptr[problem->rows],
                                        narrow ? RSB_NUMERICAL_TYPE_FLOAT : RSB_NUMERICAL_TYPE_DOUBLE,
                                        problem->rows, problem->cols, 1, 1, RSB_FLAG_DEFAULT_RSB_MATRIX_FLAGS,
                                        &error);
    if (p->a)
        error = rsb_tune_spmm(&p->a, NULL, NULL, automatic, automatic, p->op, p->one, NULL, 1,
                              RSB_FLAG_WANT_COLUMN_MAJOR_ORDER, p->x, 0, p->zero, p->y, 0);
    if (!p->a || error != RSB_ERR_NO_ERROR) {
        destroy(p);
        return NULL;
    }
    return p;
}

static int multiply(void *product) {
    const struct product *p = product;
    return rsb_spmv(p->op, p->one, p->a, p->x, 1, p->zero, p->y, 1) != RSB_ERR_NO_ERROR;
}

const struct peer peer_librsb = {
    .name = "librsb",
    .call = "rsb_spmv after rsb_tune_spmm",
    .kind = PEER_OPEN,
    .f32 = 1,
    .transposes = 1,
    .version = version,
    .start = start,
    .stop = stop,
    .create = create,
    .multiply = multiply,
    .destroy = destroy,
};
