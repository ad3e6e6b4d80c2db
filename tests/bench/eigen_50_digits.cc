#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/eigen.hpp>

#include "tests/bench/competitors.h"

namespace attest::bench {
namespace {

using real = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>,
                                           boost::multiprecision::et_off>;
using matrix = Eigen::Matrix<real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

matrix to_matrix(const std::vector<double>& x, const bench_inputs& inputs) {
  matrix m(inputs.n, inputs.width);
  for (Eigen::Index n = 0; n < m.size(); ++n) m.data()[n] = x[static_cast<std::size_t>(n)];
  return m;
}

}  // namespace

double eigen_50_digits(const bench_inputs& x) {
  matrix s = to_matrix(x.q, x) * to_matrix(x.k, x).transpose() / sqrt(real(x.width));
  for (Eigen::Index i = 0; i < s.rows(); ++i) {
    const real greatest = s.row(i).maxCoeff();
    s.row(i) = s.row(i).unaryExpr([&](const real& t) { return real(exp(real(t - greatest))); });
    s.row(i) /= s.row(i).sum();
  }
  const matrix o = s * to_matrix(x.v, x);
  return o(0, 0).convert_to<double>();
}

}  // namespace attest::bench
