#include "reports/progress_bar.h"

#include <unistd.h>

#include <iostream>
#include <utility>

namespace attest {
namespace {

constexpr const char* start_of_line = "\r\x1b[K";

std::string drawn(int percent) {
  constexpr int cells = 20;
  const auto full = static_cast<std::size_t>(percent * cells / 100);
  return "[" + std::string(full, '#') + std::string(cells - full, '.') + "]";
}

}  // namespace

progress_bar::progress_bar(std::string what, std::string unit)
    : what_(std::move(what)), unit_(std::move(unit)), visible_(isatty(STDERR_FILENO) != 0) {}

progress_bar::~progress_bar() {
  if (visible_ && shown_percent_ >= 0) std::cerr << start_of_line << std::flush;
}

void progress_bar::operator()(std::int64_t done, std::int64_t of) {
  const int percent = of > 0 ? static_cast<int>(100 * done / of) : 100;
  if (!visible_ || percent == shown_percent_) return;
  shown_percent_ = percent;
  std::cerr << start_of_line << what_ << ' ' << drawn(percent) << ' ' << done << " of " << of << ' '
            << unit_ << std::flush;
}

}  // namespace attest
