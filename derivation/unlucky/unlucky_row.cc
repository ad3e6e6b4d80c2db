#include "derivation/unlucky/unlucky_row.h"

#include "derivation/unlucky/unlucky_part.h"
#include "reference/definition/attention.h"

namespace attest {
namespace {

class row_evaluation {
 public:
  explicit row_evaluation(const row_setting& row)
      : row_(row), draws_(row.plan.seed), steps_(row, draws_) {}

  finished_part evaluate() {
    std::vector<unlucky_part> parts;
    for (const part_of_keys& blocks : ordered_parts(row_, draws_))
      parts.push_back(steps_.over(blocks));
    return merges_by_lse(row_.plan.merged) ? merged_by_lse(parts) : merged_by_maximum(parts);
  }

  // Computes: the numbers as they are stored at last: really rounded.
  unlucky_answer stored(const finished_part& whole) {
    const contract& c = row_.kept;
    const bool flushes = row_.plan.rounding.flushes;
    const rounding how{c.output_mode, flushes ? c.output_subnormals : subnormal_mode::kept,
                       c.output_overflow};
    unlucky_answer answer;
    for (const real& unscaled : whole.o) {
      const real o = steps_.scaled_output(unscaled);
      answer.output.push_back(round_to(*c.output, how, o.hi, o.lo, draws_.bits()));
    }
    const real lse = steps_.exponent().lse(whole.lse, row_.plan.aim);
    answer.lse = round_to(*c.lse, {}, lse.hi, lse.lo);
    return answer;
  }

 private:
  bool in_pairs() const {
    return row_.plan.merged == merging::tree || row_.plan.merged == merging::lse_tree;
  }

  // One after the other, or neighbours in pairs until one is left. What is merged further is stored
  // before.
  template <class Part>
  Part reduced(std::vector<Part> parts) {
    for (Part& part : parts)
      if (parts.size() > 1) part = steps_.stored(std::move(part));
    while (parts.size() > 1) {
      std::vector<Part> next;
      const std::size_t merges = in_pairs() ? parts.size() / 2 : 1;
      for (std::size_t n = 0; n < merges; ++n)
        next.push_back(steps_.merged(parts[2 * n], parts[2 * n + 1]));
      const bool last = next.size() == 1 && parts.size() == 2;
      for (Part& part : next)
        if (!last) part = steps_.stored(std::move(part));
      next.insert(next.end(), parts.begin() + static_cast<std::ptrdiff_t>(2 * merges), parts.end());
      parts = std::move(next);
    }
    return parts.front();
  }

  finished_part merged_by_lse(const std::vector<unlucky_part>& parts) {
    std::vector<finished_part> finished;
    for (const unlucky_part& part : parts) finished.push_back(steps_.finished(part));
    if (row_.plan.merged == merging::lse_chain || row_.plan.merged == merging::lse_tree)
      return reduced(finished);
    for (finished_part& part : finished) part = steps_.stored(std::move(part));
    return steps_.merged(finished, row_.plan.merged == merging::lse_quotient);
  }

  finished_part merged_by_maximum(const std::vector<unlucky_part>& parts) {
    const unlucky_part whole = reduced(parts);
    finished_part result = steps_.finished(whole);
    if (row_.plan.form == weight_form::normalised) result.o = steps_.mixed_normalised(whole);
    if (row_.plan.form == weight_form::from_lse) result.o = steps_.mixed_by_lse(result.lse);
    return result;
  }

  const row_setting& row_;
  luck draws_;
  part_steps steps_;
};

// The row without its sink, for an lse that leaves it out.
double lse_of_keys(const row_setting& row) {
  exact_row keys = row.exact;
  keys.keys.pop_back();
  if (keys.empty()) return empty_row_lse<double>(row.posed.rules);
  row_setting alone{row.kept, row.plan, row.posed, row.sizes, row.place, keys};
  row_evaluation evaluation(alone);
  return evaluation.stored(evaluation.evaluate()).lse;
}

}  // namespace

unlucky_answer evaluate_unlucky(const row_setting& row) {
  row_evaluation evaluation(row);
  unlucky_answer answer = evaluation.stored(evaluation.evaluate());
  const bool has_sink = row.is_sink(row.keys() - 1);
  if (has_sink && row.posed.rules.sink == lse_sink::left_out) answer.lse = lse_of_keys(row);
  return answer;
}

}  // namespace attest
