// A folder of cases that lives as long as a test.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "properties/onnx/folder.h"

namespace attest {

class case_folder : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              ("attest_onnx_" + std::string(test->name()) + std::to_string(::getpid()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  onnx_folder_result judge(const onnx_options& options = {}) const {
    return judge_onnx_folder(folder_, options);
  }

  static stored_class class_of(const onnx_folder_result& r, const char* name) {
    for (const onnx_case_result& c : r.cases)
      if (c.name == name) return c.found;
    ADD_FAILURE() << "no case " << name;
    return stored_class::not_judged;
  }

  std::filesystem::path folder_;
};

}  // namespace attest
