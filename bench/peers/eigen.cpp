// SPDX-License-Identifier: BSD-3-Clause
// Eigen: row-major SparseMatrix times a dense vector, threads by OpenMP.
#include "peers/peer.h"

#include <Eigen/SparseCore>

#include <exception>

namespace {

using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor, std::int32_t>;

struct Product {
    Matrix a;
    Eigen::Map<const Eigen::VectorXd> x;
    Eigen::Map<Eigen::VectorXd> y;

    explicit Product(const peer_problem &p)
        : a(Eigen::Map<const Matrix>(p.rows, p.cols, p.ptr[p.rows], p.ptr, p.idx, p.val)), x(p.x, p.cols),
          y(p.y, p.rows) {
    }
};

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
        return new Product(*problem);
    } catch (const std::exception &) {
        return nullptr;
    }
}

int multiply(void *product) {
    auto *p = static_cast<Product *>(product);
    p->y.noalias() = p->a * p->x;
    return 0;
}

void destroy(void *product) {
    delete static_cast<Product *>(product);
}

constexpr peer describe() {
    peer p{};
    p.name = "Eigen";
    p.call = "y.noalias() = A * x, row-major";
    p.kind = PEER_OPEN;
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
