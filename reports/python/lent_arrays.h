// Tensors lent to Python as NumPy arrays, without a copy.
#pragma once

#include <pybind11/numpy.h>

#include <functional>
#include <vector>

#include "reference/tensors/tensor.h"

namespace attest {

// Domain: the GIL is held throughout, and take_back() is called before the owners of what was lent
// go.
class lent_arrays {
 public:
  // Result: the elements as they lie; bf16, which NumPy lacks, as its bits in int16.
  pybind11::array lend(tensor&);
  pybind11::array lend(boolean_tensor&);
  pybind11::array lend(std::vector<std::int64_t>&);

  // Ends the loans. Where Python still refers to an array, it keeps the memory, and the owner goes
  // on with a copy.
  void take_back();

 private:
  struct loan {
    pybind11::capsule base;
    std::function<void()> leave;
  };

  template <class Owner>
  pybind11::capsule open_loan(Owner&);

  std::vector<loan> loans_;
};

}  // namespace attest
