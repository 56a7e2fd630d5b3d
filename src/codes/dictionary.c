/* SPDX-License-Identifier: BSD-3-Clause */
/* Codes that are numbers of values in a table: of the one that all entries have, of up to 256 or of up to 65536. */
#include "codes/coder.h"
#include "codes/distinct.h"
#include "codes/table.h"
#include "core/bits.h"
#include "core/split.h"
#include "core/team.h"

/* Threads that look for different values, at most: each has a set of its own. */
#define SEEKERS 16

/* Each thread goes over its share. A set that would take no more ends it. */
static void collect_shares(const spry_context *context, const struct spry_coded *how, int parts, int64_t n,
                           const void *values, struct spry_distinct *set, bool *full) {
#pragma omp parallel for num_threads(spry_team_over(context, n)) schedule(static, 1)
    for (int p = 0; p < parts; p++) {
        const int64_t end = spry_share(n, p + 1, parts);
        struct spry_distinct mine = set[p];
        full[p] = false;
        for (int64_t k = spry_share(n, p, parts); k < end && !full[p]; k++)
            full[p] = !spry_distinct_add(&mine, spry_value_bits(how->type, values, k));
        set[p] = mine;
    }
}

/* All that others have, put into the first set. */
static bool join(struct spry_distinct *set, int parts, const bool *full) {
    bool all = !full[0];
    for (int p = 1; p < parts && all; p++) {
        all = !full[p];
        for (int64_t i = 0; i < set[p].slots && all; i++)
            all = spry_distinct_add(&set[0], set[p].slot[i]);
    }
    return all;
}

static spry_status collect(spry_context *context, const struct spry_coded *how, int64_t n, const void *values,
                           uint64_t *bits, int64_t *count) {
    const int worth = spry_part_count(context, n), parts = worth < SEEKERS ? worth : SEEKERS;
    const int64_t most = n < how->coder->most ? n : how->coder->most, slots = spry_distinct_slots(most);
    struct spry_distinct set[SEEKERS];
    bool full[SEEKERS];
    void *pointer;
    *count = 0;
    if (n == 0)
        return SPRY_OK;
    spry_status status = spry_allocate(context, (size_t)(parts * slots), sizeof *bits, &pointer);
    if (status)
        return status;
    for (int p = 0; p < parts; p++)
        set[p] =
            spry_distinct_in((uint64_t *)pointer + p * slots, most, spry_value_bits(how->type, values, 0));
    collect_shares(context, how, parts, n, values, set, full);
    *count = join(set, parts, full) ? set[0].count : most + 1;
    if (*count <= most)
        spry_distinct_list(&set[0], bits);
    spry_release(&context->allocator, pointer, (size_t)(parts * slots), sizeof *bits);
    return SPRY_OK;
}

/* The number of a value in the table, whose first `reach` are searched; of one that is not there, any. */
static int64_t code_of(const struct spry_coded *how, int64_t reach, uint64_t bits) {
    int64_t code = 0;
    for (int64_t half = reach / 2; half > 0; half /= 2)
        if (spry_value_bits(how->type, how->table.values, code + half - 1) < bits)
            code += half;
    return code < how->table.count ? code : how->table.count - 1;
}

/* Each code is looked up again: what it does not give back is broken, but for a zero, which pads the layout. */
static spry_status encode(spry_context *context, const struct spry_coded *how, int64_t n, const void *values,
                          void *codes, int64_t *broken) {
    const int64_t reach = spry_table_reach(how);
    int64_t first = n;
#pragma omp parallel for num_threads(spry_team_over(context, n)) reduction(min : first)
    for (int64_t k = 0; k < n; k++) {
        const uint64_t bits = spry_value_bits(how->type, values, k);
        const int64_t code = code_of(how, reach, bits);
        store_bits(codes, how->coder->size, k, (uint64_t)code);
        if (spry_value_bits(how->type, how->table.values, code) != bits && bits != 0 && k < first)
            first = k;
    }
    *broken = first;
    return SPRY_OK;
}

static int64_t code_at(const struct spry_coded *how, const void *codes, int64_t k) {
    return (int64_t)load_bits(codes, how->coder->size, k);
}

static spry_status decode(spry_context *context, const struct spry_coded *how, int64_t n, const void *codes,
                          void *values) {
    const size_t size = spry_type_size(how->type);
#pragma omp parallel for num_threads(spry_team_over(context, n))
    for (int64_t k = 0; k < n; k++)
        memcpy((char *)values + (size_t)k * size,
               (const char *)how->table.values + (size_t)code_at(how, codes, k) * size, size);
    return SPRY_OK;
}

static spry_status check(spry_context *context, const struct spry_coded *how, int64_t n, const void *codes,
                         int64_t *broken) {
    int64_t first = n;
#pragma omp parallel for num_threads(spry_team_over(context, n)) reduction(min : first)
    for (int64_t k = 0; k < n; k++)
        if (code_at(how, codes, k) >= how->table.count && k < first)
            first = k;
    *broken = first;
    return SPRY_OK;
}

const struct spry_value_coder spry_cpu_constant = {
    .size = 0, .most = 1, .encode = encode, .decode = decode, .collect = collect, .check = check};
const struct spry_value_coder spry_cpu_dict8 = {
    .size = 1, .most = 1 << 8, .encode = encode, .decode = decode, .collect = collect, .check = check};
const struct spry_value_coder spry_cpu_dict16 = {
    .size = 2, .most = 1 << 16, .encode = encode, .decode = decode, .collect = collect, .check = check};
