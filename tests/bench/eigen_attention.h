// The competitors: attention as matrix products, written with Eigen. One head; q [n, D], k [m, D],
// v [m, Dv].
#pragma once

#include <Eigen/Dense>

namespace attest::bench {

// Computes: softmax(q k^T / sqrt(D)) v.
template <class Real>
Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic> eigen_attention(
    const Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>& q,
    const Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>& k,
    const Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>& v) {
  using std::exp;
  using std::sqrt;
  Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic> scores =
      q * k.transpose() / sqrt(Real(q.cols()));
  for (Eigen::Index i = 0; i < scores.rows(); ++i) {
    const Real greatest = scores.row(i).maxCoeff();
    scores.row(i) =
        scores.row(i).unaryExpr([&](const Real& s) { return Real(exp(Real(s - greatest))); });
    scores.row(i) /= scores.row(i).sum();
  }
  return scores * v;
}

// Computes: the sum of all outputs, for random inputs of these sizes; the work is not optimised
// away.
double run_eigen_double(Eigen::Index n, Eigen::Index width);
double run_eigen_50_digits(Eigen::Index n, Eigen::Index width);

}  // namespace attest::bench
