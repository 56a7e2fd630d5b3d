/* SPDX-License-Identifier: BSD-3-Clause */
/* Narrow columns: 16 bits each, counted from the smallest column of the group. */
#include "codes/columns.h"
#include "core/team.h"
#include "core/tmpl.h"

/* The slots of a group: rows of `width` of them, which lie side by side. */
struct group {
    int64_t first, width, height;
    const idx_t *len; /* null where all slots are entries */
};

static int64_t begin_of(const struct spry_column_groups *groups, int64_t g) {
    const int64_t unit = g * groups->each < groups->units ? g * groups->each : groups->units;
    return (int64_t)((const ptr_t *)groups->ptr)[unit] * groups->step;
}

static struct group group_at(const struct spry_column_groups *groups, int64_t g) {
    const int64_t first = begin_of(groups, g), count = begin_of(groups, g + 1) - first;
    const idx_t *len = groups->len;
    return (struct group){first, count / groups->height, groups->height,
                          len ? len + g * groups->height : NULL};
}

static bool is_entry(const struct group *group, int64_t k, int64_t r) {
    return !group->len || k < group->len[r];
}

static struct spry_column_span span_of(const struct group *group, int64_t g, const idx_t *columns) {
    const idx_t *column = columns + group->first;
    int64_t low = INT64_MAX, high = -1;
    for (int64_t k = 0; k < group->width; k++, column += group->height)
        for (int64_t r = 0; r < group->height; r++) {
            if (!is_entry(group, k, r))
                continue;
            low = column[r] < low ? column[r] : low;
            high = column[r] > high ? column[r] : high;
        }
    return high < 0 ? (struct spry_column_span){g, 0, 0} : (struct spry_column_span){g, low, high};
}

static void encode_group(const struct group *group, const idx_t *columns, idx_t base, uint16_t *codes) {
    const idx_t *column = columns + group->first;
    uint16_t *code = codes + group->first;
    for (int64_t k = 0; k < group->width; k++, column += group->height, code += group->height)
        for (int64_t r = 0; r < group->height; r++)
            code[r] = is_entry(group, k, r) ? (uint16_t)(column[r] - base) : 0;
}

static spry_status encode(spry_context *context, const struct spry_column_groups *groups, const void *columns,
                          void *codes, void *bases, struct spry_column_span *span) {
    const int64_t count = spry_group_count(groups);
    int64_t first = count;
#pragma omp parallel for num_threads(spry_team_over(context, groups->slots)) reduction(min : first)
    for (int64_t g = 0; g < count; g++) {
        const struct group group = group_at(groups, g);
        const struct spry_column_span here = span_of(&group, g, columns);
        ((idx_t *)bases)[g] = (idx_t)here.low;
        if (here.high - here.low >= SPRY_NARROW_COLUMNS)
            first = g < first ? g : first;
        else
            encode_group(&group, columns, (idx_t)here.low, codes);
    }
    span->group = first;
    if (first < count) {
        const struct group group = group_at(groups, first);
        *span = span_of(&group, first, columns);
    }
    return SPRY_OK;
}

static spry_status decode(spry_context *context, const struct spry_column_groups *groups, const void *codes,
                          const void *bases, void *columns) {
    const int64_t count = spry_group_count(groups);
#pragma omp parallel for num_threads(spry_team_over(context, groups->slots))
    for (int64_t g = 0; g < count; g++) {
        const unsigned_idx_t base = (unsigned_idx_t)((const idx_t *)bases)[g];
        for (int64_t k = begin_of(groups, g); k < begin_of(groups, g + 1); k++)
            ((idx_t *)columns)[k] = (idx_t)(base + ((const uint16_t *)codes)[k]);
    }
    return SPRY_OK;
}

/* A base may be 0 where there are no columns. */
static bool is_column(int64_t base, int64_t cols) {
    return base == 0 || (base > 0 && base < cols);
}

static spry_status check(spry_context *context, const struct spry_column_groups *groups, int64_t cols,
                         const void *bases, struct spry_group_faults *faults) {
    const int64_t count = spry_group_count(groups), most = groups->slots / groups->step;
    const ptr_t *ptr = groups->ptr;
    int64_t slots = count, base = count;
#pragma omp parallel for num_threads(spry_team_over(context, groups->units)) reduction(min : slots, base)
    for (int64_t g = 0; g < count; g++) {
        const int64_t last = g + 1 < count ? (g + 1) * groups->each : groups->units,
                      begin = ptr[g * groups->each], end = ptr[last];
        if (begin < 0 || end < begin || end > most)
            slots = g < slots ? g : slots;
        if (!is_column(((const idx_t *)bases)[g], cols))
            base = g < base ? g : base;
    }
    *faults = (struct spry_group_faults){slots, base};
    return SPRY_OK;
}

extern const struct spry_column_coder NAME(spry_narrow_columns);
const struct spry_column_coder NAME(spry_narrow_columns) = {
    .encode = encode, .decode = decode, .check = check};
