// Whether a process that a test did not start itself has ended. Nothing is forked: a test may have
// threads.
#pragma once

#include <chrono>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

namespace attest {

// One that has ended and that nobody waited for is not alive.
inline bool is_alive(int id) {
  std::ifstream stat("/proc/" + std::to_string(id) + "/stat");
  const std::string text((std::istreambuf_iterator<char>(stat)), {});
  return !text.empty() && text.find(") Z") == std::string::npos;
}

// Waits for it, at most five seconds.
inline bool is_gone_soon(int id) {
  using namespace std::chrono_literals;
  for (int tries = 0; tries < 500 && is_alive(id); ++tries) std::this_thread::sleep_for(10ms);
  return !is_alive(id);
}

}  // namespace attest
