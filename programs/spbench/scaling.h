/* SPDX-License-Identifier: BSD-3-Clause */
/* How products of one matrix become faster with more threads: see docs/spbench.md. */
#ifndef SPRY_SPBENCH_SCALING_H
#define SPRY_SPBENCH_SCALING_H

#include "spbench/report.h"

enum { SCALING_STRONG, SCALING_WEAK, SCALING_KINDS };

/* What a row of the report is of, beside what all rows have. */
struct scaling_row {
    int kind;    /* strong: the matrix; weak: as many copies of it as threads */
    int threads; /* that it was built for */
    int storage; /* number of it in struct scaling */
};

struct scaling {
    /* Its results are the rows, by threads, kind and storage; nothing is compared with CSR. */
    struct report report;
    int most;       /* threads */
    int processors; /* that this process may run on */
    spry_storage storages[OPTIONS_STORAGES];
    int storage_count;
    /* The storage that the selector picks for the most threads; "": it was not asked. */
    char picked[SPRY_STORAGE_TEXT];
    struct scaling_row *rows; /* as many as results */
    char stopped[256]; /* why there are no more copies; "": there are as many as threads in every row */
};

/* The numbers of threads: 1, 2, 4, … and the most; 0 after that. */
int scaling_next(int threads, int most);

/* What a row is beside that of one thread, of the same kind and storage. */
struct scaling_figures {
    bool known;           /* both ran */
    bool certain;         /* and neither time is a rough one */
    double speed_up;      /* products a second, a copy each, over those of one thread */
    double efficiency;    /* of each thread: speed_up / threads */
    double read_speed_up; /* the same of reading as many bytes; NaN: not known */
    double vs_reads;      /* speed_up / read_speed_up */
};
struct scaling_figures scaling_figures(const struct scaling *scaling, int row);

/*
 * Fill in all of `scaling` but the report's options, source and machine, and `most`. `host` is a context on the CPU;
 * source->matrix is released. Failures and INTERRUPTED as of measure_formats. scaling_free is due in any case.
 */
spry_status scaling_measure(spry_context *host, struct source *source, struct scaling *scaling, char *message,
                            size_t size);
void scaling_free(struct scaling *scaling);

/* scaling_table.c: as report_print_table. scaling_json.c: on a line of its own, as json_print_line. */
void scaling_print_table(const struct scaling *scaling);
int scaling_print_json(const struct scaling *scaling);

#endif
