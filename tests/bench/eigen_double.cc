#include <Eigen/Dense>

#include "tests/bench/competitors.h"

namespace attest::bench {
namespace {

using matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

matrix to_matrix(const std::vector<double>& x, const bench_inputs& inputs) {
  return Eigen::Map<const matrix>(x.data(), inputs.n, inputs.width);
}

void softmax_rows(matrix& s) {
  for (Eigen::Index i = 0; i < s.rows(); ++i) {
    s.row(i) = (s.row(i).array() - s.row(i).maxCoeff()).exp();
    s.row(i) /= s.row(i).sum();
  }
}

double scale_of(const bench_inputs& x) { return 1 / std::sqrt(static_cast<double>(x.width)); }

}  // namespace

double eigen_double(const bench_inputs& x) {
  const Eigen::Map<const matrix> q(x.q.data(), x.n, x.width), k(x.k.data(), x.n, x.width),
      v(x.v.data(), x.n, x.width);
  matrix s = q * k.transpose() * scale_of(x);
  softmax_rows(s);
  const matrix o = s * v;
  return o(0, 0);
}

struct eigen_double_in_place::matrices {
  matrix q, k, v, s, o;
};

eigen_double_in_place::eigen_double_in_place(const bench_inputs& x)
    : m_(new matrices{to_matrix(x.q, x) * scale_of(x), to_matrix(x.k, x), to_matrix(x.v, x),
                      matrix(x.n, x.n), matrix(x.n, x.width)}) {}

eigen_double_in_place::~eigen_double_in_place() { delete m_; }

double eigen_double_in_place::run() {
  m_->s.noalias() = m_->q * m_->k.transpose();
  softmax_rows(m_->s);
  m_->o.noalias() = m_->s * m_->v;
  return m_->o(0, 0);
}

}  // namespace attest::bench
