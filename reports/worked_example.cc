#include "reports/worked_example.h"

#include <fmt/format.h>

#include <ostream>

#include "reference/definition/attention.h"

namespace attest {
namespace {

constexpr std::int64_t tokens = 4;
constexpr std::int64_t width = 2;

// q = (ln 2, ln 3) in the first two rows' pattern and k of small integers give exp(q.k) = 2^k_0
// 3^k_1.
constexpr double ln2 = 0.69314718055994531, ln3 = 1.0986122886681098;
constexpr double q_rows[tokens][width] = {{ln2, 0}, {ln2, 0}, {0, ln3}, {ln2, ln3}};
constexpr double k_rows[tokens][width] = {{0, 0}, {1, 1}, {0, 2}, {1, 0}};
constexpr double v_rows[tokens][width] = {{1, 0}, {0, 1}, {2, 0}, {0, 4}};

tensor to_tensor(const double (&rows)[tokens][width]) {
  tensor t(f64, place(layout::bhld, {1, 1, tokens, width}), 0);
  for_each_index(t.sizes(), [&](const index4& i) { t.set(i, rows[i[2]][i[3]]); });
  return t;
}

problem worked_problem() {
  problem p;
  p.dims = {1, 1, 1, tokens, tokens, width, width};
  p.q = to_tensor(q_rows);
  p.k = to_tensor(k_rows);
  p.v = to_tensor(v_rows);
  p.causal = causal_anchor::top_left;
  p.scale = 1;
  return p;
}

template <class Cell>
void write_matrix(std::ostream& out, const char* title, std::int64_t columns, Cell cell) {
  out << title << '\n';
  for (std::int64_t i = 0; i < tokens; ++i) {
    out << "  ";
    for (std::int64_t j = 0; j < columns; ++j) out << fmt::format("{:>8}", cell(i, j));
    out << '\n';
  }
}

std::string number(double x) { return fmt::format("{:.4f}", x); }

}  // namespace

void write_worked_example(std::ostream& out) {
  const problem p = worked_problem();
  std::vector<attention_row<double>> rows;
  for (std::int64_t i = 0; i < tokens; ++i) rows.push_back(attention<double>(p, {0, 0, i}));
  const auto row = [&](std::int64_t i) -> const attention_row<double>& {
    return rows[static_cast<std::size_t>(i)];
  };
  const auto seen = [&](std::int64_t i, std::int64_t j) {
    return j < static_cast<std::int64_t>(row(i).keys.size());
  };
  out << "attention of 4 tokens of width 2, causal, scale 1\n\n";
  write_matrix(out, "q (ln 2 = 0.6931, ln 3 = 1.0986)", width,
               [](auto i, auto d) { return number(q_rows[i][d]); });
  write_matrix(out, "k", width, [](auto i, auto d) { return number(k_rows[i][d]); });
  write_matrix(out, "v", width, [](auto i, auto d) { return number(v_rows[i][d]); });
  write_matrix(out, "scores q.k of the keys j <= i (exp: 1; 1 2; 1 3 9; 1 6 9 2)", tokens,
               [&](auto i, auto j) {
                 return seen(i, j) ? number(row(i).scores[static_cast<std::size_t>(j)])
                                   : std::string(".");
               });
  write_matrix(out, "weights (1; 1/3 2/3; 1/13 3/13 9/13; 1/18 6/18 9/18 2/18)", tokens,
               [&](auto i, auto j) {
                 return number(seen(i, j) ? row(i).weights[static_cast<std::size_t>(j)] : 0);
               });
  out << "sum of each row of weights\n  ";
  for (std::int64_t i = 0; i < tokens; ++i) {
    double sum = 0;
    for (double a : row(i).weights) sum += a;
    out << fmt::format("{:>8}", number(sum));
  }
  out << '\n';
  write_matrix(out, "output (1 0; 1/3 2/3; 19/13 3/13; 19/18 14/18)", width,
               [&](auto i, auto d) { return number(row(i).output[static_cast<std::size_t>(d)]); });
}

}  // namespace attest
