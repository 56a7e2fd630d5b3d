/* SPDX-License-Identifier: BSD-3-Clause */
/* What arguments say, errors, and a context for each thread. */
#include <ctype.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "sparse.h"

char spry_mkl_letter(const char *text, const char *letters) {
    const char letter = (char)toupper((unsigned char)*text);
    return letter && strchr(letters, letter) ? letter : 0;
}

bool spry_mkl_describe(struct sparse *a, const char *matdescra) {
    char text[4] = "";
    for (int i = 0; i < 4 && (i == 0 || text[i - 1]);
         i++) /* in C it may end early, in Fortran it ends nowhere */
        text[i] = matdescra[i];
    const char kind = spry_mkl_letter(text, "GSHTAD"), triangle = spry_mkl_letter(text + 1, "LU");
    const char diagonal = spry_mkl_letter(text + 2, "NU");
    a->kind = kind == 'H' ? 'S' : kind;
    a->base = spry_mkl_letter(text + 3, "C") ? 0 : 1;
    a->lower = triangle == 'L';
    a->unit = diagonal == 'U';
    const bool needs_triangle = kind == 'S' || kind == 'H' || kind == 'T' || kind == 'A';
    const bool needs_diagonal = kind != 'G' && kind != 'A';
    return kind && (triangle || !needs_triangle) && (diagonal || !needs_diagonal);
}

static _Atomic(spry_mkl_handler *) told;

void spry_mkl_on_error(spry_mkl_handler *handler) {
    atomic_store(&told, handler);
}

void spry_mkl_fail(const char *routine, int argument, const char *sentence) {
    spry_mkl_handler *handler = atomic_load(&told);
    if (handler)
        handler(routine, argument, sentence);
    else
        fprintf(stderr, "Spry: %s, argument %d: %s\n", routine, argument, sentence);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool have_key;

static void release(void *context) {
    spry_context_destroy(context);
}

static void make_key(void) {
    have_key = pthread_key_create(&key, release) == 0;
}

spry_context *spry_mkl_context(void) {
    pthread_once(&once, make_key);
    spry_context *context = have_key ? pthread_getspecific(key) : NULL;
    const spry_context_options options = {.size = sizeof options, .trust_arrays = 1};
    if (context || !have_key || spry_context_create(&context, &options))
        return context;
    if (pthread_setspecific(key, context) == 0)
        return context;
    spry_context_destroy(context);
    return NULL;
}
