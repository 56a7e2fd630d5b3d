/* SPDX-License-Identifier: BSD-3-Clause */
#include "spbench/comparison.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/glyphs.h"
#include "common/number.h"
#include "measuring/timing.h"

static bool is_same_text(const json_t *json, const json_t *other, const char *member) {
    return strcmp(record_text(json, member), record_text(other, member)) == 0;
}

/* ---- matrices ---- */

/* What its rows were measured with: all of them have the same. */
static const json_t *first_row(const struct record *record) {
    return json_array_get(json_object_get(record->json, "results"), 0);
}

/* The same matrix, as far as its name and its size tell, multiplied in the same way. */
static bool is_same_matrix(const struct record *record, const struct record *other) {
    const json_t *matrix = json_object_get(record->json, "matrix"),
                 *its = json_object_get(other->json, "matrix");
    const json_t *row = first_row(record), *its_row = first_row(other);
    return strcmp(record->name, other->name) == 0 &&
           json_equal(json_object_get(matrix, "rows"), json_object_get(its, "rows")) &&
           json_equal(json_object_get(matrix, "cols"), json_object_get(its, "cols")) &&
           json_equal(json_object_get(matrix, "nnz"), json_object_get(its, "nnz")) &&
           is_same_text(row, its_row, "type") && is_same_text(row, its_row, "index") &&
           is_same_text(row, its_row, "op");
}

/* The first of them that has no match yet: what was measured several times is matched in order. */
static const struct record *find_before(const struct comparison *comparison, bool *taken,
                                        const struct record *after) {
    const struct record_file *before = &comparison->before;
    for (int i = 0; i < before->count; i++) {
        if (taken[i] || !is_same_matrix(&before->record[i], after))
            continue;
        taken[i] = true;
        return &before->record[i];
    }
    return NULL;
}

/* ---- rows ---- */

/* What two rows have in common that are compared, from all to the least. */
enum likeness { SAME_KERNEL, SAME_STORAGE, SAME_FORMAT, LIKENESSES };

static bool is_alike(const struct record_row *row, const struct record_row *other, enum likeness likeness) {
    static const char *const members[LIKENESSES][2] = {
        {"storage", "kernel"}, {"storage", "storage"}, {"format", "format"}};
    return is_same_text(row->json, other->json, "backend") && is_same_text(row->json, other->json, "peer") &&
           is_same_text(row->json, other->json, members[likeness][0]) &&
           is_same_text(row->json, other->json, members[likeness][1]);
}

/* The only row of a record that is like it, or null. */
static const struct record_row *sole(const struct record *record, const struct record_row *row,
                                     enum likeness likeness) {
    const struct record_row *found = NULL;
    for (int i = 0; i < record->count; i++) {
        if (!is_alike(&record->rows[i], row, likeness))
            continue;
        if (found)
            return NULL;
        found = &record->rows[i];
    }
    return found;
}

/* The kernel of a storage, and the library's own parameters of a format, may be others than before. */
static const struct record_row *find_row(const struct match *match, const struct record_row *after) {
    for (int likeness = 0; likeness < LIKENESSES; likeness++) {
        const struct record_row *before = sole(match->before, after, (enum likeness)likeness);
        if (before && sole(match->after, after, (enum likeness)likeness) == after)
            return before;
    }
    return NULL;
}

static bool is_disturbed(const struct record_row *row) {
    const json_t *time = json_object_get(row->json, "time_us");
    return timing_is_disturbed(&(struct spread){.batches = (int)record_number(time, "batches"),
                                                .disturbed = (int)record_number(time, "disturbed")});
}

