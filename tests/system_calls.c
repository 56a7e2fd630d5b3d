/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * System calls that fail: of those that reading or writing a file takes, each is refused in turn, or interrupted, or moves
 * fewer bytes than were asked for. What was refused is an error with the name of the file, or does not matter to the result;
 * nothing that was there is lost and nothing is left behind. The functions are defined here, before the C library's own.
 */
#define _GNU_SOURCE
/* With checks, some are inline functions, which nobody could take the place of. */
#undef _FORTIFY_SOURCE
#include <archive.h>
#include <archive_entry.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "support/build.h"
#include "support/check.h"
#include "support/counting.h"
#include "support/hidden.h"

/* More calls than any reading or writing here takes. */
#define MANY 10000

static void expect(bool holds, const char *what, const char *which, long n) {
    check(holds, "%s, call %ld refused: %s", which, n, what);
}

/* ---- calls, and the one that fails ---- */

enum call {
    NONE,
    OPEN,
    FSTAT,
    LSTAT,
    LSEEK,
    FCNTL,
    READ,
    PREAD,
    WRITE,
    GIVE_GROUP, /* fchown */
    GIVE_OWNER,
    FCHMOD,
    CLOSE,
    RENAME,
    CALLS
};

/* What becomes of reading or writing when one fails. A piece may be cut at a later place without harm; and what was read
   is none the worse for a file that closes with an error. */
enum effect { HARMLESS, FATAL, EITHER };
static const enum effect effects[CALLS] = {
    [OPEN] = FATAL,   [FSTAT] = FATAL,         [LSTAT] = FATAL,        [LSEEK] = HARMLESS, [FCNTL] = FATAL,
    [READ] = FATAL,   [PREAD] = EITHER,        [WRITE] = FATAL,        [FCHMOD] = FATAL,   [CLOSE] = FATAL,
    [RENAME] = FATAL, [GIVE_OWNER] = HARMLESS, [GIVE_GROUP] = HARMLESS};

/* Calls until the one that fails, 0 when none does; with which error; which it was. */
static atomic_long left;
static int refusal;
static enum call refused;
/* Whether the file has another owner by now. */
static bool given_away;
/* Most bytes that a call moves; 0: all. */
static size_t most;

static bool can_be_interrupted(enum call call) {
    return call == OPEN || call == READ || call == PREAD || call == WRITE;
}

static bool fails(enum call call) {
    if ((refusal == EINTR && !can_be_interrupted(call)) || atomic_load(&left) <= 0 ||
        atomic_fetch_sub(&left, 1) != 1)
        return false;
    refused = call;
    errno = refusal;
    return true;
}

static size_t at_most(size_t size) {
    return most && most < size ? most : size;
}

int open(const char *path, int flags, ...) {
    FIND(open);
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return fails(OPEN) ? -1 : real(path, flags, mode);
}

int fstat(int file, struct stat *facts) {
    FIND(fstat);
    return fails(FSTAT) ? -1 : real(file, facts);
}

int lstat(const char *path, struct stat *facts) {
    FIND(lstat);
    return fails(LSTAT) ? -1 : real(path, facts);
}

off_t lseek(int file, off_t offset, int whence) {
    FIND(lseek);
    return fails(LSEEK) ? -1 : real(file, offset, whence);
}

int fcntl(int file, int command, ...) {
    FIND(fcntl);
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    return fails(FCNTL) ? -1 : real(file, command, argument);
}

ssize_t read(int file, void *to, size_t size) {
    FIND(read);
    return fails(READ) ? -1 : real(file, to, at_most(size));
}

ssize_t pread(int file, void *to, size_t size, off_t offset) {
    FIND(pread);
    return fails(PREAD) ? -1 : real(file, to, at_most(size), offset);
}

ssize_t write(int file, const void *from, size_t size) {
    FIND(write);
    return fails(WRITE) ? -1 : real(file, from, at_most(size));
}

/* Rights are given before the owner is, who alone may then. */
int fchown(int file, uid_t owner, gid_t group) {
    FIND(fchown);
    given_away |= owner != (uid_t)-1;
    return fails(owner == (uid_t)-1 ? GIVE_GROUP : GIVE_OWNER) ? -1 : real(file, owner, group);
}

int fchmod(int file, mode_t mode) {
    FIND(fchmod);
    expect(!given_away, "it is somebody else's", "rights", 0);
    return fails(FCHMOD) ? -1 : real(file, mode);
}

/* A file is closed even when that fails. */
int close(int file) {
    FIND(close);
    bool failed = fails(CLOSE);
    int result = real(file);
    if (failed)
        errno = refusal;
    return failed ? -1 : result;
}

int rename(const char *from, const char *to) {
    FIND(rename);
    return fails(RENAME) ? -1 : real(from, to);
}

/* ---- what is there before and after ---- */

static char folder[] = "/tmp/spry_system_calls_XXXXXX";
static char path[sizeof folder + 10];

/* Names in a folder. */
static int count_names(const char *where) {
    DIR *names = opendir(where);
    int count = 0;
    if (!names)
        abort();
    while (readdir(names))
        count++;
    closedir(names);
    return count;
}

