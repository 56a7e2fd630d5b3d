/* SPDX-License-Identifier: BSD-3-Clause */
/* What is written reads back as the same matrix, with as few digits as that takes. */
#define _DEFAULT_SOURCE
#include <criterion/criterion.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "support/build.h"
#include "support/counting.h"
#include "support/folder.h"
#include "support/scenarios.h"

TestSuite(write, .init = make_folder, .fini = remove_folder);

/* All of the written file. */
static char *get_file(void) {
    FILE *file = fopen(test_path, "rb");
    cr_assert(file);
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    char *text = test_malloc(size + 1);
    cr_assert_eq(fread(text, 1, size, file), size);
    text[size] = '\0';
    fclose(file);
    return text;
}

/* A column of values, written; the caller frees the text. */
static char *write_values(spry_value_type type, const void *values, int64_t count) {
    spry_context *context = test_context(1);
    int32_t *row = test_malloc((size_t)count * sizeof *row), *col = test_malloc((size_t)count * sizeof *col);
    for (int64_t k = 0; k < count; k++)
        row[k] = (int32_t)k, col[k] = 0;
    spry_matrix *matrix;
    void *val = (void *)(uintptr_t)values;
    cr_assert_eq(
        spry_wrap_coo(context, type, SPRY_I32, count, 1, count, &(spry_coo){row, col, val, 0}, &matrix),
        SPRY_OK);
    cr_assert_eq(spry_write(context, test_path, matrix), SPRY_OK, "%s", spry_message(context));
    spry_matrix_destroy(matrix);
    spry_context_destroy(context);
    free(row);
    free(col);
    return get_file();
}

/* The value behind row and column of a line. */
static char *value_of(char *line) {
    return strchr(strchr(line, ' ') + 1, ' ') + 1;
}

static char *next_line(char *text) {
    return strchr(text, '\n') + 1;
}

Test(write, looks) {
    static const double values[] = {0,    -0.0,      1,        -2.5,     150,        1e15,
                                    1e16, 1.5e300,   0.0001,   1e-05,    -1.25e-100, 0.1 + 0.2,
                                    NAN,  -INFINITY, INFINITY, 0x1p-1074};
    static const char *const expected[] = {
        "0",    "-0",      "1",      "-2.5",  "150",        "1000000000000000",
        "1e16", "1.5e300", "0.0001", "1e-5",  "-1.25e-100", "0.30000000000000004",
        "nan",  "-inf",    "inf",    "5e-324"};
    enum { COUNT = sizeof values / sizeof *values };
    char *text = write_values(SPRY_F64, values, COUNT), *line = text, size[40];
    cr_expect_eq(strncmp(line, "%%MatrixMarket matrix coordinate real general\n", 46), 0);
    line = next_line(line);
    snprintf(size, sizeof size, "%d 1 %d\n", COUNT, COUNT);
    cr_expect_eq(strncmp(line, size, strlen(size)), 0);
    for (int k = 0; k < COUNT; k++) {
        line = next_line(line);
        char *value = value_of(line);
        value[strcspn(value, "\n")] = '\0';
        cr_expect_str_eq(value, expected[k]);
        value[strlen(value)] = '\n';
    }
    cr_expect_eq(line[strlen(line) - 1], '\n');
    free(text);
}

/* Digits from the first that is not zero to the last that is not zero. */
static int significant_digits(const char *text) {
    int count = 0, zeros = 0;
    for (; *text && *text != 'e' && *text != '\n'; text++)
        if (*text > '0' && *text <= '9') {
            count += zeros + 1;
            zeros = 0;
        } else if (*text == '0' && count) {
            zeros++;
        }
    return count;
}

static double read_as(spry_value_type type, const char *text) {
    return type == SPRY_F64 ? strtod(text, NULL) : (double)strtof(text, NULL);
}

/* The fewest digits with which printf's rounding gives the value back, and how far that is from it. */
static int fewest_digits(spry_value_type type, double value, char *text, size_t size) {
    for (int digits = 1;; digits++) {
        snprintf(text, size, "%.*e", digits - 1, value);
        if (read_as(type, text) == value)
            return digits;
    }
}

