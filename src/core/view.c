/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/view.h"

#include <inttypes.h>

/* More values of eight bytes than this no pointer tells apart. */
#define FARTHEST (PTRDIFF_MAX / 8)

/* Add the last of n steps to the one of the bounds that it lies towards; false for what no integer holds. */
static bool extend(int64_t n, int64_t stride, int64_t *low, int64_t *high) {
    int64_t reach, *bound = stride < 0 ? low : high;
    return n < 2 ||
           (!__builtin_mul_overflow(n - 1, stride, &reach) && !__builtin_add_overflow(*bound, reach, bound));
}

/* Whether all of its places can be computed, and the first one of a view without any. */
static bool is_within_reach(const spry_view *view) {
    int64_t low = view->offset, high = view->offset;
    if (view->rows > 0 && view->cols > 0 &&
        (!extend(view->rows, view->row_stride, &low, &high) ||
         !extend(view->cols, view->col_stride, &low, &high)))
        return false;
    return low >= -FARTHEST && high <= FARTHEST;
}

spry_status spry_check_view(spry_context *context, const char *call, const char *name, const spry_view *view,
                            bool looks_into) {
    if (!view)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "%s: %s is null", call, name);
    if (view->rows < 0 || view->cols < 0)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "%s: %s is %" PRId64 " × %" PRId64, call, name,
                         view->rows, view->cols);
    if (looks_into && !view->data && view->rows > 0 && view->cols > 0)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "%s: the array of %s is null", call, name);
    if (!is_within_reach(view))
        return spry_fail(context, SPRY_ERROR_ARGUMENT,
                         "%s: %s lies outside all memory: offset %" PRId64 ", strides %" PRId64
                         " and %" PRId64,
                         call, name, view->offset, view->row_stride, view->col_stride);
    return SPRY_OK;
}
