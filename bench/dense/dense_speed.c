/* SPDX-License-Identifier: BSD-3-Clause */
/* How fast dense products are, beside those of OpenBLAS or, on a GPU, cuBLAS, which are loaded where they are installed:
   dense_speed [--backend=cpu|cuda] [--type=f32|f64] [SHAPE...]. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/argument.h"
#include "common/complain.h"
#include "common/failure.h"
#include "common/output.h"
#include "common/random.h"
#include "common/vector.h"
#include "dense/peer.h"
#include "dense/shape.h"
#include "measuring/rounds.h"
#include "measuring/site.h"

/* Time of one measurement, of as many products as it takes. */
#define BATCH_SECONDS 0.02

struct choices {
    struct site_options site;
    int first, last; /* types to go through */
    int rounds;
    const char *algorithm;
    char **shapes;
    int count;
};

static const struct argp_option known[] = {
    {"type", 't', "f32|f64", 0, "Type of the values (both)", 0},
    {"algorithm", 'a', "NAME", 0, "The algorithm to take, of those whose name begins with gemm", 0},
    {"rounds", 'r', "N", 0, "Rounds in which each library is measured once (9)", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    struct choices *choices = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &choices->site;
        return 0;
    case 't':
        choices->first = choices->last = (int)argument_type(text, state);
        return 0;
    case 'a':
        choices->algorithm = text;
        return 0;
    case 'r':
        choices->rounds = (int)argument_count("rounds", text, 1, ROUNDS_MOST, state);
        return 0;
    case ARGP_KEY_ARGS:
        choices->shapes = state->argv + state->next;
        choices->count = state->argc - state->next;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- one product ---- */

/* What both libraries compute, each into a C of its own; and who does. */
struct run {
    spry_context *context;
    const struct dense_peer *peer; /* null: none could be loaded */
    struct dense_product product;
    size_t bytes_a, bytes_b, bytes_c;
    void *peer_c;
};

static spry_status multiply_spry(void *user) {
    const struct run *run = user;
    const struct dense_product *p = &run->product;
    spry_view a = p->transpose_a
                      ? spry_view_transpose(spry_view_of_columns((void *)(uintptr_t)p->a, p->k, p->m, p->lda))
                      : spry_view_of_columns((void *)(uintptr_t)p->a, p->m, p->k, p->lda);
    spry_view b = p->transpose_b
                      ? spry_view_transpose(spry_view_of_columns((void *)(uintptr_t)p->b, p->n, p->k, p->ldb))
                      : spry_view_of_columns((void *)(uintptr_t)p->b, p->k, p->n, p->ldb);
    spry_view c = spry_view_of_columns(p->c, p->m, p->n, p->ldc);
    return spry_gemm(run->context, p->type, p->alpha, &a, &b, p->beta, &c);
}

static spry_status multiply_peer(const struct run *run,
                                 bool (*call)(const struct dense_peer *, const struct dense_product *)) {
    struct dense_product product = run->product;
    product.c = run->peer_c;
    return call(run->peer, &product) ? SPRY_OK : SPRY_ERROR_UNSUPPORTED;
}

static spry_status multiply_gemm(void *user) {
    const struct run *run = user;
    return multiply_peer(run, run->peer->gemm);
}

static spry_status multiply_gemv(void *user) {
    const struct run *run = user;
    return multiply_peer(run, run->peer->gemv);
}

/* ---- arrays ---- */

#define FILL 65536

/* Values from -1 to 1, as good as random; zeros for seed 0. */
static spry_status fill(spry_context *context, spry_value_type type, void *array, size_t bytes,
                        uint64_t seed) {
    static double values[FILL];
    const size_t size = spry_type_size(type);
    uint64_t state = seed;
    for (size_t done = 0; done < bytes;) {
        size_t some = bytes - done < FILL * size ? bytes - done : FILL * size;
        for (size_t i = 0; i < some / size; i++)
            vector_set(type, values, (int64_t)i, seed > 0 ? random_signed(&state) : 0);
        spry_status status = spry_array_put(context, (char *)array + done, values, some);
        if (status != SPRY_OK)
            return status;
        done += some;
    }
    return SPRY_OK;
}

static spry_status new_array(spry_context *context, spry_value_type type, size_t bytes, uint64_t seed,
                             void **array) {
    spry_status status = spry_array_new(context, bytes, array);
    return status == SPRY_OK ? fill(context, type, *array, bytes, seed) : status;
}

/* All arrays, with a C of zeros on both sides. What was made before a failure is there to be closed. */
static spry_status open_run(struct run *run, const struct dense_shape *shape, spry_value_type type) {
    size_t size = spry_type_size(type);
    run->bytes_a = (size_t)(shape->m * shape->k) * size;
    run->bytes_b = (size_t)(shape->k * shape->n) * size;
    run->bytes_c = (size_t)(shape->m * shape->n) * size;
    run->product = (struct dense_product){.type = type,
                                          .transpose_a = shape->transpose_a,
                                          .transpose_b = shape->transpose_b,
                                          .m = shape->m,
                                          .n = shape->n,
                                          .k = shape->k,
                                          .alpha = 1,
                                          .lda = shape->transpose_a ? shape->k : shape->m,
                                          .ldb = shape->transpose_b ? shape->n : shape->k,
                                          .beta = shape->add,
                                          .ldc = shape->m};
    void *a = NULL, *b = NULL;
    spry_status status = new_array(run->context, type, run->bytes_a, 1, &a);
    if (status == SPRY_OK)
        status = new_array(run->context, type, run->bytes_b, 777, &b);
    run->product.a = a;
    run->product.b = b;
    if (status == SPRY_OK)
        status = new_array(run->context, type, run->bytes_c, 0, &run->product.c);
    if (status == SPRY_OK)
        status = new_array(run->context, type, run->bytes_c, 0, &run->peer_c);
    return status;
}

static void close_run(struct run *run) {
    spry_array_free(run->context, (void *)(uintptr_t)run->product.a, run->bytes_a);
    spry_array_free(run->context, (void *)(uintptr_t)run->product.b, run->bytes_b);
    spry_array_free(run->context, run->product.c, run->bytes_c);
    spry_array_free(run->context, run->peer_c, run->bytes_c);
}

/* ---- results ---- */

/* Compute C once on both sides; *difference is the largest between their values. */
static spry_status compare(struct run *run, double *difference) {
    void *ours = malloc(run->bytes_c), *theirs = malloc(run->bytes_c);
    spry_status status = ours && theirs ? multiply_spry(run) : SPRY_ERROR_MEMORY;
    if (status == SPRY_OK)
        status = multiply_gemm(run);
    if (status == SPRY_OK)
        status = spry_array_get(run->context, run->product.c, ours, run->bytes_c);
    if (status == SPRY_OK)
        status = spry_array_get(run->context, run->peer_c, theirs, run->bytes_c);
    spry_value_type type = run->product.type;
    *difference = 0;
    const int64_t count = (int64_t)(run->bytes_c / spry_type_size(type));
    for (int64_t i = 0; status == SPRY_OK && i < count; i++) {
        double apart = fabs(vector_at(type, ours, i) - vector_at(type, theirs, i));
        if (!(apart <= *difference))
            *difference = apart;
    }
    free(ours);
    free(theirs);
    return status;
}

/* Rounding, in sums of k products that are no larger than 1. */
static bool is_rounding(const struct dense_product *p, double difference) {
    return difference <= 4 * (double)p->k * (p->type == SPRY_F32 ? FLT_EPSILON : DBL_EPSILON);
}

/* ---- time ---- */

static void print_rate(const struct run *run, const struct spread *time) {
    const struct dense_product *p = &run->product;
    double flops = 2 * (double)p->m * (double)p->n * (double)p->k;
    printf(" %10.3f ms (%4.2f to %4.2f x) %8.1f GFLOP/s", time->median * 1e3, time->min / time->median,
           time->max / time->median, flops / time->median * 1e-9);
}

/* Measure one product and print its line. False when the results are apart. */
static bool measure(struct run *run, const struct choices *choices) {
    static timed_call *const calls[] = {multiply_spry, multiply_gemm, multiply_gemv};
    const struct rounds rounds = {.least = choices->rounds, .most = choices->rounds, .batch = BATCH_SECONDS};
    int count = run->peer ? run->product.n == 1 && !run->product.transpose_b ? 3 : 2 : 1;
    struct contender ways[3];
    double difference = 0;
    for (int w = 0; w < count; w++)
        ways[w] = (struct contender){.call = calls[w], .user = run, .context = run->context};
    spry_status status = run->peer ? compare(run, &difference) : SPRY_OK;
    if (status == SPRY_OK)
        status = rounds_measure(NULL, ways, count, &rounds);
    if (status != SPRY_OK) {
        printf(" %s\n", failure_text(run->context, status));
        return false;
    }
    print_rate(run, &ways[0].time);
    if (count > 1) {
        int best = count > 2 && ways[2].time.median < ways[1].time.median ? 2 : 1;
        printf("   %s %s", run->peer->name, best == 2 ? "gemv" : "gemm");
        print_rate(run, &ways[best].time);
        printf("   %5.2f x the speed", ways[best].time.median / ways[0].time.median);
    }
    bool right = is_rounding(&run->product, difference);
    printf("%s\n", right ? "" : "   RESULTS DIFFER");
    return right;
}

/* ---- the program ---- */

static bool measure_shape(spry_context *context, const struct dense_peer *peer, const struct choices *choices,
                          const char *text, spry_value_type type) {
    struct run run = {.context = context, .peer = peer};
    struct dense_shape shape;
    printf("%s %-18s", spry_type_name(type), text);
    if (!dense_shape_parse(text, &shape)) {
        printf(": invalid shape, expected nn:MxNxK, t instead of n for a factor that is transposed, + at the "
               "end to add "
               "to C\n");
        return false;
    }
    spry_status status = open_run(&run, &shape, type);
    bool good = status == SPRY_OK && measure(&run, choices);
    if (status != SPRY_OK)
        printf(" %s\n", failure_text(context, status));
    close_run(&run);
    fflush(stdout);
    return good;
}

static bool measure_all(spry_context *context, const struct dense_peer *peer, const struct choices *choices) {
    bool good = true;
    for (int type = choices->first; type <= choices->last; type++) {
        for (int i = 0; i < choices->count; i++)
            good &= measure_shape(context, peer, choices, choices->shapes[i], (spry_value_type)type);
        for (int i = 0; choices->count == 0 && dense_shapes_known[i]; i++)
            good &= measure_shape(context, peer, choices, dense_shapes_known[i], (spry_value_type)type);
    }
    return good;
}

static bool open_peer(struct dense_peer *peer, spry_context *context) {
    char message[256];
    bool open = spry_context_backend(context) == SPRY_CUDA
                    ? dense_peer_open_cublas(peer, spry_context_stream(context), message, sizeof message)
                    : dense_peer_open_openblas(peer, spry_context_threads(context), message, sizeof message);
    if (!open)
        complain("%s", message);
    return open;
}

static bool open_context(const struct choices *choices, spry_context **context) {
    const spry_context_options options = {.size = sizeof options,
                                          .backend = choices->site.backend,
                                          .threads = choices->site.threads,
                                          .algorithms = choices->algorithm};
    char message[256];
    if (options.backend == SPRY_CUDA && !spry_cuda_devices(message, sizeof message))
        return complain("%s", message);
    const spry_status status = spry_context_create(context, &options);
    return status == SPRY_OK || complain("%s", spry_status_string(status));
}

int main(int count, char **arguments) {
    static const struct argp_child children[] = {{&site_options_parser, 0, NULL, 0}, {0}};
    static const struct argp parser = {known,
                                       parse,
                                       "[SHAPE...]",
                                       "How fast dense products are, beside OpenBLAS or cuBLAS.\vA SHAPE is "
                                       "nn:MxNxK for C = A B, where C is M x N and A is "
                                       "M x K, column after column; t instead of an n for a factor that is "
                                       "transposed; + at the end for C += A B.",
                                       children,
                                       NULL,
                                       NULL};
    struct choices choices = {.last = SPRY_F64, .rounds = 9};
    spry_context *context;
    struct dense_peer peer;
    argp_parse(&parser, count, arguments, 0, NULL, &choices);
    if (!open_context(&choices, &context))
        return EXIT_FAILURE;
    bool open = open_peer(&peer, context);
    bool good = measure_all(context, open ? &peer : NULL, &choices);
    if (open)
        peer.close(&peer);
    spry_context_destroy(context);
    return output_close() && good ? EXIT_SUCCESS : EXIT_FAILURE;
}
