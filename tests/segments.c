/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries in row order, which devices deal out as segments: so many that a warp has several tiles, and rows that end in every place. */
#include <criterion/criterion.h>
#include <math.h>

#include "support/build.h"
#include "support/products.h"

/* On a device with 132 multiprocessors, warps have several tiles from 811,009 entries on in f64 and from 1,081,345 on in f32. The CPU
   has no tiles. */
static int64_t entries(void) {
    return test_backend() == SPRY_CPU ? 20000 : 1200000;
}

/* So many entries in rows as long as `length` says of row i, the last one shorter if need be. */
static struct list rows_of(int64_t (*length)(int64_t i), int64_t count) {
    struct list list = list_new(0, count);
    for (int64_t left = count; left > 0; list.rows++) {
        const int64_t i = list.rows, here = length(i) < left ? length(i) : left;
        for (int64_t k = 0; k < here; k++)
            list_add(&list, i, (i + k) % list.cols, (double)(1 + (i + k) % 7) / 8);
        left -= here;
    }
    return list;
}

static int64_t one(int64_t i) {
    (void)i;
    return 1;
}

/* As many as a tile has of one size or another, or a share of one. */
static int64_t of_a_tile(int64_t i) {
    return INT64_C(64) << i % 4;
}

static int64_t up_to_forty(int64_t i) {
    uint64_t state = (uint64_t)i;
    return test_below(&state, 41);
}

static int64_t mostly_none(int64_t i) {
    return i % 4 == 0 ? 1 + i % 3 : 0;
}

static int64_t nearly_none(int64_t i) {
    return i % 40 == 0;
}

/* Over many blocks, or within one. */
static int64_t long_and_short(int64_t i) {
    return i % 50 == 0 ? entries() / 4 : i % 50 == 20 ? entries() / 500 : 3;
}

static int64_t all(int64_t i) {
    (void)i;
    return entries();
}

static const struct {
    const char *name;
    int64_t (*length)(int64_t i);
    int share; /* one in so many of the entries */
} kinds[] = {
    {"rows of one entry", one, 1},
    {"rows as long as a tile", of_a_tile, 1},
    {"rows of 0 to 40", up_to_forty, 1},
    {"empty rows", mostly_none, 1},
    {"more empty rows than threads, in blocks with one tile a warp", nearly_none, 40},
    {"long rows and short ones", long_and_short, 1},
    {"one row", all, 1},
};

static void check_coo(spry_context *context, const struct list *list, spry_value_type type,
                      const char *name) {
    struct built coo;
    cr_assert_eq(build(context, list, SPRY_COO, type, SPRY_I32, CONVERTED, &coo), SPRY_OK, "%s: %s", name,
                 spry_message(context));
    expect_products(context, coo.matrix, list, name);
    built_free(&coo);
}

/* As wide as the shortest rows, so that nearly all is left to the entries in row order. */
static void check_hyb(spry_context *context, const struct list *list, spry_value_type type,
                      const char *name) {
    const spry_convert_options narrow = {.size = sizeof narrow, .fill_limit = INFINITY, .hyb_quantile = 0.01};
    struct built csr;
    spry_matrix *hyb;
    cr_assert_eq(build(context, list, SPRY_CSR, type, SPRY_I32, CONVERTED, &csr), SPRY_OK, "%s: %s", name,
                 spry_message(context));
    cr_assert_eq(spry_convert(context, csr.matrix, SPRY_HYB, &narrow, &hyb), SPRY_OK, "%s: %s", name,
                 spry_message(context));
    expect_products(context, hyb, list, name);
    spry_matrix_destroy(hyb);
    built_free(&csr);
}

Test(segments, of_every_length) {
    spry_context *context = test_context(2);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct list list = rows_of(kinds[k].length, entries() / kinds[k].share);
        for (int type = 0; type < SPRY_TYPE_COUNT; type++) {
            check_coo(context, &list, (spry_value_type)type, kinds[k].name);
            check_hyb(context, &list, (spry_value_type)type, kinds[k].name);
        }
        list_free(&list);
    }
    spry_context_destroy(context);
}
