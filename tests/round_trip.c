/* SPDX-License-Identifier: BSD-3-Clause */
/* Every format to every format, and back to the same arrays, on every scenario. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include "support/build.h"
#include "support/scenarios.h"

/* Where a check stands, for its message. */
struct place {
    const struct scenario *scenario;
    spry_context *context;
    struct list sorted; /* what every matrix must hold */
    const struct list *list;
    spry_value_type type;
    spry_index_type index;
};

static bool refused(const struct place *place, spry_status status) {
    return status == SPRY_ERROR_TOO_LARGE && place->scenario->may_be_refused;
}

static void expect_same(const struct place *place, const spry_matrix *matrix, const char *how) {
    cr_expect(equals_list(place->context, matrix, &place->sorted), "%s %s %s, %s: %s", place->scenario->name,
              spry_type_name(place->type), spry_index_name(place->index),
              spry_format_name(spry_matrix_format(matrix)), how);
}

static void check_target(const struct place *place, const spry_matrix *from, spry_format format) {
    spry_matrix *to = NULL;
    spry_status status = spry_convert(place->context, from, format, &keep_duplicates, &to);
    if (status == SPRY_OK) {
        cr_expect_eq(spry_matrix_format(to), format);
        cr_expect_eq(spry_matrix_type(to), place->type);
        cr_expect_eq(spry_matrix_index(to), place->index);
        cr_expect_eq(spry_matrix_nnz(to), place->sorted.nnz);
        cr_expect_geq(spry_matrix_slots(to), place->sorted.nnz);
        cr_expect_eq(spry_validate(place->context, to, SPRY_CHECK_SORTED), SPRY_OK, "%s, %s: %s",
                     place->scenario->name, spry_format_name(format), spry_message(place->context));
        expect_same(place, to, spry_format_name(spry_matrix_format(from)));
    } else {
        cr_expect(refused(place, status), "%s, %s to %s: %s", place->scenario->name,
                  spry_format_name(spry_matrix_format(from)), spry_format_name(format),
                  spry_message(place->context));
        cr_expect_null(to);
    }
    spry_matrix_destroy(to);
}

/* The transpose in the same format holds the same entries, rows and columns exchanged. */
static void check_transpose(const struct place *place, const spry_matrix *matrix) {
    struct list transposed = list_transposed(place->list);
    list_sort(&transposed);
    spry_matrix *result = NULL;
    spry_status status = spry_transpose(place->context, matrix, &result);
    if (status == SPRY_OK) {
        cr_expect_eq(spry_matrix_format(result), spry_matrix_format(matrix));
        cr_expect(equals_list(place->context, result, &transposed), "%s, transpose of %s",
                  place->scenario->name, spry_format_name(spry_matrix_format(matrix)));
    } else {
        cr_expect(refused(place, status), "%s, transpose: %s", place->scenario->name,
                  spry_message(place->context));
    }
    spry_matrix_destroy(result);
    list_free(&transposed);
}

static void check_cast(const struct place *place, const spry_matrix *matrix) {
    for (int type = 0; type < SPRY_TYPE_COUNT; type++)
        for (int index = 0; index < SPRY_INDEX_COUNT; index++) {
            struct place cast = *place;
            if (test_is_brief() && index != ((int)place->index + 1) % SPRY_INDEX_COUNT)
                continue;
            cast.sorted = list_copy(&place->sorted);
            cast.type = (spry_value_type)type;
            cast.index = (spry_index_type)index;
            list_round(&cast.sorted, cast.type);
            spry_matrix *result = NULL;
            cr_expect_eq(spry_cast(place->context, matrix, cast.type, cast.index, &result), SPRY_OK, "%s: %s",
                         place->scenario->name, spry_message(place->context));
            if (result) {
                cr_expect_eq(spry_matrix_format(result), spry_matrix_format(matrix));
                cr_expect_eq(spry_matrix_type(result), cast.type);
                cr_expect_eq(spry_matrix_index(result), cast.index);
                expect_same(&cast, result, "cast");
            }
            spry_matrix_destroy(result);
            list_free(&cast.sorted);
        }
}

static void check_source(const struct place *place, spry_format format, enum origin origin) {
    struct built from;
    spry_status status = build(place->context, place->list, format, place->type, place->index, origin, &from);
    if (status == SPRY_OK) {
        cr_expect_eq(spry_matrix_rows(from.matrix), place->list->rows);
        cr_expect_eq(spry_matrix_cols(from.matrix), place->list->cols);
        expect_same(place, from.matrix, "built");
        for (int target = 0; target < SPRY_FORMAT_COUNT; target++)
            if (!test_is_brief() || origin == CONVERTED || (target + (int)origin) % 2 == 0)
                check_target(place, from.matrix, (spry_format)target);
        check_transpose(place, from.matrix);
        check_cast(place, from.matrix);
    } else {
        cr_expect(refused(place, status), "%s, %s: %s", place->scenario->name, spry_format_name(format),
                  spry_message(place->context));
    }
    built_free(&from);
}

static void check_all(const struct scenario *scenario, spry_context *context, spry_value_type type,
                      spry_index_type index) {
    struct list list = scenario->make();
    list_round(&list, type);
    struct place place = {
        .scenario = scenario, .context = context, .list = &list, .type = type, .index = index};
    place.sorted = list_copy(&list);
    list_sort(&place.sorted);
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        for (int origin = CONVERTED; origin <= WRAPPED_FROM_1; origin++)
            if (has_origin((spry_format)format, (enum origin)origin))
                check_source(&place, (spry_format)format, (enum origin)origin);
    list_free(&place.sorted);
    list_free(&list);
}

ParameterizedTestParameters(round_trip, every_pair) {
    static struct scenarios ranges[MOST_SCENARIOS];
    size_t count = test_scenario_ranges(ranges);
    return cr_make_param_array(struct scenarios, ranges, count);
}

/* Teams, which take longer to meet than to convert, and whatever is in brief have one pair of types a scenario; over all scenarios,
   each pair comes up. In brief, wrapped matrices go to half of the formats, and are cast to one other index type. */
static bool is_taken(size_t scenario, int threads, int type, int index) {
    return (threads == 1 && !test_is_brief()) ||
           scenario % (SPRY_TYPE_COUNT * SPRY_INDEX_COUNT) == (size_t)(type * SPRY_INDEX_COUNT + index);
}

static void check_scenario(size_t number) {
    const struct scenario *scenario = &test_scenarios[number];
    for (int threads = test_first_threads(3); threads <= test_threads(3); threads += 2) {
        spry_context *context = test_context(threads);
        for (int type = 0; type < SPRY_TYPE_COUNT; type++)
            for (int index = 0; index < SPRY_INDEX_COUNT; index++)
                if (is_taken(number, threads, type, index))
                    check_all(scenario, context, (spry_value_type)type, (spry_index_type)index);
        spry_context_destroy(context);
    }
}

ParameterizedTest(struct scenarios *range, round_trip, every_pair) {
    for (size_t number = range->first; number < range->end; number++)
        if (test_is_in_part(number) && test_scenario_is_tried(&test_scenarios[number]))
            check_scenario(number);
}
