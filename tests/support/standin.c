/* SPDX-License-Identifier: BSD-3-Clause */
#include "standin.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "core/integers.h"
#include "solve/triangle.h"
#include "standin_resident.h"

static const struct spry_backend_code *const cpu = &spry_cpu_backend;
static const struct spry_triangle_code triangle;

/* cudaStreamLegacy, whatever version CUDA has. */
#define STANDIN_LEGACY_STREAM 1

/* ---- the tables: the CPU's rows once more, as the device's ---- */

static void *copied(const void *rows, size_t count, size_t size) {
    void *copy = malloc(count * size + 1);
    if (!copy)
        abort();
    return count > 0 ? memcpy(copy, rows, count * size) : copy;
}

/* Rows of a list once more, each with the device at `backend` in its record. They stay for as long as the program runs. */
static void *rows_of_device(const void *rows, size_t count, size_t size, size_t backend) {
    static const spry_backend device = SPRY_CUDA;
    char *made = copied(rows, count, size);
    for (size_t i = 0; i < count; i++)
        memcpy(made + i * size + backend, &device, sizeof device);
    return made;
}

static const struct spry_kernel_list *kernels_of(const struct spry_kernel_list *list) {
    struct spry_kernel_list *made = copied(list, 1, sizeof *list);
    made->rows =
        rows_of_device(list->rows, list->count, sizeof *list->rows, offsetof(struct spry_kernel, backend));
    return made;
}

static const struct spry_algorithm_list *algorithms_of(const struct spry_algorithm_list *list) {
    struct spry_algorithm_list *made = copied(list, 1, sizeof *list);
    made->rows =
        rows_of_device(list->rows, list->count, sizeof *list->rows, offsetof(struct spry_algorithm, backend));
    return made;
}

static const struct spry_instance *instance_of(const struct spry_instance *instance) {
    struct spry_instance *made = copied(instance, 1, sizeof *instance);
    const struct spry_kernel_list **lists = copied(made->list, made->lists, sizeof *lists);
    for (size_t l = 0; l < made->lists; l++)
        lists[l] = kernels_of(lists[l]);
    made->list = lists;
    made->triangle = &triangle;
    return made;
}

static const struct spry_number_instance *numbers_of(const struct spry_number_instance *numbers) {
    struct spry_number_instance *made = copied(numbers, 1, sizeof *numbers);
    const struct spry_algorithm_list **lists = copied(made->list, made->lists, sizeof *lists);
    for (size_t l = 0; l < made->lists; l++)
        lists[l] = algorithms_of(lists[l]);
    made->list = lists;
    return made;
}

/* ---- operations, which may fail ---- */

static atomic_long left; /* until one fails; 0: none does; 1: the next one, and all after it */
static atomic_bool failed;

void standin_fail(long n) {
    left = n;
    failed = false;
}

bool standin_failed(void) {
    return failed;
}

static spry_status operate(spry_context *context) {
    long before = left;
    while (before > 1 && !atomic_compare_exchange_weak(&left, &before, before - 1))
        continue;
    if (before != 1)
        return SPRY_OK;
    failed = true;
    return spry_fail(context, SPRY_ERROR_DEVICE, "the stand-in for a device fails");
}

static spry_status open(spry_context *context, const spry_context_options *options) {
    if (options->device != 0)
        return SPRY_ERROR_ARGUMENT;
    spry_status status = cpu->open(context, options);
    context->device = options->stream; /* of which nothing else is known here */
    if (options->device_allocator)
        context->arrays = *options->device_allocator;
    return status;
}

static spry_status finish(spry_context *context, spry_matrix *matrix) {
    spry_status status = operate(context);
    return status ? status : cpu->finish(context, matrix);
}

static spry_status reserve(spry_context *context, const spry_matrix *matrix, spry_op op, size_t bytes,
                           void **beside) {
    spry_status status = operate(context);
    return status ? status : cpu->reserve(context, matrix, op, bytes, beside);
}

static spry_status synchronize(spry_context *context) {
    return operate(context);
}

static spry_status copy(spry_context *context, void *to, const void *from, size_t bytes) {
    spry_status status = operate(context);
    return status ? status : cpu->copy(context, to, from, bytes);
}

static const void *hidden;

void standin_hide(const void *array) {
    hidden = array;
}

