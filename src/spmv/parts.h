/* SPDX-License-Identifier: BSD-3-Clause */
/* What kernels are made of. `run` splits the product among threads and is written once a format; `part`
   does one thread's share and is what the instruction sets differ in. */
#ifndef SPRY_PARTS_H
#define SPRY_PARTS_H

#include "analysis/work.h"
#include "codes/stored.h"
#include "core/inline.h"
#include "core/table.h"

/* y = alpha A x + beta y for the rows from begin to end - 1: in JDS sorted positions, in BSR rows of blocks, in SELL slices. In ELL
   begin is a multiple of SPRY_ELL_BLOCK, in DIA of SPRY_DIA_ROWS. With beta = 0, y is not read. */
typedef void NAME(spry_rows_part)(const spry_matrix *matrix, int64_t begin, int64_t end, val_t alpha,
                                  const val_t *x, val_t beta, val_t *y);

/* The same of kernels that scale, where x is multiplied by a diagonal unless `right` is null, and y begins with row `begin`. */
typedef void NAME(spry_scaled_part)(const spry_matrix *matrix, int64_t begin, int64_t end, val_t alpha,
                                    const val_t *right, const val_t *x, val_t beta, val_t *y);

/* A product that scatters: out[j] += alpha (a x[i]) for the entries a from cut[0] to cut[1]. */
typedef void NAME(spry_scatter_part)(const spry_matrix *matrix, const struct spry_cut *cut, val_t alpha,
                                     const val_t *x, val_t *out);

typedef spry_status NAME(spry_run)(spry_context *context, const struct spry_kernel *kernel,
                                   const spry_matrix *matrix, const struct spry_product *product);

NAME(spry_run) SHARED(spry_rows_run);        /* ELL, JDS, DIA and shapes */
NAME(spry_run) SHARED(spry_units_run);       /* BSR and SELL */
NAME(spry_run) SHARED(spry_scaled_rows_run); /* kernels that scale, with a scaled part */
NAME(spry_run)
SHARED(spry_hyb_run); /* part: that of an ELL kernel; COO's kernel in row order has the other */
NAME(spry_run) SHARED(spry_coo_run);     /* COO in row order, with a part of runs */
NAME(spry_run) SHARED(spry_scatter_run); /* everything that scatters, with a scatter part */

/* Rows whose products are added up while y is near at hand; a multiple of SPRY_ELL_BLOCK, SPRY_DIA_ROWS, SPRY_DECODE_ROWS and
   SPRY_SHAPE_HEIGHT_MOST. */
#define SPRY_DOT_ROWS 512

/* Σ w[i] y[i] for begin <= i < end. Eight sums, as an addition takes longer than memory does. */
static inline double spry_near_dot(const val_t *w, const val_t *y, int64_t begin, int64_t end) {
    double lane[8] = {0}, sum = 0;
    int64_t i = begin;
    for (; i + 8 <= end; i += 8)
        for (int l = 0; l < 8; l++)
            lane[l] += (double)w[i + l] * (double)y[i + l];
    for (; i < end; i++)
        sum += (double)w[i] * (double)y[i];
    for (int l = 0; l < 8; l++)
        sum += lane[l];
    return sum;
}

/* How many partial sums a product y = A x leaves: one for each part of its split. */
int64_t SHARED(spry_partials)(const spry_matrix *matrix);

/* alpha sum + beta *y, where y is not read if beta is zero. */
static inline val_t spry_blend(val_t alpha, val_t sum, val_t beta, const val_t *y) {
    return beta == 0 ? alpha * sum : alpha * sum + beta * *y;
}

/* Sorted positions of JDS whose entries are asked for ahead: each diagonal is a stream of its own, and there are more of
   them than the hardware's prefetch follows. */
#define SPRY_JDS_AHEAD 64

/* What the selector is told of kernels that several formats share: `work` of struct spry_kernel. */
union spry_terms SHARED(spry_scatter_work)(const struct spry_candidate *candidate);
bool SHARED(spry_in_row_order)(const spry_matrix *matrix);
union spry_terms SHARED(spry_coo_work)(const struct spry_candidate *candidate);
/* Groups of `lanes` rows, each row to a lane, in ELL or HYB's ELL part. */
union spry_terms SHARED(spry_ell_work)(const struct spry_candidate *candidate, int lanes);
/* The same in JDS. */
union spry_terms SHARED(spry_jds_work)(const struct spry_candidate *candidate, int lanes);
/* The COO part of HYB, and waiting for its ELL part where parts of whole rows are not even, besides what that has cost. */
void SHARED(spry_spill_work)(const struct spry_candidate *candidate, union spry_terms *amounts);

