/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stencils from CSR and back on a device. Most rows say what the row before them says, entry by entry: a run of such rows, within
 * the 32 of a warp, is looked up once, in a table of keys by open addressing, which keeps the first row of each key. Stencils are
 * numbered by those, so that the result does not depend on which thread came first. A key may stand for different rows: the first
 * row of each run is compared with its stencil, and those after it have been compared with their neighbours.
 */
#include <inttypes.h>

#include "convert/kinds.cuh"
#include "convert/tiles.cuh"
#include "formats/stencil.cuh"
#include "primitives/device.cuh"

#define BLOCK 256

/* Values are compared by their bits. */
#if SPRY_TMPL_TYPE == 32
typedef uint32_t bits_t;
#else
typedef uint64_t bits_t;
#endif

/* What kernels find. */
struct findings {
    unsigned long long count, entries; /* of stencils */
    unsigned differs;                  /* or of `difference` */
};

enum difference { OTHER_PATTERN = 1, OTHER_VALUES = 2 };

/* ---- rows ---- */

/* Rows of CSR, whose entries are taken to begin so much earlier that the base fits. Where offsets alone count, there are no values
   and each is 0. */
struct lines {
    int64_t rows;
    int base;
    const ptr_t *ptr;
    const idx_t *idx;
    const bits_t *val;
};

static lines lines_of(const spry_matrix *csr) {
    const int base = csr->csr.base;
    return {csr->rows, base, as<ptr_t>(csr->csr.ptr), as<idx_t>(csr->csr.idx) - base,
            as<bits_t>(csr->csr.val) - base};
}

static lines offsets_of(const spry_matrix *csr) {
    lines a = lines_of(csr);
    a.val = nullptr;
    return a;
}

/* Groups of 32 rows, a warp each. */
static int64_t groups_of(int64_t rows) {
    return (rows + WARP - 1) / WARP;
}

/* A row; past the last one, one without entries. */
struct line {
    int64_t row, begin, length;
};

static __device__ line line_at(const lines &a, int64_t row) {
    if (row >= a.rows)
        return {row, 0, 0};
    return {row, a.ptr[row], a.ptr[row + 1] - a.ptr[row]};
}

/* This lane's row. */
static __device__ line own_line(const lines &a) {
    return line_at(a, tile_number() * WARP + lane_number());
}

static __device__ line line_of_lane(const line &own, int lane) {
    return {__shfl_sync(ALL_LANES, own.row, lane), __shfl_sync(ALL_LANES, own.begin, lane),
            __shfl_sync(ALL_LANES, own.length, lane)};
}

static __device__ idx_t offset_at(const lines &a, const line &line, int64_t k) {
    return (idx_t)(a.idx[line.begin + k] - a.base - line.row);
}

static __device__ bits_t value_at(const lines &a, const line &line, int64_t k) {
    return a.val ? a.val[line.begin + k] : 0;
}

/* Rows of more entries are walked along by all lanes of a warp together. */
#define LONGEST_ALONE 64

/* A bit for each lane that takes part with such a row. */
static __device__ unsigned long_lines(const line &own, bool takes_part) {
    return __ballot_sync(ALL_LANES, takes_part && own.length > LONGEST_ALONE);
}

/* Entries of 32 rows on their way between CSR and the lanes that the rows belong to. */
struct cells {
    idx_t column[TILE_CELLS];
    bits_t value[TILE_CELLS];
};

/* Call each(k, offset, value, is_there) for the entries of all other rows that take part: in all lanes at once, for entry k of
   their rows, which some may not have. */
template <class Each>
static __device__ void walk(const lines &a, const line &own, bool takes_part, cells &cell, Each each) {
    const int64_t length = takes_part && own.length <= LONGEST_ALONE ? own.length : 0;
    for (int64_t skip = 0; __any_sync(ALL_LANES, skip < length); skip += TILE_SLOTS) {
        const tile_row part = tile_row_at(own.begin, length, skip);
        const tile_shape shape = tile_shape_for(part);
        __syncwarp();
        read_rows(a.idx, part, shape, cell.column);
        if (a.val)
            read_rows(a.val, part, shape, cell.value);
        for (int k = 0; k < shape.lanes; k++) {
            const int at = k * shape.pitch + lane_number();
            each(skip + k, (idx_t)(cell.column[at] - a.base - own.row), a.val ? cell.value[at] : 0,
                 k < part.count);
        }
    }
}

