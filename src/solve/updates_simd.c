/* SPDX-License-Identifier: BSD-3-Clause */
/* What updates.c has, with the wider registers that the build allows here. */
#include "core/cpu.h"
#include "solve/walk.h"

#ifdef __AVX512F__
extern const struct spry_update_table NAME(spry_updates_avx512);
const struct spry_update_table NAME(spry_updates_avx512) = {SPRY_CPU_AVX512, table};
#else
extern const struct spry_update_table NAME(spry_updates_avx2);
const struct spry_update_table NAME(spry_updates_avx2) = {SPRY_CPU_AVX2, table};
#endif
