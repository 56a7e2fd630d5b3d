/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/generate.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/derive.h"
#include "common/entries.h"
#include "common/failure.h"
#include "common/random.h"

#define MAX_PARAMETERS 3
/* Rows, columns or entries. */
#define MOST (INT32_MAX - 1)

/* What a description comes to. Sizes are doubles so that no product of parameters overflows before it is
   compared; those that pass are whole numbers under 2^31. */
struct plan {
    const struct generator *generator;
    int64_t parameter[MAX_PARAMETERS];
    double rows, cols, entries;
};

struct generator {
    const char *usage, *what;        /* the name is what comes before the colon */
    int least, most;                 /* number of parameters */
    int64_t fallback;                /* last parameter when left out; 0: the first one again */
    bool (*size)(struct plan *plan); /* false: a parameter is out of its range */
    void (*fill)(const struct plan *plan, struct entries *out);
};

/* ---- stencils ---- */

/* Neighbours of one grid point along one axis: offsets from *low to *high. */
static void axis_range(int64_t at, int64_t points, int *low, int *high) {
    *low = at > 0 ? -1 : 0;
    *high = at < points - 1 ? 1 : 0;
}

/* The row of grid point (x, y, z): `centre` on the diagonal, -1 for each neighbour at most `reach` axes away.
 */
static void stencil_row(struct entries *out, const int64_t points[3], int64_t x, int64_t y, int64_t z,
                        int reach, double centre) {
    int low[3], high[3];
    int64_t row = (z * points[1] + y) * points[0] + x;
    axis_range(x, points[0], &low[0], &high[0]);
    axis_range(y, points[1], &low[1], &high[1]);
    axis_range(z, points[2], &low[2], &high[2]);
    for (int dz = low[2]; dz <= high[2]; dz++)
        for (int dy = low[1]; dy <= high[1]; dy++)
            for (int dx = low[0]; dx <= high[0]; dx++) {
                int axes = abs(dx) + abs(dy) + abs(dz);
                if (axes <= reach)
                    entries_push(out, row, row + (dz * points[1] + dy) * points[0] + dx,
                                 axes == 0 ? centre : -1.0);
            }
}

static void stencil(struct entries *out, const int64_t points[3], int reach, double centre) {
    for (int64_t z = 0; z < points[2]; z++)
        for (int64_t y = 0; y < points[1]; y++)
            for (int64_t x = 0; x < points[0]; x++)
                stencil_row(out, points, x, y, z, reach, centre);
}

static bool poisson2d_size(struct plan *plan) {
    plan->rows = plan->cols = (double)plan->parameter[0] * (double)plan->parameter[1];
    plan->entries = 5.0 * plan->rows;
    return true;
}

static void poisson2d_fill(const struct plan *plan, struct entries *out) {
    stencil(out, (int64_t[3]){plan->parameter[0], plan->parameter[1], 1}, 1, 4.0);
}

static bool cube_size(struct plan *plan, double points) {
    double side = (double)plan->parameter[0];
    plan->rows = plan->cols = side * side * side;
    plan->entries = points * plan->rows;
    return true;
}

static bool poisson3d_size(struct plan *plan) {
    return cube_size(plan, 7.0);
}

static bool stencil27_size(struct plan *plan) {
    return cube_size(plan, 27.0);
}

static void poisson3d_fill(const struct plan *plan, struct entries *out) {
    int64_t side = plan->parameter[0];
    stencil(out, (int64_t[3]){side, side, side}, 1, 6.0);
}

static void stencil27_fill(const struct plan *plan, struct entries *out) {
    int64_t side = plan->parameter[0];
    stencil(out, (int64_t[3]){side, side, side}, 3, 26.0);
}

static bool mesh_size(struct plan *plan) {
    const double side = (double)plan->parameter[0], unknowns = (double)plan->parameter[1];
    plan->rows = plan->cols = side * side * side * unknowns;
    plan->entries = 27.0 * unknowns * plan->rows;
    return true;
}

/* In (-1, 0), another one for each pair of unknowns. */
static double coupling(int64_t a, int64_t b) {
    uint64_t state = (uint64_t)(a < b ? a : b) << 32 | (uint64_t)(a < b ? b : a);
    return -random_fraction(&state);
}

