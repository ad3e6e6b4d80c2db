#include "properties/dump/judge_dump.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "properties/run.h"
#include "reference/random.h"

namespace attest {
namespace {

enum stream : std::uint64_t { sampled_rows = 1009 };

std::int64_t count_rows(const shape& s) { return s.batch * s.query_heads * s.queries; }

row_index row_at(const shape& s, std::int64_t n) {
  return {n / s.queries / s.query_heads, n / s.queries % s.query_heads, n % s.queries};
}

// ---- adding up ----

void include(failure_classes& all, const failure_classes& f) {
  all.far += f.far;
  all.not_a_number += f.not_a_number;
  all.infinite += f.infinite;
  all.finite += f.finite;
}

void count(failure_classes& all, const observation& seen) {
  if (std::isnan(seen.observed))
    ++all.not_a_number;
  else if (std::isinf(seen.observed))
    ++all.infinite;
  else if (std::isfinite(seen.expected))
    ++all.far;
  else
    ++all.finite;
}

row_range around(const std::optional<row_range>& before, const row_index& place) {
  if (!before) return {place, place};
  const row_index &a = before->first, &z = before->last;
  return {{std::min(a.b, place.b), std::min(a.h, place.h), std::min(a.i, place.i)},
          {std::max(z.b, place.b), std::max(z.h, place.h), std::max(z.i, place.i)}};
}

// A proof before what is next to impossible, then by how far it is off.
bool is_worse(const failing_row& x, const failing_row& y) {
  if (x.worst.improbable != y.worst.improbable) return y.worst.improbable;
  return x.worst.ratio != y.worst.ratio ? x.worst.ratio > y.worst.ratio : x.place < y.place;
}

void keep_worst(std::vector<failing_row>& worst) {
  std::sort(worst.begin(), worst.end(), is_worse);
  if (worst.size() > most_worst_rows) worst.resize(most_worst_rows);
}

void include(dump_judgement& all, const dump_judgement& part) {
  all.found.add(part.found);
  include(all.failures, part.failures);
  all.failing_rows += part.failing_rows;
  if (part.failing) {
    all.failing = around(all.failing, part.failing->first);
    all.failing = around(all.failing, part.failing->last);
  }
  all.worst.insert(all.worst.end(), part.worst.begin(), part.worst.end());
  keep_worst(all.worst);
}

// ---- one row ----

// Where all values of a column are one number, but for the error of computing that, every mean of
// them is it, and a bound beside their hull says nothing.
due without_empty_hull(due d) {
  if (d.scale <= 0x1p-40 * std::fabs(d.value.high)) d.scale = 0;
  return d;
}

class row_judge {
 public:
  row_judge(const dump& d, const row_index& place) : dump_(d), place_(place) {
    all_.found.rows = 1;
  }

  dump_judgement judge(const row_reference& row) {
    const problem& p = dump_.posed;
    if (!row.bound().in_domain()) {
      all_.found.out_of_domain = 1;
      return all_;
    }
    for (std::int64_t d = 0; d < p.dims.value_width && output_is_specified(p, row.exact()); ++d)
      add(without_empty_hull(row.output(d)), dump_.o.at(place_.b, place_.h, place_.i, d),
          place_of("o", place_, d), "output");
    if (dump_.lse && lse_is_specified(p, row.exact()))
      add(row.lse(), dump_.lse->at(place_.b, place_.h, place_.i, 0), place_of("lse", place_, -1),
          "lse");
    finish();
    return all_;
  }

 private:
  void add(const due& d, double observed, const std::string& where, const char* what) {
    judgement one;
    judge_element(one, d, observed, where, what);
    if (is_failure(one.outcome)) count(all_.failures, *one.worst);
    all_.found.add(one);
  }

  void finish() {
    if (!is_failure(all_.found.outcome)) return;
    all_.failing_rows = 1;
    all_.failing = row_range{place_, place_};
    all_.worst = {{place_, all_.failures.all(), *all_.found.worst}};
  }

  const dump& dump_;
  row_index place_;
  dump_judgement all_;
};

constexpr std::size_t rows_at_once = 64;

dump_judgement judge_block(const dump& d, const contract& c, const std::vector<row_index>& rows,
                           std::size_t first) {
  certified_rows exact(d.posed);
  const terms on{c, {}};
  dump_judgement all;
  for (std::size_t n = first; n < std::min(first + rows_at_once, rows.size()); ++n)
    include(all, row_judge(d, rows[n]).judge(row_reference(exact, on, rows[n])));
  return all;
}

bool has_non_finite_output(const dump& d, const row_index& row) {
  for (std::int64_t k = 0; k < d.posed.dims.value_width; ++k)
    if (!std::isfinite(d.o.at(row.b, row.h, row.i, k))) return true;
  return false;
}

// Of all rows, up to `most` with an output that is no number.
std::vector<std::int64_t> rows_without_numbers(const dump& d, std::int64_t most) {
  std::vector<std::int64_t> found;
  const std::int64_t all = count_rows(d.posed.dims);
  for (std::int64_t n = 0; n < all && static_cast<std::int64_t>(found.size()) < most; ++n)
    if (has_non_finite_output(d, row_at(d.posed.dims, n))) found.push_back(n);
  return found;
}

}  // namespace

bool dump_judgement::is_decided() const {
  const bool in_domain = static_cast<double>(found.out_of_domain) <=
                         most_out_of_domain * static_cast<double>(found.rows);
  return in_domain && found.judged > 0 && found.judged >= found.undecided;
}

std::vector<row_index> rows_to_judge(const dump& d, const dump_options& o) {
  const shape& dims = d.posed.dims;
  const std::int64_t all = count_rows(dims);
  std::vector<std::int64_t> numbers;
  if (o.rows <= 0 || o.rows >= all) {
    for (std::int64_t n = 0; n < all; ++n) numbers.push_back(n);
  } else {
    numbers = rows_without_numbers(d, o.rows);
    numbers.insert(numbers.end(), {0, all - 1});
    for (std::int64_t n = 2; n < o.rows; ++n)
      numbers.push_back(static_cast<std::int64_t>(random_below(
          o.seed, sampled_rows, static_cast<std::uint64_t>(n), static_cast<std::uint64_t>(all))));
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  }
  std::vector<row_index> rows;
  for (const std::int64_t n : numbers) rows.push_back(row_at(dims, n));
  return rows;
}

dump_judgement judge_rows(const dump& d, const contract& c, const std::vector<row_index>& rows,
                          const std::function<void(std::int64_t, std::int64_t)>& report) {
  const std::size_t blocks = (rows.size() + rows_at_once - 1) / rows_at_once;
  std::vector<dump_judgement> parts(blocks);
  std::mutex telling;
  std::int64_t done = 0;
  oneapi::tbb::parallel_for(std::size_t{0}, blocks, [&](std::size_t n) {
    parts[n] = judge_block(d, c, rows, n * rows_at_once);
    const std::lock_guard lock(telling);
    done += parts[n].found.rows;
    if (report) report(done, static_cast<std::int64_t>(rows.size()));
  });
  dump_judgement all;
  all.rows = count_rows(d.posed.dims);
  for (const dump_judgement& part : parts) include(all, part);
  return all;
}

dump_judgement judge_dump(const dump& d, const contract& c, const dump_options& o) {
  return judge_rows(d, c, rows_to_judge(d, o), o.progress);
}

}  // namespace attest
