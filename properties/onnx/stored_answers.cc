#include "properties/onnx/stored_answers.h"

#include <cmath>

#include "derivation/bounds/roundings.h"
#include "properties/judged_rows.h"
#include "properties/onnx/call_problem.h"
#include "properties/onnx/score_stage.h"
#include "properties/weights_probe.h"
#include "reference/certified/rounded.h"

namespace attest {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// --- present_key, present_value ---

bool same_bits(double x, double y) {
  return std::isnan(x) ? std::isnan(y) : x == y && std::signbit(x) == std::signbit(y);
}

void judge_present(judgement& j, const std::optional<array>& stored, const tensor& due,
                   const char* name) {
  if (!stored) return;
  std::size_t n = 0;
  for_each_index(due.sizes(), [&](const index4& i) {
    const double seen = stored->values[n++], expected = due.at(i);
    j.add({place_of(name, {i[0], i[1], i[2]}, i[3]), name, seen, expected, 0,
           same_bits(seen, expected) ? 0 : infinity});
  });
}

// --- qk_matmul_output ---

// The problem whose empty rows are what mode 3 gives them.
problem weights_problem(const problem& p, const onnx_conventions& o) {
  problem weights = p;
  const bool nan = o.on_empty_weights == empty_weights::nan;
  weights.rules.on_empty_row = nan ? empty_row::nan : empty_row::zero;
  weights.rules.on_infinite_bias = nan ? infinite_bias::weighs_0 : infinite_bias::removes_key;
  return weights;
}

judgement judge_weights(const problem& p, const tensor& stored, const terms& on) {
  if (p.dims.keys == 0) return {};
  return judge_output(one_hot_columns_at_once(p), stored, on, "qk_matmul_output");
}

// What a score that is held is worth once it is stored as an output.
double stored_bound(const contract& c, double score, double held) {
  const stage output{c.output, c.output_mode, c.output_subnormals};
  return held + unit_of(output) * (std::fabs(score) + held) + underflow_of(output);
}

void judge_stored_scores(judgement& j, const staged_scores& scores, const tensor& stored,
                         const terms& on) {
  const problem& p = scores.unmasked();
  for_each_row(p.dims, [&](const row_index& place) {
    if (p.dims.keys == 0) return;
    const exact_row row = scores.row(place);
    const forward_bound bound(on.kept, p, place, row, on.sure);
    ++j.rows;
    if (!bound.in_domain()) {
      ++j.out_of_domain;
      return;
    }
    for (const exact_key& key : row.keys) {
      const double held = bound.logit(static_cast<std::size_t>(key.key));
      due score{{key.logit, 0, 0x1p-52 * std::fabs(key.logit)},
                stored_bound(on.kept, key.logit, held),
                0,
                on.kept.output};
      if (scores.is_masked(place, key.key)) {
        const double cap = scores.masked_score();
        score = {
            {cap, 0, 0}, std::isinf(cap) ? 0 : stored_bound(on.kept, cap, held), 0, on.kept.output};
      }
      judge_element(j, score, stored.at(place.b, place.h, place.i, key.key),
                    place_of("qk_matmul_output", place, key.key), "score");
    }
  });
}

void judge_matmul(judgement& j, const attention_call& c, const onnx_conventions& o,
                  const problem& p, const terms& on) {
  if (!c.qk_matmul_output) return;
  const score_stage stage = stage_of(c, o);
  judgement part;
  if (stage == score_stage::weight)
    part = judge_weights(weights_problem(p, o), stored_scores(c), on);
  else
    judge_stored_scores(part, staged_scores(c, o, stage), stored_scores(c), on);
  j.add(part);
}

// --- Distances ---

ulp_histogram count_scores(const staged_scores& scores, const tensor& stored) {
  ulp_histogram ulps;
  for_each_row(scores.unmasked().dims, [&](const row_index& place) {
    if (scores.unmasked().dims.keys == 0) return;
    for (const exact_key& key : scores.row(place).keys) {
      const bool masked = scores.is_masked(place, key.key);
      const double exact = masked ? scores.masked_score() : key.logit;
      ulps.add(stored.element(), stored.at(place.b, place.h, place.i, key.key),
               round_to(stored.element(), {}, exact));
    }
  });
  return ulps;
}

// Of a tensor [B, Hq, Lq, width] that is the output of the problem.
ulp_histogram count_outputs(const problem& p, const tensor& stored) {
  ulp_histogram ulps;
  const rounded_answer due = round_correctly(p, stored.element());
  std::size_t n = 0;
  for_each_index(stored.sizes(), [&](const index4& i) {
    ulps.add(stored.element(), stored.at(i), due.output[n++]);
  });
  return ulps;
}

ulp_histogram count_matmul(const attention_call& c, const onnx_conventions& o, const problem& p) {
  const score_stage stage = stage_of(c, o);
  if (stage != score_stage::weight)
    return count_scores(staged_scores(c, o, stage), stored_scores(c));
  if (p.dims.keys == 0) return {};
  return count_outputs(one_hot_columns_at_once(weights_problem(p, o)), stored_scores(c));
}

}  // namespace

judgement judge_output(const problem& p, const tensor& stored, const terms& on, const char* name) {
  judgement j;
  for_each_judged_row(j, p, on, [&](const row_index& place, const row_reference& row) {
    if (!output_is_specified(p, row.exact())) return;
    for (std::int64_t d = 0; d < p.dims.value_width; ++d) {
      due element = row.output(d);
      element.scale = std::fmax(element.scale, std::fabs(element.value.high));
      judge_element(j, element, stored.at(place.b, place.h, place.i, d), place_of(name, place, d),
                    name);
    }
  });
  return j;
}

judgement judge_stored(const attention_call& c, const onnx_conventions& o, const terms& on) {
  const problem p = to_problem(c, o);
  judgement all;
  if (c.y) all = judge_output(p, stored_output(c), on, "Y");
  judge_matmul(all, c, o, p, on);
  judge_present(all, c.present_key, p.k, "present_key");
  judge_present(all, c.present_value, p.v, "present_value");
  return all;
}

ulp_histogram count_ulps(const attention_call& c, const onnx_conventions& o) {
  const problem p = to_problem(c, o);
  ulp_histogram ulps;
  if (c.y) ulps.add(count_outputs(p, stored_output(c)));
  if (c.qk_matmul_output) ulps.add(count_matmul(c, o, p));
  return ulps;
}

}  // namespace attest
