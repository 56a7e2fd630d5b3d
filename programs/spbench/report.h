/* SPDX-License-Identifier: BSD-3-Clause */
/* What was measured of one matrix, and the forms in which it is printed. */
#ifndef SPRY_SPBENCH_REPORT_H
#define SPRY_SPBENCH_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/source.h"
#include "measuring/place.h"
#include "measuring/timing.h"
#include "spbench/options.h"
#include "spbench/pattern.h"

/*
 * A row: one format, or one kernel of it. Where `status` is not SPRY_OK, `message` says why, and what could
 * not be measured is zero, as `kernel` is null.
 */
struct result {
    const char *format; /* its name; other libraries have more than spry_format has */
    /* With the parameters and codes that it has; empty for other libraries. */
    char storage[SPRY_STORAGE_TEXT];
    bool named; /* asked for with parameters or codes */
    spry_backend backend;
    const char *peer, *peer_version; /* the library whose row it is; null: Spry */
    const char *kernel;
    bool by_default; /* it is the kernel that the library takes */
    spry_status status;
    bool built;      /* the format could be built, whether it then ran or not */
    bool inaccurate; /* it ran, and its error is over the bound: `message` says so */
    char message[256];
    size_t bytes; /* of the format's arrays */
    double fill;  /* slots over nonzeros; 1 without nonzeros */
    /* From CSR; of CSR: from the coordinates that were read; of a peer: all preparation. */
    double convert_seconds;
    struct spread seconds; /* of one product */
    struct spread cold;    /* with an empty cache; all zero where that is not measured */
    double predicted; /* seconds of one product, as the selector expects; NaN: it says nothing of this row */
    double gflops;    /* 2 operations a nonzero, padding not counted */
    double bytes_per_nnz; /* the arrays without padding, over nonzeros; NaN: there are none */
    double gbs;           /* the arrays without padding, x and y, once each, over the median time */
    double csr_gbs;       /* what CSR with plain values would move, once each, over the same time */
    double roof_gbs;      /* what the place reads from a buffer of as many bytes; NaN: not known */
    double roofline;      /* gbs / roof_gbs */
    double vs_csr; /* time of Spry's CSR in that place over this one: over 1 is faster. 0: it has none */
    int64_t pays_back_after; /* products until conversion and products take less than CSR's; -1: never */
    double error;            /* of exact_error */
};

/* What the selector picks for a matrix in a place. */
struct pick {
    const char *format; /* null: it refused, and `reason` says why; all else is zero then */
    char storage[SPRY_STORAGE_TEXT];
    const char *kernel;
    const char *profile; /* the machine whose profile predicts */
    double predicted;    /* seconds of one product; NaN: there is nothing to multiply by */
    char reason[1024];
    const struct result *row;  /* of the format with the kernel that the library takes; null: not measured */
    const struct result *best; /* of all such rows of that place */
    double regret;             /* time of `row` over that of `best`; 0: not measured, or times of nothing */
    /* Neither of `row` and `best`, or the next best where they are one, costs less for certain (timing_is_tie). */
    bool tie;
};

struct report {
    const struct options *options;
    const struct source *source;
    spry_index_type index; /* of the matrices measured */
    int64_t rows, cols, nnz;
    spry_row_lengths lengths;
    struct place *places;
    int place_count;
    const char *cpu;
    int threads;
    /* What copying the coordinates to the GPU took, and how much that was; 0: nothing was. */
    double copy_seconds;
    size_t copy_bytes;
    /* By backend: CSR with the kernel that the library takes, whether it has a row or not. */
    struct result baseline[SPRY_BACKEND_COUNT];
    struct result *results;
    int result_count;
    struct pick pick[SPRY_BACKEND_COUNT]; /* by backend */
    struct pattern *pattern;              /* where its entries lie, for a page; null: there is to be none */
    char interrupted[256];                /* what Ctrl-C cut short, so that rows are missing; "": nothing */
};

/* Note the size of the matrix, the type of its indices and the lengths of its rows. */
spry_status report_describe(struct report *report, spry_context *context, const spry_matrix *csr);

/* A row that ran and is right. */
bool report_is_ok(const struct result *result);
/* Its batches lie more than NOISY of their median apart, or too few were left undisturbed: its time is a rough one. */
#define NOISY 0.2
bool report_is_noisy(const struct result *row);
/* The spread of the batches, as a part of their median. */
double report_spread(const struct result *row);
/* Whether neither of two rows is faster for certain (timing_is_tie). */
bool report_is_tie(const struct result *row, const struct result *other);
/* Whether one of Spry's rows of another format or place is in a tie with this one. */
bool report_is_contested(const struct report *report, const struct result *row);
/* A row's time beside that of Spry's CSR in its place is no matter of luck. */
bool report_is_certain(const struct report *report, const struct result *row);
/* "ok", or a few words for why the row has no figures or wrong ones. */
const char *report_status(const struct result *result);
/* Spry's row with the least median time, or null when none is ok. */
const struct result *report_fastest(const struct report *report);
/* The same of one place, and of a place's rows of other libraries. */
const struct result *report_fastest_on(const struct report *report, spry_backend backend);
const struct result *report_fastest_peer(const struct report *report, spry_backend backend);
/* The place of that backend; null when it was not asked for. */
const struct place *report_place(const struct report *report, spry_backend backend);

/* For a person at a terminal: lines fit the page (terminal_page), except for what --wide is asked to show. */
void report_print_table(const struct report *report);
/* ---- report_lines.c: of such a table ---- */

/* The matrix, what its file says of it, and the lengths of its rows. */
void report_print_matrix(const struct report *report);
/* How fast its file was read; nothing for a generated one. */
void report_print_reading(const struct source *source);
/* Stands before figures that are rough ones. */
#define ROUGH "~"
/* What it means before the time of a product, and whether others were to blame; nothing where all times are good. */
void report_print_noisy(const struct report *report);
void report_print_busy(const struct report *report);

/* One line a row; the heading line comes from report_print_csv_heading. */
void report_print_csv_heading(void);
void report_print_csv(const struct report *report);

#endif
