/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <stdio.h>

#include "analysis/rank.h"
#include "convert/fill_limit.h"
#include "core/size.h"
#include "formats/ell.h"
#include "formats/hyb.h"

#define DEFAULT_GROWTH 10.0
/* Below this size no growth is worth a refusal. */
#define ALWAYS_FINE (16.0 * 1024 * 1024)

spry_status spry_check_longest(spry_context *context, spry_index_type index, int64_t longest) {
    if (longest <= spry_index_max(index))
        return SPRY_OK;
    return spry_fail(context, SPRY_ERROR_OVERFLOW, "a row of %" PRId64 " entries does not fit %s", longest,
                     spry_index_name(index));
}

static double most_fill(const spry_convert_options *options) {
    return options->fill_limit > 0 ? options->fill_limit : DEFAULT_GROWTH;
}

bool spry_fill_is_allowed(double csr_bytes, const spry_convert_options *options, double bytes) {
    return bytes <= ALWAYS_FINE || bytes <= most_fill(options) * csr_bytes;
}

/* `why` says what makes it so large. */
static spry_status check_bytes(spry_context *context, const spry_matrix *csr,
                               const spry_convert_options *options, spry_format format, double bytes,
                               const char *why) {
    const double csr_bytes = (double)spry_matrix_bytes(csr);
    if (spry_fill_is_allowed(csr_bytes, options, bytes))
        return SPRY_OK;
    return spry_fail(context, SPRY_ERROR_TOO_LARGE,
                     "%s would take %s (%s) where CSR takes %s: more than %g times as much",
                     spry_format_name(format), spry_size_text(bytes).text, why,
                     spry_size_text(csr_bytes).text, most_fill(options));
}

spry_status spry_check_fill(spry_context *context, const spry_matrix *csr,
                            const spry_convert_options *options, spry_format format, int64_t width,
                            int64_t spilled) {
    double index = (double)spry_index_size(csr->index), value = (double)spry_type_size(csr->type);
    double stride = (double)spry_ell_stride(csr->rows);
    double bytes =
        stride * index + stride * (double)width * (index + value) + (double)spilled * (2 * index + value);
    char why[80];
    snprintf(why, sizeof why, "%" PRId64 " rows of width %" PRId64, csr->rows, width);
    return check_bytes(context, csr, options, format, bytes, why);
}

spry_status spry_check_slots(spry_context *context, const spry_matrix *csr,
                             const spry_convert_options *options, const spry_matrix *matrix) {
    int64_t slots = spry_matrix_slots(matrix);
    char why[80];
    snprintf(why, sizeof why, "%" PRId64 " slots for %" PRId64 " entries", slots, csr->nnz);
    spry_status status =
        check_bytes(context, csr, options, matrix->format, (double)spry_matrix_bytes(matrix), why);
    if (status || slots <= spry_pointer_max(matrix->index))
        return status;
    return spry_fail(context, SPRY_ERROR_OVERFLOW, "%s: %s do not fit %s", spry_format_name(matrix->format),
                     why, spry_index_name(matrix->index));
}

spry_status spry_hyb_width(spry_context *context, const spry_matrix *csr, const spry_convert_options *options,
                           int64_t longest, int64_t *width) {
    *width = 0;
    if (csr->rows == 0)
        return SPRY_OK;
    return spry_length_at_rank(context, csr, longest, spry_hyb_rank(options, csr->rows), width);
}
