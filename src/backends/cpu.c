/* SPDX-License-Identifier: BSD-3-Clause */
/* Work on this machine's CPU: what the seam asks for, over memory that is the host's own. */
#include <string.h>

#include "analysis/analysis.h"
#include "codes/coder.h"
#include "codes/room.h"
#include "core/backend.h"
#include "core/cpu.h"
#include "core/integers.h"
#include "core/scatter.h"
#include "core/scratch.h"
#include "core/team.h"
#include "select/cheapest.h"
#include "solve/update.h"

extern const struct spry_instance spry_instance_f32_i32, spry_instance_f32_i32p64, spry_instance_f32_i64,
    spry_instance_f64_i32, spry_instance_f64_i32p64, spry_instance_f64_i64;

extern const struct spry_number_instance spry_number_instance_f32, spry_number_instance_f64,
    spry_number_instance_i32, spry_number_instance_i64;

static spry_status open(spry_context *context, const spry_context_options *options) {
    (void)options;
    context->arrays = context->allocator;
    return SPRY_OK;
}

static void close(spry_context *context) {
    spry_release(&context->allocator, context->scratch, context->scratch_bytes, 1);
}

/* Of a product that gathers: what its parts decode. With many columns there are as many parts as the context has threads. */
static size_t decoding_bytes(const spry_context *context, const spry_matrix *matrix, spry_op op) {
    const int parts = matrix->plan.split[op].parts;
    return spry_multiply_sizes(spry_decoding_bytes(matrix),
                               (size_t)(parts > context->threads ? parts : context->threads));
}

/* Of a composed matrix, parts are multiplied with one after the other. */
static size_t scratch_of(const spry_context *context, const spry_matrix *matrix, spry_op op) {
    size_t most =
        matrix->scatter[op] ? spry_scatter_split(matrix, op)->scratch : decoding_bytes(context, matrix, op);
    for (int i = 0; i < 2 && matrix->owned_parts[i]; i++) {
        size_t part = scratch_of(context, matrix->owned_parts[i], op);
        most = part > most ? part : most;
    }
    return most;
}

/* The product's own comes first. */
static spry_status reserve(spry_context *context, const spry_matrix *matrix, spry_op op, size_t bytes,
                           void **beside) {
    void *scratch;
    size_t own = scratch_of(context, matrix, op);
    spry_status status = spry_cpu_scratch(context, spry_workspace_bytes(own, bytes), &scratch);
    if (!status && bytes > 0)
        *beside = spry_beside(scratch, own);
    return status;
}

/* Products that gather need workspace where they decode values, and the others are left to the first of them. */
static spry_status finish(spry_context *context, spry_matrix *matrix) {
    void *scratch;
    size_t bytes = 0;
    for (int op = 0; op < SPRY_OP_COUNT; op++)
        bytes = matrix->scatter[op] ? bytes : decoding_bytes(context, matrix, (spry_op)op);
    return bytes > 0 ? spry_cpu_scratch(context, bytes, &scratch) : SPRY_OK;
}

static spry_status synchronize(spry_context *context) {
    (void)context;
    return SPRY_OK;
}

/* Products have ended when they return. */
static void synchronize_device(int device) {
    (void)device;
}

static spry_status copy(spry_context *context, void *to, const void *from, size_t bytes) {
    (void)context;
    if (bytes > 0)
        memcpy(to, from, bytes);
    return SPRY_OK;
}

/* Only the caller can know. */
static bool reaches(const spry_context *context, const void *array) {
    (void)context;
    (void)array;
    return true;
}

static spry_status scale(spry_context *context, spry_value_type type, int64_t n, double beta, void *y) {
    (void)context;
    if (n == 0)
        return SPRY_OK;
    if (beta == 0)
        memset(y, 0, (size_t)n * spry_type_size(type));
    else if (type == SPRY_F32)
        for (int64_t i = 0; i < n; i++)
            ((float *)y)[i] *= (float)beta;
    else
        for (int64_t i = 0; i < n; i++)
            ((double *)y)[i] *= beta;
    return SPRY_OK;
}

static spry_status copy_strided(spry_context *context, size_t size, int64_t n, const void *from,
                                int64_t from_step, void *to, int64_t to_step) {
#pragma omp parallel for num_threads(spry_team_over(context, n))
    for (int64_t k = 0; k < n; k++)
        if (size == sizeof(float))
            ((float *)to)[k * to_step] = ((const float *)from)[k * from_step];
        else
            ((double *)to)[k * to_step] = ((const double *)from)[k * from_step];
    return SPRY_OK;
}

static spry_status cast_integers(spry_context *context, const void *from, size_t from_size, void *to,
                                 size_t to_size, int64_t n) {
#pragma omp parallel for num_threads(spry_team_over(context, n))
    for (int64_t k = 0; k < n; k++)
        store_integer(to, to_size, k, load_integer(from, from_size, k));
    return SPRY_OK;
}

static spry_status cast_values(spry_context *context, const void *from, spry_value_type from_type, void *to,
                               spry_value_type to_type, int64_t n) {
#pragma omp parallel for num_threads(spry_team_over(context, n))
    for (int64_t k = 0; k < n; k++) {
        double value = from_type == SPRY_F32 ? (double)((const float *)from)[k] : ((const double *)from)[k];
        if (to_type == SPRY_F32)
            ((float *)to)[k] = (float)value;
        else
            ((double *)to)[k] = value;
    }
    return SPRY_OK;
}

/* What tells processors apart whatever they are called. */
static int machine(const spry_context *context, char *name, size_t size) {
    spry_cpu_name(name, size);
    return context->threads;
}

const struct spry_backend_code spry_cpu_backend = {
    .instance = {[SPRY_F32] = {&spry_instance_f32_i32, &spry_instance_f32_i32p64, &spry_instance_f32_i64},
                 [SPRY_F64] = {&spry_instance_f64_i32, &spry_instance_f64_i32p64, &spry_instance_f64_i64}},
    .numbers = {&spry_number_instance_f32, &spry_number_instance_f64, &spry_number_instance_i32,
                &spry_number_instance_i64},
    .open = open,
    .close = close,
    .finish = finish,
    .reserve = reserve,
    .synchronize = synchronize,
    .synchronize_device = synchronize_device,
    .copy = copy,
    .reaches = reaches,
    .scale = scale,
    .copy_strided = copy_strided,
    .cast_integers = cast_integers,
    .cast_values = cast_values,
    .machine = machine,
    .choose = spry_choose_cheapest,
    .choose_made = spry_choose_cheapest_made,
    .coder = {[SPRY_VALUES_F32] = &spry_cpu_f32,
              [SPRY_VALUES_CONSTANT] = &spry_cpu_constant,
              [SPRY_VALUES_DICT8] = &spry_cpu_dict8,
              [SPRY_VALUES_DICT16] = &spry_cpu_dict16},
    .analysis = &spry_cpu_analysis,
    .updates = &spry_cpu_updates,
};
