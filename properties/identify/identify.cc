#include "properties/identify/identify.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "properties/judge.h"

namespace attest {
namespace {

using values = std::vector<std::size_t>;

// Answers of different conventions are at least 1/4 apart.
constexpr double least_tolerance = 0x1p-5;

bool agrees(const due& d, bool in_domain, double observed) {
  if (std::isnan(observed) || std::isnan(d.value.high))
    return std::isnan(observed) && std::isnan(d.value.high);
  if (std::isinf(observed) || std::isinf(d.value.high)) return observed == d.value.high;
  const double bound = in_domain ? std::max(d.bound, least_tolerance) : least_tolerance;
  return std::fabs(observed - d.value.high) <= bound;
}

// A probe that was asked.
struct asked_probe {
  const field_probe& probe;
  problem posed;
  answer given;

  bool looks_at(const row_index& row) const { return probe.query < 0 || row.i == probe.query; }
  const tensor& part() const { return probe.part == answer_part::output ? given.o : *given.lse; }
  exchange text() const {
    return {probe_text(posed), answer_text(posed, probe.part, part(), probe.query)};
  }
};

bool row_agrees(const problem& read, const row_reference& row, const row_index& place,
                const asked_probe& asked) {
  const double observed = asked.part().at(place.b, place.h, place.i, 0);
  if (asked.probe.part == answer_part::output)
    return !output_is_specified(read, row.exact()) ||
           agrees(row.output(0), row.bound().in_domain(), observed);
  return !lse_is_specified(read, row.exact()) ||
         agrees(row.lse(), row.bound().in_domain(), observed);
}

// Result: the first row that the value does not explain.
std::optional<row_index> unexplained_row(const question& q, const asked_probe& asked,
                                         std::size_t value, const examiner& subject) {
  const problem read = as_read(q, asked.posed, value);
  certified_rows rows(read);
  std::optional<row_index> found;
  for_each_row(read.dims, [&](const row_index& place) {
    if (found || !asked.looks_at(place)) return;
    const row_reference row(rows, subject.terms_for(read), place);
    if (!row_agrees(read, row, place, asked)) found = place;
  });
  return found;
}

values candidates_of(const question& q) {
  values all;
  for (std::size_t value = 0; value < q.values.size(); ++value)
    if (q.opens == open_if::never || value != q.open_value) all.push_back(value);
  return all;
}

values all_values(const question& q) {
  values all(q.values.size());
  for (std::size_t n = 0; n < all.size(); ++n) all[n] = n;
  return all;
}

values common(const values& one, const values& other) {
  values result;
  std::set_intersection(one.begin(), one.end(), other.begin(), other.end(),
                        std::back_inserter(result));
  return result;
}

std::string names_of(const question& q, const values& list) {
  std::string names;
  for (std::size_t value : list)
    names += (names.empty() ? "" : " and ") + std::string(q.values[value].name);
  return names;
}

std::string names_of(feature_set features) {
  std::string names;
  for (feature f : members(features))
    names += (names.empty() ? "" : " and ") + std::string(name_of(f));
  return names;
}

// The least sets of features of which one would let a probe be asked.
std::string missing_features(const question& q, feature_set declared) {
  std::vector<feature_set> ways;
  for (const field_probe& p : q.probes) {
    const feature_set way(p.needs.bits() & ~declared.bits());
    const auto is_enough = [&](feature_set other) { return way.contains(other); };
    if (way.empty() || std::any_of(ways.begin(), ways.end(), is_enough)) continue;
    std::erase_if(ways, [&](feature_set other) { return other.contains(way); });
    ways.push_back(way);
  }
  std::string text;
  for (feature_set way : ways) text += (text.empty() ? "needs " : ", or ") + names_of(way);
  return text;
}

// Puts the probes of one question, and keeps what its values still explain.
class inquiry {
 public:
  inquiry(const question& q, examiner& subject, const probe_site& known)
      : question_(q), subject_(subject), known_(known), candidates_(candidates_of(q)) {
    result_.asked = &q;
    remaining_ = candidates_;
  }

