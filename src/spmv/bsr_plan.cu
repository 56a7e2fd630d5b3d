/* SPDX-License-Identifier: BSD-3-Clause */
/* How the rows of BSR are shared among the lanes of a warp. */
#include "spmv/bsr.cuh"
#include "spmv/scatter.cuh"

namespace spmv_bsr_plan {

/* Times that a team goes round for a row, about: fewer, and a warp has too little to read between the beginnings of its rows. */
static constexpr int ROUNDS = 3;
/* Threads on a multiprocessor that it takes to keep it busy. */
static constexpr int THREADS_WANTED = 1024;

/* Room that no further team fits in is used too. */
extern "C" int NAME(spry_bsr_at_once)(const spry_context *context, int64_t rows, double blocks, int height,
                                      int width) {
    const int room = spry_blocks_of_warp(height, width);
    const double threads = (double)rows * WARP / room,
                 wanted = (double)context->device->multiprocessors * THREADS_WANTED;
    if (rows == 0 || threads < wanted)
        return room;
    const double share = blocks / (double)rows / (ROUNDS * spry_bsr_ahead(spry_lane_rows(height)));
    const int some = share < 1 ? 1 : share < room ? (int)share : room;
    return room / (room / some);
}

extern "C" spry_status NAME(spry_bsr_plan)(spry_context *context, spry_matrix *matrix) {
    const spry_bsr *bsr = &matrix->bsr;
    matrix->cuda.lanes = NAME(spry_bsr_at_once)(context, spry_cover(matrix->rows, bsr->height),
                                                (double)bsr->blocks, (int)bsr->height, (int)bsr->width);
    matrix->cuda.scratch[SPRY_T] = NAME(spry_scatter_scratch)(matrix, SPRY_T);
    return SPRY_OK;
}

} // namespace spmv_bsr_plan
