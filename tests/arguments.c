/* SPDX-License-Identifier: BSD-3-Clause */
/* What every call makes of null pointers, and messages that are longer than a context has room for. */
#include <criterion/criterion.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "support/build.h"
#include "support/counting.h"

/* A call of null pointers alone, and the same with a context. */
#define REFUSED(call) cr_expect_eq(call, SPRY_ERROR_ARGUMENT, #call)
#define EMPTY(call, value) cr_expect_eq(call, value, #call)

Test(nulls, of_a_matrix) {
    EMPTY(spry_matrix_backend(NULL), SPRY_CPU);
    EMPTY(spry_matrix_format(NULL), SPRY_NO_FORMAT);
    EMPTY(spry_matrix_type(NULL), SPRY_NO_TYPE);
    EMPTY(spry_matrix_index(NULL), SPRY_NO_INDEX);
    EMPTY(spry_matrix_rows(NULL), 0);
    EMPTY(spry_matrix_cols(NULL), 0);
    EMPTY(spry_matrix_nnz(NULL), 0);
    EMPTY(spry_matrix_slots(NULL), 0);
    EMPTY(spry_matrix_bytes(NULL), 0);
    EMPTY(spry_matrix_padding(NULL), 0);
    EMPTY(spry_matrix_coo(NULL), NULL);
    EMPTY(spry_matrix_csr(NULL), NULL);
    EMPTY(spry_matrix_csc(NULL), NULL);
    EMPTY(spry_matrix_ell(NULL), NULL);
    EMPTY(spry_matrix_hyb(NULL), NULL);
    EMPTY(spry_matrix_jds(NULL), NULL);
    EMPTY(spry_matrix_sell(NULL), NULL);
    EMPTY(spry_matrix_stencil(NULL), NULL);
    EMPTY(spry_matrix_shape(NULL), NULL);
    EMPTY(spry_matrix_dia(NULL), NULL);
    EMPTY(spry_matrix_bsr(NULL), NULL);
    spry_storage storage = {.format = SPRY_CSR, .values = SPRY_VALUES_F32};
    spry_matrix_storage(NULL, &storage);
    cr_expect(storage.format == SPRY_NO_FORMAT && storage.values == SPRY_VALUES_PLAIN);
    spry_matrix_storage(NULL, NULL);
    spry_storage_text(&storage, NULL, 5);
    char text[5] = "####";
    spry_storage_text(NULL, text, sizeof text);
    cr_expect_str_eq(text, "?");
    EMPTY(spry_storage_parse(NULL, &storage, NULL), SPRY_ERROR_ARGUMENT);
    EMPTY(spry_storage_parse("csr", NULL, NULL), SPRY_ERROR_ARGUMENT);
    EMPTY(strcmp(spry_value_code_name(SPRY_NO_VALUES), "?"), 0);
}

Test(nulls, of_tables) {
    spry_context *context = test_context(1);
    spry_kernel_info kernel = spry_kernel_describe(NULL);
    spry_kernel_get_info(spry_kernel_at(0), NULL, sizeof kernel);
    cr_expect_str_empty(kernel.name);
    cr_expect_str_empty(kernel.needs);
    cr_expect(kernel.format == SPRY_NO_FORMAT && kernel.op == SPRY_NO_OP &&
              kernel.backend == SPRY_NO_BACKEND && kernel.type == SPRY_NO_TYPE &&
              kernel.index == SPRY_NO_INDEX && kernel.values == SPRY_NO_VALUES &&
              kernel.columns == SPRY_NO_COLUMNS);
    EMPTY(spry_kernel_runs(NULL, NULL), 0);
    EMPTY(spry_kernel_runs(context, NULL), 0);
    EMPTY(spry_kernel_runs(NULL, spry_kernel_at(0)), 0);
    EMPTY(spry_kernel_for(NULL, SPRY_N), NULL);
    EMPTY(spry_kernel_takes(NULL, NULL), 0);
    EMPTY(spry_kernel_takes(spry_kernel_at(0), NULL), 0);
    spry_algorithm_info algorithm = spry_algorithm_describe(NULL);
    spry_algorithm_get_info(spry_algorithm_at(0), NULL, sizeof algorithm);
    cr_expect_str_empty(algorithm.name);
    cr_expect_str_empty(algorithm.needs);
    cr_expect(algorithm.primitive == SPRY_NO_PRIMITIVE && algorithm.backend == SPRY_NO_BACKEND &&
              algorithm.number == SPRY_NO_NUMBER);
    EMPTY(spry_algorithm_runs(NULL, NULL), 0);
    EMPTY(spry_algorithm_runs(context, NULL), 0);
    EMPTY(spry_algorithm_runs(NULL, spry_algorithm_at(0)), 0);
    EMPTY(spry_algorithm_for(NULL, SPRY_REDUCE, SPRY_NUMBER_F64), NULL);
    EMPTY(spry_format_by_name(NULL), SPRY_NO_FORMAT);
    EMPTY(spry_method_by_name(NULL), SPRY_NO_METHOD);
    EMPTY(spry_precond_by_name(NULL), SPRY_NO_PRECOND);
    spry_context_destroy(context);
}

