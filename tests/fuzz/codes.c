/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix in every storage that the kernel table knows, layouts with codes: it has the entries of a plain list, bit by bit, when it
   is read back, or is refused just where a code cannot keep a value by a second opinion that is written here. An input says what
   kind of matrix it is, and the seed of a generator of random numbers which makes it. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

#define MOST_ROWS 48
/* Enough to go beyond the 256 values of a byte. */
#define MOST_ENTRIES 700

struct subject {
    spry_context *context;
    spry_value_type type;
    spry_index_type index;
    uint64_t state; /* of the generator */
    struct list list;
    struct arrays arrays; /* of the sorted list in CSR */
    struct built hub;
    int64_t distinct; /* values that differ in a bit */
    bool single;      /* all are exact in f32 */
};

static int64_t below(struct subject *s, int64_t count) {
    return test_below(&s->state, count);
}

/* ---- shapes ---- */

static void add(struct subject *s, int64_t row, int64_t col) {
    if (s->list.nnz < MOST_ENTRIES && col >= 0 && col < s->list.cols && row < s->list.rows)
        list_add(&s->list, row, col, 0);
}

/* Also more than once in a place. */
static void scatter(struct subject *s) {
    for (int64_t left = below(s, MOST_ENTRIES); left > 0; left--)
        add(s, below(s, s->list.rows), below(s, s->list.cols));
}

/* The same offsets from the diagonal in all rows but for some, which lack one. */
static void stencil(struct subject *s) {
    const int64_t reach = 1 + below(s, 9), lack = 1 + below(s, 20);
    const uint64_t there = test_random(&s->state);
    for (int64_t i = 0; i < s->list.rows; i++)
        for (int64_t j = -reach; j <= reach; j++)
            if ((there >> (j + reach) & 1) && (j != 0 || i % lack != 0))
                add(s, i, i + j);
}

/* Full rows between short and empty ones. */
static void dense_rows(struct subject *s) {
    const int64_t every = 1 + below(s, 12);
    for (int64_t i = 0; i < s->list.rows; i++) {
        const bool full = i % every == 0;
        const int64_t length = full ? s->list.cols : below(s, 3);
        for (int64_t j = 0; j < length; j++)
            add(s, i, full ? j : below(s, s->list.cols));
    }
}

/* All in a part of the rows and columns; the others are empty. */
static void corner(struct subject *s) {
    const int64_t rows = 1 + below(s, s->list.rows), cols = 1 + below(s, s->list.cols),
                  row = below(s, s->list.rows), col = below(s, s->list.cols);
    for (int64_t left = below(s, 200); left > 0; left--)
        add(s, row + below(s, rows), col + below(s, cols));
}

/* Rows that have the columns of the one before. */
static void repeated_rows(struct subject *s) {
    const int64_t length = 1 + below(s, 12), run = 1 + below(s, 20);
    int64_t col[12] = {0};
    for (int64_t i = 0; i < s->list.rows; i++)
        for (int64_t k = 0; k < length; k++) {
            col[k] = i % run == 0 ? below(s, s->list.cols) : col[k];
            add(s, i, col[k]);
        }
}

/* Dense blocks, some of which lack an entry. */
static void blocks(struct subject *s) {
    const int64_t height = 1 + below(s, 8), width = 1 + below(s, 8);
    for (int64_t left = below(s, 12); left > 0; left--) {
        const int64_t row = below(s, s->list.rows) / height * height,
                      col = below(s, s->list.cols) / width * width, gap = below(s, 2 * height * width);
        for (int64_t k = 0; k < height * width; k++)
            if (k != gap)
                add(s, row + k / width, col + k % width);
    }
}

static void nothing(struct subject *s) {
    (void)s;
}

static void (*const shapes[])(struct subject *s) = {scatter, stencil,       dense_rows, corner,
                                                    blocks,  repeated_rows, nothing};

/* ---- values ---- */

static double of_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Zeros, infinities, NaNs with several payloads, and numbers at the ends of both types. */
static double special(struct subject *s) {
    static const uint64_t bits[] = {
        0x0000000000000000, 0x8000000000000000, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000,
        0xfff8000000000000, 0x7ff8000000000001, 0x7ff8000020000000, 0xfffc000000000000, 0x7ff4000000000000,
        0x0000000000000001, 0x800fffffffffffff, 0x0010000000000000, 0x36a0000000000000, 0x380fffffc0000000,
        0x3690000000000000, 0x47efffffe0000000, 0x47f0000000000000, 0x7fefffffffffffff, 0x3ff0000000000001,
    };
    return of_bits(bits[below(s, sizeof bits / sizeof *bits)]);
}

/* One for all entries; a few; about as many as a byte tells apart; as many as there are. */
static int64_t take_variety(struct subject *s) {
    static const int64_t varieties[] = {1, 3, 17, 250, MOST_ENTRIES};
    return varieties[below(s, 5)] + below(s, 2) * below(s, 10);
}

/* Of a kind: exact in f32, special, any bits at all, or some of each. */
static double draw(struct subject *s, int kind) {
    switch (kind == 3 ? below(s, 3) : kind) {
    case 0:
        return test_value(&s->state);
    case 1:
        return special(s);
    default:
        return of_bits(test_random(&s->state));
    }
}

