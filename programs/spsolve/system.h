/* SPDX-License-Identifier: BSD-3-Clause */
/* A system A x = b where it is solved. */
#ifndef SPRY_SPSOLVE_SYSTEM_H
#define SPRY_SPSOLVE_SYSTEM_H

#include "common/source.h"
#include "spsolve/options.h"

/* Where things are done. */
struct workplace {
    spry_context *host;    /* on the CPU: reads, and looks at matrices */
    spry_context *context; /* solves; the same one where that is on the CPU */
    const struct solve_options *options;
    int standard; /* the descriptor of standard output, for x */
};

struct system {
    const struct workplace *place;
    const char *input;     /* as given */
    const char *shown;     /* what a person knows it by */
    bool generated;        /* there is no file */
    spry_file_info info;   /* of the file */
    spry_matrix *csr;      /* in place->context */
    spry_matrix *host_csr; /* its copy on the host; null: not asked for yet, or the same */
    spry_matrix *other;    /* the format to multiply in; null where that is CSR */
    int64_t n;
    void *b, *x;        /* n values in place->context */
    void *exact;        /* n values on the host: the solution that b was made from; null: not known */
    void *work;         /* n values on the host */
    double norm_b;      /* |b|, to measure residuals by while they are shown */
    double seconds;     /* from the coordinates that were read to the format, copy to a GPU included */
    char message[1024]; /* of what failed, with the input's name */
};

/* Look whether x can be written to options->output, read or generate the matrix that `input` names, and
   convert it. False: system->message says why. To be closed in either case. */
bool system_open(struct system *system, const struct workplace *place, const char *input);

/* The matrix in CSR on the host, copied there the first time if it is elsewhere. */
spry_status system_on_host(struct system *system, const spry_matrix **csr);

/* Make the vectors, b as the options ask for it. False: system->message says why. */
bool system_make_vectors(struct system *system);

/* Put the status of a call with `context` into words. Returns whether it is SPRY_OK. */
bool system_check(struct system *system, const spry_context *context, spry_status status);

/* The matrix in the format to multiply in. */
const spry_matrix *system_matrix(const struct system *system);

/* The norm that |b - A x| has to reach; 0 for b = 0 without an absolute tolerance. */
double system_threshold(const struct system *system);

/* Whether a norm of |b - A x| is near that, or near what rounding allows at best. */
bool system_is_near(const struct system *system, double norm);

/* Whether the norm of b is a number: then so are its values. */
bool system_rhs_is_finite(const struct system *system);

/* Bytes of a vector of n values. */
size_t system_bytes(const struct system *system);

/* x = 0. */
spry_status system_set_zero(struct system *system);

/* rest = b - A x and its norm; `rest` is n values where it is solved. */
spry_status system_residual(struct system *system, void *rest, double *norm);

/* Write x to options->output. False: system->message says why. */
bool system_write(struct system *system);

/* |x − exact| / |exact|; NaN where the solution is not known. False: system->message says why. */
bool system_error(struct system *system, double *error);

void system_close(struct system *system);

#endif
