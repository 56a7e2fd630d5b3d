/* SPDX-License-Identifier: BSD-3-Clause */
/* The plan of segments, and what the selector is told of them. */
#include "primitives/device.cuh"
#include "spmv/segments.cuh"

#define BLOCK 256
/* Empty rows one after the other that a lane sees to by itself. */
#define FEW 8
/* Warps that it takes to keep a multiprocessor busy: smaller matrices get smaller tiles. */
#define WARPS_WANTED 24

/* The bit of a row's first entry, by where rows begin; of the entry past the last, thread `count`. */
static __global__ void mark_rows(const ptr_t *ptr, int base, int64_t count, uint32_t *head) {
    int64_t i = thread_number();
    if (i > count || (i < count && ptr[i] == ptr[i + 1]))
        return;
    int64_t k = ptr[i] - base;
    atomicOr(&head[k / 32], 1u << k % 32);
}

/* A warp makes a word, one past the last entry too: bits of the entries whose row is another than that of the one before. */
static __global__ void mark_changes(const idx_t *row, int64_t nnz, int64_t words, uint32_t *head) {
    int64_t k = thread_number();
    bool begins = k == 0 || k == nnz || (k < nnz && row[k] != row[k - 1]);
    unsigned word = __ballot_sync(ALL_LANES, begins);
    if (lane_number() == 0 && k / 32 < words)
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

/* The same by the rows of COO, an entry a thread: the first of a row sees to the rows without entries before it, too, and what is past the
   last to those at the end. Where these are many, the lanes of a warp share them. */
static __global__ void list_coo_rows(const idx_t *row, int base, int64_t nnz, int64_t count,
                                     spry_segments segments) {
    const int64_t k = thread_number();
    int64_t segment = 0, first = 0, end = 0; /* rows first … end - 1 are empty */
    const bool begins = k <= nnz && (segments.head[k / 32] >> k % 32 & 1);
    if (begins) {
        segment = segments_before(segments.head, as<ptr_t>(segments.before), segments.items, k);
        first = k == 0 ? 0 : (int64_t)row[k - 1] - base + 1;
        end = k == nnz ? count : (int64_t)row[k] - base;
        if (k < nnz)
            as<idx_t>(segments.row)[segment] = (idx_t)end;
    }
    idx_t *empty = as<idx_t>(segments.empty) - segment; /* as many rows before row i are not empty */
    if (end - first <= FEW)
        for (int64_t i = first; i < end; i++)
            empty[i] = (idx_t)i;
    for (unsigned many = __ballot_sync(ALL_LANES, end - first > FEW); many; many &= many - 1) {
        const int lane = __ffs(many) - 1;
        const int64_t begin = __shfl_sync(ALL_LANES, first, lane), stop = __shfl_sync(ALL_LANES, end, lane),
                      before = __shfl_sync(ALL_LANES, segment, lane);
        for (int64_t i = begin + lane_number(); i < stop; i += WARP)
            as<idx_t>(segments.empty)[i - before] = (idx_t)i;
    }
}

/* The side whose entries lie together. */
static int64_t unit_count(const spry_matrix *matrix) {
    return matrix->format == SPRY_CSC ? matrix->cols : matrix->rows;
}

/* Where rows begin, and from where that is counted; null where a COO matrix was not made from CSR. */
struct begins {
    const ptr_t *ptr;
    int base;
};

static begins begins_of(const spry_matrix *matrix) {
    return matrix->format == SPRY_COO ? begins{as<ptr_t>(matrix->cuda.segments.row), 0}
                                      : begins{as<ptr_t>(matrix->csr.ptr), matrix->csr.base};
}

static spry_status mark(spry_context *context, const spry_matrix *matrix, begins rows, uint32_t *head,
                        int64_t words) {
    cudaStream_t stream = context->device->stream;
    const int64_t count = unit_count(matrix);
    if (!rows.ptr) {
        mark_changes<<<blocks_for(words * 32, BLOCK), BLOCK, 0, stream>>>(as<idx_t>(matrix->coo.row),
                                                                          matrix->nnz, words, head);
        return launched(context, "marking the begins of rows");
    }
    spry_status status = spry_cuda_check(
        context, cudaMemsetAsync(head, 0, (size_t)words * sizeof *head, stream), "clearing an array");
    if (status)
        return status;
    mark_rows<<<blocks_for(count + 1, BLOCK), BLOCK, 0, stream>>>(rows.ptr, rows.base, count, head);
    return launched(context, "marking the begins of rows");
}

static spry_status list(spry_context *context, spry_matrix *matrix, begins rows) {
    spry_segments *segments = &matrix->cuda.segments;
    int64_t count = unit_count(matrix);
    segments->row = nullptr;
    segments->empty_count = count - segments->count;
    if (segments->empty_count == 0)
        return SPRY_OK;
    spry_status status =
        spry_matrix_array(context, matrix, segments->empty_count, sizeof(idx_t), &segments->empty);
    if (!status)
        status = spry_matrix_array(context, matrix, segments->count, sizeof(idx_t), &segments->row);
    if (status)
        return status;
    cudaStream_t stream = context->device->stream;
    if (rows.ptr)
        list_rows<<<blocks_for(count, BLOCK), BLOCK, 0, stream>>>(rows.ptr, rows.base, count, *segments);
    else
        list_coo_rows<<<blocks_for(matrix->nnz + 1, BLOCK), BLOCK, 0, stream>>>(
            as<idx_t>(matrix->coo.row), matrix->coo.base, matrix->nnz, count, *segments);
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

/* A conversion to COO may leave where rows begin in the place of the list of rows, and how many have entries: nothing is waited
   for where that is known. */
spry_status NAME(spry_segments_plan)(spry_context *context, spry_matrix *matrix) {
    spry_segments *segments = &matrix->cuda.segments;
    cudaStream_t stream = context->device->stream;
    const begins rows = begins_of(matrix);
    if (matrix->nnz == 0) {
        segments->row = nullptr;
        return SPRY_OK;
    }
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
    status = mark(context, matrix, rows, segments->head, words);
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
    if (!status && segments->count == 0) {
        status = spry_cuda_fetch(context, &heads, before + tiles, sizeof heads);
        segments->count = heads - 1; /* the mark past the last entry is no segment */
    }
    matrix->cuda.carry = (size_t)segments->blocks * sizeof(carry_t);
    return status ? status : list(context, matrix, rows);
}