static enum verdict judge(const struct record_row *before, const struct record_row *after) {
    if (!before->ok || !after->ok)
        return before->ok ? VERDICT_FAILS : after->ok ? VERDICT_WORKS : VERDICT_SAME;
    if (is_disturbed(before) || is_disturbed(after))
        return VERDICT_DISTURBED;
    if (timing_is_tie(&(struct spread){.median = before->median, .min = before->min, .max = before->max},
                      &(struct spread){.median = after->median, .min = after->min, .max = after->max}))
        return VERDICT_SAME;
    return after->median < before->median ? VERDICT_FASTER : VERDICT_SLOWER;
}

static void add_change(struct comparison *comparison, struct match *match, const struct record_row *before,
                       const struct record_row *after) {
    struct change *change = &comparison->change[comparison->change_count++];
    *change = (struct change){before, after, judge(before, after), NAN};
    if (before->ok && after->ok)
        change->speed = before->median / after->median;
    comparison->verdicts[change->verdict]++;
    match->count++;
    match->changed += !comparison_is_unclear(change);
}

/* Rows that failed in both runs are passed over. */
static void compare_rows(struct comparison *comparison, struct match *match) {
    int shared = 0;
    match->first = comparison->change_count;
    for (int i = 0; i < match->after->count; i++) {
        const struct record_row *after = &match->after->rows[i], *before = find_row(match, after);
        shared += before != NULL;
        if (before && (before->ok || after->ok))
            add_change(comparison, match, before, after);
    }
    match->only_before = match->before->count - shared;
    match->only_after = match->after->count - shared;
}

/* ---- both files ---- */

static const json_t *machine_of(const struct record *record) {
    return json_object_get(record->json, "machine");
}

static void find_caution(struct comparison *comparison, const struct match *match) {
    const json_t *before = machine_of(match->before), *after = machine_of(match->after);
    char *text = comparison->caution;
    size_t size = sizeof comparison->caution;
    double threads = record_number(before, "threads"), now = record_number(after, "threads");
    if (text[0])
        return;
    if (!is_same_text(before, after, "cpu"))
        snprintf(text, size, "other machines, %s and then %s: what differs may be their doing",
                 record_text(before, "cpu"), record_text(after, "cpu"));
    else if (!is_same_text(json_object_get(before, "gpu"), json_object_get(after, "gpu"), "name"))
        snprintf(text, size, "other GPUs: what differs may be their doing");
    else if (isfinite(threads) && isfinite(now) && threads != now)
        snprintf(text, size, "%g thread%s and then %g: what differs may be their doing", threads,
                 number_plural(threads), now);
}

static size_t count_rows(const struct record_file *file) {
    size_t count = 0;
    for (int i = 0; i < file->count; i++)
        count += (size_t)file->record[i].count;
    return count;
}

static void match_all(struct comparison *comparison, bool *taken) {
    for (int i = 0; i < comparison->after.count; i++) {
        const struct record *after = &comparison->after.record[i],
                            *before = find_before(comparison, taken, after);
        if (!before) {
            comparison->only_after++;
            continue;
        }
        struct match *match = &comparison->match[comparison->match_count++];
        *match = (struct match){.before = before, .after = after};
        compare_rows(comparison, match);
        find_caution(comparison, match);
    }
    comparison->only_before = comparison->before.count - comparison->match_count;
}

static double mean_speed(const struct comparison *comparison) {
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < comparison->change_count; i++)
        if (isfinite(comparison->change[i].speed) && comparison->change[i].verdict != VERDICT_DISTURBED) {
            sum += log(comparison->change[i].speed);
            count++;
        }
    return exp(sum / count);
}

static bool compare(struct comparison *comparison, char *message, size_t size) {
    bool *taken = calloc((size_t)comparison->before.count, sizeof *taken);
    comparison->match = calloc((size_t)comparison->after.count, sizeof *comparison->match);
    comparison->change = calloc(count_rows(&comparison->after) + 1, sizeof *comparison->change);
    bool good = taken && comparison->match && comparison->change;
    if (good)
        match_all(comparison, taken);
    else
        snprintf(message, size, "no memory to compare them with");
    free(taken);
    if (good && comparison->change_count == 0) {
        snprintf(message, size,
                 "%s and %s have nothing to compare: no row of the same matrix (name and size), type, index, "
                 "product and "
                 "storage",
                 comparison->before.path, comparison->after.path);
        good = false;
    }
    comparison->mean = mean_speed(comparison);
    return good;
}

