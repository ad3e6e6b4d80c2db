#include <algorithm>
#include <cmath>

#include "properties/catalogue/catalogue.h"
#include "properties/judge.h"
#include "properties/row_pairs.h"
#include "properties/same_answer.h"
#include "properties/weights_probe.h"
#include "reference/formats/rounding.h"
#include "reference/random.h"

namespace attest {
namespace {

enum stream : std::uint64_t { watched_rows = 128, poison_signs };

constexpr feature_set removing_keys = feature_set()
                                          .with(feature::mask)
                                          .with(feature::infinite_bias)
                                          .with(feature::causal_top_left)
                                          .with(feature::causal_bottom_right)
                                          .with(feature::window)
                                          .with(feature::lengths)
                                          .with(feature::segments)
                                          .with(feature::dilation)
                                          .with(feature::chunks)
                                          .with(feature::global_keys)
                                          .with(feature::block_mask);

std::optional<problem_spec> adapt(problem_spec spec, const subject_info&) {
  if (!removes_keys(spec)) return std::nullopt;
  return spec;
}

// Whether a masked key takes any weight, or one that is no number.
bool takes_weight(const problem& p, const observed_weights& weights, const row_index& row) {
  bool takes = false;
  for (std::int64_t key = 0; key < p.dims.keys; ++key)
    takes = takes || (!keeps(p, row, key) && weights.at(row, key) != 0);
  return takes;
}

// Where a stage overflows, NaN may be right.
void judge_weights(judgement& j, const problem& p, const observed_weights& weights,
                   const terms& on) {
  const problem probe = one_hot_columns(p, 0);
  certified_rows rows(probe);
  for_each_row(p.dims, [&](const row_index& row) {
    ++j.rows;
    if (is_open(p, row)) return;
    if (takes_weight(p, weights, row) && !row_reference(rows, on, row).bound().in_domain()) {
      ++j.out_of_domain;
      return;
    }
    for (std::int64_t key = 0; key < p.dims.keys; ++key)
      if (!keeps(p, row, key))
        judge_element(j, {}, weights.at(row, key),
                      place_of("weight", row, -1) + " of key " + std::to_string(key),
                      "weight of a masked key");
  });
}

// In each batch row and KV head one query is watched: what it does not see is poisoned.
struct poisoned_problem {
  problem changed;
  std::vector<bool> poisoned;       // [B, Hkv, Lk]
  bool may_have_been_read = false;  // some of what was poisoned