/* The rows of one node: entries for all unknowns of the nodes beside it, and on the diagonal a little more than what the others
   come to. */
static void mesh_node(struct entries *out, const struct entries *nodes, int64_t node, int64_t unknowns) {
    for (int64_t row = node * unknowns; row < (node + 1) * unknowns; row++) {
        double sum = 1.0;
        int64_t diagonal = out->count;
        for (int64_t n = 0; n < nodes->count; n++)
            for (int64_t col = nodes->col[n] * unknowns; col < (nodes->col[n] + 1) * unknowns; col++) {
                if (col == row)
                    diagonal = out->count;
                entries_push(out, row, col, coupling(row, col));
                sum -= col == row ? 0 : out->val[out->count - 1];
            }
        out->val[diagonal] = sum;
    }
}

static void mesh_fill(const struct plan *plan, struct entries *out) {
    const int64_t side = plan->parameter[0], points[3] = {side, side, side};
    int32_t row[27], col[27];
    double val[27];
    for (int64_t node = 0; node < side * side * side; node++) {
        struct entries nodes = {row, col, val, 0};
        stencil_row(&nodes, points, node % side, node / side % side, node / side / side, 3, 0.0);
        mesh_node(out, &nodes, node, plan->parameter[1]);
    }
}

static bool convection2d_size(struct plan *plan) {
    plan->rows = plan->cols = (double)plan->parameter[0] * (double)plan->parameter[0];
    plan->entries = 5.0 * plan->rows;
    return true;
}

/* -Δu + p (∂u/∂x + ∂u/∂y) on the unit square, times the square of the grid's step; the first derivatives as differences
   against the wind, so that the matrix is an M-matrix for every p. */
static void convection2d_fill(const struct plan *plan, struct entries *out) {
    int64_t side = plan->parameter[0];
    double wind = (double)plan->parameter[1] / (double)(side + 1);
    for (int64_t y = 0; y < side; y++)
        for (int64_t x = 0; x < side; x++) {
            int64_t row = y * side + x;
            if (y > 0)
                entries_push(out, row, row - side, -1.0 - wind);
            if (x > 0)
                entries_push(out, row, row - 1, -1.0 - wind);
            entries_push(out, row, row, 4.0 + 2.0 * wind);
            if (x < side - 1)
                entries_push(out, row, row + 1, -1.0);
            if (y < side - 1)
                entries_push(out, row, row + side, -1.0);
        }
}

/* ---- random patterns ---- */

static bool rmat_size(struct plan *plan) {
    if (plan->parameter[0] > 30)
        return false;
    plan->rows = plan->cols = (double)(INT64_C(1) << plan->parameter[0]);
    plan->entries = plan->rows * (double)plan->parameter[1];
    return true;
}

/*
 * Chakrabarti, Zhan, Faloutsos, "R-MAT: a recursive model for graph mining", SDM 2004, with the
 * probabilities of the Graph 500 benchmark: each edge falls into a quadrant of the matrix, again and
 * again, until one entry is left.
 */
static void rmat_fill(const struct plan *plan, struct entries *out) {
    const double a = 0.57, b = 0.19, c = 0.19;
    uint64_t state = 1;
    for (int64_t edge = 0; edge < (int64_t)plan->entries; edge++) {
        int64_t row = 0, col = 0;
        for (int64_t level = 0; level < plan->parameter[0]; level++) {
            double quadrant = random_fraction(&state);
            row = 2 * row + (quadrant >= a + b);
            col = 2 * col + ((quadrant >= a && quadrant < a + b) || quadrant >= a + b + c);
        }
        entries_push(out, row, col, random_fraction(&state));
    }
}

static bool random_size(struct plan *plan) {
    plan->rows = (double)plan->parameter[0];
    plan->cols = (double)plan->parameter[1];
    plan->entries = plan->rows * (double)plan->parameter[2];
    return plan->parameter[2] <= plan->parameter[1];
}

static void random_fill(const struct plan *plan, struct entries *out) {
    uint64_t state = 1, cols = (uint64_t)plan->parameter[1];
    for (int64_t row = 0; row < plan->parameter[0]; row++)
        for (int64_t k = 0; k < plan->parameter[2]; k++) {
            int64_t col = (int64_t)(random_next(&state) % cols); /* bias under 2^-32 */
            entries_push(out, row, col, random_signed(&state));
        }
}

