/* SPDX-License-Identifier: BSD-3-Clause */
/* Every class of fault in every format is found and named, and only faults are. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/build.h"
#include "support/scenarios.h"

/* What the elements of an array are. */
enum kind { INDEX, POINTER, VALUE, NUMBER };

/* What is put where, and what the message must say: `word` and, if `number` is not negative, `number` in
   the caller's base. Positions, indices and pointers count from 0 here. */
struct fault {
    spry_format format, part; /* they differ for HYB: `part` is that of its two which is harmed */
    size_t array;             /* offset in the struct of that format's arrays */
    enum kind kind;
    int64_t at;
    double put;
    unsigned flags;
    const char *word;
    int64_t number;
};

/* Part, array and kind. */
#define IN(FORMAT, format, array, kind) SPRY_##FORMAT, offsetof(spry_##format, array), kind

/*
 * The matrix that the faults are put into:
 *
 *     a . . b .      COO entries 0 to 6 are a to g; CSR pointers 0 2 3 6 7;
 *     . c . . .      CSC pointers 0 2 3 4 6 7, rows 0 2 1 2 0 3 2;
 *     d . e . f      ELL width 3; JDS rows 2 0 1 3, pointers 0 4 6 7;
 *     . . . g .      a stencil each row, pointers 0 2 3 6 7, offsets 0 3 0 -2 0 2 0; rows c and g have one shape;
 *                    DIA offsets -2 0 2 3 of masks d, a c e g, f, b
 */
static struct list base_list(void) {
    static const int64_t row[] = {0, 0, 1, 2, 2, 2, 3}, col[] = {0, 3, 1, 0, 2, 4, 3};
    struct list list = list_new(4, 5);
    for (int k = 0; k < 7; k++)
        list_add(&list, row[k], col[k], k + 1);
    return list;
}

