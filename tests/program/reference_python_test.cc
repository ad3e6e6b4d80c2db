// attest reference and NumPy itself, where a Python that has it is there: each reads the other.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "tests/program/expectations.h"

namespace attest {
namespace {

// Runs a script with the first Python that has NumPy. Result: whether there is one and it succeeds.
bool run_python(const std::string& script) {
  const std::string path = scratch_file("script.py");
  write_contents(path, "import sys, numpy as np\n" + script);
  for (const char* python : {"python3", "/usr/bin/python3"})
    if (std::system((std::string(python) + " " + path + " 2>/dev/null").c_str()) == 0) return true;
  return false;
}

std::string quoted(const std::string& path) { return "'" + path + "'"; }

class reference_python : public testing::Test {
 protected:
  void SetUp() override {
    if (!run_python("")) GTEST_SKIP() << "no Python with NumPy";
  }
};

// Uniform weights: the mean of 1, 2, 4, 8 is 3.75, of the first two 1.5; both are numbers of f16.
constexpr const char* arrays =
    "q=np.zeros((2,4,3,8),'f4'), k=np.zeros((2,2,4,8),'f2'), "
    "v=np.asfortranarray(np.broadcast_to(np.array([1,2,4,8],'>f8')[:,None],(2,2,4,5))), "
    "lengths=np.array([4,2]), mask=np.ones((4,),bool)";

TEST_F(reference_python, reads_what_numpy_writes_and_the_other_way_round) {
  for (const char* save : {"savez", "savez_compressed"}) {
    const std::string in = scratch_file("in.npz"), out = scratch_file("out.npz");
    ASSERT_TRUE(run_python(std::string("np.") + save + "(" + quoted(in) + ", " + arrays + ")"));
    expect_exit(0, {"reference", "--in", in, "--round", "f16", "--out", out});
    EXPECT_TRUE(run_python("z = np.load(" + quoted(out) +
                           ")\n"
                           "assert sorted(z) == ['lse', 'o']\n"
                           "assert z['o'].dtype == np.float16 and z['o'].shape == (2, 4, 3, 5)\n"
                           "assert (z['o'][0] == 3.75).all() and (z['o'][1] == 1.5).all()\n"
                           "assert (z['lse'][0] == np.float16(np.log(4))).all()\n"))
        << save;
  }
}

}  // namespace
}  // namespace attest
