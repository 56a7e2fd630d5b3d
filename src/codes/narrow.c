/* SPDX-License-Identifier: BSD-3-Clause */
/* Narrow columns: 16 bits each, counted from the smallest column of the group. */
#include "codes/columns.h"
#include "core/team.h"
#include "core/tmpl.h"

/* The slots of a group: rows of `width` of them, which lie side by side. All rows have the first `full` of theirs. */
struct group {
    int64_t first, width, height, full;
    const idx_t *len; /* null where all slots are entries */
};

static int64_t least_of(const idx_t *len, int64_t count) {
    idx_t least = len[0];
    for (int64_t r = 1; r < count; r++)
        least = len[r] < least ? len[r] : least;
    return least;
}

static int64_t begin_of(const struct spry_column_groups *groups, int64_t g) {
    const int64_t unit = g * groups->each < groups->units ? g * groups->each : groups->units;
    return (int64_t)((const ptr_t *)groups->ptr)[unit] * groups->step;
}

static struct group group_at(const struct spry_column_groups *groups, int64_t g) {
    const int64_t first = begin_of(groups, g), width = (begin_of(groups, g + 1) - first) / groups->height;
    const idx_t *len = groups->len ? (const idx_t *)groups->len + g * groups->height : NULL;
    return (struct group){first, width, groups->height, len ? least_of(len, groups->height) : width, len};
}

static struct spry_column_span span_of(const struct group *group, int64_t g, const idx_t *columns) {
    const idx_t *column = columns + group->first;
    const int64_t all = group->full * group->height;
    idx_t low = (idx_t)((unsigned_idx_t)-1 >> 1), high = -1; /* the largest there is */
    for (int64_t k = 0; k < all; k++) {
        low = column[k] < low ? column[k] : low;
        high = column[k] > high ? column[k] : high;
    }
    column += all;
    for (int64_t k = group->full; k < group->width; k++, column += group->height)
        for (int64_t r = 0; r < group->height; r++)
            if (k < group->len[r]) {
                low = column[r] < low ? column[r] : low;
                high = column[r] > high ? column[r] : high;
            }
    return high < 0 ? (struct spry_column_span){g, 0, 0} : (struct spry_column_span){g, low, high};
}

static void encode_group(const struct group *group, const idx_t *columns, idx_t base, uint16_t *codes) {
    const idx_t *column = columns + group->first;
    uint16_t *code = codes + group->first;
    const int64_t all = group->full * group->height;
    for (int64_t k = 0; k < all; k++)
        code[k] = (uint16_t)(column[k] - base);
    column += all;
    code += all;
    for (int64_t k = group->full; k < group->width; k++, column += group->height, code += group->height)
        for (int64_t r = 0; r < group->height; r++)
            code[r] = k < group->len[r] ? (uint16_t)(column[r] - base) : 0;
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