/* What no context can be made of. */
Test(contexts, refused) {
    static const char *const unknown[] = {"avx3", "avx2,,sse", ",no_such_kernel", "avx"};
    spry_context_options options = test_options();
    spry_context *context;
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        options = test_options();
        options.disable = unknown[i];
        context = (spry_context *)&options; /* must be overwritten */
        cr_expect_eq(spry_context_create(&context, &options), SPRY_ERROR_ARGUMENT, "%s", unknown[i]);
        cr_expect_null(context);
    }
    static const int threads[] = {-1, INT_MIN, SPRY_MAX_THREADS + 1};
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        options = test_options();
        options.threads = threads[i];
        context = (spry_context *)&options;
        cr_expect_eq(spry_context_create(&context, &options), SPRY_ERROR_ARGUMENT, "%d", threads[i]);
        cr_expect_null(context);
    }
    options = test_options();
    options.grain = -1;
    context = (spry_context *)&options;
    cr_expect_eq(spry_context_create(&context, &options), SPRY_ERROR_ARGUMENT);
    cr_expect_null(context);
}

Test(nulls, of_a_context) {
    char text[8] = "unset";
    REFUSED(spry_context_create(NULL, NULL));
    spry_context_destroy(NULL);
    cr_expect_str_empty(spry_message(NULL));
    EMPTY(spry_context_threads(NULL), 0);
    EMPTY(spry_context_team(NULL), 1);
    EMPTY(spry_context_backend(NULL), SPRY_CPU);
    EMPTY(spry_context_stream(NULL), NULL);
    REFUSED(spry_synchronize(NULL));
    cr_expect_geq(spry_cuda_devices(NULL, 0), 0);
    REFUSED(spry_array_new(NULL, 8, NULL));
    spry_array_free(NULL, NULL, 8);
    REFUSED(spry_array_put(NULL, NULL, NULL, 8));
    REFUSED(spry_array_get(NULL, NULL, NULL, 8));
    spry_matrix_destroy(NULL);
    spry_solver_destroy(NULL);
    spry_precond_destroy(NULL);
    spry_scaled_destroy(NULL);
    spry_trsv_destroy(NULL);
    spry_halo_destroy(NULL);
    EMPTY(spry_halo_count(NULL), 0);
    EMPTY(spry_halo_columns(NULL), NULL);
    EMPTY(spry_halo_begin(NULL), NULL);
    EMPTY(spry_precond_shift(NULL), 0);
    EMPTY(spry_trsv_levels(NULL), 0);
    EMPTY(spry_operator_of_matrix(NULL).n, -1);
    spry_operator_set_matrix(NULL, NULL, sizeof(spry_operator));
    spry_operator_set_precond(NULL, NULL, sizeof(spry_operator));
    spry_operator_set_scaled(NULL, NULL, sizeof(spry_operator));
    EMPTY(spry_operator_of_scaled(NULL).n, -1);
    EMPTY(spry_operator_of_precond(NULL).n, -1);
    EMPTY(spry_profile_machine(NULL), NULL);
    cr_expect_str_eq(spry_format_title(SPRY_FORMAT_COUNT), "?");
    spry_ranking_destroy(NULL);
    cr_expect_eq(spry_ranking_count(NULL), 0);
    cr_expect_null(spry_ranking_choice(NULL, 0));
    cr_expect_null(spry_ranking_statistics(NULL));
    cr_expect_eq(spry_ranking_products(NULL), 0);
    cr_expect_eq(spry_ranking_measured(NULL), 0);
    spry_explain(NULL, 0, NULL, 0);
    spry_explain(NULL, 0, text, sizeof text);
    cr_expect_str_empty(text);
}