static bool reaches(const spry_context *context, const void *array) {
    (void)context;
    return !array || array != hidden;
}

static spry_status update(spry_context *context, spry_value_type type, enum spry_update which,
                          const struct spry_vectors *vectors, struct spry_state *state,
                          const struct spry_ranks *ranks) {
    spry_status status = operate(context);
    return status ? status : spry_cpu_updates.run(context, type, which, vectors, state, ranks);
}

static spry_status scale(spry_context *context, spry_value_type type, int64_t n, double beta, void *y) {
    spry_status status = operate(context);
    return status ? status : cpu->scale(context, type, n, beta, y);
}

static spry_status copy_strided(spry_context *context, size_t size, int64_t n, const void *from,
                                int64_t from_step, void *to, int64_t to_step) {
    spry_status status = operate(context);
    return status ? status : cpu->copy_strided(context, size, n, from, from_step, to, to_step);
}

static spry_status cast_integers(spry_context *context, const void *from, size_t from_size, void *to,
                                 size_t to_size, int64_t n) {
    spry_status status = operate(context);
    return status ? status : cpu->cast_integers(context, from, from_size, to, to_size, n);
}

static spry_status cast_values(spry_context *context, const void *from, spry_value_type from_type, void *to,
                               spry_value_type to_type, int64_t n) {
    spry_status status = operate(context);
    return status ? status : cpu->cast_values(context, from, from_type, to, to_type, n);
}

static spry_status features(spry_context *context, const spry_matrix *csr, struct spry_features *features) {
    spry_status status = operate(context);
    return status ? status : spry_cpu_analysis.features(context, csr, features);
}

static spry_status length_at_rank(spry_context *context, const spry_matrix *csr, int64_t longest,
                                  int64_t rank, int64_t *length) {
    spry_status status = operate(context);
    return status ? status : spry_cpu_analysis.length_at_rank(context, csr, longest, rank, length);
}

static spry_status room(spry_context *context, spry_value_type type, struct spry_room *found) {
    spry_status status = operate(context);
    return status ? status : standin_resident.room(context, type, found);
}

static spry_status play(spry_context *context, const struct spry_resident *resident, const void *values,
                        const struct spry_vectors *vectors, struct spry_state *state, int repeat) {
    spry_status status = operate(context);
    return status ? status : standin_resident.play(context, resident, values, vectors, state, repeat);
}

static const struct spry_resident_code resident = {room, play};
static const struct spry_updates updates = {update, &resident};
static const struct spry_analysis analysis = {.features = features, .length_at_rank = length_at_rank};

/* ---- recordings: what they hold runs when they are replayed ---- */

struct recording {
    spry_status (*body)(void *argument);
    void *argument;
};

/* As CUDA's legacy default stream cannot be. */
static bool can_record(const spry_context *context) {
    return context->device != (void *)STANDIN_LEGACY_STREAM;
}

static long recorded;

long standin_recorded(void) {
    return recorded;
}

static spry_status record(spry_context *context, spry_status (*body)(void *argument), void *argument,
                          void **recording) {
    spry_status status = operate(context);
    if (!status && !can_record(context))
        status = spry_fail(context, SPRY_ERROR_DEVICE, "the stream cannot be recorded");
    if (status)
        return status;
    struct recording made = {body, argument};
    *recording = copied(&made, 1, sizeof made);
    recorded++;
    return SPRY_OK;
}

static spry_status replay(spry_context *context, void *recording) {
    const struct recording *made = recording;
    spry_status status = operate(context);
    return status ? status : made->body(made->argument);
}

/* ---- triangles: a device has no stages, and knows no positions ---- */

static const struct spry_triangle_code *triangle_of(spry_value_type type, spry_index_type index) {
    return cpu->instance[type][index]->triangle;
}

static spry_status locate(spry_context *context, const struct spry_square *square,
                          struct spry_square_faults *faults) {
    spry_status status = operate(context);
    return status ? status : triangle_of(square->type, square->index)->locate(context, square, faults);
}

static spry_status fill(spry_context *context, const struct spry_square *square,
                        const struct spry_scaling *scaling, const struct spry_substitution *substitution,
                        int64_t *zero) {
    spry_status status = operate(context);
    return status
               ? status
               : triangle_of(square->type, square->index)->fill(context, square, scaling, substitution, zero);
}

