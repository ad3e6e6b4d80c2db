// A real number that Arb knows to within a radius. Owns its arb_t; all arithmetic is Arb's own.
#pragma once

#include <arb.h>

#include <string>
#include <type_traits>
#include <vector>

namespace attest::second_opinion {

class ball {
 public:
  ball() { arb_init(x_); }
  ball(double value) : ball() { arb_set_d(x_, value); }  // exact
  ball(const ball& other) : ball() { arb_set(x_, other.x_); }
  ball(ball&& other) noexcept : ball() { arb_swap(x_, other.x_); }
  ball& operator=(ball other) noexcept {
    arb_swap(x_, other.x_);
    return *this;
  }
  ~ball() { arb_clear(x_); }

  arb_ptr get() { return x_; }
  arb_srcptr get() const { return x_; }

 private:
  arb_t x_;
};

// A vector of balls is an array of Arb's numbers, as arb_dot takes them.
static_assert(std::is_standard_layout_v<ball> && sizeof(ball) == sizeof(arb_struct));

inline arb_srcptr start_of(const std::vector<ball>& x) {
  return x.empty() ? nullptr : x.front().get();
}

// Computes: "[1.25 +/- 3e-40]" with so many digits.
inline std::string to_string(const ball& x, int digits = 40) {
  char* text = arb_get_str(x.get(), digits, 0);
  const std::string copy = text;
  flint_free(text);
  return copy;
}

}  // namespace attest::second_opinion
