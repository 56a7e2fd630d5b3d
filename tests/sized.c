/* SPDX-License-Identifier: BSD-3-Clause */
/* Structs that carry their size: what calls make of sizes that are missing, wrong, or those of a newer library. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/build.h"

/* What the calls work on. */
struct inputs {
    spry_context *context;
    struct built csr;
    spry_solver *solver;
    void *b, *x;
};

static struct inputs inputs_new(void) {
    struct inputs inputs = {.context = test_context(2)};
    struct list list = list_new(3, 3);
    for (int64_t i = 0; i < 3; i++)
        list_add(&list, i, i, 2);
    inputs.csr = built_of(inputs.context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    const spry_operator a = spry_operator_of_matrix(inputs.csr.matrix);
    cr_assert_eq(spry_solver_create(inputs.context, &a, NULL, NULL, &inputs.solver), SPRY_OK);
    const double ones[] = {1, 1, 1};
    cr_assert_eq(spry_array_new(inputs.context, sizeof ones, &inputs.b), SPRY_OK);
    cr_assert_eq(spry_array_new(inputs.context, sizeof ones, &inputs.x), SPRY_OK);
    cr_assert_eq(spry_array_put(inputs.context, inputs.b, ones, sizeof ones), SPRY_OK);
    list_free(&list);
    return inputs;
}

static void inputs_free(struct inputs *inputs) {
    spry_array_free(inputs->context, inputs->b, 3 * sizeof(double));
    spry_array_free(inputs->context, inputs->x, 3 * sizeof(double));
    spry_solver_destroy(inputs->solver);
    built_free(&inputs->csr);
    spry_context_destroy(inputs->context);
}

/* ---- calls that take such a struct ---- */

static spry_status make_context(const struct inputs *inputs, void *options) {
    spry_context *made;
    (void)inputs;
    spry_status status = spry_context_create(&made, options);
    cr_expect_eq(made != NULL, status == SPRY_OK);
    spry_context_destroy(made);
    return status;
}

static spry_status convert(const struct inputs *inputs, void *options) {
    spry_matrix *made;
    spry_status status = spry_convert(inputs->context, inputs->csr.matrix, SPRY_ELL, options, &made);
    cr_expect_eq(made != NULL, status == SPRY_OK);
    spry_matrix_destroy(made);
    return status;
}

static spry_status rank(const struct inputs *inputs, void *options) {
    spry_ranking *made;
    spry_status status = spry_select(inputs->context, inputs->csr.matrix, options, &made);
    cr_expect_eq(made != NULL, status == SPRY_OK);
    spry_ranking_destroy(made);
    return status;
}

static spry_status make_precond(const struct inputs *inputs, void *options) {
    spry_precond *made;
    spry_status status = spry_precond_create(inputs->context, inputs->csr.matrix, options, &made);
    cr_expect_eq(made != NULL, status == SPRY_OK);
    spry_precond_destroy(made);
    return status;
}

static spry_status make_solver_of(const struct inputs *inputs, const spry_operator *a,
                                  const spry_operator *precond, const spry_solver_options *options) {
    spry_solver *made;
    spry_status status = spry_solver_create(inputs->context, a, precond, options, &made);
    cr_expect_eq(made != NULL, status == SPRY_OK);
    spry_solver_destroy(made);
    return status;
}

static spry_status make_solver(const struct inputs *inputs, void *options) {
    const spry_operator a = spry_operator_of_matrix(inputs->csr.matrix);
    return make_solver_of(inputs, &a, NULL, options);
}

static spry_status take_operator(const struct inputs *inputs, void *operator) {
    return make_solver_of(inputs, operator, NULL, NULL);
}

static spry_status take_precond(const struct inputs *inputs, void *operator) {
    const spry_operator a = spry_operator_of_matrix(inputs->csr.matrix);
    return make_solver_of(inputs, &a, operator, NULL);
}

static const char text[] = "%%MatrixMarket matrix coordinate real general\n3 4 1\n1 2 0.5\n";

static spry_status read(const struct inputs *inputs, void *options) {
    spry_matrix *made;
    spry_status status =
        spry_read_memory(inputs->context, "text", text, sizeof text - 1, options, &made, NULL);
    cr_expect_eq(made != NULL, status == SPRY_OK);
    spry_matrix_destroy(made);
    return status;
}

static spry_status read_info(const struct inputs *inputs, void *info) {
    spry_matrix *made;
    spry_status status = spry_read_memory(inputs->context, "text", text, sizeof text - 1, NULL, &made, info);
    cr_expect_eq(made != NULL, status == SPRY_OK);
    spry_matrix_destroy(made);
    return status;
}

static spry_status solve(const struct inputs *inputs, void *result) {
    return spry_solve(inputs->solver, inputs->b, inputs->x, result);
}

static spry_status get_statistics(const struct inputs *inputs, void *statistics) {
    return spry_matrix_statistics(inputs->context, inputs->csr.matrix, statistics);
}

struct call {
    spry_status (*make)(const struct inputs *inputs, void *sized);
    const char *name; /* of the struct; a message begins with it */
    size_t size;
    size_t since; /* bytes that have come since the first version */
    bool written; /* by the library, rather than read */
    bool silent;  /* there is no context yet that could have a message */
};

#define CALL(call, type) .make = call, .name = #type, .size = sizeof(type)
static const struct call calls[] = {
    {CALL(make_context, spry_context_options), .since = sizeof(int64_t), .silent = true},
    {CALL(convert, spry_convert_options), .since = sizeof(int64_t)},
    {CALL(rank, spry_select_options), .since = sizeof(int64_t)},
    {CALL(make_precond, spry_precond_options), .since = 4 * sizeof(int) + 3 * sizeof(int64_t)},
    {CALL(make_solver, spry_solver_options), .since = sizeof(void *) + sizeof(void *) + sizeof(int64_t)},
    {CALL(read, spry_read_options)},
    {CALL(take_operator, spry_operator)},
    {CALL(take_precond, spry_operator)},
    {CALL(solve, spry_solve_result), .written = true},
    {CALL(read_info, spry_file_info), .written = true},
    {CALL(get_statistics, spry_statistics), .written = true},
};
#define CALLS (sizeof calls / sizeof *calls)

/* ---- structs ---- */

/* Room for a struct and what a newer library's might have behind it. */
enum { ROOM = 5000 };

union room {
    size_t size;
    spry_operator operator;
    unsigned char bytes[ROOM];
};

/* A struct that is right, but for its size and what is behind it. */
static void fill(const struct inputs *inputs, const struct call *call, union room *room, size_t size) {
    memset(room, 0, sizeof *room);
    if (call->make == take_operator || call->make == take_precond)
        room->operator= spry_operator_of_matrix(inputs->csr.matrix);
    room->size = size;
}

static void expect_status(const struct inputs *inputs, const struct call *call, union room *room,
                          spry_status expected, const char *words) {
    spry_status status = call->make(inputs, room);
    const char *message = spry_message(inputs->context);
    cr_expect_eq(status, expected, "%s of %zu bytes: %s", call->name, room->size, message);
    if (expected && !call->silent)
        cr_expect(strncmp(message, call->name, strlen(call->name)) == 0 && strstr(message, words),
                  "\"%s\" not in \"%s\"", words, message);
}

Test(sized, sizes_that_are_none) {
    struct inputs inputs = inputs_new();
    for (size_t c = 0; c < CALLS; c++) {
        const size_t first = calls[c].size - calls[c].since, sizes[] = {0, 1, first - 1, 4097, SIZE_MAX};
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            union room room;
            char words[60];
            fill(&inputs, &calls[c], &room, sizes[i]);
            snprintf(words, sizeof words, "size is %zu, expected %zu to 4096", sizes[i], first);
            expect_status(&inputs, &calls[c], &room, SPRY_ERROR_ARGUMENT, words);
            fill(&inputs, &calls[c], &room, sizes[i]);
            expect_status(&inputs, &calls[c], &room, SPRY_ERROR_ARGUMENT, "{.size = sizeof(");
        }
    }
    inputs_free(&inputs);
}

