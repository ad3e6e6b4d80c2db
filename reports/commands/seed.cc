#include "reports/commands/seed.h"

#include <random>

#include "reference/input_error.h"
#include "reference/text.h"

namespace attest {

std::uint64_t parse_seed(const std::string& text) {
  if (text == "random") return std::random_device{}();
  if (text.empty() || text.front() == '-')
    throw input_error("--seed is '" + text +
                      "' (allowed: a whole number from 0 to 2^64 - 1, or random)");
  return parse_unsigned(text, "--seed");
}

}  // namespace attest
