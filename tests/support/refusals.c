/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "counting.h"
#include "refusals.h"
#include "scenarios.h"

static struct inputs inputs_new(void) {
    spry_context *context = test_context(2);
    struct inputs inputs = {.context = context, .list = test_scenario("duplicates")->make()};
    list_shuffle(&inputs.list, 21);
    inputs.coo = arrays_at(context, arrays_new(&inputs.list, SPRY_COO, SPRY_F64, SPRY_I32, 0));
    inputs.csr = arrays_at(context, arrays_new(&inputs.list, SPRY_CSR, SPRY_F64, SPRY_I32, 0));
    inputs.csc = arrays_at(context, arrays_new(&inputs.list, SPRY_CSC, SPRY_F64, SPRY_I32, 1));
    static const double zeros[128];
    cr_assert(inputs.list.rows <= 64 && inputs.list.cols <= 64);
    inputs.x = placed_new(context, zeros, sizeof zeros, 0);
    inputs.y = placed_new(context, zeros, sizeof zeros, 0);
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        inputs.from[format] = built_of(context, &inputs.list, (spry_format)format, SPRY_F64, SPRY_I32);
    return inputs;
}

static void inputs_free(struct inputs *inputs) {
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        built_free(&inputs->from[format]);
    arrays_free(&inputs->coo);
    arrays_free(&inputs->csr);
    arrays_free(&inputs->csc);
    placed_free(&inputs->x);
    placed_free(&inputs->y);
    list_free(&inputs->list);
    spry_context_destroy(inputs->context);
}

/* The choice of a format goes on without one for which there is no memory. */
static bool may_do_without(spry_format format, spry_status status) {
    return format == SPRY_AUTO && status == SPRY_OK;
}

/* One run in which the n-th request is refused, or all from that one on. Whether it was reached. */
static bool run(const char *name, operation *work, const struct inputs *inputs, spry_format format,
                void (*refuse)(struct counting *counting, int64_t n), int64_t n) {
    struct counting counting;
    counting_start(&counting);
    refuse(&counting, n);
    spry_context *context = counting_context(&counting, 2);
    if (context) {
        spry_matrix *result = NULL;
        spry_status status = work(context, inputs, format, &result);
        cr_expect(
            status == (counting.refused ? SPRY_ERROR_MEMORY : SPRY_OK) || may_do_without(format, status),
            "%s %s, request %d: %s", name, spry_format_name(format), (int)n, spry_status_string(status));
        cr_expect(status == SPRY_OK || !result, "%s %s, request %d", name, spry_format_name(format), (int)n);
        cr_expect(status == SPRY_OK || spry_message(context)[0], "%s without a message", name);
        spry_matrix_destroy(result);
        spry_context_destroy(context);
    } else {
        cr_expect(counting.refused);
    }
    cr_expect_eq(counting.live_blocks, 0, "%s %s, request %d: %d blocks left", name, spry_format_name(format),
                 (int)n, (int)counting.live_blocks);
    cr_expect_eq(counting.live_bytes, 0);
    cr_expect_not(counting.misused, "%s %s, request %d", name, spry_format_name(format), (int)n);
    return counting.refused;
}

static void check(const char *name, operation *work, const struct inputs *inputs, spry_format format) {
    int64_t n = 1;
    for (; n < 1000 && run(name, work, inputs, format, counting_refuse, n); n += test_has_few_cases() ? 6 : 1)
        run(name, work, inputs, format, counting_refuse_from, n);
    cr_expect_lt(n, 1000);
}

void check_formats(const char *name, operation *work) {
    struct inputs inputs = inputs_new();
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        check(name, work, &inputs, (spry_format)format);
    inputs_free(&inputs);
}

void check_once(const char *name, operation *work, spry_format format) {
    struct inputs inputs = inputs_new();
    check(name, work, &inputs, format);
    inputs_free(&inputs);
}
