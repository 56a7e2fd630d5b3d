/* SPDX-License-Identifier: BSD-3-Clause */
/* The scan on the CPU, which cannot fail, for each type of number. */
#ifndef SPRY_PRIMITIVES_SCAN_H
#define SPRY_PRIMITIVES_SCAN_H

#include "core/algorithm.h"

void spry_cpu_scan_f32(const spry_context *context, const struct spry_scan_call *call);
void spry_cpu_scan_f64(const spry_context *context, const struct spry_scan_call *call);
void spry_cpu_scan_i32(const spry_context *context, const struct spry_scan_call *call);
void spry_cpu_scan_i64(const spry_context *context, const struct spry_scan_call *call);

#endif
