/* SPDX-License-Identifier: BSD-3-Clause */
/* The plan of segments, and what the selector is told of them. */
#include "primitives/device.cuh"
#include "spmv/segments.cuh"

#define BLOCK 256
/* Warps that it takes to keep a multiprocessor busy: smaller matrices get smaller tiles. */
#define WARPS_WANTED 24

/* The bit of a CSR row's first entry; of the entry past the last, thread `count`. */
static __global__ void mark_rows(const ptr_t *ptr, int base, int64_t count, uint32_t *head) {
    int64_t i = thread_number();
    if (i > count || (i < count && ptr[i] == ptr[i + 1]))
        return;
    int64_t k = ptr[i] - base;
    atomicOr(&head[k / 32], 1u << k % 32);
}

/* A warp makes a word: bits of the entries whose row is another than that of the one before. */
static __global__ void mark_changes(const idx_t *row, int64_t nnz, uint32_t *head) {
    int64_t k = thread_number();
    bool begins = k == 0 || k == nnz || (k < nnz && row[k] != row[k - 1]);
    unsigned word = __ballot_sync(ALL_LANES, begins && k <= nnz);
    if (lane_number() == 0 && k <= nnz)
        head[k / 32] = word;
}

static __global__ void count_heads(const uint32_t *head, int items, int64_t tiles, ptr_t *count) {
    int64_t tile = thread_number();
    if (tile >= tiles)
        return;
    int heads = 0;
    for (int w = 0; w < items; w++)
        heads += __popc(head[tile * items + w]);
    count[tile] = heads;
}

/* The last tile before which no more than `segment` segments begin: the one in which segment number `run` begins. */
static __device__ int64_t tile_of(const ptr_t *before, int64_t tiles, int64_t segment) {
    int64_t low = 0, high = tiles;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (before[middle] <= segment)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static __global__ void find_open(const ptr_t *before, int64_t blocks, int32_t *open) {
    int64_t b = thread_number();
    if (b >= blocks)
        return;
    int64_t segment = before[b * SPRY_SEGMENT_TILES] - 1;
    open[b] = segment < 0
                  ? 0
                  : (int32_t)(tile_of(before, blocks * SPRY_SEGMENT_TILES, segment) / SPRY_SEGMENT_TILES);
}

/* Segments that begin before entry k. */
static __device__ int64_t segments_before(const uint32_t *head, const ptr_t *before, int items, int64_t k) {
    int64_t tile = k / (WARP * items), segments = before[tile];
    for (int64_t w = tile * items; w < k / 32; w++)
        segments += __popc(head[w]);
    return segments + __popc(head[k / 32] & ((1u << k % 32) - 1));
}

/* Which rows have entries and which have none, each in a list of its own. */
static __global__ void list_rows(const ptr_t *ptr, int base, int64_t count, spry_segments segments) {
    int64_t i = thread_number();
    if (i >= count)
        return;
    int64_t segment =
        segments_before(segments.head, as<ptr_t>(segments.before), segments.items, ptr[i] - base);
    if (ptr[i] < ptr[i + 1])
        as<idx_t>(segments.row)[segment] = (idx_t)i;
    else
        as<idx_t>(segments.empty)[i - segment] = (idx_t)i;
}

/* The same for COO, a row a thread. */
static __global__ void list_coo_rows(const idx_t *row, int base, int64_t nnz, int64_t count,
                                     spry_segments segments) {
    int64_t i = thread_number();
    if (i >= count)
        return;
    int64_t low = 0, high = nnz; /* to the first entry of row i or of one after it */
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (row[middle] - base < i)
            low = middle + 1;
        else
            high = middle;
    }
    int64_t segment = segments_before(segments.head, as<ptr_t>(segments.before), segments.items, low);
    if (low < nnz && row[low] - base == i)
        as<idx_t>(segments.row)[segment] = (idx_t)i;
    else
        as<idx_t>(segments.empty)[i - segment] = (idx_t)i;
}

/* The side whose entries lie together. */
static int64_t unit_count(const spry_matrix *matrix) {
    return matrix->format == SPRY_CSC ? matrix->cols : matrix->rows;
}

static spry_status mark(spry_context *context, const spry_matrix *matrix, uint32_t *head, int64_t words) {
    cudaStream_t stream = context->device->stream;
    int64_t count = unit_count(matrix);
    spry_status status = spry_cuda_check(
        context, cudaMemsetAsync(head, 0, (size_t)words * sizeof *head, stream), "clearing an array");
    if (status)
        return status;
    if (matrix->format == SPRY_COO)
        mark_changes<<<blocks_for(matrix->nnz + 1, BLOCK), BLOCK, 0, stream>>>(as<idx_t>(matrix->coo.row),
                                                                               matrix->nnz, head);
    else
        mark_rows<<<blocks_for(count + 1, BLOCK), BLOCK, 0, stream>>>(as<ptr_t>(matrix->csr.ptr),
                                                                      matrix->csr.base, count, head);
    return launched(context, "marking the begins of rows");
}

