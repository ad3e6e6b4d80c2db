#include "reports/python/lent_arrays.h"

#include <memory>
#include <utility>

#include "reference/input_error.h"

namespace attest {
namespace {

namespace py = pybind11;

// What Python keeps alive when it does not give an array back.
using kept_memory = std::shared_ptr<void>;

py::dtype dtype_of(const format& element) {
  if (element == f64) return py::dtype("f8");
  if (element == f32) return py::dtype("f4");
  if (element == f16) return py::dtype("f2");
  if (element == bf16) return py::dtype("i2");
  throw input_error("inputs of " + std::string(element.name) +
                    " can't be given to Python (allowed: f64, f32, f16, bf16)");
}

py::array array_over(const py::dtype& element, const placement& where, void* origin,
                     const py::capsule& base) {
  std::vector<py::ssize_t> sizes(where.sizes.begin(), where.sizes.end());
  std::vector<py::ssize_t> strides;
  for (const std::int64_t stride : where.strides) strides.push_back(stride * element.itemsize());
  return {element, std::move(sizes), std::move(strides), origin, base};
}

}  // namespace

template <class Owner>
py::capsule lent_arrays::open_loan(Owner& owner) {
  auto* const cell = new kept_memory;
  py::capsule base(cell, [](void* held) { delete static_cast<kept_memory*>(held); });
  loans_.push_back({base, [&owner, cell] {
                      // Moving keeps the address that Python knows.
                      auto kept = std::make_shared<Owner>(std::move(owner));
                      owner = *kept;
                      *cell = std::move(kept);
                    }});
  return base;
}

py::array lent_arrays::lend(tensor& t) {
  const py::dtype element = dtype_of(t.element());
  return array_over(element, t.where(), t.origin(), open_loan(t));
}

py::array lent_arrays::lend(boolean_tensor& t) {
  return array_over(py::dtype("?"), t.where(), t.data(), open_loan(t));
}

py::array lent_arrays::lend(std::vector<std::int64_t>& all) {
  const py::capsule base = open_loan(all);
  return py::array(py::dtype("i8"), {static_cast<py::ssize_t>(all.size())}, {}, all.data(), base);
}

void lent_arrays::take_back() {
  for (loan& l : loans_)
    if (l.base.ref_count() > 1) l.leave();
  loans_.clear();
}

}  // namespace attest
