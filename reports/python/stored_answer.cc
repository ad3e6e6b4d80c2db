#include "reports/python/stored_answer.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "properties/judge.h"
#include "properties/run.h"
#include "reference/input_error.h"
#include "reports/words/wording.h"

namespace attest {
namespace {

// In f64, which holds what is stored in any format.
tensor to_tensor(const array& a, const char* name, const index4& due, std::size_t left_out,
                 std::size_t rank) {
  const std::vector<std::int64_t> sizes(due.begin() + static_cast<std::ptrdiff_t>(left_out),
                                        due.begin() + static_cast<std::ptrdiff_t>(rank));
  if (a.sizes != sizes)
    throw input_error(fmt::format("{} has sizes [{}] (allowed: [{}])", name, sizes_text(a.sizes),
                                  sizes_text(sizes)));
  tensor t(f64, place(layout::bhld, due), 0);
  std::size_t n = 0;
  for_each_index(due, [&](const index4& i) { t.set(i, a.values[n++]); });
  return t;
}

answer to_answer(const array_problem& p, const stored_answer& given) {
  const std::size_t left_out = 4 - p.rank;
  answer a;
  a.o = to_tensor(given.o, "out", p.posed.dims.o_sizes(), left_out, 4);
  if (given.lse) a.lse = to_tensor(*given.lse, "lse", p.posed.dims.lse_sizes(), left_out, 3);
  return a;
}

// --- Judging, some rows at a time on every core ---

// What was found on some of the rows, and how many of their elements failed.
struct part {
  judgement found;
  std::int64_t failures = 0;

  void add(const part& other) {
    const judgement& j = other.found;
    const std::int64_t judged = found.judged + j.judged;
    if (j.worst) found.add(*j.worst);
    found.judged = judged;
    found.undecided += j.undecided;
    found.out_of_domain += j.out_of_domain;
    found.rows += j.rows;
    failures += other.failures;
  }
};

part judge_alone(const due& d, double observed, const std::string& where, const char* what) {
  part one;
  judge_element(one.found, d, observed, where, what);
  one.failures = is_failure(one.found.outcome) ? 1 : 0;
  return one;
}

// Where all values are one number but for the error of computing that, every mean of them is it:
// there is nothing to decide.
due without_empty_hull(due d) {
  if (d.scale <= 0x1p-40 * std::fabs(d.value.high)) d.scale = 0;
  return d;
}

part judge_row(const problem& p, const answer& a, const row_reference& row,
               const row_index& place) {
  part all;
  all.found.rows = 1;
  if (!row.bound().in_domain()) {
    all.found.out_of_domain = 1;
    return all;
  }
  for (std::int64_t d = 0; d < p.dims.value_width && output_is_specified(p, row.exact()); ++d)
    all.add(judge_alone(without_empty_hull(row.output(d)), a.o.at(place.b, place.h, place.i, d),
                        place_of("o", place, d), "output"));
  if (a.lse && lse_is_specified(p, row.exact()))
    all.add(judge_alone(row.lse(), a.lse->at(place.b, place.h, place.i, 0),
                        place_of("lse", place, -1), "lse"));
  return all;
}

constexpr std::int64_t rows_at_once = 16;

std::vector<row_index> block_starts(const shape& dims) {
  std::vector<row_index> starts;
  for_each_row(dims, [&](const row_index& row) {
    if (row.i % rows_at_once == 0) starts.push_back(row);
  });
  return starts;
}

part judge_block(const problem& p, const answer& a, const terms& t, const row_index& first) {
  certified_rows rows(p);
  part all;
  const std::int64_t end = std::min(first.i + rows_at_once, p.dims.queries);
  for (row_index place = first; place.i < end; ++place.i)
    all.add(judge_row(p, a, row_reference(rows, t, place), place));
  return all;
}

part judge_rows(const problem& p, const answer& a, const terms& t) {
  const std::vector<row_index> starts = block_starts(p.dims);
  std::vector<part> parts(starts.size());
  tbb::parallel_for(std::size_t{0}, starts.size(),
                    [&](std::size_t n) { parts[n] = judge_block(p, a, t, starts[n]); });
  part all;
  for (const part& each : parts) all.add(each);
  return all;
}

// --- Telling ---

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

std::string failure_text(const part& all, const contract& c) {
  const judgement& j = all.found;
  return fmt::format(
             "attention output is {}: {} of {} elements are further from the exact answer than "
             "contract {} allows\n",
             name_of(j.outcome), count_text(all.failures), count_text(j.judged + j.undecided),
             c.name) +
         observation_text(*j.worst) + bound_text(c);
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

bool is_decided(const judgement& j) {
  const bool in_domain =
      static_cast<double>(j.out_of_domain) <= most_out_of_domain * static_cast<double>(j.rows);
  return in_domain && j.judged >= j.undecided && (j.judged > 0 || j.undecided == 0);
}

}  // namespace

judged_answer judge_stored(const array_problem& p, const stored_answer& given, const contract& c) {
  const part all = judge_rows(p.posed, to_answer(p, given), {c, {}});
  const bool fails = is_failure(all.found.outcome);
  judged_answer result{all.found, !fails && is_decided(all.found), {}};
  if (fails)
    result.text = failure_text(all, c);
  else if (!result.accepted)
    result.text = undecided_text(all.found, c);
  return result;
}

}  // namespace attest
