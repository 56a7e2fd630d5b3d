/* SPDX-License-Identifier: BSD-3-Clause */
#include "peers/output.h"

#include <errno.h>

#include "common/json.h"

static const char *const kind_name[] = {"spry", "choice", "open", "closed"};
static const char *const status_name[] = {"ok", "wrong", "failed"};

static json_t *peer_object(const struct peer *peer, int threads) {
    json_t *object = json_pack("{s:s, s:s, s:s, s:i}", "name", peer->name, "kind", kind_name[peer->kind],
                               "call", peer->call, "threads", peer->one_thread ? 1 : threads);
    if (peer->version) {
        int v[3] = {0};
        peer->version(v);
        json_object_set_new(object, "version", json_sprintf("%d.%d.%d", v[0], v[1], v[2]));
    }
    return object;
}

static json_t *lineup_array(const struct lineup *lineup, int threads) {
    json_t *array = json_array();
    for (int i = 0; i < lineup->count; i++)
        json_array_append_new(array, peer_object(lineup->peer[i], threads));
    return array;
}

static json_t *absences_array(const struct lineup *lineup) {
    json_t *array = json_array();
    for (int i = 0; i < lineup->absences; i++)
        json_array_append_new(array, json_pack("{s:s, s:s}", "name", lineup->absence[i].name, "reason",
                                               lineup->absence[i].reason));
    return array;
}

static json_t *outcome_object(const struct peer *peer, const struct outcome *outcome) {
    json_t *object = json_pack("{s:s, s:s, s:s}", "name", peer->name, "status", status_name[outcome->status],
                               "message", outcome->message);
    if (outcome->status != OUTCOME_FAILED)
        json_object_update_new(object, json_pack("{s:{s:f, s:f, s:f}, s:f, s:f, s:o}", "time_us", "median",
                                                 1e6 * outcome->time.median, "min", 1e6 * outcome->time.min,
                                                 "max", 1e6 * outcome->time.max, "quartiles",
                                                 outcome->quartiles, "prepare_us", 1e6 * outcome->prepare,
                                                 "error", json_number(outcome->error)));
    return object;
}

static json_t *contest_object(const struct lineup *lineup, const struct contest *contest) {
    json_t *results = json_array();
    for (int i = 0; i < lineup->count; i++)
        json_array_append_new(results, outcome_object(lineup->peer[i], &contest->outcome[i]));
    return json_pack("{s:o, s:I, s:I, s:I, s:b, s:o}", "matrix", json_text(contest->name), "rows",
                     (json_int_t)contest->rows, "cols", (json_int_t)contest->cols, "nnz",
                     (json_int_t)contest->nnz, "counted", (int)contest->counted, "results", results);
}

static json_t *ratios_object(const struct ratios *ratios) {
    if (ratios->count == 0)
        return json_null();
    return json_pack("{s:f, s:f, s:f, s:o, s:i}", "mean", ratios->mean, "least", ratios->least, "most",
                     ratios->most, "least_at", json_text(ratios->least_at), "matrices", ratios->count);
}

static json_t *standings_array(const struct standings *standings) {
    json_t *array = json_array();
    for (int i = 0; i < standings->rows; i++) {
        const struct standing *row = &standings->row[i];
        json_array_append_new(array, json_pack("{s:s, s:o, s:o, s:o}", "against", row->against, "csr",
                                               ratios_object(&row->csr), "best", ratios_object(&row->best),
                                               "choice", ratios_object(&row->choice)));
    }
    return array;
}

int json_write(const char *path, const struct setting *setting, const struct lineup *lineup,
               const struct contest *contests, int count, const struct standings *standings) {
    json_t *matrices = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(matrices, contest_object(lineup, &contests[i]));
    json_t *root =
        json_pack("{s:{s:s, s:i}, s:s, s:s, s:I, s:i, s:f, s:o, s:o, s:o, s:o, s:f}", "machine", "cpu",
                  setting->cpu, "threads", setting->threads, "type", spry_type_name(setting->product.type),
                  "op", setting->product.op == SPRY_T ? "T" : "N", "min_nnz", (json_int_t)setting->min_nnz,
                  "rounds", setting->rules.rounds, "block_ms", 1e3 * setting->rules.block, "lineup",
                  lineup_array(lineup, setting->threads), "absent", absences_array(lineup), "matrices",
                  matrices, "standings", standings_array(standings), "quartiles", standings->quartiles);
    errno = root ? 0 : ENOMEM;
    int status = root ? json_dump_file(root, path, JSON_INDENT(1)) : -1;
    json_decref(root);
    return status;
}
