/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SPRY_CORE_VIEW_H
#define SPRY_CORE_VIEW_H

#include "core/internal.h"

/* Whether a call can use a view, which is called `name` in its message: SPRY_ERROR_ARGUMENT where it is null, its array is
   and the call looks into it, a size is negative, or no pointer reaches a value of it. */
spry_status spry_check_view(spry_context *context, const char *call, const char *name, const spry_view *view,
                            bool looks_into);

#endif