/* ---- the table of keys ---- */

struct alignas(16) slot {
    unsigned long long key, first; /* row */
};

#define NO_KEY (~0ull)

struct table {
    slot *slots;
    int64_t size; /* a power of two */
    unsigned long long *count;
};

/* Sizes of tables: of the first that is tried, and by how much the next one is larger. They are half full at most. */
#define SIZE_FIRST ((int64_t)1 << 17)
#define SIZE_GROWTH 16
#define SIZE_MOST ((int64_t)1 << 32)
/* Steps of a search after which it is asked whether the table is too full. */
#define STEPS 32

static __device__ bool is_full(const table &t) {
    return *(const volatile unsigned long long *)t.count > (unsigned long long)t.size / 2;
}

/* The slot of a key, which keeps the lowest of the rows that ask; any slot where the table is too full. What a cache
   still has of a slot may be old: then it is empty, or has a higher row, and is asked for again by what changes it. */
static __device__ uint32_t slot_of(const table &t, unsigned long long key, unsigned long long row) {
    const int64_t mask = t.size - 1;
    int64_t at = (int64_t)key & mask;
    for (int step = 1;; step++, at = (at + 1) & mask) {
        unsigned long long there = t.slots[at].key;
        if (there == NO_KEY) {
            if (is_full(t))
                return 0;
            there = atomicCAS(&t.slots[at].key, NO_KEY, key);
            if (there == NO_KEY)
                atomicAdd(t.count, 1ull);
        }
        if (there == NO_KEY || there == key)
            break;
        if (step % STEPS == 0 && is_full(t))
            return 0;
    }
    if (row < t.slots[at].first)
        atomicMin(&t.slots[at].first, row);
    return (uint32_t)at;
}

/* ---- keys ---- */

/* The key of a long row: lanes make one each of every 32nd entry, which are mixed. */
static __device__ uint64_t key_of_long(const lines &a, const line &line, int salt) {
    uint64_t key = spry_stencil_key(salt, line.length);
    for (int64_t k = lane_number(); k < line.length; k += WARP)
        key = spry_stencil_add(key, offset_at(a, line, k), value_at(a, line, k));
    for (int step = WARP / 2; step > 0; step /= 2)
        key = spry_stencil_mix(key, __shfl_down_sync(ALL_LANES, key, step));
    return __shfl_sync(ALL_LANES, key, 0);
}

/* Find out where runs begin: bit r of begins[g], row r of group g. For those rows, slot[row] is the slot of their key. */
static __global__ void __launch_bounds__(TILE_BLOCK)
    find_stencils(lines a, int salt, table t, uint32_t *begins, uint32_t *slot) {
    __shared__ cells of_warp[TILE_WARPS];
    const line own = own_line(a);
    const bool is_row = own.row < a.rows;
    const int64_t length_before = __shfl_up_sync(ALL_LANES, own.length, 1);
    bool differs = lane_number() == 0 || own.length > LONGEST_ALONE || own.length != length_before;
    uint64_t key = spry_stencil_key(salt, own.length);
    walk(a, own, true, of_warp[threadIdx.x / WARP], [&](int64_t, idx_t offset, bits_t value, bool is_there) {
        const idx_t offset_before = __shfl_up_sync(ALL_LANES, offset, 1);
        const bits_t value_before = __shfl_up_sync(ALL_LANES, value, 1);
        key = is_there ? spry_stencil_add(key, offset, value) : key;
        differs |= is_there && (offset != offset_before || value != value_before);
    });
    for (unsigned left = long_lines(own, true); left; left &= left - 1) {
        const int lane = __ffs(left) - 1;
        const uint64_t found = key_of_long(a, line_of_lane(own, lane), salt);
        key = lane_number() == lane ? found : key;
    }
    const unsigned asking = __ballot_sync(ALL_LANES, is_row && differs);
    if (!is_row || !differs)
        return;
    if (lane_number() == 0)
        begins[tile_number()] = asking;
    key = key == NO_KEY ? 0 : key;
    const int asks = __ffs(__match_any_sync(asking, key)) - 1;
    uint32_t found = 0;
    if (lane_number() == asks)
        found = slot_of(t, key, own.row);
    slot[own.row] = __shfl_sync(asking, found, asks);
}

