/* SPDX-License-Identifier: BSD-3-Clause */
#include "convert/slices.h"

#include "convert/fill_limit.h"
#include "core/saturate.h"
#include "core/team.h"
#include "formats/sell.h"
#include "primitives/pointers.h"

int64_t NAME(spry_measure_slices)(const spry_context *context, const compressed_t *rows, int64_t height,
                                  ptr_t *width) {
    const int64_t slices = spry_sell_slices(rows->major, height);
    int64_t total = 0;
#pragma omp parallel for num_threads(spry_team_over(context, rows->major)) reduction(+ : total)
    for (int64_t s = 0; s < slices; s++) {
        int64_t end = (s + 1) * height < rows->major ? (s + 1) * height : rows->major, most = 0;
        for (int64_t i = s * height; i < end; i++)
            most = major_length(rows, i) > most ? major_length(rows, i) : most;
        width[s] = (ptr_t)most;
        total += most;
    }
    return spry_multiply_counts(total, height);
}

spry_status NAME(spry_point_to_slices)(spry_context *context, const spry_matrix *csr,
                                       const spry_convert_options *options, const spry_matrix *matrix,
                                       int64_t height, ptr_t *ptr) {
    const int64_t slices = spry_sell_slices(matrix->rows, height);
    spry_status status = spry_check_slots(context, csr, options, matrix);
    if (status)
        return status;
    for (int64_t s = 0; s < slices; s++)
        ptr[s] *= (ptr_t)height;
    NAME(spry_scan)(context, ptr, slices);
    return SPRY_OK;
}
