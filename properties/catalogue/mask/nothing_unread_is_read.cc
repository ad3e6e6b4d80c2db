#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "properties/catalogue/catalogue.h"
#include "properties/judge.h"
#include "properties/row_pairs.h"
#include "reference/formats/rounding.h"
#include "reference/random.h"

namespace attest {
namespace {

enum stream : std::uint64_t { kind_of_poison = 416, flipped_bits };

bool leaves_something_unread(const problem_spec& spec) {
  const bool gaps = spec.placed == layout::fused || spec.placed == layout::spread;
  const bool decided_elsewhere = spec.mask_axes || spec.bias_axes;
  const bool positions = spec.causal != causal_anchor::none || !spec.sliding.open() ||
                         !spec.pattern.open() || spec.packed;
  return gaps || spec.ragged || spec.page > 0 || (decided_elsewhere && positions) ||
         (spec.mask_axes && spec.bias_axes);
}

// What lies beyond a length in the bias is looked at wherever a subject has both.
std::optional<problem_spec> adapt(problem_spec spec, const subject_info& subject) {
  constexpr unsigned batch_and_keys = 0b1001;
  if (spec.ragged && !spec.bias_axes && subject.features.has(feature::bias))
    spec.bias_axes = batch_and_keys;
  if (!leaves_something_unread(spec)) return std::nullopt;
  return spec;
}

// How an element of a storage is used, by the row that uses it most.
enum class use : std::uint8_t {
  never,  // between two elements of the tensor, or beyond a length: it may hold anything
  moot,   // something else removes the key: it may hold any finite number, or either bit
  read,
};

// The use of every element of the storage of a tensor, broadcast ones and gaps included.
class storage_use {
 public:
  template <class UseOf>
  storage_use(const placement& where, const index4& sizes, UseOf use_of)
      : where_(where), of_(static_cast<std::size_t>(where.elements), use::never) {
    for_each_index(sizes, [&](const index4& i) {
      use& most = of_[static_cast<std::size_t>(where.at(i))];
      most = std::max(most, use_of(i));
    });
  }

  use at(const index4& i) const { return of_[static_cast<std::size_t>(where_.at(i))]; }

