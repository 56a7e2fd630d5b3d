/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns and values as kernels on a device read them. A kernel file whose layouts have codes is compiled twice: for columns and
   values as they are, and with SPRY_TMPL_CODE for all codes, among which its kernels choose as they run. All threads of a
   kernel choose the same, and once for all loads that are to be in flight together.

   A narrow column is loaded as 16 bits, to which the base of its group is added: by the kernel, which knows the row, or by
   what it asks struct base_finder. */
#ifndef SPRY_STORED_CUH
#define SPRY_STORED_CUH

#include "cuda/find.cuh"

extern "C" {
#include "codes/columns.h"
}

#ifdef SPRY_TMPL_CODE

/* The name of what there is once for plain values and once for all codes. */
#define CODED(name) TMPL_PASTE(NAME(name), SPRY_TMPL_CODE)

/* What is loaded of a value: its bits, those of a float, or its number in the table, which is zero where that has one only. */
#if SPRY_TMPL_TYPE == 32
typedef uint32_t stored_t;
#else
typedef uint64_t stored_t;
#endif

/* The values of a matrix, or of a part of it. */
struct value_array {
    const void *codes;
    const val_t *table; /* null where there is none */
    int size;           /* bytes of a code; four: a float, eight: a double */

    __host__ __device__ value_array operator+(int64_t n) const {
        return {static_cast<const char *>(codes) + n * size, table, size};
    }
    __device__ value_array &operator+=(int64_t n) {
        return *this = *this + n;
    }
};

static inline value_array value_array_of(const spry_matrix *matrix, void *array) {
    return {array, as<val_t>(matrix->table.values), (int)spry_stored_size(matrix->type, matrix->values)};
}

static __device__ inline value_array no_values() {
    return {nullptr, nullptr, 0};
}

/* Values that are kept as they are, where those are doubles. */
#if SPRY_TMPL_TYPE == 32
static __device__ inline stored_t load_whole(const void *, int64_t) {
    return 0;
}
static __device__ inline val_t whole_value(stored_t) {
    return 0;
}
#else
static __device__ inline stored_t load_whole(const void *values, int64_t k) {
    return stream(static_cast<const unsigned long long *>(values) + k);
}
static __device__ inline val_t whole_value(stored_t stored) {
    return __longlong_as_double((long long)stored);
}
#endif

static __device__ inline stored_t load_stored(const value_array &val, int64_t k) {
    return val.size == 1   ? stream(static_cast<const uint8_t *>(val.codes) + k)
           : val.size == 2 ? stream(static_cast<const uint16_t *>(val.codes) + k)
           : val.size == 4 ? stream(static_cast<const uint32_t *>(val.codes) + k)
           : val.size == 8 ? load_whole(val.codes, k)
                           : 0;
}

static __device__ inline val_t value_of(const value_array &val, stored_t stored) {
    return val.size == 4   ? (val_t)__uint_as_float((uint32_t)stored)
           : val.size == 8 ? whole_value(stored)
                           : __ldg(val.table + stored);
}

static __device__ inline val_t value_at(const value_array &val, int64_t k) {
    return value_of(val, load_stored(val, k));
}

/* The columns of a matrix, or of a part of it. */
struct column_array {
    const void *codes;
    const idx_t *base; /* null where columns are kept as they are */
    const ptr_t *ptr;  /* CSR and CSC: where rows begin */
    int64_t rows;

    __host__ __device__ column_array operator+(int64_t n) const {
        return {static_cast<const char *>(codes) + n * (int64_t)(base ? sizeof(uint16_t) : sizeof(idx_t)),
                base, ptr, rows};
    }
    __device__ column_array &operator+=(int64_t n) {
        return *this = *this + n;
    }
};

/* An array of this matrix, of a layout that may have codes. */
static inline column_array column_array_of(const spry_matrix *matrix, void *array) {
    const bool by_rows = matrix->format == SPRY_CSR || matrix->format == SPRY_CSC;
    return {array, as<idx_t>(matrix->bases), by_rows ? as<ptr_t>(matrix->csr.ptr) : nullptr,
            matrix->format == SPRY_CSC ? matrix->cols : matrix->rows};
}

static __device__ inline column_array no_columns() {
    return {nullptr, nullptr, nullptr, 0};
}

/* What is added to the columns of a group that are loaded. */
static __device__ inline idx_t base_of_group(const column_array &idx, int64_t group) {
    return idx.base ? __ldg(idx.base + group) : 0;
}

static __device__ inline idx_t base_of_row(const column_array &idx, int64_t row) {
    return base_of_group(idx, row / SPRY_NARROW_ROWS);
}

/* The same by an entry of CSR or CSC, for kernels that do not know its row: a warp makes it for the entries that it works on,
   first … last. */
struct base_finder {
    const column_array &idx;
    int64_t group[2];

