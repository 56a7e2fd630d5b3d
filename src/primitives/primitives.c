/* SPDX-License-Identifier: BSD-3-Clause */
/* The primitives as they are called: arguments are checked, then the context's algorithm runs. */
#include <inttypes.h>

#include "core/backend.h"
#include "core/round.h"
#include "core/scratch.h"
#include "core/view.h"
#include "primitives/gemm_workspace.h"

static bool is_floating(spry_number number) {
    return number == SPRY_NUMBER_F32 || number == SPRY_NUMBER_F64;
}

/* Whether the table has an algorithm for such numbers at all. */
static bool takes(const spry_context *context, spry_primitive primitive, spry_number number) {
    const spry_algorithm *algorithm;
    for (size_t i = 0; (algorithm = spry_algorithm_at(i)); i++)
        if (algorithm->backend == context->backend && algorithm->primitive == primitive &&
            algorithm->number == number)
            return true;
    return false;
}

/* The algorithm for a call that takes n numbers. */
static spry_status find(spry_context *context, const char *call, spry_primitive primitive, spry_number number,
                        int64_t n, const spry_algorithm **algorithm) {
    if (!context)
        return SPRY_ERROR_ARGUMENT;
    if ((unsigned)number >= SPRY_NUMBER_COUNT || n < 0)
        return spry_fail(context, SPRY_ERROR_ARGUMENT,
                         "%s: invalid type of numbers %d, or negative n %" PRId64, call, (int)number, n);
    *algorithm = spry_algorithm_for(context, primitive, number);
    if (*algorithm)
        return SPRY_OK;
    if (!takes(context, primitive, number))
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "%s takes no %s", call, spry_number_name(number));
    return spry_fail(context, SPRY_ERROR_UNSUPPORTED, "%s: every algorithm for %s was disabled", call,
                     spry_number_name(number));
}

static spry_status null_argument(spry_context *context, const char *call) {
    return spry_fail(context, SPRY_ERROR_ARGUMENT, "%s: an array is null", call);
}

static spry_status reduce(spry_context *context, const char *name, enum spry_reduction reduction,
                          spry_number number, int64_t n, const void *x, const void *y, void *result) {
    const spry_algorithm *algorithm;
    spry_status status = find(context, name, SPRY_REDUCE, number, n, &algorithm);
    if (status)
        return status;
    if (!result || (n > 0 && (!x || !y)))
        return null_argument(context, name);
    if (reduction == SPRY_REDUCE_NORM2 && !is_floating(number))
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "%s takes no %s", name, spry_number_name(number));
    if (n == 0) /* any array will do, but null, to which nothing can be added */
        x = y = result;
    return algorithm->reduce(context, &(struct spry_reduce_call){reduction, n, x, y, result});
}

spry_status spry_sum(spry_context *context, spry_number number, int64_t n, const void *x, void *result) {
    return reduce(context, "spry_sum", SPRY_REDUCE_SUM, number, n, x, x, result);
}

spry_status spry_dot(spry_context *context, spry_number number, int64_t n, const void *x, const void *y,
                     void *result) {
    return reduce(context, "spry_dot", SPRY_REDUCE_DOT, number, n, x, y, result);
}

spry_status spry_norm2(spry_context *context, spry_number number, int64_t n, const void *x, void *result) {
    return reduce(context, "spry_norm2", SPRY_REDUCE_NORM2, number, n, x, x, result);
}

spry_status spry_max_abs(spry_context *context, spry_number number, int64_t n, const void *x, void *result) {
    return reduce(context, "spry_max_abs", SPRY_REDUCE_MAX_ABS, number, n, x, x, result);
}

spry_status spry_scan(spry_context *context, spry_scan_kind kind, spry_number number, int64_t n,
                      const void *x, void *y) {
    const spry_algorithm *algorithm;
    spry_status status = find(context, "spry_scan", SPRY_SCAN, number, n, &algorithm);
    if (status)
        return status;
    if ((unsigned)kind >= SPRY_SCAN_KIND_COUNT)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_scan: invalid kind of scan %d", (int)kind);
    if (n == 0)
        return SPRY_OK;
    if (!x || !y)
        return null_argument(context, "spry_scan");
    return algorithm->scan(context, &(struct spry_scan_call){kind, n, x, y});
}

