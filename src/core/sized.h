/* SPDX-License-Identifier: BSD-3-Clause */
/* Structs of callers that were compiled with older or newer headers than the library: see spry/sized.h. */
#ifndef SPRY_CORE_SIZED_H
#define SPRY_CORE_SIZED_H

#include "core/internal.h"

/* A public struct whose first member is its size. */
struct spry_sized {
    const char *name;
    size_t first; /* its size in the first version that had it, which never changes */
    size_t known; /* its size in this one */
};

/* `last` is the last member that the struct had in its first version, and `end` the one that it has now. A member that
   followed in padding would be whatever bytes older callers have there. */
#define SPRY_END_OF(type, member) (offsetof(type, member) + sizeof(((type *)0)->member))
#define SPRY_SIZED(type, last, end)                                                                          \
    _Static_assert(SPRY_END_OF(type, end) == sizeof(type), #type " ends in padding");                        \
    static const struct spry_sized type##_sized = {#type, SPRY_END_OF(type, last), sizeof(type)}

/*
 * Copy a caller's struct into one of this version: members that the caller's does not have become 0, and so do all of
 * them for a null one. SPRY_ERROR_ARGUMENT where the size cannot be, or the caller asks for what this version does not
 * know. (As Linux's copy_struct_from_user does, for openat2 and others.) `context` is null where there is none yet.
 */
spry_status spry_take(spry_context *context, const struct spry_sized *kind, const void *given, void *taken);

/* Whether a result can be written into a caller's struct, which may be null. */
spry_status spry_check_sized(spry_context *context, const struct spry_sized *kind, const void *asked);
/* Write a result of this version into a caller's struct that passed: what both have but the size. It may be null. */
void spry_give(const struct spry_sized *kind, const void *made, void *asked);
/* Fill all `size` bytes of a caller's struct, which may be null, from one that has `known` in this version; the rest
   becomes 0. */
void spry_fill(const void *made, size_t known, void *asked, size_t size);

#endif