/* All positions in one stage, one after the other. */
static struct spry_order one_stage(const struct spry_order *order, int64_t cut[2]) {
    struct spry_order made = *order;
    cut[0] = 0;
    cut[1] = order->n;
    made.parts = 1;
    made.stages = 1;
    made.cut = cut;
    return made;
}

static spry_status solve(spry_context *context, const struct spry_substitution *substitution, const void *b,
                         void *x) {
    int64_t cut[2];
    size_t size = spry_index_size(substitution->index);
    struct spry_substitution host = *substitution;
    spry_status status = operate(context);
    if (status)
        return status;
    host.order = one_stage(&host.order, cut);
    host.position = copied(host.order.row, (size_t)host.order.n, size);
    for (int64_t p = 0; p < host.order.n; p++)
        store_integer(host.position, size, load_integer(host.order.row, size, p), p);
    status = triangle_of(host.type, host.index)->solve(context, &host, b, x);
    free(host.position);
    return status;
}

static spry_status factor_ilu0(spry_context *context, const struct spry_square *square,
                               const struct spry_order *order, double shift, int64_t *fault) {
    int64_t cut[2];
    struct spry_order made = one_stage(order, cut);
    spry_status status = operate(context);
    return status
               ? status
               : triangle_of(square->type, square->index)->factor_ilu0(context, square, &made, shift, fault);
}

static spry_status factor_ic0(spry_context *context, const struct spry_square *square,
                              const struct spry_order *order, double shift, int64_t *fault) {
    int64_t cut[2];
    struct spry_order made = one_stage(order, cut);
    spry_status status = operate(context);
    return status
               ? status
               : triangle_of(square->type, square->index)->factor_ic0(context, square, &made, shift, fault);
}

static spry_status fsai_fill(spry_context *context, const spry_matrix *csr, double shift, int most,
                             const spry_matrix *factor) {
    spry_status status = operate(context);
    return status ? status : triangle_of(csr->type, csr->index)->fsai_fill(context, csr, shift, most, factor);
}

static const struct spry_triangle_code triangle = {
    .locate = locate,
    .fill = fill,
    .solve = solve,
    .factor_ilu0 = factor_ilu0,
    .factor_ic0 = factor_ic0,
    .fsai_fill = fsai_fill,
};

/* ---- the device ---- */

static const char *named = "stand-in for a device";
static int multiprocessors = 4;

void standin_name(const char *machine, int processors) {
    named = machine;
    multiprocessors = processors;
}

static int machine(const spry_context *context, char *name, size_t size) {
    (void)context;
    snprintf(name, size, "%s", named);
    return multiprocessors;
}

static bool memory_left(const spry_context *context, size_t *bytes) {
    (void)context;
    *bytes = STANDIN_MEMORY_LEFT;
    return true;
}

static spry_status memory_gbs(spry_context *context, double *gbs) {
    *gbs = 1000;
    return operate(context);
}

static struct spry_backend_code code;

__attribute__((constructor)) static void make(void) {
    code = *cpu;
    for (int type = 0; type < SPRY_TYPE_COUNT; type++)
        for (int index = 0; index < SPRY_INDEX_COUNT; index++)
            code.instance[type][index] = instance_of(cpu->instance[type][index]);
    for (int number = 0; number < SPRY_NUMBER_COUNT; number++)
        code.numbers[number] = numbers_of(cpu->numbers[number]);
    code.open = open;
    code.finish = finish;
    code.reserve = reserve;
    code.synchronize = synchronize;
    code.copy = copy;
    code.reaches = reaches;
    code.updates = &updates;
    code.can_record = can_record;
    code.record = record;
    code.replay = replay;
    code.destroy_recording = free;
    code.scale = scale;
    code.copy_strided = copy_strided;
    code.cast_integers = cast_integers;
    code.cast_values = cast_values;
    code.analysis = &analysis;
    code.machine = machine;
    code.memory_gbs = memory_gbs;
    code.memory_left = memory_left;
}

const struct spry_backend_code *spry_cuda_backend(void) {
    return &code;
}

int spry_cuda_devices(char *reason, size_t size) {
    if (reason && size > 0)
        reason[0] = '\0';
    return 1;
}

void *spry_context_stream(const spry_context *context) {
    (void)context;
    return NULL;
}
