/* SPDX-License-Identifier: BSD-3-Clause */
/* How much memory there is left. */
#ifndef SPRY_COMMON_MEMORY_H
#define SPRY_COMMON_MEMORY_H

/* Bytes that programs may still take before the system runs out, as far as it says: at most what a container has. INFINITY
   where it does not say. */
double memory_available(void);

#endif