/* Mark the first rows of all stencils, a bit each, and count their entries. */
static __global__ void mark_firsts(table t, lines a, uint32_t *is_first, findings *found) {
    long long entries = 0;
    FOR_ALL(at, 0, t.size) {
        const int64_t row = (int64_t)t.slots[at].first;
        if (t.slots[at].key == NO_KEY)
            continue;
        atomicOr(&is_first[row / 32], 1u << row % 32);
        entries += a.ptr[row + 1] - a.ptr[row];
    }
    add_to_total(entries, &found->entries);
}

static __global__ void count_firsts(int64_t groups, const uint32_t *is_first, ptr_t *before) {
    const int64_t g = thread_number();
    if (g < groups)
        before[g] = __popc(is_first[g]);
}

/* ---- what a search has and finds ---- */

struct search {
    explicit search(spry_context *context)
        : slots(context), begins(context), slot_of_row(context), is_first(context), before(context),
          found(context) {
    }
    table keys() const {
        return {static_cast<slot *>(slots.pointer), slots.count,
                &static_cast<findings *>(found.pointer)->count};
    }

    temporary slots;
    temporary begins;      /* a bit a row: a run begins */
    temporary slot_of_row; /* of rows where one does */
    temporary is_first;    /* a bit a row: it is the first with its stencil */
    temporary before;      /* pointer, a group each: such rows before it */
    temporary found;
};

static spry_status clear(spry_context *context, const temporary &array, int byte) {
    return spry_cuda_check(
        context,
        cudaMemsetAsync(array.pointer, byte, (size_t)array.count * array.size, context->device->stream),
        "clearing an array");
}

static spry_status open_search(spry_context *context, int64_t rows, search *s) {
    const int64_t groups = groups_of(rows);
    spry_status status = s->begins.take(groups, sizeof(uint32_t));
    if (!status)
        status = s->slot_of_row.take(rows, sizeof(uint32_t));
    if (!status)
        status = s->is_first.take(groups, sizeof(uint32_t));
    if (!status)
        status = s->before.take(groups + 1, sizeof(ptr_t));
    return status ? status : s->found.take(1, sizeof(findings));
}

/* Look up all rows in an empty table of that size. Waits. */
static spry_status try_size(spry_context *context, const lines &a, int salt, int64_t size, search *s,
                            findings *found) {
    cudaStream_t stream = context->device->stream;
    s->slots.release();
    spry_status status = s->slots.take(size, sizeof(slot));
    if (!status)
        status = clear(context, s->slots, 0xff);
    if (!status)
        status = clear(context, s->found, 0);
    if (!status)
        status = clear(context, s->is_first, 0);
    if (status)
        return status;
    find_stencils<<<blocks_for(groups_of(a.rows), TILE_WARPS), TILE_BLOCK, 0, stream>>>(
        a, salt, s->keys(), as<uint32_t>(s->begins.pointer), as<uint32_t>(s->slot_of_row.pointer));
    mark_firsts<<<blocks_at_once(context, size, BLOCK), BLOCK, 0, stream>>>(
        s->keys(), a, as<uint32_t>(s->is_first.pointer), static_cast<findings *>(s->found.pointer));
    status = launched(context, "looking for stencils");
    return status ? status : spry_cuda_fetch(context, found, s->found.pointer, sizeof *found);
}

/* A table that has room for as many stencils as there are rows. */
static int64_t size_for(int64_t rows) {
    int64_t size = 2;
    while (size < SIZE_MOST && size / 2 < rows)
        size *= 2;
    return size;
}

/* Look up all rows, and count the first ones. Waits. */
static spry_status find(spry_context *context, const lines &a, int salt, search *s, findings *found) {
    const int64_t groups = groups_of(a.rows), most = size_for(a.rows);
    int64_t size = most < SIZE_FIRST ? most : SIZE_FIRST;
    spry_status status = try_size(context, a, salt, size, s, found);
    while (!status && (int64_t)found->count > size / 2 && size < most) {
        size = most / SIZE_GROWTH < size ? most : size * SIZE_GROWTH;
        status = try_size(context, a, salt, size, s, found);
    }
    if (!status && (int64_t)found->count > size / 2)
        status = spry_fail(context, SPRY_ERROR_OVERFLOW, "stencil: more than %" PRId64 " different rows",
                           size / 2);
    if (status)
        return status;
    count_firsts<<<blocks_for(groups, BLOCK), BLOCK, 0, context->device->stream>>>(
        groups, as<uint32_t>(s->is_first.pointer), as<ptr_t>(s->before.pointer));
    status = launched(context, "counting stencils");
    return status ? status : NAME(spry_cuda_scan)(context, as<ptr_t>(s->before.pointer), groups);
}

