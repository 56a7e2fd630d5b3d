/* SPDX-License-Identifier: BSD-3-Clause */
/** @file solve.h  Iterative solvers of A x = b, preconditioners and triangular solves. */
#ifndef SPRY_SOLVE_H
#define SPRY_SOLVE_H

#include "matrix.h"

/**
 * A square operator: something that can be applied to a vector. Make one of a matrix (spry_operator_of_matrix), of a
 * preconditioner (spry_operator_of_precond), or fill it in by hand for a product without a matrix.
 */
typedef struct spry_operator {
    SPRY_SIZE(spry_operator); /**< sizeof(spry_operator), see sized.h */
    int64_t n;                /**< rows and columns */
    spry_value_type type;     /**< of the vectors */
    /**
     * y = A x, x and y of n values, where the context works, not overlapping. With a CUDA context the work goes into
     * the context's stream and need not be waited for. A status other than SPRY_OK ends the solve with that status.
     */
    spry_status (*apply)(spry_context *context, void *user, const void *x, void *y);
    void *user; /**< handed to apply */
    /** CUDA: 1 when `apply` does nothing but put the same work into the stream each time, so that it can be captured
     *  once in a CUDA graph and replayed. 0: it is called for every application. */
    int capturable;
    const spry_matrix *matrix; /**< null, or the matrix that this is a product with */
    /** Of a preconditioner: null, or n values where the context works: then y[i] = diagonal[i] x[i], and `apply` is not called,
     *  which may be null. A rank without rows (spry_rank_sum) has null for both, or a pointer that is not where the others have
     *  one. Of the A of a solver `apply` is called in any case, and this is not looked at. */
    const void *diagonal;
} spry_operator;

/** How A x = b is solved. */
typedef enum spry_method {
    SPRY_CG, /**< conjugate gradients, for symmetric positive definite A and preconditioner */
    SPRY_MINRES, /**< minimal residuals, for symmetric A, definite or not, and a positive definite preconditioner */
    SPRY_BICGSTAB, /**< stabilised biconjugate gradients, for any A; preconditioned from the right */
    SPRY_GMRES,    /**< generalised minimal residuals, restarted, for any A; preconditioned from the right */
    SPRY_METHOD_COUNT,
    SPRY_NO_METHOD = -1
} spry_method;

/** How a solve ended. */
typedef enum spry_outcome {
    SPRY_RUNNING,   /**< it has not: what a monitor sees */
    SPRY_CONVERGED, /**< |b − A x|, computed from the x that is returned, is within the tolerance */
    SPRY_LIMIT,     /**< the iteration limit was reached first */
    SPRY_BREAKDOWN, /**< a number that has to be divided by became zero: try another method, or another guess */
    SPRY_INDEFINITE, /**< CG, or MINRES for its preconditioner: not positive definite */
    SPRY_DIVERGED,   /**< the residual grew to `divergence` times the first one */
    SPRY_NOT_FINITE, /**< infinity or NaN came up */
    SPRY_STAGNATED, /**< |b − A x| stays above the tolerance, though the method's own residual is below: for rounding, or A is
                         singular */
    SPRY_CANCELLED, /**< the monitor said so */
    SPRY_OUTCOME_COUNT
} spry_outcome;

/**
 * Called with each iteration's residual norm, in order and from the thread that called spry_solve. On a device
 * iterations are looked at several at a time, so it is behind by some. Return 0 to go on, another number to stop.
 * Where ranks solve together, all of them stop when one's monitor says so, an iteration or a look later.
 */
typedef int spry_monitor(void *user, int64_t iteration, double residual);

/**
 * Ranks solve one system together: processes or threads, each with a context, a solver, and the rows of A, b and x
 * that it owns, which may be none. Only two things go from one to another: what `apply` of the caller's operator
 * fetches of others' x, and this sum. Each of `count` values becomes its sum over all ranks, with the same bits on
 * every one of them: what comes of it decides when a solve ends, so that all end together. On the CPU they are on the
 * host (MPI_Allreduce). With a CUDA context they are on the device, and the work goes into the context's stream,
 * which need not be waited for (ncclAllReduce). A status other than SPRY_OK ends the solve on this rank with that
 * status; SPRY_ERROR_RANKS is there for it.
 *
 * Ranks call spry_solve together, with the same options but for the monitor, on one kind of machine and backend. A
 * solve then has the same outcome, iterations and norms on all of them; norms are those of the whole vectors. When
 * `apply`, `sum` or the device fails on one rank, spry_solve returns there, and the others wait for its sum: the
 * caller ends them (MPI_Abort). What spry_solve refuses before it begins, all get to know: the others return
 * SPRY_ERROR_RANKS. See docs/solvers.md.
 */
