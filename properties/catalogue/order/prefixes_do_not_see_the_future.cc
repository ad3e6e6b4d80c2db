#include <algorithm>

#include "properties/catalogue/catalogue.h"
#include "properties/row_pairs.h"
#include "properties/selection.h"
#include "reference/formats/rounding.h"
#include "reference/random.h"

namespace attest {
namespace {

enum stream : std::uint64_t { tokens_of_the_future = 288 };

// The bottom-right anchor would move with lengths that are cut.
std::optional<problem_spec> adapt(problem_spec spec, const subject_info&) {
  if (spec.causal == causal_anchor::none) return std::nullopt;
  spec.ragged = false;
  spec.dims.queries = std::max<std::int64_t>(spec.dims.queries, 2);
  spec.dims.keys = std::max<std::int64_t>(spec.dims.keys, 2);
  return spec;
}

// The rows and keys that are there before the last tokens come.
struct prefix {
  std::int64_t queries, keys;
};

prefix prefix_of(const problem& p, std::uint64_t seed) {
  const bool top_left = p.causal == causal_anchor::top_left;
  const std::int64_t most = (top_left ? p.dims.keys : std::min(p.dims.keys, p.dims.queries)) - 1;
  const auto cut = 1 + static_cast<std::int64_t>(random_below(seed, tokens_of_the_future, 0,
                                                              static_cast<std::uint64_t>(most)));
  const std::int64_t keys = p.dims.keys - cut;
  return {top_left ? std::min(p.dims.queries, keys) : p.dims.queries - cut, keys};
}

problem truncated(const problem& p, const prefix& past, layout placed) {
  selection kept = everything(p);
  kept.queries.resize(static_cast<std::size_t>(past.queries));
  kept.keys.resize(static_cast<std::size_t>(past.keys));
  return select(p, kept, placed);
}

// Queries and keys of the future are negated; its values become large, but not so that the
// scale of dropout takes them out of range, or are negated too where they share a scale with those
// of the past.
problem with_another_future(const problem& p, const prefix& past, const contract& c) {
  const double large = round_to(p.v.element(), {rounding_mode::to_zero},
                                largest_finite(p.v.element()) / (2 * p.dropout_scale));
  problem other = p;
  const auto change = [](tensor& t, std::int64_t first, auto changed) {
    const tensor before = t;
    for_each_index(t.sizes(), [&](const index4& i) {
      if (i[2] >= first) t.set(i, changed(before.at(i)));
    });
  };
  const auto negated = [](double x) { return -x; };
  change(other.q, past.queries, negated);
  change(other.k, past.keys, negated);
  change(other.v, past.keys, [&](double v) {
    return c.quantised_to ? -v : v < 0 ? large : -large;
  });
  return other;
}

judgement judge(const problem_spec& spec, examiner& subject) {
  const problem p = materialise(spec);
  const terms on = subject.terms_for(p);
  const prefix past = prefix_of(p, spec.seed);
  const problem alone = truncated(p, past, spec.placed);
  const problem other = with_another_future(p, past, on.kept);
  const answer whole = subject.ask(p), by_itself = subject.ask(alone), after = subject.ask(other);
  for (const answer* each : {&whole, &by_itself, &after})
    if (each->refusal) return *each->refusal;
  judgement j;
  row_pairs without(j, on, {p, whole}, {alone, by_itself}, same_bits::not_expected,
                    "output without the tokens that follow");
  row_pairs changed(j, on, {p, whole}, {other, after}, same_bits::not_expected,
                    "output with other tokens to follow");
  for_each_row(alone.dims, [&](const row_index& row) {
    without.judge(row);
    changed.judge(row);
  });
  return j;
}

}  // namespace

const property prefixes_do_not_see_the_future{
    .name = "prefixes_do_not_see_the_future",
    .theme = "order",
    .statement =
        "Under a causal mask a row depends on no later token: neither its absence nor its value "
        "changes what came before.",
    .method =
        "The last tokens are cut off, at both ends of the triangle alike; then they are replaced "
        "by negated queries and keys and large values. The rows before them are compared.",
    .bound = "the sum of forward_bound of both problems",
    .proof = "derivation/bounds/same_rows.md#prefixes-and-chunks",
    .claim = "no_leak",
    .needs = "a causal mask, no lengths. Empty rows that hold the mean of all V are left out",
    .catches =
        "keys of the future, anchors at the wrong corner, masks by a finite number, tiles on the "
        "diagonal left unmasked, a maximum or a sum that includes masked keys",
    .admits = feature_set::all().without(feature::lengths),
    .groups = feature_set()
                  .with(feature::causal_top_left)
                  .with(feature::causal_bottom_right)
                  .with(feature::window)
                  .with(feature::segments)
                  .with(feature::dilation)
                  .with(feature::chunks)
                  .with(feature::global_keys)
                  .with(feature::alibi),
    .plain_group = false,
    .base_problems = 4,
    .scorers = every_scorer,
    .normalizers = every_normalizer,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