/* ---- the arrays ---- */

/* How many first rows there are before one of them: the number of its stencil. */
static __device__ uint32_t rank_of(const uint32_t *is_first, const ptr_t *before, int64_t row) {
    return (uint32_t)before[row / 32] + __popc(is_first[row / 32] & ((1u << row % 32) - 1));
}

/* For each stencil its first row, and how many entries that has. */
static __global__ void list_stencils(table t, lines a, const uint32_t *is_first, const ptr_t *before,
                                     unsigned long long *first, ptr_t *length) {
    FOR_ALL(at, 0, t.size) {
        const int64_t row = (int64_t)t.slots[at].first;
        if (t.slots[at].key == NO_KEY)
            continue;
        const uint32_t number = rank_of(is_first, before, row);
        first[number] = (unsigned long long)row;
        length[number] = a.ptr[row + 1] - a.ptr[row];
    }
}

/* Stencils become what their first rows are. A warp takes 32 of them. */
static __global__ void __launch_bounds__(TILE_BLOCK)
    copy_firsts(lines a, const unsigned long long *first, stencils s) {
    __shared__ cells of_warp[TILE_WARPS];
    const int64_t number = tile_number() * WARP + lane_number();
    const line own = line_at(a, number < s.count ? (int64_t)first[number] : a.rows);
    const int64_t to = number < s.count ? s.ptr[number] : 0;
    bits_t *val = as<bits_t>(s.val);
    walk(a, own, true, of_warp[threadIdx.x / WARP],
         [&](int64_t k, idx_t offset, bits_t value, bool is_there) {
             if (!is_there)
                 return;
             s.offset[to + k] = offset;
             if (val)
                 val[to + k] = value;
         });
    for (unsigned left = long_lines(own, true); left; left &= left - 1) {
        const int lane = __ffs(left) - 1;
        const line other = line_of_lane(own, lane);
        const int64_t place = __shfl_sync(ALL_LANES, to, lane);
        for (int64_t k = lane_number(); k < other.length; k += WARP) {
            s.offset[place + k] = offset_at(a, other, k);
            if (val)
                val[place + k] = value_at(a, other, k);
        }
    }
}

/* Rows have the number of the row that their run begins with. */
static __global__ void write_numbers(table t, const uint32_t *begins, const uint32_t *slot,
                                     const uint32_t *is_first, const ptr_t *before, stencils s) {
    const int64_t row = thread_number();
    if (row >= s.rows)
        return;
    const uint32_t up_to_here = begins[row / 32] & ((2u << row % 32) - 1);
    const int64_t begin = row - row % 32 + 31 - __clz(up_to_here);
    const uint32_t number = rank_of(is_first, before, (int64_t)t.slots[slot[begin]].first);
    switch (s.number_size) {
    case 1:
        as<uint8_t>(s.number)[row] = (uint8_t)number;
        break;
    case 2:
        as<uint16_t>(s.number)[row] = (uint16_t)number;
        break;
    default:
        as<uint32_t>(s.number)[row] = number;
    }
}

/* ---- rows and their stencils ---- */

/* Compare rows with the offsets of their stencils and the values of the first rows that have them; only where runs begin, if
   those are given. */
