/* SPDX-License-Identifier: BSD-3-Clause */
/* The one table, over the instances for each pair of value and index type. */
#include <string.h>

#include "core/cpu.h"
#include "core/instance.h"

extern const struct spry_instance spry_instance_f32_i32, spry_instance_f32_i32p64, spry_instance_f32_i64,
    spry_instance_f64_i32, spry_instance_f64_i32p64, spry_instance_f64_i64;

static const struct spry_instance *const instances[SPRY_TYPE_COUNT][SPRY_INDEX_COUNT] = {
    [SPRY_F32] = {&spry_instance_f32_i32, &spry_instance_f32_i32p64, &spry_instance_f32_i64},
    [SPRY_F64] = {&spry_instance_f64_i32, &spry_instance_f64_i32p64, &spry_instance_f64_i64},
};

const struct spry_format_code *spry_format_code(spry_format format, spry_type type, spry_index index) {
    return instances[type][index]->format[format];
}

const struct spry_convert_code *spry_convert_code(spry_format format, spry_type type, spry_index index) {
    return instances[type][index]->convert[format];
}

/* Row i of one instance, which is shortened by as many rows as there are; null when it has too few. */
static const spry_kernel *row_of(const struct spry_instance *instance, size_t *i) {
    for (size_t l = 0; l < instance->lists; l++) {
        if (*i < instance->list[l]->count)
            return &instance->list[l]->rows[*i];
        *i -= instance->list[l]->count;
    }
    return NULL;
}

const spry_kernel *spry_kernel_at(size_t i) {
    for (int type = 0; type < SPRY_TYPE_COUNT; type++)
        for (int index = 0; index < SPRY_INDEX_COUNT; index++) {
            const spry_kernel *kernel = row_of(instances[type][index], &i);
            if (kernel)
                return kernel;
        }
    return NULL;
}

size_t spry_kernel_count(void) {
    size_t count = 0;
    for (int type = 0; type < SPRY_TYPE_COUNT; type++)
        for (int index = 0; index < SPRY_INDEX_COUNT; index++)
            for (size_t l = 0; l < instances[type][index]->lists; l++)
                count += instances[type][index]->list[l]->count;
    return count;
}

spry_kernel_info spry_kernel_describe(const spry_kernel *kernel) {
    const struct spry_cpu_feature_name *feature = spry_cpu_feature_names;
    while (feature->bit && !(feature->bit & kernel->needs))
        feature++;
    return (spry_kernel_info){
        .name = kernel->name,
        .format = kernel->format,
        .op = kernel->op,
        .backend = kernel->backend,
        .type = kernel->type,
        .index = kernel->index,
        .needs = feature->bit ? feature->name : "",
    };
}

int spry_kernel_runs(const spry_context *context, const spry_kernel *kernel) {
    return (kernel->needs & ~context->cpu_features) == 0 && !spry_is_disabled(context, kernel->name);
}

int spry_kernel_takes(const spry_kernel *kernel, const spry_matrix *matrix) {
    return kernel->format == matrix->format && kernel->type == matrix->type &&
           kernel->index == matrix->index && (!kernel->takes || kernel->takes(matrix));
}

void spry_choose_kernels(const spry_context *context, spry_matrix *matrix) {
    const struct spry_instance *instance = instances[matrix->type][matrix->index];
    matrix->kernel[SPRY_N] = matrix->kernel[SPRY_T] = NULL;
    /* The plain kernels come first; a later one that this machine runs overrides them where it suits. */
    for (size_t l = 0; l < instance->lists; l++)
        for (size_t i = 0; i < instance->list[l]->count; i++) {
            const spry_kernel *kernel = &instance->list[l]->rows[i], **chosen = &matrix->kernel[kernel->op];
            if (spry_kernel_takes(kernel, matrix) && spry_kernel_runs(context, kernel) &&
                (!*chosen || !kernel->suits || kernel->suits(context, matrix)))
                *chosen = kernel;
        }
}

const spry_kernel *spry_kernel_for(const spry_matrix *matrix, spry_op op) {
    return matrix && (unsigned)op < SPRY_OP_COUNT ? matrix->kernel[op] : NULL;
}
