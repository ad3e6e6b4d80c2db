#include "properties/infer/infer.h"

#include <algorithm>
#include <cmath>

#include "properties/catalogue/catalogue.h"
#include "properties/domain/domain.h"
#include "properties/judge.h"
#include "reference/contract/fields.h"
#include "reference/contract/presets.h"
#include "reference/input_error.h"

namespace attest {
namespace {

// A problem and what the subject answered to it.
struct exchange {
  std::string line;
  problem posed;
  answer given;
};

// A change that makes a contract declare more.
struct tightening {
  std::string_view field;
  void (*apply)(contract&);
};

constexpr tightening tightenings[] = {
    {"may_use_lse", [](contract& c) { c.may_use_lse = false; }},
    {"merges", [](contract& c) { c.merges = 0; }},
    {"may_rescale", [](contract& c) { c.may_rescale = false; }},
    {"may_normalise_weights", [](contract& c) { c.may_normalise_weights = false; }},
    {"may_sum_rounded_weights", [](contract& c) { c.may_sum_rounded_weights = false; }},
    {"may_fold_scale", [](contract& c) { c.may_fold_scale = false; }},
    {"exponent_constants", [](contract& c) { c.exponent_constants = 0; }},
    {"exp_ulps", [](contract& c) { c.exp_ulps = std::min(c.exp_ulps, 4.0); }},
    {"exp_ulps", [](contract& c) { c.exp_ulps = std::min(c.exp_ulps, 1.0); }},
    {"rescale_ulps", [](contract& c) { c.rescale_ulps = 1; }},
    {"fused_terms", [](contract& c) { c.fused_terms = 0; }},
    {"q_conversion", [](contract& c) { c.q_conversion.times = 0; }},
    {"k_conversion", [](contract& c) { c.k_conversion.times = 0; }},
};

class inferrer {
 public:
  inferrer(subject& s, const format& inputs, const infer_settings& options)
      : subject_(s), options_(options) {
    found_.inputs = &inputs;
  }

  // Each step is short; false: stopped.
  bool run(const std::function<bool()>& step) {
    for (int index = 0; index < options_.problems; ++index) {
      ask(index);
      if (!step()) return false;
    }
    if (!try_presets(step)) return false;
    return !found_.tightest || (explain(step) && tighten(step));
  }

  const inference& found() const { return found_; }

 private:
  void ask(int index) {
    subject_info info = subject_.info();
    info.inputs = {found_.inputs};
    constexpr int long_every = 7;
    const feature_group group{index % long_every == long_every - 1 ? feature_group::kind::long_row
                                                                   : feature_group::kind::mixed,
                              {}};
    const auto spec = draw_spec(matches_definition, info, group, {options_.seed, index});
    if (!spec) return;
    exchange e{to_line(*spec), materialise(*spec), {}};
    e.given = examiner_.ask(e.posed);
    if (e.given.refusal)
      throw input_error("subject " + info.name + " " + e.given.refusal->reason + " (problem '" +
                        e.line + "')");
    exchanges_.push_back(std::move(e));
  }

  contract_trial put_to_trial(const contract& c) const {
    contract_trial trial;
    trial.tried = c;
    double shares = 0;
    for (const exchange& e : exchanges_) add(trial, shares, e);
    if (trial.judged > 0) trial.mean_share = shares / static_cast<double>(trial.judged);
    return trial;
  }

  void add(contract_trial& trial, double& shares, const exchange& e) const {
    certified_rows rows(e.posed);
    for_each_row(e.posed.dims, [&](const row_index& place) {
      const row_reference row(rows, {trial.tried, {}}, place);
      if (row.exact().empty() || !row.bound().in_domain()) return;
      for (std::int64_t d = 0; d < e.posed.dims.value_width; ++d) {
        const due one = row.output(d);
        add(trial, one, e.given.o.at(place.b, place.h, place.i, d), e.line,
            place_of("o", place, d));
        const double share = one.scale > 0 ? std::min(1.0, one.bound / one.scale) : 1.0;
        shares += std::isnan(share) ? 1.0 : share;
      }
      if (e.given.lse)
        add(trial, row.lse(), e.given.lse->at(place.b, place.h, place.i, 0), e.line,
            place_of("lse", place, -1));
    });
  }

