#include "reports/progress_meter.h"

#include <unistd.h>

#include <csignal>
#include <iostream>

namespace attest {
namespace {

volatile std::sig_atomic_t stop_asked = 0;

void ask_to_stop(int) {
  stop_asked = 1;
  std::signal(SIGINT, SIG_DFL);
}

}  // namespace

progress_meter::progress_meter(std::string what)
    : what_(std::move(what)), visible_(isatty(STDERR_FILENO) != 0) {
  stop_asked = 0;
  std::signal(SIGINT, ask_to_stop);
}

progress_meter::~progress_meter() {
  std::signal(SIGINT, SIG_DFL);
  if (visible_ && shown_percent_ >= 0) std::cerr << "\r\x1b[K" << std::flush;
}

bool progress_meter::operator()(std::int64_t done, std::int64_t of) {
  const int percent = of > 0 ? static_cast<int>(100 * done / of) : 100;
  if (visible_ && percent != shown_percent_) {
    shown_percent_ = percent;
    std::cerr << "\r\x1b[K" << what_ << ": " << done << " of " << of << " problems" << std::flush;
  }
  return stop_asked == 0;
}

}  // namespace attest
