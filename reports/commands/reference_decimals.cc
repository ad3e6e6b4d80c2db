#include "reports/commands/reference_decimals.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>

#include "properties/judge.h"
#include "reference/exact/decimal_row.h"
#include "reference/input_error.h"
#include "reports/commands/reference_arrays.h"
#include "reports/commands/reference_text.h"
#include "reports/progress_bar.h"

namespace attest {
namespace {

std::vector<row_index> rows_of(const shape& dims) {
  std::vector<row_index> rows;
  for_each_row(dims, [&](const row_index& row) { rows.push_back(row); });
  return rows;
}

void append(const decimal_row& row, decimals& all) {
  all.output.insert(all.output.end(), row.output.begin(), row.output.end());
  all.lse.push_back(row.lse);
}

// Counts rows from several threads, one at a time.
class row_counter {
 public:
  explicit row_counter(std::size_t of) : of_(static_cast<std::int64_t>(of)) {}

  void count() {
    const std::lock_guard<std::mutex> lock(mutex_);
    bar_(++done_, of_);
  }

 private:
  std::mutex mutex_;
  progress_bar bar_{"decimals", "rows"};
  std::int64_t done_ = 0, of_;
};

std::vector<decimal_row> compute_rows(const problem& p, int digits, int threads) {
  const std::vector<row_index> rows = rows_of(p.dims);
  std::vector<decimal_row> results(rows.size());
  row_counter counter(rows.size());
  tbb::task_arena arena(threads == 0 ? tbb::task_arena::automatic : threads);
  arena.execute([&] {
    tbb::parallel_for(std::size_t{0}, rows.size(), [&](std::size_t n) {
      results[n] = compute_decimal_row(p, rows[n], digits);
      counter.count();
    });
  });
  return results;
}

std::string ending_of(const std::string& path) {
  return std::filesystem::path(path).extension().string();
}

nlohmann::ordered_json json_of(const array& a, const std::vector<std::string>& values) {
  return {{"shape", a.sizes}, {"values", values}};
}

std::string json_text(const array_problem& p, const decimals& all, int digits) {
  const answer_arrays shapes = to_arrays(p, {}, {}, f64);
  const nlohmann::ordered_json document{{"digits", digits},
                                        {"o", json_of(shapes.o, all.output)},
                                        {"lse", json_of(shapes.lse, all.lse)}};
  return document.dump(1) + "\n";
}

}  // namespace

decimals compute_decimals(const problem& p, int digits, int threads) {
  decimals all;
  for (const decimal_row& row : compute_rows(p, digits, threads)) append(row, all);
  return all;
}

void require_decimals_path(const std::string& path) {
  if (!path.empty() && ending_of(path) != ".txt" && ending_of(path) != ".json")
    throw input_error("--digits with --out " + path + " (allowed: a .txt or .json file)");
}

std::string decimals_text(const std::string& path, const array_problem& p, const decimals& all,
                          int digits) {
  return ending_of(path) == ".json" ? json_text(p, all, digits)
                                    : table_text(p.posed, all.output, all.lse);
}

}  // namespace attest
