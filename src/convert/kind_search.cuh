/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps that find rows of CSR that are alike on a device: their keys, the numbers of these, and what has these numbers. */
#ifndef SPRY_KIND_SEARCH_CUH
#define SPRY_KIND_SEARCH_CUH

#include "convert/csr_rows.cuh"
#include "convert/hash_table.cuh"
#include "primitives/temporary.cuh"

/* What kernels count. */
struct kind_counts {
    unsigned long long kinds, entries;
};

/* What is known of the rows with keys of one salt. */
struct kind_search {
    explicit kind_search(spry_context *context)
        : slots(context), begins(context), slot_of_row(context), long_keys(context), is_first(context),
          before(context), counts(context) {
    }
    hash_table keys() const {
        return {static_cast<hash_slot *>(slots.pointer), slots.count,
                &static_cast<kind_counts *>(counts.pointer)->kinds};
    }

    temporary slots;
    temporary begins;      /* a bit a row: a run begins */
    temporary slot_of_row; /* of rows where one does */
    temporary long_keys;   /* of long rows; nothing where there are none */
    temporary is_first;    /* a bit a row: it is the first of its kind */
    temporary before;      /* pointer, a group each: such rows before it */
    temporary counts;
};

/* Memory for all but the table. */
extern "C" spry_status NAME(spry_cuda_open_search)(const csr_rows &a, kind_search *s);

/* Look up all rows, and count those that are the first of their kind. SPRY_ERROR_OVERFLOW where a new matrix of this format has no
   numbers for that many. Waits. */
extern "C" spry_status NAME(spry_cuda_find_kinds)(spry_context *context, const csr_rows &a, int salt,
                                                  spry_format format, kind_search *s, kind_counts *found);

/* The first row of each kind, its number of entries in `s.ptr`, which becomes pointers, and the number of each row. */
extern "C" spry_status NAME(spry_cuda_number_kinds)(spry_context *context, const csr_rows &a,
                                                    const kind_search &found, unsigned long long *first,
                                                    const stencils &s);

/* The first row that has each number, of a matrix that is there. */
extern "C" spry_status NAME(spry_cuda_first_rows)(spry_context *context, const stencils &s,
                                                  const temporary &first);

/* Offsets, and values where there are any, become what the first rows have. */
extern "C" spry_status NAME(spry_cuda_copy_kinds)(spry_context *context, const csr_rows &a,
                                                  const unsigned long long *first, const stencils &s);

enum difference { OTHER_PATTERN = 1, OTHER_VALUES = 2 };

/* How rows differ from the offsets that their numbers stand for and from the values of the first rows that have them: an "or" of
   `difference`. Only rows where runs begin are compared, if those are given. Waits. */
extern "C" spry_status NAME(spry_cuda_compare_rows)(spry_context *context, const csr_rows &a,
                                                    const unsigned long long *first, const stencils &s,
                                                    const uint32_t *begins, int64_t *differences);

#endif
