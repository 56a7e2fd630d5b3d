/* SPDX-License-Identifier: BSD-3-Clause */
/* What primitive_speed times: each primitive in its ways, by each algorithm and by another library. */
#ifndef SPRY_PRIMITIVES_ROW_H
#define SPRY_PRIMITIVES_ROW_H

#include "primitives/peer.h"
#include "primitives/roof.h"

/* Where the contexts work. */
struct primitive_arrays {
    spry_number number;
    int64_t n;
    void *x;      /* integers: values from 0 to PRIMITIVE_FEW - 1 */
    void *w;      /* integers: values from 0 to PRIMITIVE_MANY - 1 */
    void *y;      /* is written to */
    void *zero;   /* all zero; is scanned in place */
    void *result; /* of PRIMITIVE_MANY int64_t */
};

#define PRIMITIVE_FEW 256
#define PRIMITIVE_MANY 65536

#define MOST_ROWS 256
#define MOST_CONTEXTS 64

struct row {
    const char *what, *by;
    double bytes; /* that one call moves */
    enum roof roof;
    timed_call *call;
    void *user;
    int way;                               /* of the library's own rows, */
    spry_context *context;                 /* which have this, */
    const struct primitive_arrays *arrays; /* and what they work on */
    struct primitive_peer *peer;           /* of another library's */
    struct spread time;                    /* of one call */
};

struct rows {
    struct row row[MOST_ROWS];
    int count;
    spry_context *context[MOST_CONTEXTS];
    int contexts;
};

/* Add rows for all that the library has for these arrays, which must stay where they are. Contexts are made with
   `options`, one an algorithm; the status is that of one that could not be made. */
spry_status rows_add_library(struct rows *rows, const struct primitive_arrays *arrays,
                             const spry_context_options *options);
/* Add those of the other library, in this stream. */
void rows_add_peer(struct rows *rows, const struct primitive_arrays *arrays, void *stream);
/* Add those of the machine's memory. */
void rows_add_roofs(struct rows *rows, struct roof_arrays *arrays);
void rows_close(struct rows *rows);

#endif