static __global__ void __launch_bounds__(TILE_BLOCK)
    compare(lines a, const unsigned long long *first, stencils s, const uint32_t *begins, findings *found) {
    __shared__ cells of_warp[TILE_WARPS];
    const line own = own_line(a);
    const bool is_row = own.row < a.rows;
    const bool looks = is_row && (!begins || (begins[tile_number()] >> lane_number() & 1));
    const uint32_t number = looks ? number_of(s, own.row) : 0;
    const line model = line_at(a, looks ? (int64_t)first[number] : a.rows);
    const int64_t at = looks ? s.ptr[number] : 0, length = looks ? length_of(s, number) : 0;
    unsigned differs = looks && (own.length != length || model.length != length) ? OTHER_PATTERN : 0;
    const bool takes_part = looks && !differs;
    walk(a, own, takes_part, of_warp[threadIdx.x / WARP],
         [&](int64_t k, idx_t offset, bits_t value, bool is_there) {
             if (is_there && offset != s.offset[at + k])
                 differs |= OTHER_PATTERN;
             if (is_there && value != value_at(a, model, k))
                 differs |= OTHER_VALUES;
         });
    for (unsigned left = long_lines(own, takes_part); left; left &= left - 1) {
        const int lane = __ffs(left) - 1;
        const line other = line_of_lane(own, lane), like = line_of_lane(model, lane);
        const int64_t place = __shfl_sync(ALL_LANES, at, lane);
        for (int64_t k = lane_number(); k < other.length; k += WARP) {
            differs |= offset_at(a, other, k) != s.offset[place + k] ? OTHER_PATTERN : 0;
            differs |= value_at(a, other, k) != value_at(a, like, k) ? OTHER_VALUES : 0;
        }
    }
    if (differs)
        atomicOr(&found->differs, differs);
}

/* Waits. `found` is cleared before. */
static spry_status compare_rows(spry_context *context, const lines &a, const temporary &first,
                                const stencils &s, const uint32_t *begins, const temporary &place,
                                findings *found) {
    compare<<<blocks_for(groups_of(a.rows), TILE_WARPS), TILE_BLOCK, 0, context->device->stream>>>(
        a, static_cast<unsigned long long *>(first.pointer), s, begins,
        static_cast<findings *>(place.pointer));
    spry_status status = launched(context, "comparing rows with their stencils");
    return status ? status : spry_cuda_fetch(context, found, place.pointer, sizeof *found);
}

static spry_status take_firsts(spry_context *context, const lines &a, const temporary &first,
                               const stencils &s) {
    copy_firsts<<<blocks_for(groups_of(s.count), TILE_WARPS), TILE_BLOCK, 0, context->device->stream>>>(
        a, static_cast<unsigned long long *>(first.pointer), s);
    return launched(context, "copying stencils");
}

/* ---- from CSR ---- */

static spry_status take_arrays(spry_context *context, spry_matrix *matrix, const lines &a,
                               const findings &found) {
    spry_stencil *stencil = &matrix->stencil;
    stencil->count = (int64_t)found.count;
    stencil->entries = (int64_t)found.entries;
    stencil->number_size = spry_stencil_number_size(stencil->count);
    spry_status status =
        spry_matrix_array(context, matrix, matrix->rows, (size_t)stencil->number_size, &stencil->number);
    if (!status)
        status = spry_matrix_array(context, matrix, stencil->count + 1, sizeof(ptr_t), &stencil->ptr);
    if (!status)
        status = spry_matrix_array(context, matrix, stencil->entries, sizeof(idx_t), &stencil->offset);
    return status || !a.val
               ? status
               : spry_matrix_array(context, matrix, stencil->entries, sizeof(val_t), &stencil->val);
}

static void drop_arrays(spry_matrix *matrix) {
    const spry_stencil *stencil = &matrix->stencil;
    for (void *array : {stencil->number, stencil->ptr, stencil->offset, stencil->val})
        if (array)
            spry_matrix_drop_array(matrix, array);
}

/* Write the arrays by what a search has found. */
static spry_status write_arrays(spry_context *context, const lines &a, const search &s,
                                const temporary &first, const stencils &to) {
    cudaStream_t stream = context->device->stream;
    const uint32_t *is_first = as<uint32_t>(s.is_first.pointer);
    const ptr_t *before = as<ptr_t>(s.before.pointer);
    list_stencils<<<blocks_at_once(context, s.slots.count, BLOCK), BLOCK, 0, stream>>>(
        s.keys(), a, is_first, before, static_cast<unsigned long long *>(first.pointer), to.ptr);
    spry_status status = launched(context, "listing stencils");
    if (!status)
        status = NAME(spry_cuda_scan)(context, to.ptr, to.count);
    if (!status)
        status = take_firsts(context, a, first, to);
    if (status)
        return status;
    write_numbers<<<blocks_for(a.rows, BLOCK), BLOCK, 0, stream>>>(
        s.keys(), as<uint32_t>(s.begins.pointer), as<uint32_t>(s.slot_of_row.pointer), is_first, before, to);
    return launched(context, "numbers of stencils");
}

