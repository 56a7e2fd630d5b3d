/* SPDX-License-Identifier: BSD-3-Clause */
/* Temporary device memory that cannot be forgotten. */
#ifndef SPRY_TEMPORARY_CUH
#define SPRY_TEMPORARY_CUH

extern "C" {
#include "cuda/device.h"
}

/* Released in the order of the stream: earlier by hand, or else where its name goes out of scope. */
struct temporary {
    explicit temporary(spry_context *owner) : context(owner) {
    }
    temporary(const temporary &) = delete;
    ~temporary() {
        release();
    }
    spry_status take(int64_t new_count, size_t new_size) {
        count = new_count;
        size = new_size;
        return spry_cuda_temporary(context, count, size, &pointer);
    }
    /* So many bytes, each of which is `byte`. `what` is for errors. */
    spry_status take_filled(size_t bytes, int byte, const char *what) {
        spry_status status = take(1, bytes);
        return status ? status
                      : spry_cuda_check(context,
                                        cudaMemsetAsync(pointer, byte, bytes, context->device->stream), what);
    }
    void release() {
        spry_cuda_release(context, pointer, count, size);
        pointer = nullptr;
    }

    spry_context *context;
    void *pointer = nullptr;
    int64_t count = 0;
    size_t size = 0;
};

/* A number that kernels change, and that is read back when they are done. */
struct number_on_device : temporary {
    using temporary::temporary;
    /* What CUDA's atomic functions take. */
    unsigned long long *place() const {
        return static_cast<unsigned long long *>(pointer);
    }
    /* Waits. */
    spry_status read(int64_t *value) const {
        return spry_cuda_fetch(context, value, pointer, sizeof *value);
    }
};

/* One that is zero until kernels add to it. */
struct counter : number_on_device {
    using number_on_device::number_on_device;
    spry_status start() {
        return take_filled(sizeof(int64_t), 0, "clearing a counter");
    }
    /* Waits, where it counts differences between patterns. */
    spry_status same_pattern() const {
        int64_t differences = 0;
        spry_status status = read(&differences);
        return !status && differences ? SPRY_ERROR_PATTERN : status;
    }
};

/* The first of some things, counted from 0, at which kernels find something wrong: they give place() to atomicMin, together with
   its number. */
struct first_fault : number_on_device {
    using number_on_device::number_on_device;
    /* All bits set are the largest number to atomicMin, and -1 to whom nothing was reported. */
    spry_status start() {
        return take_filled(sizeof(int64_t), 0xff, "preparing to look for faults");
    }
    /* Waits. `none` where there is none. */
    spry_status read(int64_t *first, int64_t none = -1) const {
        spry_status status = number_on_device::read(first);
        if (!status && *first < 0)
            *first = none;
        return status;
    }
};

/* A struct of numbers that are zero at first. Each file has its own functions for it, as files may call different structs the same. */
namespace {
template <class T>
struct tally : temporary {
    using temporary::temporary;
    spry_status start() {
        return take_filled(sizeof(T), 0, "clearing counters");
    }
    T *place() const {
        return static_cast<T *>(pointer);
    }
    /* Waits. */
    spry_status read(T *found) const {
        return spry_cuda_fetch(context, found, pointer, sizeof *found);
    }
};
} // namespace

/* CUB's functions are called twice: to ask how much storage they need, and to work. */
template <class Call>
static spry_status with_storage(spry_context *context, const char *what, Call call) {
    size_t bytes = 0;
    temporary storage(context);
    spry_status status = spry_cuda_check(context, call(nullptr, bytes), what);
    if (!status)
        status = storage.take((int64_t)bytes, 1);
    return status ? status : spry_cuda_check(context, call(storage.pointer, bytes), what);
}

#endif
