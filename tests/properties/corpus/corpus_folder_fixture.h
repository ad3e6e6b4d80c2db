// A folder for one test, and a corpus in it.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "properties/corpus/check_corpus.h"
#include "properties/corpus/make_corpus.h"
#include "reference/contract/presets.h"
#include "reference/input_error.h"

namespace attest {

class corpus_test : public testing::Test {
 protected:
  corpus_test()
      : scratch_(std::filesystem::temp_directory_path() /
                 ("attest-corpus-test-" + std::to_string(getpid()))),
        folder(scratch_ / "corpus") {
    std::filesystem::create_directories(scratch_);
  }
  ~corpus_test() override {
    std::error_code ignored;
    std::filesystem::remove_all(scratch_, ignored);
  }

  static corpus_request request(std::string_view contract_name = "float32") {
    corpus_request r;
    r.version = "test";
    r.kept = find_contract(contract_name);
    r.count = 60;
    return r;
  }

  static corpus_check check(const std::filesystem::path& corpus, int shrink_tries = 0) {
    corpus_check_settings settings;
    settings.version = "test";
    settings.shrink_tries = shrink_tries;
    return check_corpus(answered_corpus(corpus), settings, {});
  }

  std::filesystem::path file(const std::string& name) const { return folder / name; }
  static std::string contents(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static void write(const std::filesystem::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
  }

  // What a check refuses, or nothing.
  std::string refusal() const {
    try {
      check(folder);
    } catch (const input_error& e) {
      return e.what();
    }
    return "";
  }

 private:
  std::filesystem::path scratch_;

 protected:
  const std::filesystem::path folder;
};

}  // namespace attest
