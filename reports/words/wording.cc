#include "reports/words/wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reference/semantics/fields.h"
#include "reference/semantics/profiles.h"
#include "reports/words/foreign_text.h"

namespace attest {
namespace {

// A NaN's sign differs between machines.
std::string number_with_digits(double x, int digits) {
  return std::isnan(x) ? "nan" : fmt::format("{:.{}g}", x, digits);
}

constexpr verdict failures[] = {verdict::violated, verdict::improbable, verdict::misbehaved,
                                verdict::crashed, verdict::timed_out};

std::int64_t count_of(const std::vector<property_summary>& properties, verdict v) {
  std::int64_t n = 0;
  for (const property_summary& p : properties) n += p.outcome == v ? 1 : 0;
  return n;
}

std::string properties_words(std::size_t n) {
  return counted(static_cast<std::int64_t>(n), "property", "properties");
}

std::string failure_headline(const std::vector<property_summary>& properties) {
  std::int64_t failed = 0;
  std::vector<std::string> kinds;
  std::string_view kind;
  for (verdict v : failures) {
    const std::int64_t n = count_of(properties, v);
    if (n == 0) continue;
    failed += n;
    kind = name_of(v);
    kinds.push_back(fmt::format("{} {}", n, kind));
  }
  if (kinds.size() != 1) kind = "failed";
  const std::string all = properties_words(properties.size());
  const std::string text = fmt::format("{}: {} of {}", kind, failed, all);
  return kinds.size() == 1 ? text : fmt::format("{} ({})", text, fmt::join(kinds, ", "));
}

// Of wrong classes no error can be stated.
bool is_finite(const observation& seen) {
  return std::isfinite(seen.observed) && std::isfinite(seen.expected);
}

}  // namespace

std::string number_text(double x) { return number_with_digits(x, 4); }
std::string ratio_text(double x) { return number_with_digits(x, 3); }

std::pair<std::string, std::string> telling_apart(double a, double b) {
  constexpr int all = 17;
  int digits = 4;
  while (digits < all && number_with_digits(a, digits) == number_with_digits(b, digits)) ++digits;
  const int shown = digits == 4 ? digits : std::min(digits + 2, all);
  return {number_with_digits(a, shown), number_with_digits(b, shown)};
}

std::string count_text(std::int64_t n) {
  const std::string digits = std::to_string(n);
  std::string text;
  for (std::size_t place = 0; place < digits.size(); ++place) {
    const bool starts_group = place > 0 && (digits.size() - place) % 3 == 0;
    if (starts_group && text.back() != '-') text += ',';
    text += digits[place];
  }
  return text;
}

std::string counted(std::int64_t n, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count_text(n), n == 1 ? one : many);
}

std::string headline(const run_result& result) {
  const std::vector<property_summary> properties = summarise(result);
  const int code = result.exit_code();
  if (code == 1) return failure_headline(properties);
  if (result.interrupted) return "interrupted: nothing failed as far as the run went";
  if (properties.empty()) return "undecided: no property was run";
  if (code != 0) return "undecided: nothing failed, but not everything required was judged";
  if (properties.size() == 1) return "the one property that was run holds";
  return fmt::format("all {} hold", properties_words(properties.size()));
}

std::string_view meaning_of_exit_code(int code) {
  switch (code) {
    case 0:
      return "pass";
    case 1:
      return "failure";
    case 3:
      return "neither pass nor failure";
    default:
      return "usage or bad input";
  }
}

namespace {

std::string why_not_run(const property& law, const run_result& result) {
  const semantics rules = find_profile(result.subject.profile);
  if (holds_for(law, rules)) return "no problem of the declared features fits it";
  semantics plain = rules;
  plain.scored_by = scorer::scaled_dot;
  plain.normalised_by = normalizer::softmax;
  return "no law of " + differences(rules, plain);
}

}  // namespace

std::vector<std::string> unjudged_sentences(const run_result& result) {
  std::vector<std::string> sentences = result.not_judged;
  for (const property* law : not_run(result))
    sentences.push_back(fmt::format("property {}: {}", law->name, why_not_run(*law, result)));
  for (const group_result& g : result.groups) {
    if (g.outcome != verdict::undecided || g.reason.empty()) continue;
    std::string sentence = fmt::format("property {}: {}", g.law->name, printable(g.reason));
    if (sentences.empty() || sentences.back() != sentence) sentences.push_back(std::move(sentence));
  }
  if (result.interrupted) sentences.emplace_back("the run was interrupted");
  return sentences;
}

std::string subject_words(const subject_info& subject) {
  return printable(subject.version.empty() ? subject.name : subject.name + " " + subject.version);
}

std::string contract_words(const subject_info& subject) {
  std::vector<std::string> words;
  for (const contract_used& c : contracts_used(subject))
    words.push_back(fmt::format("{} for {} inputs ({})", c.used->name, c.inputs->name,
                                c.from == origin::by_default ? "the default" : name_of(c.from)));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string share_words(const forgiven_share& s) {
  return fmt::format(
      "{}: on average {} % of the hull of v, where the mean of v would pass at 100 %",
      s.inputs->name, ratio_text(100 * s.mean()));
}

std::string profile_words(const subject_info& subject) {
  const bool is_told =
      subject.profile_origin == origin::by_default || subject.profile_origin == origin::declared;
  const std::string how = is_told ? "" : fmt::format(" ({})", name_of(subject.profile_origin));
  return printable(subject.profile) + how;
}

std::string error_text(const observation& seen) {
  if (!is_finite(seen)) return "\u2013";
  return number_text(seen.bound > 0 ? seen.ratio * seen.bound
                                    : std::fabs(seen.observed - seen.expected));
}

std::string error_words(const observation& seen) {
  if (!is_finite(seen)) return "a wrong class: no bound allows one for the other";
  if (!(seen.bound > 0)) return error_text(seen) + ", where none is allowed";
  return fmt::format("{}, {} times the bound of {}", error_text(seen), ratio_text(seen.ratio),
                     number_text(seen.bound));
}

std::string replay_command(const counterexample& c) {
  return "attest replay " + c.options + shell_quoted(c.replay);
}

std::string_view symbol_of(verdict v) {
  if (is_failure(v)) return "\u2717";
  if (v == verdict::holds) return "\u2713";
  return v == verdict::undecided ? "?" : "\u2013";
}

}  // namespace attest
