#include "reports/commands/corpus_words.h"

#include <fmt/format.h>

#include <set>

#include "properties/corpus/runner.h"
#include "reports/words/wording.h"

namespace attest {
namespace {

std::string follow_up_sentence(const corpus_check& check) {
  if (!check.pending.empty()) return check.pending + ".";
  if (check.follow_up.empty()) return {};
  return fmt::format("{} more to answer in {}: start {} as before, then check again; that {}.",
                     counted(check.follow_up_problems, "problem", "problems"), check.follow_up,
                     runner_name,
                     check.result.exit_code() == 1 ? "makes counterexamples smaller"
                                                   : "settles what was not judged");
}

}  // namespace

std::string corpus_words(const manifest& m) {
  std::set<std::string> laws;
  for (const trial_line& t : m.trials) laws.insert(t.law);
  return fmt::format("{} of {} on {}, {} of a check at effort 1",
                     counted(static_cast<std::int64_t>(m.trials.size()), "trial", "trials"),
                     counted(static_cast<std::int64_t>(laws.size()), "law", "laws"),
                     counted(static_cast<std::int64_t>(m.problems.size()), "problem", "problems"),
                     ratio_text(m.effort));
}

std::string left_out_sentence(const std::vector<std::string>& laws) {
  return fmt::format("left out, as --count has no room for their problems: {}",
                     fmt::join(laws, ", "));
}

std::string needs_live_sentence(const std::vector<const property*>& laws) {
  std::vector<std::string_view> names;
  for (const property* law : laws) names.push_back(law->name);
  return fmt::format("not judged by files, as they need a live subject: {}",
                     fmt::join(names, ", "));
}

std::string scarce_sentence(const std::vector<std::string>& features) {
  return fmt::format("asked by fewer than {} trials, so that a check ends with exit code 3: {}",
                     least_judged_problems, fmt::join(features, ", "));
}

std::string corpus_hint(const manifest& m, const corpus_check& check) {
  std::string text = corpus_words(m) + ".";
  const auto add = [&](const std::string& sentence) {
    if (!sentence.empty()) text += " " + sentence;
  };
  if (!check.needs_live.empty()) add(needs_live_sentence(check.needs_live) + ".");
  if (!check.left_out.empty()) add(left_out_sentence(check.left_out) + ".");
  add(follow_up_sentence(check));
  return text;
}

}  // namespace attest
