/* SPDX-License-Identifier: BSD-3-Clause */
/* The library's kernel table, for a person. */
#ifndef SPRY_BENCH_LIST_H
#define SPRY_BENCH_LIST_H

#include <spry/spry.h>

/* Print every kernel and whether this machine, with the context's choices, runs it. SPRY_OK or _MEMORY. */
spry_status list_kernels(const spry_context *context);

#endif
