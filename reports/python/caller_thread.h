// Work on a thread of its own, while the thread that wants it done answers what the work asks of
// Python: a callable sees the thread, and so the settings, of whoever called attest.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>

namespace attest {

class caller_thread {
 public:
  using task = std::function<void()>;

  caller_thread() = default;
  caller_thread(const caller_thread&) = delete;
  caller_thread& operator=(const caller_thread&) = delete;

  // Does the work, in the default floating-point environment, and returns when it is done.
  // Domain: the calling thread holds the GIL, which is released but for requests. Error: what the
  // work throws; a second KeyboardInterrupt.
  void run(const task& work);

  // For the work, from any thread: has the request done on the thread that called run, with the
  // GIL, one at a time. Error: what it throws; of a KeyboardInterrupt only the second: after the
  // first the request is made again.
  void ask(const task& request);

  // Whether there was a KeyboardInterrupt: the work should come to its end.
  bool interrupted() const;

 private:
  struct question {
    const task* request = nullptr;
    std::exception_ptr error;
    bool answered = false;
  };

  void serve();
  void answer(question&);
  void look_for_signals();
  void count_interrupt();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::mutex one_at_a_time_;
  question* asked_ = nullptr;
  bool done_ = false;
  int interrupts_ = 0;
};

}  // namespace attest
