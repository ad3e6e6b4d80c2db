#include "reports/dump_report.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

#include "properties/exchange/byte_source.h"
#include "reports/exit_code.h"
#include "reports/words/foreign_text.h"
#include "reports/words/wording.h"

namespace attest {
namespace {

using json = nlohmann::ordered_json;

constexpr int schema_version = 1;  // docs/judge_report.schema.json

std::string line(std::string_view name, const std::string& text) {
  return fmt::format("{:<11} {}\n", name, text);
}

std::string listed(const std::string& all, const std::string& next) {
  return all.empty() ? next : all + ", " + next;
}

std::string shape_words(const shape& s) {
  return fmt::format("B={} Hq={} Hkv={} Lq={} Lk={} D={} Dv={}", s.batch, s.query_heads, s.kv_heads,
                     s.queries, s.keys, s.width, s.value_width);
}

std::string stored_words(const dump_report& r) {
  std::string words;
  for (const auto& [name, f] : r.stored) words = listed(words, name + " " + std::string(f->name));
  return words;
}

std::string rows_words(const dump_report& r) {
  const dump_judgement& j = r.judged;
  if (j.found.rows == j.rows) return "all " + count_text(j.rows);
  return fmt::format("{} of {}, sampled with seed {}", count_text(j.found.rows), count_text(j.rows),
                     r.seed);
}

verdict verdict_of(const dump_report& r) {
  if (r.judged.fails()) return r.judged.found.outcome;
  return r.judged.is_decided() ? verdict::holds : verdict::undecided;
}

struct class_words {
  std::int64_t failure_classes::*count;
  std::string_view key, words;
};

constexpr class_words classes[] = {
    {&failure_classes::far, "beyond_bound",
     "further from the exact answer than the contract allows"},
    {&failure_classes::not_a_number, "nan", "NaN where a number is due"},
    {&failure_classes::infinite, "infinite", "infinite where something else is due"},
    {&failure_classes::finite, "finite", "a number where NaN or an infinity is due"},
};

std::string range_words(char axis, std::int64_t first, std::int64_t last) {
  return first == last ? fmt::format("{}={}", axis, first)
                       : fmt::format("{}={}..{}", axis, first, last);
}

std::string failure_text(const dump_report& r) {
  const dump_judgement& j = r.judged;
  std::string text =
      line("verdict",
           fmt::format("{}: {} of {} elements, in {} of {} rows", name_of(verdict_of(r)),
                       count_text(j.failures.all()), count_text(j.found.judged + j.found.undecided),
                       count_text(j.failing_rows), count_text(j.found.rows)));
  for (const class_words& c : classes)
    if (const std::int64_t n = j.failures.*c.count; n > 0)
      text += line("", fmt::format("{} {}", count_text(n), c.words));
  const row_range& where = *j.failing;
  return text + line("where", range_words('b', where.first.b, where.last.b) + ", " +
                                  range_words('h', where.first.h, where.last.h) + ", " +
                                  range_words('i', where.first.i, where.last.i));
}

std::string worst_text(const dump_judgement& j) {
  std::string text =
      fmt::format("\n{:<24} {:>9}  {:<27} {:>14} {:>14} {:>10} {:>9}\n", "worst rows", "failures",
                  "worst element", "observed", "expected", "bound", "ratio");
  for (const failing_row& row : j.worst) {
    const auto [observed, expected] = telling_apart(row.worst.observed, row.worst.expected);
    text += fmt::format("  {:<22} {:>9}  {:<27} {:>14} {:>14} {:>10} {:>9}\n",
                        fmt::format("b={} h={} i={}", row.place.b, row.place.h, row.place.i),
                        row.failures, row.worst.where, observed, expected,
                        number_text(row.worst.bound), ratio_text(row.worst.ratio));
  }
  return text + "\n";
}

std::string decided_text(const dump_report& r) {
  const judgement& j = r.judged.found;
  std::string text = line(
      "verdict", fmt::format("{}: {} elements judged, {} undecided, {} of {} rows out of domain",
                             name_of(verdict_of(r)), count_text(j.judged), count_text(j.undecided),
                             count_text(j.out_of_domain), count_text(j.rows)));
  if (j.worst)
    text +=
        line("", fmt::format("worst ratio {} at {}", ratio_text(j.worst_ratio), j.worst->where));
  if (verdict_of(r) == verdict::undecided)
    text += line("",
                 "where an element is undecided the mean of v would pass: a tighter contract "
                 "decides more");
  return text;
}

std::string share_text(const judgement& j) {
  if (j.scaled == 0) return {};
  return line(
      "bounds",
      fmt::format("on average {} % of the hull of v, where the mean of v would pass at 100 %",
                  ratio_text(100 * j.share_sum / static_cast<double>(j.scaled))));
}

// The rounding of what was stored is no stage of such a contract.
bool is_stored_narrower(const dump_report& r) {
  return r.stored.at("o")->precision < r.kept.output->precision;
}

std::string slice_text(const dump_report& r) {
  if (r.slice.empty()) return {};
  return line("slice", fmt::format("{}: the worst row with {} that it sees", printable(r.slice),
                                   counted(r.slice_keys, "the key", "keys"))) +
         line("", printable(r.slice_command));
}

std::string hint_text(const dump_report& r) {
  std::string text;
  for (const std::string& words : r.readings) text = listed(text, words);
  return text.empty()
             ? text
             : line("hint", "read otherwise, the worst rows and others are right: " + text);
}

json number(double x) {
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  return x;
}

json to_json(const row_index& row) { return {{"b", row.b}, {"h", row.h}, {"i", row.i}}; }

json to_json(const failing_row& row) {
  json one = to_json(row.place);
  one["failures"] = row.failures;
  one["where"] = row.worst.where;
  one["observed"] = number(row.worst.observed);
  one["expected"] = number(row.worst.expected);
  one["bound"] = number(row.worst.bound);
  one["ratio"] = number(row.worst.ratio);
  return one;
}

json shape_json(const shape& s) {
  return {{"B", s.batch}, {"Hq", s.query_heads}, {"Hkv", s.kv_heads},  {"Lq", s.queries},
          {"Lk", s.keys}, {"D", s.width},        {"Dv", s.value_width}};
}

void add_failures(json& page, const dump_judgement& j) {
  json counts = json::object(), rows = json::array();
  for (const class_words& c : classes) counts[std::string(c.key)] = j.failures.*c.count;
  for (const failing_row& row : j.worst) rows.push_back(to_json(row));
  page["failures"] = std::move(counts);
  page["failing_rows"] = j.failing_rows;
  if (j.failing)
    page["failing_range"] = {{"first", to_json(j.failing->first)},
                             {"last", to_json(j.failing->last)}};
  page["worst_rows"] = std::move(rows);
}

json to_json(const dump_report& r) {
  const judgement& j = r.judged.found;
  json stored = json::object();
  for (const auto& [name, f] : r.stored) stored[name] = f->name;
  json page{{"schema_version", schema_version},
            {"verdict", name_of(verdict_of(r))},
            {"exit_code", r.exit_code()},
            {"file", well_formed(r.file)},
            {"shape", shape_json(r.dims)},
            {"stored", stored},
            {"contract", well_formed(r.kept.name)},
            {"profile", well_formed(r.profile)},
            {"reading", well_formed(r.reading)},
            {"seed", r.seed},
            {"rows", r.judged.rows},
            {"rows_judged", j.rows},
            {"out_of_domain", j.out_of_domain},
            {"judged", j.judged},
            {"undecided", j.undecided},
            {"worst_ratio", number(j.worst_ratio)}};
  add_failures(page, r.judged);
  page["right_under"] = r.readings;
  if (!r.slice.empty())
    page["slice"] = {{"file", well_formed(r.slice)}, {"replay", well_formed(r.slice_command)}};
  return page;
}

}  // namespace

int dump_report::exit_code() const {
  if (judged.fails()) return something_failed;
  return judged.is_decided() ? all_hold : not_judged;
}

void write_dump_text(std::ostream& out, const dump_report& r) {
  out << line("file", printable(r.file)) << line("stored", stored_words(r))
      << line("problem",
              shape_words(r.dims) + (r.reading.empty() ? "" : " " + printable(r.reading)))
      << line("contract",
              printable(r.kept.name) + (r.contract_is_default ? " (the default of q's type)" : ""))
      << line("profile", printable(r.profile)) << line("rows", rows_words(r)) << '\n';
  if (r.judged.fails())
    out << failure_text(r) << worst_text(r.judged);
  else
    out << decided_text(r);
  if (is_stored_narrower(r))
    out << line("note",
                fmt::format("o is stored in {}, but contract {} answers in {}: that rounding is in "
                            "no bound",
                            r.stored.at("o")->name, printable(r.kept.name), r.kept.output->name));
  out << share_text(r.judged.found) << hint_text(r) << slice_text(r)
      << fmt::format("\nexit code {}: {}\n", r.exit_code(), meaning_of_exit_code(r.exit_code()));
}

void write_dump_file(const std::string& path, const dump_report& r) {
  write_bytes(path, to_json(r).dump(2) + "\n");
}

}  // namespace attest