typedef spry_status spry_rank_sum(spry_context *context, void *user, double *values, int count);

/** Choices for a solver. 0 stands for each default. */
typedef struct spry_solver_options {
    SPRY_SIZE(spry_solver_options); /**< sizeof(spry_solver_options), see sized.h */
    spry_method method;
    /** It has converged when |b − A x| ≤ max(relative |b|, absolute). 0 and 0: 1e-8 relative for f64, 1e-5 for f32. */
    double relative, absolute;
    double divergence;     /**< 0: 1e5 */
    int64_t iterations;    /**< most of them; 0: 10,000 */
    int restart;           /**< GMRES: vectors before it restarts, 64 at most; 0: 30 */
    int use_guess;         /**< 1: x holds a first guess; 0: it is taken as zero, and not read */
    int history;           /**< 1: keep the residual norm of every iteration */
    int check_interval;    /**< CUDA: iterations between two looks by the host; 0: it chooses */
    spry_monitor *monitor; /**< null for none */
    void *user;            /**< handed to the monitor */
    /** Null, or what adds up over all ranks that solve together; see spry_rank_sum. */
    spry_rank_sum *sum;
    void *sum_user; /**< handed to `sum` */
    /** CUDA: 1 when `sum` does nothing but put the same work into the stream each time, as NCCL does, so that it can be
     *  captured once in a CUDA graph and replayed. 0: it is called for every sum. */
    int64_t sum_capturable;
} spry_solver_options;

/** What came of a solve. */
typedef struct spry_solve_result {
    SPRY_SIZE(spry_solve_result); /**< sizeof(spry_solve_result), see sized.h */
    spry_outcome outcome;
    int64_t iterations;
    double norm_b;   /**< |b| */
    double residual; /**< |b − A x|, computed from the x that is returned */
    double estimate; /**< the last norm that the method itself had for it */
    /** iterations + 1 norms, from that of the first guess on, until the next solve; else null */
    const double *history;
} spry_solve_result;

/**
 * A solver with all its workspace, for one context, operator and preconditioner, which must outlive it. It is used by one
 * thread at a time: threads that solve at the same time have a context, a solver and a preconditioner each, and may share
 * the matrix.
 */
typedef struct spry_solver spry_solver;

/** An approximate inverse, built once and applied in every iteration, by one thread at a time. */
typedef struct spry_precond spry_precond;

/** What a preconditioner is. D, L and U are the diagonal and the strict lower and upper triangles of A. */
typedef enum spry_precond_kind {
    SPRY_JACOBI,       /**< D⁻¹ */
    SPRY_BLOCK_JACOBI, /**< the inverses of the blocks along the diagonal */
    SPRY_SSOR, /**< symmetric successive over-relaxation: (2−ω)/ω (D/ω + U)⁻¹ D (D/ω + L)⁻¹ */
    SPRY_ILU0, /**< incomplete LU factors with the pattern of A */
    SPRY_IC0,  /**< incomplete Cholesky factor with the pattern of A's lower triangle, for symmetric A */
    SPRY_CHEBYSHEV, /**< a polynomial in D⁻¹ A, for symmetric positive definite A */
    SPRY_FSAI, /**< Gᵀ G, G near the inverse of A's Cholesky factor, for symmetric positive definite A */
    SPRY_PRECOND_COUNT,
    SPRY_NO_PRECOND = -1
} spry_precond_kind;

