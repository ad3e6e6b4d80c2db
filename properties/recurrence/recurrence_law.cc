#include "properties/recurrence/recurrence_law.h"

#include <fnmatch.h>

#include <algorithm>
#include <string>

#include "properties/recurrence/altered_recurrence.h"
#include "reference/input_error.h"

namespace attest {
namespace {

using f = recurrence_feature;

constexpr recurrence_features no_feature;
constexpr recurrence_features any_decay =
    recurrence_features().with(f::head_decay).with(f::position_decay).with(f::channel_decay);

std::optional<index4> itself(const index4& i) { return i; }

// Calls of one law on one problem; the first refusal ends it.
class comparison {
 public:
  explicit comparison(recurrence_examiner& e) : examiner_(e) {}

  // Result: empty after a refusal.
  std::optional<examined_call> ask(const recurrence_problem& p) {
    if (refusal_) return std::nullopt;
    examined_call call = examiner_.ask(p);
    refusal_ = call.refusal();
    return refusal_ ? std::nullopt : std::optional(std::move(call));
  }
  void same(const std::optional<examined_call>& one, const std::optional<examined_call>& other,
            const element_map& map, const char* what) {
    if (!one || !other) return;
    compare_outputs(found_, *one, *other, map, what);
    compare_states(found_, *one, *other, map, "state after the last position");
  }
  judgement& found() { return found_; }
  judgement result() const { return refusal_ ? *refusal_ : found_; }