    __device__ int64_t begin(int64_t g) const {
        return (int64_t)idx.ptr[g * SPRY_NARROW_ROWS];
    }
    __device__ base_finder(const column_array &columns, int64_t first, int64_t last) : idx(columns) {
        group[0] = group[1] = 0;
        if (idx.base)
            find_units((idx.rows + SPRY_NARROW_ROWS - 1) / SPRY_NARROW_ROWS, {first, last}, group,
                       [&](int64_t g) { return begin(g); });
    }
    __device__ idx_t operator()(int64_t entry) const {
        if (!idx.base)
            return 0;
        int64_t g = group[0];
        for (int64_t left = group[1] - g + 1; left > 1; left -= left / 2)
            g += begin(g + left / 2) <= entry ? left / 2 : 0;
        return __ldg(idx.base + g);
    }
};

/* A column without its base, where it is narrow. */
static __device__ inline idx_t load_column(const column_array &idx, int64_t k) {
    return idx.base ? (idx_t)stream(static_cast<const uint16_t *>(idx.codes) + k)
                    : stream(static_cast<const idx_t *>(idx.codes) + k);
}

/* The same of one that is read where other loads need not wait for it. */
static __device__ inline idx_t column_at(const column_array &idx, int64_t k) {
    return load_column(idx, k);
}

template <class Code, int count, class At, class To>
static __device__ inline void load_codes(const void *codes, At at, To (&stored)[count]) {
#pragma unroll
    for (int s = 0; s < count; s++)
        stored[s] = (To)stream(static_cast<const Code *>(codes) + at(s));
}

/* Entries at(0), at(1), …, all asked for before the first is used. */
template <int count, class At>
static __device__ inline void load_entries(const column_array &idx, const value_array &val, At at,
                                           idx_t (&index)[count], stored_t (&stored)[count]) {
    if (idx.base)
        load_codes<uint16_t>(idx.codes, at, index);
    else
        load_codes<idx_t>(idx.codes, at, index);
#pragma unroll
    for (int s = 0; s < count; s++)
        stored[s] = 0;
    if (val.size == 1)
        load_codes<uint8_t>(val.codes, at, stored);
    else if (val.size == 2)
        load_codes<uint16_t>(val.codes, at, stored);
    else if (val.size == 4)
        load_codes<uint32_t>(val.codes, at, stored);
#if SPRY_TMPL_TYPE == 64
    else if (val.size == 8)
        load_codes<unsigned long long>(val.codes, at, stored);
#endif
}

/* Their values. */
template <int count>
static __device__ inline void values_of(const value_array &val, const stored_t (&stored)[count],
                                        val_t (&value)[count]) {
    const val_t one = val.size == 0 ? __ldg(val.table) : 0;
    if (val.size == 4) {
#pragma unroll
        for (int s = 0; s < count; s++)
            value[s] = (val_t)__uint_as_float((uint32_t)stored[s]);
    } else if (val.size == 8) {
#pragma unroll
        for (int s = 0; s < count; s++)
            value[s] = whole_value(stored[s]);
    } else if (val.size == 0) {
#pragma unroll
        for (int s = 0; s < count; s++)
            value[s] = one;
    } else {
#pragma unroll
        for (int s = 0; s < count; s++)
            value[s] = __ldg(val.table + stored[s]);
    }
}

#else

#define CODED(name) NAME(name)

typedef val_t stored_t;
typedef val_t *value_array;
typedef idx_t *column_array;

static inline column_array column_array_of(const spry_matrix *, void *array) {
    return as<idx_t>(array);
}

static __device__ inline column_array no_columns() {
    return nullptr;
}

static __device__ inline idx_t base_of_group(const idx_t *, int64_t) {
    return 0;
}

static __device__ inline idx_t base_of_row(const idx_t *, int64_t) {
    return 0;
}

struct base_finder {
    __device__ base_finder(const idx_t *, int64_t, int64_t) {
    }
    __device__ idx_t operator()(int64_t) const {
        return 0;
    }
};

static __device__ inline idx_t load_column(const idx_t *idx, int64_t k) {
    return stream(idx + k);
}

static __device__ inline idx_t column_at(const idx_t *idx, int64_t k) {
    return idx[k];
}

static inline value_array value_array_of(const spry_matrix *, void *array) {
    return as<val_t>(array);
}

static __device__ inline value_array no_values() {
    return nullptr;
}

static __device__ inline stored_t load_stored(const val_t *val, int64_t k) {
    return stream(val + k);
}

static __device__ inline val_t value_of(const val_t *, stored_t stored) {
    return stored;
}

static __device__ inline val_t value_at(const val_t *val, int64_t k) {
    return val[k];
}

template <int count, class At>
static __device__ inline void load_entries(const idx_t *idx, const val_t *val, At at, idx_t (&index)[count],
                                           stored_t (&stored)[count]) {
#pragma unroll
    for (int s = 0; s < count; s++) {
        index[s] = stream(idx + at(s));
        stored[s] = stream(val + at(s));
    }
}

template <int count>
static __device__ inline void values_of(const val_t *, const stored_t (&stored)[count],
                                        val_t (&value)[count]) {
#pragma unroll
    for (int s = 0; s < count; s++)
        value[s] = stored[s];
}

#endif

#endif