static const struct fault faults[] = {
    {SPRY_COO, IN(COO, coo, row, INDEX), 3, 4, 0, "entry", 3},
    {SPRY_COO, IN(COO, coo, row, INDEX), 3, -1, 0, "entry", 3},
    {SPRY_COO, IN(COO, coo, row, INDEX), 3, INT32_MIN, 0, "entry", 3},
    {SPRY_COO, IN(COO, coo, col, INDEX), 5, 5, 0, "column", 5},
    {SPRY_COO, IN(COO, coo, col, INDEX), 6, -1, 0, "entry", 6},
    {SPRY_COO, IN(COO, coo, row, INDEX), 2, 0, SPRY_CHECK_SORTED, "entry", 2},
    {SPRY_COO, IN(COO, coo, col, INDEX), 5, 1, SPRY_CHECK_SORTED, "entry", 5},
    {SPRY_COO, IN(COO, coo, col, INDEX), 4, 0, SPRY_CHECK_DISTINCT, "entry", 4},
    {SPRY_COO, IN(COO, coo, val, VALUE), 6, NAN, SPRY_CHECK_FINITE, "entry", 6},
    {SPRY_COO, IN(COO, coo, val, VALUE), 0, INFINITY, SPRY_CHECK_FINITE, "entry", 0},
    {SPRY_CSR, IN(CSR, csr, ptr, POINTER), 0, 1, 0, "row pointer 0", -1},
    {SPRY_CSR, IN(CSR, csr, ptr, POINTER), 2, 1, 0, "row pointer 2", -1},
    {SPRY_CSR, IN(CSR, csr, ptr, POINTER), 2, 8, 0, "row pointer 3", -1},
    {SPRY_CSR, IN(CSR, csr, ptr, POINTER), 2, INT32_MIN, 0, "row pointer 2", -1},
    {SPRY_CSR, IN(CSR, csr, idx, INDEX), 4, 5, 0, "row", 2},
    {SPRY_CSR, IN(CSR, csr, idx, INDEX), 2, -1, 0, "row", 1},
    {SPRY_CSR, IN(CSR, csr, idx, INDEX), 2, INT32_MIN, 0, "entry", 2},
    {SPRY_CSR, IN(CSR, csr, idx, INDEX), 5, 1, SPRY_CHECK_SORTED, "row", 2},
    {SPRY_CSR, IN(CSR, csr, idx, INDEX), 5, 2, SPRY_CHECK_DISTINCT, "row", 2},
    {SPRY_CSR, IN(CSR, csr, val, VALUE), 3, NAN, SPRY_CHECK_FINITE, "row", 2},
    {SPRY_CSR, IN(CSR, csr, val, VALUE), 1, -INFINITY, SPRY_CHECK_FINITE, "entry", 1},
    {SPRY_CSC, IN(CSC, csc, ptr, POINTER), 0, 1, 0, "column pointer 0", -1},
    {SPRY_CSC, IN(CSC, csc, ptr, POINTER), 2, 1, 0, "column pointer 2", -1},
    {SPRY_CSC, IN(CSC, csc, idx, INDEX), 3, 4, 0, "column", 2},
    {SPRY_CSC, IN(CSC, csc, idx, INDEX), 6, -1, 0, "column", 4},
    {SPRY_CSC, IN(CSC, csc, idx, INDEX), 0, 3, SPRY_CHECK_SORTED, "column", 0},
    {SPRY_CSC, IN(CSC, csc, idx, INDEX), 5, 0, SPRY_CHECK_DISTINCT, "column", 3},
    {SPRY_CSC, IN(CSC, csc, val, VALUE), 6, NAN, SPRY_CHECK_FINITE, "column", 4},
    {SPRY_ELL, IN(ELL, ell, len, INDEX), 1, 4, 0, "row", 1},
    {SPRY_ELL, IN(ELL, ell, len, INDEX), 1, -1, 0, "row", 1},
    {SPRY_ELL, IN(ELL, ell, len, INDEX), 1, 0, 0, "lengths", -1},
    {SPRY_ELL, IN(ELL, ell, idx, INDEX), 1, 5, 0, "row", 1},
    {SPRY_ELL, IN(ELL, ell, idx, INDEX), 2, -1, 0, "row", 2},
    {SPRY_ELL, IN(ELL, ell, idx, INDEX), 0, 4, SPRY_CHECK_SORTED, "row", 0},
    {SPRY_ELL, IN(ELL, ell, idx, INDEX), 0, 3, SPRY_CHECK_DISTINCT, "row", 0},
    {SPRY_ELL, IN(ELL, ell, val, VALUE), 3, NAN, SPRY_CHECK_FINITE, "row", 3},
    {SPRY_JDS, IN(JDS, jds, perm, INDEX), 1, 2, 0, "position 1", -1},
    {SPRY_JDS, IN(JDS, jds, perm, INDEX), 3, 4, 0, "position 3", -1},
    {SPRY_JDS, IN(JDS, jds, perm, INDEX), 3, -1, 0, "position 3", -1},
    {SPRY_JDS, IN(JDS, jds, ptr, POINTER), 0, 1, 0, "pointers", -1},
    {SPRY_JDS, IN(JDS, jds, ptr, POINTER), 1, 5, 0, "diagonal 0", -1},
    {SPRY_JDS, IN(JDS, jds, ptr, POINTER), 2, 3, 0, "diagonal 1", -1},
    {SPRY_JDS, IN(JDS, jds, idx, INDEX), 5, 5, 0, "entry 5", -1},
    {SPRY_JDS, IN(JDS, jds, idx, INDEX), 0, -1, 0, "entry 0", -1},
    {SPRY_JDS, IN(JDS, jds, idx, INDEX), 1, 4, SPRY_CHECK_SORTED, "row", 0},
    {SPRY_JDS, IN(JDS, jds, idx, INDEX), 1, 3, SPRY_CHECK_DISTINCT, "row", 0},
    {SPRY_JDS, IN(JDS, jds, val, VALUE), 6, INFINITY, SPRY_CHECK_FINITE, "entry 6", -1},
    {SPRY_STENCIL, IN(STENCIL, stencil, ptr, POINTER), 0, 1, 0, "stencil pointer 0", -1},
    {SPRY_STENCIL, IN(STENCIL, stencil, ptr, POINTER), 2, 1, 0, "stencil pointer 2", -1},
    {SPRY_STENCIL, IN(STENCIL, stencil, ptr, POINTER), 4, 6, 0, "the last stencil pointer is 6", -1},
    {SPRY_STENCIL, IN(STENCIL, stencil, ptr, POINTER), 3, INT32_MIN, 0, "stencil pointer 3", -1},
    {SPRY_STENCIL, IN(STENCIL, stencil, number, NUMBER), 1, 4, 0, "row", 1},
    {SPRY_STENCIL, IN(STENCIL, stencil, number, NUMBER), 3, 255, 0, "has stencil", 255},
    {SPRY_STENCIL, IN(STENCIL, stencil, number, NUMBER), 1, 0, 0, "the rows have", 8},
    {SPRY_STENCIL, IN(STENCIL, stencil, offset, INDEX), 1, 5, 0, "row 0, entry", 1},
    {SPRY_STENCIL, IN(STENCIL, stencil, offset, INDEX), 3, -3, 0, "row", 2},
    {SPRY_STENCIL, IN(STENCIL, stencil, offset, INDEX), 6, INT32_MIN, 0, "row", 3},
    {SPRY_STENCIL, IN(STENCIL, stencil, offset, INDEX), 5, -1, SPRY_CHECK_SORTED, "stencil", 2},
    {SPRY_STENCIL, IN(STENCIL, stencil, offset, INDEX), 5, 0, SPRY_CHECK_DISTINCT, "stencil", 2},
    {SPRY_STENCIL, IN(STENCIL, stencil, val, VALUE), 3, NAN, SPRY_CHECK_FINITE, "stencil 2, entry", 0},
    {SPRY_SHAPE, IN(SHAPE, shape, rows.ptr, POINTER), 0, 1, 0, "shape pointer 0", -1},
    {SPRY_SHAPE, IN(SHAPE, shape, rows.ptr, POINTER), 2, 1, 0, "shape pointer 2", -1},
    {SPRY_SHAPE, IN(SHAPE, shape, rows.ptr, POINTER), 3, 5, 0, "the last shape pointer is 5", -1},
    {SPRY_SHAPE, IN(SHAPE, shape, rows.number, NUMBER), 1, 4, 0, "row", 1},
    {SPRY_SHAPE, IN(SHAPE, shape, rows.number, NUMBER), 3, 255, 0, "has shape", 255},
    {SPRY_SHAPE, IN(SHAPE, shape, rows.offset, INDEX), 1, 5, 0, "row 0, entry", 1},
    {SPRY_SHAPE, IN(SHAPE, shape, rows.offset, INDEX), 5, -1, SPRY_CHECK_SORTED, "shape", 2},
    {SPRY_SHAPE, IN(SHAPE, shape, rows.offset, INDEX), 5, 0, SPRY_CHECK_DISTINCT, "shape", 2},
    {SPRY_SHAPE, IN(SHAPE, shape, first, POINTER), 0, 1, 0, "slice pointer 0", -1},
    {SPRY_SHAPE, IN(SHAPE, shape, first, POINTER), 1, 64, 0, "the last slice pointer is 64", -1},
    {SPRY_SHAPE, IN(SHAPE, shape, first, POINTER), 1, INT32_MIN, 0, "slice pointer 1", -1},
    {SPRY_SHAPE, IN(SHAPE, shape, val, VALUE), 66, NAN, SPRY_CHECK_FINITE, "row", 2},
    {SPRY_DIA, IN(DIA, dia, first, POINTER), 0, 1, 0, "slice pointer 0", -1},
    {SPRY_DIA, IN(DIA, dia, first, POINTER), 1, 3, 0, "the last slice pointer is 3", -1},
    {SPRY_DIA, IN(DIA, dia, first, POINTER), 1, INT32_MIN, 0, "slice pointer 1", -1},
    {SPRY_DIA, IN(DIA, dia, offset, INDEX), 0, -3, 0, "row 2, diagonal", 0},
    {SPRY_DIA, IN(DIA, dia, offset, INDEX), 3, 5, 0, "row 0, diagonal", 3},
    {SPRY_DIA, IN(DIA, dia, offset, INDEX), 2, -1, SPRY_CHECK_SORTED, "diagonal", 2},
    {SPRY_DIA, IN(DIA, dia, offset, INDEX), 2, 0, SPRY_CHECK_DISTINCT, "row", 2},
    {SPRY_DIA, IN(DIA, dia, mask, NUMBER), 4, 31, 0, "diagonal 1, in slice 0: row", 4},
    {SPRY_DIA, IN(DIA, dia, mask, NUMBER), 0, 0, 0, "the masks have 6 rows, expected 7", -1},
    {SPRY_DIA, IN(DIA, dia, val, VALUE), 33, NAN, SPRY_CHECK_FINITE, "row", 1},
    {SPRY_HYB, IN(ELL, ell, len, INDEX), 1, -1, 0, "row", 1},
    {SPRY_HYB, IN(ELL, ell, idx, INDEX), 1, 5, 0, "row", 1},
    {SPRY_HYB, IN(COO, coo, row, INDEX), 0, 4, 0, "entry", 0},
    {SPRY_HYB, IN(COO, coo, col, INDEX), 0, -1, 0, "entry", 0},
    {SPRY_HYB, IN(ELL, ell, val, VALUE), 3, NAN, SPRY_CHECK_FINITE, "row", 3},
    {SPRY_HYB, IN(COO, coo, val, VALUE), 0, NAN, SPRY_CHECK_FINITE, "entry", 0},
};

