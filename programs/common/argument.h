/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of command-line options that several programs have. What is no good ends the program with a usage error. */
#ifndef SPRY_COMMON_ARGUMENT_H
#define SPRY_COMMON_ARGUMENT_H

#include <argp.h>

#include <spry/spry.h>

/* " coo csr …", for the text of an option that names formats. */
#define ARGUMENT_FORMAT(NAME, name, title) " " #name
#define ARGUMENT_FORMATS SPRY_FORMAT_LIST(ARGUMENT_FORMAT)

/* Which of `count` names this is: i for name_of(i). `option` and all of the names are in the error message. */
int argument_name(const char *option, const char *text, const char *(*name_of)(int), int count,
                  struct argp_state *state);

/* "f32" or "f64". */
spry_value_type argument_type(const char *text, struct argp_state *state);

/* "cpu" or "cuda". */
spry_backend argument_backend(const char *text, struct argp_state *state);

/* A format, or a storage with parameters and codes that a matrix can have, for the option of this name. */
spry_format argument_format(const char *option, const char *text, struct argp_state *state);
spry_storage argument_storage(const char *option, const char *text, struct argp_state *state);

/* The storages of a comma-separated list, each once, in the order given: how many, from 1 to `most`. */
int argument_storages(const char *option, const char *list, spry_storage *storages, int most,
                      struct argp_state *state);

/* A whole number from `least` to `most`; `option` is what the error message names. */
long long argument_count(const char *option, const char *text, long long least, long long most,
                         struct argp_state *state);

/* A finite number over `low` and under `high`, and one that is 0 or more. */
double argument_number(const char *option, const char *text, double low, double high,
                       struct argp_state *state);
double argument_share(const char *option, const char *text, struct argp_state *state);

/* A name for a file: not an empty one, which a variable of the shell that is not set gives. `what` is what the error message names:
   an option with its dashes, or FILE. */
char *argument_file(const char *what, char *text, struct argp_state *state);

/* A number of threads. */
int argument_threads(const char *text, struct argp_state *state);

/* The list of generators, each name behind `prefix`, between two texts, and then the text behind the options: for a help
   filter (argp's help_filter) to return. */
char *argument_generators(const char *before, const char *prefix, const char *after, const char *text);

/* The help filter of a parser (argp's help_filter) that puts what a FILE may be, with the generators from their own
   table, before the text behind the options. */
char *argument_help(int key, const char *text, void *input);

#endif