/* Without a context, and then with one. */
Test(nulls, of_calls_with_a_status) {
    spry_context *contexts[] = {NULL, test_context(1)};
    for (int c = 0; c < 2; c++) {
        spry_context *context = contexts[c];
        REFUSED(spry_array_new(context, 8, NULL));
        REFUSED(spry_array_put(context, NULL, NULL, 8));
        REFUSED(spry_array_get(context, NULL, NULL, 8));
        REFUSED(spry_wrap_coo(context, SPRY_F64, SPRY_I32, 1, 1, 1, NULL, NULL));
        REFUSED(spry_wrap_csr(context, SPRY_F64, SPRY_I32, 1, 1, NULL, NULL));
        REFUSED(spry_wrap_csc(context, SPRY_F64, SPRY_I32, 1, 1, NULL, NULL));
        REFUSED(spry_matrix_copy(context, NULL, NULL));
        REFUSED(spry_validate(context, NULL, 0));
        REFUSED(spry_update_values(context, NULL, NULL));
        REFUSED(spry_wrap_sell(context, SPRY_F64, SPRY_I32, 1, 1, NULL, NULL));
        REFUSED(spry_wrap_bsr(context, SPRY_F64, SPRY_I32, 1, 1, NULL, NULL));
        REFUSED(spry_convert(context, NULL, SPRY_CSR, NULL, NULL));
        REFUSED(spry_convert_to(context, NULL, NULL, NULL, NULL));
        REFUSED(spry_cast(context, NULL, SPRY_F32, SPRY_I32, NULL));
        REFUSED(spry_transpose(context, NULL, NULL));
        REFUSED(spry_halo_create(context, NULL, 1, NULL, 0, NULL, NULL, NULL));
        REFUSED(spry_spmv(context, SPRY_N, 1, NULL, NULL, 0, NULL));
        REFUSED(spry_spmv_dot(context, NULL, NULL, NULL, NULL, NULL));
        REFUSED(spry_spmv_with(context, NULL, 1, NULL, NULL, 0, NULL));
        REFUSED(spry_spmm(context, SPRY_N, 1, NULL, NULL, 0, NULL));
        REFUSED(spry_reserve(context, NULL, SPRY_N));
        REFUSED(spry_read(context, NULL, NULL, NULL, NULL));
        REFUSED(spry_read_memory(context, NULL, NULL, 1, NULL, NULL, NULL));
        REFUSED(spry_read_descriptor(context, NULL, 0, NULL, NULL, NULL));
        REFUSED(spry_write(context, NULL, NULL));
        REFUSED(spry_select(context, NULL, NULL, NULL));
        REFUSED(spry_profile_path(context, NULL, 0));
        REFUSED(spry_draft_profile(context, NULL, 0));
        REFUSED(spry_row_length_stats(context, NULL, NULL));
        REFUSED(spry_matrix_statistics(context, NULL, NULL));
        REFUSED(spry_sum(context, SPRY_NUMBER_F64, 1, NULL, NULL));
        REFUSED(spry_dot(context, SPRY_NUMBER_F64, 1, NULL, NULL, NULL));
        REFUSED(spry_norm2(context, SPRY_NUMBER_F64, 1, NULL, NULL));
        REFUSED(spry_max_abs(context, SPRY_NUMBER_F64, 1, NULL, NULL));
        REFUSED(spry_scan(context, SPRY_INCLUSIVE, SPRY_NUMBER_F64, 1, NULL, NULL));
        REFUSED(spry_histogram(context, SPRY_NUMBER_I32, 1, NULL, 1, NULL));
        REFUSED(spry_axpby(context, SPRY_NUMBER_F64, 1, 1, NULL, 0, NULL));
        REFUSED(spry_axpby_dot(context, SPRY_NUMBER_F64, 1, 1, NULL, 0, NULL, NULL, NULL));
        REFUSED(spry_gemm(context, SPRY_F64, 1, NULL, NULL, 0, NULL));
        REFUSED(spry_solver_create(context, NULL, NULL, NULL, NULL));
        REFUSED(spry_solve(NULL, NULL, NULL, NULL));
        REFUSED(spry_precond_create(context, NULL, NULL, NULL));
        REFUSED(spry_scaled_create(context, NULL, NULL, NULL, NULL));
        REFUSED(spry_scaled_spmv(context, SPRY_N, 1, NULL, NULL, 0, NULL));
        REFUSED(spry_precond_update(context, NULL, NULL));
        REFUSED(spry_precond_apply(context, NULL, NULL, NULL));
        REFUSED(spry_trsv_create(context, NULL, SPRY_LOWER, SPRY_N, 0, NULL));
        REFUSED(spry_trsv_solve(context, NULL, NULL, NULL));
    }
    REFUSED(spry_load_profile(NULL, NULL)); /* with a context, a null path is the usual one */
    spry_context_destroy(contexts[1]);
}

