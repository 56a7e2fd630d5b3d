/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <math.h>

#include "convert/growth.h"
#include "formats/ell.h"
#include "select/rank.h"

#define DEFAULT_GROWTH 10.0
/* Below this size no growth is worth a refusal. */
#define ALWAYS_FINE (16.0 * 1024 * 1024)

/* A column of HYB's ELL part then pays while a third of its rows has an entry in it, which is about what an
   entry costs there against one in COO (Bell and Garland, "Implementing sparse matrix-vector multiplication
   on throughput-oriented processors", SC 2009, take the same third). */
#define DEFAULT_QUANTILE (2.0 / 3)

spry_status spry_check_longest(spry_context *context, spry_index index, int64_t longest) {
    if (longest <= spry_index_max(index))
        return SPRY_OK;
    return spry_fail(context, SPRY_ERROR_OVERFLOW, "a row of %" PRId64 " entries does not fit %s", longest,
                     spry_index_name(index));
}

spry_status spry_check_growth(spry_context *context, const spry_matrix *csr,
                              const spry_convert_options *options, spry_format format, int64_t width,
                              int64_t spilled) {
    double index = (double)spry_index_size(csr->index), value = (double)spry_type_size(csr->type);
    double stride = (double)spry_ell_stride(csr->rows);
    double bytes =
        stride * index + stride * (double)width * (index + value) + (double)spilled * (2 * index + value);
    double growth = options->max_growth > 0 ? options->max_growth : DEFAULT_GROWTH;
    double csr_bytes = (double)spry_matrix_bytes(csr);
    if (bytes <= ALWAYS_FINE || bytes <= growth * csr_bytes)
        return SPRY_OK;
    return spry_fail(context, SPRY_ERROR_TOO_LARGE,
                     "%s would take %.0f bytes (%" PRId64 " rows of width %" PRId64
                     ") where CSR takes %.0f: more than %g times",
                     spry_format_name(format), bytes, csr->rows, width, csr_bytes, growth);
}

spry_status spry_hyb_width(spry_context *context, const spry_matrix *csr, const spry_convert_options *options,
                           int64_t longest, int64_t *width) {
    double quantile = options->hyb_quantile > 0 ? options->hyb_quantile : DEFAULT_QUANTILE;
    int64_t rank = (int64_t)ceil(quantile * (double)csr->rows);
    *width = 0;
    if (csr->rows == 0)
        return SPRY_OK;
    rank = rank < 1 ? 1 : rank < csr->rows ? rank : csr->rows;
    return spry_length_at_rank(context, csr, longest, rank, width);
}
