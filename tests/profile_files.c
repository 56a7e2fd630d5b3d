/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of profiles: those that are refused, and the one that is taken without its name. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/folder.h"
#include "support/profiles.h"
#include "support/rankings.h"

/* ---- files that are none ---- */

/* A context that predicts already, and what it predicts. */
struct witness {
    spry_context *context;
    struct built csr;
    struct ranking before;
};

/* With a profile of its own, or the library's. */
static struct witness witness_new(bool own) {
    struct witness witness = {.context = test_context(2)};
    witness.csr = csr_of(witness.context, "power law", SPRY_F64, SPRY_I32);
    if (own)
        load_prices(witness.context);
    witness.before = ranking_of(witness.context, witness.csr.matrix, NULL);
    return witness;
}

static void witness_free(struct witness *witness) {
    built_free(&witness->csr);
    spry_context_destroy(witness->context);
}

/* The file is refused, with these words, and predictions are what they were. */
static void expect_refused(const struct witness *witness, const char *name, spry_status expected,
                           const char *words) {
    cr_expect_eq(spry_load_profile(witness->context, name), expected, "\"%s\" expected: %s", words,
                 spry_message(witness->context));
    cr_expect(strstr(spry_message(witness->context), words), "\"%s\" expected: %s", words,
              spry_message(witness->context));
    struct ranking after = ranking_of(witness->context, witness->csr.matrix, NULL);
    for (int i = 0; i < SPRY_FORMAT_COUNT; i++) {
        cr_expect_eq(after.choice[i].format, witness->before.choice[i].format, "%s", words);
        cr_expect_eq(after.choice[i].seconds, witness->before.choice[i].seconds, "%s", words);
        cr_expect_eq(after.choice[i].convert_seconds, witness->before.choice[i].convert_seconds, "%s", words);
    }
}

static void expect_text_refused(const struct witness *witness, const void *text, size_t size,
                                const char *words) {
    put_file(test_path, text, size);
    expect_refused(witness, test_path, SPRY_ERROR_SYNTAX, words);
    cr_expect(strstr(spry_message(witness->context), test_path), "%s", spry_message(witness->context));
}

/* Two objects of a profile, one of which is wrong, and words of the message. */
struct faulty {
    const char *kernels, *conversions, *words;
};

static const struct faulty faults[] = {
    {"{'f64': {'csr': {'steps': 1, 'stepps': 1}}}", "{}", "stepps"},
    {"{'f64': {'csr': {'steps': -1e-300}}}", "{}", "steps"},
    {"{'f64': {'csr': {'steps': '1'}}}", "{}", "steps"},
    {"{'f64': {'csr': {'steps': null}}}", "{}", "steps"},
    {"{'f64': {'csr': {'steps': true}}}", "{}", "steps"},
    {"{'f64': {'csr': {'steps': [1]}}}", "{}", "steps"},
    {"{'f64': {'csr': {'steps': 1e999}}}", "{}", "/file:2:"},
    {"{'f64': {'csr': {'steps': NaN}}}", "{}", "/file:2:"},
    {"{'f64': {'csr': {'steps': 1, 'steps': 1}}}", "{}", "duplicate"},
    {"{'f64': {'csr': {}, 'csr': {}}}", "{}", "duplicate"},
    {"{'f64': {'': {'steps': 1}}}", "{}", "letters"},
    {"{'f64': {'csr_567890123456789012345678901234567890123456789012345678901234': {}}}", "{}", "letters"},
    {"{'f64': {'csr': 1}}", "{}", "csr"},
    {"{'f64': {'csr': []}}", "{}", "csr"},
    {"{'f64': 1}", "{}", "f64"},
    {"{'f16': {'csr': {}}}", "{}", "f16"},
    {"{'csr': {'steps': 1}}", "{}", "csr"},
    {"[]", "{}", "object"},
    {"null", "{}", "object"},
    {"{}", "[]", "object"},
    {"{}", "{'crs': {}}", "crs"},
    {"{}", "{'auto': {}}", "auto"},
    {"{}", "{'ell': {'entries': 1}}", "entries"},
    {"{}", "{'ell': {'rows': -1}}", "rows"},
    {"{}", "{'ell': 7}", "ell"},
    {"{}", "{}, 'colour': 1", "colour"},
    {"{}", "{}, 'kernels': {}", "duplicate"},
    {"{}", "{}}}", "/file:3:"},
    {"{}", "{", "/file:3:"},
};

Test(profile, faults_of_objects) {
    for (int own = 0; own < 2; own++) {
        struct witness witness = witness_new(own);
        for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
            struct text text = profile_with(faults[i].kernels, faults[i].conversions);
            expect_text_refused(&witness, text.chars, text.length, faults[i].words);
            free(text.chars);
        }
        witness_free(&witness);
    }
}

