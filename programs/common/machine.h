/* SPDX-License-Identifier: BSD-3-Clause */
/* The machine's name. */
#ifndef SPRY_COMMON_MACHINE_H
#define SPRY_COMMON_MACHINE_H

#include <stddef.h>

/* Write the processor's name, or the architecture's where the system does not tell it, cut to `size` bytes.
 */
void machine_cpu(char *name, size_t size);

#endif
