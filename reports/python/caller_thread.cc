#include "reports/python/caller_thread.h"

#include <pybind11/pybind11.h>

#include <chrono>
#include <exception>
#include <stdexcept>
#include <thread>

#include "reports/python/default_environment.h"

namespace attest {
namespace {

namespace py = pybind11;

// How long Ctrl-C may go unnoticed while nothing is asked.
constexpr std::chrono::milliseconds between_looks{50};

constexpr int most_interrupts = 2;

}  // namespace

void caller_thread::run(const task& work) {
  std::exception_ptr error;
  {
    const py::gil_scoped_release others_may_run;
    std::thread worker([&] {
      try {
        const default_environment environment;
        work();
      } catch (...) {
        error = std::current_exception();
      }
      const std::lock_guard lock(mutex_);
      done_ = true;
      changed_.notify_all();
    });
    serve();
    worker.join();
  }
  if (interrupts_ >= most_interrupts) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw py::error_already_set();
  }
  if (error) std::rethrow_exception(error);
}

void caller_thread::serve() {
  std::unique_lock lock(mutex_);
  while (!done_) {
    changed_.wait_for(lock, between_looks, [&] { return done_ || asked_ != nullptr; });
    question* const q = asked_;
    asked_ = nullptr;
    lock.unlock();
    if (q != nullptr)
      answer(*q);
    else
      look_for_signals();
    lock.lock();
    if (q == nullptr) continue;
    q->answered = true;
    changed_.notify_all();
  }
}

void caller_thread::answer(question& q) {
  const py::gil_scoped_acquire gil;
  while (true) {
    if (interrupts_ >= most_interrupts) {
      q.error = std::make_exception_ptr(std::runtime_error("interrupted"));
      return;
    }
    try {
      (*q.request)();
      return;
    } catch (py::error_already_set& e) {
      if (!e.matches(PyExc_KeyboardInterrupt)) {
        q.error = std::make_exception_ptr(std::runtime_error(e.what()));
        return;
      }
      count_interrupt();
    } catch (...) {
      q.error = std::current_exception();
      return;
    }
  }
}

void caller_thread::look_for_signals() {
  const py::gil_scoped_acquire gil;
  if (PyErr_CheckSignals() == 0) return;
  PyErr_Clear();
  count_interrupt();
}

void caller_thread::count_interrupt() {
  const std::lock_guard lock(mutex_);
  ++interrupts_;
}

void caller_thread::ask(const task& request) {
  const std::lock_guard alone(one_at_a_time_);
  question q;
  q.request = &request;
  std::unique_lock lock(mutex_);
  asked_ = &q;
  changed_.notify_all();
  changed_.wait(lock, [&] { return q.answered; });
  lock.unlock();
  if (q.error) std::rethrow_exception(q.error);
}

bool caller_thread::interrupted() const {
  const std::lock_guard lock(mutex_);
  return interrupts_ > 0;
}

}  // namespace attest