/* Arrays that are wrapped say themselves how many entries they have, and have neither padding nor parts. */
static const struct fault converted_faults[] = {
    {SPRY_CSR, IN(CSR, csr, ptr, POINTER), 4, 6, 0, "the last row pointer is 6, expected 7", -1},
    {SPRY_CSC, IN(CSC, csc, ptr, POINTER), 5, 6, 0, "the last column pointer is 6, expected 7", -1},
    {SPRY_ELL, IN(ELL, ell, val, VALUE), 5, 0.5, 0, "row 5, slot 0: padding has value 0.5", -1},
};

#define ALL_CHECKS ((unsigned)(SPRY_CHECK_SORTED | SPRY_CHECK_FINITE | SPRY_CHECK_DISTINCT))
#define FAULTS (sizeof faults / sizeof faults[0])

static void *array_of(const spry_matrix *matrix, const struct fault *fault) {
    const spry_hyb *hyb = spry_matrix_hyb(matrix);
    if (hyb)
        return array_of(fault->part == SPRY_ELL ? hyb->ell : hyb->coo, fault);
    const void *const arrays[SPRY_FORMAT_COUNT] = {
#define ARRAYS_ROW(NAME, name, title) spry_matrix_##name(matrix),
        SPRY_FORMAT_LIST(ARRAYS_ROW)
#undef ARRAYS_ROW
    };
    return *(void *const *)((const char *)arrays[fault->part] + fault->array);
}

