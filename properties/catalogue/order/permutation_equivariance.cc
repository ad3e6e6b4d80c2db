#include <algorithm>
#include <cmath>

#include "properties/catalogue/catalogue.h"
#include "properties/row_pairs.h"
#include "properties/selection.h"
#include "reference/elementary/elementary.h"
#include "reference/formats/rounding.h"
#include "reference/random.h"

namespace attest {
namespace {

enum stream : std::uint64_t {
  kind_of_permutation = 192,
  places_of_batch_rows,
  places_of_query_heads,
  places_of_kv_heads,
  places_of_queries,
  places_of_keys,
};

// What is permuted, and whether the order of tokens is meant to count.
enum class experiment {
  rows_and_heads,   // batch rows, KV heads and the query heads they serve: the output moves along
  all_axes,         // queries and keys too
  causal_tokens,    // tokens under a causal mask: the output must not simply move along
  position_tokens,  // tokens with sinusoidal positions added to q and k: likewise
};

experiment experiment_of(const problem_spec& spec) {
  const auto choice = random_below(spec.seed, kind_of_permutation, 0, 3);
  if (choice == 0) return experiment::rows_and_heads;
  if (spec.causal != causal_anchor::none) return experiment::causal_tokens;
  const bool square = spec.dims.queries == spec.dims.keys;
  return square && choice == 1 ? experiment::position_tokens : experiment::all_axes;
}

// Lengths and windows count positions; under a causal mask tokens need as many keys as queries and
// nothing else that tells them apart.
std::optional<problem_spec> adapt(problem_spec spec, const subject_info&) {
  const experiment kind = experiment_of(spec);
  if (kind == experiment::rows_and_heads) return spec;
  spec.ragged = false;
  spec.packed = false;
  spec = without_patterns(std::move(spec));
  if (kind == experiment::causal_tokens) {
    spec.dims.keys = spec.dims.queries;
    spec.mask_axes.reset();
    spec.bias_axes.reset();
    spec.infinite_bias = false;
    if (spec.regime != value_regime::uniform) spec.regime = value_regime::normal;
  }
  return spec;
}

using permutation = std::vector<std::int64_t>;

// Fisher and Yates.
permutation permute(std::uint64_t seed, stream places, std::int64_t n) {
  permutation order = interval(0, n);
  for (std::uint64_t k = order.size(); k > 1; --k)
    std::swap(order[k - 1], order[random_below(seed, places, k, k)]);
  return order;
}

// The KV heads in another order, each with the query heads that it serves, which change places
// among themselves.
void permute_heads(selection& s, const problem& p, std::uint64_t seed) {
  s.kv_heads = permute(seed, places_of_kv_heads, p.dims.kv_heads);
  permutation left = permute(seed, places_of_query_heads, p.dims.query_heads);
  for (std::int64_t h = 0; h < p.dims.query_heads; ++h) {
    const std::int64_t served_by = s.kv_heads[static_cast<std::size_t>(p.kv_head(h))];
    const auto next = std::find_if(left.begin(), left.end(),
                                   [&](std::int64_t head) { return p.kv_head(head) == served_by; });
    s.query_heads[static_cast<std::size_t>(h)] = *next;
    left.erase(next);
  }
}

// Where each axis of the second problem comes from.
selection order_of(const problem& p, std::uint64_t seed, experiment kind) {
  selection s = everything(p);
  if (kind == experiment::causal_tokens || kind == experiment::position_tokens) {
    s.queries = s.keys = permute(seed, places_of_keys, p.dims.keys);
    return s;
  }
  s.batch = permute(seed, places_of_batch_rows, p.dims.batch);
  permute_heads(s, p, seed);
  if (kind == experiment::rows_and_heads) return s;
  s.queries = permute(seed, places_of_queries, p.dims.queries);
  s.keys = permute(seed, places_of_keys, p.dims.keys);
  return s;
}

// sin and cos of position / 10000^(2 m / D), as in "Attention is all you need", section 3.5.
double sinusoid(std::int64_t position, std::int64_t t, std::int64_t width) {
  const double exponent = static_cast<double>(t - t % 2) / static_cast<double>(width);
  const double angle = static_cast<double>(position) * exp_double(-exponent * 9.210340371976184);
  return t % 2 == 0 ? sin_double(angle) : cos_double(angle);
}

void add_positions(tensor& t) {
  const tensor before = t;
  for_each_index(t.sizes(), [&](const index4& i) {
    t.set(i, round_to(t.element(), {}, before.at(i) + sinusoid(i[2], i[3], t.sizes()[3])));
  });
}

// Two problems, and where the second takes its rows from when order does not count.
struct experiment_pair {
  problem plain;
  problem moved;
  selection order;

