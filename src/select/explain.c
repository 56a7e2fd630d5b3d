/* SPDX-License-Identifier: BSD-3-Clause */
/* A ranking in words. */
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "analysis/spread.h"
#include "analysis/work.h"
#include "core/print.h"
#include "core/size.h"
#include "select/select.h"

/* Text that is cut where there is no more room. */
struct words {
    char *text;
    size_t size, used;
};

static void say(struct words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct words *words, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = spry_print_list(words->text + words->used, words->size - words->used, format, arguments);
    va_end(arguments);
    size_t left = words->size - words->used - 1;
    words->used += length < 0 ? 0 : (size_t)length < left ? (size_t)length : left;
}

/* ---- parts of a sentence ---- */

/* A whole number with commas between groups of three digits, or its power of ten where those would go on and on. */
static void say_count(struct words *words, double count) {
    char digits[32];
    if (!(count < 1e15)) {
        say(words, "%.3g", count);
        return;
    }
    int length = snprintf(digits, sizeof digits, "%.0f", count);
    for (int i = 0; i < length; i++)
        say(words, "%s%c", i > 0 && (length - i) % 3 == 0 ? "," : "", digits[i]);
}

static void say_time(struct words *words, double seconds) {
    if (seconds < 1e-3)
        say(words, "%.3g µs", 1e6 * seconds);
    else if (seconds < 1)
        say(words, "%.3g ms", 1e3 * seconds);
    else
        say(words, "%.3g s", seconds);
}

/* With two digits that count, or all of a large whole number. */
static void say_times(struct words *words, double factor) {
    if (factor >= 100)
        say_count(words, factor);
    else
        say(words, "%.2g", factor);
    say(words, " times");
}

static void say_rows(struct words *words, const spry_ranking *ranking) {
    const spry_row_lengths *lengths = &ranking->statistics.lengths;
    if (lengths->min == lengths->max) {
        say(words, "every row has ");
        say_count(words, (double)lengths->max);
        say(words, lengths->max == 1 ? " entry" : " entries");
        return;
    }
    say(words, "rows vary from ");
    say_count(words, (double)lengths->min);
    say(words, " to ");
    say_count(words, (double)lengths->max);
    say(words, " entries (mean %.3g)", lengths->mean);
}

/* What each term is, in words that follow "mostly". */
static const char *const meanings[SPRY_TERM_COUNT] = {
    [SPRY_TERM_start] = "starting",
    [SPRY_TERM_extra] = "parts of the product that wait for each other",
    [SPRY_TERM_critical] = "the longest row, when all others are done",
    [SPRY_TERM_near] = "bytes from the cache",
    [SPRY_TERM_far] = "bytes from memory",
    [SPRY_TERM_streams] = "reading from many places of memory at once",
    [SPRY_TERM_lines] = "values of x from the cache",
    [SPRY_TERM_misses] = "values of x from memory",
    [SPRY_TERM_steps] = "the entries themselves",
    [SPRY_TERM_gathers] = "gathering values of x",
    [SPRY_TERM_units] = "beginning rows",
    [SPRY_TERM_entries] = "entries or rows handled one by one",
    [SPRY_TERM_padding] = "padding that lanes wait for",
    [SPRY_TERM_branches] = "rows that end unexpectedly",
    [SPRY_TERM_decoding] = "looking up what codes stand for",
    [SPRY_TERM_carries] = "handing on the sum of the longest row",
};

/* The term whose cost is largest, alone or beside another format's. */
static int largest_term(const spry_choice *choice, const spry_choice *other) {
    int largest = 0;
    double most = -INFINITY;
    for (int i = 0; i < SPRY_TERM_COUNT; i++) {
        double cost = choice->cost[i] - (other ? other->cost[i] : 0);
        if (cost > most) {
            most = cost;
            largest = i;
        }
    }
    return largest;
}

/* What a storage is called. */
struct label {
    char text[SPRY_STORAGE_TEXT];
};

static struct label label_of(const spry_choice *choice) {
    struct label label;
    spry_storage_text(&choice->storage, label.text, sizeof label.text);
    return label;
}

