/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that have nowhere to put what they would give. */
#ifndef SPRY_RESULT_H
#define SPRY_RESULT_H

#include "core/internal.h"

/* SPRY_ERROR_ARGUMENT of a call whose context or pointer to its result is null; the context, where there is one, says which
   call it was. */
spry_status spry_no_result(spry_context *context, const char *call);

#endif
