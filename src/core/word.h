/* SPDX-License-Identifier: BSD-3-Clause */
/* Letters, digits and words of ASCII, whatever the caller's locale. */
#ifndef SPRY_WORD_H
#define SPRY_WORD_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool spry_is_digit(char c) {
    return (unsigned)(c - '0') < 10;
}

/* As small letters: what is no capital letter stays as it is. */
static inline char spry_lower(char c) {
    return (unsigned)(c - 'A') < 26 ? (char)(c | 0x20) : c;
}

static inline bool spry_is_letter(char c) {
    return (unsigned)(spry_lower(c) - 'a') < 26;
}

/* Whether `length` characters are this lower-case word, in any case. */
static inline bool spry_is_word(const char *text, size_t length, const char *word) {
    size_t i = 0;
    while (i < length && word[i] && spry_lower(text[i]) == word[i])
        i++;
    return i == length && !word[i];
}

/* Whether `length` characters are this name, letter by letter. */
static inline bool spry_is_name(const char *text, size_t length, const char *name) {
    return strlen(name) == length && memcmp(name, text, length) == 0;
}

#endif
