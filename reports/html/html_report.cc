#include <fmt/format.h>

#include <ostream>

#include "reports/html/sections.h"
#include "reports/summary.h"
#include "reports/words/foreign_text.h"
#include "reports/words/wording.h"

namespace attest {
namespace {

// The page may load nothing and run nothing, whatever foreign text it shows.
constexpr std::string_view policy = "default-src 'none'; style-src 'unsafe-inline'";

markup head(const run_result& result) {
  const std::string title = headline(result) + " \u2013 " + subject_words(result.subject);
  markup content{"<meta charset=utf-8>\n"};
  content +=
      {"<meta http-equiv=Content-Security-Policy" + attribute("content", policy).html + ">\n"};
  content += {"<meta name=viewport content=\"width=device-width, initial-scale=1\">\n"};
  content += {"<meta name=color-scheme content=\"light dark\">\n"};
  content += element("title", text(title)) + markup{"\n"};
  return content + element("style", {std::string(page_style())}) + markup{"\n"};
}

std::string_view page_tone(int exit_code) {
  if (exit_code == 0) return "holds";
  return exit_code == 1 ? "fails" : "open";
}

verdict page_verdict(const run_result& result) {
  if (result.exit_code() == 3) return verdict::undecided;
  return result.outcome();
}

// The headline with its first letter raised, and what stands in parentheses kept together.
markup heading_words(std::string words) {
  if (words[0] >= 'a' && words[0] <= 'z') words[0] = static_cast<char>(words[0] - 'a' + 'A');
  const std::size_t detail = words.find(" (");
  if (detail == std::string::npos) return text(words);
  return text(words.substr(0, detail + 1)) +
         element("span class=detail", text(words.substr(detail + 1)));
}

markup verdict_heading(const run_result& result) {
  const markup symbol =
      element("span class=symbol aria-hidden=true", text(symbol_of(page_verdict(result))));
  return element("h1", attribute("class", page_tone(result.exit_code())),
                 symbol + heading_words(headline(result)));
}

std::string size_words(const run_result& result) {
  const counts sum = counts_of(result);
  const auto properties = static_cast<std::int64_t>(summarise(result).size());
  const auto groups = static_cast<std::int64_t>(result.groups.size());
  return fmt::format(" was put {} in {} and {}. ", counted(sum.problems, "problem", "problems"),
                     counted(properties, "property", "properties"),
                     counted(groups, "feature group", "feature groups"));
}

std::string judged_words(const run_result& result) {
  const counts sum = counts_of(result);
  return fmt::format("{} judged and {} left undecided; {} of {} out of domain. ",
                     counted(sum.judged, "comparison was", "comparisons were"),
                     count_text(sum.undecided), count_text(sum.out_of_domain),
                     counted(sum.rows, "row was", "rows were"));
}

std::string rule_words(const run_result& result) {
  return fmt::format(
      "Errors are held against the bounds of {}, conventions against the profile {}. ",
      contract_words(result.subject), profile_words(result.subject));
}

std::string seed_words(const run_result& result) {
  return fmt::format("Seed {}, effort {}, exit code {} ({}).", result.options.seed,
                     result.options.effort, result.exit_code(),
                     meaning_of_exit_code(result.exit_code()));
}

markup subject_name(const subject_info& subject) {
  const markup name = element("strong", text(subject_words(subject)));
  if (subject.address == subject_words(subject)) return name;
  return name + text(" (") + element("code", text(subject.address)) + text(")");
}

markup lead(const run_result& result) {
  return element("p class=lead",
                 subject_name(result.subject) + text(size_words(result) + judged_words(result) +
                                                     rule_words(result) + seed_words(result)));
}

markup footer(const report& r) {
  std::string words = "attest judges whether attention implementations are right.";
  if (r.run)
    words += fmt::format(" Version {}, started {}, {} s on {} of {}.", r.run->version,
                         r.run->started, number_text(r.run->seconds),
                         counted(r.run->threads, "thread", "threads"), r.run->host);
  return element("footer", text(words));
}

markup body(const report& r) {
  const run_result& result = r.result;
  return element("header class=page", element("p class=brand", text("attest")) +
                                          verdict_heading(result) + lead(result)) +
         element("main", counterexamples_section(result) + not_judged_section(result) +
                             properties_section(result) + groups_section(result) +
                             coverage_section(result)) +
         footer(r);
}

}  // namespace

void write_html(std::ostream& out, const report& r) {
  out << "<!doctype html>\n<html lang=en>\n<head>\n"
      << head(r.result).html << "</head>\n<body>\n"
      << body(r).html << "\n</body>\n</html>\n";
}

}  // namespace attest