  bool at(std::int64_t b, std::int64_t g, std::int64_t key) const {
    return poisoned[static_cast<std::size_t>((b * changed.dims.kv_heads + g) * changed.dims.keys +
                                             key)];
  }
  // Whether nothing that the row sees was changed.
  bool leaves(const problem& p, const row_index& row) const {
    const auto keys = key_set(p, row);
    return std::none_of(keys.begin(), keys.end(),
                        [&](std::int64_t key) { return at(row.b, p.kv_head(row.h), key); });
  }
};

// Large, but small enough that no score overflows: a masked K may be read and its score thrown
// away.
double poison_of_k(const problem& p, const contract& c) {
  double largest_q = 1;
  for_each_index(p.q.sizes(),
                 [&](const index4& i) { largest_q = std::max(largest_q, std::fabs(p.q.at(i))); });
  const double range =
      std::min(largest_finite(*c.score_sum.number), largest_finite(*c.score_storage.number));
  return std::min({1e4, range / (8 * static_cast<double>(p.dims.width) * largest_q),
                   largest_finite(*c.inputs) / 4});
}

// NaN where nothing is read, otherwise finite. g: the KV head of the row.
void poison_key(problem& p, const contract& c, std::uint64_t seed, const row_index& row,
                std::int64_t key) {
  const bool never_read = is_never_read(p, row, key);
  const std::int64_t b = row.b, g = p.kv_head(row.h);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto number = static_cast<std::uint64_t>(key);
  const double sign = random_below(seed, poison_signs, number, 2) == 0 ? 1 : -1;
  const double k = sign * round_to(p.k.element(), {}, poison_of_k(p, c));
  const double v = -sign * round_to(p.v.element(), {rounding_mode::to_zero},
                                    largest_finite(p.v.element()) / (2 * p.dropout_scale));
  for (std::int64_t t = 0; t < p.dims.width; ++t) p.k.set({b, g, key, t}, never_read ? nan : k);
  for (std::int64_t d = 0; d < p.dims.value_width; ++d)
    p.v.set({b, g, key, d}, never_read ? nan : v);
}

// One of the query heads that the KV head serves, and one of its queries.
row_index watched_row(const problem& p, std::uint64_t seed, std::int64_t b, std::int64_t g) {
  const auto number = static_cast<std::uint64_t>(b * p.dims.kv_heads + g);
  const auto below = [&](std::uint64_t stream_index, std::int64_t n) {
    return static_cast<std::int64_t>(
        random_below(seed, watched_rows, 2 * number + stream_index, static_cast<std::uint64_t>(n)));
  };
  std::int64_t chosen = below(0, p.dims.query_heads / p.dims.kv_heads);
  row_index row{b, 0, below(1, p.dims.queries)};
  for (std::int64_t h = 0; h < p.dims.query_heads; ++h)
    if (p.kv_head(h) == g && chosen-- == 0) row.h = h;
  return row;
}

poisoned_problem poison(const problem& p, const contract& c, std::uint64_t seed) {
  poisoned_problem result{p, {}};
  for (std::int64_t b = 0; b < p.dims.batch; ++b)
    for (std::int64_t g = 0; g < p.dims.kv_heads; ++g) {
      const row_index row = watched_row(p, seed, b, g);
      for (std::int64_t key = 0; key < p.dims.keys; ++key) {
        const bool unseen = !keeps(p, row, key);
        result.poisoned.push_back(unseen);
        if (!unseen) continue;
        poison_key(result.changed, c, seed, row, key);
        if (!is_never_read(p, row, key)) result.may_have_been_read = true;
      }
    }
  return result;
}

// Rows that no changed key reaches keep their bits where nothing that was changed may be read, or
// where the contract promises that they are their own. Else they keep their bounds: rows of one
// tile may decide together when to rescale, by a maximum that counts masked keys too.
void judge_rows_that_do_not_see(judgement& j, const answered_problem& plain,
                                const answered_problem& changed, bool bits_are_due,
                                examiner& subject,
                                const std::function<bool(const row_index&)>& does_not_see) {
  constexpr const char* what = "output after what it must not see was changed";
  const problem& p = plain.posed;
  if (bits_are_due) return judge_same_answer(j, subject, plain, changed, what, does_not_see);
  row_pairs pairs(j, subject.terms_for(p), plain, changed, same_bits::not_expected, what);
  for_each_row(p.dims, [&](const row_index& row) {
    if (does_not_see(row)) pairs.judge(row);
  });
}

judgement judge(const problem_spec& spec, examiner& subject) {
  const problem p = materialise(spec);
  const observed_weights weights = read_weights(p, subject);
  if (weights.refusal) return *weights.refusal;
  judgement j;
  judge_weights(j, p, weights, subject.terms_for(p));
  const contract& kept = subject.contract_for(p);
  // A shared batch row has no K of its own; keys that are quantised together share a scale.
  const bool couples_keys = spec.placed == layout::shared || kept.quantised_to != nullptr;
  if (p.dims.queries == 0 || couples_keys) return j;

  const poisoned_problem other = poison(p, kept, spec.seed);
  const answer before = subject.ask(p);
  const answer after = subject.ask(other.changed);
  if (before.refusal || after.refusal) return before.refusal ? *before.refusal : *after.refusal;
  judge_rows_that_do_not_see(
      j, {p, before}, {other.changed, after}, kept.batch_invariant || !other.may_have_been_read,
      subject, [&](const row_index& row) { return !is_open(p, row) && other.leaves(p, row); });
  return j;
}

}  // namespace

const property masked_keys_weigh_0{
    .name = "masked_keys_weigh_0",
    .theme = "mask",
    .statement =
        "A key outside the key set has a weight of exactly 0, and nothing in its K or V changes "
        "the answer: no bit of it, where they are never to be read.",
    .method =
        "One-hot columns of V read off every weight. Then K and V of keys that a row does not see "
        "are "
        "replaced: by NaN beyond a length, and wherever the profile says that masked slots are "
        "never read; by large finite numbers elsewhere.",
    .bound =
        "0 for weights, and for outputs after a change of what is never read. After one of what "
        "may be read and thrown away, or where a repeated call does not return the same bits "
        "either, twice forward_bound; but 0 where the contract declares batch_invariant",
    .proof = "derivation/bounds/forward.md#exact",
    .claim = "exp_minus_inf",
    .needs = "a feature that removes keys; empty rows that are 0",
    .catches =
        "masks ignored, inverted or on the wrong axis; wrong anchors, windows and lengths; finite "
        "sentinels "
        "that win or lose; 0 * NaN; keys of the future",
    .admits = feature_set::all(),
    .groups = removing_keys,
    .plain_group = false,
    .base_problems = 8,
    .scorers = every_scorer,
    .normalizers = every_normalizer,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
