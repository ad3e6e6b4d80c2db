#include "properties/dump/dump.h"

#include <fmt/format.h>

#include <cmath>

#include "properties/dump/taken_arrays.h"
#include "properties/exchange/array_problem.h"
#include "properties/exchange/contract_json.h"
#include "reference/contract/presets.h"
#include "reference/formats/rounding.h"
#include "reference/input_error.h"

namespace attest {
namespace {

bool holds_only(const tensor& t, const format& f) {
  bool all = true;
  for_each_index(t.sizes(), [&](const index4& i) {
    const double x = t.at(i);
    all = all && (std::isnan(x) || round_to(f, {}, x) == x);
  });
  return all;
}

void require_inputs(const tensor& t, const char* name, const contract& c) {
  if (!holds_only(t, *c.inputs))
    throw input_error(
        fmt::format("{} holds numbers that are none of {}, and contract {} is about {} "
                    "inputs (allowed: a contract for what is stored)",
                    name, c.inputs->name, c.name, c.inputs->name));
}

}  // namespace

dump to_dump(found_arrays found, axis_order order) {
  dump d;
  if (order == axis_order::blhd) to_bhld(found, {"q", "k", "v", "o"});
  d.stored = formats_of(found);
  array_problem read = to_problem(found);
  d.posed = std::move(read.posed);
  const shape& dims = d.posed.dims;
  d.o = take(found.at("o"), dims.o_sizes(), read.rank);
  if (found.contains("lse")) d.lse = take_lse(found.at("lse"), dims, read.rank, order);
  return d;
}

contract contract_of(const dump& d, const std::string& name_or_path) {
  return contract_of(d.posed, *d.stored.at("q"), name_or_path);
}

contract contract_of(const problem& posed, const format& stored, const std::string& name_or_path) {
  const contract c =
      name_or_path.empty() ? default_contract(stored) : find_or_read_contract(name_or_path);
  require_inputs(posed.q, "q", c);
  require_inputs(posed.k, "k", c);
  require_inputs(posed.v, "v", c);
  return c;
}

}  // namespace attest
