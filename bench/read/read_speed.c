/* SPDX-License-Identifier: BSD-3-Clause */
/* How fast Matrix Market files are read, beside SuiteSparse's reader where that was found:
   read_speed [FILE]. Without a file, one of about 300 MB is made under $TMPDIR for the time of the run. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/complain.h"
#include "measuring/rounds.h"

#ifdef HAVE_CHOLMOD
#include <cholmod.h>
#endif

#define REPEATS 7
#define ENTRIES 8500000
#define SIZE 1000000

/* A reader to be timed. */
struct reader {
    const char *name;
    double (*read)(const char *path, int threads); /* bytes of text, zero when it failed */
    int threads;                                   /* 0: all */
};

/* One reader and what it reads. */
struct reading {
    const struct reader *reader;
    const char *path;
    double bytes;
};

/* Numbers of 17 digits that span ten powers of ten, as results of computations do. */
static void write_entries(FILE *file) {
    uint64_t state = 1;
    fprintf(file, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", SIZE, SIZE, ENTRIES);
    for (int k = 0; k < ENTRIES; k++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        double unit = (double)(int64_t)state * 0x1p-63;
        int row = (int)(state >> 33) % SIZE, power = (int)(state >> 20) % 10 - 5;
        fprintf(file, "%d %d %.17g\n", row + 1, (int)((int64_t)k * SIZE / ENTRIES) + 1,
                unit * pow(10.0, power));
    }
}

static int make_file(char *path, size_t size) {
    const char *folder = getenv("TMPDIR");
    snprintf(path, size, "%s/read_speed_XXXXXX", folder ? folder : "/tmp");
    int descriptor = mkstemp(path);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (!file)
        return -1;
    write_entries(file);
    return fclose(file);
}

static double read_spry(const char *path, int threads) {
    spry_context *context;
    spry_matrix *matrix;
    spry_file_info info = {.size = sizeof info};
    if (spry_context_create(&context, &(spry_context_options){.size = sizeof(spry_context_options),
                                                              .threads = threads}) != SPRY_OK)
        return 0;
    if (spry_read(context, path, NULL, &matrix, &info) != SPRY_OK) {
        complain("%s", spry_message(context));
        info.bytes = 0;
    }
    spry_matrix_destroy(matrix);
    spry_context_destroy(context);
    return (double)info.bytes;
}

#ifdef HAVE_CHOLMOD
static double read_cholmod(const char *path, int threads) {
    (void)threads;
    cholmod_common common;
    cholmod_l_start(&common);
    FILE *file = fopen(path, "re");
    cholmod_triplet *triplet = file ? cholmod_l_read_triplet(file, &common) : NULL;
    double bytes = triplet ? (double)ftell(file) : 0;
    if (file)
        fclose(file);
    cholmod_l_free_triplet(&triplet, &common);
    cholmod_l_finish(&common);
    return bytes;
}
#endif

static const struct reader readers[] = {
    {"spry, 1 thread", read_spry, 1},
    {"spry, all threads", read_spry, 0},
#ifdef HAVE_CHOLMOD
    {"cholmod, 1 thread", read_cholmod, 1},
#endif
};
#define READERS (sizeof readers / sizeof *readers)

static spry_status read_file(void *user) {
    struct reading *reading = user;
    reading->bytes = reading->reader->read(reading->path, reading->reader->threads);
    return reading->bytes > 0 ? SPRY_OK : SPRY_ERROR_IO;
}

/* Of two runs at a turn the second counts: the first brings the file into the page cache, and gets from the system the
   memory that another reader gave back, which can take as long as reading. */
static int measure(const char *path) {
    static const struct rounds rounds = {.least = REPEATS, .most = REPEATS};
    struct contender contenders[READERS];
    struct reading readings[READERS];
    for (size_t r = 0; r < READERS; r++) {
        readings[r] = (struct reading){&readers[r], path, 0};
        contenders[r] = (struct contender){.call = read_file, .user = &readings[r]};
    }
    if (rounds_measure(NULL, contenders, READERS, &rounds) != SPRY_OK)
        return 1;
    for (size_t r = 0; r < READERS; r++) {
        const struct spread *time = &contenders[r].time;
        double megabytes = readings[r].bytes * 1e-6;
        printf("%-18s %7.0f MB/s   (%.0f to %.0f, %d repeats)\n", readers[r].name, megabytes / time->median,
               megabytes / time->max, megabytes / time->min, REPEATS);
    }
    return 0;
}

int main(int count, char **arguments) {
    if (count > 2) {
        fprintf(stderr, "usage: read_speed [FILE]\n");
        return 2;
    }
    if (count == 2)
        return measure(arguments[1]);
    char path[4096];
    if (make_file(path, sizeof path) != 0) {
        perror(path);
        return 1;
    }
    int status = measure(path);
    unlink(path);
    return status;
}