/* The fields of a kernel's record that follow from where it stands, and from the index type; for columns and values in a code,
   the name says which. */
#define SPRY_KERNEL_FOR(COLUMNS, VALUES, INDEX, name_, FORMAT, OP)                                           \
    .name = name_, .format = FORMAT, .columns = SPRY_COLUMNS_##COLUMNS, .values = VALUES, .op = OP,          \
    .backend = SPRY_CPU, .type = TMPL_TYPE, .index = INDEX
#define SPRY_KERNEL_OF(INDEX, name, FORMAT, OP)                                                              \
    SPRY_KERNEL_FOR(PLAIN, TMPL_VALUES, INDEX, name TMPL_CODE_NAME, FORMAT, OP)
#define SPRY_KERNEL(name, FORMAT, OP) SPRY_KERNEL_OF(TMPL_INDEX, name, FORMAT, OP)

/* Records of a kernel for all that is decoded for it, each with a comma behind it: values of a table, but in what is compiled for
   another code, and narrow columns. */
#define SPRY_NARROW_KERNELS(INDEX, name, FORMAT, OP, ...)                                                    \
    {SPRY_KERNEL_FOR(NARROW, TMPL_VALUES, INDEX, name "_narrow" TMPL_CODE_NAME, FORMAT, OP), __VA_ARGS__},
#ifdef SPRY_TMPL_CODE
#define SPRY_TABLE_KERNELS(COLUMNS, INDEX, name, FORMAT, OP, ...)
#else
#define SPRY_TABLE_KERNELS(COLUMNS, INDEX, name, FORMAT, OP, ...)                                            \
    {SPRY_KERNEL_FOR(COLUMNS, SPRY_VALUES_CONSTANT, INDEX, name "_constant", FORMAT, OP), __VA_ARGS__},      \
        {SPRY_KERNEL_FOR(COLUMNS, SPRY_VALUES_DICT8, INDEX, name "_dict8", FORMAT, OP), __VA_ARGS__},        \
        {SPRY_KERNEL_FOR(COLUMNS, SPRY_VALUES_DICT16, INDEX, name "_dict16", FORMAT, OP), __VA_ARGS__},
#endif
#define SPRY_DECODED_KERNELS(INDEX, name, FORMAT, OP, ...)                                                   \
    SPRY_TABLE_KERNELS(PLAIN, INDEX, name, FORMAT, OP, __VA_ARGS__)                                          \
    SPRY_NARROW_KERNELS(INDEX, name, FORMAT, OP, __VA_ARGS__)                                                \
    SPRY_TABLE_KERNELS(NARROW, INDEX, name "_narrow", FORMAT, OP, __VA_ARGS__)

/* These and the kernel's own: `run` decodes, and `part` is the same for all. */
#define SPRY_DECODING(INDEX, name, FORMAT, OP, ...)                                                          \
    SPRY_DECODED_KERNELS(INDEX, name, FORMAT, OP, __VA_ARGS__) {                                             \
        SPRY_KERNEL_OF(INDEX, name, FORMAT, OP), __VA_ARGS__                                                 \
    }

/* The same of values alone, in layouts whose columns have no codes. */
#define SPRY_DECODING_VALUES(INDEX, name, FORMAT, OP, ...)                                                   \
    SPRY_TABLE_KERNELS(PLAIN, INDEX, name, FORMAT, OP, __VA_ARGS__) {                                        \
        SPRY_KERNEL_OF(INDEX, name, FORMAT, OP), __VA_ARGS__                                                 \
    }

/* The lists of a file that is compiled once for both widths of pointers, one for each of them: ROWS(INDEX) is its rows of an
   index type. */
#if SPRY_TMPL_IDX == 32
#define SPRY_SHARED_LISTS(name, ROWS)                                                                        \
    SPRY_SHARED_LIST(name, i32, ROWS, SPRY_I32)                                                              \
    SPRY_SHARED_LIST(name, i32p64, ROWS, SPRY_I32P64)
#else
#define SPRY_SHARED_LISTS(name, ROWS) SPRY_SHARED_LIST(name, i64, ROWS, SPRY_I64)
#endif
#define SPRY_SHARED_LIST(name, index, ROWS, INDEX)                                                           \
    static const struct spry_kernel rows_##index[] = {ROWS(INDEX)};                                          \
    extern const struct spry_kernel_list TMPL_CODED(INDEXED(name, index));                                   \
    const struct spry_kernel_list TMPL_CODED(INDEXED(name, index)) = {                                       \
        sizeof rows_##index / sizeof *rows_##index, rows_##index};

#endif
