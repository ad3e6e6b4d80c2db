// The rigorous competitor: attention on Arb's balls of 128 bits, with Arb's dot product for both
// matrix products. Every output is a proved enclosure.
#include <arb.h>

#include "tests/bench/competitors.h"

namespace attest::bench {
namespace {

constexpr slong precision = 128;

// Row-major balls.
class ball_matrix {
 public:
  ball_matrix(std::int64_t rows, std::int64_t columns)
      : size_(rows * columns), columns_(columns), entries_(_arb_vec_init(size_)) {}
  ball_matrix(const std::vector<double>& x, std::int64_t columns)
      : ball_matrix(static_cast<std::int64_t>(x.size()) / columns, columns) {
    for (std::int64_t n = 0; n < size_; ++n)
      arb_set_d(entries_ + n, x[static_cast<std::size_t>(n)]);
  }
  ball_matrix(const ball_matrix&) = delete;
  ball_matrix& operator=(const ball_matrix&) = delete;
  ~ball_matrix() { _arb_vec_clear(entries_, size_); }

  arb_ptr at(std::int64_t i, std::int64_t j) { return entries_ + i * columns_ + j; }
  arb_srcptr at(std::int64_t i, std::int64_t j) const { return entries_ + i * columns_ + j; }
  std::int64_t columns() const { return columns_; }

 private:
  std::int64_t size_;
  std::int64_t columns_;
  arb_ptr entries_;
};

// e_j = exp(c q_i . k_j) for every key, and their sum. No maximum needs subtracting: Arb's
// exponents have no end.
void put_exponentials(const ball_matrix& q, const ball_matrix& k, std::int64_t i, const arb_t scale,
                      ball_matrix& e, arb_t sum) {
  arb_zero(sum);
  for (std::int64_t j = 0; j < e.columns(); ++j) {
    arb_ptr x = e.at(0, j);
    arb_dot(x, nullptr, 0, q.at(i, 0), 1, k.at(j, 0), 1, q.columns(), precision);
    arb_mul(x, x, scale, precision);
    arb_exp(x, x, precision);
    arb_add(sum, sum, x, precision);
  }
}

// One division a row, one product an output.
void put_output(const ball_matrix& e, arb_t sum, const ball_matrix& v, std::int64_t i,
                ball_matrix& o) {
  arb_inv(sum, sum, precision);
  for (std::int64_t d = 0; d < v.columns(); ++d) {
    arb_dot(o.at(i, d), nullptr, 0, e.at(0, 0), 1, v.at(0, d), v.columns(), e.columns(), precision);
    arb_mul(o.at(i, d), o.at(i, d), sum, precision);
  }
}

void put_attention(const ball_matrix& q, const ball_matrix& k, const ball_matrix& v, std::int64_t n,
                   ball_matrix& o) {
  ball_matrix e(1, n);
  arb_t scale, sum;
  arb_init(scale);
  arb_init(sum);
  arb_rsqrt_ui(scale, static_cast<ulong>(q.columns()), precision);
  for (std::int64_t i = 0; i < n; ++i) {
    put_exponentials(q, k, i, scale, e, sum);
    put_output(e, sum, v, i, o);
  }
  arb_clear(scale);
  arb_clear(sum);
}

}  // namespace

double arb_128_bits(const bench_inputs& x) {
  const ball_matrix q(x.q, x.width), k(x.k, x.width), v(x.v, x.width);
  ball_matrix o(x.n, x.width);
  put_attention(q, k, v, x.n, o);
  return arf_get_d(arb_midref(o.at(0, 0)), ARF_RND_NEAR);
}

}  // namespace attest::bench
