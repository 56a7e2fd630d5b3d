/* SPDX-License-Identifier: BSD-3-Clause */
#include <cub/device/device_radix_sort.cuh>

#include "cuda/grid.cuh"
#include "primitives/temporary.cuh"

extern "C" {
#include "primitives/sort.h"
}

#define BLOCK 256

template <class Key, class Payload>
static spry_status sort(spry_context *context, const void *keys, void *keys_out, const void *payload,
                        void *payload_out, int64_t n, int bits) {
    return with_storage(context, "sorting", [&](void *storage, size_t &bytes) {
        return cub::DeviceRadixSort::SortPairs(
            storage, bytes, static_cast<const Key *>(keys), static_cast<Key *>(keys_out),
            static_cast<const Payload *>(payload), static_cast<Payload *>(payload_out), n, 0, bits,
            context->device->stream);
    });
}

extern "C" spry_status spry_cuda_sort_pairs(spry_context *context, size_t key_size, const void *keys,
                                            void *keys_out, size_t payload_size, const void *payload,
                                            void *payload_out, int64_t n, int bits) {
    if (n == 0)
        return SPRY_OK;
    bool wide = payload_size == sizeof(uint64_t);
    auto *chosen = key_size == sizeof(uint64_t)
                       ? (wide ? sort<uint64_t, uint64_t> : sort<uint64_t, uint32_t>)
                       : (wide ? sort<uint32_t, uint64_t> : sort<uint32_t, uint32_t>);
    return chosen(context, keys, keys_out, payload, payload_out, n, bits);
}

template <class Position>
static __global__ void count_up(int64_t n, Position *positions) {
    int64_t k = thread_number();
    if (k < n)
        positions[k] = (Position)k;
}

extern "C" spry_status spry_cuda_sort_positions(spry_context *context, size_t key_size, const void *keys,
                                                void *keys_out, void *positions, int64_t n, int bits) {
    size_t size = spry_position_size(n);
    unsigned blocks = blocks_for(n, BLOCK);
    cudaStream_t stream = context->device->stream;
    temporary before(context);
    if (n == 0)
        return SPRY_OK;
    spry_status status = before.take(n, size);
    if (status)
        return status;
    if (size == sizeof(uint64_t))
        count_up<<<blocks, BLOCK, 0, stream>>>(n, static_cast<uint64_t *>(before.pointer));
    else
        count_up<<<blocks, BLOCK, 0, stream>>>(n, static_cast<uint32_t *>(before.pointer));
    status = spry_cuda_check(context, cudaGetLastError(), "numbering entries");
    return status ? status
                  : spry_cuda_sort_pairs(context, key_size, keys, keys_out, size, before.pointer, positions,
                                         n, bits);
}