static bool banded_size(struct plan *plan) {
    plan->rows = plan->cols = (double)plan->parameter[0];
    plan->entries = plan->rows * (2.0 * (double)plan->parameter[1] + 1.0);
    return plan->parameter[1] < plan->parameter[0];
}

static void banded_fill(const struct plan *plan, struct entries *out) {
    uint64_t state = 1;
    int64_t size = plan->parameter[0], halfwidth = plan->parameter[1];
    for (int64_t row = 0; row < size; row++) {
        int64_t first = row < halfwidth ? 0 : row - halfwidth;
        int64_t last = row + halfwidth < size ? row + halfwidth : size - 1;
        for (int64_t col = first; col <= last; col++)
            entries_push(out, row, col, random_signed(&state));
    }
}

static bool uneven_size(struct plan *plan) {
    double least = (double)plan->parameter[1], most = (double)plan->parameter[2];
    plan->rows = plan->cols = (double)plan->parameter[0];
    plan->entries = plan->rows * most;
    return least <= most && 4.0 * most <= plan->rows;
}

/* The first of `width` columns around the diagonal. */
static int64_t window_begin(int64_t row, int64_t width, int64_t cols) {
    int64_t first = row - width / 2;
    return first < 0 ? 0 : first > cols - width ? cols - width : first;
}

static void uneven_fill(const struct plan *plan, struct entries *out) {
    uint64_t state = 1;
    int64_t rows = plan->parameter[0];
    double least = (double)plan->parameter[1], most = (double)plan->parameter[2];
    for (int64_t row = 0; row < rows; row++) {
        int64_t length = (int64_t)(least * pow(most / least, random_fraction(&state)) + 0.5);
        int64_t first = window_begin(row, 4 * length, rows);
        for (int64_t k = 0; k < length; k++)
            entries_push(out, row, first + 4 * k + (int64_t)(random_next(&state) % 4), random_signed(&state));
    }
}

static bool spiked_size(struct plan *plan) {
    plan->rows = plan->cols = (double)plan->parameter[0];
    plan->entries = plan->rows * ((double)plan->parameter[1] + (double)plan->parameter[2]);
    return plan->parameter[1] <= plan->parameter[0] && plan->parameter[2] <= plan->parameter[0];
}

static void spiked_fill(const struct plan *plan, struct entries *out) {
    uint64_t state = 1;
    int64_t rows = plan->parameter[0], spikes = plan->parameter[2], every = rows / spikes;
    for (int64_t row = 0; row < rows; row++) {
        bool spike = row % every == every / 2 && row / every < spikes;
        int64_t width = spike ? rows : plan->parameter[1], first = window_begin(row, width, rows);
        for (int64_t col = first; col < first + width; col++)
            entries_push(out, row, col, random_signed(&state));
    }
}

static bool hollow_size(struct plan *plan) {
    plan->rows = plan->cols = (double)plan->parameter[0];
    plan->entries = (plan->rows / (double)plan->parameter[1] + 1.0) * (double)plan->parameter[2];
    return plan->parameter[1] <= plan->parameter[0] && plan->parameter[2] <= plan->parameter[0];
}

static void hollow_fill(const struct plan *plan, struct entries *out) {
    uint64_t state = 1;
    int64_t rows = plan->parameter[0], width = plan->parameter[2];
    for (int64_t row = 0; row < rows; row += plan->parameter[1]) {
        int64_t first = window_begin(row, width, rows);
        for (int64_t col = first; col < first + width; col++)
            entries_push(out, row, col, random_signed(&state));
    }
}

