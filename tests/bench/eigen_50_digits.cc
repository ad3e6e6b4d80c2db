#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/eigen.hpp>

#include "tests/bench/eigen_attention.h"

namespace attest::bench {

double run_eigen_50_digits(Eigen::Index n, Eigen::Index width) {
  using real = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>,
                                             boost::multiprecision::et_off>;
  using matrix = Eigen::Matrix<real, Eigen::Dynamic, Eigen::Dynamic>;
  const matrix q = Eigen::MatrixXd::Random(n, width).cast<real>(),
               k = Eigen::MatrixXd::Random(n, width).cast<real>(),
               v = Eigen::MatrixXd::Random(n, width).cast<real>();
  return eigen_attention<real>(q, k, v).sum().convert_to<double>();
}

}  // namespace attest::bench
