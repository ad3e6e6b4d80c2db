#include "properties/plugin/host/surroundings.h"

#include <fcntl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <clocale>

#include "properties/plugin/host/wire.h"

namespace attest::host {
namespace {

bool same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

bool timer_runs() {
  itimerval left{};
  const itimerval none{};
  if (getitimer(ITIMER_REAL, &left) != 0) return false;
  const bool runs = left.it_value.tv_sec != 0 || left.it_value.tv_usec != 0;
  if (runs) setitimer(ITIMER_REAL, &none, nullptr);
  return runs;
}

// A child that lives, or one that ended and nobody waited for.
bool has_children() { return waitpid(-1, nullptr, WNOHANG | __WALL) >= 0 || errno != ECHILD; }

}  // namespace

surroundings::surroundings()
    : folder_line_(open(".", O_PATH | O_DIRECTORY | O_CLOEXEC)),
      locale_(setlocale(LC_ALL, nullptr)) {
  pthread_sigmask(SIG_SETMASK, nullptr, &mask_);
  stat(".", &folder_);
  keeps_processes_ = has_children();
}

bool surroundings::signal_mask_changed() const {
  sigset_t now;
  pthread_sigmask(SIG_SETMASK, &mask_, &now);
  for (int number = 1; number < SIGRTMIN; ++number)
    if (sigismember(&now, number) != sigismember(&mask_, number)) return true;
  return false;
}

bool surroundings::folder_changed() const {
  struct stat now {};
  if (stat(".", &now) == 0 && same_file(now, folder_)) return false;
  if (fchdir(folder_line_) != 0) _exit(wire::closed_descriptors);
  return true;
}

bool surroundings::locale_changed() const {
  if (locale_ == setlocale(LC_ALL, nullptr)) return false;
  setlocale(LC_ALL, locale_.c_str());
  return true;
}

std::uint32_t surroundings::changes() {
  std::uint32_t found = 0;
  if (signal_mask_changed()) found |= wire::left_signal_mask;
  if (folder_changed()) found |= wire::left_folder;
  if (locale_changed()) found |= wire::left_locale;
  if (timer_runs()) found |= wire::left_timer;
  if (!keeps_processes_ && has_children()) found |= wire::left_process;
  return found;
}

}  // namespace attest::host