static void put_file(const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        abort();
}

static bool holds(const char *text) {
    char *got = test_malloc(strlen(text) + 1);
    FILE *file = fopen(path, "rb");
    bool same =
        file && fread(got, 1, strlen(text) + 1, file) == strlen(text) && memcmp(got, text, strlen(text)) == 0;
    if (file)
        fclose(file);
    free(got);
    return same;
}

static struct list small_list(void) {
    struct list list = list_new(30, 40);
    for (int k = 0; k < 60; k++)
        list_add(&list, k / 2, (7 * k) % 20 + 20 * (k % 2), k + 0.25);
    return list;
}

/* The same as a file. */
static char *text_of(const struct list *list) {
    char *text = test_malloc(100 * (size_t)(list->nnz + 2));
    int at = sprintf(text, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", (int)list->rows,
                     (int)list->cols, (int)list->nnz);
    for (int64_t k = 0; k < list->nnz; k++)
        at += sprintf(text + at, "%d %d %.2f\n", (int)list->row[k] + 1, (int)list->col[k] + 1, list->val[k]);
    return text;
}

static void put_gzip(const char *text) {
    gzFile file = gzopen(path, "wb");
    if (!file || gzputs(file, text) < 0 || gzclose(file) != Z_OK)
        abort();
}

static void put_archive(const char *text) {
    struct archive *archive = archive_write_new();
    struct archive_entry *entry = archive_entry_new();
    archive_write_add_filter_gzip(archive);
    archive_write_set_format_pax(archive);
    archive_entry_set_pathname(entry, "m/m.mtx");
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_size(entry, (la_int64_t)strlen(text));
    if (archive_write_open_filename(archive, path) != ARCHIVE_OK ||
        archive_write_header(archive, entry) != ARCHIVE_OK ||
        archive_write_data(archive, text, strlen(text)) < 0 || archive_write_close(archive) != ARCHIVE_OK)
        abort();
    archive_entry_free(entry);
    archive_write_free(archive);
}

/* ---- one call of the library, with one system call refused ---- */

/* What is tried: reading or writing in some way, and what it comes to when nothing is refused. */
struct trial {
    const char *name;
    bool reads;
    int descriptor; /* of the open file that is read, or -1 */
    spry_status status;
    const char *fault; /* what is said behind the file's name when it is not SPRY_OK */
    bool fatal_seen;   /* a refused call made it fail */
};

static struct list entries;
static char *content;

/* Whether a message is "NAME: REASON", perhaps with a member of an archive behind the name. */
static bool names_file_and_reason(const char *message, const char *name) {
    const char *reason = strerror(refusal);
    size_t length = strlen(message);
    return strncmp(message, name, strlen(name)) == 0 && length > strlen(reason) + 2 &&
           strcmp(message + length - strlen(reason), reason) == 0 &&
           strncmp(message + length - strlen(reason) - 2, ": ", 2) == 0;
}

/* Of a call in which `refused` was, if anything. */
static void judge(struct trial *trial, spry_context *context, spry_status status, long n) {
    bool goes_on = refused == NONE || refusal == EINTR || (refused == CLOSE && trial->reads);
    enum effect effect = goes_on ? HARMLESS : effects[refused];
    if (status == SPRY_ERROR_IO) {
        expect(effect != HARMLESS, spry_message(context), trial->name, n);
        expect(names_file_and_reason(spry_message(context), path), spry_message(context), trial->name, n);
        trial->fatal_seen = true;
    } else {
        bool same = status == trial->status &&
                    (status == SPRY_OK || strcmp(spry_message(context) + strlen(path), trial->fault) == 0);
        expect(same, spry_message(context), trial->name, n);
        expect(effect != FATAL, "no error", trial->name, n);
    }
}

static void begin(long n) {
    refused = NONE;
    given_away = false;
    atomic_store(&left, n);
}

static void end(void) {
    atomic_store(&left, 0);
}

static void read_once(struct trial *trial, spry_context *context, long n) {
    spry_matrix *matrix;
    if (trial->descriptor >= 0)
        lseek(trial->descriptor, 0, SEEK_SET);
    begin(n);
    spry_status status = trial->descriptor >= 0
                             ? spry_read_descriptor(context, path, trial->descriptor, NULL, &matrix, NULL)
                             : spry_read(context, path, NULL, &matrix, NULL);
    end();
    judge(trial, context, status, n);
    expect((status == SPRY_OK) == (matrix != NULL), "a matrix and an error, or neither", trial->name, n);
    expect(!matrix || equals_list(context, matrix, &entries), "another matrix", trial->name, n);
    spry_matrix_destroy(matrix);
}

/* ---- every call in turn ---- */

/* One try in a context of its own. Whether a call was refused. */
static bool try_once(struct trial *trial, void (*once)(struct trial *, spry_context *, long), long n) {
    struct counting counting;
    int files = count_names("/proc/self/fd");
    counting_start(&counting);
    spry_context *context = counting_context(&counting, 3);
    once(trial, context, n);
    spry_context_destroy(context);
    expect(counting.live_blocks == 0 && !counting.misused, "memory is left", trial->name, n);
    expect(count_names("/proc/self/fd") == files, "a descriptor is left open", trial->name, n);
    return refused != NONE;
}

