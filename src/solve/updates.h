/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The updates and their steps. at_<update> does what an update does at one place i and returns what is to be summed;
 * step_<update> has the sums in sum[]. update.h says when they run, and the methods' files in what order.
 */
#ifndef SPRY_UPDATES_H
#define SPRY_UPDATES_H

#include "solve/bicgstab_updates.h"
#include "solve/cg_updates.h"
#include "solve/gmres_updates.h"
#include "solve/minres_updates.h"

#endif
