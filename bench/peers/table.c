/* SPDX-License-Identifier: BSD-3-Clause */
#include "peers/output.h"

#include <inttypes.h>
#include <stdio.h>

#include "common/number.h"

#define NAME_WIDTH 22
#define CELL_WIDTH 10

static void print_peer(const struct peer *peer, int threads) {
    const int used = peer->one_thread ? 1 : threads;
    int v[3] = {0};
    peer->version(v);
    printf("  %-*s %d.%d.%d, %s, %d thread%s\n", CELL_WIDTH, peer->name, v[0], v[1], v[2], peer->call, used,
           number_plural(used));
}

void table_head(const struct lineup *lineup, const struct setting *setting) {
    printf("y = A%s x, %s, %s, %d threads; median of %d rounds, each about %g ms of products\n",
           setting->product.op == SPRY_T ? "'" : "", spry_type_name(setting->product.type), setting->cpu,
           setting->threads, setting->rules.rounds, 1e3 * setting->rules.block);
    for (int i = 0; i < lineup->count; i++)
        if (!peer_is_spry(lineup->peer[i]))
            print_peer(lineup->peer[i], setting->threads);
    for (int i = 0; i < lineup->absences; i++)
        printf("  %-*s absent: %s\n", CELL_WIDTH, lineup->absence[i].name, lineup->absence[i].reason);

    printf(
        "\nMicroseconds of one product. ! wrong result, - not run, ~ too small to count (nonzeros <= %" PRId64
        ").\n\"open\": the fastest open-source peer; \"gain\": its time over that of Spry's fastest "
        "format.\n\n",
        setting->min_nnz);
    printf("  %-*s%12s", NAME_WIDTH, "matrix", "nonzeros");
    for (int i = 0; i < lineup->count; i++)
        printf("%*s ", CELL_WIDTH, lineup->peer[i]->name);
    printf("%*s %6s %6s\n", CELL_WIDTH, "open", "spry", "gain");
    fflush(stdout);
}

static void print_cell(const struct outcome *outcome) {
    if (outcome->status == OUTCOME_FAILED)
        printf("%*s ", CELL_WIDTH, "-");
    else
        printf("%*s%c", CELL_WIDTH, number_short(1e6 * outcome->time.median).text,
               outcome->status == OUTCOME_WRONG ? '!' : ' ');
}

void table_row(const struct lineup *lineup, const struct contest *contest) {
    int spry = contest_best(contest, lineup, PEER_SPRY), open = contest_best(contest, lineup, PEER_OPEN);
    printf("%c %-*.*s%12s", contest->counted ? ' ' : '~', NAME_WIDTH, NAME_WIDTH, contest->name,
           number_count(contest->nnz).text);
    for (int i = 0; i < lineup->count; i++)
        print_cell(&contest->outcome[i]);
    printf("%*s %6s", CELL_WIDTH, open < 0 ? "-" : lineup->peer[open]->name,
           spry < 0 ? "-" : lineup->peer[spry]->name);
    if (open >= 0 && spry >= 0)
        printf(" %6.2f", contest->outcome[open].time.median / contest->outcome[spry].time.median);
    putchar('\n');
    fflush(stdout);
}

static void print_ratios(const struct ratios *ratios) {
    if (ratios->count > 0)
        printf("   %6.3f (%.2f to %.2f, %d)  %-*.*s", ratios->mean, ratios->least, ratios->most,
               ratios->count, NAME_WIDTH, NAME_WIDTH, ratios->least_at);
    else
        printf("   no matrix");
}

void table_standings(const struct lineup *lineup, const struct standings *standings) {
    printf("\nTime of a peer over time of Spry, geometric mean over %d matrices (least to most, matrices), "
           "and where "
           "it is least\n  %-*s   %-*s %-*s %s\n",
           standings->matrices, CELL_WIDTH, "", 26 + NAME_WIDTH, "Spry's CSR", 27 + NAME_WIDTH,
           "Spry's fastest format", "Spry's choice");
    for (int i = 0; i < standings->rows; i++) {
        printf("  %-*s", CELL_WIDTH, standings->row[i].against);
        print_ratios(&standings->row[i].csr);
        print_ratios(&standings->row[i].best);
        print_ratios(&standings->row[i].choice);
        putchar('\n');
    }
    printf("\nSpry's fastest format:");
    for (int i = 0; i < lineup->count; i++)
        if (lineup->peer[i]->kind == PEER_SPRY)
            printf(" %s %d", lineup->peer[i]->name, standings->fastest[i]);
    printf("\nQuartiles of the rounds apart by %.1f %% of the median, typically\n",
           100.0 * standings->quartiles);
}
