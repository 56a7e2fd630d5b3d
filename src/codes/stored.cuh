/* SPDX-License-Identifier: BSD-3-Clause */
/* Values as kernels on a device read them. A kernel file whose layouts have codes is compiled for columns and values as they are,
   for all value codes with plain columns (SPRY_TMPL_CODE is `coded`), and for narrow columns with all of them and with plain
   values (SPRY_TMPL_CODE is `narrow`). Among value codes kernels choose as they run: all threads of a kernel choose the same, and
   once for all loads that are to be in flight together. */
#ifndef SPRY_STORED_CUH
#define SPRY_STORED_CUH

#include "codes/columns.cuh"

#ifdef SPRY_TMPL_CODE

/* The name of what there is once for plain values and once for all codes. */
#define CODED(name) TMPL_PASTE(NAME(name), SPRY_TMPL_CODE)

/* What is loaded of a value: the bits of a float, or its number in the table, which is zero where that has one only; beside narrow
   columns the bits of a double too. */
#if defined SPRY_TMPL_NARROW && SPRY_TMPL_TYPE == 64
typedef uint64_t stored_t;
#else
typedef uint32_t stored_t;
#endif
constexpr bool has_doubles = sizeof(stored_t) == sizeof(double);

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

static __device__ inline stored_t load_stored(const value_array &val, int64_t k) {
    return val.size == 1   ? __ldg(static_cast<const uint8_t *>(val.codes) + k)
           : val.size == 2 ? __ldg(static_cast<const uint16_t *>(val.codes) + k)
           : val.size == 4 ? __ldg(static_cast<const uint32_t *>(val.codes) + k)
           : has_doubles && val.size == 8
               ? (stored_t)__ldg(static_cast<const unsigned long long *>(val.codes) + k)
               : 0;
}

static __device__ inline val_t value_of(const value_array &val, stored_t stored) {
    return val.size == 4                  ? (val_t)__uint_as_float((uint32_t)stored)
           : has_doubles && val.size == 8 ? (val_t)__longlong_as_double((long long)stored)
                                          : __ldg(val.table + stored);
}

static __device__ inline val_t value_at(const value_array &val, int64_t k) {
    return value_of(val, load_stored(val, k));
}

template <class Code, int count, class At>
static __device__ inline void load_codes(const void *codes, At at, stored_t (&stored)[count]) {
#pragma unroll
    for (int s = 0; s < count; s++)
        stored[s] = (stored_t)__ldg(static_cast<const Code *>(codes) + at(s));
}

/* Call a function with the codes as what they are; not where all stand for one value. */
template <class Function>
static __device__ inline void with_codes(const value_array &val, Function function) {
    if (val.size == 1)
        function(static_cast<const uint8_t *>(val.codes));
    else if (val.size == 2)
        function(static_cast<const uint16_t *>(val.codes));
    else if (val.size == 4)
        function(static_cast<const uint32_t *>(val.codes));
    else if (has_doubles && val.size == 8)
        function(static_cast<const unsigned long long *>(val.codes));
}

/* Entries at(0), at(1), …, all asked for before the first is used. */
template <int count, class At>
static __device__ inline void load_entries(const column_array &idx, const value_array &val, At at,
                                           idx_t (&index)[count], stored_t (&stored)[count]) {
#pragma unroll
    for (int s = 0; s < count; s++) {
        index[s] = load_column(idx, at(s));
        stored[s] = 0;
    }
    if (val.size == 1)
        load_codes<uint8_t>(val.codes, at, stored);
    else if (val.size == 2)
        load_codes<uint16_t>(val.codes, at, stored);
    else if (val.size == 4)
        load_codes<uint32_t>(val.codes, at, stored);
    else if (has_doubles && val.size == 8)
        load_codes<unsigned long long>(val.codes, at, stored);
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
    } else if (has_doubles && val.size == 8) {
#pragma unroll
        for (int s = 0; s < count; s++)
            value[s] = (val_t)__longlong_as_double((long long)stored[s]);
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

static inline value_array value_array_of(const spry_matrix *, void *array) {
    return as<val_t>(array);
}

static __device__ inline value_array no_values() {
    return nullptr;
}

static __device__ inline stored_t load_stored(const val_t *val, int64_t k) {
    return __ldg(val + k);
}

static __device__ inline val_t value_of(const val_t *, stored_t stored) {
    return stored;
}

static __device__ inline val_t value_at(const val_t *val, int64_t k) {
    return val[k];
}

template <class Function>
static __device__ inline void with_codes(const val_t *val, Function function) {
    function(val);
}

template <int count, class At>
static __device__ inline void load_entries(const idx_t *idx, const val_t *val, At at, idx_t (&index)[count],
                                           stored_t (&stored)[count]) {
#pragma unroll
    for (int s = 0; s < count; s++) {
        index[s] = __ldg(idx + at(s));
        stored[s] = __ldg(val + at(s));
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
