#include "properties/exchange/array_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/properties/exchange/file_bytes.h"

namespace attest {
namespace {

namespace fs = std::filesystem;

class array_file : public testing::Test {
 protected:
  array_file() { fs::create_directories(folder); }
  ~array_file() override { fs::remove_all(folder); }

  fs::path folder =
      fs::path(testing::TempDir()) / ("attest_array_file_test" + std::to_string(::getpid()));
};

const array numbers{&f32, {2}, {1.5, -2}};
const array integers{nullptr, {}, {3}, element_kind::integer};

TEST_F(array_file, each_ending_reads_what_it_wrote) {
  for (const char* ending : {"npz", "safetensors"}) {
    const fs::path path = folder / (std::string("in.") + ending);
    write_arrays(path, {{"q", numbers}, {"lengths", integers}});
    const named_arrays all = read_arrays(path);
    ASSERT_EQ(all.size(), 2u) << ending;
    EXPECT_EQ(all.at("q").values, numbers.values) << ending;
    EXPECT_EQ(all.at("lengths").values, integers.values) << ending;
    EXPECT_EQ(all.at("lengths").kind, element_kind::integer) << ending;
    EXPECT_TRUE(names_its_arrays(path));
  }
}

TEST_F(array_file, the_array_of_a_npy_file_is_named_like_the_file) {
  write_arrays(folder / "k.npy", {{"anything", numbers}});
  const named_arrays all = read_arrays(folder / "k.npy");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all.at("k").values, numbers.values);
  EXPECT_FALSE(names_its_arrays(folder / "k.npy"));
}

TEST_F(array_file, an_only_array_is_read_whatever_its_name) {
  for (const char* name : {"a.npy", "a.npz", "a.safetensors"}) {
    write_arrays(folder / name, {{"x", numbers}});
    EXPECT_EQ(read_array(folder / name).values, numbers.values) << name;
  }
}

TEST_F(array_file, endings_and_counts_that_do_not_fit_are_refused) {
  const std::string here = folder.string();
  write_arrays(folder / "two.npz", {{"x", numbers}, {"y", numbers}});
  EXPECT_EQ(message_of([&] { read_array(folder / "two.npz"); }),
            here + "/two.npz: 2 arrays; allowed: a file of one array");
  EXPECT_EQ(message_of([&] {
              write_arrays(folder / "o.npy", {{"x", numbers}, {"y", numbers}});
            }),
            here + "/o.npy: 2 arrays in a .npy file; allowed: one, or a .npz or .safetensors file");
  EXPECT_EQ(message_of([&] { read_arrays(folder / "q.pt"); }),
            here + "/q.pt: the ending .pt; allowed: .npy, .npz, .safetensors");
  EXPECT_EQ(message_of([&] { read_arrays(folder / "q"); }),
            here + "/q: a path without an ending; allowed: .npy, .npz, .safetensors");
}

TEST_F(array_file, files_that_are_not_there_or_not_regular_are_refused) {
  EXPECT_EQ(message_of([] { read_arrays("/nowhere/in.npz"); }),
            "/nowhere/in.npz: No such file or directory; allowed: a readable .npz file");
  fs::create_directories(folder / "in.safetensors");
  EXPECT_EQ(
      message_of([&] { read_arrays(folder / "in.safetensors"); }),
      folder.string() + "/in.safetensors: a directory; allowed: a readable .safetensors file");
  for (const char* name : {"o.npy", "o.npz", "o.safetensors"})
    EXPECT_EQ(message_of([&] {
                write_arrays(fs::path("/nowhere") / name, {{"o", numbers}});
              }),
              "/nowhere/" + std::string(name) +
                  ": a file that can't be opened; allowed: a writable "
                  "path");
}

}  // namespace
}  // namespace attest
