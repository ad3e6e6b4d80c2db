#include <cmath>
#include <limits>

#include "properties/catalogue/catalogue.h"
#include "properties/judge.h"
#include "reference/random.h"
#include "reference/semantics/profiles.h"

namespace attest {
namespace {

enum stream : std::uint64_t { lone_keys = 288 };

constexpr unsigned key_axis = 0b1000;

// The window that holds the query's own position alone.
window own_position(const subject_info& subject) {
  const bool exclusive = find_profile(subject.profile).ends == window_ends::exclusive;
  return exclusive ? window{1, 1} : window{0, 0};
}

// One way of leaving a single key: a length, a mask, a bias, a window, the corner of a causal
// triangle; else there is no more than one.
std::optional<problem_spec> adapt(problem_spec spec, const subject_info& subject) {
  spec.sink = false;
  if (spec.ragged) spec.mask_axes.reset(), spec.infinite_bias = false;
  if (spec.mask_axes) *spec.mask_axes |= key_axis, spec.infinite_bias = false;
  if (spec.infinite_bias) *spec.bias_axes |= key_axis;
  if (spec.ragged || spec.mask_axes || spec.infinite_bias)
    spec = without_patterns(std::move(spec)), spec.causal = causal_anchor::none;
  if (!spec.sliding.open()) spec.sliding = own_position(subject);
  if (removes_keys(spec)) return spec;
  spec.dims.keys = 1;
  if (!subject.features.has(feature::cross_lengths)) spec.dims.queries = 1;
  return spec;
}

// The cell of a mask or bias with the axes along which it is broadcast set to 0.
index4 own_cell(const placement& where, index4 i) {
  for (std::size_t axis = 0; axis < 4; ++axis)
    if (where.strides[axis] == 0) i[axis] = 0;
  return i;
}

// The key that the rows of this cell are left with.
std::int64_t lone_key(const placement& where, std::uint64_t seed, const index4& cell) {
  const index4 i = own_cell(where, cell);
  const auto number = (static_cast<std::uint64_t>(i[0]) << 40) ^
                      (static_cast<std::uint64_t>(i[1]) << 20) ^ static_cast<std::uint64_t>(i[2]);
  return static_cast<std::int64_t>(
      random_below(seed, lone_keys, number, static_cast<std::uint64_t>(where.sizes[3])));
}

problem with_lone_keys(const problem_spec& spec) {
  problem p = materialise(spec);
  for (std::int64_t& length : p.lengths) length = std::min<std::int64_t>(1, p.dims.keys);
  if (p.mask)
    for_each_index(p.dims.score_sizes(), [&](const index4& i) {
      p.mask->set(i, i[3] == lone_key(p.mask->where(), spec.seed, i));
    });
  if (spec.infinite_bias)
    for_each_index(p.dims.score_sizes(), [&](const index4& i) {
      const bool alone = i[3] == lone_key(p.bias->where(), spec.seed, i);
      p.bias->set(i, alone ? 0.5 : -std::numeric_limits<double>::infinity());
    });
  return p;
}

void judge_row(judgement& j, const problem& p, const row_reference& row, const row_index& place,
               const answer& a) {
  const std::int64_t key = row.exact().keys.front().key;
  for (std::int64_t d = 0; d < p.dims.value_width; ++d) {
    const double value = p.v.at(place.b, p.kv_head(place.h), key, d);
    due one = row.output(d);
    one.value = {value, 0, 0};
    one.scale = std::fabs(value);
    judge_element(j, one, a.o.at(place.b, place.h, place.i, d), place_of("o", place, d),
                  "output of a single key: its value");
  }
  if (a.lse)
    judge_element(j, row.lse(), a.lse->at(place.b, place.h, place.i, 0), place_of("lse", place, -1),
                  "lse of a single key: its score");
}

judgement judge(const problem_spec& spec, examiner& subject) {
  const problem p = with_lone_keys(spec);
  const answer a = subject.ask(p);
  if (a.refusal) return *a.refusal;
  judgement j;
  certified_rows rows(p);
  for_each_row(p.dims, [&](const row_index& place) {
    if (key_set(p, place).size() != 1) return;
    const row_reference row(rows, subject.terms_for(p), place);
    ++j.rows;
    if (!row.bound().in_domain())
      ++j.out_of_domain;
    else
      judge_row(j, p, row, place, a);
  });
  return j;
}

}  // namespace

const property one_key_returns_its_value{
    .name = "one_key_returns_its_value",
    .theme = "mask",
    .statement = "A row with a single key returns that key's value, and as lse its score.",
    .method =
        "All but one key of a row are removed: by a mask, a bias of -inf, a length, a window "
        "or the corner of the causal triangle; or there is only one.",
    .bound =
        "forward_bound of a row with one key: its score cancels, the roundings of one product "
        "and one division remain",
    .proof = "derivation/bounds/probes.md#one-key",
    .claim = "exp_minus_inf",
    .needs = "no sink",
    .catches =
        "removed keys that still count, a wrong score or base in lse, a final division by "
        "another sum, values of a neighbour",
    .admits = feature_set::all().without(feature::dropout).without(feature::sink),
    .groups =
        feature_set::all().without(feature::dropout).without(feature::sink).without(feature::lse),
    .base_problems = 4,
    .scorers = every_scorer,
    .normalizers = shift_invariant_normalizers,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
