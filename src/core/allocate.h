/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SPRY_ALLOCATE_H
#define SPRY_ALLOCATE_H

#include "core/internal.h"

/* What a context uses whose caller brings no allocator. */
extern const spry_allocator spry_default_allocator;

#endif
