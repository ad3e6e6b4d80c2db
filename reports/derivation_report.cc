#include "reports/derivation_report.h"

#include <algorithm>

namespace attest {
namespace {

std::string counted_claims(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " claim" : " claims");
}

std::size_t cited_among(std::span<const claim_result> results) {
  return static_cast<std::size_t>(
      std::count_if(results.begin(), results.end(),
                    [](const claim_result& r) { return r.verdict() == claim_verdict::cited; }));
}

std::string holding_words(std::size_t checked, std::size_t cited) {
  if (checked == 0) return counted_claims(cited) + " cited, none checked";
  std::string words = checked == 1 ? "the claim holds" : "all " + counted_claims(checked) + " hold";
  if (cited > 0) words += ", " + std::to_string(cited) + " more only cited";
  return words;
}

}  // namespace

bool all_passed(std::span<const claim_result> results) {
  return std::all_of(results.begin(), results.end(),
                     [](const claim_result& r) { return r.passed(); });
}

std::string derivation_headline(std::span<const claim_result> results) {
  const std::size_t cited = cited_among(results);
  if (all_passed(results)) return holding_words(results.size() - cited, cited);
  std::string names;
  std::size_t failed = 0;
  for (const claim_result& r : results) {
    if (r.passed()) continue;
    ++failed;
    names.append(names.empty() ? "" : ", ").append(r.about->id);
  }
  return std::to_string(failed) + " of " + counted_claims(results.size() - cited) +
         (failed == 1 ? " does" : " do") + " not hold: " + names;
}

std::string section_title(std::string_view section) {
  std::string title(section);
  std::replace(title.begin(), title.end(), '_', ' ');
  if (!title.empty() && title[0] >= 'a' && title[0] <= 'z')
    title[0] = static_cast<char>(title[0] - 'a' + 'A');
  return title;
}

std::string_view symbol_of(claim_verdict v) {
  switch (v) {
    case claim_verdict::holds:
      return "✓";
    case claim_verdict::fails:
      return "✗";
    case claim_verdict::blind:
      return "?";
    case claim_verdict::cited:
      return "–";
  }
  return "";
}

}  // namespace attest
