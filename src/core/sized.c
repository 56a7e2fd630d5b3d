/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/sized.h"

#include <string.h>

/* No version's structs are that large: more is no size, but what was in memory that was never written. */
#define MOST ((size_t)4096)

static size_t size_of(const void *sized) {
    size_t size;
    memcpy(&size, sized, sizeof size);
    return size;
}

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

spry_status spry_check_sized(spry_context *context, const struct spry_sized *kind, const void *asked) {
    if (!asked)
        return SPRY_OK;
    size_t size = size_of(asked);
    if (size >= kind->first && size <= MOST)
        return SPRY_OK;
    return context ? spry_fail(context, SPRY_ERROR_ARGUMENT,
                               "%s: size is %zu, expected %zu to %zu: fill it in as {.size = sizeof(%s)}",
                               kind->name, size, kind->first, MOST, kind->name)
                   : SPRY_ERROR_ARGUMENT;
}

/* Whether the caller asks for nothing that came after this version. */
static spry_status check_rest(spry_context *context, const struct spry_sized *kind, const void *given) {
    const char *bytes = given;
    size_t size = size_of(given), i = kind->known;
    while (i < size && bytes[i] == 0)
        i++;
    if (i >= size)
        return SPRY_OK;
    return context ? spry_fail(context, SPRY_ERROR_ARGUMENT,
                               "%s: made for a newer library: byte %zu of %zu is not 0, and this library "
                               "knows %zu",
                               kind->name, i, size, kind->known)
                   : SPRY_ERROR_ARGUMENT;
}

spry_status spry_take(spry_context *context, const struct spry_sized *kind, const void *given, void *taken) {
    memset(taken, 0, kind->known);
    spry_status status = spry_check_sized(context, kind, given);
    if (!status && given)
        status = check_rest(context, kind, given);
    if (!status && given)
        memcpy(taken, given, least(size_of(given), kind->known));
    memcpy(taken, &kind->known, sizeof kind->known);
    return status;
}

void spry_give(const struct spry_sized *kind, const void *made, void *asked) {
    if (asked)
        memcpy((char *)asked + sizeof(size_t), (const char *)made + sizeof(size_t),
               least(size_of(asked), kind->known) - sizeof(size_t));
}

void spry_fill(const void *made, size_t known, void *asked, size_t size) {
    if (!asked)
        return;
    memset(asked, 0, size);
    memcpy(asked, made, least(size, known));
}
