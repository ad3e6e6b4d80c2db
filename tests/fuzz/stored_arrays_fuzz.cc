// Any arrays by the names of a stored linear attention or module are read as one, or refused with
// input_error; what was read is what lies where the shapes say.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "properties/dump/linear_dump.h"
#include "properties/dump/module_dump.h"
#include "tests/fuzz/byte_supply.h"
#include "tests/fuzz/same_arrays.h"
#include "tests/fuzz/unless_refused.h"

namespace {

using namespace attest;

using sizes = std::vector<std::int64_t>;

void require(bool truth) {
  if (!truth) std::abort();
}

// Numbered elements, so that each shows where it comes from.
array numbered(const sizes& of) {
  array a{&f64, of, {}};
  std::size_t count = 1;
  for (const std::int64_t size : of) count *= static_cast<std::size_t>(size);
  for (std::size_t n = 0; n < count; ++n) a.values.push_back(static_cast<double>(n + 1));
  return a;
}

// What a byte makes of an array that fits; most make nothing.
enum change : std::int64_t {
  left_out = 1,
  longer,
  shorter,
  of_integers,
  no_number,
  another_name,
  first_of_sizes,
  behind_sizes = first_of_sizes + 8,
};

void put(named_arrays& to, std::string name, sizes of, byte_supply& from) {
  const std::int64_t what = from.next();
  if (what == left_out) return;
  if (what == longer) of.push_back(1);
  if (what == shorter) of.pop_back();
  if (what >= first_of_sizes && what < behind_sizes)
    of[static_cast<std::size_t>(what - first_of_sizes) % of.size()] = from.below(4);
  if (what == another_name) name += '_';
  array& a = to[name] = numbered(of);
  if (what == of_integers) a = {nullptr, a.sizes, a.values, element_kind::integer};
  if (what == no_number && !a.values.empty())
    a.values.back() = std::numeric_limits<double>::quiet_NaN();
}

// Whether each element of t is the one that stands in the array at place(index).
template <class Place>
void require_from(const array& a, const tensor& t, Place place) {
  std::size_t elements = 0;
  for_each_index(t.sizes(), [&](const index4& i) {
    require(same_value(t.at(i), a.values.at(static_cast<std::size_t>(place(i)))));
    ++elements;
  });
  require(elements == a.values.size());
}

void require_in_order(const array& a, const tensor& t) {
  require_from(a, t, [n = std::int64_t{0}](const index4&) mutable { return n++; });
}

// ---- Linear attention ----

// One that lies as q does: [B, H, L, columns], or [B, L, H, columns].
void require_per_position(const array& a, const tensor& t, axis_order order) {
  const index4 all = t.sizes();
  require_from(a, t, [&](const index4& i) {
    const std::int64_t row =
        order == axis_order::blhd ? i[2] * all[1] + i[1] : i[1] * all[2] + i[2];
    return (i[0] * all[1] * all[2] + row) * all[3] + i[3];
  });
}

// [B, L, Hq Dv], of o in either order.
void require_output(const array& o, const linear_call& call, axis_order order) {
  const shape& s = call.posed.dims;
  require(call.output->sizes == sizes{s.batch, s.queries, s.query_heads * s.value_width});
  tensor packed(f64, place(layout::bhld, s.o_sizes()), 0);
  for_each_index(s.o_sizes(), [&](const index4& i) {
    const std::int64_t row = (i[0] * s.queries + i[2]) * s.query_heads + i[1];
    packed.set(i, call.output->values.at(static_cast<std::size_t>(row * s.value_width + i[3])));
  });
  require_per_position(o, packed, order);
}

named_arrays linear_arrays_from(byte_supply& from, axis_order order) {
  const std::int64_t batch = 1 + from.below(2), kv_heads = 1 + from.below(2),
                     heads = kv_heads * (1 + from.below(2)), length = 1 + from.below(3),
                     width = 1 + from.below(2), value_width = 1 + from.below(3);
  const auto rows = [&](std::int64_t of) {
    return order == axis_order::blhd ? sizes{batch, length, of} : sizes{batch, of, length};
  };
  const auto wide = [&](std::int64_t of, std::int64_t columns) {
    sizes all = rows(of);
    all.push_back(columns);
    return all;
  };
  const sizes state{batch, kv_heads, width, value_width};
  named_arrays a;
  put(a, "q", wide(heads, width), from);
  put(a, "k", wide(kv_heads, width), from);
  put(a, "v", wide(kv_heads, value_width), from);
  put(a, "o", wide(heads, value_width), from);
  put(a, "decay", from.below(2) == 0 ? rows(kv_heads) : wide(kv_heads, width), from);
  put(a, "rate", rows(kv_heads), from);
  put(a, "erase", wide(kv_heads, width), from);
  put(a, "state", state, from);
  put(a, "state_out", state, from);
  return a;
}

void try_linear(byte_supply& from) {
  linear_reading how;
  how.order = from.below(2) == 0 ? axis_order::bhld : axis_order::blhd;
  how.normalised = from.below(4) == 1;
  const named_arrays given = linear_arrays_from(from, how.order);
  const auto read = unless_refused([&] { return to_linear_call(given, how, "fuzz"); });
  if (!read) return;
  const linear_problem& p = read->posed;
  const auto require_kept = [&](const char* name, const tensor& t) {
    require_per_position(given.at(name), t, how.order);
  };
  require_kept("q", p.q);
  require_kept("k", p.k);
  require_kept("v", p.v);
  require(p.decay.has_value() == given.contains("decay"));
  if (p.decay) require_kept("decay", *p.decay);
  require(p.rate.has_value() == given.contains("rate"));
  if (p.rate) require_kept("rate", *p.rate);
  require(p.erase.has_value() == given.contains("erase"));
  if (p.erase) require_kept("erase", *p.erase);
  require(p.state.has_value() == given.contains("state"));
  if (p.state) require_in_order(given.at("state"), *p.state);
  require(read->output.has_value() == given.contains("o"));
  if (read->output) require_output(given.at("o"), *read, how.order);
  require(read->present_state.has_value() == given.contains("state_out"));
  if (read->present_state) require(same_array(*read->present_state, given.at("state_out")));
}

// ---- Modules ----

// [1, H, C, D] of one matrix a head, or of [C, H D], or of [H D, C].
void require_weights(const array& w, const tensor& t, bool outputs_first) {
  const index4 all = t.sizes();
  if (w.sizes.size() == 3) return require_in_order(w, t);
  require_from(w, t, [&](const index4& i) {
    const std::int64_t column = i[1] * all[3] + i[3];
    return outputs_first ? column * all[2] + i[2] : i[2] * all[1] * all[3] + column;
  });
}

// [1, H, Dv, E] of [H Dv, E], or of [E, H Dv].
void require_last_matrix(const array& w, const tensor& t, bool outputs_first) {
  const index4 all = t.sizes();
  if (!outputs_first) return require_in_order(w, t);
  require_from(w, t, [&](const index4& i) { return (i[3] * all[1] + i[1]) * all[2] + i[2]; });
}

named_arrays module_arrays_from(byte_supply& from, const module_reading& how) {
  const std::int64_t kv_heads = how.kv_heads == 0 ? how.heads : how.kv_heads, batch = from.below(3),
                     length = 1 + from.below(3), inputs = 1 + from.below(3),
                     width = 1 + from.below(2), value_width = 1 + from.below(2),
                     outputs = 1 + from.below(4);
  const bool one_a_head = from.below(2) == 1;
  const auto matrix = [&](std::int64_t rows, std::int64_t columns) {
    return how.outputs_first ? sizes{columns, rows} : sizes{rows, columns};
  };
  const auto of_heads = [&](std::int64_t heads, std::int64_t columns) {
    return one_a_head ? sizes{heads, inputs, columns} : matrix(inputs, heads * columns);
  };
  const auto sequence = [&](std::int64_t columns) {
    return batch == 0 ? sizes{length, columns} : sizes{batch, length, columns};
  };
  named_arrays a;
  put(a, "x", sequence(inputs), from);
  put(a, "w_q", of_heads(how.heads, width), from);
  put(a, "w_k", of_heads(kv_heads, width), from);
  put(a, "w_v", of_heads(kv_heads, value_width), from);
  put(a, "b_q", {how.heads * width}, from);
  put(a, "b_k", {kv_heads * width}, from);
  put(a, "b_v", {kv_heads * value_width}, from);
  put(a, "w_o", matrix(how.heads * value_width, outputs), from);
  put(a, "b_o", {outputs}, from);
  put(a, "o", sequence(a.contains("w_o") ? outputs : how.heads * value_width), from);
  return a;
}

void try_module(byte_supply& from) {
  module_reading how;
  how.heads = 1 + from.below(4);
  how.kv_heads = from.below(4);
  how.outputs_first = from.below(2) == 1;
  const named_arrays given = module_arrays_from(from, how);
  const auto read = unless_refused([&] { return to_module_dump(given, how, "fuzz"); });
  if (!read) return;
  const attention_module& m = read->module;
  require_in_order(given.at("x"), m.x);
  require_weights(given.at("w_q"), m.w_q, how.outputs_first);
  require_weights(given.at("w_k"), m.w_k, how.outputs_first);
  require_weights(given.at("w_v"), m.w_v, how.outputs_first);
  const auto require_bias = [&](const char* name, const std::optional<tensor>& t) {
    require(t.has_value() == given.contains(name));
    if (t) require_in_order(given.at(name), *t);
  };
  require_bias("b_q", m.b_q);
  require_bias("b_k", m.b_k);
  require_bias("b_v", m.b_v);
  require_bias("b_o", m.b_o);
  require(m.w_o.has_value() == given.contains("w_o"));
  if (m.w_o) require_last_matrix(given.at("w_o"), *m.w_o, how.outputs_first);
  require(same_array(read->o, given.at("o")));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  byte_supply from(data, size);
  if (from.below(2) == 0)
    try_linear(from);
  else
    try_module(from);
  return 0;
}
