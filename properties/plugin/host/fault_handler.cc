#include "properties/plugin/host/fault_handler.h"

#include <pthread.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <ucontext.h>

#include <atomic>
#include <csignal>

namespace attest::host {
namespace {

constexpr std::uintptr_t first_pages = 65536;

// What the handler needs, set before it can run.
const slot_memory* memory = nullptr;
int line_to_attest = -1;
std::uintptr_t stack_limit = 0;  // the lowest address that the first thread's stack may have
std::atomic<bool> calling{false};

wire::access access_of(const void* context) {
#if defined(__x86_64__)
  constexpr greg_t write_bit = 2;  // of the page fault's error code
  const auto* const c = static_cast<const ucontext_t*>(context);
  return (c->uc_mcontext.gregs[REG_ERR] & write_bit) != 0 ? wire::access::write
                                                          : wire::access::read;
#else
  (void)context;
  return wire::access::unknown;
#endif
}

bool is_below_stack(std::uintptr_t address) {
  constexpr std::uintptr_t above = std::uintptr_t{1} << 20, below = std::uintptr_t{1} << 26;
  return stack_limit != 0 && address < stack_limit + above && address + below > stack_limit;
}

wire::place place_of(const siginfo_t& info) {
  const auto address = reinterpret_cast<std::uintptr_t>(info.si_addr);
  if (info.si_code == SI_KERNEL) return wire::place::no_address;
  if (address < first_pages) return wire::place::near_null;
  return is_below_stack(address) ? wire::place::below_stack : wire::place::elsewhere;
}

void on_fault(int number, siginfo_t* info, void* context) {
  wire::fault f;
  f.signal = number;
  f.how = access_of(context);
  f.where = place_of(*info);
  f.after_call = calling ? 0 : 1;
  if (const auto found = memory->find(info->si_addr)) {
    f.where = wire::place::in_slot;
    f.slot = found->slot;
    f.offset = found->offset;
  }
  send(line_to_attest, &f, sizeof f, MSG_NOSIGNAL | MSG_DONTWAIT);
  signal(number, SIG_DFL);  // the access is tried again, and ends the process
}

// 0 where the stack has no limit.
std::uintptr_t lowest_of_stack() {
  pthread_attr_t attributes;
  void* low = nullptr;
  std::size_t size = 0;
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
      pthread_getattr_np(pthread_self(), &attributes) != 0)
    return 0;
  pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_destroy(&attributes);
  return reinterpret_cast<std::uintptr_t>(low) + size - limit.rlim_cur;
}

}  // namespace

void report_faults(const slot_memory& slots, int line) {
  static std::byte own_stack[std::size_t{1} << 16];
  memory = &slots;
  line_to_attest = line;
  stack_limit = lowest_of_stack();
  stack_t stack{};
  stack.ss_sp = own_stack;
  stack.ss_size = sizeof own_stack;
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (int number : {SIGSEGV, SIGBUS}) sigaction(number, &action, nullptr);
}

void set_calling(bool now) { calling = now; }

}  // namespace attest::host
