// SPDX-License-Identifier: BSD-3-Clause
// The interface for C++: who owns what, what throws and with which words, and what does not compile.
#include <spry/spry.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <list>
#include <utility>
#include <vector>

namespace {

int failures = 0;

void expect(bool good, const char *what, int line) {
    if (good)
        return;
    std::fprintf(stderr, "cpp.cpp:%d: %s\n", line, what);
    failures++;
}
#define EXPECT(what) expect(what, #what, __LINE__)

// Whether a call throws this status, and a message with these words in it.
template <typename Call>
bool throws(spry_status status, const char *words, Call &&call) {
    try {
        call();
    } catch (const spry::error &error) {
        const bool good = error.status() == status && std::strstr(error.what(), words);
        if (!good)
            std::fprintf(stderr, "threw %d, %s\n", error.status(), error.what());
        return good;
    }
    std::fprintf(stderr, "threw nothing, expected %s\n", words);
    return false;
}

// What a program may write, and what the compiler refuses.
template <typename T, typename X, typename Y>
concept multiplies = requires(spry::context &context, spry::matrix<T> &a, X &&x, Y &&y) {
    spry::spmv(context, SPRY_N, 1.0, a, x, 0.0, y);
};
template <typename T, typename X, typename Y>
concept multiplies_many = requires(spry::context &context, spry::matrix<T> &a, X &&x, Y &&y) {
    spry::spmm(context, SPRY_N, 1.0, a, spry::by_rows(static_cast<X>(x), 1, 1), 0.0,
               spry::by_columns(static_cast<Y>(y), 1, 1));
};
template <typename P, typename I, typename V>
concept wraps_csr = requires(spry::context &context, P ptr, I idx, V val) {
    spry::wrap_csr(context, 1, 1, static_cast<P>(ptr), static_cast<I>(idx), static_cast<V>(val));
};
template <typename I, typename J>
concept wraps_coo = requires(spry::context &context, I row, J col, std::vector<double> &val) {
    spry::wrap_coo(context, 1, 1, static_cast<I>(row), static_cast<J>(col), val);
};
template <typename A>
concept solves = requires(spry::context &context, A a) {
    spry::solver<double>(context, static_cast<A>(a));
};

using doubles = std::vector<double>;
using floats = std::vector<float>;
using ints = std::vector<int>;
using longs = std::vector<long long>;
static_assert(multiplies<double, doubles &, doubles &> &&
              multiplies<double, const doubles &, std::span<double>>);
static_assert(!multiplies<double, floats &, doubles &> && !multiplies<double, doubles &, floats &>);
static_assert(!multiplies<double, doubles &, const doubles &>); // y is written
static_assert(!multiplies<float, doubles &, doubles &>);
static_assert(multiplies_many<double, doubles &, doubles &> &&
              multiplies_many<float, const floats &, floats &>);
static_assert(multiplies_many<double, std::span<const double>, std::span<double>>);
static_assert(!multiplies_many<double, floats &, doubles &> && !multiplies_many<double, doubles &, floats &>);
static_assert(!multiplies_many<double, doubles &, const doubles &>); // Y is written
static_assert(!multiplies_many<double, doubles, doubles &>);         // would be gone
static_assert(!multiplies_many<double, ints &, doubles &>);
static_assert(wraps_csr<ints &, ints &, doubles &> && wraps_csr<longs &, ints &, floats &>);
static_assert(wraps_csr<std::span<const int>, std::span<const int>, std::span<const double>>);
static_assert(wraps_csr<longs &, longs &, doubles &> && !wraps_csr<ints &, longs &, doubles &>);
static_assert(!wraps_csr<ints &, ints &, doubles &&>);          // would be gone
static_assert(!wraps_csr<ints &, ints &, std::list<double> &>); // not one after the other
static_assert(!wraps_csr<doubles &, ints &, doubles &> && !wraps_csr<ints &, ints &, ints &>);
static_assert(!wraps_csr<std::vector<unsigned> &, ints &, doubles &> &&
              !wraps_csr<std::vector<short> &, ints &, doubles &>);
static_assert(wraps_coo<ints &, const ints &> && wraps_coo<const longs &, std::span<long long>>);
static_assert(wraps_coo<ints &, std::array<int, 1> &> && !wraps_coo<ints &, ints>); // would be gone
static_assert(!wraps_coo<ints &, longs &> && !wraps_coo<longs &, const ints &> &&
              !wraps_coo<ints &, floats &>);
static_assert(solves<spry::matrix<double> &> && !solves<spry::matrix<double> &&>);
template <typename T>
constexpr bool only_moves = !std::is_copy_constructible_v<T> && !std::is_copy_assignable_v<T> &&
                            std::is_nothrow_move_constructible_v<T> && std::is_nothrow_move_assignable_v<T>;
static_assert(only_moves<spry::context> && only_moves<spry::matrix<float>> && only_moves<spry::ranking>);
static_assert(only_moves<spry::precond<double>> && only_moves<spry::solver<double>>);

// Counts what is taken and not given back.
int allocations = 0;
void *allocate(void *, std::size_t alignment, std::size_t bytes) {
    allocations++;
    return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}
void release(void *, void *pointer, std::size_t) {
    allocations -= pointer != nullptr;
    std::free(pointer);
}
const spry_allocator counting = {allocate, release, nullptr};

struct laplacian {
    //  4 -1  0
    // -1  4 -1
    //  0 -1  4
    ints ptr = {0, 2, 5, 7}, idx = {0, 1, 0, 1, 2, 1, 2};
    doubles val = {4, -1, -1, 4, -1, -1, 4};
    spry::matrix<double> wrap(spry::context &context) {
        return spry::wrap_csr(context, 3, 3, ptr, idx, val);
    }
};

void test_products() {
    spry::context context;
    laplacian a;
    const doubles x = {1, 2, 3};
    doubles y(3, 1.0);
    const auto csr = a.wrap(context);
    spry::spmv(context, SPRY_N, 2.0, csr, x, 1.0, y);
    EXPECT((y == doubles{5, 9, 21}));
    for (const char *storage : {"auto", "csr", "sell:8:1", "bsr:1:3"}) {
        spry::spmv(context, SPRY_T, 1.0, spry::convert(context, csr, storage), x, 0.0, y);
        EXPECT((y == doubles{2, 4, 10}));
    }
    EXPECT(spry::convert(context, csr, "sell:8:1+f32").storage() == "sell:8:1+f32");
    const longs row = {1, 2};
    longs col = {3, 1};
    floats val = {5, 7}, from = {1, 2, 3}, to(2);
    const auto coo = spry::wrap_coo(context, 2, 3, row, col, val, 1);
    EXPECT(coo.rows() == 2 && coo.cols() == 3 && coo.nnz() == 2);
    spry::spmv(context, SPRY_N, 1.0, coo, from, 0.0, to);
    EXPECT((to == floats{15, 7}));
}

void test_many_columns() {
    spry::context context;
    laplacian a;
    const auto csr = a.wrap(context);
    const doubles x = {1, 10, 2, 20, 3, 30};
    doubles y(6, 1.0);
    spry::spmm(context, SPRY_N, 2.0, csr, spry::by_rows(x, 3, 2), 1.0, spry::by_rows(y, 3, 2));
    EXPECT((y == doubles{5, 41, 9, 81, 21, 201}));
    // As columns, with a place to spare between them, into a part of an array.
    doubles wide(8, -1.0);
    spry::spmm(context, SPRY_T, 1.0, spry::convert(context, csr), spry::by_rows(x, 3, 2), 0.0,
               spry::by_columns(std::span(wide).first(7), 3, 2, 4));
    EXPECT((wide == doubles{2, 4, 10, -1, 20, 40, 100, -1}));
    // What was written is read.
    const auto written = spry::by_columns(wide, 3, 2, 4);
    spry::spmm(context, SPRY_N, 1.0, csr, written, 0.0, spry::by_columns(y, 3, 2));
    EXPECT((y == doubles{4, 4, 36, 40, 40, 360}));
    const std::span<double> nothing;
    spry::spmm(context, SPRY_N, 1.0, csr, spry::by_rows(nothing, 3, 0), 0.0, spry::by_columns(nothing, 3, 0));
}

void test_sizes_of_many_columns() {
    spry::context context;
    laplacian a;
    const auto csr = a.wrap(context);
    doubles six(6), eight(8);
    EXPECT(throws(SPRY_ERROR_ARGUMENT, "6 values, too few for 3 times 3", [&] { spry::by_rows(six, 3, 3); }));
    EXPECT(throws(SPRY_ERROR_ARGUMENT, "6 values, too few for 2 times 3",
                  [&] { spry::by_columns(six, 3, 2, 4); }));
    EXPECT(throws(SPRY_ERROR_ARGUMENT, "too few", [&] { spry::by_rows(six, INT64_MAX, INT64_MAX); }));
    EXPECT(throws(SPRY_ERROR_ARGUMENT, "too few", [&] { spry::by_rows(six, INT64_MAX, 1, 1); }));
    EXPECT(throws(SPRY_ERROR_ARGUMENT, "stride", [&] { spry::by_rows(six, 2, 3, 2); }));
    EXPECT(throws(SPRY_ERROR_ARGUMENT, "negative", [&] { spry::by_columns(six, -3, 2); }));
    EXPECT(throws(SPRY_ERROR_ARGUMENT, "X is 4 × 2, expected 3 rows", [&] {
        spry::spmm(context, SPRY_N, 1.0, csr, spry::by_rows(eight, 4, 2), 0.0, spry::by_rows(six, 3, 2));
    }));
    EXPECT(throws(SPRY_ERROR_ARGUMENT, "X has 2 columns and Y 1", [&] {
        spry::spmm(context, SPRY_N, 1.0, csr, spry::by_rows(eight, 3, 2), 0.0, spry::by_rows(six, 3, 1));
    }));
}

void test_types_of_indices() {
    spry::context context;
    const longs wide = {0, 1};
    const ints narrow = {0};
    const longs column = {0};
    const doubles val = {3};
    EXPECT(spry_matrix_index(spry::wrap_csr(context, 1, 1, wide, narrow, val).get()) == SPRY_I32P64);
    EXPECT(spry_matrix_index(spry::wrap_csr(context, 1, 1, wide, column, val).get()) == SPRY_I64);
    EXPECT(spry_matrix_type(spry::wrap_csr(context, 1, 1, wide, column, val).get()) == SPRY_F64);
}

void test_sizes() {
    spry::context context;
    laplacian a;
    auto csr = a.wrap(context);
    doubles three(3), four(4);
    EXPECT(throws(SPRY_ERROR_ARGUMENT, "x has 4 values, expected 3",
                  [&] { spry::spmv(context, SPRY_N, 1.0, csr, four, 0.0, three); }));
    EXPECT(throws(SPRY_ERROR_ARGUMENT, "y has 4 values, expected 3",
                  [&] { spry::spmv(context, SPRY_T, 1.0, csr, three, 0.0, four); }));
    const std::span all(a.val);
    const auto wrap = [&](int64_t rows, auto ptr, auto val) {
        spry::wrap_csr(context, rows, 3, ptr, std::span(a.idx), val);
    };
    EXPECT(
        throws(SPRY_ERROR_ARGUMENT, "ptr has 4 values, expected 5", [&] { wrap(4, std::span(a.ptr), all); }));
    EXPECT(throws(SPRY_ERROR_ARGUMENT, "which have 6", [&] { wrap(3, std::span(a.ptr), all.first(6)); }));
    EXPECT(throws(SPRY_ERROR_ARGUMENT, "ptr has 4", [&] { wrap(INT64_MAX, std::span(a.ptr), all); }));
    EXPECT(throws(SPRY_ERROR_ARGUMENT, "ptr has 4", [&] { wrap(-5, std::span(a.ptr), all); }));
    EXPECT(throws(SPRY_ERROR_ARGUMENT, "negative", [&] { wrap(-1, std::span<int>(), all); }));
    ints falling = {0, 1000000, 2, 7};
    EXPECT(throws(SPRY_ERROR_INVALID, "row pointer 2 is 2", [&] { wrap(3, std::span(falling), all); }));
    EXPECT(throws(SPRY_ERROR_ARGUMENT, "col has 7 values, expected 6", [&] {
        spry::wrap_coo(context, 3, 3, std::span(a.idx).first(6), std::span(a.idx), all.first(6));
    }));
    spry::solver<double> solver(context, csr);
    EXPECT(throws(SPRY_ERROR_ARGUMENT, "b has 4 values, expected 3", [&] { solver.solve(four, three); }));
    EXPECT(throws(SPRY_ERROR_ARGUMENT, "x has 4 values, expected 3", [&] { solver.solve(three, four); }));
}

void test_errors() {
    spry::context context;
    laplacian a;
    auto csr = a.wrap(context);
    EXPECT(throws(SPRY_ERROR_IO, "no-such-file.mtx", [&] { spry::read(context, "no-such-file.mtx"); }));
    EXPECT(throws(SPRY_ERROR_SYNTAX, "\"cssr\" is no storage", [&] { spry::convert(context, csr, "cssr"); }));
    EXPECT(throws(SPRY_ERROR_ARGUMENT, "bad argument", [] {
        spry_context_options options = {};
        options.threads = -1;
        spry::context none(options);
    }));
    EXPECT(throws(SPRY_ERROR_ARGUMENT, "another type", [&] {
        spry_matrix *made = nullptr;
        context.check(spry_matrix_copy(context.get(), csr.get(), &made));
        spry::matrix<float> wrong(made);
    }));
    EXPECT(throws(SPRY_ERROR_ARGUMENT, "no matrix", [] { spry::matrix<float> none(nullptr); }));
    const spry::ranking ranking(context, csr);
    EXPECT(ranking.size() > 0 && ranking[0].possible && !ranking.explain(0).empty());
    bool outside = false;
    try {
        ranking[ranking.size()];
    } catch (const std::out_of_range &) {
        outside = true;
    }
    EXPECT(outside);
}

void test_solver() {
    spry::context context;
    laplacian a;
    auto csr = a.wrap(context);
    const doubles b = {2, 4, 10};
    doubles x(3);
    spry_precond_options how = {};
    how.kind = SPRY_IC0;
    spry::precond ic0(context, csr, how);
    spry::solver solver(context, csr, ic0);
    // All that it stands on may move.
    auto moved = std::move(context);
    const auto csr_moved = std::move(csr);
    const auto ic0_moved = std::move(ic0);
    const spry_solve_result result = solver.solve(b, x);
    EXPECT(result.outcome == SPRY_CONVERGED && std::abs(x[2] - 3) < 1e-6);
    spry_solver_options one = {};
    one.iterations = 1;
    EXPECT(spry::solver(moved, csr_moved, one).solve(b, x).outcome == SPRY_LIMIT); // no exception
}

// Every allocation is given back, whoever moved where.
void test_ownership() {
    spry_context_options options = {};
    options.allocator = &counting;
    {
        laplacian a;
        spry::context context(options);
        auto first = spry::convert(context, a.wrap(context), "csr"),
             second = spry::convert(context, first, "ell");
        auto &same = first;
        first = std::move(same);
        EXPECT(first.nnz() == 7);
        first = std::move(second);
        EXPECT(first.storage() == "ell" && second.get() == nullptr && second.rows() == 0);
        std::swap(first, second);
        doubles x(3), y(3);
        EXPECT(throws(SPRY_ERROR_ARGUMENT, "expected 0",
                      [&] { spry::spmv(context, SPRY_N, 1.0, first, x, 0.0, y); }));
        EXPECT(throws(SPRY_ERROR_ARGUMENT, "", [&] { spry::convert(context, first); }));
        EXPECT(throws(SPRY_ERROR_ARGUMENT, "", [&] { spry::solver<double> solver(context, first); }));
        spry::precond m(context, second), taken = std::move(m);
        EXPECT(throws(SPRY_ERROR_ARGUMENT, "", [&] { spry::solver<double> solver(context, second, m); }));
        spry::solver solver(context, second, taken), other = std::move(solver);
        EXPECT(throws(SPRY_ERROR_ARGUMENT, "expected 0", [&] { solver.solve(x, y); }));
        EXPECT(throws(SPRY_ERROR_ARGUMENT, "bad argument", [&] { solver.solve({}, {}); }));
        spry::context later = std::move(context);
        EXPECT(throws(SPRY_ERROR_ARGUMENT, "bad argument",
                      [&] { spry::spmv(context, SPRY_N, 1.0, second, x, 0.0, y); }));
        EXPECT(throws(SPRY_ERROR_ARGUMENT, "bad argument", [&] { a.wrap(context); }));
        // A solver keeps its context, and lets it go after what it had there.
        spry::context brief(options);
        spry::solver replaced(brief, second);
        brief = spry::context(options);
        replaced = std::move(other);
        EXPECT(replaced.solve(x, y).outcome == SPRY_CONVERGED);
        EXPECT(allocations > 0);
    }
    EXPECT(allocations == 0);
}

} // namespace

int main() {
    test_products();
    test_many_columns();
    test_sizes_of_many_columns();
    test_types_of_indices();
    test_sizes();
    test_errors();
    test_solver();
    test_ownership();
    return failures ? 1 : 0;
}
