// SPDX-License-Identifier: BSD-3-Clause
// Eigen: row-major SparseMatrix times a dense vector, threads by OpenMP.
#include "peers/peer.h"

#include <Eigen/SparseCore>

#include <exception>

namespace {

struct Product {
    virtual ~Product() = default;
    virtual void multiply() = 0;
};

template <class Value, bool transposed>
class Typed : public Product {
    using Matrix = Eigen::SparseMatrix<Value, Eigen::RowMajor, std::int32_t>;
    using Vector = Eigen::Matrix<Value, Eigen::Dynamic, 1>;

    Matrix a;
    Eigen::Map<const Vector> x;
    Eigen::Map<Vector> y;

  public:
    explicit Typed(const peer_problem &p)
        : a(Eigen::Map<const Matrix>(p.rows, p.cols, p.ptr[p.rows], p.ptr, p.idx,
                                     static_cast<const Value *>(p.val))),
          x(static_cast<const Value *>(p.x), peer_x_length(&p)),
          y(static_cast<Value *>(p.y), peer_y_length(&p)) {
    }

    void multiply() override {
        if constexpr (transposed)
            y.noalias() = a.transpose() * x;
        else
            y.noalias() = a * x;
    }
};

template <class Value>
Product *make(const peer_problem &problem) {
    if (problem.product.op == SPRY_T)
        return new Typed<Value, true>(problem);
    return new Typed<Value, false>(problem);
}

void version(int v[3]) {
    v[0] = EIGEN_WORLD_VERSION;
    v[1] = EIGEN_MAJOR_VERSION;
    v[2] = EIGEN_MINOR_VERSION;
}

int start(int threads) {
    Eigen::setNbThreads(threads);
    return 0;
}

void *create(const peer_problem *problem, int) {
    try {
        return problem->product.type == SPRY_F32 ? make<float>(*problem) : make<double>(*problem);
    } catch (const std::exception &) {
        return nullptr;
    }
}

int multiply(void *product) {
    static_cast<Product *>(product)->multiply();
    return 0;
}

void destroy(void *product) {
    delete static_cast<Product *>(product);
}

constexpr peer describe() {
    peer p{};
    p.name = "Eigen";
    p.call = "y.noalias() = op(A) * x, row-major";
    p.kind = PEER_OPEN;
    p.f32 = 1;
    p.transposes = 1;
    p.version = version;
    p.start = start;
    p.create = create;
    p.multiply = multiply;
    p.destroy = destroy;
    return p;
}

} // namespace

extern "C" {
extern const peer peer_eigen;
constexpr peer peer_eigen = describe();
}
