#include "properties/dump/gradient_dump.h"

#include <fmt/format.h>

#include "properties/dump/taken_arrays.h"
#include "properties/exchange/array_problem.h"
#include "reference/input_error.h"

namespace attest {
namespace {

// Takes the gradients that are there, one by one.
class taken_gradients {
 public:
  taken_gradients(const found_arrays& found, gradient_dump& d) : found_(found), dump_(d) {}

  void add(const char* name, const index4& full, std::size_t rank) {
    if (const found_array* a = find(name)) dump_.gradients.emplace(name, take(*a, full, rank));
  }
  void add_bias() {
    const found_array* a = find("dbias");
    if (a == nullptr) return;
    if (!dump_.posed.bias)
      throw input_error(a->where + " without a bias (allowed: beside an array named bias)");
    dump_.gradients.emplace("dbias",
                            take(*a, found_.at("bias").held.sizes, own_sizes(*dump_.posed.bias)));
  }
  // Of what has a number a query head.
  void add_heads(const char* name, const char* of, const std::vector<double>& numbers) {
    const found_array* a = find(name);
    if (a == nullptr) return;
    if (numbers.empty())
      throw input_error(
          fmt::format("{} without {} (allowed: beside an array named {})", a->where, of, of));
    dump_.gradients.emplace(
        name, take(*a, found_.at(of).held.sizes, {1, dump_.posed.dims.query_heads, 1, 1}));
  }

 private:
  const found_array* find(const char* name) const {
    const auto place = found_.find(name);
    return place == found_.end() ? nullptr : &place->second;
  }

  const found_arrays& found_;
  gradient_dump& dump_;
};

}  // namespace

gradient_dump to_gradient_dump(found_arrays found, axis_order order) {
  gradient_dump d;
  if (order == axis_order::blhd) to_bhld(found, {"q", "k", "v", "o", "do", "dq", "dk", "dv"});
  d.inputs = formats_of(found).at("q");
  array_problem read = to_problem(found);
  d.posed = std::move(read.posed);
  const shape& dims = d.posed.dims;
  const std::size_t rank = read.rank;
  d.given.o = take(found.at("do"), dims.o_sizes(), rank);
  if (found.contains("dlse")) d.given.lse = take_lse(found.at("dlse"), dims, rank, order);
  if (found.contains("o")) d.o = take(found.at("o"), dims.o_sizes(), rank);
  if (found.contains("lse")) d.lse = take_lse(found.at("lse"), dims, rank, order);
  taken_gradients taken(found, d);
  taken.add("dq", dims.q_sizes(), rank);
  taken.add("dk", dims.k_sizes(), rank);
  taken.add("dv", dims.v_sizes(), rank);
  taken.add_bias();
  taken.add_heads("dsink", "sink", d.posed.sink);
  taken.add_heads("dslopes", "slopes", d.posed.slopes);
  return d;
}

}  // namespace attest
