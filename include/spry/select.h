/* SPDX-License-Identifier: BSD-3-Clause */
/** @file select.h  The choice of a format: what it rests on, what is expected of each, and why. */
#ifndef SPRY_SELECT_H
#define SPRY_SELECT_H

#include "spmv.h"

/** Number of bins of the histogram of row lengths. */
#define SPRY_LENGTH_BINS 33

/** Lengths of the rows of a matrix, in entries; closed (see sized.h). All zero when it has no rows. */
typedef struct spry_row_lengths {
    int64_t min, q1, median, q3, max; /**< quartiles by the nearest rank: each is the length of some row */
    double mean, std;                 /**< std: of the whole population */
    int64_t empty;                    /**< rows without entries */
    /** bin 0: empty rows; bin b > 0: rows with 2^(b-1) to 2^b - 1 entries; the last bin takes all longer ones
     */
    int64_t histogram[SPRY_LENGTH_BINS];
} spry_row_lengths;

/** What the choice of a format rests on. A sample is one in 16 entries, but no more than 8192: what rests on it
 *  is 0 for a matrix with fewer than 16. */
typedef struct spry_statistics {
    SPRY_SIZE(spry_statistics); /**< sizeof(spry_statistics), see sized.h */
    int64_t rows, cols, nnz;
    spry_row_lengths lengths;
    /** entries of the fullest of as many runs of equally many rows as the context has threads (its device,
     *  multiprocessors), over their mean: 1 when all have the same, or there are none */
    double imbalance;
    /** of a sample: cache lines (64 bytes, x in f64) touched for each entry; 1: no two neighbouring entries share one */
    double lines;
    /** of a sample: mean distance of an entry from the diagonal, which goes from corner to corner, as a part of the
     *  columns */
    double bandwidth;
} spry_statistics;

/** Choices for spry_select. 0 stands for each default. */
typedef struct spry_select_options {
    SPRY_SIZE(spry_select_options); /**< sizeof(spry_select_options), see sized.h */
    /** Formats to build and to time, CSR besides: the first ones of the ranking, one after the other. 0: none, the
     *  prediction decides. */
    int measure;
    /** How many products y = A x the caller will run: with few, what conversion takes counts. 0: many. */
    double products;
    /** Most bytes that the arrays of the format may take. 0: as spry_convert allows by itself. CSR, which is there
     *  already, is always within the limit. */
    size_t memory_limit;
    /** 1: values will change (spry_update_values), so storages with codes for them are not looked at, and stencils, which are rows that
     *  are alike in their values, are not possible. In programs that were compiled before this member came, options have it
     *  as 1. */
    int64_t values_change;
} spry_select_options;

/** Terms that a predicted time is made of, at most; see spry_term_name. */
#define SPRY_TERM_MOST 16

/** What is expected of one format. Later versions of the library may have more members at its end, and formats that a
 *  program was compiled without: read it through the pointer that spry_ranking_choice returns. */
typedef struct spry_choice {
    spry_format format;
    /** the one that would multiply; null when no kernel of the format may, or none that the machine's profile knows */
    const spry_kernel *kernel;
    /** 1: there is a kernel, the arrays are within the limit, and they do not rest on values that will change */
    int possible;
    double seconds; /**< predicted, of one product with the matrix in the caches as far as it fits */
    /** of making it from CSR, memory and the plan of its products included: predicted, or what it took where it was measured,
     *  the lesser of two times where it should be short */
    double convert_seconds;
    /** of its arrays; of layouts that depend on more than the lengths of rows (HYB's width, slices, blocks, diagonals, patterns,
     *  codes) by what a sample shows */
    double bytes;
    double slots; /**< for entries, padding included */
    /** products after which it has saved what conversion took; 0 for CSR, INFINITY: never */
    double pays_back_after;
    double measured_seconds;       /**< of one product, where it was measured; else 0 */
    double amount[SPRY_TERM_MOST]; /**< of each term: how often, or how many bytes, */
    double cost[SPRY_TERM_MOST];   /**< and its part of `seconds` */
    spry_storage storage;          /**< the format with all its parameters and codes */
} spry_choice;

/** What spry_select found. Released by spry_ranking_destroy; it needs neither the context nor the matrix any more. */
typedef struct spry_ranking spry_ranking;

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Rank the formats for y = A x in this context, by what its machine's profile says of what each would have to do; see
 * docs/selector.md. Takes one pass over the row pointers and a sample of the columns and values. `options` may be null. The caller
 * destroys *ranking; it is null after a failure.
 *
 * @return SPRY_ERROR_ARGUMENT for a matrix that is not in CSR; SPRY_ERROR_UNSUPPORTED when all kernels are disabled, or
 *         the library has no profile for the backend; SPRY_ERROR_MEMORY; SPRY_ERROR_DEVICE
 */
