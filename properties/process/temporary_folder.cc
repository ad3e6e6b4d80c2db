#include "properties/process/temporary_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "reference/input_error.h"

namespace attest {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view beginning = "attest-", letters = "XXXXXX";

[[noreturn]] void refuse(const std::string& path) {
  throw input_error("the temporary folder " + path +
                    " can't be made: " + std::generic_category().message(errno) +
                    " (TMPDIR may name the folder to make it in)");
}

// ---- what ended without a word ----

bool has_our_name(const fs::path& folder) {
  const std::string name = folder.filename();
  return name.starts_with(beginning) && name.size() == beginning.size() + letters.size();
}

bool is_own_folder(const fs::path& path) {
  struct stat found {};
  return lstat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == geteuid();
}

void remove_if_left(const fs::path& folder) {
  const descriptor lock(open((folder / "lock").c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC));
  if (lock.get() < 0 || flock(lock.get(), LOCK_EX | LOCK_NB) != 0) return;
  std::error_code ignored;
  fs::remove_all(folder, ignored);
}

void remove_what_was_left(const fs::path& base) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(base, ignored))
    if (has_our_name(entry.path()) && is_own_folder(entry.path())) remove_if_left(entry.path());
}

// ---- what a signal ends ----

// The paths of the folders that are there, for a handler that may neither lock nor allocate. One
// more than there is room for stays until the next run.
std::array<std::atomic<const char*>, 64> present{};

void enter(const char* path) {
  for (auto& slot : present) {
    const char* none = nullptr;
    if (slot.compare_exchange_strong(none, path)) return;
  }
}

void leave(const char* path) {
  for (auto& slot : present) {
    const char* held = path;
    if (slot.compare_exchange_strong(held, nullptr)) return;
  }
}

// Of a folder without folders. One that holds some is left, to be removed by the next run.
void remove_files(const char* path) {
  const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  alignas(dirent64) std::array<char, 4096> block;
  for (ssize_t size; (size = getdents64(folder, block.data(), block.size())) > 0;)
    for (ssize_t at = 0; at < size;) {
      const auto* const entry = reinterpret_cast<const dirent64*>(block.data() + at);
      unlinkat(folder, entry->d_name, 0);
      at += entry->d_reclen;
    }
  close(folder);
  rmdir(path);
}

void remove_and_end(int signal) {
  for (auto& slot : present)
    if (const char* path = slot.exchange(nullptr); path != nullptr) remove_files(path);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void watch_signals() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction now {};
    if (sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_DFL)
      std::signal(number, remove_and_end);
  }
}

// It is under its name only when it is held: no other run takes it for one that was left.
descriptor hold_lock(const std::string& folder) {
  const std::string path = folder + "/lock", unnamed = path + ".new";
  descriptor lock(open(unnamed.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  const bool held = lock.get() >= 0 && flock(lock.get(), LOCK_EX | LOCK_NB) == 0;
  if (!held || std::rename(unnamed.c_str(), path.c_str()) != 0) refuse(folder);
  return lock;
}

}  // namespace

temporary_folder::temporary_folder() {
  const char* given = std::getenv("TMPDIR");
  const fs::path base = given == nullptr || *given == '\0' ? "/tmp" : given;
  remove_what_was_left(base);
  path_ = fs::absolute(base / (std::string(beginning) + std::string(letters)));
  if (mkdtemp(path_.data()) == nullptr) refuse(path_);
  lock_ = hold_lock(path_);
  enter(path_.c_str());
  watch_signals();
}

temporary_folder::~temporary_folder() {
  leave(path_.c_str());
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace attest
