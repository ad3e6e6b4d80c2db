#include "properties/corpus/make_corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <system_error>

#include "properties/corpus/runner.h"
#include "properties/exchange/byte_source.h"
#include "reference/input_error.h"

namespace attest {
namespace {

namespace fs = std::filesystem;

void require_fresh(const fs::path& folder) {
  std::error_code error;
  const bool is_free = !fs::exists(folder, error) ||
                       (fs::is_directory(folder, error) && fs::is_empty(folder, error));
  if (!is_free || error) refuse(folder.string(), "something that is there", "a new folder");
}

void create_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) refuse(folder.string(), error.message(), "a folder that can be made");
}

manifest manifest_for(const corpus_request& asked, const chosen_trials& chosen) {
  manifest m;
  m.version = asked.version;
  m.seed = asked.seed;
  m.count = asked.count;
  m.property = asked.property;
  m.effort = chosen.effort;
  m.files = asked.files;
  m.kept = asked.kept;
  m.profile = asked.profile;
  m.features = asked.features;
  for (const property* law : chosen.left_out) m.left_out.emplace_back(law->name);
  for (const trial& t : chosen.trials)
    m.trials.push_back({std::string(t.law->name), t.group, to_line(t.spec)});
  for (std::size_t n = 0; n < chosen.problems.size(); ++n)
    m.problems.push_back(describe(chosen.problems[n].posed, chosen.problems[n].repeat,
                                  chosen.trial_of[n], asked.files));
  return m;
}

std::vector<std::string> scarce_features(feature_set features, const chosen_trials& chosen) {
  std::array<std::int64_t, feature_count> trials{};
  for (const trial& t : chosen.trials)
    for (const feature f : members(materialise(t.spec).asks()))
      ++trials[static_cast<std::size_t>(f)];
  std::vector<std::string> scarce;
  for (const feature f : members(features.without(feature::lse)))
    if (trials[static_cast<std::size_t>(f)] < least_judged_problems)
      scarce.emplace_back(name_of(f));
  return scarce;
}

}  // namespace

subject_info corpus_subject_info(std::string address, const manifest& m) {
  subject_info info;
  info.name = address;
  info.address = std::move(address);
  info.features = m.features;
  info.inputs = {m.kept.inputs};
  info.profile = m.profile;
  info.profile_origin = origin::given;
  info.contracts = {m.kept};
  return info;
}

void write_corpus(const fs::path& folder, const manifest& m,
                  const std::vector<asked_problem>& problems) {
  create_folder(folder / "problems");
  create_folder(folder / "answers");
  for (std::size_t n = 0; n < problems.size(); ++n)
    write_bytes(folder / problem_path(n, m.files),
                problem_file(problems[n].posed, problems[n].digest, m.files));
  write_bytes(folder / manifest_name, print_manifest(m));
}

chosen_trials choose_corpus(const fs::path& folder, const corpus_request& asked) {
  if (asked.features.has(feature::strides))
    throw input_error(
        "a corpus can't ask for strides: its files are dense (layouts need a live subject)");
  require_fresh(folder);
  manifest asked_only;
  asked_only.kept = asked.kept;
  asked_only.profile = asked.profile;
  asked_only.features = asked.features;
  const subject_info info = corpus_subject_info(folder.string(), asked_only);
  chosen_trials chosen =
      choose_trials(info, matching_properties(asked.property), asked.seed, asked.count);
  if (chosen.trials.empty())
    throw input_error(fmt::format("no law has problems that fit: --count is {}", asked.count));
  return chosen;
}

made_corpus make_corpus(const fs::path& folder, const corpus_request& asked) {
  const chosen_trials chosen = choose_corpus(folder, asked);
  const manifest m = manifest_for(asked, chosen);
  create_folder(folder);
  write_bytes(folder / runner_name, runner_text());
  write_corpus(folder, m, chosen.problems);
  return {m, chosen.needs_live, scarce_features(asked.features, chosen)};
}

}  // namespace attest
