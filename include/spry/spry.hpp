// SPDX-License-Identifier: BSD-3-Clause
/// @file spry.hpp  Spry for C++20: handles that own what they stand for, spans of checked sizes, and exceptions.
///
/// A thin layer over spry.h, whose names say where to read on. Handles are moved, not copied. get() gives the C handle, for
/// calls that have no counterpart here; context::check throws for their status. A handle that was moved from stands for
/// nothing, and calls with it throw. With a CUDA context spans are in the memory of its device.
#ifndef SPRY_HPP
#define SPRY_HPP

#include <algorithm>
#include <concepts>
#include <memory>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "spry.h"

namespace spry {

/// What a call throws that failed. what() is the context's message, or a few words for the status where there is none.
class error : public std::runtime_error {
    spry_status status_;

  public:
    error(spry_status status, const std::string &message) : std::runtime_error(message), status_(status) {
    }
    spry_status status() const noexcept {
        return status_;
    }
};

template <typename T>
concept value = std::same_as<T, float> || std::same_as<T, double>;
template <typename T>
concept index = std::signed_integral<T> &&(sizeof(T) == 4 || sizeof(T) == 8);
/// Arrays that are wrapped are no temporary ones.
template <typename R>
concept lasting =
    std::ranges::contiguous_range<R> && std::ranges::sized_range<R> && std::ranges::borrowed_range<R>;
template <typename R>
concept values = lasting<R> && value<std::ranges::range_value_t<R>>;
template <typename R>
concept indices = lasting<R> && index<std::ranges::range_value_t<R>>;
template <indices I>
constexpr std::size_t width = sizeof(std::ranges::range_value_t<I>);
template <typename P, typename I>
concept pointers_into = indices<P> &&(width<P> >= width<I>);
template <typename J, typename I>
concept as_wide_as = indices<J> &&(width<J> == width<I>);

namespace detail {

/// A handle of C that is released by Destroy.
template <typename T, auto Destroy>
class owner {
    struct destroyer {
        void operator()(T *handle) const noexcept {
            Destroy(handle);
        }
    };

  protected:
    std::unique_ptr<T, destroyer> handle_;

  public:
    explicit owner(T *handle = nullptr) noexcept : handle_(handle) {
    }
    T *get() const noexcept {
        return handle_.get();
    }
};

template <value T>
constexpr spry_value_type type_of = std::same_as<T, float> ? SPRY_F32 : SPRY_F64;
template <indices I, pointers_into<I> P>
constexpr spry_index_type index_of = width<I> == 8   ? SPRY_I64
                                     : width<P> == 8 ? SPRY_I32P64
                                                     : SPRY_I32;

inline void expect(std::size_t size, int64_t expected, const char *what) {
    if (expected < 0 || size != static_cast<std::size_t>(expected))
        throw error(SPRY_ERROR_ARGUMENT, what + (" has " + std::to_string(size)) + " values, expected " +
                                             std::to_string(expected));
}
/// The pattern of wrapped arrays is never written, and values only by spry_update_values of the matrix made of them.
template <typename R>
void *data_of(const R &array) {
    return const_cast<std::ranges::range_value_t<R> *>(std::ranges::data(array));
}

} // namespace detail

/// Where work runs; used by one thread at a time. It lives as long as solvers that were made with it, too.
class context {
    std::shared_ptr<spry_context> handle_;
    template <value T>
    friend class solver;

