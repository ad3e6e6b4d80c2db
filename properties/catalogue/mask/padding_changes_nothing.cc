#include <array>
#include <limits>

#include "properties/catalogue/catalogue.h"
#include "properties/explicit_mask.h"
#include "properties/row_pairs.h"
#include "properties/selection.h"
#include "reference/random.h"

namespace attest {
namespace {

enum stream : std::uint64_t { kind_of_padding = 256, count_of_padding };

bool can_lengthen(const subject_info& subject) { return subject.features.has(feature::lengths); }

// Where there are lengths the padding lies beyond them anyway, and without them the bottom-right
// anchor moves with the last key.
bool can_mask(const problem_spec& spec, const subject_info& subject) {
  return subject.features.has(feature::mask) && !spec.ragged &&
         spec.causal != causal_anchor::bottom_right;
}

std::optional<problem_spec> adapt(problem_spec spec, const subject_info& subject) {
  const bool can_pad = can_lengthen(subject) || can_mask(spec, subject);
  if (!can_pad || !subject.features.has(feature::cross_lengths)) return std::nullopt;
  return without_capped_mask(spec);
}

bool is_masked(const problem_spec& spec, const subject_info& subject) {
  if (!can_lengthen(subject) || !can_mask(spec, subject)) return !can_lengthen(subject);
  return random_below(spec.seed, kind_of_padding, 0, 2) == 0;
}

// The last key once more, as often as the padding is long.
problem padded(const problem& p, const problem_spec& spec) {
  constexpr std::array<std::int64_t, 4> counts{1, 3, 16, 61};
  selection longer = everything(p);
  longer.keys.insert(
      longer.keys.end(),
      static_cast<std::size_t>(counts[random_below(spec.seed, count_of_padding, 0, counts.size())]),
      p.dims.keys - 1);
  return select(p, longer, spec.placed);
}

// Calls visit with every element from key `first` on.
template <class Visit>
void for_each_from(std::int64_t first, const index4& sizes, Visit visit) {
  for_each_index(sizes, [&](const index4& i) {
    if (i[2] >= first) visit(i);
  });
}

problem padded_beyond_lengths(const problem& p, const problem_spec& spec) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  problem longer = padded(p, spec);
  for_each_from(p.dims.keys, longer.k.sizes(), [&](const index4& i) { longer.k.set(i, nan); });
  for_each_from(p.dims.keys, longer.v.sizes(), [&](const index4& i) { longer.v.set(i, nan); });
  if (p.lengths.empty()) longer.lengths.assign(static_cast<std::size_t>(p.dims.batch), p.dims.keys);
  return longer;
}

// The last key is seen with other values, so that seeing it again would tell.
problem padded_and_masked(const problem& p, const problem_spec& spec) {
  constexpr unsigned keys = 0b1000;
  const problem longer = padded(p, spec);
  problem masked = with_mask(longer, keys,
                             [&](const row_index&, std::int64_t key) { return key < p.dims.keys; });
  for_each_from(p.dims.keys, longer.v.sizes(),
                [&](const index4& i) { masked.v.set(i, -longer.v.at(i)); });
  return masked;
}

judgement judge(const problem_spec& spec, examiner& subject) {
  const bool masks = is_masked(spec, subject.info());
  const problem p = materialise(spec);
  const problem longer = masks ? padded_and_masked(p, spec) : padded_beyond_lengths(p, spec);
  const answer before = subject.ask(p), after = subject.ask(longer);
  if (before.refusal || after.refusal) return before.refusal ? *before.refusal : *after.refusal;
  judgement j;
  // What is never read does not enter a bound either.
  row_pairs pairs(j, subject.terms_for(p), {p, before}, {masks ? longer : p, after},
                  same_bits::not_expected,
                  masks ? "output after masked keys were appended"
                        : "output after NaN was appended beyond the lengths");
  for_each_row(p.dims, [&](const row_index& row) { pairs.judge(row); });
  return j;
}

}  // namespace

const property padding_changes_nothing{
    .name = "padding_changes_nothing",
    .theme = "mask",
    .statement = "Keys appended beyond the lengths, or masked, leave every row as it was.",
    .method =
        "1 to 61 keys are appended: NaN beyond the lengths, which become the old number of keys "
        "where there were none, or copies of the last key with the opposite values, masked.",
    .bound = "the sum of forward_bound of both problems",
    .proof = "derivation/bounds/same_rows.md#masks",
    .claim = "exp_minus_inf",
    .needs = "lengths or a mask, and Lq != Lk. Empty rows that hold the mean of all V are left out",
    .catches =
        "loops to the padded length, anchors and windows counted from it, tails of tiles read or "
        "counted, NaN that a weight of 0 lets through, strides of the wrong length",
    .admits = feature_set::all(),
    .groups = feature_set()
                  .with(feature::lengths)
                  .with(feature::mask)
                  .with(feature::causal_top_left)
                  .with(feature::causal_bottom_right)
                  .with(feature::window)
                  .with(feature::sink),
    .base_problems = 3,
    .scorers = scorers_without_positions,
    .normalizers = every_normalizer,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
