/* SPDX-License-Identifier: BSD-3-Clause */
/* The same reductions in wider registers. */
#include "primitives/reduce.h"
#include "primitives/simd.h"

static spry_status run(spry_context *context, const struct spry_reduce_call *call) {
    return NAME(spry_reduce_run)(context, call, shares);
}

static const struct spry_algorithm algorithms[] = {
    {.name = SIMD_NAME("reduce"),
     .primitive = SPRY_REDUCE,
     .backend = SPRY_CPU,
     .number = TMPL_NUMBER,
     .needs = SIMD_NEEDS,
     .reduce = run},
};

extern const struct spry_algorithm_list SIMD_LIST(reduce);
const struct spry_algorithm_list SIMD_LIST(reduce) = {sizeof algorithms / sizeof *algorithms, algorithms};