spry_status spry_histogram(spry_context *context, spry_number number, int64_t n, const void *x, int64_t bins,
                           int64_t *count) {
    const spry_algorithm *algorithm;
    spry_status status = find(context, "spry_histogram", SPRY_HISTOGRAM, number, n, &algorithm);
    if (status)
        return status;
    if (bins < 0)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_histogram: bins is negative: %" PRId64, bins);
    if (bins == 0)
        return SPRY_OK;
    if (!count || (n > 0 && !x))
        return null_argument(context, "spry_histogram");
    return algorithm->histogram(context, &(struct spry_histogram_call){n, x, bins, count});
}

static spry_status axpby(spry_context *context, const char *name, spry_number number,
                         struct spry_axpby_call *call) {
    const spry_algorithm *algorithm;
    spry_status status = find(context, name, SPRY_AXPBY, number, call->n, &algorithm);
    if (status)
        return status;
    if (call->n > 0 && (!call->x || !call->y))
        return null_argument(context, name);
    if (call->n == 0) /* as in reduce */
        call->x = call->y = call;
    if (number == SPRY_NUMBER_F32) {
        call->alpha = spry_rounded_to_f32(call->alpha);
        call->beta = spry_rounded_to_f32(call->beta);
    }
    return algorithm->axpby(context, call);
}

spry_status spry_axpby(spry_context *context, spry_number number, int64_t n, double alpha, const void *x,
                       double beta, void *y) {
    struct spry_axpby_call call = {n, alpha, x, beta, y, NULL, NULL};
    return axpby(context, "spry_axpby", number, &call);
}

spry_status spry_axpby_dot(spry_context *context, spry_number number, int64_t n, double alpha, const void *x,
                           double beta, void *y, const void *w, void *result) {
    struct spry_axpby_call call = {n, alpha, x, beta, y, n == 0 && !w ? result : w, result};
    if (context && (!result || !call.w))
        return null_argument(context, "spry_axpby_dot");
    return axpby(context, "spry_axpby_dot", number, &call);
}

spry_status spry_gemm(spry_context *context, spry_value_type type, double alpha, const spry_view *a,
                      const spry_view *b, double beta, const spry_view *c) {
    const spry_algorithm *algorithm;
    if (type == SPRY_F32) {
        alpha = spry_rounded_to_f32(alpha);
        beta = spry_rounded_to_f32(beta);
    }
    spry_status status = find(context, "spry_gemm", SPRY_GEMM, (spry_number)type, 0, &algorithm);
    if (!status)
        status = spry_check_view(context, "spry_gemm", "A", a, alpha != 0);
    if (!status)
        status = spry_check_view(context, "spry_gemm", "B", b, alpha != 0);
    if (!status)
        status = spry_check_view(context, "spry_gemm", "C", c, true);
    if (status)
        return status;
    if (a->cols != b->rows || a->rows != c->rows || b->cols != c->cols)
        return spry_fail(context, SPRY_ERROR_ARGUMENT,
                         "spry_gemm: A is %" PRId64 " × %" PRId64 ", B %" PRId64 " × %" PRId64
                         " and C %" PRId64 " × %" PRId64 ", which do not match",
                         a->rows, a->cols, b->rows, b->cols, c->rows, c->cols);
    if (c->rows == 0 || c->cols == 0)
        return SPRY_OK;
    if ((c->rows > 1 && c->row_stride == 0) || (c->cols > 1 && c->col_stride == 0))
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_gemm: a stride of C is zero");
    return algorithm->gemm(context, &(struct spry_gemm_call){alpha, *a, *b, beta, *c});
}

spry_status spry_gemm_reserve(spry_context *context) {
    void *room;
    return context->backend != SPRY_CPU
               ? SPRY_OK
               : spry_cpu_scratch(context, (size_t)context->threads * SPRY_GEMM_WORKSPACE, &room);
}
