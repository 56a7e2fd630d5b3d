/* SPDX-License-Identifier: BSD-3-Clause */
/* What became faster or slower from one run of spbench to another. */
#ifndef SPRY_SPBENCH_COMPARISON_H
#define SPRY_SPBENCH_COMPARISON_H

#include "spbench/record_file.h"

enum verdict {
    VERDICT_SAME, /* neither is faster for certain (timing_is_tie) */
    VERDICT_FASTER,
    VERDICT_SLOWER,
    VERDICT_FAILS,
    VERDICT_WORKS,
    VERDICT_DISTURBED, /* the times of one are mostly of batches in which a processor was taken away */
    VERDICT_COUNT
};

/* A row that both have. */
struct change {
    const struct record_row *before, *after;
    enum verdict verdict;
    double speed; /* time before over time after; NaN: one of them failed */
};

/* A matrix that both have, with its rows. */
struct match {
    const struct record *before, *after;
    int first, count;            /* of comparison.change */
    int changed;                 /* of these, those with a verdict that is worth a line */
    int only_before, only_after; /* rows that the other does not have */
};

struct comparison {
    struct record_file before, after;
    struct match *match;
    int match_count;
    struct change *change;
    int change_count;
    int verdicts[VERDICT_COUNT];
    int only_before, only_after; /* matrices that the other does not have */
    double mean;                 /* geometric, of all speeds that were not disturbed; NaN: there are none */
    char caution[512]; /* why times may differ for other reasons than the program's; "": nothing is known */
};

/* Read both files and hold them against each other. False when one cannot be read, or they have nothing in common;
   `message` says what. Also then comparison_free is due. */
bool comparison_open(struct comparison *comparison, const char *before, const char *after, char *message,
                     size_t size);
void comparison_free(struct comparison *comparison);

/* Whether a row did not clearly change, or nobody can tell. */
bool comparison_is_unclear(const struct change *change);
/* "faster" */
const char *comparison_word(enum verdict verdict);
/* What there is of a file: "3 matrices, Spry 0.1.0, AMD EPYC, 2 threads". */
void comparison_describe(const struct record_file *file, char *text, size_t size);
/* How many rows changed how, in a sentence. */
void comparison_sum_up(const struct comparison *comparison, char *text, size_t size);
/* The storages that were picked before and after, where they differ. */
bool comparison_has_other_pick(const struct match *match, const char **before, const char **after);

/* comparison_table.c: for a person at a terminal. With `all`, also rows that did not clearly change. */
void comparison_print(const struct comparison *comparison, bool all);

#endif