/* Whole texts, and words of the message. The backend of "%s" is the one under test. */
static const char *const whole[][2] = {
    {"", ":1:0: expected a machine profile (JSON)"},
    {"[]", "not a machine profile"},
    {"7", "expected a machine profile (JSON)"},
    {"{}", "not a machine profile"},
    {"{'machine': 'm'", ":1:"},
    {"{'machine': 'm',\n 'backend' '%s'}", "/file:2:"},
    {"{'backend': '%s', 'processors': 2, 'memory_gbs': 1, 'kernels': {}, 'conversions': {}}", "machine"},
    {"{'machine': 'm', 'processors': 2, 'memory_gbs': 1, 'kernels': {}, 'conversions': {}}", "backend"},
    {"{'machine': 'm', 'backend': '%s', 'memory_gbs': 1, 'kernels': {}, 'conversions': {}}", "processors"},
    {"{'machine': 'm', 'backend': '%s', 'processors': 2, 'kernels': {}, 'conversions': {}}", "memory_gbs"},
    {"{'machine': 'm', 'backend': '%s', 'processors': 2, 'memory_gbs': 1, 'conversions': {}}", "kernels"},
    {"{'machine': 'm', 'backend': '%s', 'processors': 2, 'memory_gbs': 1, 'kernels': {}}", "conversions"},
    {"{'machine': 7, 'backend': '%s', 'processors': 2, 'memory_gbs': 1, 'kernels': {}, 'conversions': {}}",
     "string"},
    {"{'machine': 'm', 'backend': 'abacus', 'processors': 2, 'memory_gbs': 1, 'kernels': {}, 'conversions': "
     "{}}",
     "abacus"},
    {"{'machine': 'm', 'backend': '%s', 'processors': 0, 'memory_gbs': 1, 'kernels': {}, 'conversions': {}}",
     "over 0"},
    {"{'machine': 'm', 'backend': '%s', 'processors': 2.5, 'memory_gbs': 1, 'kernels': {}, 'conversions': "
     "{}}",
     "integer"},
    {"{'machine': 'm', 'backend': '%s', 'processors': 2, 'memory_gbs': 0, 'kernels': {}, 'conversions': {}}",
     "over 0"},
    {"{'machine': 'm', 'backend': '%s', 'processors': 2, 'memory_gbs': '1', 'kernels': {}, 'conversions': "
     "{}}",
     "real"},
};

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
Test(profile, faults_of_texts) {
    struct witness witness = witness_new(true);
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++) {
        struct text text;
        text_open(&text);
        fprintf(text.stream, whole[i][0], spry_backend_name(test_backend()));
        text_close(&text);
        expect_text_refused(&witness, text.chars, text.length, whole[i][1]);
        free(text.chars);
    }
    witness_free(&witness);
}
#pragma GCC diagnostic pop

Test(profile, of_another_backend) {
    struct witness witness = witness_new(true);
    for (int backend = 0; backend < SPRY_BACKEND_COUNT; backend++) {
        const char *name = spry_backend_name((spry_backend)backend);
        struct text text;
        text_open(&text);
        fprintf(text.stream,
                "{'machine': 'm', 'backend': '%s', 'processors': 2, 'memory_gbs': 1, 'kernels': {}, "
                "'conversions': {}}",
                name);
        text_close(&text);
        if (backend != (int)test_backend())
            expect_text_refused(&witness, text.chars, text.length, name);
        free(text.chars);
    }
    witness_free(&witness);
}

/* Far more kernels than the library has, and each is kept: what the context writes names all. */
Test(profile, many_kernels) {
    enum { MANY = 3000 };
    struct witness witness = witness_new(true);
    struct text kernels;
    text_open(&kernels);
    for (int i = 0; i < MANY; i++)
        fprintf(kernels.stream, "%s'csr_5678901234567890123456789012345%04d': {'steps': %d}",
                i == 0   ? "{'f32': {"
                : i == 9 ? "}, 'f64': {"
                         : ",",
                i, i + 1);
    fputs("}}", kernels.stream);
    text_close(&kernels);
    struct text text = profile_with(kernels.chars, "{}");
    put_file(test_path, text.chars, text.length);
    cr_expect_eq(spry_load_profile(witness.context, test_path), SPRY_OK, "%s", spry_message(witness.context));
    size_t size = (size_t)MANY * 100;
    char *draft = malloc(size);
    cr_assert_eq(spry_draft_profile(witness.context, draft, size), SPRY_OK, "%s",
                 spry_message(witness.context));
    for (int i = 0; i < MANY; i++) {
        char name[64];
        snprintf(name, sizeof name, "\"csr_5678901234567890123456789012345%04d\"", i);
        cr_expect(strstr(draft, name), "%s", name);
    }
    free(draft);
    load_prices(witness.context);
    free(text.chars);
    free(kernels.chars);
    witness_free(&witness);
}