/* With the n-th call refused, for each n until there are none left. */
static void refuse_each(struct trial *trial, void (*once)(struct trial *, spry_context *, long)) {
    static const int errors[] = {EIO, EINTR};
    static const size_t mosts[] = {0, 64};
    for (int e = 0; e < 2; e++)
        for (int m = 0; m < 2; m++) {
            long n = 1;
            refusal = errors[e];
            most = mosts[m];
            trial->fatal_seen = false;
            while (n < MANY && try_once(trial, once, n))
                n++;
            most = 0;
            printf("%s, %s, %s bytes a call: %ld calls\n", trial->name, strerror(refusal), m ? "few" : "all",
                   n - 1);
            expect(n > 1 && n < MANY, "none was, or they do not end", trial->name, n);
            expect(trial->fatal_seen == (refusal == EIO), "errors come where none should, or none do",
                   trial->name, n);
        }
}

/* The file at `path`, which has a fault or none. */
static void check_reading(const char *name, const char *through_descriptor, const char *fault) {
    struct trial trial = {.name = name, .reads = true, .descriptor = -1, .fault = fault};
    trial.status = fault ? SPRY_ERROR_SYNTAX : SPRY_OK;
    refuse_each(&trial, read_once);
    trial.name = through_descriptor;
    trial.descriptor = open(path, O_RDONLY | O_CLOEXEC);
    refuse_each(&trial, read_once);
    close(trial.descriptor);
}

static void check_all_reading(void) {
    put_file(content, strlen(content));
    check_reading("a text", "a text from a descriptor", NULL);
    char wrong[4000];
    snprintf(wrong, sizeof wrong, "%sone line too many\n", content);
    put_file(wrong, strlen(wrong));
    check_reading("a text with a fault", "the same from a descriptor",
                  ":63:1: got \"one\", expected the end of the file after 60 entries");
    put_gzip(content);
    check_reading("a compressed text", "a compressed text from a descriptor", NULL);
    put_archive(content);
    check_reading("an archive", "an archive from a descriptor", NULL);
    unlink(path);
}

/* ---- writing ---- */

static const char old[] = "old\n";
static spry_matrix *written; /* of `entries` */

/* Where nothing is. */
static void write_new(struct trial *trial, spry_context *context, long n) {
    begin(n);
    spry_status status = spry_write(context, path, written);
    end();
    judge(trial, context, status, n);
    expect(status ? access(path, F_OK) != 0 : holds(content), "another content", trial->name, n);
    unlink(path);
    expect(count_names(folder) == 2, "a file is left", trial->name, n);
}

/* In place of a file, whose group may read it. */
static void write_over(struct trial *trial, spry_context *context, long n) {
    struct stat facts = {0};
    put_file(old, strlen(old));
    chmod(path, 0640);
    begin(n);
    spry_status status = spry_write(context, path, written);
    end();
    judge(trial, context, status, n);
    expect(holds(status ? old : content), "another content", trial->name, n);
    expect(stat(path, &facts) == 0 && (facts.st_mode & 0777) == (refused == GIVE_GROUP ? 0600 : 0640),
           "other rights", trial->name, n);
    unlink(path);
    expect(count_names(folder) == 2, "a file is left", trial->name, n);
}

/* To what a link leads to, which is written as it is. */
static void write_through(struct trial *trial, spry_context *context, long n) {
    if (symlink("/dev/null", path) != 0)
        abort();
    begin(n);
    spry_status status = spry_write(context, path, written);
    end();
    judge(trial, context, status, n);
    unlink(path);
    expect(count_names(folder) == 2, "a file is left", trial->name, n);
}

static void check_all_writing(void) {
    spry_context *context = test_context(1);
    struct built built;
    if (build(context, &entries, SPRY_COO, SPRY_F64, SPRY_I32, CONVERTED, &built) != SPRY_OK)
        abort();
    written = built.matrix;
    refuse_each(&(struct trial){.name = "a new file"}, write_new);
    refuse_each(&(struct trial){.name = "over a file"}, write_over);
    refuse_each(&(struct trial){.name = "through a link"}, write_through);
    built_free(&built);
    spry_context_destroy(context);
}

/* What no machine has. */
static void check_memory(void) {
    spry_context *context = test_context(1);
    void *array;
    expect(spry_array_new(context, SIZE_MAX / 4, &array) == SPRY_ERROR_MEMORY && !array,
           spry_message(context), "an array", 0);
    spry_context_destroy(context);
}

int main(void) {
    if (!mkdtemp(folder))
        abort();
    snprintf(path, sizeof path, "%s/a.mtx", folder);
    entries = small_list();
    content = text_of(&entries);
    check_all_reading();
    check_all_writing();
    check_memory();
    free(content);
    list_free(&entries);
    expect(rmdir(folder) == 0, "it is not empty", folder, 0);
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
