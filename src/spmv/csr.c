/* SPDX-License-Identifier: BSD-3-Clause */
/* CSR in plain C: the reference that every other CSR kernel is checked against. The transpose of CSC is
   the same product. */
#include "codes/columns.h"
#include "codes/decode.h"
#include "core/team.h"
#include "spmv/csr.h"

_Static_assert(SPRY_DOT_ROWS % SPRY_DECODE_ROWS == 0,
               "pieces that are added up are whole pieces that are decoded");

static void rows(const ptr_t *ptr, const idx_t *idx, const stored_t *val, const uint64_t *following,
                 int64_t begin, int64_t end, val_t alpha, const val_t *x, val_t beta, bool far, val_t *y) {
    (void)following, (void)far;
    for (int64_t i = begin; i < end; i++) {
        val_t sum = 0;
        for (ptr_t k = ptr[i]; k < ptr[i + 1]; k++)
            sum += val[k] * x[idx[k]];
        y[i] = spry_blend(alpha, sum, beta, &y[i]);
    }
}

/* What a part works on. The arrays of a matrix are taken to begin so much earlier that its pointers and indices, which count
   from its base, fit them. */
struct view {
    CODED(spry_csr_part) * part;
    const ptr_t *ptr;
    const idx_t *idx;
    const stored_t *val;
    const val_t *x;
    const val_t *w; /* null, or what Σ w[i] y[i] is wanted for */
    const uint64_t *following;
    int base;
    bool far;
    struct spry_decoder decoder; /* without buffers where idx and val are read */
};

/* The values of entries begin … end - 1, at the first of them. */
static const stored_t *values_of(struct view *csr, int64_t begin, int64_t end) {
    return csr->decoder.values ? SHARED(spry_decode_values)(&csr->decoder, begin - csr->base, end - begin)
                               : csr->val + begin;
}

/* The columns of the same, the first of which is in row i. */
static const idx_t *columns_of(struct view *csr, int64_t i, int64_t begin, int64_t end) {
    return csr->decoder.columns
               ? SHARED(spry_decode_columns)(&csr->decoder, i, begin - csr->base, end - begin)
               : csr->idx + begin;
}

/* alpha times entries begin … end - 1 of row i. */
static val_t piece(struct view *csr, int64_t i, int64_t begin, int64_t end, val_t alpha) {
    ptr_t ptr[2] = {0, (ptr_t)(end - begin)};
    val_t sum;
    csr->part(ptr, columns_of(csr, i, begin, end), values_of(csr, begin, end), NULL, 0, 1, alpha, csr->x, 0,
              false, &sum);
    return sum;
}

/* Where the rows end that are decoded together from row i on. */
static int64_t decoded_rows(const ptr_t *ptr, int64_t i, int64_t end) {
    int64_t stop = end - i < SPRY_DECODE_ROWS ? end : i + SPRY_DECODE_ROWS;
    while (end - stop >= SPRY_DECODE_ROWS && ptr[stop + SPRY_DECODE_ROWS] - ptr[i] <= SPRY_DECODE_NEAR)
        stop += SPRY_DECODE_ROWS;
    return stop;
}

/* Rows begin … end - 1: all at once, or as many as are decoded together. */
static void some_rows(struct view *csr, int64_t begin, int64_t end, val_t alpha, val_t beta, val_t *y) {
    const ptr_t *ptr = csr->ptr;
    for (int64_t i = begin, stop; i < end; i = stop) {
        stop = spry_is_decoding(&csr->decoder) ? decoded_rows(ptr, i, end) : end;
        csr->part(ptr, columns_of(csr, i, ptr[i], ptr[stop]) - ptr[i],
                  values_of(csr, ptr[i], ptr[stop]) - ptr[i], csr->following, i, stop, alpha, csr->x, beta,
                  csr->far, y);
    }
}

