/* SPDX-License-Identifier: BSD-3-Clause */
/* Codes that are numbers of values in a table, on a device. */
#include "cuda/grid.cuh"
#include "primitives/temporary.cuh"

extern "C" {
#include "codes/coder.h"
#include "codes/distinct.h"
#include "codes/table.h"
}

#define BLOCK 256

/* Bits of values as numbers: `key` has those of the type, and sets of different values are of the wider ones, as CUDA's atomic
   functions take them. */
typedef unsigned long long wide_key;

/* ---- the different values ---- */

/* A set that all threads add to: as struct spry_distinct, an empty slot has the first value. */
struct shared_set {
    wide_key *slot;
    int64_t slots;
    unsigned long long most, *added; /* besides the first value */
};

static __global__ void clear_slots(shared_set set, const wide_key *first) {
    FOR_ALL(i, 0, set.slots) {
        set.slot[i] = *first;
    }
}

template <class Key>
static __global__ void take_first(const Key *key, wide_key *first) {
    *first = key[0];
}

static __device__ unsigned long long added_to(const shared_set &set) {
    return *(volatile unsigned long long *)set.added;
}

/* Put a value into a slot that looked empty; what was there. The look may have been at a copy in the nearest cache from when it
   was: the atomic operation tells. When the set has all that it takes, nothing is put there, but counted. */
static __device__ wide_key put(const shared_set &set, int64_t at, wide_key key, wide_key first) {
    const wide_key found = atomicCAS(set.slot + at, first, added_to(set) < set.most ? key : first);
    if (found == first)
        atomicAdd(set.added, 1);
    return found;
}

/* False when the set was asked to take too many. It may have got some of them, by threads that did not know of each other, and
   even be full. */
static __device__ bool add(const shared_set &set, wide_key key, wide_key first) {
    for (int64_t at = spry_distinct_place(key, set.slots);; at = (at + 1) & (set.slots - 1)) {
        wide_key found = set.slot[at];
        if (found == first)
            found = put(set, at, key, first);
        if (found == key)
            return true;
        if (added_to(set) > set.most)
            return false;
        if (found == first)
            return true;
    }
}

template <class Key>
static __global__ void add_all(int64_t n, const Key *key, shared_set set, const wide_key *empty) {
    const wide_key first = *empty;
    FOR_ALL(k, 0, n) {
        if (key[k] != first && !add(set, key[k], first))
            return;
    }
}

/* What is in the set, on the host. Waits. */
static spry_status list_set(spry_context *context, const shared_set &set, wide_key first, uint64_t *bits) {
    void *pointer;
    int64_t count = 0;
    spry_status status = spry_allocate(context, (size_t)set.slots, sizeof(wide_key), &pointer);
    if (!status)
        status = context->code->copy(context, pointer, set.slot, (size_t)set.slots * sizeof(wide_key));
    bits[count++] = first;
    for (int64_t i = 0; i < set.slots && !status; i++)
        if (static_cast<wide_key *>(pointer)[i] != first)
            bits[count++] = static_cast<wide_key *>(pointer)[i];
    spry_release(&context->allocator, pointer, (size_t)set.slots, sizeof(wide_key));
    return status;
}

template <class Key>
static void launch_all(spry_context *context, int64_t n, const void *values, const shared_set &set,
                       wide_key *first) {
    const Key *key = static_cast<const Key *>(values);
    cudaStream_t stream = context->device->stream;
    take_first<<<1, 1, 0, stream>>>(key, first);
    clear_slots<<<blocks_at_once(context, set.slots, BLOCK), BLOCK, 0, stream>>>(set, first);
    add_all<<<blocks_at_once(context, n, BLOCK), BLOCK, 0, stream>>>(n, key, set, first);
}

/* Waits. */
static spry_status collect(spry_context *context, const struct spry_coded *how, int64_t n, const void *values,
                           uint64_t *bits, int64_t *count) {
    const int64_t slots = spry_distinct_slots(how->coder->most);
    temporary place(context), start(context);
    counter added(context);
    wide_key first = 0;
    *count = 0;
    if (n == 0)
        return SPRY_OK;
    spry_status status = place.take(slots, sizeof(wide_key));
    if (!status)
        status = start.take(1, sizeof(wide_key));
    if (!status)
        status = added.start();
    if (status)
        return status;
    const shared_set set = {static_cast<wide_key *>(place.pointer), slots,
                            (unsigned long long)how->coder->most - 1, added.place()};
    wide_key *empty = static_cast<wide_key *>(start.pointer);
    if (how->type == SPRY_F32)
        launch_all<uint32_t>(context, n, values, set, empty);
    else
        launch_all<uint64_t>(context, n, values, set, empty);
    status = launched(context, "looking for different values");
    if (!status)
        status = added.read(count);
    if (!status)
        status = spry_cuda_fetch(context, &first, empty, sizeof first);
    *count = *count + 1;
    return status || *count > how->coder->most ? status : list_set(context, set, first, bits);
}

/* ---- codes ---- */