  finding settle() {
    bool any = false;
    for (const bool last : {false, true})
      for (const field_probe& p : question_.probes)
        if (p.last == last && !(last && any) && applies(p)) {
          any = true;
          if (!put(p)) return result_;
        }
    if (!any) return unobserved(missing_features(question_, known_.declared));
    return conclude();
  }

 private:
  bool applies(const field_probe& p) const {
    return known_.declared.contains(p.needs) && (p.applies == nullptr || p.applies(known_));
  }

  // In every format, alone and repeated. Result: false once the question is decided.
  bool put(const field_probe& p) {
    for (const format* inputs : subject_.info().inputs)
      for (const bool repeated : {false, true}) {
        probe_site site = known_;
        site.inputs = inputs;
        site.repeated = repeated;
        const problem posed = p.build(site);
        const asked_probe asked{p, posed, subject_.ask(posed)};
        if (asked.given.refusal) {
          result_.evidence.push_back({probe_text(posed), "no answer"});
          return contradict(asked.given.refusal->reason);
        }
        if (!take(asked)) return false;
      }
    return true;
  }

  bool take(const asked_probe& asked) {
    values fits;
    row_index furthest;
    for (std::size_t value : candidates_) {
      const auto row = unexplained_row(question_, asked, value, subject_);
      if (!row) fits.push_back(value);
      furthest = std::max(furthest, row.value_or(row_index{}));
    }
    if (fits.empty()) return take_unexplained(asked, furthest);
    fitted_ = true;
    const values left = common(remaining_, fits);
    if (left.empty()) {
      result_.evidence = {settled_.value_or(first_.value_or(exchange{})), asked.text()};
      return contradict("two probes disagree: " + names_of(question_, remaining_) + ", but " +
                        names_of(question_, fits));
    }
    if (!first_) first_ = asked.text();
    if (left.size() == 1 && !settled_ && !asked.probe.strict) settled_ = asked.text();
    remaining_ = left;
    return true;
  }

  bool take_unexplained(const asked_probe& asked, const row_index& row) {
    const bool open = question_.opens != open_if::never && !asked.probe.strict;
    if (!unexplained_) unexplained_ = asked.text();
    if (open) return true;
    result_.evidence = {asked.text()};
    const char* part = asked.probe.part == answer_part::output ? "o" : "lse";
    return contradict("no value explains " + place_of(part, row, -1));
  }

  finding conclude() {
    if (unexplained_) return conclude_open();
    if (remaining_.size() == 1 && settled_) return identified(remaining_, *settled_);
    result_.values = remaining_;
    if (remaining_.size() < 2) result_.values = all_values(question_);
    result_.reason = names_of(question_, result_.values) + " answer alike";
    return result_;
  }

  finding conclude_open() {
    if (question_.opens == open_if::no_other_value_ever_fits && fitted_) {
      result_.evidence = {first_.value_or(exchange{}), *unexplained_};
      contradict("two probes disagree: " + names_of(question_, remaining_) + ", but no value fits");
      return result_;
    }
    return identified({question_.open_value}, *unexplained_);
  }

  finding identified(values found, exchange by) {
    result_.state = finding_state::identified;
    result_.values = std::move(found);
    result_.evidence = {std::move(by)};
    const bool breaks_promise =
        question_.flag && question_.values[result_.values.front()].name != promised_name();
    if (breaks_promise)
      contradict("the flag promises " + std::string(promised_name()) + ", but does " +
                 std::string(result_.value_name()));
    return result_;
  }

  std::string_view promised_name() const {
    return question_.values[*question_.flag == causal_anchor::top_left ? 0 : 1].name;
  }

  finding unobserved(std::string reason) {
    result_.values = all_values(question_);
    result_.reason = std::move(reason);
    return result_;
  }