/* Size of the integers in the array; 0 for values. */
static size_t integer_size(const struct fault *fault, spry_index_type index) {
    return fault->kind == VALUE     ? 0
           : fault->kind == NUMBER  ? 1
           : fault->kind == POINTER ? spry_pointer_size(index)
                                    : spry_index_size(index);
}

/* The array element that a fault changes. */
struct element {
    spry_context *context; /* where the array lies; null: in host memory */
    char *array;
    spry_value_type type;
    size_t size; /* of an integer; 0 for a value */
    int64_t at;
    int base;
};

static struct element element_of(spry_context *context, const spry_matrix *matrix, const struct fault *fault,
                                 int base) {
    size_t size = integer_size(fault, spry_matrix_index(matrix));
    return (struct element){context, array_of(matrix, fault), spry_matrix_type(matrix), size, fault->at,
                            base};
}

/* One element of any array. */
union word {
    uint8_t u8;
    int32_t i32;
    int64_t i64;
    float f32;
    double f64;
};

/* Copy an element to host memory, or back. */
static void element_load(const struct element *element, union word *host) {
    size_t size = element->size ? element->size : spry_type_size(element->type);
    const char *array = element->array + (size_t)element->at * size;
    if (!element->context)
        memcpy(host, array, size);
    else
        cr_assert_eq(spry_array_get(element->context, array, host, size), SPRY_OK);
}

static void element_store(const struct element *element, const union word *host) {
    size_t size = element->size ? element->size : spry_type_size(element->type);
    char *array = element->array + (size_t)element->at * size;
    if (!element->context)
        memcpy(array, host, size);
    else
        cr_assert_eq(spry_array_put(element->context, array, host, size), SPRY_OK);
}

static double element_get(const struct element *element) {
    union word host;
    element_load(element, &host);
    if (element->size == 1)
        return (double)host.u8;
    return element->size ? (double)(get_integer(&host, element->size, 0) - element->base)
                         : get_value(&host, element->type, 0);
}