/* Without a member that this library does not know, callers of a newer one are served. */
Test(sized, zeros_of_a_newer_library) {
    struct inputs inputs = inputs_new();
    for (size_t c = 0; c < CALLS; c++)
        for (size_t more = 0; more <= 4096 - calls[c].size; more += more < 16 ? 8 : 500) {
            union room room;
            fill(&inputs, &calls[c], &room, calls[c].size + more);
            expect_status(&inputs, &calls[c], &room, SPRY_OK, "");
        }
    inputs_free(&inputs);
}

Test(sized, wishes_of_a_newer_library) {
    struct inputs inputs = inputs_new();
    for (size_t c = 0; c < CALLS; c++) {
        const size_t size = calls[c].size + 24;
        for (size_t at = calls[c].size; at < size && !calls[c].written; at++) {
            union room room;
            char words[64];
            fill(&inputs, &calls[c], &room, size);
            room.bytes[at] = 1;
            snprintf(words, sizeof words, "byte %zu of %zu", at, size);
            expect_status(&inputs, &calls[c], &room, SPRY_ERROR_ARGUMENT, words);
        }
    }
    inputs_free(&inputs);
}

/* Nothing is written behind what the library knows, and the size stays the caller's; nor is it where the size is wrong. */
Test(sized, results_of_other_sizes) {
    struct inputs inputs = inputs_new();
    for (size_t c = 0; c < CALLS; c++)
        for (int wrong = 0; wrong < 2 && calls[c].written; wrong++) {
            const size_t size = wrong ? calls[c].size - 8 : calls[c].size + 40,
                         clean = wrong ? 0 : calls[c].size;
            union room room;
            memset(&room, 0xa5, sizeof room);
            room.size = size;
            cr_expect_eq(calls[c].make(&inputs, &room), wrong ? SPRY_ERROR_ARGUMENT : SPRY_OK);
            cr_expect_eq(room.size, size);
            for (size_t i = clean > sizeof room.size ? clean : sizeof room.size; i < sizeof room; i++)
                cr_assert_eq(room.bytes[i], 0xa5, "%s: byte %zu", calls[c].name, i);
        }
    inputs_free(&inputs);
}

