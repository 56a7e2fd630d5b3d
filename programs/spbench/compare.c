/* SPDX-License-Identifier: BSD-3-Clause */
#include "spbench/compare.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/columns.h"
#include "spbench/page.h"

/* The page has what was measured last as well. */
static bool make_page(const struct options *options, const struct comparison *comparison, char *message,
                      size_t size) {
    struct page page = {.command = options->command, .comparison = comparison};
    int error = 0;
    for (int i = 0; i < comparison->after.count && !error; i++)
        if (!page_add(&page, json_incref(comparison->after.record[i].json), NULL))
            error = ENOMEM;
    if (!error)
        error = page_write(&page, options->html);
    if (error)
        snprintf(message, size, "%s: the report cannot be written: %s", options->html, strerror(error));
    else
        columns_whole("report", options->html);
    page_free(&page);
    return error == 0;
}

bool compare_files(const struct options *options, char *message, size_t size) {
    struct comparison comparison;
    bool good = comparison_open(&comparison, options->inputs[0], options->inputs[1], message, size);
    if (good) {
        comparison_print(&comparison, options->wide);
        good = !options->html || make_page(options, &comparison, message, size);
    }
    comparison_free(&comparison);
    return good;
}
