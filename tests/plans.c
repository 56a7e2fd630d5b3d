/* SPDX-License-Identifier: BSD-3-Clause */
/* What products need beyond the arrays: it is there when they need it, not before, and the same whoever came first. */
#include <criterion/criterion.h>

#include "support/build.h"
#include "support/counting.h"
#include "support/reference.h"
#include "support/vector.h"

/* Parts of such a matrix scatter to windows that are hardly longer together than the vector. */
static struct list band(void) {
    struct list list = list_new(900, 900);
    uint64_t seed = 5;
    for (int64_t i = 0; i < list.rows; i++)
        for (int64_t j = i > 2 ? i - 2 : 0; j < list.cols && j <= i + 2; j++)
            list_add(&list, i, j, test_value(&seed));
    return list;
}

/* A product that scatters. */
struct scattering {
    spry_format format;
    spry_op op;
    bool shuffled; /* entries are in no order */
};

static const struct scattering scatterings[] = {
    {SPRY_COO, SPRY_T, false},  {SPRY_CSR, SPRY_T, false}, {SPRY_CSC, SPRY_N, false},
    {SPRY_ELL, SPRY_T, false},  {SPRY_HYB, SPRY_T, false}, {SPRY_JDS, SPRY_T, false},
    {SPRY_SELL, SPRY_T, false}, {SPRY_COO, SPRY_N, true},  {SPRY_COO, SPRY_T, true},
};
enum { SCATTERINGS = sizeof scatterings / sizeof *scatterings };

/* A matrix, and vectors of either side, which is square. */
struct subject {
    struct list list;
    struct built built;
    struct vector x, y;
    struct placed x_there, y_there;
};

static struct subject subject_new(spry_context *context, const struct scattering *scattering) {
    struct subject s = {.list = band()};
    if (scattering->shuffled)
        list_shuffle(&s.list, 3);
    cr_assert_eq(build(context, &s.list, scattering->format, SPRY_F64, SPRY_I32,
                       scattering->shuffled ? WRAPPED_FROM_0 : CONVERTED, &s.built),
                 SPRY_OK);
    s.x = vector_new(SPRY_F64, s.list.cols, 0);
    s.y = vector_new(SPRY_F64, s.list.rows, 0);
    vector_random(&s.x, 7);
    s.x_there = vector_place(context, &s.x);
    s.y_there = vector_place(context, &s.y);
    return s;
}

static void subject_free(struct subject *s) {
    placed_free(&s->x_there);
    placed_free(&s->y_there);
    vector_free(&s->x);
    vector_free(&s->y);
    built_free(&s->built);
    list_free(&s->list);
}

static spry_status multiply(spry_context *context, const struct subject *s, spry_op op) {
    return spry_spmv(context, op, 1, s->built.matrix, s->x_there.data, 0, s->y_there.data);
}

/* Whether y is what it should be, by its bound. */
static bool is_right(struct subject *s, spry_op op) {
    struct reference reference = reference_new(&s->list, op, &s->x);
    bool right =
        vector_fetch(&s->y, &s->y_there) == SPRY_OK && reference_differs(&reference, 1, 0, &s->y, &s->y) < 0;
    reference_free(&reference);
    return right;
}

/* Blocks that the context keeps when all else is released: its workspace is one of them. */
static int64_t kept_after(struct counting *counting, const struct scattering *scattering, bool along,
                          bool across) {
    spry_context *context = counting_context(counting, 3);
    cr_assert_not_null(spry_profile_machine(context)); /* it keeps the profile from now on */
    const int64_t before = counting->live_blocks;
    struct subject s = subject_new(context, scattering);
    if (along)
        cr_expect_eq(multiply(context, &s, scattering->op == SPRY_N ? SPRY_T : SPRY_N), SPRY_OK);
    if (across)
        cr_expect_eq(multiply(context, &s, scattering->op), SPRY_OK);
    subject_free(&s);
    const int64_t kept = counting->live_blocks - before;
    spry_context_destroy(context);
    return kept;
}

/* On a device, plans are made at once, and workspace is for other products too. */
static void only_on_the_cpu(void) {
    if (test_backend() != SPRY_CPU)
        cr_skip_test("plans and workspace are counted on the CPU only");
}

Test(plans, leave_windows_to_products_that_scatter) {
    struct counting counting;
    only_on_the_cpu();
    counting_start(&counting);
    for (int i = 0; i < SCATTERINGS; i++) {
        const char *name = spry_format_name(scatterings[i].format);
        const bool gathers = !scatterings[i].shuffled;
        cr_expect_eq(kept_after(&counting, &scatterings[i], false, false), 0, "%s", name);
        cr_expect_eq(kept_after(&counting, &scatterings[i], gathers, false), 0, "%s", name);
        cr_expect_eq(kept_after(&counting, &scatterings[i], gathers, true), 1, "%s", name);
    }
    cr_expect_eq(counting.live_blocks, 0);
    cr_expect_not(counting.misused);
}

/* The first product that scatters asks for workspace and for nothing else: what is planned then has its memory already. */
Test(plans, first_product_asks_for_workspace_alone) {
    struct counting counting;
    only_on_the_cpu();
    counting_start(&counting);
    for (int i = 0; i < SCATTERINGS; i++) {
        spry_context *context = counting_context(&counting, 3);
        struct subject s = subject_new(context, &scatterings[i]);
        const char *name = spry_format_name(scatterings[i].format);
        for (int time = 0; time < 3; time++) {
            const int64_t before = counting.requests;
            cr_expect_eq(multiply(context, &s, scatterings[i].op), SPRY_OK);
            cr_expect_eq(counting.requests - before, time == 0, "%s, product %d: %d requests", name, time,
                         (int)(counting.requests - before));
        }
        subject_free(&s);
        spry_context_destroy(context);
    }
    cr_expect_not(counting.misused);
}