/* Rows begin … end - 1. With w, returns Σ w[i] y[i] over them. */
static double whole_rows(struct view *csr, int64_t begin, int64_t end, val_t alpha, val_t beta, val_t *y) {
    const val_t *w = csr->w;
    double sum = 0;
    if (!w) {
        some_rows(csr, begin, end, alpha, beta, y);
        return 0;
    }
    for (int64_t first = begin; first < end; first += SPRY_DOT_ROWS) {
        int64_t last = end - first < SPRY_DOT_ROWS ? end : first + SPRY_DOT_ROWS;
        some_rows(csr, first, last, alpha, beta, y);
        sum += spry_near_dot(w, y, first, last);
    }
    return sum;
}

/* What one thread does: from cut[0] to cut[1]. Where an earlier part began its first row, *head becomes the sum of what belongs to that,
   to be added when that part is done. With w, *dot becomes Σ w[i] y[i] over the rows that are its own. Neither is written else: they
   lie beside those of other threads. */
static void share(struct view *csr, const struct spry_cut *cut, int64_t rows, val_t alpha, val_t beta,
                  val_t *y, val_t *head, double *dot) {
    const ptr_t *ptr = csr->ptr;
    int64_t first = cut[0].unit, last = cut[1].unit, from = cut[0].entry + csr->base,
            to = cut[1].entry + csr->base;
    if (first < rows && from > ptr[first]) {
        *head = piece(csr, first, from, ptr[first + 1] < to ? ptr[first + 1] : to, alpha);
        first++;
    }
    const double sum = first < last ? whole_rows(csr, first, last, alpha, beta, y) : 0;
    if (csr->w)
        *dot = sum;
    if (first <= last && last < rows && to > ptr[last])
        y[last] = spry_blend(1, piece(csr, last, ptr[last], to, alpha), beta, &y[last]);
}

/* Each thread makes one for itself: what others have just written, it would wait for. */
static void set_view(struct view *view, const struct spry_kernel *kernel, const spry_matrix *matrix,
                     const val_t *x, const val_t *w, void *scratch, int p) {
    const spry_csr *csr = &matrix->csr;
    const int base = csr->base;
    view->part = (CODED(spry_csr_part) *)kernel->part;
    view->ptr = csr->ptr;
    view->idx = (const idx_t *)csr->idx - base;
    view->val = (const stored_t *)csr->val - base;
    view->x = x - base;
    view->w = w;
    view->base = base;
    view->following = matrix->plan.following;
    view->far = matrix->plan.far;
    SHARED(spry_set_decoder)(&view->decoder, kernel, matrix, scratch, p);
}

/* With w, partial[p] becomes the share of part p in Σ w[i] y[i]; a row that parts have in common is for the last of
   them. */
spry_status CODED(spry_csr_run)(spry_context *context, const struct spry_kernel *kernel,
                                const spry_matrix *matrix, const struct spry_product *product) {
    const struct spry_split *split = &matrix->plan.split[kernel->op];
    const struct spry_cut *cut = split->cut;
    const int parts = split->parts, base = matrix->csr.base;
    const val_t alpha = (val_t)product->alpha, beta = (val_t)product->beta, *x = product->x, *w = product->w;
    const ptr_t *ptr = matrix->csr.ptr;
    const int64_t rows = cut[parts].unit;
    void *scratch = context->scratch;
    val_t *y = product->y, head[SPRY_MAX_THREADS];
    double *dot = product->partial;
    if (parts == 1) {
        struct view view;
        set_view(&view, kernel, matrix, x, w, scratch, 0);
        share(&view, cut, rows, alpha, beta, y, head, dot);
        return SPRY_OK;
    }
#pragma omp parallel for num_threads(spry_team(parts)) schedule(static, 1)
    for (int p = 0; p < parts; p++) {
        struct view view;
        set_view(&view, kernel, matrix, x, w, scratch, p);
        share(&view, &cut[p], rows, alpha, beta, y, &head[p], w ? &dot[p] : NULL);
    }
    for (int p = 1; p < parts; p++) {
        int64_t shared = cut[p].unit;
        if (shared >= rows || cut[p].entry + base <= ptr[shared])
            continue;
        y[shared] += head[p];
        if (w && (p + 1 == parts || cut[p + 1].unit != shared))
            dot[p] += (double)w[shared] * (double)y[shared];
    }
    return SPRY_OK;
}

