#include "reports/commands/reference_arrays.h"

#include <utility>

namespace attest {
namespace {

std::vector<double> each(const std::vector<enclosure>& all, double enclosure::*part) {
  std::vector<double> values;
  values.reserve(all.size());
  for (const enclosure& x : all) values.push_back(x.*part);
  return values;
}

}  // namespace

answer_arrays to_arrays(const array_problem& p, std::vector<double> output, std::vector<double> lse,
                        const format& f) {
  const shape& s = p.posed.dims;
  return {
      to_array(std::move(output), {s.batch, s.query_heads, s.queries, s.value_width}, p.rank, f),
      to_array(std::move(lse), {s.batch, s.query_heads, s.queries}, p.rank, f)};
}

void add_enclosures(named_arrays& arrays, const array_problem& p, const certified_answer& a) {
  struct part {
    const char* name;
    double enclosure::*of;
  };
  for (const part& x : {part{"high", &enclosure::high}, part{"low", &enclosure::low},
                        part{"radius", &enclosure::radius}}) {
    answer_arrays both = to_arrays(p, each(a.output, x.of), each(a.lse, x.of), f64);
    arrays[std::string("o_") + x.name] = std::move(both.o);
    arrays[std::string("lse_") + x.name] = std::move(both.lse);
  }
}

}  // namespace attest
