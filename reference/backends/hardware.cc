// The numbers that the machine computes with.
#include "reference/backends/defined.h"
#include "reference/backends/numbers.h"
#include "reference/backends/staged.h"

namespace attest {
namespace {

// A contract of the hardware numbers allows subnormals to be flushed; C++ keeps them.
contract keeping_subnormals(contract c) {
  for (stage* s : {&c.score_sum, &c.score_storage, &c.bias_sum, &c.exponent, &c.weight_storage,
                   &c.output_sum, &c.weight_sum, &c.partial_storage})
    s->subnormals = subnormal_mode::kept;
  c.output_subnormals = subnormal_mode::kept;
  return c;
}

template <Number T>
void evaluate_hardware(const backend& b, const problem& p, tensor& o, tensor* lse) {
  if (b.visits.order == evaluation_order::two_pass) return evaluate_defined<T>(p, o, lse);
  evaluate_staged(keeping_subnormals(*b.keeps), b.visits, p, o, lse);
}

}  // namespace

void evaluate_float64(const backend& b, const problem& p, tensor& o, tensor* lse) {
  evaluate_hardware<double>(b, p, o, lse);
}

void evaluate_float32(const backend& b, const problem& p, tensor& o, tensor* lse) {
  evaluate_hardware<float>(b, p, o, lse);
}

void evaluate_contract(const backend& b, const problem& p, tensor& o, tensor* lse) {
  evaluate_staged(*b.keeps, b.visits, p, o, lse);
}

}  // namespace attest
