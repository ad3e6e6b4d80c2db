// What the certified reference is compared with: one head, n queries and keys, without masks.
#pragma once

#include <cstdint>
#include <vector>

namespace attest::bench {

// q, k and v, [n, width] each.
struct bench_inputs {
  std::int64_t n = 0;
  std::int64_t width = 0;
  std::vector<double> q, k, v;
};

// Each computes softmax(q k^T / sqrt(D)) v. Result: the first output, so that nothing is optimised
// away.

// Plain double attention as it is written with Eigen: Q K^T, row softmax, times V.
double eigen_double(const bench_inputs&);
// The same in matrices that exist already: no fresh memory, which costs more than the arithmetic on
// some machines.
class eigen_double_in_place {
 public:
  explicit eigen_double_in_place(const bench_inputs&);
  ~eigen_double_in_place();
  double run();

 private:
  struct matrices;
  matrices* m_;
};
// The same as eigen_double with 50 decimal digits (cpp_bin_float_50).
double eigen_50_digits(const bench_inputs&);
// Balls of 128 bits by Arb.
double arb_128_bits(const bench_inputs&);

}  // namespace attest::bench
