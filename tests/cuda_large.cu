/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A matrix with more than 2^31 entries, in every layout that the device has memory for: 64-bit row pointers, and columns of 32
 * and of 64 bits. It is made on the device; each value of each product, and each entry that comes back from a layout, is checked
 * there against the matrix's formula. Entries and x are small integers, so that every order of addition gives the same, in f32
 * too.
 */
#include <cstdio>
#include <cstdlib>

extern "C" {
#include "support/backend.h"
}

/* Row i has the WIDTH columns around i, moved inside where it is near the edge. */
#define ROWS INT64_C(200000000)
#define WIDTH 11
#define NONZEROS (ROWS * WIDTH)

/* What CSR takes with the widest types: entries, pointers, vectors, and what the products want besides. */
#define BYTES (NONZEROS * 16 + ROWS * 8 + ROWS * 16 + ROWS * 64)

#define GRID 16384
#define BLOCK 256
#define FOR_EACH(i, n)                                                                                       \
    for (int64_t i = (int64_t)blockIdx.x * BLOCK + threadIdx.x; i < n; i += (int64_t)GRID * BLOCK)

static __device__ int64_t first_column(int64_t row) {
    int64_t first = row - WIDTH / 2;
    return first < 0 ? 0 : first > ROWS - WIDTH ? ROWS - WIDTH : first;
}

static __device__ int entry(int64_t row, int64_t col) {
    return (int)((7 * row + 3 * col) % 9) - 4;
}

static __device__ int input(int64_t i) {
    return (int)(i % 7) - 3;
}

static __global__ void fill_pointers(int64_t *pointer) {
    FOR_EACH(i, ROWS + 1)
    pointer[i] = i * WIDTH;
}

template <class C, class T>
static __global__ void fill_entries(C *column, T *value) {
    FOR_EACH(k, NONZEROS) {
        int64_t row = k / WIDTH, col = first_column(row) + k % WIDTH;
        column[k] = (C)col;
        value[k] = (T)entry(row, col);
    }
}

/* Count what of CSR is not as it was filled. */
template <class C, class T>
static __global__ void count_changed(const int64_t *pointer, const C *column, const T *value,
                                     unsigned long long *wrong) {
    FOR_EACH(i, ROWS + 1)
    if (pointer[i] != i * WIDTH)
        atomicAdd(wrong, 1ull);
    FOR_EACH(k, NONZEROS) {
        int64_t row = k / WIDTH, col = first_column(row) + k % WIDTH;
        if (column[k] != col || value[k] != (T)entry(row, col))
            atomicAdd(wrong, 1ull);
    }
}

template <class T>
static __global__ void fill_input(T *x) {
    FOR_EACH(i, ROWS)
    x[i] = (T)input(i);
}

/* Count the values of y = A x, or Aᵀ x, that are not what the formula says. */
template <class T>
static __global__ void count_wrong(bool transposed, const T *y, unsigned long long *wrong) {
    FOR_EACH(i, ROWS) {
        int sum = 0;
        for (int64_t j = i - WIDTH; j <= i + WIDTH; j++) {
            if (j < 0 || j >= ROWS)
                continue;
            int64_t row = transposed ? j : i, col = transposed ? i : j;
            if (first_column(row) <= col && col < first_column(row) + WIDTH)
                sum += entry(row, col) * input(j);
        }
        if (!(y[i] == (T)sum))
            atomicAdd(wrong, 1ull);
    }
}

/* The matrix and what it is multiplied with, on the device. */
struct large {
    spry_context *context;
    cudaStream_t stream;
    void *pointer, *column, *value, *x, *y, *wrong;
    spry_matrix *matrix;
};

static int64_t products, conversions, left_out, faults;

/* Setting up is not what is tested here. */
static void must(bool good, const char *what, const char *why) {
    if (good)
        return;
    fprintf(stderr, "%s: %s\n", what, why);
    exit(EXIT_FAILURE);
}

static void *array(const large &a, size_t bytes) {
    void *pointer;
    must(spry_array_new(a.context, bytes, &pointer) == SPRY_OK, "device memory", spry_message(a.context));
    return pointer;
}

