#include "reports/onnx_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "reports/words/foreign_text.h"
#include "reports/words/wording.h"

namespace attest {
namespace {

using json = nlohmann::ordered_json;
constexpr int schema_version = 1;  // docs/onnx_report.schema.json
using result = onnx_folder_result;
using case_result = onnx_case_result;

std::string label(std::string_view name, const std::string& text) {
  return fmt::format("{:<12}{}\n", name, text);
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

// --- Tables ---

using table = std::vector<std::vector<std::string>>;

// Columns as wide as their widest cell, the last one not padded.
std::string to_text(const table& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows)
    for (std::size_t n = 0; n < row.size(); ++n) widths[n] = std::max(widths[n], row[n].size());
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t n = 0; n < row.size(); ++n)
      line += n + 1 < row.size() ? fmt::format("{:<{}}  ", row[n], widths[n]) : row[n];
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

// Rounded down, so that 100 % means all.
std::string share_text(const ulp_histogram& ulps) {
  if (ulps.elements() == 0) return "-";
  const double tenths = std::floor(1000 * static_cast<double>(ulps.correctly_rounded()) /
                                   static_cast<double>(ulps.elements()));
  return fmt::format("{:.1f} %", tenths / 10);
}

std::vector<std::string> row_of_stored(const case_result& r) {
  if (!r.not_judged.empty())
    return {
        printable(r.name),      std::to_string(r.opset), "-", "not judged", "-", "-", "-", "-", "-",
        printable(r.not_judged)};
  return {printable(r.name),
          std::to_string(r.opset),
          r.inputs,
          std::string(name_of(r.found)),
          count_text(r.stored.judged),
          share_text(r.ulps),
          count_text(r.ulps.worst()),
          ratio_text(r.stored.worst_ratio),
          r.contract,
          joined(r.agrees_with)};
}

std::string stored_table(const result& r) {
  table rows{{"case", "opset", "type", "stored answers", "elements", "rounded", "worst ulps",
              "ratio", "contract", "agrees with editions"}};
  for (const case_result& c : r.cases) rows.push_back(row_of_stored(c));
  return to_text(rows);
}

// Why the subject was not judged, and what of the case it was not asked.
std::string reason_text(const case_result& c) {
  const std::string reason = printable(c.of_subject->reason);
  if (c.not_asked.empty()) return reason;
  return reason + (reason.empty() ? "" : "; ") + "not asked: " + joined(c.not_asked);
}

std::string subject_table(const result& r) {
  table rows{{"case", "opset", "type", "verdict", "elements", "ratio", "contract", "reason"}};
  for (const case_result& c : r.cases) {
    if (!c.of_subject) {
      rows.push_back({printable(c.name), std::to_string(c.opset), "-", "not judged", "-", "-", "-",
                      printable(c.not_judged)});
      continue;
    }
    const judgement& j = *c.of_subject;
    rows.push_back({printable(c.name), std::to_string(c.opset), c.inputs,
                    std::string(name_of(j.outcome)), count_text(j.judged),
                    j.judged > 0 ? ratio_text(j.worst_ratio) : "-", printable(c.subject_contract),
                    reason_text(c)});
  }
  return to_text(rows);
}

std::map<std::string, ulp_histogram> by_type(const result& r) {
  std::map<std::string, ulp_histogram> sums;
  for (const case_result& c : r.cases)
    if (c.ulps.elements() > 0) sums[c.inputs].add(c.ulps);
  return sums;
}

std::string histogram_text(const result& r) {
  const auto names = ulp_histogram::class_names();
  table rows{{"ulps"}};
  rows.front().insert(rows.front().end(), names.begin(), names.end());
  for (const auto& [type, ulps] : by_type(r)) {
    rows.push_back({type});
    for (const std::int64_t n : ulps.counts()) rows.back().push_back(count_text(n));
  }
  return "elements by their distance from the correctly rounded answer\n" + to_text(rows);
}

// --- What does not agree ---

std::string worst_text(const judgement& j) {
  if (!j.worst) return "";
  const auto [observed, expected] = telling_apart(j.worst->observed, j.worst->expected);
  return fmt::format("  at        {}: {}\n  observed  {}\n  expected  {}\n  error     {}\n",
                     j.worst->where, j.worst->what, observed, expected, error_words(*j.worst));
}

std::string remark_on(const case_result& c, const result& r) {
  std::string text = fmt::format("\n{}: ", printable(c.name));
  if (c.found == stored_class::another_edition)
    return text + fmt::format("not of edition {}, but of {}\n  conventions  {}\n", r.edition,
                              joined(c.agrees_with), c.conventions);
  if (c.found == stored_class::undecided)
    return text + fmt::format("undecided: {} of its elements have bounds too wide to tell\n",
                              count_text(c.stored.undecided));
  text += "wrong: agrees with no edition\n" + worst_text(c.stored);
  if (!c.fits.empty()) text += "  It would agree under conventions of no edition: " + c.fits + '\n';
  return text;
}

std::string remarks(const result& r) {
  std::string text;
  for (const case_result& c : r.cases) {
    const bool plain = c.found == stored_class::correctly_rounded || c.found == stored_class::close;
    if (!r.subject && !plain && c.not_judged.empty()) text += remark_on(c, r);
    if (c.of_subject && is_failure(c.of_subject->outcome) && c.of_subject->worst)
      text += fmt::format("\n{}: {}\n", printable(c.name), name_of(c.of_subject->outcome)) +
              worst_text(*c.of_subject);
  }
  return text;
}

// --- Sums ---

// "41 correctly rounded, 35 close": those that there are.
template <class Class, class Get>
std::string counts_by(const result& r, std::initializer_list<Class> all, Get get) {
  std::string text;
  for (const Class each : all) {
    const auto n = std::count_if(r.cases.begin(), r.cases.end(),
                                 [&](const case_result& c) { return get(c) == each; });
    if (n > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", n, name_of(each));
  }
  return text;
}

std::string stored_counts(const result& r) {
  using enum stored_class;
  return counts_by(r, {correctly_rounded, close, another_edition, wrong, undecided, not_judged},
                   [](const case_result& c) { return c.found; });
}

std::string subject_counts(const result& r) {
  using enum verdict;
  return counts_by(
      r, {holds, undecided, unsupported, improbable, violated, misbehaved, crashed, timed_out},
      [](const case_result& c) { return c.of_subject ? c.of_subject->outcome : undecided; });
}

std::string edition_text(const result& r) {
  const auto judged = std::count_if(r.cases.begin(), r.cases.end(),
                                    [](const case_result& c) { return c.not_judged.empty(); });
  return fmt::format("{}: {} of {} stored cases agree with it ({})", r.edition, r.agreeing, judged,
                     r.edition_given ? "given" : "the newest of those with which most agree");
}

std::string heading(const result& r) {
  std::string text = label("folder", printable(r.folder));
  if (r.subject) {
    text +=
        label("subject", printable(r.subject->address) + " (" + subject_words(*r.subject) + ")");
    text += label("profile", profile_words(*r.subject));
  }
  text += label("edition", edition_text(r));
  if (r.others > 0)
    text += label("left out", counted(r.others, "case", "cases") + " without attention");
  return text + '\n';
}

// --- JSON ---

json number(double x) {
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  return x;
}

json to_json(const judgement& j) {
  json object{{"verdict", name_of(j.outcome)},
              {"judged", j.judged},
              {"undecided", j.undecided},
              {"out_of_domain_rows", j.out_of_domain},
              {"worst_ratio", number(j.worst_ratio)}};
  if (!j.reason.empty()) object["reason"] = well_formed(j.reason);
  if (j.worst)
    object["worst"] = {{"where", j.worst->where},
                       {"what", j.worst->what},
                       {"observed", number(j.worst->observed)},
                       {"expected", number(j.worst->expected)},
                       {"bound", number(j.worst->bound)}};
  return object;
}

json to_json(const ulp_histogram& ulps) {
  json classes = json::object();
  for (std::size_t n = 0; n < ulp_histogram::classes; ++n)
    classes[std::string(ulp_histogram::class_names()[n])] = ulps.counts()[n];
  return {{"classes", classes}, {"worst", ulps.worst()}};
}

json to_json(const case_result& c) {
  json object{
      {"case", well_formed(c.name)}, {"opset", c.opset}, {"stored_answers", name_of(c.found)}};
  if (!c.expands.empty()) object["expanded_from"] = well_formed(c.expands);
  if (!c.not_judged.empty()) {
    object["not_judged"] = well_formed(c.not_judged);
    return object;
  }
  object["inputs"] = c.inputs;
  object["agrees_with_editions"] = c.agrees_with;
  object["conventions"] = c.conventions;
  if (!c.fits.empty()) object["would_agree_under"] = c.fits;
  object["contract"] = c.contract;
  object["judgement"] = to_json(c.stored);
  object["ulps"] = to_json(c.ulps);
  if (c.of_subject) {
    object["subject_contract"] = well_formed(c.subject_contract);
    object["subject_judgement"] = to_json(*c.of_subject);
    if (!c.not_asked.empty()) object["not_asked_of_subject"] = c.not_asked;
  }
  return object;
}

json editions_json() {
  json list = json::array();
  for (const onnx_edition& e : onnx_editions())
    list.push_back({{"name", e.name}, {"about", e.about}});
  return list;
}

}  // namespace

void write_onnx_text(std::ostream& out, const onnx_folder_result& r) {
  out << heading(r) << (r.subject ? subject_table(r) : stored_table(r));
  if (!r.subject) out << '\n' << histogram_text(r);
  out << remarks(r) << '\n'
      << fmt::format("{}; exit code {}: {}\n", r.subject ? subject_counts(r) : stored_counts(r),
                     r.exit_code(), meaning_of_exit_code(r.exit_code()));
}

void write_onnx_json(std::ostream& out, const onnx_folder_result& r) {
  json cases = json::array(), ulps = json::object();
  for (const case_result& c : r.cases) cases.push_back(to_json(c));
  for (const auto& [type, sum] : by_type(r)) ulps[type] = to_json(sum);
  json document{{"schema_version", schema_version},
                {"folder", well_formed(r.folder)},
                {"edition", r.edition},
                {"edition_given", r.edition_given},
                {"agreeing_cases", r.agreeing},
                {"cases_without_attention", r.others},
                {"ulps", ulps},
                {"editions", editions_json()}};
  if (r.subject) document["subject"] = well_formed(r.subject->address);
  document["cases"] = cases;
  document["exit_code"] = r.exit_code();
  out << document.dump(2, ' ', false, json::error_handler_t::replace) << '\n';
}

}  // namespace attest
