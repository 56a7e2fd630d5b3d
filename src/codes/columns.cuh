/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns as kernels on a device read them. Kernel files whose layouts have codes are compiled for narrow columns too, with
   SPRY_TMPL_NARROW. A narrow column is loaded as 16 bits, to which the base of its group is added: by the kernel, which knows the
   row, or by what it asks struct base_finder. */
#ifndef SPRY_COLUMNS_CUH
#define SPRY_COLUMNS_CUH

#include "cuda/find.cuh"

extern "C" {
#include "codes/columns.h"
#include "core/table.h"
}

#ifdef SPRY_TMPL_NARROW

/* The columns of a matrix, or of a part of it. */
struct column_array {
    const uint16_t *codes;
    const idx_t *base;
    const ptr_t *ptr; /* CSR and CSC: where rows begin */
    int64_t rows;

    __host__ __device__ column_array operator+(int64_t n) const {
        return {codes + n, base, ptr, rows};
    }
    __device__ column_array &operator+=(int64_t n) {
        return *this = *this + n;
    }
};

/* An array of this matrix. */
static inline column_array column_array_of(const spry_matrix *matrix, void *array) {
    const bool by_rows = matrix->format == SPRY_CSR || matrix->format == SPRY_CSC;
    return {as<uint16_t>(array), as<idx_t>(matrix->bases), by_rows ? as<ptr_t>(matrix->csr.ptr) : nullptr,
            matrix->format == SPRY_CSC ? matrix->cols : matrix->rows};
}

static __device__ inline column_array no_columns() {
    return {nullptr, nullptr, nullptr, 0};
}

/* What is added to the columns of a group that are loaded. */
static __device__ inline idx_t base_of_group(const column_array &idx, int64_t group) {
    return __ldg(idx.base + group);
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
        find_units((idx.rows + SPRY_NARROW_ROWS - 1) / SPRY_NARROW_ROWS, {first, last}, group,
                   [&](int64_t g) { return begin(g); });
    }
    __device__ idx_t operator()(int64_t entry) const {
        int64_t g = group[0];
        for (int64_t left = group[1] - g + 1; left > 1; left -= left / 2)
            g += begin(g + left / 2) <= entry ? left / 2 : 0;
        return __ldg(idx.base + g);
    }
};

/* A column without its base. */
static __device__ inline idx_t load_column(const column_array &idx, int64_t k) {
    return __ldg(idx.codes + k);
}

/* The same of one that is read where other loads need not wait for it. */
static __device__ inline idx_t column_at(const column_array &idx, int64_t k) {
    return idx.codes[k];
}

#else

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
    return __ldg(idx + k);
}

static __device__ inline idx_t column_at(const idx_t *idx, int64_t k) {
    return idx[k];
}

#endif

#endif