/* After another message, so that an old one is seen. */
#define WITHOUT_RESULT(call)                                                                                 \
    do {                                                                                                     \
        REFUSED(spry_spmv(context, SPRY_N, 1, NULL, NULL, 0, NULL));                                         \
        REFUSED(call);                                                                                       \
        cr_expect(strstr(spry_message(context), "the pointer to the result is null"), "%s: %s", #call,       \
                  spry_message(context));                                                                    \
    } while (0)

Test(nulls, of_results) {
    spry_context *context = test_context(1);
    WITHOUT_RESULT(spry_array_new(context, 8, NULL));
    WITHOUT_RESULT(spry_wrap_coo(context, SPRY_F64, SPRY_I32, 1, 1, 1, NULL, NULL));
    WITHOUT_RESULT(spry_wrap_csr(context, SPRY_F64, SPRY_I32, 1, 1, NULL, NULL));
    WITHOUT_RESULT(spry_wrap_csc(context, SPRY_F64, SPRY_I32, 1, 1, NULL, NULL));
    WITHOUT_RESULT(spry_wrap_sell(context, SPRY_F64, SPRY_I32, 1, 1, NULL, NULL));
    WITHOUT_RESULT(spry_wrap_bsr(context, SPRY_F64, SPRY_I32, 1, 1, NULL, NULL));
    WITHOUT_RESULT(spry_matrix_copy(context, NULL, NULL));
    WITHOUT_RESULT(spry_convert(context, NULL, SPRY_CSR, NULL, NULL));
    WITHOUT_RESULT(spry_convert(context, NULL, SPRY_AUTO, NULL, NULL));
    WITHOUT_RESULT(spry_convert_to(context, NULL, NULL, NULL, NULL));
    WITHOUT_RESULT(spry_cast(context, NULL, SPRY_F32, SPRY_I32, NULL));
    WITHOUT_RESULT(spry_transpose(context, NULL, NULL));
    WITHOUT_RESULT(spry_halo_create(context, NULL, 1, NULL, 0, NULL, NULL, NULL));
    WITHOUT_RESULT(spry_select(context, NULL, NULL, NULL));
    WITHOUT_RESULT(spry_profile_path(context, NULL, 0));
    WITHOUT_RESULT(spry_draft_profile(context, NULL, 0));
    WITHOUT_RESULT(spry_row_length_stats(context, NULL, NULL));
    WITHOUT_RESULT(spry_matrix_statistics(context, NULL, NULL));
    WITHOUT_RESULT(spry_solver_create(context, NULL, NULL, NULL, NULL));
    WITHOUT_RESULT(spry_precond_create(context, NULL, NULL, NULL));
    WITHOUT_RESULT(spry_scaled_create(context, NULL, NULL, NULL, NULL));
    WITHOUT_RESULT(spry_trsv_create(context, NULL, SPRY_LOWER, SPRY_N, 0, NULL));
    spry_context_destroy(context);
}

/* That a call was refused, in words that begin with its name. */
static void expect_named(const spry_context *context, spry_status status, const char *name) {
    const char *words = spry_message(context);
    cr_expect_neq(status, SPRY_OK, "%s", name);
    cr_expect(strncmp(words, name, strlen(name)) == 0 && strchr(": ", words[strlen(name)]), "%s: \"%s\"",
              name, words);
}

#define NAMED(call, ...) expect_named(context, call(context, __VA_ARGS__), #call)

