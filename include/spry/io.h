/* SPDX-License-Identifier: BSD-3-Clause */
/** @file io.h  Matrix Market files. */
#ifndef SPRY_IO_H
#define SPRY_IO_H

#include "matrix.h"

/** What the values of a file are. */
typedef enum spry_field { SPRY_REAL, SPRY_INTEGER, SPRY_PATTERN, SPRY_COMPLEX } spry_field;

/** Which entries a file leaves out. */
typedef enum spry_symmetry {
    SPRY_GENERAL,
    SPRY_SYMMETRIC,
    SPRY_SKEW_SYMMETRIC,
    SPRY_HERMITIAN
} spry_symmetry;

/** What a file said of itself, and what reading it took. */
typedef struct spry_file_info {
    SPRY_SIZE(spry_file_info); /**< sizeof(spry_file_info), see sized.h */
    spry_field field;
    spry_symmetry symmetry;
    int array;          /**< 1: the dense "array" form, 0: "coordinate" */
    int64_t rows, cols; /**< as declared */
    int64_t stored;     /**< entries in the file, before symmetry is expanded */
    uint64_t bytes;     /**< bytes of Matrix Market text, after decompression */
} spry_file_info;

/** Choices for reading. 0 stands for each default. */
typedef struct spry_read_options {
    SPRY_SIZE(spry_read_options); /**< sizeof(spry_read_options), see sized.h */
    int as_f32;                   /**< 1: values as SPRY_F32; 0: as SPRY_F64 */
    int index_set;                /**< 0: the smallest index type that fits; 1: `index` */
    spry_index_type index;
    int real_part; /**< 1: of complex values keep the real part; 0: refuse them for now */
    /** Most bytes that a compressed file, an archive or a pipe may come to, unpacked where it is compressed; 0: 256 MiB, or 100
     *  times the bytes that were read where that is more. Real matrices unpack to 4 to 6 times their size. */
    uint64_t unpack_limit;
} spry_read_options;

#ifdef __cplusplus
extern "C" {
#endif

/** "real", "integer", "pattern" or "complex"; "?" for a value that is none. */
SPRY_API const char *spry_field_name(spry_field field);
/** "general", "symmetric", "skew-symmetric" or "hermitian"; "?" for a value that is none. */
SPRY_API const char *spry_symmetry_name(spry_symmetry symmetry);

/**
 * Read a Matrix Market file into COO, entries in the file's order, symmetry expanded: every entry off
 * the diagonal is mirrored, in whichever triangle it stands, and the mirrored entries follow after the
 * stored ones. A banner without a field is read as real. Plain text, gzip, and tar archives (also gzipped) that hold
 * `Name/Name.mtx`, as the SuiteSparse collection serves them; which it is, is told from the content. A file that others
 * write to or shorten meanwhile is an error, and nothing worse.
 *
 * Where the C library has no memory left for it, libarchive may end the process while it unpacks a compressed file or an
 * archive; plain files do without it.
 *
 * @param options  may be null
 * @param info     may be null; filled as far as the header was understood, also on failure
 * @return SPRY_ERROR_SYNTAX with "file:line:column", the token and what was expected; SPRY_ERROR_IO;
 *         SPRY_ERROR_UNSUPPORTED for complex values, once the file was read and found sound, and for a sparse file in an
 *         archive; SPRY_ERROR_TOO_LARGE when it comes to more than options.unpack_limit;
 *         SPRY_ERROR_OVERFLOW when the index type that was asked for, or any, is too small;
 *         SPRY_ERROR_MEMORY
 */
SPRY_API spry_status spry_read(spry_context *context, const char *path, const spry_read_options *options,
                               spry_matrix **matrix, spry_file_info *info);

/**
 * As spry_read, from an open file: standard input (0), a pipe, a socket, from where it stands to its end. `name` stands
 * for it in messages. It stays open; where it stands afterwards is not said.
 */
SPRY_API spry_status spry_read_descriptor(spry_context *context, const char *name, int descriptor,
                                          const spry_read_options *options, spry_matrix **matrix,
                                          spry_file_info *info);

/** As spry_read, from `size` bytes of plain Matrix Market text in memory; `name` stands for the file. */
SPRY_API spry_status spry_read_memory(spry_context *context, const char *name, const char *text, size_t size,
                                      const spry_read_options *options, spry_matrix **matrix,
                                      spry_file_info *info);

/**
 * Write a matrix, in any format, as "coordinate real general", in row-major order (COO: in its own
 * order). Values are the shortest decimals that read back as the same bits. A regular file appears under
 * its name only when it is complete, with the permissions of the one whose place it takes; anything else (a pipe, a
 * terminal, what a symbolic link leads to) is written to as it is. A pipe that nobody reads any more is an error, and
 * no SIGPIPE; a file that may not become as large is one, and no SIGXFSZ.
 *
 * @return SPRY_ERROR_IO; SPRY_ERROR_UNSUPPORTED for a name that ends in ".gz"; SPRY_ERROR_MEMORY
 */
SPRY_API spry_status spry_write(spry_context *context, const char *path, const spry_matrix *matrix);

#ifdef __cplusplus
}
#endif

#endif
