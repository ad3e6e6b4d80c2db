#include "derivation/unlucky/row_setting.h"

#include <algorithm>
#include <cmath>

namespace attest {

row_sizes::row_sizes(const tensor& t) : shape_(t.sizes()) {
  std::vector<double> row(static_cast<std::size_t>(shape_[3]));
  for_each_index({shape_[0], shape_[1], shape_[2], 1}, [&](const index4& i) {
    t.read(i[0], i[1], i[2], row);
    double size = 0;
    for (double x : row) size = std::max(size, std::fabs(x));
    largest_.push_back(size);
    of_all_ = std::max(of_all_, size);
  });
}

double row_sizes::in_block(const index4& row, std::int64_t rows, std::int64_t from) const {
  if (rows == 0) return of_all_;
  const std::int64_t first = row[2] - (row[2] - from + rows) % rows;
  const auto at = [&](std::int64_t l) {
    return largest_.begin() + ((row[0] * shape_[1] + row[1]) * shape_[2] + l);
  };
  return *std::max_element(at(std::max<std::int64_t>(0, first)),
                           at(std::min(shape_[2], first + rows)));
}

double row_setting::quantised_size(row_sizes operand_sizes::*operand, const index4& row) const {
  return sizes == nullptr
             ? 0
             : (sizes->*operand).in_block(row, kept.quantised_rows, plan.quantised_from);
}

double row_setting::pull(std::size_t n) const {
  if (plan.aims_at_lse) return plan.aim;
  return plan.aim * (value(n, column()) - exact.output[column()].high);
}

}  // namespace attest
