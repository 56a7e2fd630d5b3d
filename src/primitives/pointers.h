/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SPRY_POINTERS_H
#define SPRY_POINTERS_H

#include "core/internal.h"
#include "core/tmpl.h"

/* Exclusive scan of n counts in place: ptr[i] becomes the sum of what was before it, ptr[n] the sum of all. */
void NAME(spry_scan)(const spry_context *context, ptr_t *ptr, int64_t n);

#endif
