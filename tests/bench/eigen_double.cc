#include "tests/bench/eigen_attention.h"

namespace attest::bench {

double run_eigen_double(Eigen::Index n, Eigen::Index width) {
  const Eigen::MatrixXd q = Eigen::MatrixXd::Random(n, width),
                        k = Eigen::MatrixXd::Random(n, width),
                        v = Eigen::MatrixXd::Random(n, width);
  return eigen_attention<double>(q, k, v).sum();
}

}  // namespace attest::bench
