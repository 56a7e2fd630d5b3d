/* SPDX-License-Identifier: BSD-3-Clause */
/* What was promised, and the copies that are kept by it. Products hold the lock as readers, so that what they multiply by
   stays. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "sparse.h"

struct kept {
    struct sparse a;
    spry_matrix *matrix; /* op(a) */
};

/* Products of several threads may overlap all the time, and glibc's usual lock lets no writer in between. With this one
   products wait for a writer that waits, so no thread may take the lock again that it has as a reader. */
#ifdef PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP
static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
#else
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
#endif
static struct kept kept[SPRY_MKL_MOST];
static int kept_count;
static const void **promised;
static size_t promised_count;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool all_promised;
static atomic_bool any_promised; /* so that programs without promises take no lock */

static void ask_environment(void) {
    const char *text = getenv("SPRY_MKL_KEEP");
    all_promised = text && *text && strcmp(text, "0") != 0;
    if (all_promised)
        atomic_store(&any_promised, true);
}

static bool is_promised(const void *val) {
    for (size_t i = 0; i < promised_count; i++)
        if (promised[i] == val)
            return true;
    return all_promised;
}

static bool same(const struct sparse *a, const struct sparse *b) {
    return a->val == b->val && a->idx == b->idx && a->begin == b->begin && a->end == b->end &&
           a->rows == b->rows && a->cols == b->cols && a->base == b->base && a->type == b->type &&
           a->kind == b->kind && a->lower == b->lower && a->unit == b->unit && a->transposed == b->transposed;
}

static const spry_matrix *find(const struct sparse *a) {
    for (int i = 0; i < kept_count; i++)
        if (same(&kept[i].a, a))
            return kept[i].matrix;
    return NULL;
}

int spry_mkl_promise(const void *val) {
    pthread_rwlock_wrlock(&lock);
    const void **more = realloc(promised, (promised_count + 1) * sizeof *promised);
    if (more) {
        promised = more;
        promised[promised_count++] = val;
        atomic_store(&any_promised, true);
    }
    pthread_rwlock_unlock(&lock);
    return more ? 0 : 1;
}

void spry_mkl_forget(const void *val) {
    pthread_once(&once, ask_environment);
    pthread_rwlock_wrlock(&lock);
    size_t left = 0;
    for (size_t i = 0; i < promised_count; i++)
        if (val && promised[i] != val)
            promised[left++] = promised[i];
    promised_count = left;
    int still = 0;
    for (int i = 0; i < kept_count; i++)
        if (val && kept[i].a.val != val)
            kept[still++] = kept[i];
        else
            spry_matrix_destroy(kept[i].matrix);
    kept_count = still;
    if (left == 0) {
        free(promised);
        promised = NULL;
        atomic_store(&any_promised, all_promised);
    }
    pthread_rwlock_unlock(&lock);
}

int spry_mkl_kept(void) {
    pthread_rwlock_rdlock(&lock);
    const int count = kept_count;
    pthread_rwlock_unlock(&lock);
    return count;
}

/* Make the copy, unless another thread has, or there are too many, or no memory. */
static spry_status make(spry_context *context, const struct sparse *a) {
    spry_status status = SPRY_OK;
    pthread_rwlock_wrlock(&lock);
    if (kept_count < SPRY_MKL_MOST && is_promised(a->val) && !find(a)) {
        spry_matrix *matrix;
        status = a->type == SPRY_F32 ? spry_mkl_expand_f32(context, a, &matrix)
                                     : spry_mkl_expand_f64(context, a, &matrix);
        if (!status)
            kept[kept_count++] = (struct kept){*a, matrix};
    }
    pthread_rwlock_unlock(&lock);
    return status;
}

static spry_status multiply(spry_context *context, const spry_matrix *matrix, double alpha,
                            const spry_view *x, double beta, const spry_view *y) {
    if (y->cols == 1 && y->row_stride == 1 && x->row_stride == 1)
        return spry_spmv(context, SPRY_N, alpha, matrix, x->data, beta, y->data);
    return spry_spmm(context, SPRY_N, alpha, matrix, x, beta, y);
}

bool spry_mkl_multiply_kept(spry_context *context, const struct sparse *a, double alpha, const spry_view *x,
                            double beta, const spry_view *y, spry_status *status) {
    pthread_once(&once, ask_environment);
    if (!atomic_load(&any_promised))
        return false;
    pthread_rwlock_rdlock(&lock);
    const bool wanted = is_promised(a->val);
    const bool missing = wanted && kept_count < SPRY_MKL_MOST && !find(a);
    pthread_rwlock_unlock(&lock);
    if (!wanted)
        return false;
    *status = missing ? make(context, a) : SPRY_OK;
    if (*status == SPRY_ERROR_INVALID)
        return true;
    pthread_rwlock_rdlock(&lock);
    const spry_matrix *matrix = find(a);
    if (matrix)
        *status = multiply(context, matrix, alpha, x, beta, y);
    pthread_rwlock_unlock(&lock);
    return matrix != NULL;
}