static void check_value(spry_value_type type, double value, const char *text) {
    char brute[60];
    cr_assert(read_as(type, text) == value && signbit(read_as(type, text)) == signbit(value), "%a: %.30s",
              value, text);
    if (value == 0)
        return;
    int fewest = fewest_digits(type, value, brute, sizeof brute), digits = significant_digits(text);
    cr_assert_leq(digits, fewest, "%a: %.30s, but %s", value, text, brute);
    long double distance = fabsl(strtold(text, NULL) - value), least = fabsl(strtold(brute, NULL) - value);
    cr_assert(digits < fewest || distance <= least * 1.000001L, "%a: %.30s, but closer %s", value, text,
              brute);
}

/* Any bits; powers of two and what is beside them; denormal numbers; short decimals. */
static uint64_t random_bits(uint64_t *state, int mantissa_bits) {
    uint64_t bits = test_random(state), mantissa = (UINT64_C(1) << mantissa_bits) - 1;
    switch (test_below(state, 4)) {
    case 0:
        return bits;
    case 1:
        return (bits & ~mantissa) + (uint64_t)test_below(state, 3) - 1;
    case 2:
        return bits & (mantissa >> test_below(state, mantissa_bits));
    default:
        return bits & ~(mantissa >> test_below(state, mantissa_bits));
    }
}

Test(write, shortest_f64) {
    enum { COUNT = 100000 };
    double *values = test_malloc(COUNT * sizeof *values);
    uint64_t state = 1;
    for (int k = 0; k < COUNT; k++) {
        uint64_t bits = random_bits(&state, 52);
        memcpy(&values[k], &bits, sizeof bits);
        if (k % 5 == 0)
            values[k] = (double)test_below(&state, 1000000) / pow(10, (double)test_below(&state, 30));
        if (!isfinite(values[k]))
            values[k] = 0x1.fffffffffffffp1023;
    }
    char *text = write_values(SPRY_F64, values, COUNT), *line = next_line(text);
    for (int k = 0; k < COUNT; k++)
        check_value(SPRY_F64, values[k], value_of(line = next_line(line)));
    free(values);
    free(text);
}

Test(write, shortest_f32) {
    enum { COUNT = 100000 };
    float *values = test_malloc(COUNT * sizeof *values);
    uint64_t state = 1;
    for (int k = 0; k < COUNT; k++) {
        uint32_t bits = (uint32_t)random_bits(&state, 23);
        memcpy(&values[k], &bits, sizeof bits);
        if (!isfinite(values[k]))
            values[k] = 0x1.fffffep127f;
    }
    char *text = write_values(SPRY_F32, values, COUNT), *line = next_line(text);
    for (int k = 0; k < COUNT; k++)
        check_value(SPRY_F32, (double)values[k], value_of(line = next_line(line)));
    free(values);
    free(text);
}

/* Every format, type, index type and origin, read back. */
static void check_round_trip(spry_context *context, struct list *list, spry_format format,
                             spry_value_type type, spry_index_type index, enum origin origin) {
    struct built built;
    spry_matrix *back;
    spry_read_options options = {
        .size = sizeof options, .as_f32 = type == SPRY_F32, .index_set = 1, .index = index};
    cr_assert_eq(build(context, list, format, type, index, origin, &built), SPRY_OK);
    cr_assert_eq(spry_write(context, test_path, built.matrix), SPRY_OK, "%s", spry_message(context));
    cr_assert_eq(spry_read(context, test_path, &options, &back, NULL), SPRY_OK, "%s", spry_message(context));
    cr_expect(equals_list(context, back, list), "%s %s %s, origin %d", spry_format_name(format),
              spry_type_name(type), spry_index_name(index), origin);
    spry_matrix_destroy(back);
    built_free(&built);
}

/* In brief, each scenario with one pair of types; where cases are few, formats have every other scenario. */
static bool is_taken(size_t scenario, int format, int type, int index) {
    if (test_has_few_cases() && (scenario + (size_t)format) % 2 != 0)
        return false;
    return !test_is_brief() ||
           scenario % (SPRY_TYPE_COUNT * SPRY_INDEX_COUNT) == (size_t)(type * SPRY_INDEX_COUNT + index);
}

