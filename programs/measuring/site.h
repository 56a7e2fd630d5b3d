/* SPDX-License-Identifier: BSD-3-Clause */
/* The place that a program measures in, by its options --backend and --threads, and the context that reads for it. */
#ifndef SPRY_MEASURING_SITE_H
#define SPRY_MEASURING_SITE_H

#include <argp.h>

#include "measuring/place.h"

struct site_options {
    spry_backend backend;
    int threads; /* 0: all that this process may run on */
};

/* To be a child of a program's parser, which with ARGP_KEY_INIT has to give it a struct site_options as its input. That gets the
   options' values: the CPU and all threads without them. */
extern const struct argp site_options_parser;

struct site {
    spry_context *host; /* on the CPU, whatever the place, with as many threads */
    struct place place; /* on the CPU it works in that context */
};

/* False, after a complaint, where it cannot be had; there is nothing to close then. */
bool site_open(const struct site_options *options, struct site *site);
void site_close(struct site *site);

#endif
