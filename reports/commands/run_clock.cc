#include "reports/commands/run_clock.h"

#include <unistd.h>

#include <ctime>
#include <thread>

#include "reports/version.h"

namespace attest {
namespace {

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

}  // namespace

run_clock::run_clock() : started_(utc_now()), start_(std::chrono::steady_clock::now()) {}

run_block run_clock::block() const {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  return {version, started_, elapsed.count(), host_name(), std::thread::hardware_concurrency()};
}

}  // namespace attest
