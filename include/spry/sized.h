/* SPDX-License-Identifier: BSD-3-Clause */
/** @file sized.h  Structs that later versions of the library may add members to. */
#ifndef SPRY_SIZED_H
#define SPRY_SIZED_H

#include <stddef.h>

/**
 * The first member of structs that belong to the caller and may grow: options, operators, and results that the library
 * writes. It is the size of the struct in the headers that the caller was compiled with, so that a program built today
 * runs with tomorrow's library. In C it is filled in where the struct is made, and all else that is not named is 0:
 *
 *     spry_solver_options options = {.size = sizeof options, .method = SPRY_CG};
 *     spry_solve_result result = {.size = sizeof result};
 *
 * In C++ it fills itself in: `spry_solver_options options = {};`.
 *
 * Of options and operators, members that the caller's struct does not have are 0, their default. Those that this library
 * does not have must be 0. Of results, no more is written than the caller's struct has. Calls with a size that cannot be
 * fail with SPRY_ERROR_ARGUMENT. New members come at the end.
 *
 * Structs without a size are closed, they get no members, unless it says that they may have more at their end: the library
 * gives pointers to those, or is told the caller's size by an inline function.
 */
#ifdef __cplusplus
#define SPRY_SIZE(type) size_t size = sizeof(type)
#else
#define SPRY_SIZE(type) size_t size
#endif

#endif
