// Rows of two problems that have the same exact answer, compared as a subject answered them.
#pragma once

#include <vector>

#include "properties/same_answer.h"
#include "properties/selection.h"

namespace attest {

// What is asked of the bits of two answers to the same row, beyond that both keep their bounds.
enum class same_bits : std::uint8_t {
  not_expected,  // the two were computed in different ways
  observed,      // a difference is counted
  due,           // the contract promises them: a difference is a violation
};

// Result: due where the contract declares the capability.
constexpr same_bits bits_declared(bool capability) {
  return capability ? same_bits::due : same_bits::observed;
}

// Keeps references to all that it is given.
class row_pairs {
 public:
  row_pairs(judgement& j, const terms& on, const answered_problem& one,
            const answered_problem& other, same_bits bits, const char* what)
      : judgement_(j),
        terms_(on),
        one_(one),
        other_(other),
        bits_(bits),
        what_(what),
        one_rows_(one.posed),
        other_rows_(other.posed) {}

  // Adds the comparison of a row of the first answer with the same row of the second. What agrees
  // to the bit holds (+0 and -0, and NaNs, count as equal); what differs is held to the sum of both
  // bounds. Special: what the semantics leaves open of an empty row, makes the mean of all of V, or
  // gives differently in the two problems, is not compared.
  void judge(const row_index& one, const row_index& other);
  void judge(const row_index& row) { judge(row, row); }

 private:
  // Two elements that are to be the same.
  struct pair {
    std::int64_t d;  // the column; -1 for the lse
    double before, after;
    bool same() const;
  };

  std::vector<pair> pairs_of(const row_index& one, const row_index& other) const;
  void judge_bits(const row_index&, const pair&);
  void judge_bounds(const row_index& one, const row_index& other, const std::vector<pair>&);
  void judge_within(const row_index&, const due& one, const due& other, const pair&);

  judgement& judgement_;
  const terms terms_;
  const answered_problem one_, other_;
  same_bits bits_;
  const char* what_;
  certified_rows one_rows_, other_rows_;
};

// Asks both problems, which have the same rows, and compares every row. Result: the refusal, where
// one was refused.
judgement judge_same_rows(examiner&, const problem& one, const problem& other, same_bits,
                          const char* what);

// Asks the selected part of a problem alone, placed as given, and adds the comparison of its rows
// with those of the whole; bits are due where the contract declares batch_invariant. Result: the
// refusal, where it was refused.
std::optional<judgement> judge_part_alone(judgement&, examiner&, const answered_problem& whole,
                                          const selection& part, layout placed, const char* what);

}  // namespace attest