/* With keys of one salt. `differs`: some row is not as its stencil says. Waits. */
static spry_status try_salt(spry_context *context, const lines &a, int salt, search *s, spry_matrix *matrix,
                            bool *differs) {
    temporary first(context);
    findings found;
    spry_status status = find(context, a, salt, s, &found);
    if (!status)
        status = first.take((int64_t)found.count, sizeof(unsigned long long));
    if (!status)
        status = take_arrays(context, matrix, a, found);
    if (status)
        return status;
    const stencils to = stencils_of(matrix);
    status = write_arrays(context, a, *s, first, to);
    if (!status)
        status = compare_rows(context, a, first, to, as<uint32_t>(s->begins.pointer), s->found, &found);
    *differs = found.differs != 0;
    return status;
}

/* The arrays of a new matrix, made from rows. */
static spry_status make(spry_context *context, const lines &a, spry_matrix *matrix) {
    search s(context);
    bool differs = true;
    if (a.rows == 0) {
        spry_status status = take_arrays(context, matrix, a, {0, 0, 0});
        return status ? status : NAME(spry_cuda_scan)(context, as<ptr_t>(matrix->stencil.ptr), 0);
    }
    spry_status status = open_search(context, a.rows, &s);
    for (int salt = 0; salt < SPRY_STENCIL_SALTS && !status && differs; salt++) {
        if (salt > 0)
            drop_arrays(matrix);
        status = try_salt(context, a, salt, &s, matrix, &differs);
    }
    return status || !differs ? status
                              : spry_fail(context, SPRY_ERROR_UNSUPPORTED,
                                          "stencil: different rows have the same key, whatever the salt");
}

static spry_status from_csr(spry_context *context, const spry_matrix *csr, const spry_convert_options *,
                            spry_matrix *matrix) {
    matrix->sorted = true;
    return make(context, lines_of(csr), matrix);
}

spry_status NAME(spry_cuda_make_kinds)(spry_context *context, const spry_matrix *csr, spry_matrix *matrix) {
    return make(context, offsets_of(csr), matrix);
}

/* ---- to CSR ---- */

static __global__ void list_lengths(stencils s, ptr_t *length) {
    const int64_t row = thread_number();
    if (row < s.rows)
        length[row] = (ptr_t)length_of(s, number_of(s, row));
}

/* Write the rows, whose pointers are given. */
static __global__ void __launch_bounds__(TILE_BLOCK) fill(lines a, stencils s, idx_t *idx, bits_t *val) {
    __shared__ cells of_warp[TILE_WARPS];
    cells &cell = of_warp[threadIdx.x / WARP];
    const line own = own_line(a);
    const int64_t from = own.row < a.rows ? s.ptr[number_of(s, own.row)] : 0,
                  length = own.length <= LONGEST_ALONE ? own.length : 0;
    const bits_t *value = as<bits_t>(s.val);
    for (int64_t skip = 0; __any_sync(ALL_LANES, skip < length); skip += TILE_SLOTS) {
        const tile_row part = tile_row_at(own.begin, length, skip);
        const tile_shape shape = tile_shape_for(part);
        __syncwarp();
        for (int k = 0; k < part.count; k++) {
            const int at = k * shape.pitch + lane_number();
            cell.column[at] = (idx_t)(own.row + s.offset[from + skip + k]);
            cell.value[at] = value[from + skip + k];
        }
        write_rows(idx, part, shape, cell.column);
        write_rows(val, part, shape, cell.value);
    }
    for (unsigned left = long_lines(own, true); left; left &= left - 1) {
        const int lane = __ffs(left) - 1;
        const line other = line_of_lane(own, lane);
        const int64_t place = __shfl_sync(ALL_LANES, from, lane);
        for (int64_t k = lane_number(); k < other.length; k += WARP) {
            idx[other.begin + k] = (idx_t)(other.row + s.offset[place + k]);
            val[other.begin + k] = value[place + k];
        }
    }
}

spry_status NAME(spry_cuda_kind_pointers)(spry_context *context, const spry_matrix *matrix, ptr_t *ptr) {
    const stencils s = stencils_of(matrix);
    if (s.rows > 0)
        list_lengths<<<blocks_for(s.rows, BLOCK), BLOCK, 0, context->device->stream>>>(s, ptr);
    spry_status status = launched(context, "row lengths of stencils");
    return status ? status : NAME(spry_cuda_scan)(context, ptr, s.rows);
}

