/* SPDX-License-Identifier: BSD-3-Clause */
/* What spbench was asked for on its command line. */
#ifndef SPRY_SPBENCH_OPTIONS_H
#define SPRY_SPBENCH_OPTIONS_H

#include <stdbool.h>

#include "common/source.h"

enum output { OUTPUT_TABLE, OUTPUT_CSV, OUTPUT_JSON };

/* Storages that can be named. */
#define OPTIONS_STORAGES 64

struct options {
    spry_storage storages[OPTIONS_STORAGES]; /* that have rows */
    int storage_count;
    bool formats_named; /* by the caller, and so no others have rows */
    struct source_options reading;
    int threads; /* 0: all that this process may run on */
    spry_op op;
    double min_time;     /* seconds of timing for one row, or one matrix of a calibration */
    double products;     /* that a format is picked for; 0: many */
    const char *profile; /* file of the machine profile that predicts; null: the calibrated one, if any */
    enum output output;
    const char *html;           /* file of a report for a browser; null: none */
    bool compare;               /* instead of measuring, the two files of --json that the inputs are */
    char *command;              /* the command line, as a shell takes it */
    bool wide;                  /* all columns of the table, whatever the width of the page */
    bool list;                  /* print the kernel table instead of measuring */
    bool calibrate;             /* measure the machine instead of matrices */
    const char *calibrate_file; /* that the profile is written to; null: where it is found by default */
    bool scaling;               /* measure with more and more threads instead of comparing formats */
    int scaling_most;           /* threads; 0: all that this process may run on */
    unsigned backends;          /* bit b set: spry_backend b has rows */
    bool peers;                 /* rows of other libraries on the GPU */
    bool kernels;  /* a row for every kernel that runs, not only the one that the library takes */
    char **inputs; /* files and generated matrices, in the order given */
    int input_count;
};

/*
 * Read the command line. --help and wrong usage print what is due and end the program. Returns 0, or an
 * errno value when memory ran out. The caller frees options->inputs and
 * options->command; the other strings are argv's.
 */
int options_read(int argc, char **argv, struct options *options);

/* Whether several backends are asked for, be they there or not. */
bool options_want_several(const struct options *options);

#endif