  row_index origin(const row_index& row) const {
    const auto at = [](const permutation& axis, std::int64_t n) {
      return axis[static_cast<std::size_t>(n)];
    };
    return {at(order.batch, row.b), at(order.query_heads, row.h), at(order.queries, row.i)};
  }
};

experiment_pair prepare(const problem_spec& spec, experiment kind) {
  const problem p = materialise(spec);
  const selection order = order_of(p, spec.seed, kind);
  experiment_pair pair{p, select(p, order, spec.placed), order};
  if (kind == experiment::position_tokens)
    for (problem* each : {&pair.plain, &pair.moved}) {
      add_positions(each->q);
      add_positions(each->k);
    }
  return pair;
}

// Equivariance: the row that moved must be the row it was.
judgement judge_moved(const experiment_pair& pair, const terms& on, const answer& before,
                      const answer& after) {
  judgement j;
  row_pairs pairs(j, on, {pair.plain, before}, {pair.moved, after}, same_bits::not_expected,
                  "output after a permutation");
  for_each_row(pair.moved.dims, [&](const row_index& row) { pairs.judge(pair.origin(row), row); });
  return j;
}

// The negative control: where the exact answers differ by more than both bounds, the observed ones
// must differ too.
void judge_changed(judgement& j, const due& before, const due& after, double seen_before,
                   double seen_after, const std::string& where) {
  const double exact =
      (after.value.high - before.value.high) + (after.value.low - before.value.low);
  const double bound = before.bound + after.bound;
  if (!(std::fabs(exact) > 2 * bound) || may_overflow(before) || may_overflow(after)) return;
  judge_element(j, {{exact, 0, 0}, bound * (1 + 0x1p-40), 0, after.stored},
                seen_after - seen_before, where,
                "change of output when tokens whose order counts are permuted");
}

judgement judge_broken(const experiment_pair& pair, const terms& on, const answer& before,
                       const answer& after) {
  judgement j;
  certified_rows plain_rows(pair.plain), moved_rows(pair.moved);
  for_each_row(pair.plain.dims, [&](const row_index& row) {
    const row_index origin = pair.origin(row);
    const row_reference one(plain_rows, on, origin), other(moved_rows, on, row);
    ++j.rows;
    if (!one.bound().in_domain() || !other.bound().in_domain()) {
      ++j.out_of_domain;
      return;
    }
    for (std::int64_t d = 0;
         d < pair.plain.dims.value_width && output_is_specified(pair.plain, one.exact()); ++d)
      judge_changed(j, one.output(d), other.output(d), before.o.at(origin.b, origin.h, origin.i, d),
                    after.o.at(row.b, row.h, row.i, d), place_of("o", row, d));
  });
  return j;
}

judgement judge(const problem_spec& spec, examiner& subject) {
  const experiment kind = experiment_of(spec);
  const experiment_pair pair = prepare(spec, kind);
  const answer before = subject.ask(pair.plain);
  const answer after = subject.ask(pair.moved);
  if (before.refusal || after.refusal) return before.refusal ? *before.refusal : *after.refusal;
  const bool moves = kind == experiment::rows_and_heads || kind == experiment::all_axes;
  return (moves ? judge_moved : judge_broken)(pair, subject.terms_for(pair.plain), before, after);
}

}  // namespace

const property permutation_equivariance{
    .name = "permutation_equivariance",
    .theme = "order",
    .statement =
        "Without positions attention is blind to order: permuted keys leave the output; permuted "
        "queries, heads or batch rows permute it. A causal mask or positions added to q and k "
        "break that for tokens.",
    .method =
        "Batch rows, KV heads with the query heads they serve, queries and keys are permuted, "
        "mask, bias, lengths and sinks along with them. As a control tokens are permuted under a "
        "causal mask and with sinusoidal positions, where the answer must change as the "
        "definition says.",
    .bound = "the sum of forward_bound of both problems",
    .proof = "derivation/bounds/same_rows.md#permutations",
    .claim = "equivariance",
    .needs =
        "nothing; queries and keys stay in place under windows and lengths, which count positions",
    .catches =
        "dropped or repeated keys, tile and split defects, page and stride errors, masks, "
        "biases, lengths and sinks of another row or head, a causal flag without effect",
    .admits = feature_set::all(),
    .groups = feature_set::all()
                  .without(positional_features)
                  .without(feature::segments)
                  .without(feature::lse)
                  .with(feature::causal_top_left)
                  .with(feature::causal_bottom_right),
    .base_problems = 4,
    .scorers = scorers_without_positions,
    .normalizers = every_normalizer,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