template <class C, class T>
static void make(large &a, spry_value_type type, spry_index_type index) {
    a.stream = static_cast<cudaStream_t>(spry_context_stream(a.context));
    a.pointer = array(a, (ROWS + 1) * sizeof(int64_t));
    a.column = array(a, NONZEROS * sizeof(C));
    a.value = array(a, NONZEROS * sizeof(T));
    a.x = array(a, ROWS * sizeof(T));
    a.y = array(a, ROWS * sizeof(T));
    a.wrong = array(a, sizeof(unsigned long long));
    fill_pointers<<<GRID, BLOCK, 0, a.stream>>>(static_cast<int64_t *>(a.pointer));
    fill_entries<<<GRID, BLOCK, 0, a.stream>>>(static_cast<C *>(a.column), static_cast<T *>(a.value));
    fill_input<<<GRID, BLOCK, 0, a.stream>>>(static_cast<T *>(a.x));
    cudaError_t error = cudaGetLastError();
    must(error == cudaSuccess, "making the matrix", cudaGetErrorString(error));
    spry_csr csr = {a.pointer, a.column, a.value, 0};
    must(spry_wrap_csr(a.context, type, index, ROWS, ROWS, &csr, &a.matrix) == SPRY_OK, "spry_wrap_csr",
         spry_message(a.context));
    must(spry_matrix_nnz(a.matrix) == NONZEROS, "spry_wrap_csr", "another number of nonzeros");
}

template <class C, class T>
static void release(large &a) {
    spry_matrix_destroy(a.matrix);
    spry_array_free(a.context, a.pointer, (ROWS + 1) * sizeof(int64_t));
    spry_array_free(a.context, a.column, NONZEROS * sizeof(C));
    spry_array_free(a.context, a.value, NONZEROS * sizeof(T));
    spry_array_free(a.context, a.x, ROWS * sizeof(T));
    spry_array_free(a.context, a.y, ROWS * sizeof(T));
    spry_array_free(a.context, a.wrong, sizeof(unsigned long long));
}

static unsigned long long *clear_count(const large &a) {
    const unsigned long long none = 0;
    must(spry_array_put(a.context, a.wrong, &none, sizeof none) == SPRY_OK, "counter",
         spry_message(a.context));
    return static_cast<unsigned long long *>(a.wrong);
}

/* Waits for what was counted; `status` is what came before. */
static bool is_right(const large &a, spry_status status, const char *what, const char *how) {
    unsigned long long wrong = 0;
    if (!status)
        status = spry_array_get(a.context, a.wrong, &wrong, sizeof wrong);
    if (status || wrong) {
        faults++;
        fprintf(stderr, "%s, %s: %s, %llu wrong\n", what, how, status ? spry_message(a.context) : "done",
                wrong);
    }
    return !status && !wrong;
}

/* y = alpha A x + beta y, which must be A x all the same. */
template <class T>
static void check(const large &a, const spry_matrix *matrix, const spry_kernel *kernel, double alpha,
                  double beta) {
    const spry_kernel_info info = spry_kernel_describe(kernel);
    unsigned long long *wrong = clear_count(a);
    char how[80];
    snprintf(how, sizeof how, "%s %s %s, alpha %g, beta %g", spry_type_name(info.type),
             spry_index_name(info.index), info.op == SPRY_N ? "N" : "T", alpha, beta);
    spry_status status = spry_spmv_with(a.context, kernel, alpha, matrix, a.x, beta, a.y);
    count_wrong<<<GRID, BLOCK, 0, a.stream>>>(info.op == SPRY_T, static_cast<const T *>(a.y), wrong);
    is_right(a, status, info.name, how);
    products++;
}

/* y holds NaN before the first product, and A x before the second. */
template <class T>
static void check_kernel(const large &a, const spry_matrix *matrix, const spry_kernel *kernel) {
    cudaError_t error = cudaMemsetAsync(a.y, 0xff, ROWS * sizeof(T), a.stream);
    must(error == cudaSuccess, "filling y", cudaGetErrorString(error));
    check<T>(a, matrix, kernel, 1, 0);
    check<T>(a, matrix, kernel, 2, -1);
}

