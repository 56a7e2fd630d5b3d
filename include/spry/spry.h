/* SPDX-License-Identifier: BSD-3-Clause */
/** @file spry.h  All of Spry. */
#ifndef SPRY_H
#define SPRY_H

#include "sized.h"
#include "types.h"
#include "view.h"
#include "status.h"
#include "storage.h"
#include "context.h"
#include "matrix.h"
#include "convert.h"
#include "spmv.h"
#include "select.h"
#include "primitives.h"
#include "ranks.h"
#include "solve.h"
#include "io.h"

#endif
