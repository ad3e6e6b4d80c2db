// Holds gradients against differences and dual numbers, element by element.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>

#include "reference/tensors/array4.h"
#include "tests/reference/differences.h"

namespace attest::test {

// How many derivatives were held, and how many of these showed an order.
struct held {
  int all = 0, with_order = 0;
};

// Of sum(input), called as sum.template operator()<T>(input) for the number T; what was held is
// counted by the names of the inputs. Domain: as of agreement_of.
template <Number Real, class Input, class Sum>
class gradient_check {
 public:
  gradient_check(const Input& input, const Sum& sum, std::map<std::string, held>& counts)
      : input_(input), sum_(sum), counts_(counts) {}

  // Of every element of a tensor of the input; of none where the gradient has none.
  void elements(const std::string& name, const array4<Real>& gradient,
                const std::function<tensor&(Input&)>& of) const {
    if (gradient.empty()) return;
    for_each_index(gradient.sizes(), [&](const index4& i) {
      hold(name, gradient.at(i), [&](Input& moved, double step) {
        tensor& t = of(moved);
        t.set(i, t.at(i) + step);
      });
    });
  }

  void number(const std::string& name, const Real& derivative,
              const std::function<double&(Input&)>& of) const {
    hold(name, derivative, [&](Input& moved, double step) { of(moved) += step; });
  }

 private:
  void hold(const std::string& name, const Real& derivative,
            const std::function<void(Input&, double)>& move) const {
    const agreement a = agreement_of<Real>(derivative, input_, move, sum_);
    EXPECT_TRUE(a.holds()) << name << ": " << a.text();
    held& count = counts_[name];
    ++count.all;
    if (a.order) ++count.with_order;
  }

  const Input& input_;
  const Sum& sum_;
  std::map<std::string, held>& counts_;
};

}  // namespace attest::test
