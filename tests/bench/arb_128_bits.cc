#include "tests/bench/arb_128_bits.h"

#include <arb.h>

#include <Eigen/Dense>

namespace attest::bench {
namespace {

constexpr slong precision = 128;

// Row-major balls.
class ball_matrix {
 public:
  ball_matrix(Eigen::Index rows, Eigen::Index columns)
      : size_(rows * columns), columns_(columns), entries_(_arb_vec_init(size_)) {}
  explicit ball_matrix(const Eigen::MatrixXd& x) : ball_matrix(x.rows(), x.cols()) {
    for (Eigen::Index i = 0; i < x.rows(); ++i)
      for (Eigen::Index j = 0; j < x.cols(); ++j) arb_set_d(at(i, j), x(i, j));
  }
  ball_matrix(const ball_matrix&) = delete;
  ball_matrix& operator=(const ball_matrix&) = delete;
  ~ball_matrix() { _arb_vec_clear(entries_, size_); }

  arb_ptr at(Eigen::Index i, Eigen::Index j) { return entries_ + i * columns_ + j; }
  arb_srcptr at(Eigen::Index i, Eigen::Index j) const { return entries_ + i * columns_ + j; }
  Eigen::Index columns() const { return columns_; }

 private:
  Eigen::Index size_;
  Eigen::Index columns_;
  arb_ptr entries_;
};

// e_j = exp(c q_i . k_j) for every key, and their sum. No maximum needs subtracting: Arb's
// exponents have no end.
void put_exponentials(const ball_matrix& q, const ball_matrix& k, Eigen::Index i, const arb_t scale,
                      ball_matrix& e, arb_t sum) {
  arb_zero(sum);
  for (Eigen::Index j = 0; j < e.columns(); ++j) {
    arb_ptr x = e.at(0, j);
    arb_dot(x, nullptr, 0, q.at(i, 0), 1, k.at(j, 0), 1, q.columns(), precision);
    arb_mul(x, x, scale, precision);
    arb_exp(x, x, precision);
    arb_add(sum, sum, x, precision);
  }
}

// One division a row, one product an output.
void put_output(const ball_matrix& e, arb_t sum, const ball_matrix& v, Eigen::Index i,
                ball_matrix& o) {
  arb_inv(sum, sum, precision);
  for (Eigen::Index d = 0; d < v.columns(); ++d) {
    arb_dot(o.at(i, d), nullptr, 0, e.at(0, 0), 1, v.at(0, d), v.columns(), e.columns(), precision);
    arb_mul(o.at(i, d), o.at(i, d), sum, precision);
  }
}

void put_attention(const ball_matrix& q, const ball_matrix& k, const ball_matrix& v, Eigen::Index n,
                   ball_matrix& o) {
  ball_matrix e(1, n);
  arb_t scale, sum;
  arb_init(scale);
  arb_init(sum);
  arb_rsqrt_ui(scale, static_cast<ulong>(q.columns()), precision);
  for (Eigen::Index i = 0; i < n; ++i) {
    put_exponentials(q, k, i, scale, e, sum);
    put_output(e, sum, v, i, o);
  }
  arb_clear(scale);
  arb_clear(sum);
}

}  // namespace

double run_arb_128_bits(Eigen::Index n, Eigen::Index width) {
  const ball_matrix q(Eigen::MatrixXd::Random(n, width)), k(Eigen::MatrixXd::Random(n, width)),
      v(Eigen::MatrixXd::Random(n, width));
  ball_matrix o(n, width);
  put_attention(q, k, v, n, o);
  double sum = 0;
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index d = 0; d < width; ++d) sum += arf_get_d(arb_midref(o.at(i, d)), ARF_RND_NEAR);
  return sum;
}

}  // namespace attest::bench
