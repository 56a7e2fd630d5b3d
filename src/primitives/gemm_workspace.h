/* SPDX-License-Identifier: BSD-3-Clause */
/* Workspace of dense products. */
#ifndef SPRY_GEMM_WORKSPACE_H
#define SPRY_GEMM_WORKSPACE_H

#include "core/internal.h"

/* Bytes of workspace of a thread in a dense product by a vector or of panels. */
#define SPRY_GEMM_WORKSPACE 98304
/* Have so much for all threads of the context, where those products take it: then they allocate nothing. */
spry_status spry_gemm_reserve(spry_context *context);

#endif
