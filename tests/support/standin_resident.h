/* SPDX-License-Identifier: BSD-3-Clause */
/* What a stand-in for a device does where a GPU keeps a system on its chip: plays the list on the CPU, from the image of
   the matrix, so that both are seen to be right. */
#ifndef TEST_STANDIN_RESIDENT_H
#define TEST_STANDIN_RESIDENT_H

#include "solve/resident.h"

extern const struct spry_resident_code standin_resident;

#endif
