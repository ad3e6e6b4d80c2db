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

// The lines that say `name = number;` in hexadecimal, whatever stands before the name.
constants constants_in(const fs::path& file) {
  static const std::regex line(R"re((\w+) = (-?0x[0-9a-f.]+p-?[0-9]+);)re");
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  const std::string all = text.str();
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