static void set_values(struct subject *s, int kind) {
    double values[MOST_ENTRIES + 10];
    const int64_t variety = take_variety(s);
    for (int64_t v = 0; v < variety; v++)
        values[v] = draw(s, kind);
    for (int64_t k = 0; k < s->list.nnz; k++)
        s->list.val[k] = values[variety < MOST_ENTRIES ? below(s, variety) : k];
}

/* ---- what codes can keep ---- */

static int compare_bits(const void *a, const void *b) {
    const uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return (one > other) - (one < other);
}

/* The values as the type has them. */
static void survey(struct subject *s) {
    const size_t size = spry_type_size(s->type);
    uint64_t bits[MOST_ENTRIES] = {0};
    s->single = true;
    for (int64_t k = 0; k < s->list.nnz; k++) {
        memcpy(&bits[k], (const char *)s->arrays.val + (size_t)k * size, size);
        const double value = get_value(s->arrays.val, s->type, k), back = (double)(float)value;
        s->single &= memcmp(&value, &back, sizeof value) == 0;
    }
    qsort(bits, (size_t)s->list.nnz, sizeof *bits, compare_bits);
    s->distinct = s->list.nnz > 0;
    for (int64_t k = 1; k < s->list.nnz; k++)
        s->distinct += bits[k] != bits[k - 1];
}

static bool keeps(const struct subject *s, spry_value_code code) {
    return code == SPRY_VALUES_F32        ? s->single
           : code == SPRY_VALUES_CONSTANT ? s->distinct <= 1
           : code == SPRY_VALUES_DICT8    ? s->distinct <= 256
                                          : true;
}

/* Whether a kernel is for it: then matrices can be stored so. */
static bool is_known(const struct subject *s, const spry_storage *storage) {
    static bool known[SPRY_FORMAT_COUNT][SPRY_VALUE_CODE_COUNT][SPRY_TYPE_COUNT][SPRY_INDEX_COUNT];
    static bool looked;
    for (size_t k = 0; k < spry_kernel_count() && !looked; k++) {
        const spry_kernel_info info = spry_kernel_describe(spry_kernel_at(k));
        known[info.format][info.values][info.type][info.index] = true;
    }
    looked = true;
    return known[storage->format][storage->values][s->type][s->index];
}

/* ---- there and back ---- */

static void expect_same(const struct subject *s, const spry_matrix *stored, const char *text) {
    spry_matrix *back;
    spry_status status = spry_convert(s->context, stored, SPRY_CSR, &keep_duplicates, &back);
    MUST(!status, "%s: %s", text, spry_message(s->context));
    MUST(csr_equals(s->context, back, &s->list, &s->arrays), "%s: other entries", text);
    spry_matrix_destroy(back);
}

/* In a storage, whose parameters the layout may not know. */
static void store(const struct subject *s, const spry_storage *storage, bool may_be_refused) {
    char text[SPRY_STORAGE_TEXT];
    spry_matrix *stored;
    const bool known = is_known(s, storage), fits = keeps(s, storage->values);
    spry_storage_text(storage, text, sizeof text);
    spry_status status = spry_convert_to(s->context, s->hub.matrix, storage, &keep_duplicates, &stored);
    if (may_be_refused && status == SPRY_ERROR_ARGUMENT)
        return;
    MUST(!status || (status == SPRY_ERROR_UNSUPPORTED && !(known && fits)), "%s: %s", text,
         spry_message(s->context));
    MUST(status || (known && fits), "%s: kept what it cannot keep", text);
    if (status)
        return;
    MUST(!spry_validate(s->context, stored, 0), "%s: %s", text, spry_message(s->context));
    MUST(spry_matrix_padding(stored) <= spry_matrix_bytes(stored), "%s: more padding than bytes", text);
    expect_same(s, stored, text);
    spry_matrix_destroy(stored);
}

/* With the library's parameters, and with others. */
static void store_in_all(struct subject *s) {
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        for (int code = 0; code < SPRY_VALUE_CODE_COUNT; code++) {
            spry_storage storage = {.format = (spry_format)format, .values = (spry_value_code)code};
            store(s, &storage, false);
            storage.parameter[0] = 1 + below(s, 9);
            storage.parameter[1] = below(s, 2) ? 1 : storage.parameter[0] * (1 + below(s, 4));
            store(s, &storage, true);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct bytes bytes = {data, size};
    struct subject s = {.context = fuzz_context(take_below(&bytes, 8) ? 1 : 3),
                        .type = (spry_value_type)take_below(&bytes, SPRY_TYPE_COUNT),
                        .index = (spry_index_type)take_below(&bytes, SPRY_INDEX_COUNT)};
    const int shape = take_below(&bytes, sizeof shapes / sizeof *shapes), kind = take_below(&bytes, 4);
    s.list = list_new(take_below(&bytes, MOST_ROWS), take_below(&bytes, MOST_ROWS));
    while (bytes.left)
        s.state = s.state << 8 | take_byte(&bytes);
    if (s.list.rows > 0 && s.list.cols > 0)
        shapes[shape](&s);
    set_values(&s, kind);
    list_sort(&s.list);
    s.arrays = arrays_new(&s.list, SPRY_CSR, s.type, s.index, 0);
    survey(&s);
    spry_status status = build(s.context, &s.list, SPRY_COO, s.type, s.index, WRAPPED_FROM_0, &s.hub);
    MUST(!status, "%s", spry_message(s.context));
    store_in_all(&s);
    built_free(&s.hub);
    arrays_free(&s.arrays);
    list_free(&s.list);
    return 0;
}
