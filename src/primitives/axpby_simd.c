/* SPDX-License-Identifier: BSD-3-Clause */
/* The same in wider registers. */
#include "primitives/axpby.h"
#include "primitives/simd.h"

static spry_status run(spry_context *context, const struct spry_axpby_call *call) {
    return NAME(spry_axpby_run)(context, call, share);
}

static const struct spry_algorithm algorithms[] = {
    {.name = SIMD_NAME("axpby"),
     .primitive = SPRY_AXPBY,
     .backend = SPRY_CPU,
     .number = TMPL_NUMBER,
     .needs = SIMD_NEEDS,
     .axpby = run},
};

extern const struct spry_algorithm_list SIMD_LIST(axpby);
const struct spry_algorithm_list SIMD_LIST(axpby) = {sizeof algorithms / sizeof *algorithms, algorithms};
