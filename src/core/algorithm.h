/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of algorithms for the primitives: what spry/primitives.h dispatches over. */
#ifndef SPRY_ALGORITHM_H
#define SPRY_ALGORITHM_H

#include "core/internal.h"

/* What a call of each primitive asks for; the arguments were checked. Arrays are where the context works. */

enum spry_reduction { SPRY_REDUCE_SUM, SPRY_REDUCE_DOT, SPRY_REDUCE_NORM2, SPRY_REDUCE_MAX_ABS };

struct spry_reduce_call {
    enum spry_reduction reduction; /* NORM2 of floating point only */
    int64_t n;
    const void *x, *y; /* y: DOT only */
    void *result;
};

struct spry_scan_call {
    spry_scan_kind kind;
    int64_t n; /* > 0 */
    const void *x;
    void *y;
};

struct spry_histogram_call {
    int64_t n;
    const void *x;
    int64_t bins; /* > 0 */
    int64_t *count;
};

struct spry_axpby_call {
    int64_t n;
    double alpha;
    const void *x;
    double beta;
    void *y;
    const void *w; /* null for no sum */
    double *result;
};

struct spry_gemm_call {
    double alpha; /* rounded to the type; with 0, or a.cols = 0, neither A nor B is read */
    spry_view a, b;
    double beta;
    spry_view c; /* not empty */
};

/* One row. A file of primitives/ exports those for one number type. */
struct spry_algorithm {
    const char *name;
    spry_primitive primitive;
    spry_backend backend;
    spry_number number;
    unsigned needs; /* or of spry_cpu_feature */
    union {         /* by primitive */
        spry_status (*reduce)(spry_context *context, const struct spry_reduce_call *call);
        spry_status (*scan)(spry_context *context, const struct spry_scan_call *call);
        spry_status (*histogram)(spry_context *context, const struct spry_histogram_call *call);
        spry_status (*axpby)(spry_context *context, const struct spry_axpby_call *call);
        spry_status (*gemm)(spry_context *context, const struct spry_gemm_call *call);
    };
};

struct spry_algorithm_list {
    size_t count;
    const struct spry_algorithm *rows;
};

/* All lists of one backend and number type, simple ones first: written by the build, see core/numbers.c. */
struct spry_number_instance {
    size_t lists;
    const struct spry_algorithm_list *const *list;
};

/* Whether there is an algorithm, on whatever backend, of this name. */
bool spry_is_algorithm(const char *name, size_t length);
/* Set the context's algorithms, by what it runs and by the names in `wanted`, which may be null. */
void spry_choose_algorithms(spry_context *context, const char *wanted);

#endif