static spry_status list(spry_context *context, spry_matrix *matrix) {
    spry_segments *segments = &matrix->cuda.segments;
    int64_t count = unit_count(matrix);
    segments->empty_count = count - segments->count;
    if (segments->empty_count == 0)
        return SPRY_OK;
    spry_status status =
        spry_matrix_array(context, matrix, segments->empty_count, sizeof(idx_t), &segments->empty);
    if (!status)
        status = spry_matrix_array(context, matrix, segments->count, sizeof(idx_t), &segments->row);
    if (status)
        return status;
    unsigned blocks = blocks_for(count, BLOCK);
    cudaStream_t stream = context->device->stream;
    if (matrix->format == SPRY_COO)
        list_coo_rows<<<blocks, BLOCK, 0, stream>>>(as<idx_t>(matrix->coo.row), matrix->coo.base, matrix->nnz,
                                                    count, *segments);
    else
        list_rows<<<blocks, BLOCK, 0, stream>>>(as<ptr_t>(matrix->csr.ptr), matrix->csr.base, count,
                                                *segments);
    return launched(context, "listing rows");
}

static int items_for(const spry_context *context, int64_t nnz) {
    int64_t warps = (int64_t)context->device->multiprocessors * WARPS_WANTED;
    int items = 2;
    while (items < 16 && nnz >= warps * WARP * items * 2)
        items *= 2;
    return items;
}

/* Tiles that a long row is spread over wait for each other. */
void NAME(spry_segments_add_work)(const spry_candidate *candidate, double entries, double segments,
                                  spry_terms *amounts) {
    const int processors = candidate->context->device->multiprocessors,
              items = items_for(candidate->context, (int64_t)entries);
    const double block = SPRY_SEGMENT_BLOCK * items;
    amounts->extra += entries > block;
    amounts->critical += (double)candidate->features->longest / block;
    amounts->entries += entries / processors;
    amounts->branches += segments / processors;
}

spry_terms NAME(spry_segments_work)(const spry_candidate *candidate) {
    const spry_features *features = candidate->features;
    spry_terms amounts =
        spry_traffic(candidate, candidate->bytes, candidate->context->device->multiprocessors);
    NAME(spry_segments_add_work)
    (candidate, (double)features->nnz, (double)(features->rows - features->by_row[0]), &amounts);
    return amounts;
}

spry_status NAME(spry_segments_plan)(spry_context *context, spry_matrix *matrix) {
    spry_segments *segments = &matrix->cuda.segments;
    cudaStream_t stream = context->device->stream;
    if (matrix->nnz == 0)
        return SPRY_OK;
    segments->items = items_for(context, matrix->nnz);
    segments->blocks = matrix->nnz / (SPRY_SEGMENT_BLOCK * segments->items) + 1;
    int64_t tiles = segments->blocks * SPRY_SEGMENT_TILES, words = tiles * segments->items;
    void *head, *open;
    spry_status status = spry_matrix_array(context, matrix, words, sizeof(uint32_t), &head);
    if (!status)
        status = spry_matrix_array(context, matrix, tiles + 1, sizeof(ptr_t), &segments->before);
    if (!status)
        status = spry_matrix_array(context, matrix, segments->blocks, sizeof(int32_t), &open);
    if (status)
        return status;
    segments->head = as<uint32_t>(head);
    segments->open = as<int32_t>(open);
    ptr_t *before = as<ptr_t>(segments->before), heads = 0;
    status = mark(context, matrix, segments->head, words);
    if (status)
        return status;
    count_heads<<<blocks_for(tiles, BLOCK), BLOCK, 0, stream>>>(segments->head, segments->items, tiles,
                                                                before);
    status = NAME(spry_cuda_scan)(context, before, tiles);
    if (status)
        return status;
    find_open<<<blocks_for(segments->blocks, BLOCK), BLOCK, 0, stream>>>(before, segments->blocks,
                                                                         segments->open);
    status = launched(context, "finding where open segments begin");
    if (!status)
        status = spry_cuda_fetch(context, &heads, before + tiles, sizeof heads);
    segments->count = heads - 1; /* the mark past the last entry is no segment */
    matrix->cuda.carry = (size_t)segments->blocks * sizeof(carry_t);
    return status ? status : list(context, matrix);
}
