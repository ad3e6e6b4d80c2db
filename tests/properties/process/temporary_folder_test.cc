// Folders for the files of a run: private, gone with it, and cleaned up by the next when it is
// killed.
#include "properties/process/temporary_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "reference/input_error.h"

namespace attest {
namespace {

namespace fs = std::filesystem;

class folders : public testing::Test {
 protected:
  folders() : base_(fs::temp_directory_path() / ("attest-folders-" + std::to_string(getpid()))) {
    fs::create_directories(base_);
    setenv("TMPDIR", base_.c_str(), 1);
  }
  ~folders() override {
    unsetenv("TMPDIR");
    fs::remove_all(base_);
  }

  std::size_t count() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(base_), fs::directory_iterator()));
  }
  // What another process leaves that holds a folder with a file in it when the signal ends it.
  // Result: whether it was ended by that signal.
  static bool end_a_holder_by(int signal) {
    const pid_t holder = fork();
    if (holder == 0) {
      const temporary_folder held;
      std::ofstream(held.file("problem-1.npz")) << "bytes";
      raise(signal);
      _exit(0);
    }
    int status = 0;
    waitpid(holder, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == signal;
  }

  fs::path base_;
};

TEST_F(folders, are_private_and_go_with_their_owner) {
  {
    const temporary_folder folder;
    struct stat found {};
    ASSERT_EQ(stat(folder.path().c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 0777u, 0700u);
    EXPECT_EQ(fs::path(folder.path()).parent_path(), base_);
    std::ofstream(folder.file("some")) << "bytes";
    fs::create_directories(folder.file("inner/most"));
  }
  EXPECT_EQ(count(), 0u);
}

TEST_F(folders, go_when_a_signal_ends_the_program) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    EXPECT_TRUE(end_a_holder_by(signal)) << signal;
    EXPECT_EQ(count(), 0u) << signal;
  }
}

TEST_F(folders, that_a_killed_program_left_are_removed_by_the_next) {
  EXPECT_TRUE(end_a_holder_by(SIGKILL));
  EXPECT_EQ(count(), 1u) << "nobody could remove it";
  { const temporary_folder next; }
  EXPECT_EQ(count(), 0u);
}

TEST_F(folders, in_use_and_of_others_are_left_alone) {
  const temporary_folder first;
  fs::create_directories(base_ / "attest-abcdef");  // no lock: not one of ours
  fs::create_directories(base_ / "attest-longer-than-ours");
  std::ofstream(base_ / "attest-longer-than-ours" / "lock") << "";
  fs::create_directory_symlink("/tmp", base_ / "attest-linked");
  const temporary_folder second;
  EXPECT_TRUE(fs::exists(first.path()));
  EXPECT_EQ(count(), 5u);
}

TEST_F(folders, are_refused_where_there_is_no_place) {
  setenv("TMPDIR", (base_ / "nowhere").c_str(), 1);
  try {
    const temporary_folder none;
    FAIL();
  } catch (const input_error& e) {
    EXPECT_NE(std::string(e.what()).find("nowhere"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace attest
