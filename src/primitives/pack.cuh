/* SPDX-License-Identifier: BSD-3-Clause */
/* Sixteen bytes of an array: as much as a thread reads or writes at once, where the array lies so that it can. */
#ifndef SPRY_PACK_CUH
#define SPRY_PACK_CUH

#include <cstdint>

template <class T>
struct alignas(16) pack {
    static constexpr int length = 16 / sizeof(T);
    T v[length];
};

/* Without alignment the same values come one by one, so that results do not depend on where arrays lie. */
template <bool aligned, class T>
static __device__ inline pack<T> load_pack(const T *from) {
    pack<T> values;
    if constexpr (aligned) {
        values = *reinterpret_cast<const pack<T> *>(from);
    } else {
#pragma unroll
        for (int j = 0; j < pack<T>::length; j++)
            values.v[j] = from[j];
    }
    return values;
}

template <bool aligned, class T>
static __device__ inline void store_pack(T *to, const pack<T> &values) {
    if constexpr (aligned) {
        *reinterpret_cast<pack<T> *>(to) = values;
    } else {
#pragma unroll
        for (int j = 0; j < pack<T>::length; j++)
            to[j] = values.v[j];
    }
}

/* Whether packs of an array can be read at once. */
static inline bool is_aligned(const void *array) {
    return reinterpret_cast<uintptr_t>(array) % 16 == 0;
}

#endif