/** Choices for a preconditioner. 0 stands for each default. */
typedef struct spry_precond_options {
    SPRY_SIZE(spry_precond_options); /**< sizeof(spry_precond_options), see sized.h */
    spry_precond_kind kind;
    int block;    /**< block Jacobi: rows of a block, 32 at most; 0: 8 */
    double omega; /**< SSOR: 0 < omega < 2; 0: 1 */
    int degree;   /**< Chebyshev: products with A in each application, 100 at most; 0: 4 */
    /** Chebyshev: bounds of the eigenvalues of D⁻¹ A that it works on. 0 for `largest`: estimated; for `smallest`: a
     *  share of it that suits the degree, 1/30 for 4. `smallest` is at most `largest`: alone it is refused. */
    double smallest, largest;
    /** IC(0), ILU(0), FSAI: added to the diagonal before factoring, as a multiple of its entry's absolute value. IC(0)
     *  raises it by itself until all pivots are positive. */
    double shift;
    /** Chebyshev: the kind that it is a polynomial over, any other; 0 (SPRY_JACOBI): the diagonal. Bounds are then those of
     *  the eigenvalues of C⁻¹ A, where C⁻¹ is that kind, with these options. It must be positive definite. */
    spry_precond_kind inner;
    /** SSOR, ILU(0), IC(0): Jacobi sweeps that stand for each triangular solve, 100 at most; 0: it is solved exactly. */
    int sweeps;
    /** 1: made and applied in f32, whatever the type of the matrix; vectors are converted on the way in and out. What is in
     *  them, and in the matrix, has to be in the range of f32, about 1e-38 to 1e38. For SPRY_JACOBI, which the methods apply
     *  on the way, and for matrices in f32 it changes nothing. */
    int64_t single;
    /** FSAI: row i of G has entries where a path of so many steps in A leads from i to it or to an earlier row: 1 for
     *  the lower triangle of A, 2 for that of its square; 0: 1. */
    int power;
    /** FSAI: entries of a row of G, 64 at most; 0: 32. Of a row that would have more, those with the strongest paths
     *  are kept: a step from i to j weighs |a_ij| / sqrt(a_ii a_jj), and a path the product of its steps. */
    int entries;
    /** FSAI: 1: the factors' values are kept as they are, so that spry_precond_update takes any. 0: in a code, or as
     *  stencils, where that should be faster; an update then refuses values that this cannot keep, with
     *  SPRY_ERROR_UNSUPPORTED. */
    int64_t values_change;
    /** SSOR, ILU(0), IC(0): 1: made of the rows in the order of colours, none of which has rows that depend on each other, so
     *  that triangular solves have as many levels as there are colours, often 2 to 20. 0: in the order of the rows. */
    int64_t colours;
} spry_precond_options;

/** A matrix between two diagonals that are kept apart from it, D₁ A D₂. */
typedef struct spry_scaled spry_scaled;

/** Which triangle of a matrix a triangular solve takes; what is in the other one is passed over. */
typedef enum spry_triangle { SPRY_LOWER, SPRY_UPPER, SPRY_TRIANGLE_COUNT } spry_triangle;

/** A triangular matrix, prepared for solving. */
typedef struct spry_trsv spry_trsv;

