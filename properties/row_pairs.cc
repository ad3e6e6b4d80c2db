#include "properties/row_pairs.h"

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

std::string place_of(const row_index& row, std::int64_t d) {
  return attest::place_of(d < 0 ? "lse" : "o", row, d);
}

// Whether V enters what an empty row holds, or the problems do not say the same of it.
bool is_open_output(const problem& p, const row_index& one, const problem& q,
                    const row_index& other) {
  const empty_row rule = rule_of_empty_row(p, one);
  return rule == empty_row::unspecified || rule == empty_row::mean_of_values ||
         rule != rule_of_empty_row(q, other);
}

}  // namespace

bool row_pairs::pair::same() const { return same_value(before, after); }

std::vector<row_pairs::pair> row_pairs::pairs_of(const row_index& one,
                                                 const row_index& other) const {
  const problem& p = one_.posed;
  const bool no_key = key_set(p, one).empty();
  const bool sums_nothing = no_key && (p.sink.empty() || p.rules.sink == lse_sink::left_out);
  const bool open_lse =
      !p.rules.is_softmax() || (sums_nothing && p.rules.on_empty_lse == empty_lse::unspecified);
  const bool may_be_empty = p.rules.may_weigh_nothing() || (no_key && p.sink.empty());
  const bool open_output = may_be_empty && is_open_output(p, one, other_.posed, other);
  std::vector<pair> pairs;
  for (std::int64_t d = 0; d < p.dims.value_width && !open_output; ++d)
    pairs.push_back({d, one_.given.o.at(one.b, one.h, one.i, d),
                     other_.given.o.at(other.b, other.h, other.i, d)});
  if (one_.given.lse && other_.given.lse && !open_lse)
    pairs.push_back({-1, one_.given.lse->at(one.b, one.h, one.i, 0),
                     other_.given.lse->at(other.b, other.h, other.i, 0)});
  return pairs;
}

void row_pairs::judge(const row_index& one, const row_index& other) {
  ++judgement_.rows;
  const std::vector<pair> pairs = pairs_of(one, other);
  const bool agree =
      std::all_of(pairs.begin(), pairs.end(), [](const pair& each) { return each.same(); });
  // No bound is needed where the bits are the same, or have to be.
  if (!agree && bits_ != same_bits::due) return judge_bounds(one, other, pairs);
  for (const pair& each : pairs) judge_bits(one, each);
}

void row_pairs::judge_bits(const row_index& row, const pair& seen) {
  judge_element(judgement_, {{seen.before, 0, 0}, 0, 0, &one_.given.o.element()}, seen.after,
                place_of(row, seen.d), what_);
}

void row_pairs::judge_bounds(const row_index& one, const row_index& other,
                             const std::vector<pair>& pairs) {
  const row_reference first(one_rows_, terms_, one), second(other_rows_, terms_, other);
  if (!first.bound().in_domain() || !second.bound().in_domain()) {
    ++judgement_.out_of_domain;
    return;
  }
  for (const pair& each : pairs) {
    const bool is_lse = each.d < 0;
    judge_within(one, is_lse ? first.lse() : first.output(each.d),
                 is_lse ? second.lse() : second.output(each.d), each);
  }
}

void row_pairs::judge_within(const row_index& row, const due& one, const due& other,
                             const pair& seen) {
  if (seen.same()) return judge_bits(row, seen);
  if (bits_ == same_bits::observed) ++judgement_.differences;
  judge_two(judgement_, {one, seen.before}, {other, seen.after}, place_of(row, seen.d), what_);
}

judgement judge_same_rows(examiner& subject, const problem& one, const problem& other,
                          same_bits bits, const char* what) {
  const answer before = subject.ask(one), after = subject.ask(other);
  if (before.refusal || after.refusal) return before.refusal ? *before.refusal : *after.refusal;
  judgement j;
  row_pairs pairs(j, subject.terms_for(one), {one, before}, {other, after}, bits, what);
  for_each_row(one.dims, [&](const row_index& row) { pairs.judge(row); });
  return j;
}

std::optional<judgement> judge_part_alone(judgement& j, examiner& subject,
                                          const answered_problem& whole, const selection& part,
                                          layout placed, const char* what) {
  const problem alone = select(whole.posed, part, placed);
  const answer by_itself = subject.ask(alone);
  if (by_itself.refusal) return by_itself.refusal;
  const terms on = subject.terms_for(whole.posed);
  row_pairs pairs(j, on, whole, {alone, by_itself}, bits_declared(on.kept.batch_invariant), what);
  for_each_row(alone.dims, [&](const row_index& row) {
    pairs.judge({part.batch[static_cast<std::size_t>(row.b)],
                 part.query_heads[static_cast<std::size_t>(row.h)],
                 part.queries[static_cast<std::size_t>(row.i)]},
                row);
  });
  return std::nullopt;
}

}  // namespace attest