 private:
  recurrence_examiner& examiner_;
  judgement found_;
  std::optional<judgement> refusal_;
};

// ---- The definition ----

recurrence_spec as_it_is(recurrence_spec s) { return s; }

judgement matches_definition(const recurrence_spec& s, recurrence_examiner& e) {
  comparison c(e);
  if (const auto call = c.ask(materialise(s))) judge_by_definition(c.found(), *call);
  return c.result();
}

// ---- States ----

recurrence_spec of_parts(recurrence_spec s) {
  s.state_out = true;
  s.dims.queries = s.dims.keys = std::max<std::int64_t>(s.dims.queries, 2);
  return s;
}

// Where a call of L positions is cut: short ones everywhere, others somewhere, and at both ends.
std::vector<std::int64_t> cuts_of(const recurrence_spec& s) {
  constexpr std::int64_t everywhere = 5;
  const std::int64_t positions = s.dims.queries;
  std::vector<std::int64_t> cuts;
  for (std::int64_t cut = 1; cut < positions; ++cut)
    if (positions <= everywhere || cut == 1 || cut == positions - 1 ||
        cut == 1 + static_cast<std::int64_t>(s.seed % static_cast<std::uint64_t>(positions - 1)))
      cuts.push_back(cut);
  return cuts;
}

// All parts, each from the state that the one before it gave, and the whole.
judgement parts_equal_one_shot(const recurrence_spec& s, recurrence_examiner& e) {
  comparison c(e);
  const recurrence_problem whole = materialise(s);
  const auto all = c.ask(whole);
  std::vector<std::int64_t> ends = cuts_of(s);
  ends.push_back(s.dims.queries);
  std::int64_t first = 0;
  std::optional<tensor> state = whole.posed.state;
  for (const std::int64_t last : ends) {
    recurrence_problem part = positions_of(whole, first, last);
    part.posed.state = state;
    const auto call = c.ask(part);
    if (!call || !all) break;
    judge_by_definition(c.found(), *call);
    compare_outputs(
        c.found(), *all, *call,
        [&](const index4& i) -> std::optional<index4> {
          if (i[2] < first || i[2] >= last) return std::nullopt;
          return index4{i[0], i[1], i[2] - first, i[3]};
        },
        "output of a part, from the state of the part before it");
    if (last == s.dims.queries)
      compare_states(c.found(), *all, *call, itself, "state after the last part");
    state = call->got.state;
    first = last;
  }
  return c.result();
}

recurrence_spec with_state_in(recurrence_spec s) {
  s.state_in = true;
  return s;
}

judgement zero_state_is_none(const recurrence_spec& s, recurrence_examiner& e) {
  comparison c(e);
  recurrence_problem zero = materialise(s), none = zero;
  zero.posed.state = with_elements(*zero.posed.state, [](const index4&) { return 0.0; });
  none.posed.state.reset();
  c.same(c.ask(zero), c.ask(none), itself, "output without a state in place of one of zeros");
  return c.result();
}

recurrence_spec with_state_out(recurrence_spec s) {
  s.state_out = true;
  return s;
}

judgement state_may_be_left_out(const recurrence_spec& s, recurrence_examiner& e) {
  comparison c(e);
  const recurrence_problem asked = materialise(s);
  recurrence_problem unasked = asked;
  unasked.asks_state = false;
  c.same(c.ask(asked), c.ask(unasked), itself, "output where the state is not asked");
  return c.result();
}

// ---- Gates ----

recurrence_spec with_decay_of_1(recurrence_spec s) {
  s.fading = fading_regime::none;
  return s;
}

judgement decay_of_1_is_none(const recurrence_spec& s, recurrence_examiner& e) {
  comparison c(e);
  const recurrence_problem ones = materialise(s);
  recurrence_problem none = ones;
  none.posed.decay.reset();
  none.decay = decay_kind::none;
  c.same(c.ask(ones), c.ask(none), itself, "output without decay in place of logs of 0");
  return c.result();
}

recurrence_spec with_rates_of_0(recurrence_spec s) {
  s.delta = true;
  s.rates = rate_regime::zero;
  return s;
}

// Nothing is written, so other values change nothing.
judgement rates_of_0_write_nothing(const recurrence_spec& s, recurrence_examiner& e) {
  comparison c(e);
  const recurrence_problem one = materialise(s);
  recurrence_problem other = one;
  other.posed.v = with_elements(one.posed.v, [&](const index4& i) { return -one.posed.v.at(i); });
  const auto call = c.ask(one);
  if (call) judge_by_definition(c.found(), *call);
  c.same(call, c.ask(other), itself, "output of other values, with rates of 0");
  return c.result();
}

// ---- Order ----

recurrence_spec of_two_positions(recurrence_spec s) {
  s.dims.queries = s.dims.keys = std::max<std::int64_t>(s.dims.queries, 2);
  return s;
}

recurrence_problem another(recurrence_spec s) {
  s.seed ^= 0x5bd1e995;
  return materialise(s);
}

judgement future_changes_nothing(const recurrence_spec& s, recurrence_examiner& e) {
  comparison c(e);
  const recurrence_problem one = materialise(s);
  const std::int64_t from =
      1 + static_cast<std::int64_t>(s.seed % static_cast<std::uint64_t>(s.dims.queries - 1));
  const auto later = [&](std::int64_t, std::int64_t, std::int64_t l) { return l >= from; };
  // Where heads share one decay over all positions, it is no matter of the future.
  recurrence_problem other = mixed(one, another(s), later);
  if (one.decay == decay_kind::head) other.posed.decay = one.posed.decay;
  const auto before = [&](const index4& i) {
    return i[2] < from ? std::optional(i) : std::nullopt;
  };
  const auto first = c.ask(one), second = c.ask(other);
  if (first && second)
    compare_outputs(c.found(), *first, *second, before, "output before what changed");
  return c.result();
}

judgement repeated_calls_agree(const recurrence_spec& s, recurrence_examiner& e) {
  comparison c(e);
  const recurrence_problem one = materialise(s);
  const auto first = c.ask(one);
  c.same(first, c.ask(one), itself, "output of the same call again");
  c.ask(another(s));
  c.same(first, c.ask(one), itself, "output of the same call after another one");
  return c.result();
}

// ---- Rows and heads ----

recurrence_spec of_two_rows(recurrence_spec s) {
  s.dims.batch = std::max<std::int64_t>(s.dims.batch, 2);
  return s;
}

judgement batch_rows_are_independent(const recurrence_spec& s, recurrence_examiner& e) {
  comparison c(e);
  const recurrence_problem all = materialise(s);
  const std::int64_t last = s.dims.batch - 1;
  shape one = s.dims;
  one.batch = 1;
  c.same(
      c.ask(all), c.ask(part_of(all, one, {.batch = last})),
      [&](const index4& i) -> std::optional<index4> {
        if (i[0] != last) return std::nullopt;
        return index4{0, i[1], i[2], i[3]};
      },
      "output of a batch row alone");
  return c.result();
}

recurrence_spec of_two_heads(recurrence_spec s) {
  if (s.dims.kv_heads > 1) return s;
  s.dims.kv_heads *= 2;
  s.dims.query_heads *= 2;
  return s;
}

judgement heads_are_independent(const recurrence_spec& s, recurrence_examiner& e) {
  comparison c(e);
  const recurrence_problem one = materialise(s);
  const auto first = [](std::int64_t, std::int64_t g, std::int64_t) { return g == 0; };
  const recurrence_problem other = mixed(one, another(s), first);
  const std::int64_t served = s.dims.query_heads / s.dims.kv_heads;
  const auto calls = std::pair(c.ask(one), c.ask(other));
  if (!calls.first || !calls.second) return c.result();
  compare_outputs(
      c.found(), *calls.first, *calls.second,
      [&](const index4& i) { return i[1] >= served ? std::optional(i) : std::nullopt; },
      "output of a head while another one changed");
  compare_states(
      c.found(), *calls.first, *calls.second,
      [](const index4& i) { return i[1] > 0 ? std::optional(i) : std::nullopt; },
      "state of a head while another one changed");
  return c.result();
}

recurrence_spec of_grouped_heads(recurrence_spec s) {
  if (s.dims.query_heads == s.dims.kv_heads) s.dims.query_heads *= 2;
  return s;
}

judgement grouped_heads_equal_expanded_heads(const recurrence_spec& s, recurrence_examiner& e) {
  comparison c(e);
  const recurrence_problem grouped = materialise(s);
  const std::int64_t each = s.dims.query_heads / s.dims.kv_heads;
  shape expanded = s.dims;
  expanded.kv_heads = s.dims.query_heads;
  const auto calls =
      std::pair(c.ask(grouped), c.ask(part_of(grouped, expanded, {.heads_each = each})));
  if (!calls.first || !calls.second) return c.result();
  compare_outputs(c.found(), *calls.first, *calls.second, itself,
                  "output where each query head has a KV head of its own");
  compare_states(
      c.found(), *calls.first, *calls.second,
      [&](const index4& i) {
        return std::optional(index4{i[0], i[1] * each, i[2], i[3]});
      },
      "state where each query head has a KV head of its own");
  return c.result();
}

// ---- Values and memory ----

// Every second position's value in one part, the others and the state in the other.
judgement linear_in_values(const recurrence_spec& s, recurrence_examiner& e) {
  comparison c(e);
  const recurrence_problem all = materialise(s);
  recurrence_problem even = all, odd = all;
  const auto only = [&](std::int64_t parity) {
    return with_elements(all.posed.v, [&, parity](const index4& i) {
      return i[2] % 2 == parity ? all.posed.v.at(i) : 0.0;
    });
  };
  even.posed.v = only(0);
  odd.posed.v = only(1);
  if (all.posed.state)
    odd.posed.state = with_elements(*all.posed.state, [](const index4&) { return 0.0; });
  const auto whole = c.ask(all), one = c.ask(even), other = c.ask(odd);
  if (whole && one && other) compare_sums(c.found(), *whole, *one, *other);
  return c.result();
}

recurrence_spec of_other_layout(recurrence_spec s) {
  if (s.placed == layout::bhld) s.placed = layout::blhd;
  return s;
}

judgement layouts_agree(const recurrence_spec& s, recurrence_examiner& e) {
  comparison c(e);
  recurrence_spec dense = s;
  dense.placed = layout::bhld;
  c.same(c.ask(materialise(s)), c.ask(materialise(dense)), itself, "output of dense tensors");
  return c.result();
}

// ---- The list ----

constexpr recurrence_features of(std::initializer_list<recurrence_feature> all) {
  recurrence_features set;
  for (recurrence_feature each : all) set = set.with(each);
  return set;
}

constexpr int problems_of_a_law = 8;

constexpr recurrence_law laws[] = {
    {"matches_definition",
     "Every output, and every element of the state that is returned, is what the definition gives, "
     "as far as the declared arithmetic allows.",
     "whatever computes something else", no_feature, no_feature, 128, as_it_is, matches_definition},
    {"parts_with_states_equal_one_shot",
     "Positions in parts, each from the state that the one before it gave, give what one call "
     "gives.",
     "states that are transposed, a position early, in a narrow format, or forgotten",
     of({f::state_in, f::state_out}), no_feature, problems_of_a_law, of_parts,
     parts_equal_one_shot},
    {"a_zero_state_is_none", "A state of zeros gives what no state gives.",
     "a path of its own where a state is given", of({f::state_in}), no_feature, problems_of_a_law,
     with_state_in, zero_state_is_none},
    {"the_state_may_be_left_out", "Outputs do not depend on whether the last state is asked.",
     "work that is skipped where no state is asked", of({f::state_out}), no_feature,
     problems_of_a_law, with_state_out, state_may_be_left_out},
    {"decay_of_1_is_none", "Logarithms of 0 give what no decay gives.",
     "a path of its own with decay, decay that is given in another unit", no_feature, any_decay,
     problems_of_a_law, with_decay_of_1, decay_of_1_is_none},
    {"rates_of_0_write_nothing", "Under the delta rule with rates of 0 values change nothing.",
     "values that are added without their rate", of({f::delta}), no_feature, problems_of_a_law,
     with_rates_of_0, rates_of_0_write_nothing},
    {"the_future_changes_nothing", "No output depends on later positions.",
     "chunks that see beyond their diagonal, decay that is a position off", no_feature, no_feature,
     problems_of_a_law, of_two_positions, future_changes_nothing},
    {"repeated_calls_agree", "A call gives what it gave before, after other calls too.",
     "state that stays from one call to the next, scratch space read before it is written",
     no_feature, no_feature, problems_of_a_law, as_it_is, repeated_calls_agree},
    {"batch_rows_are_independent", "A batch row alone gives what it gives among others.",
     "state that runs on into the next row, offsets", no_feature, no_feature, problems_of_a_law,
     of_two_rows, batch_rows_are_independent},
    {"heads_are_independent", "A head does not depend on what other heads hold.",
     "gates or states of the wrong head", no_feature, no_feature, problems_of_a_law, of_two_heads,
     heads_are_independent},
    {"grouped_heads_equal_expanded_heads",
     "Query heads that share a KV head give what they give with one each that is the same.",
     "the wrong KV head", of({f::grouped_heads}), no_feature, problems_of_a_law, of_grouped_heads,
     grouped_heads_equal_expanded_heads},
    {"linear_in_values",
     "Outputs and states of the values of every second position, and of the others, add up.",
     "anything but products and sums done to values", no_feature, no_feature, problems_of_a_law,
     as_it_is, linear_in_values},
    {"layouts_agree", "A layout in memory changes nothing.", "strides that are not followed",
     of({f::strides}), no_feature, problems_of_a_law, of_other_layout, layouts_agree},
};

}  // namespace

std::span<const recurrence_law> recurrence_laws() { return laws; }

std::vector<const recurrence_law*> matching_recurrence_laws(std::string_view glob) {
  std::vector<const recurrence_law*> found;
  std::string names;
  for (const recurrence_law& each : laws) {
    names += (names.empty() ? "" : ", ") + std::string(each.name);
    if (fnmatch(std::string(glob).c_str(), std::string(each.name).c_str(), 0) == 0)
      found.push_back(&each);
  }
  if (found.empty())
    throw input_error("no law of recurrences matches '" + std::string(glob) +
                      "' (allowed: " + names + ")");
  return found;
}

bool is_asked(const recurrence_law& law, recurrence_features declared) {
  return declared.contains(law.needs) && (law.any_of.empty() || declared.meets(law.any_of));
}

}  // namespace attest