static void element_put(const struct element *element, double put) {
    union word host;
    if (!element->size)
        set_value(&host, element->type, 0, put);
    else if (element->size == 1)
        host.u8 = (uint8_t)put;
    else if (put == INT32_MIN)
        set_integer(&host, element->size, 0, element->size == 4 ? INT32_MIN : INT64_MIN);
    else
        set_integer(&host, element->size, 0, (int64_t)put + element->base);
    element_store(element, &host);
}

static void expect_named(const struct fault *fault, int base, spry_status status, const char *message) {
    char named[64];
    if (fault->number < 0)
        snprintf(named, sizeof named, "%s", fault->word);
    else
        snprintf(named, sizeof named, "%s %d", fault->word, (int)fault->number + base);
    cr_expect_eq(status, SPRY_ERROR_INVALID, "%s, fault %zu: %s", spry_format_name(fault->format),
                 (size_t)(fault - faults), spry_status_string(status));
    cr_expect(strstr(message, named), "%s, fault %zu, base %d: \"%s\" does not say \"%s\"",
              spry_format_name(fault->format), (size_t)(fault - faults), base, message, named);
}

/* The checks that must pass in spite of a fault. SPRY_CHECK_DISTINCT implies SPRY_CHECK_SORTED. */
static unsigned unharmed(const struct fault *fault) {
    unsigned harmed = fault->flags;
    if (harmed == SPRY_CHECK_SORTED)
        harmed |= SPRY_CHECK_DISTINCT;
    return ALL_CHECKS & ~harmed;
}

static void check_fault(spry_context *context, const struct fault *fault, spry_value_type type,
                        spry_index_type index, enum origin origin) {
    struct list list = base_list();
    struct built built;
    int base = origin == WRAPPED_FROM_1;
    cr_assert_eq(build(context, &list, fault->format, type, index, origin, &built), SPRY_OK);
    cr_expect_eq(spry_validate(context, built.matrix, ALL_CHECKS), SPRY_OK, "%s: %s",
                 spry_format_name(fault->format), spry_message(context));
    struct element element = element_of(context, built.matrix, fault, base);
    double good = element_get(&element);
    element_put(&element, fault->put);
    spry_status status = spry_validate(context, built.matrix, fault->flags);
    expect_named(fault, base, status, spry_message(context));
    if (fault->flags)
        cr_expect_eq(spry_validate(context, built.matrix, unharmed(fault)), SPRY_OK,
                     "%s, fault %zu found though not asked for", spry_format_name(fault->format),
                     (size_t)(fault - faults));
    element_put(&element, good);
    built_free(&built);
    list_free(&list);
}

Test(validate, names_each_fault) {
    spry_context *context = test_context(2);
    for (size_t f = 0; f < FAULTS; f++)
        for (int type = 0; type < SPRY_TYPE_COUNT; type++)
            for (int index = 0; index < SPRY_INDEX_COUNT; index++)
                for (int origin = CONVERTED; origin <= WRAPPED_FROM_1; origin++)
                    if (has_origin(faults[f].format, (enum origin)origin))
                        check_fault(context, &faults[f], (spry_value_type)type, (spry_index_type)index,
                                    (enum origin)origin);
    spry_context_destroy(context);
}

Test(validate, names_faults_of_converted_matrices) {
    spry_context *context = test_context(2);
    for (size_t f = 0; f < sizeof converted_faults / sizeof converted_faults[0]; f++)
        for (int type = 0; type < SPRY_TYPE_COUNT; type++)
            for (int index = 0; index < SPRY_INDEX_COUNT; index++)
                check_fault(context, &converted_faults[f], (spry_value_type)type, (spry_index_type)index,
                            CONVERTED);
    spry_context_destroy(context);
}

