#include "properties/recurrence/altered_recurrence.h"

namespace attest {
namespace {

constexpr std::uint64_t gaps = ~std::uint64_t{0};

template <class Of>
tensor filled(const format& element, const placement& where, Of of) {
  tensor t(element, where, gaps);
  for_each_index(where.sizes, [&](const index4& i) { t.set(i, of(i)); });
  return t;
}

template <class Of>
std::optional<tensor> filled(const std::optional<tensor>& t, const placement& where, Of of) {
  return t ? std::optional(filled(t->element(), where, of)) : std::nullopt;
}

}  // namespace

placement place_of_decay(decay_kind kind, const linear_problem& p) {
  constexpr unsigned heads = 0b0010;
  const shape& s = p.dims;
  if (kind == decay_kind::channel) return place(layout::bhld, p.gate_sizes());
  const index4 sizes{s.batch, s.kv_heads, s.queries, 1};
  return kind == decay_kind::head ? broadcast(sizes, heads) : place(layout::bhld, sizes);
}

recurrence_problem part_of(const recurrence_problem& whole, const shape& s, const axis_map& map) {
  const linear_problem& from = whole.posed;
  const std::int64_t group = from.dims.query_heads / from.dims.kv_heads;
  recurrence_problem part = whole;
  linear_problem& p = part.posed;
  p.dims = s;
  const auto of_key = [&](const tensor& t) {
    return [&](const index4& i) {
      return t.at(i[0] + map.batch, i[1] / map.heads_each + map.kv_head, i[2] + map.position, i[3]);
    };
  };
  const auto of_key_if = [&](const std::optional<tensor>& t, const placement& where) {
    return t ? filled(t, where, of_key(*t)) : std::nullopt;
  };
  p.q = filled(from.q.element(), place(whole.placed, s.q_sizes()), [&](const index4& i) {
    return from.q.at(i[0] + map.batch, i[1] + map.kv_head * group, i[2] + map.position, i[3]);
  });
  p.k = filled(from.k.element(), place(whole.placed, s.k_sizes()), of_key(from.k));
  p.v = filled(from.v.element(), place(whole.placed, s.v_sizes()), of_key(from.v));
  if (from.draws)
    p.draws = filled(from.draws->element(),
                     place(layout::bhld, {1, s.kv_heads, from.channels(), s.width}),
                     [&](const index4& i) {
                       return from.draws->at(0, i[1] / map.heads_each + map.kv_head, i[2], i[3]);
                     });
  p.decay = of_key_if(from.decay, place_of_decay(whole.decay, p));
  p.rate = of_key_if(from.rate, place(layout::bhld, {s.batch, s.kv_heads, s.queries, 1}));
  p.erase = of_key_if(from.erase, place(layout::bhld, p.gate_sizes()));
  p.state = filled(from.state, place(layout::bhld, p.state_sizes()), [&](const index4& i) {
    return from.state->at(i[0] + map.batch, i[1] / map.heads_each + map.kv_head, i[2], i[3]);
  });
  return part;
}

recurrence_problem positions_of(const recurrence_problem& whole, std::int64_t first,
                                std::int64_t last) {
  shape s = whole.posed.dims;
  s.queries = s.keys = last - first;
  return part_of(whole, s, {.position = first});
}

recurrence_problem mixed(
    const recurrence_problem& one, const recurrence_problem& other,
    const std::function<bool(std::int64_t, std::int64_t, std::int64_t)>& chosen) {
  recurrence_problem result = one;
  linear_problem& p = result.posed;
  const linear_problem& from = other.posed;
  const auto take = [&](tensor& t, const tensor& source, bool of_queries) {
    for_each_index(t.sizes(), [&](const index4& i) {
      if (chosen(i[0], of_queries ? p.kv_head(i[1]) : i[1], i[2])) t.set(i, source.at(i));
    });
  };
  take(p.q, from.q, true);
  take(p.k, from.k, false);
  take(p.v, from.v, false);
  if (p.decay) take(*p.decay, *from.decay, false);
  if (p.rate) take(*p.rate, *from.rate, false);
  if (p.erase) take(*p.erase, *from.erase, false);
  if (p.draws)
    for_each_index(p.draws->sizes(), [&](const index4& i) {
      if (chosen(0, i[1], 0)) p.draws->set(i, from.draws->at(i));
    });
  return result;
}

tensor with_elements(const tensor& t, const std::function<double(const index4&)>& of) {
  return filled(t.element(), t.where(), of);
}

}  // namespace attest
