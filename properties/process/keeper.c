/* attest-keeper: starts one program and ends it, with all that it started, when attest ends.
 *
 *   attest-keeper LENT MEMORY FOLDER PROGRAM [ARGUMENT ...]
 *
 * Descriptors: 0 to 2 and LENT more from 3 on are the program's; then the life line, whose other
 * end attest holds (end of file: attest is gone, or wants the program gone), and the report line,
 * on which the keeper writes one struct keeper_report. MEMORY: bytes of data, 0 for no limit.
 * FOLDER: the working directory, "" for the present one.
 *
 * It has one thread and runs no foreign code: it may fork, and nothing that the program does to
 * itself can hurt it.
 */
#define _GNU_SOURCE
#include "properties/process/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

static int report_line;

static void report(int kind, int number) {
  const struct keeper_report text = {kind, number};
  if (write(report_line, &text, sizeof text) < 0) _exit(KEEPER_FAILED);
}

static void become_program(pid_t keeper, const char* memory, const char* folder, char** words) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != keeper) _exit(KEEPER_FAILED); /* it ended before that took effect */
  const rlim_t bytes = strtoull(memory, NULL, 10);
  const struct rlimit no_core = {0, 0}, data = {bytes, bytes};
  setrlimit(RLIMIT_CORE, &no_core);
  if (bytes != 0) setrlimit(RLIMIT_DATA, &data);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  if (folder[0] == '\0' || chdir(folder) == 0) execvp(words[0], words);
  report(keeper_not_started, errno);
  _exit(KEEPER_FAILED);
}

/* Kills every child there is, again and again: those of the killed become children of the keeper.
 */
static void kill_all(pid_t program) {
  kill(-program, SIGKILL);
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
  for (;;) {
    FILE* list = fopen(path, "r");
    int child = 0;
    while (list != NULL && fscanf(list, "%d", &child) == 1) kill(child, SIGKILL);
    if (list == NULL) return; /* a system without such lists: the group is all that is known */
    fclose(list);
    if (waitpid(-1, NULL, 0) < 0 && errno == ECHILD) return;
  }
}

/* A program that stops itself is as good as ended: without a terminal nobody lets it go on. */
static void report_status(int status) {
  if (WIFSTOPPED(status))
    report(keeper_stopped, WSTOPSIG(status));
  else if (WIFSIGNALED(status))
    report(keeper_signal, WTERMSIG(status));
  else
    report(keeper_exit, WEXITSTATUS(status));
}

/* Returns when the program has ended or stopped, or the life line was cut. */
static void watch(pid_t program, int life_line, int signals) {
  for (;;) {
    struct pollfd lines[] = {{life_line, POLLIN, 0}, {signals, POLLIN, 0}};
    if (poll(lines, 2, -1) < 0 && errno != EINTR) return;
    struct signalfd_siginfo received;
    if (lines[1].revents != 0 && read(signals, &received, sizeof received) < 0) return;
    int status = 0;
    pid_t ended;
    while ((ended = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0) {
      if (ended != program) continue;
      report_status(status);
      return;
    }
    if (lines[0].revents != 0) return;
  }
}

static int watched_signals(void) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  return signalfd(-1, &child, SFD_CLOEXEC);
}

int main(int argc, char** argv) {
  if (argc < 5) {
    fputs("attest-keeper is started by attest\n", stderr);
    return 2;
  }
  const int life_line = 3 + atoi(argv[1]);
  report_line = life_line + 1;
  fcntl(life_line, F_SETFD, FD_CLOEXEC);
  fcntl(report_line, F_SETFD, FD_CLOEXEC);
  close_range((unsigned)report_line + 1, ~0u, 0);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const int signals = watched_signals();
  const pid_t keeper = getpid(), program = fork();
  if (program == 0) become_program(keeper, argv[2], argv[3], argv + 4);
  for (int own = 0; own < life_line; ++own) close(own); /* the program's ends are the only ones */
  if (program > 0) watch(program, life_line, signals);
  if (program > 0) kill_all(program);
  return 0;
}