Test(messages, of_new_matrices_name_the_call) {
    spry_context *context = test_context(1);
    static int32_t ptr[] = {0, -1};
    struct placed pointers = placed_new(context, ptr, sizeof ptr, 0);
    const spry_coo coo = {.base = 2};
    const spry_csr csr = {.ptr = pointers.data, .base = 2}, falls = {.ptr = pointers.data};
    const spry_csc csc = {.ptr = pointers.data, .base = 2};
    const spry_sell sell = {.ptr = pointers.data, .height = 1, .unit = 1};
    const spry_bsr bsr = {.ptr = pointers.data, .height = 1, .width = 1};
    spry_matrix *matrix;
    NAMED(spry_wrap_coo, SPRY_F64, SPRY_I32, 1, 1, -1, &coo, &matrix);
    NAMED(spry_wrap_coo, SPRY_F64, SPRY_I32, 1, 1, 0, &coo, &matrix);
    NAMED(spry_wrap_coo, SPRY_TYPE_COUNT, SPRY_I32, 1, 1, 0, &coo, &matrix);
    NAMED(spry_wrap_csr, SPRY_F64, SPRY_I32, 1, INT64_MAX, &csr, &matrix);
    NAMED(spry_wrap_csr, SPRY_F64, SPRY_I32, 1, 1, &csr, &matrix);
    NAMED(spry_wrap_csr, SPRY_F64, SPRY_I32, 1, 1, &falls, &matrix);
    NAMED(spry_wrap_csr, SPRY_F64, SPRY_I32, 1, 1, NULL, &matrix);
    NAMED(spry_wrap_csc, SPRY_F64, SPRY_INDEX_COUNT, 1, 1, &csc, &matrix);
    NAMED(spry_wrap_csc, SPRY_F64, SPRY_I32, 1, 1, &csc, &matrix);
    NAMED(spry_wrap_sell, SPRY_F64, SPRY_I32, -1, 1, &sell, &matrix);
    NAMED(spry_wrap_sell, SPRY_F64, SPRY_I32, 1, 1, &sell, &matrix);
    NAMED(spry_wrap_bsr, SPRY_F64, SPRY_I32, -1, 1, &bsr, &matrix);
    NAMED(spry_wrap_bsr, SPRY_F64, SPRY_I32, 1, 1, &bsr, &matrix);
    placed_free(&pointers);
    spry_context_destroy(context);
}

Test(messages, of_choices_name_the_call) {
    spry_context *context = test_context(1);
    struct list list = list_new(2, 2);
    struct built built = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    const spry_matrix *csr = built.matrix;
    const spry_storage storage = {.format = SPRY_SELL};
    spry_convert_options how = {.size = sizeof how, .fill_limit = -1};
    spry_select_options by = {.size = sizeof by, .measure = -1};
    spry_precond_options kind = {.size = sizeof kind, .omega = 2};
    spry_matrix *result = NULL;
    spry_ranking *ranking;
    spry_precond *precond;
    NAMED(spry_convert, csr, SPRY_SELL, &how, &result);
    NAMED(spry_convert, csr, SPRY_AUTO, &how, &result);
    NAMED(spry_convert, csr, SPRY_SELL, NULL, NULL);
    NAMED(spry_convert, NULL, SPRY_SELL, NULL, &result);
    NAMED(spry_convert_to, csr, &storage, &how, &result);
    NAMED(spry_convert_to, csr, &storage, NULL, NULL);
    NAMED(spry_convert_to, NULL, &storage, NULL, &result);
    how = (spry_convert_options){.size = sizeof how, .products = -1};
    NAMED(spry_convert_to, csr, &storage, &how, &result);
    NAMED(spry_select, csr, &by, &ranking);
    NAMED(spry_precond_create, csr, &kind, &precond);
    kind = (spry_precond_options){.size = sizeof kind, .block = -1};
    NAMED(spry_precond_create, csr, &kind, &precond);
    NAMED(spry_cast, csr, SPRY_TYPE_COUNT, SPRY_I32, &result);
    cr_assert_eq(spry_cast(context, csr, SPRY_F32, SPRY_I32, &result), SPRY_OK);
    NAMED(spry_update_values, result, csr);
    NAMED(spry_array_put, NULL, &list, 8);
    NAMED(spry_array_get, NULL, &list, 8);
    spry_matrix_destroy(result);
    built_free(&built);
    list_free(&list);
    spry_context_destroy(context);
}