#ifdef __cplusplus
extern "C" {
#endif

/** Fill an operator of `size` bytes: what spry_operator_of_matrix and spry_operator_of_precond do with the size that the
 *  caller was compiled with. Nothing is done where `made` is null. */
SPRY_API void spry_operator_set_matrix(const spry_matrix *matrix, spry_operator *made, size_t size);
SPRY_API void spry_operator_set_precond(const spry_precond *precond, spry_operator *made, size_t size);
SPRY_API void spry_operator_set_scaled(const spry_scaled *scaled, spry_operator *made, size_t size);

/** The product with a matrix, in any format. It must be square and outlive the operator; of a matrix that is not, and of null, n is
 *  -1, which no call takes. */
static inline spry_operator spry_operator_of_matrix(const spry_matrix *matrix) {
    spry_operator made;
    spry_operator_set_matrix(matrix, &made, sizeof made);
    return made;
}

/** The application of a preconditioner, which must outlive the operator. Of null, n is -1. */
static inline spry_operator spry_operator_of_precond(const spry_precond *precond) {
    spry_operator made;
    spry_operator_set_precond(precond, &made, sizeof made);
    return made;
}

/** The product with a scaled matrix, which must be square and outlive the operator; of one that is not, and of null, n is -1. */
static inline spry_operator spry_operator_of_scaled(const spry_scaled *scaled) {
    spry_operator made;
    spry_operator_set_scaled(scaled, &made, sizeof made);
    return made;
}

/**
 * Make a solver: all workspace is taken here. `precond` may be null; it approximates the inverse of `a`. Both are
 * copied, not what they point to. SPRY_ERROR_ARGUMENT for sizes, types or places that do not match and options out of
 * range; SPRY_ERROR_OVERFLOW for a history of INT64_MAX iterations; SPRY_ERROR_MEMORY; SPRY_ERROR_DEVICE.
 */
SPRY_API spry_status spry_solver_create(spry_context *context, const spry_operator *a,
                                        const spry_operator *precond, const spry_solver_options *options,
                                        spry_solver **solver);
/** Null is allowed. Before its context is destroyed. */
SPRY_API void spry_solver_destroy(spry_solver *solver);

/**
 * Solve A x = b. b and x have n values where the context works, and do not overlap. May be called again and again, also
 * after the values of the matrix or the preconditioner were updated; it allocates nothing. SPRY_OK says that it ran, and
 * result->outcome how that ended, also when it did not converge; `result` may be null. x is the last iterate in any case.
 * Where b = 0, x = 0 is the solution, whatever A is: there is no product then, so NaN in A is not met. The call waits for
 * the result, so it cannot be captured in a CUDA graph; SPRY_ERROR_ARGUMENT for null pointers and for a b whose squares
 * overflow or vanish (|b| outside 1e-140 … 1e140), which should be scaled. Entries of A, and those times |b|, should be in
 * that range too, so that products of two such numbers are numbers (f32: in the range of f32): otherwise the outcome is
 * SPRY_NOT_FINITE where they overflow, and one of SPRY_BREAKDOWN, SPRY_INDEFINITE and SPRY_STAGNATED where they vanish.
 */
SPRY_API spry_status spry_solve(spry_solver *solver, const void *b, void *x, spry_solve_result *result);

/** "cg", "minres", "bicgstab" or "gmres"; "?" for a value that is none. */
SPRY_API const char *spry_method_name(spry_method method);
/** The method with this name, or SPRY_NO_METHOD when there is none. */
SPRY_API spry_method spry_method_by_name(const char *name);
/** A few words for an outcome ("converged"); never null. Static storage. */
SPRY_API const char *spry_outcome_string(spry_outcome outcome);
/** "jacobi", "block-jacobi", "ssor", "ilu0", "ic0", "chebyshev" or "fsai"; "?" for a value that is none. */
SPRY_API const char *spry_precond_name(spry_precond_kind kind);
/** The kind with this name, or SPRY_NO_PRECOND when there is none. */
SPRY_API spry_precond_kind spry_precond_by_name(const char *name);

/**
 * Build a preconditioner for a square matrix, which need not outlive it. `matrix` may be in any format; other formats than
 * CSR are converted first. What is multiplied with in each application, for Chebyshev and for sweeps with SSOR, is a matrix of
 * the preconditioner's own, in the storage of `matrix` as far as that keeps its values (for COO and CSC: in CSR); for sweeps
 * with other factors, in the one that SPRY_AUTO picks. `options` may be null, for Jacobi. SPRY_ERROR_INVALID, with the
 * row, where a diagonal entry is missing (for Chebyshev and FSAI: or not positive) or a pivot or block is singular, and for Chebyshev
 * where the matrix or the inner preconditioner turns out not to be positive definite; SPRY_ERROR_ARGUMENT for options out of
 * range and matrices that are not square; SPRY_ERROR_OVERFLOW where FSAI's factor, with power 2, has more entries than the
 * matrix's pointers hold; SPRY_ERROR_MEMORY; SPRY_ERROR_DEVICE.
 */
SPRY_API spry_status spry_precond_create(spry_context *context, const spry_matrix *matrix,
                                         const spry_precond_options *options, spry_precond **precond);
/** Null is allowed. */
SPRY_API void spry_precond_destroy(spry_precond *precond);
/**
 * Take new values of the matrix, whose pattern is as it was; any format will do. On failure the preconditioner must not be
 * applied. SPRY_ERROR_PATTERN for another number of rows or entries, and from SPRY_ILU0, SPRY_IC0 and SPRY_CHEBYSHEV for as many at
 * other places: SPRY_SSOR does not look for that, nor do factors with `colours`, which are of no use then, and the others need not;
 * SPRY_ERROR_ARGUMENT for other types;
 * SPRY_ERROR_UNSUPPORTED where it has a matrix of its own whose codes do not keep the values (see spry_update_values, and for
 * FSAI spry_precond_options.values_change); and as for spry_precond_create. A CUDA graph that spry_precond_apply was captured in goes
 * on to hold, but not where Chebyshev or sweeps multiply with stencils, whose arrays move.
 */
SPRY_API spry_status spry_precond_update(spry_context *context, spry_precond *precond,
                                         const spry_matrix *matrix);
/** y = M⁻¹ x, n values each, not overlapping. One call at a time: what is between is kept in the preconditioner. With a
 *  CUDA context it is put into the stream and not waited for. SPRY_ERROR_ARGUMENT for null pointers and a preconditioner
 *  that is not where the context works; SPRY_ERROR_UNSUPPORTED, SPRY_ERROR_MEMORY and SPRY_ERROR_DEVICE as spry_spmv. */
SPRY_API spry_status spry_precond_apply(spry_context *context, const spry_precond *precond, const void *x,
                                        void *y);
/** The shift that the factors were made with, see spry_precond_options; 0 for kinds without one, or for null. */
SPRY_API double spry_precond_shift(const spry_precond *precond);

/**
 * Keep D₁ A D₂, so that A has the repeated values, or the pattern of them, that its codes and layout live on, whatever D₁ and D₂
 * do to them: a symmetric scaling, or one of rows or columns. `left` (D₁) has rows values, `right` (D₂) cols, of the matrix's type,
 * where the context works; either may be null, for none. They and the matrix must outlive the result, and may have new values
 * between products.
 *
 * Where the matrix's kernel does not multiply by the factors on the way, products take workspace of the context, of as many
 * values as there are in `left` and `right` together besides what spry_reserve sees to. For those with A it is there from now on,
 * so that they allocate nothing; the first with the transpose may let it grow. SPRY_ERROR_ARGUMENT for a null matrix, one that is
 * not where the context works, and a factor that a device does not reach; SPRY_ERROR_MEMORY.
 */
SPRY_API spry_status spry_scaled_create(spry_context *context, const spry_matrix *matrix, const void *left,
                                        const void *right, spry_scaled **scaled);
/** Null is allowed. */
SPRY_API void spry_scaled_destroy(spry_scaled *scaled);
/**
 * y = alpha D₁ A D₂ x + beta y (SPRY_N) or y = alpha D₂ Aᵀ D₁ x + beta y (SPRY_T): as spry_spmv with the same arguments, but that
 * x is multiplied by one factor first, and alpha times sums of products by the other, each rounded. A factor costs a pass over
 * three vectors besides the product's own traffic, but only to be read where the kernel multiplies by it on the way, as those of
 * SPRY_STENCIL do for SPRY_N where rows are short; the bits are the same. Any number of threads may multiply by it at once, each
 * with a context of its own. With a CUDA context it is put into the stream and not waited for, and can be captured as spry_spmv
 * can; for SPRY_T, once the context has had such a product.
 */
SPRY_API spry_status spry_scaled_spmv(spry_context *context, spry_op op, double alpha,
                                      const spry_scaled *scaled, const void *x, double beta, void *y);

/**
 * Prepare to solve with a triangle of a square matrix in any format. With `unit`, the diagonal is taken as ones and
 * not read; otherwise SPRY_ERROR_INVALID says which row has no entry on it, or one without an inverse: zero, NaN, infinity, or so
 * small that its reciprocal overflows. SPRY_T prepares for the transposed triangle. The matrix need not outlive it.
 * SPRY_ERROR_ARGUMENT for a matrix that is not square or not where the context works, and a triangle or an operation that is none;
 * SPRY_ERROR_MEMORY; SPRY_ERROR_DEVICE.
 */
SPRY_API spry_status spry_trsv_create(spry_context *context, const spry_matrix *matrix,
                                      spry_triangle triangle, spry_op op, int unit, spry_trsv **trsv);
/** Null is allowed. */
SPRY_API void spry_trsv_destroy(spry_trsv *trsv);
/** Solve T x = b, n values each; x may be b, and else does not overlap it. One call at a time: it works in memory that
 *  `trsv` has. With a CUDA context it is put into the stream and not waited for. SPRY_ERROR_ARGUMENT for null pointers and
 *  a triangle that is not where the context works; SPRY_ERROR_DEVICE. */
SPRY_API spry_status spry_trsv_solve(spry_context *context, const spry_trsv *trsv, const void *b, void *x);
/** Levels of the triangle: rows of one level depend on those of earlier ones only. 0 for null. */
SPRY_API int64_t spry_trsv_levels(const spry_trsv *trsv);

#ifdef __cplusplus
}
#endif

#endif
