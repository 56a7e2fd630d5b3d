/* SPDX-License-Identifier: BSD-3-Clause */
/* A fuzzer without libFuzzer: runs on the files of a folder, and on what a generator of random numbers makes of them.
   For compilers and sanitizers that libFuzzer is not made for: replay_NAME FOLDER COUNT */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

#define MOST_BYTES 4096

struct input {
    uint8_t data[MOST_BYTES];
    size_t size;
};

/* From a block of just this size, so that a sanitizer sees what is read beyond it. */
static void run(const struct input *input) {
    uint8_t *exact = test_malloc(input->size);
    memcpy(exact, input->data, input->size);
    LLVMFuzzerTestOneInput(exact, input->size);
    free(exact);
}

static struct input *read_inputs(const char *folder, size_t *count) {
    struct input *inputs = NULL;
    struct dirent **names;
    int found = scandir(folder, &names, NULL, alphasort);
    for (int i = 0; i < found; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
        FILE *file = names[i]->d_name[0] == '.' ? NULL : fopen(path, "rb");
        if (file) {
            inputs = realloc(inputs, (*count + 1) * sizeof *inputs);
            MUST(inputs, "out of memory");
            inputs[*count].size = fread(inputs[*count].data, 1, MOST_BYTES, file);
            *count += 1;
            fclose(file);
        }
        free(names[i]);
    }
    if (found >= 0)
        free(names);
    return inputs;
}

/* Some bytes replaced, and now and then a stretch of another input put over its own. */
static struct input change(const struct input *inputs, size_t count, uint64_t *state) {
    struct input input = inputs[test_below(state, (int64_t)count)];
    const struct input *other = &inputs[test_below(state, (int64_t)count)];
    if (input.size && other->size && test_below(state, 2)) {
        size_t from = (size_t)test_below(state, (int64_t)other->size),
               to = (size_t)test_below(state, (int64_t)input.size);
        size_t length = (size_t)test_below(state, 40);
        length = length < other->size - from ? length : other->size - from;
        length = length < input.size - to ? length : input.size - to;
        memcpy(input.data + to, other->data + from, length);
    }
    for (int64_t left = test_below(state, 8); left && input.size; left--)
        input.data[test_below(state, (int64_t)input.size)] = (uint8_t)test_random(state);
    return input;
}

int main(int argc, char *argv[]) {
    size_t count = 0;
    uint64_t state = 1;
    MUST(argc == 3, "expected a folder and a number");
    struct input *inputs = read_inputs(argv[1], &count);
    MUST(count, "%s: no files", argv[1]);
    for (size_t i = 0; i < count; i++)
        run(&inputs[i]);
    for (long left = strtol(argv[2], NULL, 10); left > 0; left--) {
        struct input input = change(inputs, count, &state);
        run(&input);
    }
    free(inputs);
    return EXIT_SUCCESS;
}