static const struct generator generators[] = {
    {"poisson2d:N[:M=N]", "5-point Laplacian of an N x M grid", 1, 2, 0, poisson2d_size, poisson2d_fill},
    {"poisson3d:N", "7-point Laplacian of an N x N x N grid", 1, 1, 0, poisson3d_size, poisson3d_fill},
    {"27pt:N", "27-point stencil of an N x N x N grid", 1, 1, 0, stencil27_size, stencil27_fill},
    {"mesh:N[:UNKNOWNS=3]", "mesh of N x N x N nodes, UNKNOWNS each", 1, 2, 3, mesh_size, mesh_fill},
    {"convection2d:N[:PECLET=20]", "upwind convection and diffusion, N x N grid", 1, 2, 20, convection2d_size,
     convection2d_fill},
    {"rmat:SCALE[:EDGEFACTOR=16]", "power law, 2^SCALE vertices, SCALE <= 30", 1, 2, 16, rmat_size,
     rmat_fill},
    {"random:ROWS:COLS:NNZ_PER_ROW", "columns drawn evenly, NNZ_PER_ROW <= COLS", 3, 3, 0, random_size,
     random_fill},
    {"banded:N:HALFWIDTH", "full band, HALFWIDTH < N", 2, 2, 0, banded_size, banded_fill},
    {"uneven:N:LEAST:MOST", "band, rows of LEAST to MOST <= N/4 entries", 3, 3, 0, uneven_size, uneven_fill},
    {"spiked:N:WIDTH:SPIKES", "band of WIDTH, SPIKES full rows; both <= N", 3, 3, 0, spiked_size,
     spiked_fill},
    {"hollow:N:EVERY:WIDTH", "band of WIDTH, one row in EVERY; both <= N", 3, 3, 0, hollow_size, hollow_fill},
};
#define GENERATOR_COUNT (sizeof generators / sizeof *generators)

/* ---- descriptions ---- */

/* Where the first fault of a description goes; size 0: nowhere. */
struct fault {
    char *message;
    size_t size;
};

static bool refuse(struct fault *fault, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool refuse(struct fault *fault, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fault->message, fault->size, format, arguments);
    va_end(arguments);
    return false;
}

static const struct generator *find_generator(const char *spec, size_t length) {
    for (size_t i = 0; i < GENERATOR_COUNT; i++)
        if (strcspn(generators[i].usage, ":") == length && strncmp(generators[i].usage, spec, length) == 0)
            return &generators[i];
    return NULL;
}

/* ", name", the name up to its colon. */
static void append_name(char *names, size_t size, const char *name) {
    const size_t used = strlen(names);
    snprintf(names + used, size - used, "%s%.*s", used > 0 ? ", " : "", (int)strcspn(name, ":"), name);
}

/* Of a name that is none. */
static bool refuse_name(const char *spec, size_t length, struct fault *fault) {
    static const char prefix[] = "gen:";
    char names[256] = "";
    if (strncmp(spec, prefix, strlen(prefix)) == 0)
        return refuse(fault, "leave out '%s' before '%s'", prefix, spec + strlen(prefix));
    for (size_t i = 0; i < GENERATOR_COUNT; i++)
        append_name(names, sizeof names, generators[i].usage);
    for (size_t i = 0; derivation_at(i); i++)
        append_name(names, sizeof names, derivation_at(i)->name);
    return refuse(fault, "unknown generator '%.*s', expected one of: %s", (int)length, spec, names);
}

/* Of parameter i, where `text` begins. */
static bool refuse_parameter(const char *usage, int i, const char *text, struct fault *fault) {
    for (; i >= 0; i--)
        usage = strchr(usage, ':') + 1;
    return refuse(fault, "%.*s is '%.*s', expected a whole number from 1 to %d", (int)strcspn(usage, ":=["),
                  usage, (int)strcspn(text, ":"), text, INT32_MAX);
}

/* Read ":number:number…" into plan->parameter; *count is how many there were. */
static bool read_parameters(const char *text, struct plan *plan, int *count, struct fault *fault) {
    for (*count = 0; *text == ':'; (*count)++) {
        char *end;
        if (*count == plan->generator->most)
            return refuse(fault, "too many parameters: expected %s", plan->generator->usage);
        errno = 0;
        long long value = strtoll(text + 1, &end, 10);
        bool number = text[1] >= '0' && text[1] <= '9' && (*end == ':' || *end == '\0');
        if (!number || errno != 0 || value < 1 || value > INT32_MAX)
            return refuse_parameter(plan->generator->usage, *count, text + 1, fault);
        plan->parameter[*count] = value;
        text = end;
    }
    return true;
}

