// The constants of the exponential: each once in the code, and again, the same, in its proofs.
#include "reference/certified/exponential_constants.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>

#include "reference/certified/exponential.h"
#include "reference/elementary/double_double.h"
#include "tests/reference/exact_real.h"

namespace attest::test {
namespace {

namespace fs = std::filesystem;
using constants = std::map<std::string, double>;

const fs::path root = ATTEST_SOURCE_FOLDER;
const fs::path certificates = root / "derivation/bounds/certificates";

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// The lines that say `name = number;` in hexadecimal, whatever stands before the name.
constants constants_in(const fs::path& file) {
  static const std::regex line(R"re((\w+) = (-?0x[0-9a-f.]+p-?[0-9]+);)re");
  const std::string all = text_of(file);
  constants found;
  for (std::sregex_iterator i(all.begin(), all.end(), line), end; i != end; ++i)
    found[(*i)[1]] = std::strtod((*i)[2].str().c_str(), nullptr);
  return found;
}

TEST(exponential_constants, are_those_of_the_proofs) {
  const constants code = constants_in(root / "reference/certified/exponential_constants.h");
  EXPECT_EQ(code.at("c8"), exponential_constants::c8);
  const struct {
    const char* file;
    std::size_t count;
  } proofs[] = {{"exponential.sollya", 11}, {"exponential.gappa", 8}};
  for (const auto& [file, count] : proofs) {
    const constants proof = constants_in(certificates / file);
    EXPECT_EQ(proof.size(), count) << file;
    for (const auto& [name, value] : proof) EXPECT_EQ(value, code.at(name)) << file << ": " << name;
  }
}

// The bound that a certificate states for `what`.
double bound_in(const char* file, const std::string& what) {
  const std::string text = text_of(certificates / file);
  const std::size_t place = text.find(what + " <= ");
  if (place == std::string::npos) return NAN;
  std::string number = text.substr(place + what.size() + 4, 16);
  if (number.substr(0, 2) == "1b") number.replace(0, 2, "0x1p");
  return std::strtod(number.c_str(), nullptr);
}

TEST(exponential_constants, the_bounds_are_those_that_are_proved) {
  EXPECT_EQ(bound_in("exponential.gappa", "|((sum + low) - Exact) / Exact|"), exponential_error);
  EXPECT_LE(bound_in("tanh.gappa", "|(y + y_lo) - (1 - Z)|") + exponential_error / 2, tanh_error);
}

// What one script proves and another uses.
TEST(exponential_constants, the_proofs_fit_together) {
  const std::string gappa = text_of(certificates / "exponential.gappa");
  const std::string sollya = text_of(certificates / "exponential.sollya");
  const auto says = [](const std::string& text, const char* words) {
    return text.find(words) != std::string::npos;
  };
  EXPECT_TRUE(says(sollya, "domain = [-0x1.62e5p-11; 0x1.62e5p-11];"));
  EXPECT_TRUE(says(gappa, "|r| <= 0x1.62e5p-11 "));
  EXPECT_TRUE(says(sollya, "absolute, 2^-20)) <= 2^-117);"));
  EXPECT_TRUE(says(gappa, "|series| <= 1b-117 "));
  EXPECT_TRUE(says(gappa, "root_hi in [1, 0x1.ff4eaca4391b6p0] "));
  EXPECT_EQ(roots_of_two_hi[roots_of_two_count - 1], 0x1.ff4eaca4391b6p0);
}

// What the proof needs for tiny arguments: n step_1 + n step_2 is no double, but for n = 0.
TEST(exponential_constants, a_step_leaves_a_rest) {
  const double last = exponential_domain * exponential_constants::steps + 1;
  for (double n = 1; n <= last; ++n) {
    const double_double step =
        two_sum(n * exponential_constants::step_1, n * exponential_constants::step_2);
    ASSERT_NE(step.lo, 0) << n;
  }
}

TEST(exponential_constants, roots_of_two_are_right_to_107_bits) {
  for (int i = 0; i < roots_of_two_count; ++i) {
    exact_real power(i / static_cast<double>(roots_of_two_count)), nearest;
    mpfr_exp2(power.get(), power.get(), MPFR_RNDN);
    EXPECT_EQ(mpfr_get_d(power.get(), MPFR_RNDN), roots_of_two_hi[i]);
    mpfr_sub_d(power.get(), power.get(), roots_of_two_hi[i], MPFR_RNDN);
    mpfr_sub_d(power.get(), power.get(), roots_of_two_lo[i], MPFR_RNDN);
    EXPECT_LE(std::abs(mpfr_get_d(power.get(), MPFR_RNDN)), 0x1p-107) << i;
  }
}

}  // namespace
}  // namespace attest::test
