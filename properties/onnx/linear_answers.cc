#include "properties/onnx/linear_answers.h"

#include <cmath>

#include "derivation/bounds/linear.h"
#include "properties/judge.h"
#include "properties/onnx/arithmetic.h"
#include "reference/formats/rounding.h"

namespace attest {
namespace {

// Where an element of output [B, L, Hq Dv] lies in [B, Hq, L, Dv].
std::size_t unpacked_place(const shape& s, const index4& i) {
  return static_cast<std::size_t>(
      ((i[0] * s.query_heads + i[2]) * s.queries + i[1]) * s.value_width + i[3]);
}

std::string place_of_state(const index4& i) {
  return "present_state[b=" + std::to_string(i[0]) + ",h=" + std::to_string(i[1]) +
         ",k=" + std::to_string(i[2]) + ",d=" + std::to_string(i[3]) + "]";
}

class linear_judge {
 public:
  explicit linear_judge(const linear_call& c) : call_(c), exact_(exact_linear_attention(c.posed)) {}

  judgement under(const contract& kept) const {
    const linear_bound bound = bound_of(kept, call_.posed, exact_);
    judgement j;
    for_each_output([&](const index4& i, std::size_t n, double stored) {
      judge_element(j, {exact_.output[n], bound.output[n], bound.output_size[n], kept.output},
                    stored, place_of("output", {i[0], i[2], i[1]}, i[3]), "output");
    });
    for_each_state([&](const index4& i, std::size_t n, double stored) {
      judge_element(j, {exact_.state[n], bound.state[n], bound.state_size[n], state_format()},
                    stored, place_of_state(i), "present_state");
    });
    j.rows = call_.posed.dims.batch * call_.posed.dims.query_heads * call_.posed.dims.queries;
    return j;
  }

  ulp_histogram ulps() const {
    ulp_histogram all;
    for_each_output([&](const index4&, std::size_t n, double stored) {
      all.add(*call_.output->element, stored, nearest(*call_.output->element, exact_.output[n]));
    });
    for_each_state([&](const index4&, std::size_t n, double stored) {
      all.add(*state_format(), stored, nearest(*state_format(), exact_.state[n]));
    });
    return all;
  }

 private:
  static double nearest(const format& f, const enclosure& x) {
    return round_to(f, {}, x.high, x.low);
  }

  const format* state_format() const { return call_.present_state->element; }

  template <class Visit>
  void for_each_output(Visit visit) const {
    if (!call_.output) return;
    const shape& s = call_.posed.dims;
    std::size_t n = 0;
    for_each_index({s.batch, s.queries, s.query_heads, s.value_width}, [&](const index4& i) {
      visit(i, unpacked_place(s, i), call_.output->values[n++]);
    });
  }

  template <class Visit>
  void for_each_state(Visit visit) const {
    if (!call_.present_state) return;
    std::size_t n = 0;
    for_each_index(call_.posed.state_sizes(), [&](const index4& i) {
      visit(i, n, call_.present_state->values[n]);
      ++n;
    });
  }

  const linear_call& call_;
  const linear_answer<enclosure> exact_;
};

}  // namespace

judgement judge_linear(const linear_call& c, const contract& kept) {
  return linear_judge(c).under(kept);
}

judged_answers judge_linear(const linear_call& c) {
  const linear_judge judge(c);
  judged_answers result;
  result.ulps = judge.ulps();
  for (const contract& kept : contracts_for(*c.inputs, nullptr)) {
    result.found = judge.under(kept);
    result.contract = kept.name;
    if (every_element_holds(result.found)) break;
  }
  return result;
}

}  // namespace attest