static spry_status to_csr(spry_context *context, const spry_matrix *matrix, const spry_convert_options *,
                          spry_matrix *csr) {
    cudaStream_t stream = context->device->stream;
    const stencils s = stencils_of(matrix);
    spry_status status = spry_matrix_csr_arrays(context, csr);
    if (!status)
        status = NAME(spry_cuda_kind_pointers)(context, matrix, as<ptr_t>(csr->csr.ptr));
    if (status || s.rows == 0)
        return status;
    fill<<<blocks_for(groups_of(s.rows), TILE_WARPS), TILE_BLOCK, 0, stream>>>(
        lines_of(csr), s, as<idx_t>(csr->csr.idx), as<bits_t>(csr->csr.val));
    return launched(context, "stencils to CSR");
}

/* ---- new values ---- */

/* The first row that has each stencil; before, a number that is larger than all of them. */
static __global__ void find_firsts(stencils s, unsigned long long *first) {
    const int64_t row = thread_number();
    if (row >= s.rows)
        return;
    const uint32_t number = number_of(s, row);
    const bool begins = row == 0 || number_of(s, row - 1) != number;
    if (begins && (unsigned long long)row < first[number])
        atomicMin(&first[number], (unsigned long long)row);
}

/* What the new rows have in common with the stencils as they are. Waits. */
static spry_status look(spry_context *context, const lines &a, const stencils &s, const temporary &first,
                        findings *found) {
    temporary place(context);
    spry_status status = place.take(1, sizeof *found);
    if (!status)
        status = clear(context, place, 0);
    if (!status)
        status = clear(context, first, 0xff);
    if (status)
        return status;
    find_firsts<<<blocks_for(s.rows, BLOCK), BLOCK, 0, context->device->stream>>>(
        s, static_cast<unsigned long long *>(first.pointer));
    status = launched(context, "first rows of stencils");
    return status ? status : compare_rows(context, a, first, s, nullptr, place, found);
}

/* Other rows are alike now: the matrix gets new arrays. What else its plan has goes by the lengths of rows, which stay. */
static spry_status make_anew(spry_context *context, const lines &a, spry_matrix *matrix) {
    spry_matrix *made;
    spry_status status = spry_matrix_new(context, SPRY_STENCIL, matrix->type, matrix->index, matrix->rows,
                                         matrix->cols, matrix->nnz, &made);
    if (status)
        return status;
    status = make(context, a, made);
    if (!status) {
        drop_arrays(matrix);
        spry_matrix_drop_array(matrix, matrix->cuda.part);
        matrix->cuda.part = NULL;
        matrix->stencil = made->stencil;
        spry_matrix_take_arrays(matrix, made);
    }
    spry_matrix_destroy(made);
    return status;
}

static spry_status update(spry_context *context, spry_matrix *matrix, const spry_matrix *csr) {
    const lines a = lines_of(csr);
    const stencils s = stencils_of(matrix);
    temporary first(context);
    findings found;
    spry_status status = first.take(s.count, sizeof(unsigned long long));
    if (!status)
        status = look(context, a, s, first, &found);
    if (status)
        return status;
    if (found.differs & OTHER_PATTERN)
        return SPRY_ERROR_PATTERN;
    status = found.differs ? make_anew(context, a, matrix) : take_firsts(context, a, first, s);
    return status ? status : NAME(spry_stencil_parts)(context, matrix);
}

spry_status NAME(spry_cuda_compare_kinds)(spry_context *context, const spry_matrix *csr,
                                          const spry_matrix *matrix) {
    const stencils s = stencils_of(matrix);
    temporary first(context);
    findings found;
    if (s.rows == 0)
        return SPRY_OK;
    spry_status status = first.take(s.count, sizeof(unsigned long long));
    if (!status)
        status = look(context, offsets_of(csr), s, first, &found);
    if (status)
        return status;
    return found.differs ? SPRY_ERROR_PATTERN : SPRY_OK;
}

extern "C" {
extern const struct spry_convert_code NAME(spry_stencil_convert);
const struct spry_convert_code NAME(spry_stencil_convert) = {
    .from_csr = from_csr,
    .to_csr = to_csr,
    .update = update,
};
}
