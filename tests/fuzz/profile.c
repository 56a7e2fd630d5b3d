/* SPDX-License-Identifier: BSD-3-Clause */
/* The input is a profile. One that is accepted ranks the formats of a matrix without a number that is none, and each
   place has its sentence; one that is refused leaves the context what it had. */
#include <math.h>
#include <string.h>

#include "../support/scenarios.h"
#include "fuzz.h"

static const spry_matrix *example(spry_context *context) {
    static struct built built;
    if (!built.matrix) {
        struct list list = test_scenario("empty rows")->make();
        MUST(!build(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32, CONVERTED, &built), "%s",
             spry_message(context));
        list_free(&list);
    }
    return built.matrix;
}

static void check_choice(const spry_ranking *ranking, int place) {
    const spry_choice *choice = spry_ranking_choice(ranking, place);
    char text[600];
    MUST((unsigned)choice->format < SPRY_FORMAT_COUNT, "format %d", (int)choice->format);
    MUST(!choice->possible || (choice->seconds >= 0 && choice->convert_seconds >= 0),
         "%s takes %g s, its conversion %g", spry_format_name(choice->format), choice->seconds,
         choice->convert_seconds);
    for (size_t size = sizeof text; size; size /= 2) {
        memset(text, '#', sizeof text);
        spry_explain(ranking, place, text, size);
        MUST(memchr(text, '\0', size), "place %d: no end within %zu bytes", place, size);
        for (size_t i = size; i < sizeof text; i++)
            MUST(text[i] == '#', "place %d: wrote past %zu bytes", place, size);
    }
}

static void rank(spry_context *context, double products) {
    spry_select_options options = {.size = sizeof options, .products = products};
    spry_ranking *ranking;
    spry_status status = spry_select(context, example(context), &options, &ranking);
    MUST(!status || status == SPRY_ERROR_UNSUPPORTED, "%s", spry_message(context));
    MUST(status ? spry_ranking_count(ranking) == 0 : spry_ranking_count(ranking) >= SPRY_FORMAT_COUNT,
         "%d places", spry_ranking_count(ranking));
    for (int place = 0; place < spry_ranking_count(ranking); place++)
        check_choice(ranking, place);
    spry_ranking_destroy(ranking);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    spry_context *context = fuzz_context(1);
    const struct memory_file *file = memory_file(1, data, size);
    const char *machine = spry_profile_machine(context);
    MUST(machine, "%s", spry_message(context));
    char before[256];
    strncpy(before, machine, sizeof before - 1);
    before[sizeof before - 1] = '\0';
    spry_status status = spry_load_profile(context, file->path);
    MUST(!status || status == SPRY_ERROR_SYNTAX, "%s", spry_message(context));
    if (status) {
        MUST(strncmp(before, spry_profile_machine(context), sizeof before - 1) == 0, "the profile changed");
        return 0;
    }
    rank(context, 0);
    rank(context, 3);
    return 0;
}
