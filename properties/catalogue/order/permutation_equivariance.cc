#include <cmath>
#include <numeric>

#include "properties/catalogue/catalogue.h"
#include "properties/judge.h"
#include "properties/same_answer.h"
#include "reference/elementary/elementary.h"
#include "reference/formats/rounding.h"
#include "reference/random.h"

namespace attest {
namespace {

enum stream : std::uint64_t { kind_of_permutation = 192, permuted_places };

// What is permuted, and whether the order of tokens is meant to count.
enum class experiment {
  keys,             // keys and values: the output stays
  tokens,           // queries, keys and values alike: the output moves along
  causal_tokens,    // tokens under a causal mask: the output must not simply move along
  position_tokens,  // tokens with sinusoidal positions added to q and k: likewise
};

bool is_ordered(const problem_spec& spec) {
  return spec.causal != causal_anchor::none || !spec.sliding.open() || spec.ragged;
}

experiment experiment_of(const problem_spec& spec) {
  const auto choice = random_below(spec.seed, kind_of_permutation, 0, 3);
  const bool square = spec.dims.queries == spec.dims.keys;
  if (spec.causal != causal_anchor::none) return experiment::causal_tokens;
  if (!square || choice == 0) return experiment::keys;
  return choice == 1 ? experiment::tokens : experiment::position_tokens;
}

// Lengths and windows count positions; under a causal mask tokens need as many keys as queries and
// nothing else that tells them apart.
std::optional<problem_spec> adapt(problem_spec spec, const subject_info&) {
  spec.ragged = false;
  spec.sliding = {};
  if (is_ordered(spec)) {
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
permutation permute(std::uint64_t seed, std::int64_t n) {
  permutation order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  for (std::uint64_t k = order.size(); k > 1; --k)
    std::swap(order[k - 1], order[random_below(seed, permuted_places, k, k)]);
  return order;
}

permutation identity(std::int64_t n) {
  permutation order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

// Result: t with position l of the sequence axis taken from order[l].
tensor permuted_sequence(const tensor& t, const permutation& order) {
  tensor result = t;
  for_each_index(t.sizes(), [&](const index4& i) {
    result.set(i, t.at({i[0], i[1], order[static_cast<std::size_t>(i[2])], i[3]}));
  });
  return result;
}

index4 permuted_cell(const index4& i, const permutation& queries, const permutation& keys) {
  return {i[0], i[1], queries[static_cast<std::size_t>(i[2])],
          keys[static_cast<std::size_t>(i[3])]};
}

constexpr unsigned every_axis = 0b1111;

problem permuted(const problem& p, const permutation& queries, const permutation& keys) {
  problem other = p;
  other.q = permuted_sequence(p.q, queries);
  other.k = permuted_sequence(p.k, keys);
  other.v = permuted_sequence(p.v, keys);
  const placement dense = broadcast(p.dims.score_sizes(), every_axis);
  if (p.mask) other.mask = boolean_tensor(dense);
  if (p.bias) other.bias = tensor(p.bias->element(), dense, 0);
  for_each_index(p.dims.score_sizes(), [&](const index4& i) {
    if (p.mask) other.mask->set(i, p.mask->at(permuted_cell(i, queries, keys)));
    if (p.bias) other.bias->set(i, p.bias->at(permuted_cell(i, queries, keys)));
  });
  return other;
}

// sin and cos of position / 10000^(2 m / D), as in "Attention is all you need", section 3.5.
double sinusoid(std::int64_t position, std::int64_t t, std::int64_t width) {
  const double exponent = static_cast<double>(t - t % 2) / static_cast<double>(width);
  const double angle = static_cast<double>(position) * exp_double(-exponent * 9.210340371976184);
  return t % 2 == 0 ? sin_double(angle) : cos_double(angle);
}

void add_positions(tensor& t) {
  for_each_index(t.sizes(), [&](const index4& i) {
    t.set(i, round_to(t.element(), {}, t.at(i) + sinusoid(i[2], i[3], t.sizes()[3])));
  });
}

// Two problems and the row of the first that each row of the second repeats, where order does not
// count.
struct experiment_pair {
  problem plain;
  problem moved;
  permutation queries;
};

experiment_pair prepare(const problem_spec& spec, experiment kind) {
  const problem p = materialise(spec);
  const permutation keys = permute(spec.seed, p.dims.keys);
  const permutation queries = kind == experiment::keys ? identity(p.dims.queries) : keys;
  experiment_pair pair{p, permuted(p, queries, keys), queries};
  if (kind == experiment::position_tokens)
    for (problem* each : {&pair.plain, &pair.moved}) {
      add_positions(each->q);
      add_positions(each->k);
    }
  return pair;
}

// Equivariance: the row that moved must be the row it was.
void judge_moved(judgement& j, const due& before, const due& after, double seen_before,
                 double seen_after, const std::string& where) {
  judge_element(j, within_both(after, before, seen_before), seen_after, where,
                "output after a permutation");
}

// The negative control: where the exact answers differ by more than both bounds, the observed ones
// must differ too.
void judge_broken(judgement& j, const due& before, const due& after, double seen_before,
                  double seen_after, const std::string& where) {
  const double exact =
      (after.value.high - before.value.high) + (after.value.low - before.value.low);
  const double bound = before.bound + after.bound;
  if (!(std::fabs(exact) > 2 * bound)) return;
  judge_element(j, {{exact, 0, 0}, bound * (1 + 0x1p-40), 0, after.stored},
                seen_after - seen_before, where,
                "change of output when tokens whose order counts are permuted");
}

judgement judge(const problem_spec& spec, examiner& subject) {
  const experiment kind = experiment_of(spec);
  const experiment_pair pair = prepare(spec, kind);
  const answer before = subject.ask(pair.plain);
  const answer after = subject.ask(pair.moved);
  if (before.refusal || after.refusal) return before.refusal ? *before.refusal : *after.refusal;
  const auto compare =
      kind == experiment::keys || kind == experiment::tokens ? judge_moved : judge_broken;
  const terms on = subject.terms_for(pair.plain);
  judgement j;
  certified_rows plain_rows(pair.plain), moved_rows(pair.moved);
  for_each_row(pair.plain.dims, [&](const row_index& row) {
    const row_index origin{row.b, row.h, pair.queries[static_cast<std::size_t>(row.i)]};
    const row_reference one(plain_rows, on, origin), other(moved_rows, on, row);
    ++j.rows;
    if (!one.bound().in_domain() || !other.bound().in_domain()) {
      ++j.out_of_domain;
      return;
    }
    for (std::int64_t d = 0;
         d < pair.plain.dims.value_width && output_is_specified(pair.plain, one.exact()); ++d)
      compare(j, one.output(d), other.output(d), before.o.at(origin.b, origin.h, origin.i, d),
              after.o.at(row.b, row.h, row.i, d), place_of("o", row, d));
  });
  return j;
}

constexpr feature_set admitted =
    feature_set::all().without(feature::window).without(feature::lengths);

}  // namespace

const property permutation_equivariance{
    .name = "permutation_equivariance",
    .theme = "order",
    .statement =
        "Without positions attention is blind to order: permuted keys leave the output, permuted "
        "tokens "
        "permute it. A causal mask or positions added to q and k break that.",
    .method =
        "Keys and values, or all tokens, are permuted together with mask and bias. As a control "
        "the same is "
        "done under a causal mask and with sinusoidal positions, where the answer must change as "
        "the "
        "definition says.",
    .bound = "the sum of forward_bound of both problems",
    .proof = "derivation/bounds/forward.md#metamorphic",
    .claim = "equivariance",
    .needs = "no window and no lengths, which count positions",
    .catches =
        "dropped or repeated keys, tile and split defects, page and stride errors, a causal flag "
        "without effect",
    .admits = admitted,
    .groups = admitted.without(feature::lse),
    .base_problems = 4,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
