/* SPDX-License-Identifier: BSD-3-Clause */
/* The CUDA backend: what the seam asks for, out of what src/cuda/ and the folders above it have for devices. */
#include <stdio.h>
#include <string.h>

#include "codes/coder.h"
#include "analysis/analysis.h"
#include "cuda/arrays.h"
#include "cuda/device.h"
#include "cuda/graph.h"
#include "primitives/reduction.h"
#include "select/cheapest.h"
#include "solve/update.h"

extern const struct spry_instance spry_instance_cuda_f32_i32, spry_instance_cuda_f32_i32p64,
    spry_instance_cuda_f32_i64, spry_instance_cuda_f64_i32, spry_instance_cuda_f64_i32p64,
    spry_instance_cuda_f64_i64;

extern const struct spry_number_instance spry_number_instance_cuda_f32, spry_number_instance_cuda_f64,
    spry_number_instance_cuda_i32, spry_number_instance_cuda_i64;

static size_t scratch_of(const spry_matrix *matrix, spry_op op) {
    size_t gather = matrix->cuda.partial, scatter = matrix->cuda.scratch[op];
    return gather > scatter ? gather : scatter;
}

/* The product's own comes first. */
static spry_status reserve(spry_context *context, const spry_matrix *matrix, spry_op op, size_t bytes,
                           void **beside) {
    size_t own = scratch_of(matrix, op);
    void *scratch;
    spry_status status = spry_cuda_grow(context, &context->device->carry, matrix->cuda.carry);
    if (!status)
        status = spry_cuda_scratch(context, spry_workspace_bytes(own, bytes), &scratch);
    if (!status && bytes > 0)
        *beside = spry_beside(scratch, own);
    return status;
}

static spry_status synchronize(spry_context *context) {
    return spry_cuda_check(context, cudaStreamSynchronize(context->device->stream), "waiting for the device");
}

/* The workspace of products that scatter is as large as their vectors several times over, and most matrices never
   see one: it is left to the first. */
static spry_status finish(spry_context *context, spry_matrix *matrix) {
    matrix->cuda.passing = spry_cuda_passing(context, matrix);
    spry_status status = spry_cuda_grow(context, &context->device->carry, matrix->cuda.carry);
    if (!status)
        status = spry_cuda_grow(context, &context->device->scratch, matrix->cuda.partial);
    return status ? status : synchronize(context);
}

static spry_status take_allocator(spry_context *context, const spry_allocator *allocator) {
    if (!allocator->allocate || !allocator->release)
        return SPRY_ERROR_ARGUMENT;
    context->arrays = *allocator;
    return SPRY_OK;
}

static spry_status make_reduction_space(spry_context *context) {
    void *space;
    spry_status status = spry_allocate_array(context, 1, sizeof(struct spry_reduction_space), &space);
    if (status)
        return status;
    context->device->reduction = space;
    return spry_cuda_check(
        context, cudaMemsetAsync(space, 0, sizeof(struct spry_reduction_space), context->device->stream),
        "clearing workspace");
}

static spry_status open(spry_context *context, const spry_context_options *options) {
    void *pointer;
    spry_status status = spry_allocate(context, 1, sizeof *context->device, &pointer);
    if (status)
        return status;
    context->device = memset(pointer, 0, sizeof *context->device);
    context->device_number = options->device;
    status = spry_cuda_take_device(context, options->stream);
    if (!status)
        status = options->device_allocator ? take_allocator(context, options->device_allocator)
                                           : spry_cuda_make_pool(context);
    return status ? status : make_reduction_space(context);
}

static void close(spry_context *context) {
    struct spry_device *device = context->device;
    if (!device)
        return;
    spry_cuda_wait_for_device(context->device_number);
    spry_cuda_let_go(context, &device->scratch);
    spry_cuda_let_go(context, &device->carry);
    spry_release(&context->arrays, device->reduction, 1, sizeof *device->reduction);
    spry_cuda_free_staging(device);
    (void)cudaFreeHost(device->fetched);
    if (device->owns_stream)
        (void)cudaStreamDestroy(device->stream);
    if (device->pool)
        spry_cuda_pool_let_go(device->pool);
    spry_release(&context->allocator, device, 1, sizeof *device);
}

static int machine(const spry_context *context, char *name, size_t size) {
    struct cudaDeviceProp properties;
    bool known = cudaGetDeviceProperties(&properties, context->device_number) == cudaSuccess;
    snprintf(name, size, "%s", known ? properties.name : "unknown GPU");
    return context->device->multiprocessors;
}

/* As its maker states it: two transfers a clock. */
static spry_status memory_gbs(spry_context *context, double *gbs) {
    int kilohertz = 0, bits = 0;
    spry_status status =
        spry_cuda_ask(context, cudaDevAttrMemoryClockRate, "asking for its memory's clock", &kilohertz);
    if (!status)
        status = spry_cuda_ask(context, cudaDevAttrGlobalMemoryBusWidth,
                               "asking how wide its memory's bus is", &bits);
    *gbs = 2e3 * kilohertz * bits / 8 * 1e-9;
    return status;
}

static const struct spry_backend_code code = {
    .instance = {[SPRY_F32] = {&spry_instance_cuda_f32_i32, &spry_instance_cuda_f32_i32p64,
                               &spry_instance_cuda_f32_i64},
                 [SPRY_F64] = {&spry_instance_cuda_f64_i32, &spry_instance_cuda_f64_i32p64,
                               &spry_instance_cuda_f64_i64}},
    .numbers = {&spry_number_instance_cuda_f32, &spry_number_instance_cuda_f64,
                &spry_number_instance_cuda_i32, &spry_number_instance_cuda_i64},
    .open = open,
    .close = close,
    .finish = finish,
    .reserve = reserve,
    .synchronize = synchronize,
    .synchronize_device = spry_cuda_wait_for_device,
    .copy = spry_cuda_copy,
    .memory_left = spry_cuda_memory_left,
    .reaches = spry_cuda_reaches,
    .can_record = spry_cuda_can_record,
    .record = spry_cuda_record,
    .replay = spry_cuda_replay,
    .destroy_recording = spry_cuda_destroy_graph,
    .scale = spry_cuda_scale,
    .copy_strided = spry_cuda_copy_strided,
    .cast_integers = spry_cuda_cast_integers,
    .cast_values = spry_cuda_cast_values,
    .machine = machine,
    .memory_gbs = memory_gbs,
    .look = spry_keep_features,
    .choose = spry_choose_cheapest,
    .choose_made = spry_choose_cheapest_made,
    .analysis = &spry_cuda_analysis,
    .updates = &spry_cuda_updates,
    .coder = {[SPRY_VALUES_F32] = &spry_cuda_f32,
              [SPRY_VALUES_CONSTANT] = &spry_cuda_constant,
              [SPRY_VALUES_DICT8] = &spry_cuda_dict8,
              [SPRY_VALUES_DICT16] = &spry_cuda_dict16},
};

const struct spry_backend_code *spry_cuda_backend(void) {
    return &code;
}
