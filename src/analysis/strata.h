/* SPDX-License-Identifier: BSD-3-Clause */
/* Where samples of rows, entries and values lie. They are stratified (Cochran, Sampling Techniques, 1977): all that there is is cut into
   equal shares, and one window is looked at in each, at a place of its own, so that no period of a matrix agrees with all of them.
   Every backend looks at the same ones. */
#ifndef SPRY_STRATA_H
#define SPRY_STRATA_H

#include "core/cover.h"
#include "core/hash.h"
#include "core/host_device.h"

/* Where the window of share number w begins, of so many places each, which leave room for its `length`. */
SPRY_HOST_AND_DEVICE int64_t spry_window_in_share(int64_t w, int64_t share, int64_t length) {
    const double part = (double)(spry_hash(w) >> 12) * 0x1p-52; /* of what is left over, less than all */
    return w * share + (int64_t)((double)(share - length + 1) * part);
}

/* `count` windows of rows, one in each run of `share` rows. */
struct spry_windows {
    int64_t count, share;
};

/* Windows of `each` rows: one in `one_in` of all, from `least` to `most`; all where there are no more than `least`. */
static inline struct spry_windows spry_windows_in(int64_t rows, int64_t each, int64_t one_in, int64_t least,
                                                  int64_t most) {
    const int64_t all = spry_cover(rows, each), wanted = all / one_in;
    if (all <= least)
        return (struct spry_windows){all, each};
    const int64_t count = wanted < least ? least : wanted < most ? wanted : most;
    return (struct spry_windows){count, rows / count};
}

#endif
