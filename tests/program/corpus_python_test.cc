// The runner of a corpus, where a Python with NumPy is there; with PyTorch too, where it is.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/program/expectations.h"

namespace attest {
namespace {

namespace fs = std::filesystem;

// Result: the first Python that has the module; empty: none.
std::string python_with(const std::string& module) {
  for (const char* python : {"python3", "/usr/bin/python3"})
    if (std::system((std::string(python) + " -c 'import " + module + "' 2>/dev/null").c_str()) == 0)
      return python;
  return "";
}

// Whether a text holds the words, wherever its lines end.
void expect_part(const std::string& text, const std::string& part) {
  std::string line;
  for (const char c : text)
    if (c != ' ' && c != '\n')
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  EXPECT_NE(line.find(part), std::string::npos) << "lacks: " << part << "\n" << text;
}

// A right implementation, one with a bug, and others that keep no rule.
constexpr const char* kernels = R"py(
import numpy as np

def right(q, k, v, mask=None, causal=None, anchored=True):
    s = np.einsum('bhid,bhjd->bhij', q.astype('f8'), k.astype('f8')) / np.sqrt(q.shape[3])
    keep = np.ones(s.shape, bool) if mask is None else np.broadcast_to(mask, s.shape)
    if causal is not None:
        offset = s.shape[3] - s.shape[2] if causal == 'bottom_right' and anchored else 0
        keep = keep & np.tri(s.shape[2], s.shape[3], offset, bool)
    s = np.where(keep, s, -np.inf)
    top = np.where(keep.any(-1), s.max(-1), 0)[..., None]
    p = np.exp(s - top)
    total = p.sum(-1, keepdims=True)
    o = np.einsum('bhij,bhjd->bhid', p, v.astype('f8')) / np.where(total > 0, total, 1)
    return o.astype(q.dtype)

def wrong_corner(q, k, v, **asked):
    return right(q, k, v, anchored=False, **asked)

def writes_inputs(q, k, v, **asked):
    q *= 2
    return right(q, k, v, **asked)

def declines(q, k, v, **asked):
    raise NotImplementedError('not on Mondays')

def raises(q, k, v, **asked):
    raise ValueError('odd width')

def doubles(q, k, v, **asked):
    return right(q, k, v, **asked).astype('f8')
)py";

class corpus_python : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = scratch_file("corpus");
    fs::remove_all(folder_);
    python_ = python_with("numpy");
    if (python_.empty()) GTEST_SKIP() << "no Python with NumPy";
    write_contents(scratch_file("kernels.py"), kernels);
  }

  void make(const std::string& format = "npz", const std::string& property = "weights_match_definition") {
    expect_exit(0, {"corpus", "make", folder_, "--contract", "float32", "--features",
                    "mask,causal_bottom_right,cross_lengths", "--count", "40", "--format", format,
                    "--property", property});
  }

  // Result: the exit status of the runner.
  int run(const std::string& options, const std::string& python) const {
    const std::string line = "cd '" + fs::path(folder_).parent_path().string() + "' && " + python +
                             " corpus/run.py " + options + " >'" + scratch_file("runner") +
                             "' 2>&1";
    const int status = std::system(line.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  void answer(const std::string& function) const {
    ASSERT_EQ(run("--callable kernels:" + function, python_), 0)
        << contents_of(scratch_file("runner"));
  }
  std::string check(int status) const {
    return expect_exit(status, {"corpus", "check", folder_, "--reproducible"}).out;
  }

  std::string folder_, python_;
};

TEST_F(corpus_python, a_right_callable_passes_in_both_formats) {
  for (const char* format : {"npz", "safetensors"}) {
    fs::remove_all(folder_);
    make(format, "*");
    answer("right");
    expect_part(check(0), "kernels:right");
  }
}

TEST_F(corpus_python, a_bug_is_caught_and_made_smaller_round_by_round) {
  make();
  answer("wrong_corner");
  expect_part(check(1), "more to answer in");
  std::string last;
  for (int round = 0; round < 20 && last.find("1 query, 2 keys, width 1;") == std::string::npos;
       ++round) {
    answer("wrong_corner");
    last = check(1);
  }
  expect_part(last, "1 query, 2 keys, width 1;");
  // The replay line of the last counterexample finds it in the files again.
  const std::size_t at = last.find("attest replay '") + 15;
  expect_exit(1, {"replay", last.substr(at, last.find('\'', at) - at)});
}

TEST_F(corpus_python, starts_again_where_it_was_stopped) {
  make();
  answer("right");
  const fs::path one = fs::path(folder_) / "answers/000002.npz";
  const auto kept = fs::last_write_time(fs::path(folder_) / "answers/000001.npz");
  fs::remove(one);
  answer("right");
  EXPECT_TRUE(fs::exists(one));
  EXPECT_EQ(fs::last_write_time(fs::path(folder_) / "answers/000001.npz"), kept);
  expect_part(contents_of(scratch_file("runner")), "1 of 1 problems");
}

TEST_F(corpus_python, does_not_mix_the_answers_of_two_implementations) {
  make();
  answer("right");
  EXPECT_EQ(run("--callable kernels:wrong_corner", python_), 2);
  expect_part(contents_of(scratch_file("runner")), "holds answers of kernels:right");
}

TEST_F(corpus_python, what_breaks_the_rules_of_the_call_misbehaves) {
  for (const auto& [function, said] : {std::pair{"writes_inputs", "wrote to its input q"},
                                       {"declines", "not on Mondays"},
                                       {"raises", "ValueError: odd width"},
                                       {"doubles", "returned o as float64 (due: float32)"}}) {
    fs::remove_all(folder_);
    make();
    answer(function);
    expect_part(check(1), said);
  }
}

TEST_F(corpus_python, the_runner_refuses_a_problem_that_changed) {
  make();
  const std::string path = folder_ + "/problems/000001.npz";
  std::string bytes = contents_of(path);
  bytes[bytes.size() / 2] ^= 1;
  write_contents(path, bytes);
  EXPECT_EQ(run("--callable kernels:right", python_), 2);
  expect_part(contents_of(scratch_file("runner")), "000001.npz is not the file");
}

TEST_F(corpus_python, pytorch_on_the_cpu_passes) {
  const std::string python = python_with("torch");
  if (python.empty()) GTEST_SKIP() << "no Python with PyTorch";
  for (const char* contract : {"float32", "bf16-eager"}) {
    fs::remove_all(folder_);
    expect_exit(0, {"corpus", "make", folder_, "--contract", contract, "--profile",
                    "unspecified-empty", "--features",
                    "mask,bias,causal_top_left,causal_bottom_right,grouped_heads,cross_lengths",
                    "--count", "100"});
    ASSERT_EQ(run("--backend math --device cpu", python), 0) << contents_of(scratch_file("runner"));
    EXPECT_NE(check(0).find("torch-sdpa-math"), std::string::npos);
  }
}

}  // namespace
}  // namespace attest
