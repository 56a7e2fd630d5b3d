/* SPDX-License-Identifier: BSD-3-Clause */
/* Rankings: what their places are ordered by, and what callers see of them. */
#include <math.h>
#include <string.h>

#include "select/select.h"

double spry_choice_seconds(const spry_choice *choice) {
    return choice->measured_seconds > 0 ? choice->measured_seconds : choice->seconds;
}

const spry_choice *spry_choice_of_csr(const spry_ranking *ranking) {
    const spry_choice *choice = ranking->choice;
    while (!spry_is_hub(&choice->storage))
        choice++;
    return choice;
}

bool spry_is_passable(spry_status status) {
    return status == SPRY_ERROR_TOO_LARGE || status == SPRY_ERROR_MEMORY || status == SPRY_ERROR_OVERFLOW ||
           status == SPRY_ERROR_UNSUPPORTED;
}

double spry_choice_total(const spry_choice *choice, double products) {
    return isinf(products) ? spry_choice_seconds(choice)
                           : spry_choice_seconds(choice) * products + choice->convert_seconds;
}

/* Whether one belongs before the other. In a tie, which is what there is without nonzeros, CSR goes first. */
static bool is_better(const spry_choice *a, const spry_choice *b, const spry_ranking *ranking) {
    if (a->possible != b->possible)
        return a->possible;
    if (ranking->measured && (a->measured_seconds > 0) != (b->measured_seconds > 0))
        return a->measured_seconds > 0;
    double first = spry_choice_total(a, ranking->products), second = spry_choice_total(b, ranking->products);
    return first < second || (first == second && spry_is_hub(&a->storage));
}

static void sort(spry_ranking *ranking) {
    spry_choice *choice = ranking->choice;
    for (int i = 1; i < ranking->count; i++) {
        const spry_choice next = choice[i];
        int place = i;
        while (place > 0 && is_better(&next, &choice[place - 1], ranking))
            place--;
        memmove(&choice[place + 1], &choice[place], (size_t)(i - place) * sizeof *choice);
        choice[place] = next;
    }
}

/* After how many products a format has saved what it took to make it. */
static void find_paybacks(spry_ranking *ranking) {
    double csr = spry_choice_seconds(spry_choice_of_csr(ranking));
    for (int i = 0; i < ranking->count; i++) {
        spry_choice *choice = &ranking->choice[i];
        double saved = csr - spry_choice_seconds(choice);
        choice->pays_back_after = spry_is_hub(&choice->storage) ? 0
                                  : saved > 0                   ? ceil(choice->convert_seconds / saved)
                                                                : INFINITY;
    }
}

void spry_ranking_order(spry_ranking *ranking) {
    find_paybacks(ranking);
    sort(ranking);
}

/* ---- what callers see of it ---- */

void spry_ranking_destroy(spry_ranking *ranking) {
    if (!ranking)
        return;
    spry_allocator allocator = ranking->allocator;
    spry_release(&allocator, ranking, 1, sizeof *ranking);
}

int spry_ranking_count(const spry_ranking *ranking) {
    return ranking ? ranking->count : 0;
}

const spry_choice *spry_ranking_choice(const spry_ranking *ranking, int place) {
    return place >= 0 && place < spry_ranking_count(ranking) ? &ranking->choice[place] : NULL;
}

const spry_statistics *spry_ranking_statistics(const spry_ranking *ranking) {
    return ranking ? &ranking->statistics : NULL;
}

double spry_ranking_products(const spry_ranking *ranking) {
    return ranking ? ranking->products : 0;
}

int spry_ranking_measured(const spry_ranking *ranking) {
    return ranking && ranking->measured;
}