Test(write, round_trip) {
    spry_context *context = test_context(2);
    for (size_t s = 0; s < test_scenario_count; s++) {
        const struct scenario *scenario = &test_scenarios[s];
        if (scenario->large || scenario->may_be_refused)
            continue;
        struct list list = scenario->make();
        list_sort(&list);
        for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
            for (int type = 0; type < SPRY_TYPE_COUNT; type++)
                for (int index = 0; index < SPRY_INDEX_COUNT; index++)
                    for (int origin = 0; origin < ORIGIN_COUNT; origin++)
                        if (has_origin((spry_format)format, (enum origin)origin) &&
                            is_taken(s, format, type, index)) {
                            struct list rounded = list_copy(&list);
                            list_round(&rounded, (spry_value_type)type);
                            check_round_trip(context, &rounded, (spry_format)format, (spry_value_type)type,
                                             (spry_index_type)index, (enum origin)origin);
                            list_free(&rounded);
                        }
        list_free(&list);
    }
    spry_context_destroy(context);
}

/* A small matrix in any format. */
static struct built small(spry_context *context, spry_format format) {
    struct list list = list_new(2, 2);
    list_add(&list, 0, 1, 0.5);
    list_add(&list, 1, 0, -3);
    struct built built = built_of(context, &list, format, SPRY_F64, SPRY_I32);
    list_free(&list);
    return built;
}

static const char small_text[] = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 0.5\n2 1 -3\n";

static void check_file(const char *expected) {
    char *text = get_file();
    cr_expect_str_eq(text, expected);
    free(text);
}

static void put_text(const char *text) {
    put_file(test_path, text, strlen(text));
}

/* A file that is there is replaced, and not by a stale temporary file. */
Test(write, replaces) {
    char stale[200];
    snprintf(stale, sizeof stale, "%s.part0", test_path);
    put_text("old\n");
    cr_assert_eq(rename(test_path, stale), 0);
    put_text("older\n");
    spry_context *context = test_context(1);
    struct built built = small(context, SPRY_ELL);
    cr_expect_eq(spry_write(context, test_path, built.matrix), SPRY_OK);
    check_file(small_text);
    cr_expect_eq(unlink(stale), 0);
    struct stat facts;
    mode_t mask = umask(0);
    umask(mask);
    cr_expect_eq(stat(test_path, &facts), 0);
    cr_expect_eq(facts.st_mode & 0777, 0666 & ~mask);
    built_free(&built);
    spry_context_destroy(context);
}

static void expect_failure(spry_context *context, const char *name, const spry_matrix *matrix,
                           spry_status expected, const char *message) {
    cr_expect_eq(spry_write(context, name, matrix), expected);
    cr_expect_str_eq(spry_message(context), message);
}

/* Who may read a file may read the one in its place, and nobody else. */
Test(write, keeps_permissions) {
    static const mode_t modes[] = {0600, 0640, 0444, 0666};
    spry_context *context = test_context(1);
    struct built built = small(context, SPRY_COO);
    const mode_t mask = umask(022);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        struct stat facts;
        put_text("old\n");
        cr_assert_eq(chmod(test_path, modes[i]), 0);
        cr_expect_eq(spry_write(context, test_path, built.matrix), SPRY_OK, "%s", spry_message(context));
        check_file(small_text);
        cr_expect_eq(stat(test_path, &facts), 0);
        cr_expect_eq(facts.st_mode & 07777, modes[i], "%o", facts.st_mode);
        cr_expect_eq(unlink(test_path), 0);
    }
    umask(mask);
    built_free(&built);
    spry_context_destroy(context);
}

#define RIGHTS "system.posix_acl_access"
/* Of a POSIX access control list: its version, and after it tag, rights and number of each entry. */
static const struct {
    uint32_t version;
    struct {
        uint16_t tag, rights;
        uint32_t id;
    } entry[5];
} rights = {
    2, {{1, 6, UINT32_MAX}, {2, 4, 12345}, {4, 0, UINT32_MAX}, {16, 6, UINT32_MAX}, {32, 0, UINT32_MAX}}};

/* One user may read, and the group may not, though its bits in the mode are set, which bound what others have. A folder's
   list for new files is none for one that had no list. */
