#include "reports/python/stored_answer.h"

#include <fmt/format.h>

#include <algorithm>

#include "properties/dump/other_readings.h"
#include "properties/run.h"
#include "reports/words/wording.h"

namespace attest {
namespace {

std::string stages_text(const contract& c) {
  return fmt::format(
      "scores summed in {}, stored in {}; exponentials in {}, within {} ulps; weights in {}; sums "
      "in {}; output {}, lse {}",
      c.score_sum.number->name, c.score_storage.number->name, c.exponent.number->name,
      number_text(c.exp_ulps), c.weight_storage.number->name, c.output_sum.number->name,
      c.output->name, c.lse->name);
}

std::string bound_text(const contract& c) {
  return fmt::format(
      "  bound     derived from contract {} ({}): {}; proof: derivation/bounds/forward.md\n",
      c.name, c.about, stages_text(c));
}

std::string observation_text(const observation& seen) {
  const auto [observed, expected] = telling_apart(seen.observed, seen.expected);
  return fmt::format("  at        {}\n  observed  {}\n  expected  {}\n  error     {}\n", seen.where,
                     observed, expected, error_words(seen));
}

std::string readings_text(dump& d, const dump_judgement& all, const contract& c) {
  std::vector<row_index> worst;
  for (const failing_row& row : all.worst) worst.push_back(row.place);
  std::sort(worst.begin(), worst.end());
  std::string text;
  for (const std::string& reading : readings_that_hold(d, c, worst))
    text += (text.empty() ? "" : ", ") + reading;
  return text.empty() ? text : "  hint      the worst rows are right with: " + text + "\n";
}

std::string failure_text(dump& d, const dump_judgement& all, const contract& c) {
  const judgement& j = all.found;
  return fmt::format(
             "attention output is {}: {} of {} elements are further from the exact answer than "
             "contract {} allows\n",
             name_of(j.outcome), count_text(all.failures.all()), count_text(j.judged + j.undecided),
             c.name) +
         observation_text(*j.worst) + bound_text(c) + readings_text(d, all, c);
}

std::string undecided_text(const judgement& j, const contract& c) {
  return fmt::format(
             "attention output is undecided: of {} elements {} could be judged; {} of {} rows are "
             "out of domain\n"
             "  Under contract {} the mean of v would pass for the others: a tighter contract "
             "decides more.\n",
             count_text(j.judged + j.undecided), count_text(j.judged), count_text(j.out_of_domain),
             count_text(j.rows), c.name) +
         bound_text(c);
}

// Whether there is nothing to decide.
bool is_empty(const judgement& j) { return j.judged + j.undecided + j.out_of_domain == 0; }

}  // namespace

judged_answer judge_stored(dump& d, const contract& c, std::int64_t rows) {
  dump_options options;
  options.rows = rows;
  options.seed = default_seed;
  const dump_judgement all = judge_dump(d, c, options);
  judged_answer result{all.found, !all.fails() && (all.is_decided() || is_empty(all.found)), {}};
  if (all.fails())
    result.text = failure_text(d, all, c);
  else if (!result.accepted)
    result.text = undecided_text(all.found, c);
  return result;
}

}  // namespace attest
