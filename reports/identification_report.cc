#include "reports/identification_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>

#include "reference/input_error.h"
#include "reference/semantics/profiles.h"
#include "reports/words/foreign_text.h"
#include "reports/words/wording.h"

namespace attest {
namespace {

using json = nlohmann::ordered_json;

std::string line(std::string_view name, std::string_view value, std::string_view text) {
  return fmt::format("  {:<21} {:<15} {}\n", name, value, text);
}

// A name and a value, and beside or below them what shows it.
std::string finding_text(const finding& f) {
  const bool identified = f.state == finding_state::identified;
  const std::string_view value = identified ? f.value_name() : name_of(f.state);
  std::string text, first(printable(f.reason));
  for (const exchange& e : f.evidence) {
    const std::string shown = e.input + ": " + printable(e.answer);
    if (first.empty())
      first = shown;
    else
      text += line("", "", shown);
  }
  return line(f.asked->name, value, first) + text;
}

std::size_t identified_fields(const identification& found) {
  return static_cast<std::size_t>(
      std::count_if(found.findings.begin(), found.findings.end(), [](const finding& f) {
        return f.asked->field != nullptr && f.state == finding_state::identified;
      }));
}

std::string joined(const std::vector<std::string_view>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string profile_text(const identification& found) {
  if (!found.consistent()) return "none: the answers do not follow one convention throughout";
  const std::string fields =
      counted(static_cast<std::int64_t>(identified_fields(found)), "convention", "conventions");
  if (found.profiles.empty())
    return fmt::format("none of the named profiles; declare \"{}\"", found.nearest);
  return fmt::format("{} (of {} identified, none speaks against it)", joined(found.profiles),
                     fields);
}

json to_json(const finding& f) {
  json values = json::array(), evidence = json::array();
  for (std::size_t value : f.values) values.push_back(f.asked->values[value].name);
  for (const exchange& e : f.evidence)
    evidence.push_back({{"input", e.input}, {"answer", well_formed(e.answer)}});
  json result{{"name", f.asked->name},
              {"meaning", f.asked->meaning},
              {"state", name_of(f.state)},
              {"values", values},
              {"evidence", evidence}};
  if (!f.reason.empty()) result["reason"] = well_formed(f.reason);
  return result;
}

}  // namespace

void write_identification_text(std::ostream& out, const subject_info& subject,
                               const identification& found) {
  out << fmt::format("subject  {} ({})\n\n", printable(subject.address), subject_words(subject));
  for (const finding& f : found.findings) out << finding_text(f);
  out << fmt::format("\nprofile  {}\n", profile_text(found));
}

void write_identification_json(std::ostream& out, const subject_info& subject,
                               const identification& found) {
  json conventions = json::array(), profiles = json::array();
  for (const finding& f : found.findings) conventions.push_back(to_json(f));
  for (std::string_view name : found.profiles) profiles.push_back(name);
  const json page{{"subject", well_formed(subject.address)},
                  {"name", well_formed(subject.name)},
                  {"version", well_formed(subject.version)},
                  {"consistent", found.consistent()},
                  {"conventions", conventions},
                  {"profiles", profiles},
                  {"nearest", found.nearest}};
  out << page.dump(2) << '\n';
}

void write_identification_file(const std::string& path, const subject_info& subject,
                               const identification& found) {
  if (!path.ends_with(".json"))
    throw input_error("report file '" + path + "' (allowed: a name that ends in .json)");
  std::ofstream out(path, std::ios::binary);
  if (out) write_identification_json(out, subject, found);
  out.close();
  if (!out) throw input_error("report file '" + path + "' can't be written");
}

std::string profile_hint(const identification& found) {
  const profile& usual = all_profiles().front();
  if (!found.consistent() || !found.speaks_against(usual)) return {};
  return fmt::format("its answers agree with profile {}: declare it, or pass --profile {}",
                     found.nearest, found.nearest);
}

}  // namespace attest