bool comparison_open(struct comparison *comparison, const char *before, const char *after, char *message,
                     size_t size) {
    *comparison = (struct comparison){.match = NULL};
    return record_file_read(&comparison->before, before, message, size) &&
           record_file_read(&comparison->after, after, message, size) && compare(comparison, message, size);
}

void comparison_free(struct comparison *comparison) {
    record_file_free(&comparison->before);
    record_file_free(&comparison->after);
    free(comparison->match);
    free(comparison->change);
    *comparison = (struct comparison){.match = NULL};
}

/* ---- in words ---- */

bool comparison_is_unclear(const struct change *change) {
    return change->verdict == VERDICT_SAME || change->verdict == VERDICT_DISTURBED;
}

const char *comparison_word(enum verdict verdict) {
    static const char *const words[VERDICT_COUNT] = {"no clear change", "faster",    "slower",
                                                     "fails now",       "works now", "disturbed"};
    return words[verdict];
}

void comparison_describe(const struct record_file *file, char *text, size_t size) {
    const json_t *json = file->record[0].json, *machine = machine_of(&file->record[0]);
    const char *version = record_text(json, "version");
    double threads = record_number(machine, "threads");
    snprintf(text, size, "%d matri%s, %s%s, %s, %g thread%s", file->count, file->count == 1 ? "x" : "ces",
             version[0] ? "Spry " : "a version that does not say which", version, record_text(machine, "cpu"),
             threads, number_plural(threads));
}

static int add_missing(char *text, size_t size, int before, int after, const char *what) {
    if (before + after == 0)
        return 0;
    return snprintf(text, size, "; %s of one file alone: %d before, %d after", what, before, after);
}

void comparison_sum_up(const struct comparison *comparison, char *text, size_t size) {
    const int *verdicts = comparison->verdicts;
    int used, before = 0, after = 0;
    for (int i = 0; i < comparison->match_count; i++) {
        before += comparison->match[i].only_before;
        after += comparison->match[i].only_after;
    }
    used = snprintf(text, size, "%d row%s of %d matri%s: %d faster, %d slower, %d without a clear change",
                    comparison->change_count, number_plural(comparison->change_count),
                    comparison->match_count, comparison->match_count == 1 ? "x" : "ces",
                    verdicts[VERDICT_FASTER], verdicts[VERDICT_SLOWER], verdicts[VERDICT_SAME]);
    if (verdicts[VERDICT_FAILS] + verdicts[VERDICT_WORKS] > 0)
        used += snprintf(text + used, size - (size_t)used, ", %d failing now, %d working now",
                         verdicts[VERDICT_FAILS], verdicts[VERDICT_WORKS]);
    if (verdicts[VERDICT_DISTURBED] > 0)
        used += snprintf(text + used, size - (size_t)used, ", %d disturbed by other programs",
                         verdicts[VERDICT_DISTURBED]);
    if (isfinite(comparison->mean))
        used += snprintf(text + used, size - (size_t)used,
                         "; the speed is %s%s that before in the geometric mean",
                         number_short(comparison->mean).text, glyphs()->times);
    used += add_missing(text + used, size - (size_t)used, before, after, "rows");
    add_missing(text + used, size - (size_t)used, comparison->only_before, comparison->only_after,
                "matrices");
}

bool comparison_has_other_pick(const struct match *match, const char **before, const char **after) {
    *before = record_text(record_first_pick(match->before), "storage");
    *after = record_text(record_first_pick(match->after), "storage");
    return strcmp(*before, *after) != 0 && **before && **after;
}
