/* SPDX-License-Identifier: BSD-3-Clause */
/* How a libcusparse is found by its path and taken for what it is, with stand-ins for libraries of several versions: see
   support/cusparse_standin.c. Arguments: their files, in the order of enum standin. */
#define CUSPARSE_ENABLE_EXPERIMENTAL_API 1
#include "cusparse/cusparse_library.h"

#include <stdlib.h>
#include <string.h>

#include "support/check.h"

/* What is declared for cusparseSpMVOp is what headers declare that have it so. */
#if CUSPARSE_VERSION >= 12801
#define SAME(function, member)                                                                               \
    _Static_assert(__builtin_types_compatible_p(__typeof__(&function),                                       \
                                                __typeof__(((struct spmv_op_functions *)0)->member)),        \
                   #function)
SAME(cusparseSpMVOp, run);
SAME(cusparseSpMVOp_bufferSize, buffer_size);
SAME(cusparseSpMVOp_createDescr, create_descr);
SAME(cusparseSpMVOp_createPlan, create_plan);
SAME(cusparseSpMVOp_destroyDescr, destroy_descr);
SAME(cusparseSpMVOp_destroyPlan, destroy_plan);
_Static_assert((int)SPMV_OP_ALG1 == (int)CUSPARSE_SPMVOP_ALG1, "the first algorithm");
_Static_assert((int)SPMV_OP_ALG2 == (int)CUSPARSE_SPMVOP_ALG2, "the second algorithm");
#endif

enum standin { NEWEST, BEFORE_ALGORITHMS, OLD, TOO_OLD, WITHOUT_STREAMS, FAILING, STANDIN_COUNT };

static void expect(bool holds, const char *what, const char *message) {
    check(holds, "%s; the message is '%s'", what, message);
}

/* The library in a file, or its refusal in `message`. */
static bool open_file(const char *file, struct cusparse *sparse, char *message, size_t size) {
    message[0] = '\0';
    setenv("SPRY_CUSPARSE", file, 1);
    return cusparse_open(sparse, NULL, message, size);
}

/* A library that is taken for its version, with and without what it takes to multiply in some way. */
static void takes(const char *file, const char *version, bool sell, const char *lacks_for_op) {
    struct cusparse sparse;
    char message[256];
    expect(open_file(file, &sparse, message, sizeof message), "it is taken", message);
    expect(strcmp(sparse.version, version) == 0, version, sparse.version);
    expect(cusparse_can(&sparse, USE_BASE, message, sizeof message), "it has what all takes", message);
    expect(cusparse_can(&sparse, USE_SPMV, message, sizeof message), "it has products", message);
    expect(sparse.SpMV && sparse.SpMV_bufferSize, "their functions are set", version);
    expect(cusparse_can(&sparse, USE_SELL, message, sizeof message) == sell, "sliced ELL", message);
    expect(sell || (strstr(message, version) && strstr(message, "cusparseCreateSlicedEll")),
           "the words name the version and what it lacks", message);
    bool op = cusparse_can(&sparse, USE_SPMV_OP, message, sizeof message);
    expect(op == !lacks_for_op, "cusparseSpMVOp", message);
    expect(op || (strstr(message, version) && strstr(message, lacks_for_op)), "why there is none", message);
    expect(!op || sparse.spmv_op.run, "its functions are set", version);
    expect(!cusparse_can(&sparse, USE_SPMM, message, sizeof message) && strstr(message, "cusparse"),
           "a whole group that it lacks", message);
    cusparse_close(&sparse);
}

static void refuses(const char *file, const char *word) {
    struct cusparse sparse;
    char message[256];
    expect(!open_file(file, &sparse, message, sizeof message), "it is refused", file);
    expect(strstr(message, word), word, message);
    expect(!sparse.handle, "nothing is left open", message);
}

/* Longer than any message. */
static void refuses_a_long_name(void) {
    char file[1000];
    memset(file, 'x', sizeof file);
    file[sizeof file - 1] = '\0';
    refuses(file, "cuSPARSE cannot be loaded");
}

int main(int argc, char **argv) {
    char **file = argv + 1;
    if (argc != 1 + STANDIN_COUNT) {
        printf("%d files of stand-ins are wanted\n", STANDIN_COUNT);
        return EXIT_FAILURE;
    }
    takes(file[NEWEST], "12.9.4", true, NULL);
    takes(file[BEFORE_ALGORITHMS], "12.7.10", true, "came with 12.8.1");
    takes(file[OLD], "11.7.5", false, "cusparseSpMVOp");
    refuses(file[TOO_OLD], "10.3.1");
    refuses(file[WITHOUT_STREAMS], "cusparseSetStream");
    refuses(file[FAILING], "the stand-in does not begin");
    refuses("/no/such/libcusparse.so", "/no/such/libcusparse.so");
    refuses(argv[0], "cuSPARSE cannot be loaded");
    refuses_a_long_name();
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