static void say_padding(struct words *words, const spry_ranking *ranking, const spry_choice *choice) {
    say(words, "%s would store ", label_of(choice).text);
    say_times(words, choice->slots / (double)ranking->statistics.nnz);
    say(words, " the nonzeros");
}

/* Padding worth a word. */
static bool is_padded(const spry_ranking *ranking, const spry_choice *choice) {
    return choice->slots > 1.1 * (double)ranking->statistics.nnz;
}

/* ---- sentences ---- */

static void say_impossible(struct words *words, const spry_ranking *ranking, const spry_choice *choice) {
    if (!choice->kernel) {
        say(words, "%s: no kernel for it may run, or none that the machine's profile knows",
            label_of(choice).text);
        return;
    }
    if (ranking->changing >> choice->format & 1) {
        say(words, "%s depends on the values, which will change", label_of(choice).text);
        return;
    }
    say_rows(words, ranking);
    say(words, ": ");
    if (is_padded(ranking, choice))
        say_padding(words, ranking, choice);
    else
        say(words, "%s would be made", label_of(choice).text);
    say(words, " in %s, past the limit", spry_size_text(choice->bytes).text);
}

/* The same storage without codes, which is in every ranking that has it with one. */
static const spry_choice *plain_kin(const spry_ranking *ranking, const spry_choice *choice) {
    spry_storage plain = choice->storage;
    const spry_choice *kin = ranking->choice;
    plain.values = SPRY_VALUES_PLAIN;
    plain.columns = SPRY_COLUMNS_PLAIN;
    while (memcmp(&kin->storage, &plain, sizeof plain) != 0)
        kin++;
    return kin;
}

/* What the sample of values said. */
static void say_values(struct words *words, const spry_ranking *ranking, const spry_choice *choice) {
    const spry_value_code code = choice->storage.values;
    const size_t size = spry_stored_size(choice->kernel->type, code);
    if (spry_table_length(code) == 0) {
        say(words, "all values of a sample are kept by %s", spry_value_code_name(code));
    } else if (ranking->values.kinds == 1) {
        say(words, "a sample has one value only");
    } else {
        say(words, "a sample has ");
        say_count(words, (double)ranking->values.kinds);
        say(words, " different values");
    }
    if (size > 0)
        say(words, ", %zu byte%s each", size, size == 1 ? "" : "s");
}

/* And that of columns, unless there are no more than a code tells apart. */
static void say_columns(struct words *words, const spry_ranking *ranking, const spry_choice *choice) {
    const size_t size = spry_column_size(choice->kernel->index, choice->storage.columns);
    if (spry_has_few_columns(ranking->statistics.cols))
        say(words, "there are few enough columns, %zu bytes each", size);
    else
        say(words, "columns of neighbouring rows should lie close together, %zu bytes each", size);
}

/* What codes rest on, and what they save. */
static void say_codes(struct words *words, const spry_ranking *ranking, const spry_choice *choice) {
    const spry_storage *storage = &choice->storage;
    const bool values = storage->values != SPRY_VALUES_PLAIN,
               columns = storage->columns != SPRY_COLUMNS_PLAIN;
    if (!values && !columns)
        return;
    say(words, "; ");
    if (values)
        say_values(words, ranking, choice);
    if (values && columns)
        say(words, ", and ");
    if (columns)
        say_columns(words, ranking, choice);
    say(words, ": %s in place of ", spry_size_text(choice->bytes).text);
    say(words, "%s", spry_size_text(plain_kin(ranking, choice)->bytes).text);
}

static void say_payback(struct words *words, const spry_choice *choice) {
    if (spry_is_hub(&choice->storage))
        return;
    say(words, "; converting takes ");
    say_time(words, choice->convert_seconds);
    if (isinf(choice->pays_back_after)) {
        say(words, " and never pays back");
        return;
    }
    say(words, " and pays back after ");
    say_count(words, choice->pays_back_after);
    say(words, choice->pays_back_after == 1 ? " product" : " products");
}

/* A time that was measured is what a product took; what it was spent on is predicted all the same. */
static bool is_measured(const spry_choice *choice) {
    return choice->measured_seconds > 0;
}