  public:
    explicit context(const spry_context_options &options = {}) {
        spry_context *made = nullptr;
        check(spry_context_create(&made, &options));
        handle_.reset(made, spry_context_destroy);
    }
    context(context &&) noexcept = default;
    context &operator=(context &&) noexcept = default;
    spry_context *get() const noexcept {
        return handle_.get();
    }
    /// Throw unless a call with this context went well.
    void check(spry_status status) const {
        check(get(), status);
    }
    static void check(const spry_context *context, spry_status status) {
        const char *message = spry_message(context);
        if (status != SPRY_OK)
            throw error(status, *message ? message : spry_status_string(status));
    }
};

/// A sparse matrix with values of a type. Threads may share it, each with a context of its own.
template <value T>
class matrix : public detail::owner<spry_matrix, spry_matrix_destroy> {
  public:
    /// Take over what a C call made. Throws, and releases it, if its values are of another type.
    explicit matrix(spry_matrix *made) : owner(made) {
        if (spry_matrix_type(made) != detail::type_of<T>)
            throw error(SPRY_ERROR_ARGUMENT, "there is no matrix, or one with values of another type");
    }
    int64_t rows() const noexcept {
        return spry_matrix_rows(get());
    }
    int64_t cols() const noexcept {
        return spry_matrix_cols(get());
    }
    int64_t nnz() const noexcept {
        return spry_matrix_nnz(get());
    }
    /// How it is stored, in text: "sell:8:1+f32".
    std::string storage() const {
        char text[SPRY_STORAGE_TEXT];
        spry_storage storage = {};
        spry_matrix_storage(get(), &storage);
        spry_storage_text(&storage, text, sizeof text);
        return text;
    }
};

/// Read a Matrix Market file: read(context, path), or read<float>(context, path).
template <value T = double>
matrix<T> read(context &context, const std::string &path, spry_read_options options = {}) {
    spry_matrix *made = nullptr;
    options.as_f32 = std::same_as<T, float>;
    context.check(spry_read(context.get(), path.c_str(), &options, &made, nullptr));
    return matrix<T>(made);
}

/// Wrap arrays, which must outlive the matrix, without a copy. They count from `base`, 0 or 1, and may have room to spare.
template <indices I, pointers_into<I> P, values V>
auto wrap_csr(context &context, int64_t rows, int64_t cols, P &&ptr, I &&idx, V &&val, int base = 0) {
    using type = std::ranges::range_value_t<V>;
    detail::expect(std::ranges::size(ptr), rows < INT64_MAX ? rows + 1 : rows, "ptr");
    const auto room =
        static_cast<int64_t>(std::min<std::size_t>(std::ranges::size(idx), std::ranges::size(val)));
    if (rows >= 0 && spry_context_backend(context.get()) == SPRY_CPU &&
        std::ranges::data(ptr)[rows] > room + base)
        throw error(SPRY_ERROR_ARGUMENT,
                    "ptr leads past the end of idx or val, which have " + std::to_string(room));
    const spry_csr arrays = {detail::data_of(ptr), detail::data_of(idx), detail::data_of(val), base};
    spry_matrix *made = nullptr;
    context.check(spry_wrap_csr(context.get(), detail::type_of<type>, detail::index_of<I, P>, rows, cols,
                                &arrays, &made));
    return matrix<type>(made);
}

/// As wrap_csr: as many rows, columns and values. Rows and columns have indices of the same width.
template <indices I, as_wide_as<I> J, values V>
auto wrap_coo(context &context, int64_t rows, int64_t cols, I &&row, J &&col, V &&val, int base = 0) {
    using type = std::ranges::range_value_t<V>;
    const auto nnz = static_cast<int64_t>(std::ranges::size(val));
    detail::expect(std::ranges::size(row), nnz, "row");
    detail::expect(std::ranges::size(col), nnz, "col");
    const spry_coo arrays = {detail::data_of(row), detail::data_of(col), detail::data_of(val), base};
    spry_matrix *made = nullptr;
    context.check(spry_wrap_coo(context.get(), detail::type_of<type>, detail::index_of<I, I>, rows, cols, nnz,
                                &arrays, &made));
    return matrix<type>(made);
}

/// Make a copy in a storage that is said in text ("csr", "sell:32:1+dict8"), or in the one that should multiply fastest.
template <value T>
matrix<T> convert(context &context, const matrix<T> &source, const std::string &storage = "auto",
                  const spry_convert_options &options = {}) {
    spry_matrix *made = nullptr;
    spry_storage into = {};
    if (storage == "auto")
        context.check(spry_convert(context.get(), source.get(), SPRY_AUTO, &options, &made));
    else if (spry_storage_parse(storage.c_str(), &into, nullptr) != SPRY_OK)
        throw error(SPRY_ERROR_SYNTAX, "\"" + storage + "\" is no storage");
    else
        context.check(spry_convert_to(context.get(), source.get(), &into, &options, &made));
    return matrix<T>(made);
}

/// y = alpha A x + beta y (SPRY_N), or with the transpose (SPRY_T).
template <value T>
void spmv(context &context, spry_op op, double alpha, const matrix<T> &a,
          std::span<const std::type_identity_t<T>> x, double beta, std::span<std::type_identity_t<T>> y) {
    detail::expect(x.size(), op == SPRY_T ? a.rows() : a.cols(), "x");
    detail::expect(y.size(), op == SPRY_T ? a.cols() : a.rows(), "y");
    context.check(spry_spmv(context.get(), op, alpha, a.get(), x.data(), beta, y.data()));
}

/// A dense matrix in memory, as by_rows and by_columns make it: spry_view with the type of its values, which are const where
/// they are only read.
template <typename T>
requires value<std::remove_const_t<T>>
class view {
    spry_view view_;