Test(profile, large_and_strange_files) {
    enum { LARGE = 2 << 20, DEEP = 100000, JUNK = 5000 };
    struct witness witness = witness_new(true);
    char *bytes = test_malloc(LARGE);
    uint64_t seed = 31;
    memset(bytes, ' ', LARGE);
    expect_text_refused(&witness, bytes, LARGE, "too large");
    memset(bytes, '[', DEEP);
    expect_text_refused(&witness, bytes, DEEP, ":1:");
    for (int i = 0; i < JUNK; i++)
        bytes[i] = (char)test_random(&seed);
    expect_text_refused(&witness, bytes, JUNK, ":1:");
    memset(bytes, 0, JUNK);
    expect_text_refused(&witness, bytes, JUNK, ":1:");
    free(bytes);
    witness_free(&witness);
}

Test(profile, no_file) {
    struct witness witness = witness_new(true);
    unlink(test_path);
    expect_refused(&witness, test_path, SPRY_ERROR_IO, test_path);
    expect_refused(&witness, "", SPRY_ERROR_IO, "");
    expect_refused(&witness, test_folder, SPRY_ERROR_IO, test_folder);
    cr_expect_eq(spry_load_profile(NULL, test_path), SPRY_ERROR_ARGUMENT);
    witness_free(&witness);
}

/* ---- the standard file ---- */

static void expect_path(spry_context *context, const char *expected) {
    char standard[200];
    cr_expect_eq(spry_profile_path(context, standard, sizeof standard), SPRY_OK, "%s", spry_message(context));
    cr_expect_str_eq(standard, expected);
    cr_expect_eq(spry_profile_path(context, standard, strlen(expected)), SPRY_ERROR_IO);
    cr_expect_eq(spry_profile_path(context, standard, strlen(expected) + 1), SPRY_OK);
    cr_expect_str_eq(standard, expected);
}

/* What this machine is called in profiles. */
static void get_machine(spry_context *context, char *machine) {
    char *text = draft_of(context);
    cr_assert_eq(sscanf(text, "{ \"machine\": \"%127[^\"]", machine), 1, "%s", text);
    free(text);
}

/* The folder is $XDG_CONFIG_HOME, else .config in $HOME. */
static void check_standard_file(spry_context *context, const char *config) {
    char inner[150], standard[200], machine[128];
    get_machine(context, machine);
    struct text text = profile_of(machine, "{'f64': {'csr': {}}}", "{}");
    cr_assert(strcmp(config, test_folder) == 0 || mkdir(config, 0700) == 0);
    snprintf(inner, sizeof inner, "%s/spry", config);
    cr_assert_eq(mkdir(inner, 0700), 0);
    snprintf(standard, sizeof standard, "%s/%s.json", inner, spry_backend_name(test_backend()));
    expect_path(context, standard);
    cr_expect_eq(spry_load_profile(context, NULL), SPRY_ERROR_IO);
    put_file(standard, text.chars, text.length);
    cr_expect_eq(spry_load_profile(context, NULL), SPRY_OK, "%s", spry_message(context));
    cr_expect_str_eq(spry_profile_machine(context), machine);
    put_file(standard, "{", 1);
    cr_expect_eq(spry_load_profile(context, NULL), SPRY_ERROR_SYNTAX);
    cr_expect(strstr(spry_message(context), standard), "%s", spry_message(context));
    free(text.chars);
    unlink(standard);
    rmdir(inner);
    cr_expect(strcmp(config, test_folder) == 0 || rmdir(config) == 0);
}

Test(profile, standard_file) {
    char config[120];
    spry_context *context = test_context(2);
    snprintf(config, sizeof config, "%s/.config", test_folder);
    setenv("HOME", "/nowhere", 1);
    setenv("XDG_CONFIG_HOME", test_folder, 1);
    check_standard_file(context, test_folder);
    setenv("HOME", test_folder, 1);
    setenv("XDG_CONFIG_HOME", "", 1);
    check_standard_file(context, config);
    unsetenv("XDG_CONFIG_HOME");
    check_standard_file(context, config);
    unsetenv("HOME");
    cr_expect_eq(spry_load_profile(context, NULL), SPRY_ERROR_IO);
    cr_expect(strstr(spry_message(context), "HOME"), "%s", spry_message(context));
    spry_context_destroy(context);
}

/* In a home folder that machines share. The file is taken where it is asked for by name. */
Test(profile, standard_file_of_another_machine) {
    char inner[150], standard[200];
    struct witness witness = witness_new(true);
    struct text text = profile_with("{'f64': {'csr': {'start': 1}}}", "{}");
    setenv("XDG_CONFIG_HOME", test_folder, 1);
    snprintf(inner, sizeof inner, "%s/spry", test_folder);
    snprintf(standard, sizeof standard, "%s/%s.json", inner, spry_backend_name(test_backend()));
    cr_assert_eq(mkdir(inner, 0700), 0);
    put_file(standard, text.chars, text.length);
    expect_refused(&witness, NULL, SPRY_ERROR_UNSUPPORTED, "this machine is");
    cr_expect(strstr(spry_message(witness.context), "'a test'"), "%s", spry_message(witness.context));
    cr_expect_eq(spry_load_profile(witness.context, standard), SPRY_OK, "%s", spry_message(witness.context));
    free(text.chars);
    unlink(standard);
    rmdir(inner);
    witness_free(&witness);
}
