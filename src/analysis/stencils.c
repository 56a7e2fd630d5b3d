/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/stencils.h"

#include <math.h>
#include <string.h>

#include "analysis/stencil_key.h"
#include "analysis/work.h"
#include "core/backend.h"
#include "core/integers.h"

/* ---- keys of rows on the host ---- */

/* The bits of value k. */
static uint64_t bits_at(const void *val, size_t size, int64_t k) {
    return size == sizeof(uint64_t) ? ((const uint64_t *)val)[k] : ((const uint32_t *)val)[k];
}

static uint64_t key_of(const spry_matrix *csr, int64_t row, int64_t begin, int64_t length, bool with_values) {
    const size_t index = spry_index_size(csr->index), value = spry_stored_size(csr->type, csr->values);
    const int64_t most = length < SPRY_STENCIL_ENTRIES ? length : SPRY_STENCIL_ENTRIES;
    uint64_t key = spry_stencil_key(0, length);
    for (int64_t k = begin; k < begin + most; k++) {
        const int64_t offset = load_integer(csr->csr.idx, index, k) - csr->csr.base - row;
        key = with_values ? spry_stencil_add(key, offset, bits_at(csr->csr.val, value, k))
                          : spry_stencil_mix(key, (uint64_t)offset);
    }
    return key;
}

static struct spry_alike look(const spry_matrix *csr, int64_t count, bool with_values) {
    const struct spry_stencil_windows windows = spry_stencil_windows_of(csr->rows);
    const size_t size = spry_pointer_size(csr->index);
    uint64_t key[SPRY_STENCIL_SAMPLE];
    int64_t length[SPRY_STENCIL_SAMPLE];
    for (int64_t s = 0; s < count; s++) {
        const int64_t row = spry_stencil_sampled(windows, s), begin = load_integer(csr->csr.ptr, size, row);
        length[s] = load_integer(csr->csr.ptr, size, row + 1) - begin;
        key[s] = key_of(csr, row, begin - csr->csr.base, length[s], with_values);
    }
    return spry_count_alike(count, key, length);
}

void spry_look_at_stencils(const spry_matrix *csr, struct spry_features *features) {
    const int64_t rows = spry_stencil_sample_rows(spry_stencil_windows_of(csr->rows), csr->rows);
    features->alike_rows = rows;
    features->stencils = look(csr, rows, true);
    features->shapes = look(csr, rows, false);
}

/* ---- keys counted ---- */

/* Places of an open addressing table, twice as many as there are keys. Each has 1 + the number of the first row of the sample
   with a key, or 0. */
#define PLACES (2 * SPRY_STENCIL_SAMPLE)

struct seen {
    uint16_t first[PLACES];
    uint16_t often[SPRY_STENCIL_SAMPLE]; /* by the first row that has the key */
};

static uint16_t *place_of(struct seen *seen, const uint64_t *key, uint64_t wanted) {
    uint64_t at = wanted % PLACES;
    while (seen->first[at] != 0 && key[seen->first[at] - 1] != wanted)
        at = (at + 1) % PLACES;
    return &seen->first[at];
}

/* Rows of a sample that have another stencil than that of the row `period` before them in their window. */
static int64_t count_breaks(int64_t rows, const uint64_t *key, int64_t period) {
    int64_t breaks = 0;
    for (int64_t s = 0; s < rows; s++)
        breaks += s % SPRY_STENCIL_WINDOW >= period && key[s] != key[s - period];
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
    struct spry_alike alike = {0, 0, 0, 0, 0};
    struct seen seen;
    memset(&seen, 0, sizeof seen);
    find_period(rows, key, &alike);
    for (int64_t s = 0; s < rows; s++) {
        uint16_t *first = place_of(&seen, key, key[s]);
        if (*first == 0) {
            *first = (uint16_t)(s + 1);
            alike.kinds++;
            alike.entries += length[s];
        }
        const int often = ++seen.often[*first - 1];
        alike.once += often == 1 ? 1 : often == 2 ? -1 : 0;
    }
    return alike;
}

/* ---- all rows ---- */

void spry_expected_kinds(const struct spry_features *features, const struct spry_alike *alike, double *count,
                         double *entries) {
    *count = *entries = 0;
    if (features->alike_rows == 0)
        return;
    const double looked_at = (double)features->alike_rows, kinds = (double)alike->kinds,
                 others = ((double)features->rows - looked_at) * (double)alike->once / looked_at,
                 length = (double)alike->entries / kinds;
    *count = kinds + others;
    *entries = *count * length;
    if (*entries > (double)features->nnz)
        *entries = (double)features->nnz;
}

double spry_expected_runs(const struct spry_features *features, const struct spry_alike *alike) {
    if (features->alike_rows == 0)
        return 0;
    const double windows = ceil((double)features->alike_rows / SPRY_STENCIL_WINDOW),
                 pairs = (double)features->alike_rows - windows * (double)alike->period;
    return pairs > 0 ? 1 + (double)alike->breaks / pairs * ((double)features->rows - 1) : 1;
}
