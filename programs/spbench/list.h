/* SPDX-License-Identifier: BSD-3-Clause */
/* The library's kernel table, for a person. */
#ifndef SPRY_SPBENCH_LIST_H
#define SPRY_SPBENCH_LIST_H

#include <spry/spry.h>

/* Print every kernel and whether this machine, with the choices of its backend's context, runs it; a null context
   stands for a backend that cannot be used here. SPRY_OK or _MEMORY. */
spry_status list_kernels(spry_context *const contexts[SPRY_BACKEND_COUNT]);

#endif
