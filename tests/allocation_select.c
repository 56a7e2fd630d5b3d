/* SPDX-License-Identifier: BSD-3-Clause */
/* Every allocation of the choice of a format is refused once, in turn. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "support/refusals.h"

static spry_status from_csr(spry_context *context, const struct inputs *inputs, spry_format format,
                            spry_matrix **result) {
    return spry_convert(context, inputs->from[SPRY_CSR].matrix, format, NULL, result);
}

/* A file with a profile for the backend under test, which knows all formats. */
static char profile_path[] = "/tmp/spry_allocation_XXXXXX";

static void write_profile(void) {
    int number = mkstemp(profile_path);
    cr_assert_geq(number, 0);
    FILE *file = fdopen(number, "w");
    cr_assert(file);
    fprintf(
        file,
        "{\"machine\": \"m\", \"backend\": \"%s\", \"processors\": 2, \"memory_gbs\": 1, \"conversions\": {},"
        " \"kernels\": {\"f64\": {",
        spry_backend_name(test_backend()));
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        fprintf(file, "%s\"%s\": {\"start\": 1}", format ? ", " : "", spry_format_name((spry_format)format));
    fputs("}}}", file);
    cr_assert_eq(fclose(file), 0);
}

static spry_status load_profile(spry_context *context, const struct inputs *inputs, spry_format format,
                                spry_matrix **result) {
    (void)inputs, (void)format, (void)result;
    return spry_load_profile(context, profile_path);
}

/* By the profile that is loaded first, or the library's own. */
static spry_status rank(spry_context *context, const struct inputs *inputs, const char *path, int measure) {
    spry_select_options options = {.size = sizeof options, .measure = measure};
    spry_ranking *ranking = NULL;
    spry_status status = path ? spry_load_profile(context, path) : SPRY_OK;
    if (!status)
        status = spry_select(context, inputs->from[SPRY_CSR].matrix, &options, &ranking);
    spry_ranking_destroy(ranking);
    return status;
}

static spry_status predict(spry_context *context, const struct inputs *inputs, spry_format format,
                           spry_matrix **result) {
    (void)format, (void)result;
    return rank(context, inputs, NULL, 0);
}

static spry_status predict_by_profile(spry_context *context, const struct inputs *inputs, spry_format format,
                                      spry_matrix **result) {
    (void)format, (void)result;
    return rank(context, inputs, profile_path, 0);
}

static spry_status rank_measured(spry_context *context, const struct inputs *inputs, spry_format format,
                                 spry_matrix **result) {
    (void)format, (void)result;
    return rank(context, inputs, profile_path, SPRY_FORMAT_COUNT);
}

static spry_status convert_measured(spry_context *context, const struct inputs *inputs, spry_format format,
                                    spry_matrix **result) {
    static const spry_convert_options options = {.size = sizeof options, .measure = SPRY_FORMAT_COUNT};
    return spry_convert(context, inputs->from[SPRY_CSR].matrix, format, &options, result);
}

static spry_status draft_profile(spry_context *context, const struct inputs *inputs, spry_format format,
                                 spry_matrix **result) {
    static char text[65536];
    (void)inputs, (void)format, (void)result;
    return spry_draft_profile(context, text, sizeof text);
}

Test(allocation, choice) {
    check_once("choice", from_csr, SPRY_AUTO);
    check_once("measured choice", convert_measured, SPRY_AUTO);
}

Test(allocation, ranking) {
    write_profile();
    check_once("load profile", load_profile, SPRY_CSR);
    check_once("prediction", predict, SPRY_CSR);
    check_once("prediction by profile", predict_by_profile, SPRY_CSR);
    check_once("measured ranking", rank_measured, SPRY_AUTO);
    check_once("draft profile", draft_profile, SPRY_CSR);
    cr_expect_eq(unlink(profile_path), 0);
}