/* What validate finds without being asked, wrapping refuses. */
static void check_wrap(spry_context *context, const struct fault *fault, spry_value_type type,
                       spry_index_type index, int base) {
    struct list list = base_list();
    struct arrays arrays = arrays_new(&list, fault->format, type, index, base);
    void *array = fault->array == 0 ? arrays.major : arrays.minor; /* rows and pointers come first */
    struct element element = {NULL, array, type, integer_size(fault, index), fault->at, base};
    element_put(&element, fault->put);
    arrays = arrays_at(context, arrays);
    spry_matrix *matrix = NULL;
    spry_status status = wrap(context, &list, fault->format, type, index, base, &arrays, &matrix);
    expect_named(fault, base, status, spry_message(context));
    cr_expect_null(matrix);
    arrays_free(&arrays);
    list_free(&list);
}

Test(validate, wrapping_refuses_faults) {
    spry_context *context = test_context(2);
    for (size_t f = 0; f < FAULTS; f++)
        if (has_origin(faults[f].format, WRAPPED_FROM_0) && !faults[f].flags)
            for (int type = 0; type < SPRY_TYPE_COUNT; type++)
                for (int index = 0; index < SPRY_INDEX_COUNT; index++)
                    for (int base = 0; base < 2; base++)
                        check_wrap(context, &faults[f], (spry_value_type)type, (spry_index_type)index, base);
    spry_context_destroy(context);
}

/* Of several faults the first counts, also when threads look at them in any order. */
Test(validate, first_of_several) {
    for (int threads = 1; threads <= test_threads(7); threads += 2) {
        spry_context *context = test_context(threads);
        struct list list = test_scenario("power law")->make();
        struct arrays arrays = arrays_new(&list, SPRY_COO, SPRY_F64, SPRY_I32, 0);
        for (int64_t k = 4321; k < list.nnz; k += 1000)
            set_integer(arrays.minor, sizeof(int32_t), k, list.cols);
        arrays = arrays_at(context, arrays);
        spry_matrix *matrix = NULL;
        cr_expect_eq(wrap(context, &list, SPRY_COO, SPRY_F64, SPRY_I32, 0, &arrays, &matrix),
                     SPRY_ERROR_INVALID);
        cr_expect(strstr(spry_message(context), "entry 4321:"), "%s", spry_message(context));
        cr_expect_null(matrix);
        arrays_free(&arrays);
        list_free(&list);
        spry_context_destroy(context);
    }
}

/* Whatever the scenarios build passes; infinities and NaN are found when asked for. */
Test(validate, scenarios_are_sound) {
    spry_context *context = test_context(3);
    for (size_t s = 0; s < test_scenario_count; s++)
        for (int format = 0; format < SPRY_FORMAT_COUNT && test_scenario_is_tried(&test_scenarios[s]);
             format++) {
            struct list list = test_scenarios[s].make();
            struct built built;
            if (build(context, &list, (spry_format)format, SPRY_F64, SPRY_I32, CONVERTED, &built) ==
                SPRY_OK) {
                bool special = strcmp(test_scenarios[s].name, "special values") == 0;
                cr_expect_eq(spry_validate(context, built.matrix, SPRY_CHECK_SORTED), SPRY_OK);
                cr_expect_eq(spry_validate(context, built.matrix, SPRY_CHECK_FINITE),
                             special ? SPRY_ERROR_INVALID : SPRY_OK, "%s in %s", test_scenarios[s].name,
                             spry_format_name((spry_format)format));
            }
            built_free(&built);
            list_free(&list);
        }
    spry_context_destroy(context);
}

Test(validate, sizes_of_ell) {
    spry_context *context = test_context(1);
    struct list list = base_list();
    struct built built = built_of(context, &list, SPRY_ELL, SPRY_F64, SPRY_I32);
    spry_ell *ell = (spry_ell *)(uintptr_t)spry_matrix_ell(built.matrix);
    int64_t stride = ell->stride;
    ell->stride = 3;
    cr_expect_eq(spry_validate(context, built.matrix, 0), SPRY_ERROR_INVALID);
    cr_expect(strstr(spry_message(context), "stride 3 or width 3 does not suit 4 rows"), "%s",
              spry_message(context));
    ell->stride = stride;
    built_free(&built);
    list_free(&list);
    spry_context_destroy(context);
}