  static void add(contract_trial& trial, const due& expected, double observed,
                  const std::string& line, const std::string& place) {
    judgement j;
    judge_element(j, {expected.value, expected.bound, 0, expected.stored}, observed, place, "");
    ++trial.judged;
    if (!(j.worst_ratio > trial.worst_ratio)) return;
    trial.worst_ratio = j.worst_ratio;
    trial.problem = line;
    trial.place = place;
  }

  bool answers_in_the_formats_of(const contract& c) const {
    const contract& asked = subject_.info().contract_for(*found_.inputs);
    return *c.inputs == *default_contract(*found_.inputs).inputs && *c.output == *asked.output &&
           *c.lse == *asked.lse;
  }

  bool try_presets(const std::function<bool()>& step) {
    for (const contract& c : all_contracts()) {
      if (!answers_in_the_formats_of(c)) continue;
      found_.presets.push_back(put_to_trial(c));
      if (!step()) return false;
    }
    std::stable_sort(found_.presets.begin(), found_.presets.end(),
                     [](const auto& a, const auto& b) { return a.mean_share < b.mean_share; });
    const auto first = std::find_if(found_.presets.begin(), found_.presets.end(),
                                    [](const contract_trial& t) { return t.holds(); });
    if (first != found_.presets.end())
      found_.tightest = static_cast<std::size_t>(first - found_.presets.begin());
    return true;
  }

  // Which fields set the preset that holds apart from the next tighter one: it takes the tighter
  // values of all that it can do without, and the rest is what the answers need.
  bool explain(const std::function<bool()>& step) {
    if (*found_.tightest == 0) return true;
    const contract& refuted = found_.presets[*found_.tightest - 1].tried;
    contract least = found_.presets[*found_.tightest].tried;
    for (const contract_field* field : differences(refuted, least)) {
      contract without = least;
      std::visit([&](auto member) { without.*member = refuted.*member; }, field->member);
      const double ratio = put_to_trial(without).worst_ratio;
      if (ratio > 1)
        found_.explanation.push_back({std::string(field->name), value_text(*field, refuted),
                                      value_text(*field, least), ratio});
      else
        least = std::move(without);
      if (!step()) return false;
    }
    return true;
  }

  // One field after the other, as long as the answers stay well inside.
  bool tighten(const std::function<bool()>& step) {
    const contract_trial& preset = found_.presets[*found_.tightest];
    const double most = std::max(inferred_margin, (1 + preset.worst_ratio) / 2);
    found_.proposal = preset.tried;
    for (const tightening& t : tightenings) {
      contract tighter = found_.proposal;
      t.apply(tighter);
      const auto moved = differences(found_.proposal, tighter);
      if (!step()) return false;
      if (moved.empty()) continue;
      const double ratio = put_to_trial(tighter).worst_ratio;
      if (ratio > most) continue;
      found_.tightened.push_back({std::string(t.field), value_text(*moved.front(), found_.proposal),
                                  value_text(*moved.front(), tighter), ratio});
      found_.proposal = std::move(tighter);
    }
    found_.proposal.name = subject_.info().name;
    found_.proposal.about = "inferred from answers; to be confirmed by who knows the code";
    return true;
  }

  subject& subject_;
  infer_settings options_;
  examiner examiner_{subject_};
  std::vector<exchange> exchanges_;
  inference found_;
};

}  // namespace

std::vector<inference> infer_contracts(subject& s, const infer_settings& options,
                                       const infer_progress& report) {
  std::vector<inference> list;
  const auto presets = static_cast<std::int64_t>(all_contracts().size());
  const auto steps =
      options.problems + 2 * presets + static_cast<std::int64_t>(std::size(tightenings));
  const auto of = steps * static_cast<std::int64_t>(s.info().inputs.size());
  std::int64_t done = 0;
  for (const format* inputs : s.info().inputs) {
    inferrer one(s, *inputs, options);
    const auto step = [&] { return !report || report(std::min(++done, of), of); };
    if (!one.run(step)) break;
    done = steps * static_cast<std::int64_t>(list.size() + 1);
    list.push_back(one.found());
  }
  return list;
}

}  // namespace attest
