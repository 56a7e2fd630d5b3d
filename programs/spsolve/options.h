/* SPDX-License-Identifier: BSD-3-Clause */
/* What spsolve was asked for on its command line. */
#ifndef SPRY_SPSOLVE_OPTIONS_H
#define SPRY_SPSOLVE_OPTIONS_H

#include <stdbool.h>

#include "common/source.h"

/* Where the right-hand side comes from. */
enum rhs { RHS_EXACT, RHS_ONES, RHS_RANDOM, RHS_FILE };

/* Methods: the library's, and the normal equations by its MINRES. */
enum { METHOD_NORMAL = SPRY_METHOD_COUNT, METHODS };

/* Preconditioners: the library's, none, and the scaling that makes rows and columns alike. */
enum { PRECOND_NONE = SPRY_PRECOND_COUNT, PRECOND_EQUILIBRATE, PRECONDS };

/* Most times that a system is solved. */
#define SOLVE_REPEATS 1000

struct solve_options {
    struct source_options reading;
    spry_backend backend;
    int threads;          /* 0: all that this process may run on */
    spry_storage storage; /* its format SPRY_AUTO: the library's choice */
    const char
        *profile;    /* file of the machine profile that it is made by; null: the calibrated one, if any */
    bool method_set; /* false: chosen for each matrix */
    bool precond_set;
    int method; /* where it is set */
    int precond_kind;
    spry_solver_options solver;   /* without a method */
    spry_precond_options precond; /* without a kind */
    double time_limit;            /* seconds of each attempt; 0: none */
    const char *output;           /* where the solution goes; null: nowhere */
    bool compare;                 /* all methods and preconditioners, in a table */
    enum rhs rhs;
    const char *rhs_file; /* of RHS_FILE */
    int repeat;           /* how often to solve */
    bool history;         /* report the residual of every iteration */
    bool json, plot;
    char **inputs; /* files and generated matrices, in the order given */
    int input_count;
};

/*
 * Read the command line. --help and wrong usage print what is due and end the program. Returns 0, or an
 * errno value when memory ran out. The caller frees options->inputs; the strings are argv's.
 */
int solve_options_read(int argc, char **argv, struct solve_options *options);

/* "cg", …, "normal"; "jacobi", …, "none", "equilibrate". */
const char *method_name(int method);
const char *precond_name(int precond);

#endif
