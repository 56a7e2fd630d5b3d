/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of peers. Each is a symbol that the linker finds or not: one that was not built is null. */
#include "peers/peer.h"

#include <stddef.h>

#define OPTIONAL __attribute__((weak))

extern const struct peer peer_eigen OPTIONAL;
extern const struct peer peer_librsb OPTIONAL;
extern const struct peer peer_graphblas OPTIONAL;
extern const struct peer peer_cholmod OPTIONAL;
extern const struct peer peer_cholmod_transposed OPTIONAL;
extern const struct peer peer_petsc OPTIONAL;
extern const struct peer peer_mkl OPTIONAL;

static const struct {
    const char *name;
    const struct peer *peer;
} peers[] = {
    {"Eigen", &peer_eigen},
    {"librsb", &peer_librsb},
    {"GraphBLAS", &peer_graphblas},
    {"CHOLMOD", &peer_cholmod},
    {"CHOLMOD-T", &peer_cholmod_transposed},
    {"PETSc", &peer_petsc},
    {"MKL", &peer_mkl},
};

const char *peer_at(int i, const struct peer **peer) {
    if (i < 0 || (size_t)i >= sizeof peers / sizeof *peers)
        return NULL;
    *peer = peers[i].peer;
    return peers[i].name;
}