/* A path of folders that are not there; each has an umlaut, so that cuts meet characters of two bytes. */
static char *long_path(size_t length) {
    char *path = test_malloc(length + 64);
    strcpy(path, "begin");
    while (strlen(path) < length)
        strcat(path, "/\xc3\xbc.folder");
    strcat(path, "/end.mtx");
    return path;
}

/* Whether all bytes from 0x80 on are whole characters of two or three. */
static bool is_utf8(const char *text) {
    for (; *text; text++) {
        int more = (*text & 0xe0) == 0xc0 ? 1 : (*text & 0xf0) == 0xe0 ? 2 : 0;
        if (!more && (*text & 0x80))
            return false;
        for (; more > 0; more--)
            if ((*++text & 0xc0) != 0x80)
                return false;
    }
    return true;
}

/* The begin of the path, its end, and the reason, whatever the length. */
Test(messages, name_the_reason_after_a_long_path) {
    spry_context *context = test_context(1);
    for (size_t length = 900; length < 3100; length += length < 1100 ? 1 : 50) {
        char *path = long_path(length);
        spry_matrix *matrix;
        cr_expect_eq(spry_read(context, path, NULL, &matrix, NULL), SPRY_ERROR_IO);
        const char *message = spry_message(context);
        cr_expect(strstr(message, "begin/"), "%s", message);
        cr_expect(strstr(message, "/end.mtx"), "%s", message);
        cr_expect(strstr(message, "No such file"), "%s", message);
        cr_expect(strlen(message) < 1024 && is_utf8(message), "%s", message);
        cr_expect(strstr(message, "…") || strstr(message, path), "%s", message);
        free(path);
    }
    spry_context_destroy(context);
}

Test(messages, name_the_place_in_a_file_with_a_long_name) {
    static const char text[] = "%%MatrixMarket matrix coordinate real general\n1 1 x\n";
    spry_context *context = test_context(1);
    char *name = long_path(3000);
    spry_matrix *matrix;
    cr_expect_eq(spry_read_memory(context, name, text, sizeof text - 1, NULL, &matrix, NULL),
                 SPRY_ERROR_SYNTAX);
    cr_expect(strstr(spry_message(context), "end.mtx:2:5: got \"x\""), "%s", spry_message(context));
    free(name);
    spry_context_destroy(context);
}

/* Characters of two and three bytes wherever a message is cut. */
Test(messages, are_cut_between_characters) {
    static const char *const characters[] = {"\xc3\xbc", "\xe2\x82\xac"};
    spry_context *context = test_context(1);
    for (int c = 0; c < 2; c++)
        for (size_t before = 0; before < 3; before++)
            for (size_t behind = 0; behind < 3; behind++) {
                char name[4000] = "";
                memset(name, 'b', before);
                for (int i = 0; i < 800; i++)
                    strcat(name, characters[c]);
                memset(name + strlen(name), 'e', behind);
                spry_matrix *matrix;
                cr_expect_eq(spry_read_memory(context, name, NULL, 1, NULL, &matrix, NULL),
                             SPRY_ERROR_ARGUMENT);
                const char *message = spry_message(context);
                cr_expect(is_utf8(message) && strstr(message, "…"), "%s", message);
                cr_expect(strlen(message) > 1015 && strlen(message) < 1024, "%zu", strlen(message));
                cr_expect(strncmp(message, name, 500) == 0 && strstr(message, ": the text is null"), "%s",
                          message);
            }
    spry_context_destroy(context);
}

/* Without memory for all of it, a message that is too long begins as it would. */
Test(messages, are_cut_without_memory) {
    struct counting counting;
    counting_start(&counting);
    spry_context *context = counting_context(&counting, 1);
    char *name = long_path(3000);
    spry_matrix *matrix;
    counting_refuse(&counting, 1);
    cr_expect_eq(spry_read_memory(context, name, NULL, 1, NULL, &matrix, NULL), SPRY_ERROR_ARGUMENT);
    cr_expect(counting.refused);
    cr_expect_eq(strlen(spry_message(context)), 1023);
    cr_expect_eq(strncmp(spry_message(context), name, 1023), 0, "%s", spry_message(context));
    free(name);
    spry_context_destroy(context);
    cr_expect_eq(counting.live_blocks, 0);
}
