/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/view.h"

spry_status spry_check_view(spry_context *context, const char *call, const char *name,
                            const spry_view *view) {
    if (!view)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "%s: %s is null", call, name);
    if (view->rows < 0 || view->cols < 0)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "%s: %s is %lld × %lld", call, name,
                         (long long)view->rows, (long long)view->cols);
    if (!view->data && view->rows > 0 && view->cols > 0)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "%s: the array of %s is null", call, name);
    return SPRY_OK;
}
