/* SPDX-License-Identifier: BSD-3-Clause */
/* A library with cuSPARSE's names and nothing behind them, for cusparse_library.c: its version, and what it lacks, are macros. It
   knows no header of cuSPARSE's, since functions that are never called may take anything. */

static int version[] = {STANDIN_VERSION};

int cusparseGetProperty(int property, int *value);
int cusparseGetProperty(int property, int *value) {
    *value = version[property];
    return 0;
}

const char *cusparseGetErrorString(int status);
const char *cusparseGetErrorString(int status) {
    return status == 1 ? "the stand-in does not begin" : "";
}

/* There is something to close only where STANDIN_BEGINS. */
int cusparseCreate(void **handle);
int cusparseCreate(void **handle) {
    *handle = STANDIN_BEGINS ? version : 0;
    return !STANDIN_BEGINS;
}

#define NAMED(name)                                                                                          \
    int cusparse##name(void);                                                                                \
    int cusparse##name(void) {                                                                               \
        return 0;                                                                                            \
    }

NAMED(CreateCoo)
NAMED(CreateCsr)
NAMED(CreateDnVec)
NAMED(Destroy)
NAMED(DestroyDnVec)
NAMED(DestroySpMat)
NAMED(SpMV)
NAMED(SpMV_bufferSize)
#if STANDIN_HAS_STREAMS
NAMED(SetStream)
#endif
#if STANDIN_HAS_SELL
NAMED(CreateSlicedEll)
#endif
#if STANDIN_HAS_OP
NAMED(SpMVOp)
NAMED(SpMVOp_bufferSize)
NAMED(SpMVOp_createDescr)
NAMED(SpMVOp_createPlan)
NAMED(SpMVOp_destroyDescr)
NAMED(SpMVOp_destroyPlan)
#endif