/* All kernels for A x in CSR, and the library's choice for Aᵀ x, which scatters: one way or the other for all. */
template <class T>
static void check_csr(const large &a) {
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        const spry_kernel *kernel = spry_kernel_at(k);
        if (spry_kernel_describe(kernel).op == SPRY_N && spry_kernel_takes(kernel, a.matrix) &&
            spry_kernel_runs(a.context, kernel))
            check_kernel<T>(a, a.matrix, kernel);
    }
    must(spry_kernel_for(a.matrix, SPRY_T) != nullptr, "Aᵀ x", "no kernel");
    check_kernel<T>(a, a.matrix, spry_kernel_for(a.matrix, SPRY_T));
}

/* A conversion that the device has no memory for says so, and is left out. */
static bool convert(const large &a, const spry_matrix *from, spry_format to, const char *words,
                    spry_matrix **result) {
    spry_status status = spry_convert(a.context, from, to, nullptr, result);
    if (status == SPRY_ERROR_MEMORY) {
        left_out++;
        printf("%s left out: %s\n", words, spry_message(a.context));
    } else if (status) {
        faults++;
        fprintf(stderr, "%s: %s\n", words, spry_message(a.context));
    } else
        conversions++;
    return !status;
}

template <class C, class T>
static void check_back(const large &a, const spry_matrix *matrix, const char *words) {
    spry_matrix *back;
    if (!convert(a, matrix, SPRY_CSR, words, &back))
        return;
    const spry_csr *csr = spry_matrix_csr(back);
    unsigned long long *wrong = clear_count(a);
    count_changed<<<GRID, BLOCK, 0, a.stream>>>(static_cast<const int64_t *>(csr->ptr),
                                                static_cast<const C *>(csr->idx),
                                                static_cast<const T *>(csr->val), wrong);
    is_right(a, SPRY_OK, words, "its entries");
    spry_matrix_destroy(back);
}

/* To a layout, its product, and back. */
template <class C, class T>
static void check_layout(const large &a, spry_format format) {
    spry_matrix *matrix;
    char words[80], back[96];
    snprintf(words, sizeof words, "csr to %s %s %s", spry_format_name(format),
             spry_type_name(spry_matrix_type(a.matrix)), spry_index_name(spry_matrix_index(a.matrix)));
    snprintf(back, sizeof back, "%s and back", words);
    if (!convert(a, a.matrix, format, words, &matrix))
        return;
    check_kernel<T>(a, matrix, spry_kernel_for(matrix, SPRY_N));
    check_back<C, T>(a, matrix, back);
    spry_matrix_destroy(matrix);
}

template <class C, class T>
static void check_types(spry_context *context, spry_value_type type, spry_index_type index) {
    large a = {context};
    make<C, T>(a, type, index);
    check_csr<T>(a);
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        if (format != SPRY_CSR)
            check_layout<C, T>(a, (spry_format)format);
    release<C, T>(a);
}

int main() {
    char reason[256];
    if (!spry_cuda_devices(reason, sizeof reason)) {
        printf("skipped: %s\n", reason);
        return TEST_SKIPPED;
    }
    spry_context_options options = {.size = sizeof options};
    options.backend = SPRY_CUDA;
    spry_context *context = test_context_with(&options);
    size_t free_bytes = 0, all_bytes = 0;
    cudaError_t error = cudaMemGetInfo(&free_bytes, &all_bytes);
    must(error == cudaSuccess, "cudaMemGetInfo", cudaGetErrorString(error));
    if (free_bytes < (size_t)BYTES) {
        printf("skipped: needs %.0f GB of device memory, %.0f GB are free\n", BYTES / 1e9, free_bytes / 1e9);
        return TEST_SKIPPED;
    }
    check_types<int32_t, double>(context, SPRY_F64, SPRY_I32P64);
    check_types<int32_t, float>(context, SPRY_F32, SPRY_I32P64);
    check_types<int64_t, double>(context, SPRY_F64, SPRY_I64);
    check_types<int64_t, float>(context, SPRY_F32, SPRY_I64);
    spry_context_destroy(context);
    printf("%lld products and %lld conversions with %lld nonzeros, %lld wrong, %lld left out\n",
           (long long)products, (long long)conversions, (long long)NONZEROS, (long long)faults,
           (long long)left_out);
    return faults ? EXIT_FAILURE : EXIT_SUCCESS;
}