/* Inline functions tell the library their caller's size: one that knows less, as much, or more. */
#define EXPECT_SIZES(type, get)                                                                              \
    for (size_t size = 0; size <= sizeof(type) + 16; size += 8) {                                            \
        type whole;                                                                                          \
        unsigned char bytes[sizeof(type) + 24];                                                              \
        memset(bytes, 0xa5, sizeof bytes);                                                                   \
        get(&whole, sizeof whole);                                                                           \
        get((type *)(void *)bytes, size);                                                                    \
        for (size_t i = 0; i < sizeof bytes; i++)                                                            \
            expect_byte(#type, i, bytes[i],                                                                  \
                        i >= size            ? 0xa5                                                          \
                        : i >= sizeof(whole) ? 0                                                             \
                                             : ((unsigned char *)&whole)[i]);                                \
    }

static void expect_byte(const char *name, size_t i, unsigned char byte, unsigned char expected) {
    cr_expect_eq(byte, expected, "byte %zu of %s: %d, not %d", i, name, byte, expected);
}

static void get_kernel(spry_kernel_info *info, size_t size) {
    spry_kernel_get_info(spry_kernel_at(0), info, size);
}

static void get_algorithm(spry_algorithm_info *info, size_t size) {
    spry_algorithm_get_info(spry_algorithm_at(0), info, size);
}

Test(sized, descriptions_of_other_sizes) {
    EXPECT_SIZES(spry_kernel_info, get_kernel);
    EXPECT_SIZES(spry_algorithm_info, get_algorithm);
    cr_expect_str_eq(spry_kernel_describe(spry_kernel_at(0)).name, "coo");
}

/* An operator of a caller that knows less or more than the library says so. */
Test(sized, operators_say_their_size) {
    struct inputs inputs = inputs_new();
    for (size_t size = 8; size <= sizeof(spry_operator) + 16; size += 8) {
        union room room;
        memset(&room, 0xa5, sizeof room);
        spry_operator_set_matrix(inputs.csr.matrix, &room.operator, size);
        cr_expect_eq(room.size, size);
        for (size_t i = sizeof(spry_operator); i < size; i++)
            cr_expect_eq(room.bytes[i], 0);
        cr_expect_eq(room.bytes[size], 0xa5);
    }
    cr_expect_eq(spry_operator_of_matrix(inputs.csr.matrix).size, sizeof(spry_operator));
    inputs_free(&inputs);
}
