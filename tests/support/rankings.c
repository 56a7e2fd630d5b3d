/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rankings.h"
#include "scenarios.h"

/* Rankings that tests made, which stay until they end. */
static spry_ranking **handles;
static size_t handle_count;

void end_rankings(void) {
    for (size_t i = 0; i < handle_count; i++)
        spry_ranking_destroy(handles[i]);
    free(handles);
    handles = NULL;
    handle_count = 0;
}

struct built csr_of(spry_context *context, const char *scenario, spry_value_type type,
                    spry_index_type index) {
    struct list list = test_scenario(scenario)->make();
    struct built csr = built_of(context, &list, SPRY_CSR, type, index);
    list_free(&list);
    return csr;
}

struct ranking ranking_of(spry_context *context, const spry_matrix *csr, const spry_select_options *options) {
    spry_ranking *made;
    cr_assert_eq(spry_select(context, csr, options, &made), SPRY_OK, "%s", spry_message(context));
    cr_assert(spry_ranking_count(made) >= SPRY_FORMAT_COUNT && spry_ranking_count(made) <= PLACES_MOST);
    struct ranking ranking = {.statistics = *spry_ranking_statistics(made),
                              .products = spry_ranking_products(made),
                              .measured = spry_ranking_measured(made),
                              .count = spry_ranking_count(made),
                              .handle = made};
    for (int i = 0; i < ranking.count; i++)
        ranking.choice[i] = *spry_ranking_choice(made, i);
    handles = realloc(handles, (handle_count + 1) * sizeof(spry_ranking *));
    cr_assert(handles);
    handles[handle_count++] = made;
    return ranking;
}

const spry_choice *choice_of(const struct ranking *ranking, spry_format format) {
    for (int i = 0; i < ranking->count; i++)
        if (ranking->choice[i].format == format && ranking->choice[i].storage.values == SPRY_VALUES_PLAIN)
            return &ranking->choice[i];
    cr_assert_fail("%s is not in the ranking", spry_format_name(format));
    return NULL;
}

bool is_there(const spry_choice *choice) {
    return choice->format == SPRY_CSR && choice->storage.values == SPRY_VALUES_PLAIN;
}

const spry_choice *choice_like(const struct ranking *ranking, const spry_choice *choice) {
    for (int i = 0; i < ranking->count; i++)
        if (memcmp(&ranking->choice[i].storage, &choice->storage, sizeof choice->storage) == 0)
            return &ranking->choice[i];
    cr_assert_fail("%s, in this storage, is not in the ranking", spry_format_name(choice->format));
    return NULL;
}

double amount_of(const spry_choice *choice, const char *term) {
    int i = 0;
    while (strcmp(spry_term_name(i), term) != 0)
        i++;
    return choice->amount[i];
}

double total_of(const spry_choice *choice, double products) {
    double seconds = choice->measured_seconds > 0 ? choice->measured_seconds : choice->seconds;
    return isinf(products) ? seconds : products * seconds + choice->convert_seconds;
}

bool are_close(double a, double b) {
    return fabs(a - b) <= 1e-12 * fabs(b);
}