/* The number of a value in the table, whose first `reach` are searched; of one that is not there, any. */
template <class Key>
static __device__ int64_t code_of(const Key *table, int64_t reach, int64_t count, Key key) {
    int64_t code = 0;
    for (int64_t half = reach / 2; half > 0; half /= 2)
        code += __ldg(table + code + half - 1) < key ? half : 0;
    return code < count ? code : count - 1;
}

/* Codes, none where `code` is null. Each is looked up again: what it does not give back is broken, but for a zero, which
   pads the layout. *fault becomes the first that is broken. */
template <class Key, class Code>
static __global__ void encode_all(int64_t n, const Key *key, const Key *table, int64_t reach, int64_t count,
                                  Code *code, unsigned long long *fault) {
    int64_t first = n;
    FOR_ALL(k, 0, n) {
        const int64_t found = code_of(table, reach, count, key[k]);
        if (code)
            code[k] = (Code)found;
        if (__ldg(table + found) != key[k] && key[k] != 0 && first == n)
            first = k;
    }
    if (first < n)
        atomicMin(fault, (unsigned long long)first);
}

template <class Key, class Code>
static __global__ void decode_all(int64_t n, const Code *code, const Key *table, Key *key) {
    FOR_ALL(k, 0, n) {
        key[k] = __ldg(table + code[k]);
    }
}

template <class Key>
static __global__ void repeat(int64_t n, const Key *table, Key *key) {
    FOR_ALL(k, 0, n) {
        key[k] = table[0];
    }
}

/* *fault becomes the first that stands for nothing. */
template <class Code>
static __global__ void check_all(int64_t n, const Code *code, int64_t count, unsigned long long *fault) {
    int64_t first = n;
    FOR_ALL(k, 0, n) {
        if (code[k] >= count && first == n)
            first = k;
    }
    if (first < n)
        atomicMin(fault, (unsigned long long)first);
}

/* Call launch(key, code) with a value of each type. */
template <class Launch>
static void with_types(const struct spry_coded *how, Launch launch) {
    const bool narrow = how->type == SPRY_F32, byte = how->coder->size == 1;
    if (narrow && byte)
        launch(uint32_t(), uint8_t());
    else if (narrow)
        launch(uint32_t(), uint16_t());
    else if (byte)
        launch(uint64_t(), uint8_t());
    else
        launch(uint64_t(), uint16_t());
}

/* Waits. */
static spry_status encode(spry_context *context, const struct spry_coded *how, int64_t n, const void *values,
                          void *codes, int64_t *broken) {
    first_fault found(context);
    *broken = n;
    if (n == 0)
        return SPRY_OK;
    spry_status status = found.start();
    if (status)
        return status;
    with_types(how, [&](auto key, auto code) {
        auto *to = how->coder->size == 0 ? nullptr : static_cast<decltype(code) *>(codes);
        encode_all<<<blocks_at_once(context, n, BLOCK), BLOCK, 0, context->device->stream>>>(
            n, static_cast<const decltype(key) *>(values),
            static_cast<const decltype(key) *>(how->table.values), spry_table_reach(how), how->table.count,
            to, found.place());
    });
    status = launched(context, "encoding values");
    return status ? status : found.read(broken, n);
}

static spry_status decode(spry_context *context, const struct spry_coded *how, int64_t n, const void *codes,
                          void *values) {
    if (n == 0)
        return SPRY_OK;
    with_types(how, [&](auto key, auto code) {
        const unsigned blocks = blocks_at_once(context, n, BLOCK);
        cudaStream_t stream = context->device->stream;
        auto *to = static_cast<decltype(key) *>(values);
        auto *table = static_cast<const decltype(key) *>(how->table.values);
        if (how->coder->size == 0)
            repeat<<<blocks, BLOCK, 0, stream>>>(n, table, to);
        else
            decode_all<<<blocks, BLOCK, 0, stream>>>(n, static_cast<const decltype(code) *>(codes), table,
                                                     to);
    });
    return launched(context, "decoding values");
}

/* Waits. */
static spry_status check(spry_context *context, const struct spry_coded *how, int64_t n, const void *codes,
                         int64_t *broken) {
    first_fault found(context);
    *broken = n;
    if (n == 0 || how->coder->size == 0)
        return SPRY_OK;
    spry_status status = found.start();
    if (status)
        return status;
    with_types(how, [&](auto, auto code) {
        check_all<<<blocks_at_once(context, n, BLOCK), BLOCK, 0, context->device->stream>>>(
            n, static_cast<const decltype(code) *>(codes), how->table.count, found.place());
    });
    status = launched(context, "checking codes");
    return status ? status : found.read(broken, n);
}

extern "C" {
extern const struct spry_value_coder spry_cuda_constant, spry_cuda_dict8, spry_cuda_dict16;
const struct spry_value_coder spry_cuda_constant = {
    .size = 0, .most = 1, .encode = encode, .decode = decode, .collect = collect, .check = check};
const struct spry_value_coder spry_cuda_dict8 = {
    .size = 1, .most = 1 << 8, .encode = encode, .decode = decode, .collect = collect, .check = check};
const struct spry_value_coder spry_cuda_dict16 = {
    .size = 2, .most = 1 << 16, .encode = encode, .decode = decode, .collect = collect, .check = check};
}