  bool contradict(std::string reason) {
    result_.state = finding_state::inconsistent;
    result_.values = all_values(question_);
    result_.reason = std::move(reason);
    return false;
  }

  const question& question_;
  examiner& subject_;
  const probe_site& known_;
  values candidates_;
  values remaining_;
  finding result_;
  bool fitted_ = false;
  std::optional<exchange> first_, settled_, unexplained_;
};

// What the next questions build on: where nothing was found, the default.
void learn(const finding& f, probe_site& known) {
  const question& q = *f.asked;
  if (q.flag == causal_anchor::bottom_right)
    known.keeps_bottom_right = f.state == finding_state::identified;
  if (q.field == nullptr || f.state == finding_state::inconsistent) return;
  const std::size_t usual = q.field->get(known.known);
  const bool allowed = std::find(f.values.begin(), f.values.end(), usual) != f.values.end();
  q.field->set(known.known, allowed ? usual : f.values.front());
}

// How far a profile is from what was found. A permission that the subject makes no use of is no
// distance.
struct distance_of_profile {
  std::size_t mismatches = 0;
  std::size_t left_open = 0;  // answers of which it says nothing

  friend auto operator<=>(const distance_of_profile&, const distance_of_profile&) = default;
};

bool explains(const finding& f, std::size_t value) {
  return std::find(f.values.begin(), f.values.end(), value) != f.values.end();
}

bool leaves_open(const finding& f, std::size_t value) {
  return f.asked->opens != open_if::never && value == f.asked->open_value;
}

bool is_permission(const finding& f) {
  return f.asked->opens == open_if::no_other_value_always_fits;
}

distance_of_profile distance_to(const profile& p, const std::vector<finding>& findings) {
  distance_of_profile d;
  for (const finding& f : findings) {
    if (f.asked->field == nullptr) continue;
    const std::size_t value = f.asked->field->get(p.rules);
    if (explains(f, value)) continue;
    if (!leaves_open(f, value))
      ++d.mismatches;
    else if (!is_permission(f))
      ++d.left_open;
  }
  return d;
}

std::string changed_text(const profile& p, const std::vector<finding>& findings) {
  semantics rules = p.rules;
  for (const finding& f : findings) {
    if (f.asked->field == nullptr) continue;
    const std::size_t value = f.asked->field->get(p.rules);
    if (!explains(f, value) && !leaves_open(f, value)) f.asked->field->set(rules, f.values.front());
  }
  const std::string changes = differences(rules, p.rules);
  return std::string(p.name) + (changes.empty() ? "" : "," + changes);
}

void find_profiles(identification& result) {
  const auto all = all_profiles();
  const auto distance = [&](const profile& p) { return distance_to(p, result.findings); };
  const auto nearest = std::min_element(all.begin(), all.end(), [&](const auto& a, const auto& b) {
    return distance(a) < distance(b);
  });
  result.nearest = changed_text(*nearest, result.findings);
  for (const profile& p : all)
    if (distance(p) == distance(*nearest) && distance(p).mismatches == 0)
      result.profiles.push_back(p.name);
}

}  // namespace

bool identification::speaks_against(const profile& p) const {
  return distance_to(p, findings).mismatches > 0;
}

std::string_view name_of(finding_state state) {
  constexpr std::string_view names[] = {"identified", "not observable", "inconsistent"};
  return names[static_cast<std::size_t>(state)];
}

bool identification::consistent() const {
  return std::none_of(findings.begin(), findings.end(),
                      [](const finding& f) { return f.state == finding_state::inconsistent; });
}

identification identify(subject& s) {
  examiner subject(s);
  probe_site known;
  known.declared = s.info().features;
  identification result;
  for (const question& q : all_questions()) {
    result.findings.push_back(inquiry(q, subject, known).settle());
    learn(result.findings.back(), known);
  }
  find_profiles(result);
  return result;
}

}  // namespace attest
