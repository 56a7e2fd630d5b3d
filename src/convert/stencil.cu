/* SPDX-License-Identifier: BSD-3-Clause */
/* Stencils from CSR and back on a device, and new values. */
#include "convert/kind_search.cuh"
#include "convert/kinds.cuh"
#include "cuda/kernel.cuh"

namespace convert_stencil {

/* ---- from CSR ---- */

static spry_status from_csr(spry_context *context, const spry_matrix *csr, const spry_convert_options *,
                            spry_matrix *matrix) {
    matrix->sorted = true;
    return NAME(spry_cuda_make_kinds)(context, csr, true, matrix);
}

/* ---- to CSR ---- */

/* Write the rows, whose pointers are given. */
static __global__ void __launch_bounds__(TILE_BLOCK) fill(csr_rows a, stencils s, idx_t *idx, bits_t *val) {
    __shared__ row_tile tiles[TILE_WARPS];
    row_tile &tile = tiles[threadIdx.x / WARP];
    const csr_row own = own_row(a);
    const int64_t from = own.row < a.count ? s.ptr[number_of(s, own.row)] : 0,
                  length = is_long(own) ? 0 : own.length;
    const bits_t *value = as<bits_t>(s.val);
    for (int64_t skip = 0; __any_sync(ALL_LANES, skip < length); skip += TILE_SLOTS) {
        const tile_row part = tile_row_at(own.begin, length, skip);
        const tile_shape shape = tile_shape_for(part);
        __syncwarp();
        for (int k = 0; k < part.count; k++) {
            const int at = k * shape.pitch + lane_number();
            tile.column[at] = (idx_t)(own.row + s.offset[from + skip + k]);
            tile.value[at] = value[from + skip + k];
        }
        write_rows(idx, part, shape, tile.column);
        write_rows(val, part, shape, tile.value);
    }
    each_long(own, true, [&](const csr_row &row, int lane) {
        const int64_t place = __shfl_sync(ALL_LANES, from, lane);
        for (int64_t k = lane_number(); k < row.length; k += WARP) {
            idx[row.begin + k] = (idx_t)(row.row + s.offset[place + k]);
            val[row.begin + k] = value[place + k];
        }
    });
}

static spry_status to_csr(spry_context *context, const spry_matrix *matrix, const spry_convert_options *,
                          spry_matrix *csr) {
    const stencils s = stencils_of(matrix);
    spry_status status = NAME(spry_cuda_kind_pointers)(context, matrix, csr);
    if (status || s.rows == 0)
        return status;
    fill<<<blocks_for(groups_of(s.rows), TILE_WARPS), TILE_BLOCK, 0, context->device->stream>>>(
        csr_rows_of(csr, true), s, as<idx_t>(csr->csr.idx), as<bits_t>(csr->csr.val));
    return launched(context, "stencils to CSR");
}

/* ---- new values ---- */

/* Other rows are alike now: the matrix gets new arrays, once all of them are there. What else its plan has goes by the lengths of
   rows, which stay. */
static spry_status make_anew(spry_context *context, const spry_matrix *csr, spry_matrix *matrix) {
    spry_matrix *made;
    spry_status status = spry_matrix_new(context, SPRY_STENCIL, matrix->type, matrix->index, matrix->rows,
                                         matrix->cols, matrix->nnz, &made);
    if (status)
        return status;
    status = NAME(spry_cuda_make_kinds)(context, csr, true, made);
    if (!status)
        status = NAME(spry_stencil_parts)(context, made);
    if (!status) {
        NAME(spry_cuda_drop_kinds)(matrix);
        spry_matrix_drop_array(matrix, matrix->cuda.typical);
        matrix->stencil = made->stencil;
        matrix->cuda.typical = made->cuda.typical;
        spry_matrix_take_arrays(matrix, made);
        matrix->cuda.passing = spry_cuda_passing(context, matrix);
    }
    spry_matrix_destroy(made);
    return status;
}

static spry_status update(spry_context *context, spry_matrix *matrix, const spry_matrix *csr) {
    const csr_rows a = csr_rows_of(csr, true);
    const stencils s = stencils_of(matrix);
    temporary first(context);
    int64_t differences = 0;
    spry_status status = first.take(s.count, sizeof(unsigned long long));
    unsigned long long *rows = static_cast<unsigned long long *>(first.pointer);
    if (!status)
        status = NAME(spry_cuda_first_rows)(context, s, first);
    if (!status)
        status = NAME(spry_cuda_compare_rows)(context, a, rows, s, nullptr, &differences);
    if (status)
        return status;
    if (differences & OTHER_PATTERN)
        return SPRY_ERROR_PATTERN;
    if (differences)
        return make_anew(context, csr, matrix);
    status = NAME(spry_cuda_copy_kinds)(context, a, rows, s);
    return status ? status : NAME(spry_stencil_parts)(context, matrix);
}

extern "C" {
extern const struct spry_convert_code NAME(spry_stencil_convert);
const struct spry_convert_code NAME(spry_stencil_convert) = {
    .from_csr = from_csr,
    .to_csr = to_csr,
    .update = update,
};
}

} // namespace convert_stencil
