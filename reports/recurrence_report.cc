#include "reports/recurrence_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

#include "properties/command/command_subject.h"
#include "properties/exchange/byte_source.h"
#include "reports/words/foreign_text.h"
#include "reports/words/labelled.h"
#include "reports/words/wording.h"

namespace attest {
namespace {

using json = nlohmann::ordered_json;

constexpr int schema_version = 1;  // docs/recurrence_report.schema.json

// "SUBJECT" or "--exec COMMAND", as words for a shell.
std::string address_words(const std::string& address) {
  const std::string_view given = address;
  if (!given.starts_with(command_prefix)) return shell_quoted(address);
  return "--exec " + shell_quoted(given.substr(command_prefix.size()));
}

std::string replay_words(const recurrence_report& r, const law_result& law) {
  return fmt::format("attest recurrence {} {}--law {} --problem {}",
                     address_words(r.result.info.about.address), r.options, law.law->name,
                     shell_quoted(to_line(law.failure->problem)));
}

// ---- Text ----

std::string subject_lines(const recurrence_result& r) {
  const subject_info& s = r.info.about;
  return labelled("subject", fmt::format("{} ({})", printable(s.address), subject_words(s))) +
         labelled("contract", contract_words(s)) +
         labelled("seed", fmt::format("{}, effort {}", r.seed, r.effort)) + '\n';
}

std::string table(const recurrence_result& r) {
  const auto line = [](std::string_view name, std::string_view verdict, std::string_view problems,
                       std::string_view judged, std::string_view undecided,
                       std::string_view ratio) {
    return fmt::format("{:<35}  {:<11}  {:>8}  {:>11}  {:>9}  {:>11}\n", name, verdict, problems,
                       judged, undecided, ratio);
  };
  std::string text = line("law", "verdict", "problems", "comparisons", "undecided", "worst ratio");
  for (const law_result& law : r.laws)
    text += line(law.law->name, name_of(law.found.outcome), count_text(law.problems),
                 count_text(law.found.judged), count_text(law.found.undecided),
                 law.found.judged > 0 ? ratio_text(law.found.worst_ratio) : "-");
  for (const std::string& name : r.not_asked) text += line(name, "not asked", "0", "0", "0", "-");
  return text + '\n';
}

std::string failure_lines(const recurrence_report& r, const law_result& law) {
  const recurrence_failure& failure = *law.failure;
  std::string text = fmt::format("{}: {}\n", law.law->name, name_of(failure.found.outcome));
  text += labelled("law", law.law->statement, 2);
  text += labelled("failing",
                   fmt::format("{} of {}", count_text(failure.of_problems),
                               counted(law.problems, "problem", "problems")),
                   2);
  if (!failure.found.reason.empty()) text += labelled("reason", printable(failure.found.reason), 2);
  text += labelled("problem", to_line(failure.problem), 2);
  if (failure.found.worst) text += observation_text(*failure.found.worst);
  return text + label_text("replay", 2) + replay_words(r, law) + "\n\n";
}

std::string names_of(recurrence_features features) {
  std::string names;
  for (recurrence_feature each : members(features))
    names += (names.empty() ? "" : ", ") + std::string(name_of(each));
  return names;
}

std::string feature_lines(const recurrence_result& r) {
  const recurrence_features declared = r.info.features;
  const recurrence_features others = recurrence_features::all().without(declared);
  std::string text = labelled("features", "declared: " + names_of(declared));
  if (!others.empty()) text += labelled("", "not declared, not judged: " + names_of(others));
  return text + '\n';
}

std::string not_judged_lines(const recurrence_result& r) {
  std::string text;
  for (const std::string& sentence : r.not_judged)
    text += labelled(text.empty() ? "not judged" : "", printable(sentence));
  return text.empty() ? text : text + '\n';
}

std::string headline(const recurrence_result& r) {
  const auto failed = std::count_if(r.laws.begin(), r.laws.end(), [](const law_result& law) {
    return is_failure(law.found.outcome);
  });
  const std::string all = counted(static_cast<std::int64_t>(r.laws.size()), "law", "laws");
  if (failed > 0) return fmt::format("{}: {} of {}", name_of(r.outcome()), failed, all);
  if (r.exit_code() != 0)
    return "undecided: nothing failed, but not everything required was judged";
  return r.laws.size() == 1 ? "the one law that was asked holds" : fmt::format("all {} hold", all);
}

// ---- JSON ----

json number(double x) {
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  return x;
}

json counterexample_json(const recurrence_report& r, const law_result& law) {
  const recurrence_failure& failure = *law.failure;
  json found{{"verdict", name_of(failure.found.outcome)}, {"problem", to_line(failure.problem)}};
  if (const auto& seen = failure.found.worst) {
    found["where"] = seen->where;
    found["what"] = seen->what;
    found["observed"] = number(seen->observed);
    found["expected"] = number(seen->expected);
    found["bound"] = number(seen->bound);
    found["ratio"] = number(seen->ratio);
  }
  if (!failure.found.reason.empty()) found["reason"] = well_formed(failure.found.reason);
  found["replay"] = replay_words(r, law);
  return found;
}

json to_json(const recurrence_report& r, const law_result& law) {
  json one{{"name", law.law->name},
           {"statement", law.law->statement},
           {"verdict", name_of(law.found.outcome)},
           {"problems", law.problems},
           {"judged", law.found.judged},
           {"undecided", law.found.undecided},
           {"worst_ratio", number(law.found.worst_ratio)}};
  if (law.failure) {
    one["failing_problems"] = law.failure->of_problems;
    one["counterexample"] = counterexample_json(r, law);
  }
  return one;
}

json subject_json(const recurrence_info& info) {
  json features = json::array(), contracts = json::array();
  for (recurrence_feature each : members(info.features)) features.push_back(name_of(each));
  for (const format* each : info.about.inputs)
    contracts.push_back({{"inputs", each->name},
                         {"name", well_formed(info.about.contract_for(*each).name)},
                         {"origin", name_of(info.about.contract_origin(*each))}});
  return {{"address", well_formed(info.about.address)},
          {"name", well_formed(info.about.name)},
          {"version", well_formed(info.about.version)},
          {"features", features},
          {"contracts", contracts}};
}

json to_json(const recurrence_report& r) {
  json laws = json::array(), not_judged = json::array();
  for (const law_result& law : r.result.laws) laws.push_back(to_json(r, law));
  for (const std::string& each : r.result.not_judged) not_judged.push_back(well_formed(each));
  json page{{"schema_version", schema_version},
            {"verdict", name_of(r.result.outcome())},
            {"exit_code", r.result.exit_code()},
            {"subject", subject_json(r.result.info)},
            {"seed", r.result.seed},
            {"effort", r.result.effort},
            {"laws", laws},
            {"not_asked", r.result.not_asked},
            {"judged_features", json(r.result.judged_features)},
            {"judged_inputs", json(r.result.judged_inputs)},
            {"not_judged", not_judged}};
  if (r.run)
    page["run"] = {{"version", well_formed(r.run->version)},
                   {"started", well_formed(r.run->started)},
                   {"seconds", r.run->seconds},
                   {"host", well_formed(r.run->host)}};
  return page;
}

}  // namespace

void write_recurrence_text(std::ostream& out, const recurrence_report& r) {
  out << subject_lines(r.result) << table(r.result);
  for (const law_result& law : r.result.laws)
    if (law.failure) out << failure_lines(r, law);
  const int code = r.result.exit_code();
  out << not_judged_lines(r.result) << feature_lines(r.result)
      << fmt::format("{}; exit code {}: {}\n", headline(r.result), code,
                     meaning_of_exit_code(code));
}

void write_recurrence_file(const std::string& path, const recurrence_report& r) {
  write_bytes(path, to_json(r).dump(2) + "\n");
}

}  // namespace attest
