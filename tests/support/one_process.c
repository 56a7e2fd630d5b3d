/* SPDX-License-Identifier: BSD-3-Clause */
/* Criterion's tests of a program, one after the other in one process, for tools that take seconds to begin with each:
       LD_PRELOAD=build/tests/libone_process.so build/tests/test_trsv [SUITE/TEST]...
   It takes the place of Criterion's main and of the few functions by which a test tells Criterion's process how it
   fares. The program ends with 0 when no test failed. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <criterion/event.h>
#include <criterion/parameterized.h>
#include <elf.h>
#include <fnmatch.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>

/* ---- the test that runs ---- */

static const struct criterion_test *test;
static void *parameter; /* null of a test without one */
static jmp_buf end;
static int failures;
static bool skipped;

void criterion_internal_test_setup(void) {
}
void criterion_internal_test_teardown(void) {
}

void criterion_internal_test_main(void (*body)(void)) {
    if (test->data->kind_ == CR_TEST_PARAMETERIZED)
        ((void (*)(void *))body)(parameter);
    else
        body();
}

void cri_asserts_passed_incr(void) {
}

void criterion_send_assert(struct criterion_assert_stats *assertion) {
    if (assertion->passed)
        return;
    failures++;
    printf("%s:%u: %s\n", assertion->file, assertion->line, assertion->message ? assertion->message : "");
}

void criterion_continue_test(void) {
}

void criterion_abort_test(void) {
    longjmp(end, 1);
}

void criterion_skip_test(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    printf("skipped: ");
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
    skipped = true;
    longjmp(end, 1);
}

/* ---- where the program keeps its tests ---- */

/* What the file of the program has from `offset` on, to be freed. */
static void *part_of(FILE *file, size_t offset, size_t bytes) {
    void *part = malloc(bytes);
    if (!part || fseek(file, (long)offset, SEEK_SET) || fread(part, bytes, 1, file) != 1) {
        fprintf(stderr, "one_process: the program's file cannot be read\n");
        exit(EXIT_FAILURE);
    }
    return part;
}

/* By how much the program is not where its file says. */
static uintptr_t moved_by(FILE *file, const Elf64_Ehdr *header) {
    Elf64_Phdr *segments = part_of(file, header->e_phoff, header->e_phnum * sizeof *segments);
    uintptr_t moved = 0;
    for (int i = 0; i < header->e_phnum; i++)
        if (segments[i].p_type == PT_PHDR)
            moved = getauxval(AT_PHDR) - segments[i].p_vaddr;
    free(segments);
    return moved;
}

/* The pointers in a section of the program, where Criterion's macros put them. */
static void **pointers_of(const char *section, size_t *count) {
    FILE *file = fopen("/proc/self/exe", "rb");
    if (!file)
        exit(EXIT_FAILURE);
    Elf64_Ehdr *header = part_of(file, 0, sizeof *header);
    Elf64_Shdr *sections = part_of(file, header->e_shoff, header->e_shnum * sizeof *sections);
    const Elf64_Shdr *named = &sections[header->e_shstrndx];
    char *names = part_of(file, named->sh_offset, named->sh_size);
    void **pointers = NULL;
    *count = 0;
    for (int i = 0; i < header->e_shnum; i++)
        if (strcmp(names + sections[i].sh_name, section) == 0) {
            pointers = (void **)(sections[i].sh_addr + moved_by(file, header));
            *count = sections[i].sh_size / sizeof *pointers;
        }
    free(names), free(sections), free(header);
    fclose(file);
    return pointers;
}

/* ---- one after the other ---- */

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool is_asked_for(const char *name, int patterns, char **pattern) {
    for (int i = 0; i < patterns; i++)
        if (fnmatch(pattern[i], name, 0) == 0)
            return true;
    return patterns == 0;
}

/* What is done before and after each test of the suite. */
static struct criterion_test_extra_data around(const char *suite) {
    size_t count;
    struct criterion_suite **suites = (struct criterion_suite **)pointers_of("cr_sts", &count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(suites[i]->name, suite) == 0)
            return *suites[i]->data;
    return (struct criterion_test_extra_data){0};
}

static void run(void) {
    const struct criterion_test_extra_data suite = around(test->category);
    if (setjmp(end))
        return;
    if (suite.init)
        suite.init();
    test->test();
    if (suite.fini)
        suite.fini();
}

/* With each of its parameters. */
static void run_all(void) {
    if (test->data->kind_ != CR_TEST_PARAMETERIZED) {
        run();
        return;
    }
    const struct criterion_test_params parameters = test->data->param_();
    for (size_t i = 0; i < parameters.length; i++) {
        parameter = (char *)parameters.params + i * parameters.size;
        run();
    }
}

int main(int argc, char **argv) {
    size_t count, tried = 0, passed_over = 0, failed = 0;
    struct criterion_test **tests = (struct criterion_test **)pointers_of("cr_tst", &count);
    for (size_t i = 0; i < count; i++) {
        char name[256];
        test = tests[i];
        snprintf(name, sizeof name, "%s/%s", test->category, test->name);
        if (!is_asked_for(name, argc - 1, argv + 1))
            continue;
        const double began = seconds();
        failures = 0, skipped = false;
        run_all();
        tried++, passed_over += skipped && !failures, failed += failures > 0;
        printf("%s %s, %.2f s\n",
               failures  ? "failed"
               : skipped ? "skipped"
                         : "passed",
               name, seconds() - began);
        fflush(stdout);
    }
    printf("Tested: %zu, skipped: %zu, failed: %zu\n", tried - passed_over, passed_over, failed);
    return failed ? EXIT_FAILURE : 0;
}
