/* SPDX-License-Identifier: BSD-3-Clause */
/* New values for preconditioners without factors, and the memory that they take. */
#include <criterion/criterion.h>
#include <math.h>

#include "support/counting.h"
#include "support/preconds.h"

/* ---- new values ---- */

/* After an update it is as if it were made anew, whatever format the values come in. */
Test(precond, update) {
    spry_context *context = test_context(2);
    struct list before = definite(61), after = list_copy(&before);
    struct vector x = vector_new(SPRY_F64, 61, NAN), y = vector_new(SPRY_F64, 61, NAN),
                  want = vector_new(SPRY_F64, 61, NAN);
    for (int64_t k = 0; k < after.nnz; k++)
        after.val[k] *= after.row[k] == after.col[k] ? 3 : 1.5;
    vector_random(&x, 9);
    for (size_t i = 0; i < MADE_CHOICES; i++) {
        const spry_precond_options *options = &made_choices[i].options;
        struct made made = made_of(context, &before, options), anew = made_of(context, &after, options);
        struct built ell = built_of(context, &after, SPRY_ELL, SPRY_F64, SPRY_I32);
        cr_expect_eq(spry_precond_update(context, made.precond, ell.matrix), SPRY_OK, "%s",
                     spry_message(context));
        made_apply(&made, &x, &y);
        made_apply(&anew, &x, &want);
        for (int64_t j = 0; j < 61; j++)
            cr_expect_lt(fabs(vector_get(&y, j) - vector_get(&want, j)), 1e-14, "%s", made_choices[i].name);
        made_free(&made);
        made_free(&anew);
        built_free(&ell);
    }
    list_free(&before);
    list_free(&after);
    vector_free(&x);
    vector_free(&y);
    vector_free(&want);
    spry_context_destroy(context);
}

Test(precond, updates_that_do_not_fit) {
    spry_context *context = test_context(2);
    struct list list = definite(30), more = list_copy(&list), larger = definite(31);
    list_add(&more, 29, 0, 1);
    struct built matrix[4];
    matrix[0] = built_of(context, &more, SPRY_CSR, SPRY_F64, SPRY_I32);
    matrix[1] = built_of(context, &larger, SPRY_CSR, SPRY_F64, SPRY_I32);
    matrix[2] = built_of(context, &list, SPRY_CSR, SPRY_F32, SPRY_I32);
    matrix[3] = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I64);
    static const spry_status want[] = {SPRY_ERROR_PATTERN, SPRY_ERROR_PATTERN, SPRY_ERROR_ARGUMENT,
                                       SPRY_ERROR_ARGUMENT};
    for (size_t i = 0; i < MADE_CHOICES; i++) {
        struct made made = made_of(context, &list, &made_choices[i].options);
        for (int m = 0; m < 4; m++)
            cr_expect_eq(spry_precond_update(context, made.precond, matrix[m].matrix), want[m], "%s",
                         made_choices[i].name);
        cr_expect_eq(spry_precond_update(context, made.precond, NULL), SPRY_ERROR_ARGUMENT);
        cr_expect_eq(spry_precond_update(context, NULL, made.built.matrix), SPRY_ERROR_ARGUMENT);
        cr_expect_eq(spry_precond_update(NULL, made.precond, made.built.matrix), SPRY_ERROR_ARGUMENT);
        made_free(&made);
    }
    for (int m = 0; m < 4; m++)
        built_free(&matrix[m]);
    list_free(&list);
    list_free(&more);
    list_free(&larger);
    spry_context_destroy(context);
}

/* ---- memory ---- */

/* Makes and updates a preconditioner, with the n-th request refused. Whether it was reached. SPRY_AUTO, which factors are kept
   by for sweeps, and those of FSAI, goes on to the next storage where there is no memory for one. */
static bool refuse(const spry_matrix *matrix, const struct made_choice *choice, int64_t n) {
    const bool may_go_on = choice->options.sweeps > 0 || choice->options.kind == SPRY_FSAI;
    struct counting counting;
    counting_start(&counting);
    counting_refuse(&counting, n);
    spry_context *context = counting_context(&counting, 2);
    if (context) {
        spry_precond *precond;
        spry_status status = spry_precond_create(context, matrix, &choice->options, &precond);
        if (!status)
            status = spry_precond_update(context, precond, matrix);
        cr_expect(status == (counting.refused ? SPRY_ERROR_MEMORY : SPRY_OK) || (may_go_on && !status),
                  "%s, request %d: %s", choice->name, (int)n, spry_message(context));
        spry_precond_destroy(precond);
        spry_context_destroy(context);
    }
    cr_expect_eq(counting.live_blocks, 0, "%s, request %d", choice->name, (int)n);
    cr_expect_not(counting.misused);
    return counting.refused;
}

Test(precond, every_allocation_fails) {
    spry_context *context = test_context(2);
    struct list list = definite(40);
    struct built built = built_of(context, &list, SPRY_CSC, SPRY_F64, SPRY_I32);
    for (size_t i = 0; i < MADE_CHOICES; i++) {
        int64_t n = 1;
        while (n < 1000 && refuse(built.matrix, &made_choices[i], n))
            n++;
        cr_expect_lt(n, 1000);
    }
    built_free(&built);
    list_free(&list);
    spry_context_destroy(context);
}

Test(precond, applications_ask_for_nothing) {
    struct counting counting;
    counting_start(&counting);
    spry_context *context = counting_context(&counting, 2);
    struct list list = definite(70);
    struct vector x = vector_new(SPRY_F64, 70, 0), y = vector_new(SPRY_F64, 70, 0);
    struct placed x_there = vector_place(context, &x), y_there = vector_place(context, &y);
    for (size_t i = 0; i < MADE_CHOICES; i++)
        for (int format = 0; format < SPRY_FORMAT_COUNT; format++) {
            struct made made = made_in(context, &list, (spry_format)format, SPRY_F64, SPRY_I32, CONVERTED,
                                       &made_choices[i].options);
            counting_refuse(&counting, 1);
            cr_expect_eq(spry_precond_apply(context, made.precond, x_there.data, y_there.data), SPRY_OK);
            cr_expect_not(counting.refused, "%s", made_choices[i].name);
            counting_refuse(&counting, 0);
            made_free(&made);
        }
    placed_free(&x_there);
    placed_free(&y_there);
    vector_free(&x);
    vector_free(&y);
    list_free(&list);
    spry_context_destroy(context);
    cr_expect_eq(counting.live_blocks, 0);
}
