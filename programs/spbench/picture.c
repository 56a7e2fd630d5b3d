/* SPDX-License-Identifier: BSD-3-Clause */
/* PNG (ISO/IEC 15948): a signature and chunks, each with its length, its name and a checksum of all behind the length. */
#include "spbench/picture.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

/* A pixel takes four bits, and a line of them begins with the number of its filter. */
#define LINE_BYTES (1 + PATTERN_MOST / 2)
#define LINES_BYTES (PATTERN_MOST * LINE_BYTES)
/* All but the pixels: signature, header, palette, transparency and end. */
#define FRAME_BYTES 256

/* Contrasts with white and with near black by 4 to 1. */
static const unsigned char colour[3] = {0x2b, 0x7a, 0xc4};
#define FAINTEST 110

struct buffer {
    unsigned char *bytes;
    size_t used;
};

static void add(struct buffer *png, const void *bytes, size_t count) {
    memcpy(png->bytes + png->used, bytes, count);
    png->used += count;
}

static void store(unsigned char *to, unsigned long value) {
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(value >> (24 - 8 * i));
}

static void add_chunk(struct buffer *png, const char *name, const unsigned char *bytes, size_t count) {
    unsigned char word[4];
    size_t begin = png->used + sizeof word;
    store(word, count);
    add(png, word, sizeof word);
    add(png, name, 4);
    if (count > 0)
        add(png, bytes, count);
    store(word, crc32(0, png->bytes + begin, (uInt)(4 + count)));
    add(png, word, sizeof word);
}

/* Width, height, 4 bits a pixel, by palette. */
static void add_header(struct buffer *png, const struct pattern *pattern) {
    static const unsigned char signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    unsigned char header[13] = {[8] = 4, [9] = 3};
    store(header, (unsigned long)pattern->across);
    store(header + 4, (unsigned long)pattern->down);
    add(png, signature, sizeof signature);
    add_chunk(png, "IHDR", header, sizeof header);
}

static void add_palette(struct buffer *png) {
    unsigned char palette[3 * PATTERN_SHADES], opaque[PATTERN_SHADES] = {0};
    for (int i = 0; i < PATTERN_SHADES; i++) {
        memcpy(palette + 3 * i, colour, sizeof colour);
        if (i > 0)
            opaque[i] = (unsigned char)(FAINTEST + (255 - FAINTEST) * (i - 1) / (PATTERN_SHADES - 2));
    }
    add_chunk(png, "PLTE", palette, sizeof palette);
    add_chunk(png, "tRNS", opaque, sizeof opaque);
}

/* Lines without a filter, one behind the other; returns their bytes. */
static size_t pack_lines(const struct pattern *pattern, unsigned char *lines) {
    size_t line = 1 + ((size_t)pattern->across + 1) / 2;
    memset(lines, 0, LINES_BYTES);
    for (int i = 0; i < pattern->down; i++)
        for (int j = 0; j < pattern->across; j++)
            lines[(size_t)i * line + 1 + (size_t)j / 2] |=
                (unsigned char)(pattern->shade[i][j] << (j % 2 ? 0 : 4));
    return line * (size_t)pattern->down;
}

static bool add_pixels(struct buffer *png, const struct pattern *pattern) {
    unsigned char *lines = malloc(LINES_BYTES), *packed = malloc(compressBound(LINES_BYTES));
    uLongf count = compressBound(LINES_BYTES);
    bool good =
        lines && packed &&
        compress2(packed, &count, lines, (uLong)pack_lines(pattern, lines), Z_BEST_COMPRESSION) == Z_OK;
    if (good)
        add_chunk(png, "IDAT", packed, count);
    free(lines);
    free(packed);
    return good;
}

/* RFC 4648. */
static void put_base64(FILE *file, const struct buffer *png) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < png->used; i += 3) {
        uint32_t bits = 0;
        for (size_t j = 0; j < 3; j++)
            bits = bits << 8 | (i + j < png->used ? png->bytes[i + j] : 0);
        for (size_t j = 0; j < 4; j++)
            putc(i + j <= png->used ? letters[bits >> (18 - 6 * j) & 63] : '=', file);
    }
}

bool picture_put_pattern(FILE *file, const struct pattern *pattern) {
    struct buffer png = {malloc(FRAME_BYTES + compressBound(LINES_BYTES)), 0};
    bool good = png.bytes;
    if (good) {
        add_header(&png, pattern);
        add_palette(&png);
        good = add_pixels(&png, pattern);
    }
    if (good) {
        add_chunk(&png, "IEND", NULL, 0);
        fputs("data:image/png;base64,", file);
        put_base64(file, &png);
    }
    free(png.bytes);
    return good;
}
