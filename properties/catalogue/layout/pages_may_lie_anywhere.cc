#include <algorithm>
#include <array>

#include "properties/catalogue/catalogue.h"
#include "properties/row_pairs.h"
#include "reference/random.h"

namespace attest {
namespace {

enum stream : std::uint64_t { common_prefixes = 336, other_pages };

std::optional<problem_spec> adapt(problem_spec spec, const subject_info& subject) {
  if (spec.page == 0) return std::nullopt;
  spec.ragged = subject.features.has(feature::lengths);
  return spec;
}

// Half of the problems begin alike in all batch rows, as after a prompt that is cached once.
void give_common_prefix(problem& p, std::uint64_t seed) {
  if (random_below(seed, common_prefixes, 0, 2) == 0) return;
  const auto length = static_cast<std::int64_t>(
      random_below(seed, common_prefixes, 1, static_cast<std::uint64_t>(p.dims.keys) + 1));
  for (tensor* t : {&p.k, &p.v}) {
    const index4 prefix{p.dims.batch, t->sizes()[1], length, t->sizes()[3]};
    for_each_index(prefix, [&](const index4& i) {
      t->set_bits(i, t->bits({0, i[1], i[2], i[3]}));
    });
  }
}

// In other places of a larger pool; rows that shared pages have their own and the other way round.
problem moved(const problem& p, std::uint64_t seed) {
  problem other = p;
  other.paged.order = random_bits(seed, other_pages, 0);
  other.paged.spare_pages += 1;
  other.paged.spare_entries = (p.paged.spare_entries + 1) % 3;
  other.paged.shares = !p.paged.shares;
  other.paged.stale = !p.paged.stale;
  return other;
}

problem in_pages_of_another_size(const problem& p, std::uint64_t seed) {
  const std::int64_t page = p.paged.page;
  const std::array<std::int64_t, 4> sizes{page + 1, std::max<std::int64_t>(page - 1, 3), 2 * page,
                                          page == 1 ? 2 : 1};
  problem other = moved(p, seed);
  other.paged.page = sizes[random_below(seed, other_pages, 1, sizes.size())];
  return other;
}

problem without_pages(problem p) {
  p.paged = {};
  return p;
}

judgement judge(const problem_spec& spec, examiner& subject) {
  problem p = materialise(spec);
  give_common_prefix(p, spec.seed);
  const problem elsewhere = moved(p, spec.seed),
                in_other_sizes = in_pages_of_another_size(p, spec.seed),
                contiguous = without_pages(p);
  const terms on = subject.terms_for(p);
  const answer before = subject.ask(p);
  if (before.refusal) return *before.refusal;
  judgement j;
  std::optional<judgement> refusal;
  const auto compare = [&](const problem& other, same_bits bits, const char* what) {
    if (refusal) return;
    const answer after = subject.ask(other);
    refusal = after.refusal;
    if (refusal) return;
    row_pairs pairs(j, on, {p, before}, {other, after}, bits, what);
    for_each_row(p.dims, [&](const row_index& row) { pairs.judge(row); });
  };
  compare(elsewhere, bits_declared(on.kept.layout_invariant),
          "output of the same keys and values in other pages of the pool");
  compare(in_other_sizes, same_bits::not_expected,
          "output of the same keys and values in pages of another size");
  compare(contiguous, same_bits::not_expected, "output of the same keys and values without pages");
  return refusal ? *refusal : j;
}

}  // namespace

const property pages_may_lie_anywhere{
    .name = "pages_may_lie_anywhere",
    .theme = "layout",
    .statement =
        "Which pages of a pool hold the keys and values, how large pages are, and whether there "
        "are any, does not change what they say.",
    .method =
        "The same numbers four times: in pages; in other pages of a larger pool, where batch rows "
        "with a common prefix share its pages or no longer do; in pages of another size; and "
        "contiguous. In half of the problems all batch rows begin alike.",
    .bound =
        "the sum of forward_bound of both problems; 0 for the same pages elsewhere where the "
        "contract declares layout_invariant. Other bits are an observation there",
    .proof = "derivation/bounds/same_rows.md#pages",
    .claim = "shapes",
    .needs = "pages",
    .catches =
        "pages taken in their order in the pool, tables of another batch row, page and slot "
        "swapped, strides of another page size, K and V of different pages, pages that are "
        "written for one batch row and read for another",
    .admits = feature_set::all(),
    .groups = feature_set().with(feature::pages),
    .plain_group = false,
    .base_problems = 8,
    .scorers = every_scorer,
    .normalizers = every_normalizer,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
