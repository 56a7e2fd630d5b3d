/* SPDX-License-Identifier: BSD-3-Clause */
#include "primitives/device.cuh"

namespace primitives_pointers {

static constexpr int BLOCK = 256;

/* An exclusive scan does not read its last number. */
extern "C" spry_status NAME(spry_cuda_scan)(spry_context *context, ptr_t *array, int64_t n) {
    const spry_number number = sizeof(ptr_t) == sizeof(int64_t) ? SPRY_NUMBER_I64 : SPRY_NUMBER_I32;
    const spry_algorithm *algorithm = context->algorithm[SPRY_SCAN][number];
    const spry_scan_call call = {SPRY_EXCLUSIVE, n + 1, array, array};
    return algorithm ? algorithm->scan(context, &call)
                     : spry_fail(context, SPRY_ERROR_UNSUPPORTED, "every scan of %s was disabled",
                                 spry_number_name(number));
}

static __global__ void find_longest(int64_t n, const ptr_t *ptr, unsigned long long *longest) {
    long long most = 0;
    FOR_ALL(i, 0, n) {
        long long length = (long long)ptr[i + 1] - ptr[i];
        most = length > most ? length : most;
    }
    most = largest_of_lanes(most);
    if (lane_number() == 0 && most > 0)
        atomicMax(longest, (unsigned long long)most);
}

extern "C" spry_status NAME(spry_cuda_longest)(spry_context *context, const ptr_t *ptr, int64_t n,
                                               int64_t *longest) {
    counter found(context);
    *longest = 0;
    if (n == 0)
        return SPRY_OK;
    spry_status status = found.start();
    if (status)
        return status;
    find_longest<<<blocks_at_once(context, n, BLOCK), BLOCK, 0, context->device->stream>>>(n, ptr,
                                                                                           found.place());
    status = launched(context, "finding the longest slice");
    return status ? status : found.read(longest);
}

} // namespace primitives_pointers
