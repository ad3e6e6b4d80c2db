#include "properties/catalogue/catalogue.h"
#include "properties/judge.h"
#include "reference/random.h"

namespace attest {
namespace {

enum stream : std::uint64_t { sizes_of_far_problems = 320 };

// Few elements, as each touches a page of its own; two heads and more than one position.
std::optional<problem_spec> adapt(problem_spec spec, const subject_info& subject) {
  if (!subject.features.has(feature::strides)) return std::nullopt;
  const auto number =
      static_cast<std::int64_t>(random_below(spec.seed, sizes_of_far_problems, 0, 4));
  const bool is_cross = subject.features.has(feature::cross_lengths);
  problem_spec far;
  far.dims = {.batch = 1, .query_heads = 2, .kv_heads = 2, .keys = 5 + number, .width = 4};
  far.dims.queries = is_cross ? 3 : far.dims.keys;
  far.dims.value_width = subject.features.has(feature::value_width) ? 3 : far.dims.width;
  far.inputs = spec.inputs;
  far.profile = spec.profile;
  far.seed = spec.seed;
  far.placed = layout::far;
  return far;
}

judgement judge(const problem_spec& spec, examiner& subject) {
  try {
    const problem p = materialise(spec);
    const answer a = subject.ask(p);
    return a.refusal ? *a.refusal : judge_answer(p, a, subject.terms_for(p));
  } catch (const address_space_error& e) {
    return skipped(e.what());
  }
}

}  // namespace

const property far_offsets_are_followed{
    .name = "far_offsets_are_followed",
    .theme = "memory",
    .statement =
        "Positions may lie so far apart that offsets pass 2^32 elements and 2^32 bytes: the answer "
        "is the same.",
    .method =
        "q, k, v and o lie in reserved address space, of which only the pages of elements take "
        "memory, with a sequence stride that takes the last position of each head beyond 2^32. "
        "What "
        "32 bits make of such an offset is memory too, of zeros. Skipped, with the reason, where "
        "the system does not give the address space.",
    .bound = "forward_bound, as for any layout",
    .proof = "derivation/bounds/forward.md",
    .claim = "one_cell",
    .needs = "strides",
    .catches = "offsets and strides kept in 32 bits, with or without a sign",
    .admits = feature_set()
                  .with(feature::strides)
                  .with(feature::cross_lengths)
                  .with(feature::value_width)
                  .with(feature::lse),
    .groups = feature_set().with(feature::strides),
    .plain_group = false,
    .base_problems = 2,
    .scorers = every_scorer,
    .normalizers = every_normalizer,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