static bool fits_memory(const struct plan *plan, struct fault *fault) {
    const double needed = entries_bytes(plan->rows, plan->entries), installed = entries_memory();
    if (plan->rows > MOST || plan->cols > MOST || plan->entries > MOST)
        return refuse(fault, "%.3g rows and %.3g entries: at most %d of each are allowed", plan->rows,
                      plan->entries, MOST);
    if (needed > installed)
        return refuse(fault, "making it takes %.1f GB, and this machine has %.1f GB", needed / 1e9,
                      installed / 1e9);
    return true;
}

static bool make_plan(const char *spec, struct plan *plan, struct fault *fault) {
    int count;
    size_t length = strcspn(spec, ":");
    plan->generator = find_generator(spec, length);
    if (!plan->generator)
        return refuse_name(spec, length, fault);
    if (!read_parameters(spec + length, plan, &count, fault))
        return false;
    const struct generator *generator = plan->generator;
    if (count < generator->least)
        return refuse(fault, "too few parameters: expected %s", generator->usage);
    if (count < generator->most)
        plan->parameter[count] = generator->fallback ? generator->fallback : plan->parameter[0];
    if (!generator->size(plan))
        return refuse(fault, "parameters out of range: expected %s, %s", generator->usage, generator->what);
    return fits_memory(plan, fault);
}

/* ---- matrices ---- */

static spry_status make(spry_context *context, const char *spec, spry_matrix **csr) {
    struct plan plan;
    struct fault nowhere = {NULL, 0};
    struct entries entries;
    if (!make_plan(spec, &plan, &nowhere))
        return SPRY_ERROR_ARGUMENT;
    if (!entries_new(&entries, (int64_t)plan.entries))
        return SPRY_ERROR_MEMORY;
    plan.generator->fill(&plan, &entries);
    spry_status status = entries_compress(context, (int64_t)plan.rows, (int64_t)plan.cols, &entries, csr);
    entries_free(&entries);
    return status;
}

/* The way that a description begins with, if any, and where that of what it is made of begins. */
static const struct derivation *outermost(const char *spec, const char **inner) {
    const size_t length = strcspn(spec, ":");
    const struct derivation *derivation = derivation_named(spec, length);
    *inner = derivation ? spec + length + (spec[length] == ':') : spec;
    return derivation;
}

static spry_status make_derived(spry_context *context, const char *spec, spry_matrix **csr) {
    const char *inner;
    spry_matrix *from;
    const struct derivation *derivation = outermost(spec, &inner);
    if (!derivation)
        return make(context, spec, csr);
    spry_status status = make_derived(context, inner, &from);
    if (status != SPRY_OK)
        return status;
    status = derivation->derive(context, from, csr);
    spry_matrix_destroy(from);
    return status;
}

spry_status generate_matrix(spry_context *context, const char *spec, spry_value_type type,
                            spry_matrix **matrix) {
    spry_matrix *csr;
    *matrix = NULL;
    spry_status status = make_derived(context, spec, &csr);
    if (status != SPRY_OK)
        return status;
    if (type == SPRY_F64) {
        *matrix = csr;
        return SPRY_OK;
    }
    status = spry_cast(context, csr, type, SPRY_I32, matrix);
    spry_matrix_destroy(csr);
    return status;
}

void generate_explain(const char *spec, char *message, size_t size) {
    struct plan plan;
    struct fault fault = {message, size};
    const struct derivation *way;
    while ((way = outermost(spec, &spec)) && *spec)
        ;
    if (way)
        refuse(&fault, "too few parameters: expected %s:MATRIX", way->name);
    else if (make_plan(spec, &plan, &fault) && size > 0)
        message[0] = '\0';
}

void generate_explain_failure(const spry_context *context, spry_status status, const char *what,
                              char *message, size_t size) {
    if (status == SPRY_ERROR_OVERFLOW)
        snprintf(message, size, "%s: at most %d rows and entries are allowed", what, MOST);
    else
        failure_explain(context, status, what, message, size);
}

void generate_list(FILE *stream, const char *prefix) {
    for (size_t i = 0; i < GENERATOR_COUNT; i++)
        fprintf(stream, "  %s%-28s %s\n", prefix, generators[i].usage, generators[i].what);
    for (size_t i = 0; derivation_at(i); i++) {
        char usage[32];
        snprintf(usage, sizeof usage, "%s:MATRIX", derivation_at(i)->name);
        fprintf(stream, "  %s%-28s %s\n", prefix, usage, derivation_at(i)->what);
    }
}
