#include "reports/commands/reference_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "properties/judge.h"
#include "reports/commands/reference_arrays.h"

namespace attest {
namespace {

constexpr std::size_t places_shown = 20;

// Computes: the indices of the n-th element in row-major order, "0,3".
std::string indices_text(const std::vector<std::int64_t>& sizes, std::size_t n) {
  std::string text;
  for (std::size_t axis = sizes.size(); axis-- > 0;) {
    const auto size = static_cast<std::size_t>(sizes[axis]);
    text = std::to_string(n % size) + (text.empty() ? "" : ",") + text;
    n /= size;
  }
  return text;
}

void add_places(const char* name, const std::vector<std::uint8_t>& ties, const array& a,
                std::vector<std::string>& places) {
  for (std::size_t n = 0; n < ties.size(); ++n)
    if (ties[n] != 0 && places.size() <= places_shown)
      places.push_back(fmt::format("{}[{}]", name, indices_text(a.sizes, n)));
}

std::size_t count(const std::vector<std::uint8_t>& ties) {
  return static_cast<std::size_t>(std::count(ties.begin(), ties.end(), 1));
}

std::string listed(const std::vector<std::string>& places) {
  std::string text;
  for (std::size_t n = 0; n < std::min(places.size(), places_shown); ++n) text += " " + places[n];
  return text + (places.size() > places_shown ? " ..." : "");
}

}  // namespace

std::string table_text(const problem& p, const std::vector<std::string>& output,
                       const std::vector<std::string>& lse) {
  const auto width = static_cast<std::size_t>(p.dims.value_width);
  std::string text;
  std::size_t n = 0;
  for_each_row(p.dims, [&](const row_index& row) {
    text += place_of("o", row, -1);
    for (std::size_t d = 0; d < width; ++d) text += " " + output[n * width + d];
    text += "  lse " + lse[n++] + "\n";
  });
  return text;
}

std::size_t ties_of(const rounded_answer& a) { return count(a.output_ties) + count(a.lse_ties); }

std::string ties_text(const array_problem& p, const rounded_answer& a, const format& f) {
  const std::size_t all = ties_of(a);
  if (all == 0) return fmt::format("no ties in {}\n", f.name);
  const answer_arrays places_of = to_arrays(p, {}, {}, f);
  std::vector<std::string> places;
  add_places("o", a.output_ties, places_of.o, places);
  add_places("lse", a.lse_ties, places_of.lse, places);
  return fmt::format("{} tie{} in {}, rounded to even:{}\n", all, all == 1 ? "" : "s", f.name,
                     listed(places));
}

}  // namespace attest
