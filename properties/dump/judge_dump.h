// Judging stored outputs row by row: what fails, how, and where it is worst.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "properties/dump/dump.h"
#include "properties/judge.h"

namespace attest {

struct dump_options {
  std::int64_t rows = 0;  // so many are judged, sampled; 0, or as many as there are: all
  std::uint64_t seed = 0;
  std::function<void(std::int64_t done, std::int64_t of)> progress = {};
};

// How an element fails.
struct failure_classes {
  std::int64_t far = 0;           // a number, beyond the bound
  std::int64_t not_a_number = 0;  // NaN where none is due
  std::int64_t infinite = 0;      // an infinity where none is due, or the other one
  std::int64_t finite = 0;        // a number where NaN or an infinity is due

  std::int64_t all() const { return far + not_a_number + infinite + finite; }
};

struct failing_row {
  row_index place;
  std::int64_t failures = 0;
  observation worst;
};

// The first and the last row, along each axis, of those that fail.
struct row_range {
  row_index first, last;
};

struct dump_judgement {
  judgement found;        // over all rows that were judged
  std::int64_t rows = 0;  // of the dump
  failure_classes failures;
  std::int64_t failing_rows = 0;
  std::optional<row_range> failing;
  std::vector<failing_row> worst;  // the worst first, at most most_worst_rows

  // A failure, or whether enough was decided to say that it holds: 1 % of rows out of domain at
  // most, and no more elements undecided than judged.
  bool fails() const { return is_failure(found.outcome); }
  bool is_decided() const;
};

inline constexpr std::size_t most_worst_rows = 10;

// Computes: the rows to judge, in order. All of them, or a sample: the first, the last, others at
// random; and of rows with an output that is no number up to as many again.
std::vector<row_index> rows_to_judge(const dump&, const dump_options&);

// Cost: all cores; about what certify() costs for these rows.
dump_judgement judge_dump(const dump&, const contract&, const dump_options&);

// Computes: the judgement of these rows alone. Domain: in order.
dump_judgement judge_rows(const dump&, const contract&, const std::vector<row_index>&,
                          const std::function<void(std::int64_t, std::int64_t)>& progress = {});

}  // namespace attest
