/* SPDX-License-Identifier: BSD-3-Clause */
/* How the pieces of a solver's iterations are played: one call after the other, or from a recording. */
#ifndef SPRY_RECORDING_H
#define SPRY_RECORDING_H

#include "solve/solver.h"

/* Once the method has its vectors. */
spry_status spry_solver_prepare_pieces(spry_solver *solver);
void spry_solver_release_pieces(spry_solver *solver);

/* Before anything is recorded: let the context's workspace grow to what pieces need. Ranks that solve together do it in
   their first solve, once all of them have a solver, for operators may exchange values; others when they are made. */
spry_status spry_solver_warm_up(spry_solver *solver);

/* Before a solve: recordings are good only for the x, the b and the operators' arrays that they were made with. */
spry_status spry_solver_set_vectors(spry_solver *solver, const void *b, void *x);
/* Put piece k in front of the machine. */
spry_status spry_solver_play(spry_solver *solver, int k);

#endif
