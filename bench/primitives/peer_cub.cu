/* SPDX-License-Identifier: BSD-3-Clause */
/* CUB's primitives. */
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <new>

extern "C" {
#include "primitives/peer.h"
}

struct primitive_peer {
    primitive_task task;
    void *storage;
    size_t bytes;
};

/* Sums are in the type of their result, as the library's. */
template <class T, class Sum>
static cudaError_t call(primitive_peer *peer) {
    const primitive_task &task = peer->task;
    const int n = (int)task.n;
    const T *x = static_cast<const T *>(task.x);
    auto stream = static_cast<cudaStream_t>(task.stream);
    if (task.primitive == SPRY_REDUCE)
        return cub::DeviceReduce::Sum(peer->storage, peer->bytes, x, static_cast<Sum *>(task.y), n, stream);
    T *y = static_cast<T *>(task.y);
    return task.kind == SPRY_INCLUSIVE
               ? cub::DeviceScan::InclusiveSum(peer->storage, peer->bytes, x, y, n, stream)
               : cub::DeviceScan::ExclusiveSum(peer->storage, peer->bytes, x, y, n, stream);
}

template <class T>
static cudaError_t count(primitive_peer *peer) {
    const primitive_task &task = peer->task;
    return cub::DeviceHistogram::HistogramEven(
        peer->storage, peer->bytes, static_cast<const T *>(task.x), static_cast<unsigned long long *>(task.y),
        (int)task.bins + 1, T{0}, (T)task.bins, (int)task.n, static_cast<cudaStream_t>(task.stream));
}

/* Without storage: ask how much of it is needed. */
static cudaError_t call_any(primitive_peer *peer) {
    const bool histogram = peer->task.primitive == SPRY_HISTOGRAM;
    switch (peer->task.number) {
    case SPRY_NUMBER_F32:
        return histogram ? cudaErrorNotSupported : call<float, double>(peer);
    case SPRY_NUMBER_F64:
        return histogram ? cudaErrorNotSupported : call<double, double>(peer);
    case SPRY_NUMBER_I32:
        return histogram ? count<int32_t>(peer) : call<int32_t, int64_t>(peer);
    case SPRY_NUMBER_I64:
        return histogram ? count<int64_t>(peer) : call<int64_t, int64_t>(peer);
    default:
        return cudaErrorNotSupported;
    }
}

/* CUB counts the levels between bins in an int, and is fastest where it counts the numbers in one too. */
static bool is_known(const primitive_task *task) {
    return task->n <= INT32_MAX && task->bins < INT32_MAX &&
           (task->primitive == SPRY_REDUCE || task->primitive == SPRY_SCAN ||
            task->primitive == SPRY_HISTOGRAM);
}

extern "C" primitive_peer *primitive_peer_open(const primitive_task *task) {
    if (!is_known(task))
        return nullptr;
    auto *peer = new (std::nothrow) primitive_peer{*task, nullptr, 0};
    if (peer && call_any(peer) == cudaSuccess && cudaMalloc(&peer->storage, peer->bytes) == cudaSuccess)
        return peer;
    (void)cudaGetLastError();
    delete peer;
    return nullptr;
}

extern "C" spry_status primitive_peer_run(void *peer) {
    return call_any(static_cast<primitive_peer *>(peer)) == cudaSuccess ? SPRY_OK : SPRY_ERROR_DEVICE;
}

extern "C" void primitive_peer_close(primitive_peer *peer) {
    if (!peer)
        return;
    (void)cudaFree(peer->storage);
    delete peer;
}