static union spry_terms work(const struct spry_candidate *candidate) {
    const struct spry_features *features = candidate->features;
    int parts = spry_candidate_parts(candidate);
    union spry_terms amounts = spry_traffic(candidate, candidate->bytes, parts);
    amounts.units = (double)features->rows / parts;
    amounts.entries = (double)features->nnz / parts;
    amounts.branches = spry_branch_misses((double)features->changes, parts);
    return amounts;
}

/* `is_decoded`, whether values are in a table or columns narrow, is a constant. */
INLINE void scatter_some(const spry_matrix *matrix, const struct spry_cut *cut, bool is_decoded, val_t alpha,
                         const val_t *x, val_t *out) {
    const spry_csr *csr = &matrix->csr;
    int base = csr->base;
    const ptr_t *ptr = csr->ptr;
    const idx_t *idx = csr->idx;
    const stored_t *val = csr->val;
    int64_t i = cut[0].unit;
    out -= base;
    for (int64_t k = cut[0].entry; k < cut[1].entry; i++) {
        int64_t end = ptr[i + 1] - base < cut[1].entry ? ptr[i + 1] - base : cut[1].entry;
        val_t factor = end > k ? x[i] : 0;
        for (; k < end; k++) {
            int64_t j = is_decoded ? spry_decoded_column(matrix, idx, i / SPRY_NARROW_ROWS, k) : idx[k];
            val_t value = is_decoded ? spry_decoded_value(matrix, val, k) : val[k];
            out[j] += alpha * (value * factor);
        }
    }
}

static void scatter(const spry_matrix *matrix, const struct spry_cut *cut, val_t alpha, const val_t *x,
                    val_t *out) {
    scatter_some(matrix, cut, false, alpha, x, out);
}

static void scatter_decoded(const spry_matrix *matrix, const struct spry_cut *cut, val_t alpha,
                            const val_t *x, val_t *out) {
    scatter_some(matrix, cut, true, alpha, x, out);
}

static const struct spry_kernel kernels[] = {
    SPRY_DECODED_KERNELS(TMPL_INDEX, "csr", SPRY_CSR, SPRY_T, .run = SHARED(spry_scatter_run),
                         .part = (void (*)(void))scatter_decoded)
        SPRY_DECODED_KERNELS(TMPL_INDEX, "csc", SPRY_CSC, SPRY_N, .run = SHARED(spry_scatter_run),
                             .work = SHARED(spry_scatter_work), .part = (void (*)(void))scatter_decoded)
            SPRY_DECODING(TMPL_INDEX, "csr", SPRY_CSR, SPRY_N, .run = CODED(spry_csr_run),
                          .partials = SHARED(spry_partials), .work = work, .part = (void (*)(void))rows),
    {SPRY_KERNEL("csr", SPRY_CSR, SPRY_T), .run = SHARED(spry_scatter_run), .part = (void (*)(void))scatter},
    {SPRY_KERNEL("csc", SPRY_CSC, SPRY_N), .run = SHARED(spry_scatter_run), .work = SHARED(spry_scatter_work),
     .part = (void (*)(void))scatter},
    SPRY_DECODING(TMPL_INDEX, "csc", SPRY_CSC, SPRY_T, .run = CODED(spry_csr_run), .work = work,
                  .priced_as = "csr", .part = (void (*)(void))rows),
};

const struct spry_kernel_list CODED(spry_kernels_csr) = {sizeof kernels / sizeof *kernels, kernels};
