#include "properties/dump/linear_dump.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "properties/dump/stored_arrays.h"
#include "properties/exchange/byte_source.h"

namespace attest {
namespace {

constexpr std::string_view answers[] = {"o", "state_out"};
constexpr std::string_view names[] = {"q",     "k",     "v",     "decay", "rate",
                                      "erase", "state", "draws", "o",     "state_out"};

class linear_arrays {
 public:
  linear_arrays(const stored_arrays& given, const linear_reading& how) : given_(given), how_(how) {}

  linear_call read() {
    take_operands();
    take_gates();
    take_answers();
    return std::move(call_);
  }

 private:
  // [B, H, L, columns], whichever order the array has. rank 3: one column.
  tensor per_position(const char* name, const array& a, const index4& due) const {
    const bool heads_later = how_.order == axis_order::blhd;
    std::vector<std::int64_t> sizes{due[0], heads_later ? due[2] : due[1],
                                    heads_later ? due[1] : due[2], due[3]};
    sizes.resize(a.sizes.size() == 3 && due[3] == 1 ? 3 : 4);
    if (a.sizes != sizes)
      given_.fail(name, "has sizes [" + sizes_text(a.sizes) + "]", "[" + sizes_text(sizes) + "]");
    tensor t(*a.element, place(layout::bhld, due), 0);
    std::size_t n = 0;
    for_each_index({due[0], sizes[1], sizes[2], due[3]}, [&](const index4& i) {
      t.set(heads_later ? index4{i[0], i[2], i[1], i[3]} : i, a.values[n++]);
    });
    return t;
  }

  index4 sizes_of(const char* name) const {
    const std::vector<std::int64_t>& s = given_.require(name).sizes;
    if (s.size() != 4 || std::find(s.begin(), s.end(), 0) != s.end())
      given_.fail(name, "has sizes [" + sizes_text(s) + "]", "four, none of them 0");
    const bool heads_later = how_.order == axis_order::blhd;
    return {s[0], s[heads_later ? 2 : 1], s[heads_later ? 1 : 2], s[3]};
  }

  void take_operands() {
    linear_problem& p = call_.posed;
    const index4 q = sizes_of("q"), k = sizes_of("k"), v = sizes_of("v");
    p.dims = {q[0], q[1], k[1], q[2], q[2], q[3], v[3]};
    if (q[1] % k[1] != 0)
      given_.fail("q", fmt::format("has {} heads for {} of k", q[1], k[1]), "a multiple");
    call_.inputs = given_.require("q").element;
    p.q = per_position("q", given_.require("q"), p.dims.q_sizes());
    p.k = per_position("k", given_.require("k"), p.dims.k_sizes());
    p.v = per_position("v", given_.require("v"), p.dims.v_sizes());
    p.map = how_.map;
    take_draws();
    p.normalised = how_.normalised;
    p.scale = how_.scale;
  }

  // [Hkv, A, D], of exp_features alone.
  void take_draws() {
    linear_problem& p = call_.posed;
    if (p.map != feature_map::exp_features) {
      if (given_.holds("draws")) given_.fail("draws", "is given", "beside --features exp_features");
      return;
    }
    const array& a = given_.require("draws");
    const bool fits = a.sizes.size() == 3 && a.sizes[0] == p.dims.kv_heads && a.sizes[1] > 0 &&
                      a.sizes[2] == p.dims.width;
    if (!fits)
      given_.fail("draws", "has sizes [" + sizes_text(a.sizes) + "]",
                  fmt::format("[{}, A, {}]", p.dims.kv_heads, p.dims.width));
    const index4 due{1, a.sizes[0], a.sizes[1], a.sizes[2]};
    p.draws.emplace(*a.element, place(layout::bhld, due), 0);
    std::size_t n = 0;
    for_each_index(due, [&](const index4& i) { p.draws->set(i, a.values[n++]); });
  }

  void take_gates() {
    linear_problem& p = call_.posed;
    const shape& s = p.dims;
    const index4 of_head{s.batch, s.kv_heads, s.queries, 1};
    if (given_.holds("decay")) {
      const bool of_channel = given_.require("decay").sizes.size() == 4;
      p.decay =
          per_position("decay", given_.require("decay"), of_channel ? p.gate_sizes() : of_head);
    }
    if (given_.holds("rate")) p.rate = per_position("rate", given_.require("rate"), of_head);
    if (given_.holds("erase"))
      p.erase = per_position("erase", given_.require("erase"), p.gate_sizes());
    if (p.erase && !p.rate) given_.fail("erase", "is given without rate", "both, or neither");
    if (given_.holds("state")) p.state = state_named("state");
    if (p.normalised && (p.state || p.rate))
      given_.fail(p.state ? "state" : "rate", "is given", "none beside --normalised");
  }

  tensor state_named(const char* name) const {
    const array& a = given_.require(name);
    const index4 due = call_.posed.state_sizes();
    given_.require_sizes(name, {due.begin(), due.end()});
    tensor t(*a.element, place(layout::bhld, due), 0);
    std::size_t n = 0;
    for_each_index(due, [&](const index4& i) { t.set(i, a.values[n++]); });
    return t;
  }

  // As a call holds them: [B, L, Hq Dv].
  void take_answers() {
    const shape& s = call_.posed.dims;
    if (!given_.holds("o") && !given_.holds("state_out"))
      refuse(given_.where(), "neither o nor state_out", "one of them at least");
    if (given_.holds("o")) {
      const tensor o = per_position("o", given_.require("o"), s.o_sizes());
      array& packed = call_.output.emplace(
          array{&o.element(), {s.batch, s.queries, s.query_heads * s.value_width}, {}});
      for_each_index({s.batch, s.queries, s.query_heads, s.value_width}, [&](const index4& i) {
        packed.values.push_back(o.at(i[0], i[2], i[1], i[3]));
      });
    }
    if (!given_.holds("state_out")) return;
    state_named("state_out");
    call_.present_state = given_.require("state_out");
  }

  const stored_arrays& given_;
  const linear_reading& how_;
  linear_call call_;
};

}  // namespace

linear_call to_linear_call(named_arrays given, const linear_reading& how,
                           const std::string& where) {
  const stored_arrays arrays(std::move(given), names, answers, where);
  return linear_arrays(arrays, how).read();
}

}  // namespace attest
