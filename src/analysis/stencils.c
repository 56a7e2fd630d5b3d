/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/stencils.h"

#include <math.h>
#include <string.h>

#include "analysis/kinds.h"
#include "analysis/stencil_key.h"
#include "analysis/work.h"
#include "core/backend.h"
#include "core/bits.h"
#include "core/hash.h"
#include "core/integers.h"

/* ---- keys of rows on the host ---- */

/* Values are told apart by the bits that they are kept in: their own, or codes of any size. */
static uint64_t key_of(const spry_matrix *csr, int64_t row, int64_t begin, int64_t length, bool with_values) {
    const size_t index = spry_index_size(csr->index), value = spry_stored_size(csr->type, csr->values);
    const int64_t most = length < SPRY_STENCIL_ENTRIES ? length : SPRY_STENCIL_ENTRIES;
    uint64_t key = spry_stencil_key(0, length);
    for (int64_t k = begin; k < begin + most; k++) {
        const int64_t offset = load_integer(csr->csr.idx, index, k) - csr->csr.base - row;
        key = with_values ? spry_stencil_add(key, offset, load_bits(csr->csr.val, value, k))
                          : spry_mix(key, (uint64_t)offset);
    }
    return key;
}

static struct spry_alike look(const spry_matrix *csr, int64_t count, bool with_values) {
    const struct spry_windows windows = spry_row_sample_of(csr->rows);
    const size_t size = spry_pointer_size(csr->index);
    uint64_t key[SPRY_ROW_SAMPLE];
    int64_t length[SPRY_ROW_SAMPLE];
    for (int64_t s = 0, row = 0; s < count; s++) {
        row = s % SPRY_ROW_WINDOW ? row + 1 : spry_row_sampled(windows, s);
        const int64_t begin = load_integer(csr->csr.ptr, size, row);
        length[s] = load_integer(csr->csr.ptr, size, row + 1) - begin;
        key[s] = key_of(csr, row, begin - csr->csr.base, length[s], with_values);
    }
    return spry_count_alike(count, key, length);
}

void spry_look_at_shapes(const spry_matrix *csr, struct spry_features *features) {
    features->alike_rows = spry_row_sample_size(spry_row_sample_of(csr->rows), csr->rows);
    features->shapes = look(csr, features->alike_rows, false);
}

void spry_look_at_stencils(const spry_matrix *csr, struct spry_features *features) {
    features->stencils = look(csr, features->alike_rows, true);
}

/* ---- keys counted ---- */

_Static_assert(SPRY_ROW_SAMPLE <= SPRY_KINDS_MOST, "the table has room for all rows of a sample");

/* Whether a row of a sample has another stencil than that of the row `period` before it in its window. */
static bool is_break(const uint64_t *key, int64_t s, int64_t period) {
    return s % SPRY_ROW_WINDOW >= period && key[s] != key[s - period];
}

static int64_t count_breaks(int64_t rows, const uint64_t *key, int64_t period) {
    int64_t breaks = 0;
    for (int64_t s = 0; s < rows; s++)
        breaks += is_break(key, s, period);
    return breaks;
}

/* The period with the fewest breaks; a longer one only where it has half of them. */
static void find_period(int64_t rows, const uint64_t *key, struct spry_alike *alike) {
    alike->period = 1;
    alike->breaks = count_breaks(rows, key, 1);
    for (int64_t period = 2; period <= SPRY_STENCIL_PERIODS; period++) {
        const int64_t breaks = count_breaks(rows, key, period);
        if (2 * breaks >= alike->breaks)
            continue;
        alike->period = period;
        alike->breaks = breaks;
    }
}

struct spry_alike spry_count_alike(int64_t rows, const uint64_t *key, const int64_t *length) {
    struct spry_alike alike = {0};
    struct spry_kinds kinds;
    memset(&kinds, 0, sizeof kinds);
    find_period(rows, key, &alike);
    for (int64_t s = 0; s < rows; s++) {
        const int often = spry_kinds_add(&kinds, key, s);
        alike.sampled += length[s];
        alike.longest = length[s] > alike.longest ? length[s] : alike.longest;
        alike.entries += often == 1 ? length[s] : 0;
        alike.single += often == 1 ? length[s] : often == 2 ? -length[s] : 0;
        alike.broken += is_break(key, s, alike.period) ? length[s] : 0;
    }
    alike.kinds = kinds.count;
    alike.once = kinds.once;
    return alike;
}

/* ---- all rows ---- */

/* What `seen` of the sample's entries stands for among so many of the matrix. Entries are counted by entries, not by rows: where a few
   rows have most of them, as in many a graph, rows of a sample are not as long as all are in the mean. Rows longer than any of it
   are taken to be unlike all others. */
static double of_entries(const struct spry_features *features, const struct spry_alike *alike, double entries,
                         double seen) {
    const double share = alike->sampled > 0 ? seen / (double)alike->sampled : 1,
                 rare = spry_entries_of_longer(features, alike->longest);
    return rare < entries ? rare + (entries - rare) * (share < 1 ? share : 1) : entries;
}

void spry_expected_kinds(const struct spry_features *features, const struct spry_alike *alike, double *count,
                         double *entries) {
    *count = *entries = 0;
    if (features->alike_rows == 0)
        return;
    const double looked_at = (double)features->alike_rows;
    *count = (double)alike->kinds + ((double)features->rows - looked_at) * (double)alike->once / looked_at;
    *entries = (double)alike->entries +
               of_entries(features, alike, (double)(features->nnz - alike->sampled), (double)alike->single);
}

/* The share of the sample's rows that may begin a run, as `period` rows before them are in their window. */
static double followers(const struct spry_features *features, const struct spry_alike *alike) {
    const double rows = (double)features->alike_rows, windows = ceil(rows / SPRY_ROW_WINDOW),
                 pairs = rows - windows * (double)alike->period;
    return pairs > 0 ? pairs / rows : 0;
}

double spry_expected_runs(const struct spry_features *features, const struct spry_alike *alike) {
    const double share = followers(features, alike);
    if (features->alike_rows == 0)
        return 0;
    return 1 + (share > 0 ? (double)alike->breaks / (double)features->alike_rows / share *
                                ((double)features->rows - 1)
                          : 0);
}

double spry_expected_first_entries(const struct spry_features *features, const struct spry_alike *alike) {
    const double share = followers(features, alike), mean = (double)features->nnz / (double)features->rows;
    if (features->alike_rows == 0)
        return 0;
    return mean + (share > 0 ? of_entries(features, alike, (double)features->nnz - mean,
                                          (double)alike->broken / share)
                             : 0);
}
