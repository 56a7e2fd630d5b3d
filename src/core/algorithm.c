/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of algorithms, over the instances for each backend and number type. */
#include "core/algorithm.h"
#include "core/backend.h"
#include "core/cpu.h"
#include "core/sized.h"
#include "core/word.h"

/* Instances one after the other: all of one backend, then of the next; null past the last. */
static const struct spry_number_instance *instance_at(size_t i) {
    for (int backend = 0; backend < SPRY_BACKEND_COUNT; backend++) {
        const struct spry_backend_code *code = spry_backend_code((spry_backend)backend);
        if (code && i < SPRY_NUMBER_COUNT)
            return code->numbers[i];
        if (code)
            i -= SPRY_NUMBER_COUNT;
    }
    return NULL;
}

/* Row *i of an instance; where it has fewer, null, and *i is less by their number. */
static const spry_algorithm *row_of(const struct spry_number_instance *instance, size_t *i) {
    for (size_t l = 0; l < instance->lists; l++) {
        if (*i < instance->list[l]->count)
            return &instance->list[l]->rows[*i];
        *i -= instance->list[l]->count;
    }
    return NULL;
}

const spry_algorithm *spry_algorithm_at(size_t i) {
    const struct spry_number_instance *instance;
    for (size_t number = 0; (instance = instance_at(number)); number++) {
        const spry_algorithm *algorithm = row_of(instance, &i);
        if (algorithm)
            return algorithm;
    }
    return NULL;
}

size_t spry_algorithm_count(void) {
    size_t count = 0;
    while (spry_algorithm_at(count))
        count++;
    return count;
}

static const spry_algorithm_info no_algorithm = {"", SPRY_NO_PRIMITIVE, SPRY_NO_BACKEND, SPRY_NO_NUMBER, ""};

static spry_algorithm_info describe(const spry_algorithm *algorithm) {
    return (spry_algorithm_info){
        .name = algorithm->name,
        .primitive = algorithm->primitive,
        .backend = algorithm->backend,
        .number = algorithm->number,
        .needs = algorithm->backend == SPRY_CUDA ? "cuda" : spry_cpu_feature_words(algorithm->needs),
    };
}

void spry_algorithm_get_info(const spry_algorithm *algorithm, spry_algorithm_info *info, size_t size) {
    spry_algorithm_info known = algorithm ? describe(algorithm) : no_algorithm;
    spry_fill(&known, sizeof known, info, size);
}

int spry_algorithm_runs(const spry_context *context, const spry_algorithm *algorithm) {
    return context && algorithm && algorithm->backend == context->backend &&
           (algorithm->needs & ~context->cpu_features) == 0 && !spry_is_disabled(context, algorithm->name);
}

const spry_algorithm *spry_algorithm_for(const spry_context *context, spry_primitive primitive,
                                         spry_number number) {
    return context && (size_t)primitive < SPRY_PRIMITIVE_COUNT && (size_t)number < SPRY_NUMBER_COUNT
               ? context->algorithm[primitive][number]
               : NULL;
}

bool spry_is_algorithm(const char *name, size_t length) {
    const spry_algorithm *algorithm;
    for (size_t i = 0; (algorithm = spry_algorithm_at(i)); i++)
        if (spry_is_name(name, length, algorithm->name))
            return true;
    return false;
}

void spry_choose_algorithms(spry_context *context, const char *wanted) {
    bool asked[SPRY_PRIMITIVE_COUNT][SPRY_NUMBER_COUNT] = {0};
    const spry_algorithm *algorithm;
    for (size_t i = 0; (algorithm = spry_algorithm_at(i)); i++) {
        bool named = spry_in_list(wanted, algorithm->name);
        if (!spry_algorithm_runs(context, algorithm) ||
            (asked[algorithm->primitive][algorithm->number] && !named))
            continue;
        asked[algorithm->primitive][algorithm->number] |= named;
        context->algorithm[algorithm->primitive][algorithm->number] = algorithm;
    }
}