Test(write, keeps_access_control_list) {
    char now[2 * sizeof rights];
    struct stat facts;
    put_text("old\n");
    if (setxattr(test_path, RIGHTS, &rights, sizeof rights, 0) != 0)
        cr_skip_test("no access control lists here");
    spry_context *context = test_context(1);
    struct built built = small(context, SPRY_COO);
    cr_expect_eq(spry_write(context, test_path, built.matrix), SPRY_OK, "%s", spry_message(context));
    check_file(small_text);
    cr_expect_eq(getxattr(test_path, RIGHTS, now, sizeof now), (ssize_t)sizeof rights);
    cr_expect_eq(memcmp(now, &rights, sizeof rights), 0);
    cr_expect(stat(test_path, &facts) == 0 && (facts.st_mode & 07777) == 0660, "%o", facts.st_mode);
    cr_assert(removexattr(test_path, RIGHTS) == 0 && chmod(test_path, 0640) == 0);
    cr_assert_eq(setxattr(test_folder, "system.posix_acl_default", &rights, sizeof rights, 0), 0);
    cr_expect_eq(spry_write(context, test_path, built.matrix), SPRY_OK, "%s", spry_message(context));
    cr_expect_eq(getxattr(test_path, RIGHTS, now, sizeof now), -1);
    cr_expect(stat(test_path, &facts) == 0 && (facts.st_mode & 07777) == 0640, "%o", facts.st_mode);
    built_free(&built);
    spry_context_destroy(context);
}

/* The temporary file's name is as good as the file's. */
Test(write, long_names) {
    spry_context *context = test_context(1);
    struct built built = small(context, SPRY_COO);
    for (int length = 240; length <= 255; length++) {
        char name[400];
        int before = snprintf(name, sizeof name, "%s/", test_folder);
        memset(name + before, 'n', (size_t)length);
        name[before + length] = '\0';
        for (int i = 0; i < 2; i++)
            cr_expect_eq(spry_write(context, name, built.matrix), SPRY_OK, "%s", spry_message(context));
        cr_expect_eq(unlink(name), 0);
    }
    char name[400], message[500];
    snprintf(name, sizeof name, "%s/%0256d", test_folder, 0);
    snprintf(message, sizeof message, "%s: File name too long", name);
    expect_failure(context, name, built.matrix, SPRY_ERROR_IO, message);
    built_free(&built);
    spry_context_destroy(context);
}

/* Reads a little from a pipe and closes it. */
static void *read_a_little(void *end) {
    char bytes[10];
    cr_expect_eq(read(*(int *)end, bytes, sizeof bytes), (ssize_t)sizeof bytes);
    close(*(int *)end);
    return NULL;
}

/* Write more than a pipe holds to one whose reader goes away. */
static void write_to_nobody(spry_context *context, const spry_matrix *matrix) {
    int ends[2];
    char name[40], message[80];
    pthread_t reader;
    cr_assert_eq(pipe(ends), 0);
    cr_assert_eq(pthread_create(&reader, NULL, read_a_little, &ends[0]), 0);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[1]);
    snprintf(message, sizeof message, "%s: Broken pipe", name);
    cr_expect_eq(spry_write(context, name, matrix), SPRY_ERROR_IO);
    cr_expect_str_eq(spry_message(context), message);
    pthread_join(reader, NULL);
    close(ends[1]);
}

/* Take a pending signal, and let signals reach this thread as before. */
static void take_pending(int number, const sigset_t *before) {
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, number);
    cr_expect_eq(sigtimedwait(&only, NULL, &(struct timespec){0}), number);
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

static bool is_pending(int number) {
    sigset_t pending;
    sigemptyset(&pending);
    sigpending(&pending);
    return sigismember(&pending, number) == 1;
}

/* Without SIGPIPE, which would end this process, and with its signals as they were before. */
Test(write, closed_pipe) {
    spry_context *context = test_context(1);
    struct list list = list_new(1, 100000);
    sigset_t pipe_signal, before, after;
    for (int col = 0; col < 100000; col++)
        list_add(&list, 0, col, 1);
    struct built built = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    list_free(&list);
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    write_to_nobody(context, built.matrix);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    cr_expect_eq(sigismember(&before, SIGPIPE), sigismember(&after, SIGPIPE));
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_signal, NULL);
    write_to_nobody(context, built.matrix);
    cr_expect(!is_pending(SIGPIPE));
    raise(SIGPIPE);
    write_to_nobody(context, built.matrix);
    cr_expect(is_pending(SIGPIPE), "a signal of somebody else's was taken away");
    take_pending(SIGPIPE, &before);
    built_free(&built);
    spry_context_destroy(context);
}

