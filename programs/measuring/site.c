/* SPDX-License-Identifier: BSD-3-Clause */
#include "measuring/site.h"

#include "common/argument.h"
#include "common/complain.h"

static const struct argp_option known[] = {
    {"backend", 'b', "cpu|cuda", 0, "Where to work (cpu)", 0},
    {"threads", 'j', "N", 0, "Threads (all that this process may run on)", 0},
    {0},
};

static error_t read_option(int key, char *value, struct argp_state *state) {
    struct site_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        *options = (struct site_options){.backend = SPRY_CPU};
        return 0;
    case 'b':
        options->backend = argument_backend(value, state);
        return 0;
    case 'j':
        options->threads = argument_threads(value, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp site_options_parser = {.options = known, .parser = read_option};

bool site_open(const struct site_options *options, struct site *site) {
    const spry_context_options choices = {.size = sizeof choices, .threads = options->threads};
    const spry_status status = spry_context_create(&site->host, &choices);
    if (status != SPRY_OK)
        return complain("cannot begin: %s", spry_status_string(status));
    const bool open = options->backend == SPRY_CPU ? place_open_cpu(&site->place, site->host)
                                                   : place_open_gpu(&site->place, options->threads);
    if (open)
        return true;
    complain("%s", site->place.message);
    spry_context_destroy(site->host);
    return false;
}

void site_close(struct site *site) {
    site->place.close(&site->place);
    spry_context_destroy(site->host);
}
