#include "derivation/unlucky/unlucky_sum.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attest {
namespace {

// One sum while it is made.
class sum_of_terms {
 public:
  sum_of_terms(unlucky_unit& unit, const summation& how, double away, luck& draws)
      : unit_(unit), how_(how), away_(away), draws_(draws) {}

  // A push may be off by more than x; a rounding of what x is added to may not.
  real after(const real& sum, const term& x) {
    const real next = how_.multiply_add && !is_zero(sum)
                          ? unit_.rounded(sum + product(x.a, x.b), away_)
                          : unit_.added(sum, unit_.multiplied(x.a, x.b, away_), away_);
    if (!unit_.pushes() || !unit_.errs_within_addend() || is_zero(sum)) return next;
    const real added = product(x.a, x.b), most = sum + added + added;
    const bool grows = added.hi >= 0;
    if (grows ? next < sum : sum < next) return sum;
    return (grows ? most < next : next < most) ? most : next;
  }

  template <class Iterator>
  real chained(Iterator first, Iterator last, real sum) {
    for (; first != last; ++first) sum = after(sum, *first);
    return sum;
  }

  real tree(std::span<const term> terms) {
    if (terms.empty()) return {0, 0};
    if (terms.size() == 1) return unit_.multiplied(terms[0].a, terms[0].b, away_);
    const auto left =
        static_cast<std::size_t>(draws_.below(static_cast<std::int64_t>(terms.size()) - 1)) + 1;
    const real sum = tree(terms.first(left));
    return unit_.added(sum, tree(terms.subspan(left)), away_);
  }

  real fused(std::span<const term> terms, real sum) {
    for (std::size_t n = 0; n < terms.size(); n += how_.group)
      sum = group_added(terms.subspan(n, std::min(how_.group, terms.size() - n)), sum);
    return sum;
  }

 private:
  real group_added(std::span<const term> terms, const real& sum) {
    std::vector<real> addends{sum};
    for (const term& x : terms)
      if (const real p = product(x.a, x.b); !is_zero(p)) addends.push_back(p);
    double largest = 0;
    for (const real& x : addends) largest = std::max(largest, std::fabs(x.hi));
    if (addends.size() == 1 || largest == 0) return sum;
    return unit_.pushes() ? group_pushed(addends, largest) : group_truncated(addends, largest);
  }

  // As far off as such a unit may be: a unit in the last place of the largest for every addend.
  real group_pushed(std::span<const real> addends, double largest) {
    real exact{0, 0};
    for (const real& x : addends) exact = exact + x;
    const double lost = static_cast<double>(addends.size()) * largest *
                        std::ldexp(1.0, 1 - unit_.number().precision);
    return exact + real{unit_.side(away_) * lost, 0};
  }

  real group_truncated(std::span<const real> addends, double largest) {
    const format& f = unit_.number();
    int exponent = 0;
    std::frexp(largest, &exponent);
    const double place = std::ldexp(1.0, std::max(exponent - 1, f.min_exponent) - f.precision + 1);
    double sum = 0;
    for (const real& x : addends) sum += std::trunc(x.hi / place);
    return {round_to(f, {rounding_mode::to_zero}, sum * place), 0};
  }

  unlucky_unit& unit_;
  const summation& how_;
  double away_;
  luck& draws_;
};

}  // namespace

std::string_view name_of(sum_shape shape) {
  constexpr std::string_view names[] = {"in order", "reversed", "random tree", "fused groups"};
  return names[static_cast<std::size_t>(shape)];
}

real unlucky_sum(unlucky_unit& unit, const summation& how, std::span<const term> terms,
                 const real& start, double away, luck& draws) {
  sum_of_terms sum(unit, how, away, draws);
  switch (how.shape) {
    case sum_shape::in_order:
      return sum.chained(terms.begin(), terms.end(), start);
    case sum_shape::reversed:
      return sum.chained(terms.rbegin(), terms.rend(), start);
    case sum_shape::tree:
      return unit.added(start, sum.tree(terms), away);
    case sum_shape::fused:
      break;
  }
  return sum.fused(terms, start);
}

}  // namespace attest
