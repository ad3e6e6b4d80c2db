#include "reports/progress_meter.h"

#include <csignal>
#include <utility>

namespace attest {
namespace {

volatile std::sig_atomic_t stop_asked = 0;
void (*handler_before)(int) = SIG_DFL;

// A second Ctrl-C does not wait for the problem that is at hand.
void ask_to_stop(int) {
  stop_asked = 1;
  std::signal(SIGINT, handler_before);
}

}  // namespace

progress_meter::progress_meter(std::string what, std::string unit)
    : bar_(std::move(what), std::move(unit)) {
  stop_asked = 0;
  handler_before = std::signal(SIGINT, ask_to_stop);
}

progress_meter::~progress_meter() { std::signal(SIGINT, handler_before); }

bool progress_meter::operator()(std::int64_t done, std::int64_t of) {
  bar_(done, of);
  return stop_asked == 0;
}

}  // namespace attest