static const char *spend(const spry_choice *choice) {
    return is_measured(choice) ? "should spend" : "spend";
}

/* What another one takes more of than the first, whose most expensive term has been named already. */
static void say_more(struct words *words, const spry_choice *choice, const spry_choice *other) {
    const int named = largest_term(choice, NULL), more = largest_term(other, choice);
    const double ratio = other->cost[named] / choice->cost[named];
    if (more != named) {
        say(words, " and %s more on %s", spend(other), meanings[more]);
    } else if (ratio < 1.1) {
        say(words, " and %s more on that", spend(other));
    } else {
        say(words, " and %s ", spend(other));
        say_times(words, ratio);
        say(words, " as much on that");
    }
}

/* What another one takes beside the first, which is not always the fastest. */
static void say_other(struct words *words, const spry_ranking *ranking, const spry_choice *choice,
                      const spry_choice *other) {
    const double seconds = spry_choice_seconds(choice), others = spry_choice_seconds(other);
    say(words, ", where %s ", label_of(other).text);
    say(words, is_measured(other) ? "took " : "would take ");
    say_time(words, others);
    if (others > seconds)
        say_more(words, choice, other);
    else if (isfinite(ranking->products))
        say(words, " but is not worth the conversion for so few products");
    else
        say(words, others < seconds ? ", which is not clearly less" : " as well");
}

/* Why the first is first. */
static void say_pick(struct words *words, const spry_ranking *ranking) {
    const spry_choice *choice = &ranking->choice[0],
                      *other = !spry_is_hub(&choice->storage) ? spry_choice_of_csr(ranking)
                               : ranking->choice[1].possible  ? &ranking->choice[1]
                                                              : NULL;
    say_rows(words, ranking);
    say(words, ": %s ", label_of(choice).text);
    say(words, is_measured(choice) ? "took " : "should take ");
    say_time(words, spry_choice_seconds(choice));
    say(words, ", mostly for %s", meanings[largest_term(choice, NULL)]);
    if (other && spry_choice_seconds(other) > 0)
        say_other(words, ranking, choice, other);
    say_codes(words, ranking, choice);
    say_payback(words, choice);
}

/* How much longer another one takes than the first. */
static void say_longer(struct words *words, double factor, const spry_choice *first) {
    say(words, ", ");
    if (factor < 1.05)
        say(words, "hardly more than");
    else
        say_times(words, factor);
    say(words, " %s", label_of(first).text);
}

/* Why another one is behind the first. */
static void say_loser(struct words *words, const spry_ranking *ranking, const spry_choice *choice) {
    const spry_choice *first = &ranking->choice[0];
    if (is_padded(ranking, choice)) {
        say_rows(words, ranking);
        say(words, ": ");
        say_padding(words, ranking, choice);
        say(words, is_measured(choice) ? ", and took " : " and take ");
    } else {
        say(words, is_measured(choice) ? "%s took " : "%s would take ", label_of(choice).text);
    }
    say_time(words, spry_choice_seconds(choice));
    if (spry_choice_seconds(choice) > spry_choice_seconds(first)) {
        /* With nothing to compare with, where a profile has no price for what the first would do. */
        if (spry_choice_seconds(first) > 0)
            say_longer(words, spry_choice_seconds(choice) / spry_choice_seconds(first), first);
        say(words, ", and %s more on %s", spend(choice), meanings[largest_term(choice, first)]);
    }
    say_codes(words, ranking, choice);
    say_payback(words, choice);
}

void spry_explain(const spry_ranking *ranking, int place, char *text, size_t size) {
    if (!text || size == 0)
        return;
    struct words words = {text, size, 0};
    text[0] = '\0';
    if (!ranking || place < 0 || place >= ranking->count)
        return;
    const spry_choice *choice = &ranking->choice[place];
    if (ranking->statistics.nnz == 0)
        say(&words, "there is nothing to multiply by");
    else if (!choice->possible)
        say_impossible(&words, ranking, choice);
    else if (place == 0)
        say_pick(&words, ranking);
    else
        say_loser(&words, ranking, choice);
}
