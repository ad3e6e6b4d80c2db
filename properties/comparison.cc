#include "properties/comparison.h"

#include <algorithm>
#include <cmath>

#include "properties/catalogue/catalogue.h"
#include "properties/domain/domain.h"
#include "properties/examiner.h"
#include "properties/judge.h"
#include "reference/formats/rounding.h"
#include "reference/formats/spacing.h"
#include "reference/input_error.h"

namespace attest {
namespace {

using subjects = std::vector<std::unique_ptr<subject>>;

feature_set common_features(const subjects& list) {
  std::uint64_t bits = feature_set::all().bits();
  for (const auto& s : list) bits &= s->info().features.bits();
  return feature_set(bits);
}

// The input format with the fewest bits: what it holds is coarse enough for the others.
const format& coarsest_input(const subjects& list) {
  const format* coarsest = list.front()->info().inputs.front();
  for (const auto& s : list)
    if (s->info().inputs.front()->precision < coarsest->precision)
      coarsest = s->info().inputs.front();
  return *coarsest;
}

// Rounded to every input format in turn: a number that all of them hold.
double common_value(double x, const subjects& list) {
  if (std::isinf(x)) return x;
  for (const auto& s : list)
    x = round_to(*s->info().inputs.front(), {.overflow = overflow_mode::saturate}, x);
  return x;
}

tensor with_format(const tensor& t, const format& element, const subjects& list) {
  tensor result(element, t.where(), ~std::uint64_t{0});
  for_each_index(t.sizes(), [&](const index4& i) { result.set(i, common_value(t.at(i), list)); });
  return result;
}

// The same numbers in the input format of one of the subjects.
problem for_subject(const problem& p, const subject_info& info, const subjects& list) {
  const format& inputs = *info.inputs.front();
  problem result = p;
  result.q = with_format(p.q, inputs, list);
  result.k = with_format(p.k, inputs, list);
  result.v = with_format(p.v, inputs, list);
  if (p.bias) result.bias = with_format(*p.bias, side_format(inputs), list);
  for (double& sink : result.sink) sink = common_value(sink, list);
  for (tensor& each : result.parameters) each = with_format(each, side_format(inputs), list);
  return result;
}

// One subject's sums while problems are put to it.
class error_sums {
 public:
  explicit error_sums(subject& s) : info_(s.info()), examiner_(s) { row_.subject = info_.name; }

  void add(const problem& p, const std::string& line) {
    const answer a = examiner_.ask(p);
    if (a.refusal) throw input_error("subject " + info_.name + " " + a.refusal->reason);
    row_.output_format = a.o.element().name;
    certified_rows rows(p);
    for_each_row(p.dims, [&](const row_index& place) { add_row(rows, a, place, line); });
  }

  comparison_row finish() {
    if (row_.elements > 0)
      row_.rms_error = std::sqrt(squares_ / static_cast<double>(row_.elements));
    return row_;
  }

 private:
  void add_row(certified_rows& rows, const answer& a, const row_index& place,
               const std::string& line) {
    const problem& p = rows.posed();
    const exact_row& exact = rows.at(place);
    if (!output_is_specified(p, exact)) return;
    for (std::int64_t d = 0; d < p.dims.value_width; ++d)
      add_element(exact.output[static_cast<std::size_t>(d)], a.o.at(place.b, place.h, place.i, d),
                  line, place_of("o", place, d));
  }

  void add_element(const enclosure& exact, double observed, const std::string& line,
                   const std::string& place) {
    ++row_.elements;
    if (!std::isfinite(observed) || !std::isfinite(exact.high)) {
      row_.wrong_class +=
          observed == exact.high || (std::isnan(observed) && std::isnan(exact.high)) ? 0 : 1;
      return;
    }
    const double error = distance_to(exact, observed).most;
    squares_ += error * error;
    if (error < row_.max_error) return;
    row_.max_error = error;
    row_.worst_ulps = error / spacing_at(*find_format(row_.output_format), exact.high);
    row_.worst_problem = line;
    row_.worst_place = place;
    row_.worst_observed = observed;
    row_.worst_expected = exact.high;
  }

  const subject_info& info_;
  examiner examiner_;
  comparison_row row_;
  double squares_ = 0;
};

// A subject that has what all have: what problems are drawn for.
subject_info common_subject(const subjects& list) {
  subject_info info;
  info.features = common_features(list);
  info.inputs = {&coarsest_input(list)};
  info.profile = list.front()->info().profile;
  return info;
}

}  // namespace

comparison compare_subjects(const subjects& list, const comparison_options& options) {
  const subject_info common = common_subject(list);
  comparison result{options.seed,
                    options.problems,
                    std::string(common.inputs.front()->name),
                    std::string(options.regime ? name_of(*options.regime) : "any"),
                    {}};
  std::vector<std::unique_ptr<error_sums>> sums;
  for (const auto& s : list) sums.push_back(std::make_unique<error_sums>(*s));
  for (std::int64_t index = 0; index < options.problems; ++index) {
    problem_spec spec = *draw_spec(matches_definition, common, {feature_group::kind::mixed, {}},
                                   {options.seed, index});
    spec.regime = options.regime.value_or(spec.regime);
    const problem p = materialise(spec);
    for (std::size_t n = 0; n < list.size(); ++n)
      sums[n]->add(for_subject(p, list[n]->info(), list), to_line(spec));
  }
  for (const auto& s : sums) result.rows.push_back(s->finish());
  return result;
}

}  // namespace attest
