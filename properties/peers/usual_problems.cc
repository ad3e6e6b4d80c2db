#include "properties/peers/usual_problems.h"

#include "reference/backends/answer.h"
#include "reference/random.h"

namespace attest {
namespace {

enum stream : std::uint64_t { usual_seeds = 256 };

// A padding mask, a bias for every head, a window of 17 keys, and the like.
void use(problem_spec& spec, feature f) {
  constexpr unsigned batch_and_keys = 0b1001, heads_queries_and_keys = 0b1110;
  switch (f) {
    case feature::mask:
      spec.mask_axes = batch_and_keys;
      break;
    case feature::infinite_bias:
      spec.infinite_bias = true;
      [[fallthrough]];
    case feature::bias:
      spec.bias_axes = heads_queries_and_keys;
      break;
    case feature::causal_top_left:
      spec.causal = causal_anchor::top_left;
      break;
    case feature::causal_bottom_right:
      spec.causal = causal_anchor::bottom_right;
      break;
    case feature::window:
      spec.sliding = {16, 0};
      break;
    case feature::lengths:
      spec.ragged = true;
      break;
    case feature::grouped_heads:
      spec.dims.query_heads = 2 * spec.dims.kv_heads;
      break;
    case feature::scale:
      spec.scale = 0.1;
      break;
    case feature::soft_cap:
      spec.soft_cap = 15;
      break;
    case feature::sink:
      spec.sink = true;
      break;
    case feature::cross_lengths:
      spec.dims.queries = 113;
      spec.dims.keys = 203;
      break;
    case feature::value_width:
      spec.dims.value_width = spec.dims.width / 2;
      break;
    case feature::strides:
      spec.placed = layout::blhd;
      break;
    case feature::segments:
      spec.packed = true;
      break;
    case feature::dilation:
      spec.pattern.dilation = 2;
      break;
    case feature::chunks:
      spec.pattern.chunk = 64;
      break;
    case feature::global_keys:
      spec.pattern.global_keys = 4;
      spec.sliding = {16, 0};
      break;
    case feature::block_mask:
      spec.pattern.block_queries = spec.pattern.block_keys = 64;
      spec.block_axes = heads_queries_and_keys;
      break;
    case feature::alibi:
      spec.alibi = true;
      spec.bias_axes.reset(), spec.infinite_bias = false;
      break;
    case feature::dropout:
      spec.dropout_axes = every_axis;
      spec.dropout_scale = 1 / 0.9;
      break;
    case feature::pages:
      spec.page = 16;
      break;
    case feature::lse:
      break;  // asked for in every problem
  }
}

// Lengths that no tile divides, the triangle of decoding, and shared KV heads. A feature used after
// them replaces what it contradicts.
void use_usual_company(problem_spec& spec, feature_set declared) {
  const feature triangle = declared.has(feature::causal_bottom_right) ? feature::causal_bottom_right
                                                                      : feature::causal_top_left;
  for (feature f : {feature::cross_lengths, triangle, feature::grouped_heads})
    if (declared.has(f)) use(spec, f);
}

problem_spec dense_problem(const subject_info& subject, std::size_t format_number) {
  problem_spec spec;
  spec.dims = {1, 2, 2, 128, 128, 64, 64};
  spec.inputs = subject.inputs[format_number % subject.inputs.size()];
  spec.profile = subject.profile;
  return spec;
}

bool has_empty_row(const problem& p) {
  bool found = false;
  for_each_row(p.dims, [&](const row_index& row) { found = found || key_set(p, row).empty(); });
  return found;
}

// Computes: the problem with the first seed that leaves no row empty. Most seeds do.
problem_spec seeded(problem_spec spec, std::uint64_t seed, std::uint64_t index) {
  for (std::uint64_t n = 0;; ++n) {
    spec.seed = random_bits(seed, usual_seeds + index, n) >> 32;
    if (!has_empty_row(materialise(spec))) return spec;
  }
}

// What the problems show one at a time. Infinities have their place in a bias.
std::vector<feature> shown_features(feature_set declared) {
  const bool has_bias = declared.has(feature::bias);
  return members(has_bias ? declared.without(feature::lse)
                          : declared.without(feature::lse).without(feature::infinite_bias));
}

}  // namespace

std::vector<problem_spec> usual_problems(const subject_info& subject, std::uint64_t seed,
                                         std::int64_t count) {
  const std::vector<feature> features = shown_features(subject.features);
  const std::size_t kinds = features.size() + 1;
  std::vector<problem_spec> list;
  for (std::size_t index = 0; index < static_cast<std::size_t>(count); ++index) {
    const std::size_t pair = index / 2, kind = pair % kinds;
    problem_spec spec = dense_problem(subject, pair + pair / kinds);
    if (index % 2 == 1) use_usual_company(spec, subject.features);
    if (kind > 0) use(spec, features[kind - 1]);
    list.push_back(seeded(spec, seed, index));
  }
  return list;
}

}  // namespace attest
