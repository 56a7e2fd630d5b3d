/* SPDX-License-Identifier: BSD-3-Clause */
/* Prices that are fitted to times: what ranks wrongly is put right, and what nothing was measured of stays. */
#include <math.h>

#include "spbench/fit.h"
#include "support/check.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
/* As for prices of another machine. */
#define NEARNESS 3e-3

static bool near(double a, double b, double part) {
    return fabs(a / b - 1) < part;
}

/* Each alone in its contest, their times made of two prices. */
static void test_prices_are_found(void) {
    const double truth[] = {2e-6, 3e-9};
    double price[1][FIT_TERMS] = {{1e-6, 4e-9, 5.0}};
    struct sample samples[24] = {{.name = "only"}};
    for (int i = 0; i < (int)COUNT(samples); i++) {
        samples[i] = (struct sample){
            .name = "only", .contest = i, .heat = i, .amount = {1 + i % 3, 100.0 * pow(1.5, i)}};
        samples[i].seconds = samples[i].amount[0] * truth[0] + samples[i].amount[1] * truth[1];
    }
    check(fit_prices(samples, COUNT(samples), NULL, NEARNESS, price, 1), "there is memory");
    for (int i = 0; i < (int)COUNT(samples); i++)
        check(near(fit_predict(&samples[i], price[0]), samples[i].seconds, 0.1),
              "times are predicted to a tenth");
    check(price[0][2] == 5.0, "a term that no sample has keeps its price");
}

/* Of two kernels one costs by rows and one by entries, and prices to begin with prefer the wrong one everywhere. */
static void test_ranking_is_put_right(void) {
    double price[2][FIT_TERMS] = {{10e-9, 0}, {0, 1e-9}};
    struct sample samples[2 * 12] = {{.name = "rows"}};
    for (int i = 0; i < 12; i++) {
        const double rows = 1000 * (1 + i % 4), entries = rows * (1 + i);
        samples[2 * i] = (struct sample){"rows", 0, i, 2 * i, {rows, 0}, 4e-9 * rows, 0};
        samples[2 * i + 1] = (struct sample){"entries", 1, i, 2 * i + 1, {0, entries}, 0.9e-9 * entries, 0};
    }
    check(fit_prices(samples, COUNT(samples), NULL, NEARNESS, price, 2), "there is memory");
    for (int i = 0; i < 12; i++) {
        const struct sample *a = &samples[2 * i], *b = a + 1;
        const bool first = fit_predict(a, price[0]) < fit_predict(b, price[1]);
        check(first == (a->seconds < b->seconds), "the faster one is predicted to be faster");
    }
    check(price[0][0] > 0 && price[1][1] > 0, "prices are over zero");
}

/* Times that a price below the least would tell best. */
static void test_a_price_has_a_least(void) {
    const double least[FIT_TERMS] = {0, 3e-9};
    double price[1][FIT_TERMS] = {{1e-6, 1e-9}};
    struct sample samples[12] = {{.name = "only"}};
    for (int i = 0; i < (int)COUNT(samples); i++)
        samples[i] = (struct sample){"only", 0, i, i, {1, 1000.0 * (1 + i)}, 1e-6 + 1e-6 * (1 + i), 0};
    check(fit_prices(samples, COUNT(samples), least, NEARNESS, price, 1), "there is memory");
    check(near(price[0][1], least[1], 1e-9), "the price is the least");
    check(price[0][0] < 1e-6, "the others make up for it");
}

/* Two kernels of one storage, neither of them ever the fastest of all: one takes a steady time, the other half of it in most
   contests and four times as much in the rest. Its times are best told by a price that lets it win, and that costs more. */
static void test_heats_count(void) {
    double price[3][FIT_TERMS] = {{0.1e-9}, {2e-9}, {1.9e-9}};
    struct sample samples[3 * 20];
    for (int i = 0; i < 20; i++) {
        const double entries = 1000 * (1 + i);
        samples[3 * i] = (struct sample){"fastest", 0, i, 2 * i, {entries}, 0.1e-9 * entries, 0};
        samples[3 * i + 1] = (struct sample){"steady", 1, i, 2 * i + 1, {entries}, 2e-9 * entries, 0};
        samples[3 * i + 2] =
            (struct sample){"other", 2, i, 2 * i + 1, {entries}, (i % 5 < 3 ? 1e-9 : 8e-9) * entries, 0};
    }
    check(fit_prices(samples, COUNT(samples), NULL, NEARNESS, price, 3), "there is memory");
    check(price[0][0] < price[1][0], "the fastest of all is foreseen");
    check(price[1][0] < price[2][0], "of one storage's kernels that is taken which costs the least");
}

/* A price of nothing may grow where the samples have the term; nothing becomes infinite where they have none. */
static void test_without_a_price(void) {
    double price[2][FIT_TERMS] = {{0}, {0}};
    struct sample samples[8] = {{.name = "new"}};
    for (int i = 0; i < 8; i++)
        samples[i] = (struct sample){"new", 0, i, i, {i < 7 ? 10.0 * (i + 1) : 0}, 1e-6 * (i + 1), 0};
    check(fit_prices(samples, COUNT(samples), NULL, NEARNESS, price, 2), "there is memory");
    check(near(price[0][0], 1e-7, 0.3), "a term without a price gets one");
    for (int j = 1; j < FIT_TERMS; j++)
        check(price[0][j] == 0 && price[1][j] == 0, "what nothing was measured of stays");
}

/* A price that little is measured of stays about where it was. */
static void test_with_a_rare_term(void) {
    double price[1][FIT_TERMS] = {{1e-7, 1e-9}};
    struct sample samples[8];
    for (int i = 0; i < 8; i++)
        samples[i] = (struct sample){"rare", 0, i, i, {10.0 * (i + 1), i == 3}, 1e-6 * (i + 1), 0};
    check(fit_prices(samples, COUNT(samples), NULL, NEARNESS, price, 1), "there is memory");
    check(near(price[0][1], 1e-9, 0.1), "a price that little is measured of stays");
}

/* What is to stay near moves less. */
static void test_nearness(void) {
    double free[1][FIT_TERMS] = {{1e-9}}, held[1][FIT_TERMS] = {{1e-9}};
    struct sample samples[8];
    for (int i = 0; i < 8; i++)
        samples[i] = (struct sample){"only", 0, i, i, {1000.0 * (i + 1)}, 2e-6 * (i + 1), 0};
    check(fit_prices(samples, COUNT(samples), NULL, NEARNESS, free, 1), "there is memory");
    check(fit_prices(samples, COUNT(samples), NULL, 1000 * NEARNESS, held, 1), "there is memory");
    check(near(free[0][0], 2e-9, 0.1), "a price follows the times");
    check(held[0][0] > 1e-9 && held[0][0] < 1.5e-9, "one that is held follows them less");
}

int main(void) {
    test_prices_are_found();
    test_nearness();
    test_ranking_is_put_right();
    test_a_price_has_a_least();
    test_heats_count();
    test_without_a_price();
    test_with_a_rare_term();
    return failures > 0;
}