/* Where rows are sorted within windows, each has its place in its own. */
Test(validate, rows_of_sell_in_wrong_places) {
    static const struct {
        int64_t at, row;
        const char *message;
    } wrong[] = {{1, 3, "sorted position 1: row 3 occurs twice"},
                 {3, 4, "sorted position 3: row 4 is not of its window"},
                 {7, 8, "sorted position 7: row 8 does not exist"},
                 {0, -1, "sorted position 0: row -1 does not exist"}};
    static const spry_storage storage = {.format = SPRY_SELL, .parameter = {2, 4}};
    spry_context *context = test_context(1);
    struct list list = list_new(8, 8);
    for (int64_t row = 0; row < 8; row++) /* longer and longer, so that they are turned around */
        for (int64_t col = 0; col <= row; col++)
            list_add(&list, row, col, 1);
    spry_matrix *sell;
    struct built csr = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    cr_assert_eq(spry_convert_to(context, csr.matrix, &storage, NULL, &sell), SPRY_OK, "%s",
                 spry_message(context));
    cr_assert_eq(spry_matrix_sell(sell)->window, 4);
    cr_expect_eq(spry_validate(context, sell, ALL_CHECKS), SPRY_OK, "%s", spry_message(context));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        spry_context *place = test_backend() == SPRY_CPU ? NULL : context;
        const struct element row = {
            place, spry_matrix_sell(sell)->perm, SPRY_F64, sizeof(int32_t), wrong[i].at, 0};
        const double right = element_get(&row);
        element_put(&row, (double)wrong[i].row);
        cr_expect_eq(spry_validate(context, sell, 0), SPRY_ERROR_INVALID);
        cr_expect(strstr(spry_message(context), wrong[i].message), "%s", spry_message(context));
        element_put(&row, right);
    }
    spry_matrix_destroy(sell);
    built_free(&csr);
    list_free(&list);
    spry_context_destroy(context);
}

/* Rows that go on in the second part of HYB fill the first one. */
Test(validate, gap_before_the_second_part_of_hyb) {
    spry_context *context = test_context(1);
    struct list list = list_new(8, 8);
    for (int64_t row = 0; row < 8; row++)
        for (int64_t col = 0; col < (row == 0 ? 8 : row == 1 ? 1 : 2); col++)
            list_add(&list, row, col, 1);
    struct built built = built_of(context, &list, SPRY_HYB, SPRY_F64, SPRY_I32);
    const spry_ell *ell = spry_matrix_ell(spry_matrix_hyb(built.matrix)->ell);
    cr_assert_eq(ell->width, 2);
    spry_context *place = test_backend() == SPRY_CPU ? NULL : context;
    struct element length = {place, ell->len, SPRY_F64, sizeof(int32_t), 0, 0},
                   value = {place, ell->val, SPRY_F64, 0, ell->stride, 0};
    element_put(&length, 1);
    element_put(&value, 0); /* as padding has it */
    length.at = 1;          /* so that their sum stays */
    element_put(&length, 2);
    cr_expect_eq(spry_validate(context, built.matrix, 0), SPRY_ERROR_INVALID);
    cr_expect(strstr(spry_message(context), "row 0 has entries past the width, but only 1 of 2 before"), "%s",
              spry_message(context));
    built_free(&built);
    list_free(&list);
    spry_context_destroy(context);
}

/* A duplicate of which HYB has one half in each part. */
Test(validate, across_the_parts_of_hyb) {
    spry_context *context = test_context(1);
    struct list list = list_new(5, 6);
    list_add(&list, 0, 5, 1);
    list_add(&list, 0, 5, 1);
    for (int64_t row = 1; row < 5; row++)
        list_add(&list, row, row - 1, 1);
    struct built coo;
    spry_matrix *hyb;
    cr_assert_eq(build(context, &list, SPRY_COO, SPRY_F64, SPRY_I32, WRAPPED_FROM_0, &coo), SPRY_OK);
    cr_assert_eq(spry_convert(context, coo.matrix, SPRY_HYB, &keep_duplicates, &hyb), SPRY_OK);
    cr_assert_eq(spry_matrix_nnz(spry_matrix_hyb(hyb)->coo), 1);
    cr_expect_eq(spry_validate(context, hyb, SPRY_CHECK_SORTED), SPRY_OK, "%s", spry_message(context));
    cr_expect_eq(spry_validate(context, hyb, SPRY_CHECK_DISTINCT), SPRY_ERROR_INVALID);
    built_free(&coo);
    spry_matrix_destroy(hyb);
    list_free(&list);
    spry_context_destroy(context);
}