/* A first product that fails for want of memory leaves nothing undone. */
Test(plans, refused_product_can_be_repeated) {
    struct counting counting;
    only_on_the_cpu();
    counting_start(&counting);
    for (int i = 0; i < SCATTERINGS; i++) {
        spry_context *context = counting_context(&counting, 3);
        struct subject s = subject_new(context, &scatterings[i]);
        const char *name = spry_format_name(scatterings[i].format);
        counting_refuse(&counting, 1);
        cr_expect_eq(multiply(context, &s, scatterings[i].op), SPRY_ERROR_MEMORY, "%s", name);
        cr_expect(counting.refused, "%s", name);
        cr_expect_str_not_empty(spry_message(context), "%s", name);
        counting_refuse(&counting, 0);
        cr_expect_eq(multiply(context, &s, scatterings[i].op), SPRY_OK, "%s", name);
        cr_expect(is_right(&s, scatterings[i].op), "%s", name);
        subject_free(&s);
        spry_context_destroy(context);
    }
    cr_expect_eq(counting.live_blocks, 0);
    cr_expect_not(counting.misused);
}

/* y of a matrix whose first product is in a context with so many threads. */
static struct vector product_by(spry_context *builder, const struct scattering *scattering, int threads) {
    struct subject s = subject_new(builder, scattering);
    spry_context *first = test_context(threads);
    struct vector y = vector_new(SPRY_F64, s.list.rows, 0);
    cr_expect_eq(multiply(first, &s, scattering->op), SPRY_OK);
    cr_expect_eq(spry_synchronize(first), SPRY_OK); /* y is fetched in the other's stream */
    cr_expect(is_right(&s, scattering->op));
    vector_copy(&y, &s.y);
    cr_expect_eq(multiply(builder, &s, scattering->op), SPRY_OK);
    cr_expect(is_right(&s, scattering->op));
    cr_expect(vector_same_bits(&s.y, &y), "%s", spry_format_name(scattering->format));
    spry_context_destroy(first);
    subject_free(&s);
    return y;
}

/* Bits do not tell who came first. */
Test(plans, first_context_does_not_matter) {
    static const int threads[] = {1, 2, 7};
    spry_context *context = test_context(3);
    for (int i = 0; i < SCATTERINGS; i++) {
        struct vector expected = product_by(context, &scatterings[i], 3);
        for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
            struct vector y = product_by(context, &scatterings[i], threads[t]);
            cr_expect(vector_same_bits(&y, &expected), "%s, %d threads first",
                      spry_format_name(scatterings[i].format), threads[t]);
            vector_free(&y);
        }
        vector_free(&expected);
    }
    spry_context_destroy(context);
}

Test(plans, kernels_are_known_before) {
    spry_context *context = test_context(3);
    for (int i = 0; i < SCATTERINGS; i++) {
        struct subject s = subject_new(context, &scatterings[i]);
        const spry_kernel *kernel = spry_kernel_for(s.built.matrix, scatterings[i].op);
        cr_assert_not_null(kernel);
        cr_expect_eq(spry_spmv_with(context, kernel, 1, s.built.matrix, s.x_there.data, 0, s.y_there.data),
                     SPRY_OK);
        cr_expect(is_right(&s, scatterings[i].op));
        cr_expect_eq(spry_kernel_for(s.built.matrix, scatterings[i].op), kernel);
        subject_free(&s);
    }
    spry_context_destroy(context);
}

/* ---- matrices on the way ---- */

/* What a conversion to another format, or a cast to f32, asks for; a context has its profile before. */
static int64_t requests_of(const spry_matrix *source, spry_format format, bool to_f32, spry_matrix **result) {
    struct counting counting;
    counting_start(&counting);
    spry_context *context = counting_context(&counting, 3);
    cr_assert_not_null(spry_profile_machine(context));
    const int64_t before = counting.requests;
    spry_matrix *made;
    cr_assert_eq(to_f32 ? spry_cast(context, source, SPRY_F32, SPRY_I64, &made)
                        : spry_convert(context, source, format, NULL, &made),
                 SPRY_OK);
    const int64_t requests = counting.requests - before;
    if (result) {
        spry_context *other = test_context(3);
        cr_assert_eq(spry_matrix_copy(other, made, result), SPRY_OK);
        spry_context_destroy(other);
    }
    spry_matrix_destroy(made);
    spry_context_destroy(context);
    cr_expect_eq(counting.live_blocks, 0);
    return requests;
}

/* A cast goes through CSR of either type. It takes what the three steps take, but for what each CSR would need to be
   multiplied with, which is two blocks at least. */
Test(plans, are_not_made_on_the_way) {
    only_on_the_cpu();
    spry_context *context = test_context(3);
    struct list list = band();
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++) {
        spry_matrix *csr, *cast;
        struct built source = built_of(context, &list, (spry_format)format, SPRY_F64, SPRY_I32);
        const int64_t there = requests_of(source.matrix, SPRY_CSR, false, &csr),
                      across = requests_of(csr, SPRY_CSR, true, &cast),
                      back = requests_of(cast, (spry_format)format, false, NULL),
                      all = requests_of(source.matrix, SPRY_CSR, true, NULL);
        cr_expect_leq(all, there + across + back - 4, "%s: %d requests, steps take %d, %d and %d",
                      spry_format_name((spry_format)format), (int)all, (int)there, (int)across, (int)back);
        spry_matrix_destroy(csr);
        spry_matrix_destroy(cast);
        built_free(&source);
    }
    list_free(&list);
    spry_context_destroy(context);
}