  public:
    explicit view(const spry_view &made) noexcept : view_(made) {
    }
    /// What may be written may be read.
    operator view<const T>() const noexcept requires(!std::is_const_v<T>) {
        return view<const T>(view_);
    }
    const spry_view *get() const noexcept {
        return &view_;
    }
};

namespace detail {

/// `lines` of `length` values, each `stride` values behind the one before, lie in an array of `size`.
inline void expect_room(std::size_t size, int64_t lines, int64_t length, int64_t stride) {
    const auto room = static_cast<int64_t>(std::min<std::size_t>(size, INT64_MAX));
    if (lines < 0 || length < 0 || stride < length)
        throw error(SPRY_ERROR_ARGUMENT, "a size is negative, or the stride less than what it steps over");
    if (lines > 0 && length > 0 && (length > room || lines - 1 > (room - length) / stride))
        throw error(SPRY_ERROR_ARGUMENT, "the array has " + std::to_string(size) + " values, too few for " +
                                             std::to_string(lines) + " times " + std::to_string(length));
}

} // namespace detail

/// An array seen as rows after each other, `stride` values apart or side by side.
template <values R>
auto by_rows(R &&array, int64_t rows, int64_t cols, int64_t stride) {
    detail::expect_room(std::ranges::size(array), rows, cols, stride);
    return view<std::remove_pointer_t<decltype(std::ranges::data(array))>>(
        spry_view_of_rows(detail::data_of(array), rows, cols, stride));
}
template <values R>
auto by_rows(R &&array, int64_t rows, int64_t cols) {
    return by_rows(array, rows, cols, cols);
}

/// An array seen as columns after each other, as BLAS has them.
template <values R>
auto by_columns(R &&array, int64_t rows, int64_t cols, int64_t stride) {
    detail::expect_room(std::ranges::size(array), cols, rows, stride);
    return view<std::remove_pointer_t<decltype(std::ranges::data(array))>>(
        spry_view_of_columns(detail::data_of(array), rows, cols, stride));
}
template <values R>
auto by_columns(R &&array, int64_t rows, int64_t cols) {
    return by_columns(array, rows, cols, rows);
}

/// Y = alpha A X + beta Y (SPRY_N), or with the transpose (SPRY_T), for as many columns as X and Y have. The matrix is read once
/// for several of them. Rows side by side (by_rows) are fastest.
template <value T>
void spmm(context &context, spry_op op, double alpha, const matrix<T> &a,
          const view<const std::type_identity_t<T>> &x, double beta, const view<std::type_identity_t<T>> &y) {
    context.check(spry_spmm(context.get(), op, alpha, a.get(), x.get(), beta, y.get()));
}

/// What spry_select expects of each storage of a matrix in CSR, the best at 0.
class ranking : public detail::owner<spry_ranking, spry_ranking_destroy> {
  public:
    template <value T>
    ranking(context &context, const matrix<T> &csr, const spry_select_options &options = {}) {
        spry_ranking *made = nullptr;
        context.check(spry_select(context.get(), csr.get(), &options, &made));
        handle_.reset(made);
    }
    int size() const noexcept {
        return spry_ranking_count(get());
    }
    const spry_choice &operator[](int place) const {
        const spry_choice *choice = spry_ranking_choice(get(), place);
        return choice ? *choice : throw std::out_of_range("the ranking has no such place");
    }
    /// Why a place is where it is.
    std::string explain(int place) const {
        char text[1024];
        spry_explain(get(), place, text, sizeof text);
        return text;
    }
};

/// An approximate inverse of a matrix, which need not outlive it.
template <value T>
class precond : public detail::owner<spry_precond, spry_precond_destroy> {
  public:
    precond(context &context, const matrix<T> &a, const spry_precond_options &options = {}) {
        spry_precond *made = nullptr;
        context.check(spry_precond_create(context.get(), a.get(), &options, &made));
        handle_.reset(made);
    }
};

/// A solver of A x = b. Matrix and preconditioner must outlive it; they may be moved meanwhile.
template <value T>
class solver {
    struct destroyer {
        std::shared_ptr<spry_context> context; // released after the solver
        void operator()(spry_solver *handle) const noexcept {
            spry_solver_destroy(handle);
        }
    };
    std::unique_ptr<spry_solver, destroyer> handle_;
    int64_t n_;

    solver(context &context, const matrix<T> &a, const spry_operator *m, const spry_solver_options &options)
        : handle_(nullptr, {context.handle_}), n_(a.rows()) {
        const spry_operator product = spry_operator_of_matrix(a.get());
        spry_solver *made = nullptr;
        context.check(spry_solver_create(context.get(), &product, m, &options, &made));
        handle_.reset(made);
    }
    solver(context &context, const matrix<T> &a, const spry_operator &m, const spry_solver_options &options)
        : solver(context, a, &m, options) {
    }

  public:
    explicit solver(context &context, const matrix<T> &a, const spry_solver_options &options = {})
        : solver(context, a, nullptr, options) {
    }
    solver(context &context, const matrix<T> &a, const precond<T> &m, const spry_solver_options &options = {})
        : solver(context, a, spry_operator_of_precond(m.get()), options) {
    }
    solver(context &, const matrix<T> &&, auto &&...) = delete;
    solver(context &, const matrix<T> &, const precond<T> &&, auto &&...) = delete;

    spry_solver *get() const noexcept {
        return handle_.get();
    }
    /// The result says how it ended, also when it did not converge.
    spry_solve_result solve(std::span<const T> b, std::span<T> x) {
        detail::expect(b.size(), get() ? n_ : 0, "b");
        detail::expect(x.size(), get() ? n_ : 0, "x");
        spry_solve_result result = {};
        context::check(handle_.get_deleter().context.get(), spry_solve(get(), b.data(), x.data(), &result));
        return result;
    }
};

} // namespace spry

#endif