/* A link stays one: what it leads to is written. */
Test(write, through_a_link) {
    char link[200];
    snprintf(link, sizeof link, "%s/link", test_folder);
    put_text("old and longer than what is written, so that a rest of it would show\n");
    cr_assert_eq(symlink(test_path, link), 0);
    spry_context *context = test_context(1);
    struct built built = small(context, SPRY_ELL);
    cr_expect_eq(spry_write(context, link, built.matrix), SPRY_OK, "%s", spry_message(context));
    check_file(small_text);
    struct stat facts;
    cr_expect(lstat(link, &facts) == 0 && S_ISLNK(facts.st_mode));
    cr_expect_eq(unlink(link), 0);
    built_free(&built);
    spry_context_destroy(context);
}

Test(write, refused) {
    spry_context *context = test_context(1);
    struct built built = small(context, SPRY_COO);
    char name[200], message[300];
    snprintf(name, sizeof name, "%s/none/a.mtx", test_folder);
    snprintf(message, sizeof message, "%s: No such file or directory", name);
    expect_failure(context, name, built.matrix, SPRY_ERROR_IO, message);
    snprintf(message, sizeof message, "%s: Is a directory", test_folder);
    expect_failure(context, test_folder, built.matrix, SPRY_ERROR_IO, message);
    expect_failure(context, "", built.matrix, SPRY_ERROR_IO, "'' is no name for a file");
    expect_failure(context, "/dev/full", built.matrix, SPRY_ERROR_IO, "/dev/full: No space left on device");
    expect_failure(context, "a.mtx.gz", built.matrix, SPRY_ERROR_UNSUPPORTED,
                   "a.mtx.gz: only plain text is written, not gzip");
    expect_failure(context, NULL, built.matrix, SPRY_ERROR_ARGUMENT, "spry_write: the path is null");
    expect_failure(context, test_path, NULL, SPRY_ERROR_ARGUMENT, "spry_write: the matrix is null");
    cr_expect_eq(spry_write(NULL, test_path, built.matrix), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_write(context, "/dev/null", built.matrix), SPRY_OK);
    built_free(&built);
    spry_context_destroy(context);
}

/* When there is no room for all of it, the file that was there stays, and nothing else does. SIGXFSZ, which would end this
   process, is kept from it, but for one that was there before. */
Test(write, no_room) {
    put_text("old\n");
    struct rlimit limit;
    sigset_t too_large, before;
    cr_assert_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
    spry_context *context = test_context(1);
    struct built built = small(context, SPRY_CSR);
    char message[200];
    snprintf(message, sizeof message, "%s: File too large", test_path);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &(struct rlimit){10, limit.rlim_max}), 0);
    expect_failure(context, test_path, built.matrix, SPRY_ERROR_IO, message);
    sigemptyset(&too_large);
    sigaddset(&too_large, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &too_large, &before);
    expect_failure(context, test_path, built.matrix, SPRY_ERROR_IO, message);
    cr_expect(!is_pending(SIGXFSZ));
    raise(SIGXFSZ);
    expect_failure(context, test_path, built.matrix, SPRY_ERROR_IO, message);
    cr_expect(is_pending(SIGXFSZ), "a signal of somebody else's was taken away");
    cr_expect_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    take_pending(SIGXFSZ, &before);
    check_file("old\n");
    built_free(&built);
    spry_context_destroy(context);
}

Test(write, each_allocation_refused) {
    struct counting counting;
    counting_start(&counting);
    spry_context *context = counting_context(&counting, 2), *other = test_context(2);
    struct built built = small(other, SPRY_JDS);
    spry_status status = SPRY_ERROR_MEMORY;
    for (int n = 1; status; n++) {
        cr_assert_lt(n, 100);
        counting_refuse(&counting, n);
        status = spry_write(context, test_path, built.matrix);
        cr_expect_eq(status, counting.refused ? SPRY_ERROR_MEMORY : SPRY_OK);
        cr_expect(status == SPRY_OK || access(test_path, F_OK) != 0);
    }
    check_file(small_text);
    built_free(&built);
    spry_context_destroy(context);
    spry_context_destroy(other);
    cr_expect_eq(counting.live_blocks, 0);
}
