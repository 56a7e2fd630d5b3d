/* SPDX-License-Identifier: BSD-3-Clause */
/* The one table, over the instances for each pair of value and index type. */
#include <string.h>

#include "core/backend.h"
#include "core/cpu.h"
#include "core/sized.h"

const struct spry_backend_code *spry_backend_code(spry_backend backend) {
    return backend == SPRY_CPU ? &spry_cpu_backend : backend == SPRY_CUDA ? spry_cuda_backend() : NULL;
}

static const struct spry_instance *instance_of(spry_backend backend, const spry_matrix *matrix) {
    return spry_backend_code(backend)->instance[matrix->type][matrix->index];
}

const struct spry_format_code *spry_format_code(const spry_matrix *matrix) {
    return instance_of(matrix->backend, matrix)->format[matrix->format];
}

const struct spry_format_code *spry_format_traits(const spry_matrix *matrix) {
    return instance_of(SPRY_CPU, matrix)->format[matrix->format];
}

const struct spry_format_code *spry_traits_of(const spry_matrix *like, spry_format format) {
    return instance_of(SPRY_CPU, like)->format[format];
}

const struct spry_convert_code *spry_convert_code(const spry_matrix *matrix, spry_format format) {
    return instance_of(matrix->backend, matrix)->convert[format];
}

/* Instances one after the other: all of one backend, then of the next; null past the last. */
static const struct spry_instance *instance_at(size_t i) {
    const size_t each = (size_t)SPRY_TYPE_COUNT * SPRY_INDEX_COUNT;
    for (int backend = 0; backend < SPRY_BACKEND_COUNT; backend++) {
        const struct spry_backend_code *code = spry_backend_code((spry_backend)backend);
        if (!code)
            continue;
        if (i < each)
            return code->instance[i / SPRY_INDEX_COUNT][i % SPRY_INDEX_COUNT];
        i -= each;
    }
    return NULL;
}

/* A list of rows, and how many rows are before it. */
struct place {
    size_t instance, list, before;
};

/* Rows are asked for one after the other: a search goes on where the thread's last one ended. */
static _Thread_local struct place last;

const spry_kernel *spry_kernel_at(size_t i) {
    struct place at = i >= last.before ? last : (struct place){0};
    const struct spry_instance *instance;
    for (; (instance = instance_at(at.instance)); at.instance++, at.list = 0)
        for (; at.list < instance->lists; at.before += instance->list[at.list++]->count)
            if (i - at.before < instance->list[at.list]->count) {
                last = at;
                return &instance->list[at.list]->rows[i - at.before];
            }
    return NULL;
}

static size_t count_rows(void) {
    const struct spry_instance *instance;
    size_t count = 0;
    for (size_t number = 0; (instance = instance_at(number)); number++)
        for (size_t l = 0; l < instance->lists; l++)
            count += instance->list[l]->count;
    return count;
}

size_t spry_kernel_count(void) {
    static _Thread_local size_t count;
    if (count == 0)
        count = count_rows();
    return count;
}

static const spry_kernel_info no_kernel = {
    .name = "",
    .format = SPRY_NO_FORMAT,
    .values = SPRY_NO_VALUES,
    .columns = SPRY_NO_COLUMNS,
    .op = SPRY_NO_OP,
    .backend = SPRY_NO_BACKEND,
    .type = SPRY_NO_TYPE,
    .index = SPRY_NO_INDEX,
    .needs = "",
};

static spry_kernel_info describe(const spry_kernel *kernel) {
    return (spry_kernel_info){
        .name = kernel->name,
        .format = kernel->format,
        .values = kernel->values,
        .op = kernel->op,
        .backend = kernel->backend,
        .type = kernel->type,
        .index = kernel->index,
        .needs = kernel->backend == SPRY_CUDA ? "cuda" : spry_cpu_feature_words(kernel->needs),
        .nondeterministic = kernel->nondeterministic,
        .many = kernel->many,
        .columns = kernel->columns,
    };
}

void spry_kernel_get_info(const spry_kernel *kernel, spry_kernel_info *info, size_t size) {
    spry_kernel_info known = kernel ? describe(kernel) : no_kernel;
    spry_fill(&known, sizeof known, info, size);
}

int spry_kernel_runs(const spry_context *context, const spry_kernel *kernel) {
    return context && kernel && kernel->backend == context->backend &&
           (kernel->needs & ~context->cpu_features) == 0 && !spry_is_disabled(context, kernel->name);
}

int spry_kernel_takes(const spry_kernel *kernel, const spry_matrix *matrix) {
    return kernel && matrix && kernel->backend == matrix->backend && kernel->format == matrix->format &&
           kernel->values == matrix->values && kernel->columns == matrix->columns &&
           kernel->type == matrix->type && kernel->index == matrix->index &&
           (!kernel->takes || kernel->takes(matrix));
}

struct spry_kernel_walk spry_walk_kernels(const spry_matrix *like) {
    const struct spry_instance *instance = instance_of(like->backend, like);
    return (struct spry_kernel_walk){.list = instance->list, .lists = instance->lists};
}

const spry_kernel *spry_next_kernel(struct spry_kernel_walk *walk) {
    for (; walk->lists > 0; walk->list++, walk->lists--, walk->row = 0)
        if (walk->row < (*walk->list)->count)
            return &(*walk->list)->rows[walk->row++];
    return NULL;
}

bool spry_may_choose(const spry_context *context, const spry_kernel *kernel) {
    return spry_kernel_runs(context, kernel) && (!kernel->nondeterministic || context->nondeterministic);
}

/* The plain kernels come first; a later one that this machine runs overrides them. */
static void choose_last(const spry_context *context, spry_matrix *matrix, bool many) {
    const spry_kernel **chosen = many ? matrix->many : matrix->kernel, *kernel;
    struct spry_kernel_walk walk = spry_walk_kernels(matrix);
    while ((kernel = spry_next_kernel(&walk)))
        if (kernel->many == many && spry_kernel_takes(kernel, matrix) && spry_may_choose(context, kernel))
            chosen[kernel->op] = kernel;
}

spry_status spry_choose_kernels(spry_context *context, spry_matrix *matrix) {
    matrix->kernel[SPRY_N] = matrix->kernel[SPRY_T] = NULL;
    matrix->many[SPRY_N] = matrix->many[SPRY_T] = NULL;
    choose_last(context, matrix, false);
    spry_status status = context->code->choose(context, matrix);
    /* Whether those for many columns take a matrix may depend on what suits one. */
    choose_last(context, matrix, true);
    return status;
}

spry_status spry_check_kernel(spry_context *context, const spry_matrix *matrix, spry_op op) {
    if (matrix->kernel[op])
        return SPRY_OK;
    return spry_fail(context, SPRY_ERROR_UNSUPPORTED, "every kernel for %s %s %s%s was disabled",
                     spry_format_name(matrix->format), spry_type_name(matrix->type),
                     spry_index_name(matrix->index), op == SPRY_T ? " transposed" : "");
}

const spry_kernel *spry_kernel_for(const spry_matrix *matrix, spry_op op) {
    return matrix && (unsigned)op < SPRY_OP_COUNT ? matrix->kernel[op] : NULL;
}
