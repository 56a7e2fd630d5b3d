/* SPDX-License-Identifier: BSD-3-Clause */
/* Workspace of a context on the CPU. */
#ifndef SPRY_SCRATCH_H
#define SPRY_SCRATCH_H

#include "core/internal.h"

/* `bytes` bytes aligned to SPRY_ALIGNMENT, not cleared, that are the caller's until the next call with this context.
   They stay the context's and only ever grow, so that the same work again allocates nothing. */
spry_status spry_cpu_scratch(spry_context *context, size_t bytes, void **pointer);

#endif