SPRY_API spry_status spry_select(spry_context *context, const spry_matrix *csr,
                                 const spry_select_options *options, spry_ranking **ranking);
/** Null is allowed. */
SPRY_API void spry_ranking_destroy(spry_ranking *ranking);

/** How many places there are: one for each format that the library knows, which may be more than SPRY_FORMAT_COUNT of the
 *  headers, or several where a layout is looked at with different parameters, and with codes that should keep the values or the columns.
 *  0 for null. */
SPRY_API int spry_ranking_count(const spry_ranking *ranking);
/** What stands at a place, the best at 0: by products and conversion together, or by products alone when there are many.
 *  Those that are not possible come last. Null outside the ranking, or for null. Good as long as the ranking. */
SPRY_API const spry_choice *spry_ranking_choice(const spry_ranking *ranking, int place);
/** What it rests on, with the size that the library has; null for null. Good as long as the ranking. */
SPRY_API const spry_statistics *spry_ranking_statistics(const spry_ranking *ranking);
/** The number of products that it was made for; INFINITY: many. 0 for null. */
SPRY_API double spry_ranking_products(const spry_ranking *ranking);
/** 1: by measured times, as far as there are any. 0: by predicted ones, or for null. */
SPRY_API int spry_ranking_measured(const spry_ranking *ranking);

/**
 * Say in a sentence why the format at a place of the ranking is where it is. Writes at most `size` bytes, the final zero
 * included; a text that is cut still ends in one. A place outside the ranking, or a null one,
 * gives an empty text.
 */
SPRY_API void spry_explain(const spry_ranking *ranking, int place, char *text, size_t size);

/** Name of term i of a predicted time, such as "far": bytes from memory; null past the last one. */
SPRY_API const char *spry_term_name(int i);

/**
 * Use the machine profile in a file for this context's predictions, as `spbench --calibrate` writes it. A null path stands
 * for the calibrated profile of this machine: spry/<backend>.json in $XDG_CONFIG_HOME, or in ~/.config when that is not
 * set. On the CPU, a profile of another number of threads than the context's is fitted to that. The kernels of matrices that
 * are there already stay as they are.
 *
 * Without this call, predictions use the profile that the library has for the machine, or the nearest one; see
 * docs/selector.md. No file is read for that and nothing is measured, so that all contexts of a machine with as many
 * threads choose alike, and the first choice takes hardly longer than the next.
 *
 * @return SPRY_ERROR_IO when it cannot be read; SPRY_ERROR_SYNTAX, with file and line, when it is no profile, or one for
 *         another backend; SPRY_ERROR_UNSUPPORTED when the calibrated profile is of another machine; SPRY_ERROR_MEMORY:
 *         the context then keeps what it had
 */
SPRY_API spry_status spry_load_profile(spry_context *context, const char *path);

/** Put the path that spry_load_profile takes for a null path into `path`. SPRY_ERROR_IO when the environment names no
 *  folder, or the path is longer than `size`. */
SPRY_API spry_status spry_profile_path(spry_context *context, char *path, size_t size);

/** The machine that the context's profile was measured on. Behind it in parentheses, "nearest" when the library has
 *  none of this machine, and what it was fitted to: another number of threads, another GPU's memory. Null, with the
 *  context's message, when there is none, and for a null context. Valid as long as the context and its profile. */
SPRY_API const char *spry_profile_machine(spry_context *context);

/**
 * Put a profile of the machine that this context works on, with the prices that it predicts by, into `text`:
 * JSON, and a final zero. What a calibration starts from. 64 kB are always enough.
 *
 * @return SPRY_ERROR_ARGUMENT when it is longer than `size`; SPRY_ERROR_UNSUPPORTED when the library has no
 *         profile for the backend; SPRY_ERROR_MEMORY; SPRY_ERROR_DEVICE
 */
SPRY_API spry_status spry_draft_profile(spry_context *context, char *text, size_t size);

/** Compute the lengths of the rows of a matrix in CSR, in one pass over its pointers; quartiles among different lengths
 *  of 128 entries and more take further ones. SPRY_ERROR_ARGUMENT for another format; SPRY_ERROR_MEMORY;
 *  SPRY_ERROR_DEVICE. */
SPRY_API spry_status spry_row_length_stats(spry_context *context, const spry_matrix *csr,
                                           spry_row_lengths *lengths);

/** As spry_row_length_stats, with what a sample of the entries says: the same sample each time, on all backends. */
SPRY_API spry_status spry_matrix_statistics(spry_context *context, const spry_matrix *csr,
                                            spry_statistics *statistics);

#ifdef __cplusplus
}
#endif

#endif
