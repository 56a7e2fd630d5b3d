/* SPDX-License-Identifier: BSD-3-Clause */
/* Another library's products on the GPU, of the same matrix and vectors in the same process. */
#ifndef SPRY_CUSPARSE_PEER_LIBRARY_H
#define SPRY_CUSPARSE_PEER_LIBRARY_H

#include "measuring/place.h"

/* A product to be set up: y = A x or y = Aᵀ x. All of it outlives what a library makes of it. */
struct peer_task {
    struct place *place;
    const spry_matrix *csr; /* base 0, sorted rows; has nonzeros */
    spry_op op;
    void *x, *y;
};

/* One way of a library to multiply: a row. */
struct peer_way {
    const char *kernel;
    const char *format;
};

/* What a library made of a task; its own struct begins with this. */
struct peer_product {
    size_t bytes;  /* of the arrays that a product reads of the matrix */
    int64_t slots; /* for entries, padding included */
};

struct peer_library {
    const char *name, *version;
    const struct peer_way *ways;
    int way_count;
    /* Prepare a product, with all that the library offers; ended when it returns. The words of a failure are in
       place->message; *product may need release then, too, and is null where not. */
    spry_status (*prepare)(const struct peer_task *task, int way, struct peer_product **product);
    timed_call *multiply; /* of a struct peer_product */
    void (*release)(struct peer_product *product);
    void (*close)(struct place *place);
};

/* The library, loaded: place->library_own is its. Null, and place->message says why, when it cannot be. */
const struct peer_library *peer_library_open(struct place *place);

#endif
