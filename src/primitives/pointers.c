/* SPDX-License-Identifier: BSD-3-Clause */
#include "primitives/pointers.h"
#include "primitives/scan.h"

void NAME(spry_scan)(const spry_context *context, ptr_t *ptr, int64_t n) {
    struct spry_scan_call call = {SPRY_EXCLUSIVE, n + 1, ptr, ptr};
    ptr[n] = 0;
    if (sizeof *ptr == sizeof(int32_t))
        spry_cpu_scan_i32(context, &call);
    else
        spry_cpu_scan_i64(context, &call);
}
