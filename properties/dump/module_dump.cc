#include "properties/dump/module_dump.h"

#include <fmt/format.h>

#include <utility>

#include "properties/dump/stored_arrays.h"
#include "properties/exchange/byte_source.h"

namespace attest {
namespace {

constexpr std::string_view answers[] = {"o"};
constexpr std::string_view names[] = {"x",   "w_q", "w_k", "w_v", "b_q",
                                      "b_k", "b_v", "w_o", "b_o", "o"};

class module_arrays {
 public:
  module_arrays(const stored_arrays& given, const module_reading& how) : given_(given), how_(how) {}

  module_dump read() {
    const std::int64_t kv_heads = how_.kv_heads == 0 ? how_.heads : how_.kv_heads;
    if (how_.heads % kv_heads != 0)
      refuse("--heads", fmt::format("{} for {} KV heads", how_.heads, kv_heads), "a multiple");
    attention_module& m = dump_.module;
    m.causal = how_.causal;
    m.scale = how_.scale;
    take_input();
    m.w_q = weights("w_q", how_.heads), m.b_q = bias("b_q", m.w_q);
    m.w_k = weights("w_k", kv_heads), m.b_k = bias("b_k", m.w_k);
    m.w_v = weights("w_v", kv_heads), m.b_v = bias("b_v", m.w_v);
    if (m.w_k.sizes()[3] != m.w_q.sizes()[3])
      given_.fail("w_k", fmt::format("gives heads of width {}", m.w_k.sizes()[3]),
                  fmt::format("{}, as w_q", m.w_q.sizes()[3]));
    if (given_.holds("w_o")) take_last_matrix();
    if (given_.holds("b_o")) take_last_bias();
    take_output();
    return std::move(dump_);
  }

 private:
  void take_input() {
    const array& x = given_.require("x");
    if (x.sizes.size() != 2 && x.sizes.size() != 3)
      given_.fail("x", fmt::format("has rank {}", x.sizes.size()), "[B, T, C] or [T, C]");
    dump_.inputs = x.element;
    const std::int64_t batch = x.sizes.size() == 3 ? x.sizes[0] : 1;
    const std::int64_t length = x.sizes[x.sizes.size() - 2], width = x.sizes.back();
    dump_.module.x = tensor(*x.element, place(layout::bhld, {batch, 1, length, width}), 0);
    std::size_t n = 0;
    for_each_index(dump_.module.x.sizes(),
                   [&](const index4& i) { dump_.module.x.set(i, x.values[n++]); });
  }

  // [1, H, C, D] of [C, H D], or [H D, C] where outputs come first, or [H, C, D].
  tensor weights(const std::string& name, std::int64_t heads) const {
    const array& w = given_.require(name);
    const std::int64_t inputs = dump_.module.x.sizes()[3];
    const bool one_a_head = w.sizes.size() == 3;
    const bool outputs_first = how_.outputs_first && !one_a_head;
    if (!one_a_head && w.sizes.size() != 2)
      given_.fail(name, fmt::format("has rank {}", w.sizes.size()), "[C, H D] or [H, C, D]");
    const std::int64_t columns = one_a_head ? heads * w.sizes[2] : w.sizes[outputs_first ? 0 : 1];
    if (columns % heads != 0)
      given_.fail(name, fmt::format("has {} columns for {} heads", columns, heads), "a multiple");
    const std::int64_t width = columns / heads;
    given_.require_sizes(name, one_a_head      ? std::vector<std::int64_t>{heads, inputs, width}
                               : outputs_first ? std::vector<std::int64_t>{columns, inputs}
                                               : std::vector<std::int64_t>{inputs, columns});
    tensor t(*w.element, place(layout::bhld, {1, heads, inputs, width}), 0);
    for_each_index(t.sizes(), [&](const index4& i) {
      const std::int64_t column = i[1] * width + i[3];
      const std::int64_t at = one_a_head      ? (i[1] * inputs + i[2]) * width + i[3]
                              : outputs_first ? column * inputs + i[2]
                                              : i[2] * columns + column;
      t.set(i, w.values[static_cast<std::size_t>(at)]);
    });
    return t;
  }

  std::optional<tensor> bias(const std::string& name, const tensor& of) const {
    if (!given_.holds(name)) return std::nullopt;
    const std::int64_t heads = of.sizes()[1], width = of.sizes()[3];
    given_.require_sizes(name, {heads * width});
    const array& b = given_.require(name);
    tensor t(*b.element, place(layout::bhld, {1, heads, 1, width}), 0);
    for_each_index(t.sizes(), [&](const index4& i) {
      t.set(i, b.values[static_cast<std::size_t>(i[1] * width + i[3])]);
    });
    return t;
  }

  // [1, H, Dv, E] of [H Dv, E], or [E, H Dv] where outputs come first.
  void take_last_matrix() {
    attention_module& m = dump_.module;
    const array& w = given_.require("w_o");
    if (w.sizes.size() != 2) given_.fail("w_o", fmt::format("has rank {}", w.sizes.size()), "2");
    const std::int64_t width = m.w_v.sizes()[3], rows = how_.heads * width,
                       outputs = w.sizes[how_.outputs_first ? 0 : 1];
    given_.require_sizes("w_o", how_.outputs_first ? std::vector<std::int64_t>{outputs, rows}
                                                   : std::vector<std::int64_t>{rows, outputs});
    m.w_o.emplace(*w.element, place(layout::bhld, {1, how_.heads, width, outputs}), 0);
    for_each_index(m.w_o->sizes(), [&](const index4& i) {
      const std::int64_t row = i[1] * width + i[2];
      const std::int64_t at = how_.outputs_first ? i[3] * rows + row : row * outputs + i[3];
      m.w_o->set(i, w.values[static_cast<std::size_t>(at)]);
    });
  }

  void take_last_bias() {
    attention_module& m = dump_.module;
    if (!m.w_o) given_.fail("b_o", "is given without w_o", "both, or neither");
    given_.require_sizes("b_o", {m.outputs()});
    const array& b = given_.require("b_o");
    m.b_o.emplace(*b.element, place(layout::bhld, {1, 1, 1, m.outputs()}), 0);
    for_each_index(m.b_o->sizes(), [&](const index4& i) {
      m.b_o->set(i, b.values[static_cast<std::size_t>(i[3])]);
    });
  }

  void take_output() {
    std::vector<std::int64_t> due = given_.require("x").sizes;
    due.back() = dump_.module.outputs();
    given_.require_sizes("o", due);
    dump_.o = given_.require("o");
  }

  const stored_arrays& given_;
  const module_reading& how_;
  module_dump dump_;
};

}  // namespace

module_dump to_module_dump(named_arrays given, const module_reading& how,
                           const std::string& where) {
  const stored_arrays arrays(std::move(given), names, answers, where);
  return module_arrays(arrays, how).read();
}

}  // namespace attest
