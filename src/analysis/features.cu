/* SPDX-License-Identifier: BSD-3-Clause */
/* The features of a CSR matrix on a device, for all index types: one kernel looks at all of them. */
#include <algorithm>
#include <cstring>

#include "analysis/blocks.cuh"
#include "analysis/lengths.cuh"
#include "analysis/samples.cuh"
#include "analysis/windows.cuh"
extern "C" {
#include "analysis/analysis.h"
#include "analysis/rank.h"
#include "core/table.h"
}

/* A thread a run of rows. */
template <class Pointer, class Index>
static __device__ inline void look_at_runs(const featured<Pointer, Index> &a, spry_features *features) {
    FOR_ALL(run, 0, a.parts) {
        const int64_t begin = run * a.run, end = begin + a.run;
        if (begin < a.rows)
            raise_to(&features->largest_share, a.ptr[end < a.rows ? end : a.rows] - a.ptr[begin]);
    }
}

template <class Pointer, class Index>
static __device__ inline void look_at_blocks(const featured<Pointer, Index> &a, spry_features *features) {
    spry_count_samples(rows_of(a), block_from(a.first.blocks), &features->blocks);
}

/* All that was found, as whole words. */
static __device__ inline void copy_survey(const survey *from, survey *to) {
    static_assert(sizeof(survey) % sizeof(int64_t) == 0);
    const int64_t *word = reinterpret_cast<const int64_t *>(from);
    int64_t *copy = reinterpret_cast<int64_t *>(to);
    for (size_t w = threadIdx.x; w < sizeof *from / sizeof *word; w += SURVEYORS)
        copy[w] = __ldcg(word + w);
}

/* `found` is zero before. The last block leaves `result` in host memory, which is sooner there than a copy that waits
   for the kernel. */
template <class Pointer, class Index>
static __global__ void __launch_bounds__(SURVEYORS)
    look(featured<Pointer, Index> a, survey *found, survey *result, spry_reduction_space *space) {
    __shared__ counters count;
    __shared__ window_counters window;
    spry_features *features = &found->features;
    for (int bin = threadIdx.x; bin < SPRY_LENGTH_COUNTERS; bin += SURVEYORS)
        count.by_row[bin] = count.by_eight[bin] = count.by_warp[bin] = 0;
    if (threadIdx.x < SPRY_ROUND_CHOICES)
        count.rounds[threadIdx.x] = 0;
    __syncthreads();
    look_at_runs(a, features);
    look_at_sorted(a, features);
    look_at_blocks(a, features);
    look_at_entries(a, features);
    look_at_stencils(a, found);
    look_at_diagonals(a, window, &features->diagonals);
    look_at_values(a, found->value);
    if (!add_found(look_at_rows(a, count), count, features, space))
        return;
    __syncthreads();
    copy_survey(found, result);
}

/* One part after the other: windows of sorted rows, blocks, windows of entries, rows with their keys, and windows with their diagonals. */
static first_blocks spread_parts(const spry_sample &sample, const spry_windows &windows,
                                 int64_t stencil_rows) {
    const int64_t warps = SURVEYORS / WARP, keys = warps * WARP / KEY_LANES;
    first_blocks first;
    first.blocks = windows.count;
    first.entries = first.blocks + SPRY_BLOCK_GRID;
    first.stencils = first.entries + blocks_for(sample.windows, warps);
    first.diagonals = first.stencils + blocks_for(stencil_rows, keys);
    first.all = first.diagonals + blocks_for(stencil_rows, SPRY_ROW_WINDOW);
    return first;
}

template <class Pointer, class Index>
static void launch_look(spry_context *context, const spry_matrix *csr, spry_sample sample, survey *found) {
    const spry_windows windows = spry_windows_of(csr->rows), stencils = spry_row_sample_of(csr->rows);
    const first_blocks first = spread_parts(sample, windows, spry_row_sample_size(stencils, csr->rows));
    const featured<Pointer, Index> a = {csr->rows,
                                        csr->nnz,
                                        spry_rounded_mean(csr),
                                        static_cast<const Pointer *>(csr->csr.ptr),
                                        static_cast<const Index *>(csr->csr.idx),
                                        csr->csr.val,
                                        (int)spry_stored_size(csr->type, csr->values),
                                        csr->csr.base,
                                        context->device->multiprocessors,
                                        spry_features_run(csr->rows, context->device->multiprocessors),
                                        sample,
                                        windows,
                                        stencils,
                                        spry_value_sample_of(csr),
                                        first};
    const int64_t looking = std::max(csr->rows, first.all * SURVEYORS);
    look<<<reduction_blocks(context, looking, SURVEYORS), SURVEYORS, 0, context->device->stream>>>(
        a, found, static_cast<survey *>(context->device->fetched), context->device->reduction);
}

static spry_status launch_by_types(spry_context *context, const spry_matrix *csr, spry_sample sample,
                                   survey *found) {
    if (spry_pointer_size(csr->index) == sizeof(int32_t))
        launch_look<int32_t, int32_t>(context, csr, sample, found);
    else if (spry_index_size(csr->index) == sizeof(int32_t))
        launch_look<int64_t, int32_t>(context, csr, sample, found);
    else
        launch_look<int64_t, int64_t>(context, csr, sample, found);
    return launched(context, "looking at a matrix");
}

static spry_status features_on_device(spry_context *context, const spry_matrix *csr,
                                      spry_features *features) {
    void *place;
    const spry_sample sample = spry_sample_of(csr);
    spry_status status = spry_cuda_scratch(context, sizeof(survey), &place);
    if (!status)
        status = spry_cuda_check(context, cudaMemsetAsync(place, 0, sizeof(survey), context->device->stream),
                                 "clearing counters");
    if (!status)
        status = launch_by_types(context, csr, sample, static_cast<survey *>(place));
    if (!status)
        status =
            spry_cuda_check(context, cudaStreamSynchronize(context->device->stream), "looking at a matrix");
    if (status)
        return status;
    const survey *found = static_cast<const survey *>(context->device->fetched);
    memcpy(features, &found->features, sizeof *features);
    features->alike_rows = spry_row_sample_size(spry_row_sample_of(csr->rows), csr->rows);
    features->stencils = spry_count_alike(features->alike_rows, found->key_of_stencil, found->length);
    features->shapes = spry_count_alike(features->alike_rows, found->key_of_shape, found->length);
    spry_count_values(context, csr->type, spry_value_sample_of(csr).count, found->value, &features->values);
    features->shortest = INT64_MAX - features->shortest;
    features->parts = context->device->multiprocessors;
    features->spread = csr->cols;
    features->sampled = sample.windows * sample.length;
    return SPRY_OK;
}

extern "C" {
extern const struct spry_analysis spry_cuda_analysis;
const struct spry_analysis spry_cuda_analysis = {features_on_device, nullptr, spry_cuda_length_at_rank};
}