 private:
  placement where_;
  std::vector<use> of_;
};

// Poison by the choice of the problem: each shows another way of reading it.
struct poison {
  double anything;  // for what is never read
  double finite;    // for what is moot: large, but no sum with a score overflows
};

poison poison_of(const format& f, std::uint64_t seed) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double large = round_to(f, {}, std::min(1e4, largest_finite(f) / 4));
  const std::array<double, 4> choices{std::numeric_limits<double>::quiet_NaN(),
                                      f.kind == specials::ieee ? infinity : large,
                                      f.kind == specials::ieee ? -infinity : -large, large};
  const auto n = random_below(seed, kind_of_poison, 0, choices.size());
  return {choices[n], n % 2 == 0 ? large : -large};
}

// The same tensor with other bits in the gaps of its storage.
tensor with_gaps(const tensor& t, double value) {
  tensor one(t.element(), place(layout::bhld, {1, 1, 1, 1}), 0);
  one.set({0, 0, 0, 0}, value);
  tensor result(t.element(), t.where(), one.bits({0, 0, 0, 0}));
  for_each_index(t.sizes(), [&](const index4& i) { result.set_bits(i, t.bits(i)); });
  return result;
}

void poison_beyond_lengths(const problem& p, tensor& t, double value) {
  const storage_use uses(t.where(), t.sizes(), [&](const index4& i) {
    return i[2] < p.valid_keys(i[0]) ? use::read : use::never;
  });
  for_each_index(t.sizes(), [&](const index4& i) {
    if (uses.at(i) == use::never) t.set(i, value);
  });
}

bool is_visible(const problem& p, const index4& cell) {
  return attest::is_visible(p, {cell[0], cell[1], cell[2]}, cell[3]);
}

// Puts the poison wherever the bias has that use.
void poison_bias(const problem& p, tensor& bias, use poisoned, double value) {
  const storage_use uses(bias.where(), p.dims.score_sizes(), [&](const index4& i) {
    if (i[3] >= p.valid_keys(i[0])) return use::never;
    return is_visible(p, i) && (!p.mask || p.mask->at(i)) ? use::read : use::moot;
  });
  for_each_index(p.dims.score_sizes(), [&](const index4& i) {
    if (uses.at(i) == poisoned) bias.set(i, value);
  });
}

// Bits for keys that a position or a length removes.
void flip_mask(const problem& p, boolean_tensor& mask, std::uint64_t seed) {
  const storage_use uses(mask.where(), p.dims.score_sizes(),
                         [&](const index4& i) { return is_visible(p, i) ? use::read : use::moot; });
  const bool keep = random_below(seed, flipped_bits, 0, 2) == 0;
  for_each_index(p.dims.score_sizes(), [&](const index4& i) {
    if (uses.at(i) != use::read) mask.set(i, keep);
  });
}

// With poison in all that is never to be read.
problem poisoned(const problem& p, std::uint64_t seed) {
  const double anything = poison_of(p.k.element(), seed).anything;
  problem other = p;
  for (tensor problem::*member : {&problem::q, &problem::k, &problem::v})
    other.*member = with_gaps(p.*member, anything);
  other.paged.stale = other.paged.stale && !std::isnan(anything);
  poison_beyond_lengths(p, other.k, anything);
  poison_beyond_lengths(p, other.v, anything);
  if (p.bias) poison_bias(p, *other.bias, use::never, poison_of(p.bias->element(), seed).anything);
  return other;
}

// With other biases and mask bits where they decide nothing.
problem with_moot_changes(const problem& p, std::uint64_t seed) {
  problem other = p;
  if (p.bias) poison_bias(p, *other.bias, use::moot, poison_of(p.bias->element(), seed).finite);
  if (p.mask) flip_mask(p, *other.mask, seed);
  if (p.dropout_mask) flip_mask(p, *other.dropout_mask, seed);
  return other;
}

// What is moot may be read, and a path be chosen by it: a tile without a bias, one without a mask.
void judge_moot(judgement& j, const answered_problem& before, const answered_problem& after,
                examiner& subject) {
  row_pairs pairs(j, subject.terms_for(before.posed), before, after, same_bits::not_expected,
                  "output after bias or mask bits of removed keys were changed");
  for_each_row(before.posed.dims, [&](const row_index& row) {
    if (!is_open(before.posed, row)) pairs.judge(row);
  });
}

judgement judge(const problem_spec& spec, examiner& subject) {
  problem p = materialise(spec);
  p.paged.stale = p.paged.page > 0;
  const problem unread = poisoned(p, spec.seed), moot = with_moot_changes(p, spec.seed);
  const answer before = subject.ask(p), after = subject.ask(unread), beside = subject.ask(moot);
  for (const answer* a : {&before, &after, &beside})
    if (a->refusal) return *a->refusal;
  judgement j;
  for_each_row(p.dims, [&](const row_index&) { ++j.rows; });
  judge_same_answer(j, subject, {p, before}, {unread, after},
                    "output after what is not read was changed",
                    [&](const row_index& row) { return !is_open(p, row); });
  if (p.bias || p.mask) judge_moot(j, {p, before}, {moot, beside}, subject);
  return j;
}

}  // namespace

const property nothing_unread_is_read{
    .name = "nothing_unread_is_read",
    .theme = "mask",
    .statement =
        "What lies between strides, beyond a length or in pages that no entry names changes no bit "
        "of any answer; mask bits and biases of keys that something else removes change nothing "
        "that counts.",
    .method =
        "The same problem three times. The second has NaN, an infinity or 1e4 between strided "
        "elements and in K, V and bias beyond the lengths, and where it has NaN, NaN in all of a "
        "pool of pages that is not read; the third a finite +-1e4 in the bias of other removed "
        "keys, and other mask bits where a position or length decides.",
    .bound =
        "0 for what is never read; where a repeated call does not return the same bits either, "
        "and for what may be read, twice forward_bound",
    .proof = "derivation/bounds/probes.md#unread",
    .claim = "no_leak",
    .needs =
        "strides, lengths, pages, or a mask or bias beside another feature that removes keys; "
        "empty rows that are 0",
    .catches =
        "strides taken for dense ones, tiles that read past a length, 0 * NaN, maxima that "
        "ignore a NaN, masks applied by addition, mask bits that win over a length",
    .admits = feature_set::all(),
    .groups = feature_set::all().without(feature::lse),
    .plain_group = false,
    .base_problems = 6,
    .scorers = every_scorer,
    .normalizers = every_normalizer,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
