/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether columns fall within a row of the caller's arrays, on a device. */
#ifndef SPRY_ORDER_CUH
#define SPRY_ORDER_CUH

#include "primitives/device.cuh"

/* Set `sorted` of a matrix that has so many entries, or blocks. Where it is not known, compare(falls) launches what sets the number
   there if a column is smaller than the one before it. Waits then. */
template <class Compare>
static inline spry_status find_order(spry_context *context, spry_matrix *matrix, int64_t entries,
                                     Compare compare) {
    counter falls(context);
    int64_t found = 0;
    if (!matrix->sorted && entries > 0) {
        spry_status status = falls.start();
        if (status)
            return status;
        compare(falls.place());
        status = launched(context, "looking at the order of columns");
        if (!status)
            status = falls.read(&found);
        if (status)
            return status;
    }
    matrix->sorted = found == 0;
    return SPRY_OK;
}

#endif
