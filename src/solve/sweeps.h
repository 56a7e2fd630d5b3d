/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The sweeps and their steps. at_<sweep> does what a sweep does at one place i and returns what is to be summed;
 * step_<sweep> has the sums in sum[]. sweep.h says when they run, and the methods' files in what order.
 */
#ifndef SPRY_SWEEPS_H
#define SPRY_SWEEPS_H

#include "solve/bicgstab_sweeps.h"
#include "solve/cg_sweeps.h"
#include "solve/gmres_sweeps.h"
#include "solve/minres_sweeps.h"

#endif
