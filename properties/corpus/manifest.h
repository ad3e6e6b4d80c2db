// What a corpus holds, as the JSON file beside its problems says it: for the runner, for people,
// and for attest when the answers have come back.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "properties/corpus/problem_file.h"
#include "reference/contract/contract.h"

namespace attest {

// A law and a problem line, as in run.h; its name is looked up by who runs it.
struct trial_line {
  std::string law;
  std::string group;
  std::string problem;

  friend bool operator==(const trial_line&, const trial_line&) = default;
};

// One problem file.
struct corpus_entry {
  std::string digest;       // as problem_digest
  std::string file_sha256;  // of the file's bytes
  std::string ask;          // a JSON object: what the arrays do not say
  std::int64_t repeat = 0;
  std::size_t trial = 0;  // the first that asks it

  friend bool operator==(const corpus_entry&, const corpus_entry&) = default;
};

struct manifest {
  std::string version;  // of the attest that made it
  int round = 0;        // 0: the corpus itself; then its follow-ups
  std::uint64_t seed = 0;
  std::int64_t count = 0;  // of problem files, at most
  std::string property;    // the glob of the laws that were asked for
  double effort = 0;       // what part of the trials of `attest check --effort 1` there are
  corpus_format files{};
  contract kept;
  std::string profile;
  feature_set features;
  std::vector<std::string> left_out;  // laws whose problems did not fit
  std::vector<trial_line> trials;
  std::vector<corpus_entry> problems;
};

// Computes: the entry of a problem that was asked `repeat` times before.
corpus_entry describe(const problem&, std::int64_t repeat, std::size_t trial, corpus_format);

// Computes: the paths of the n-th problem and its answer, counted from 0, in the corpus's folder:
// "problems/000001.npz". ending: of the answer, with its dot.
std::string problem_path(std::size_t n, corpus_format);
std::string answer_path(std::size_t n, std::string_view ending);

// Computes: the text of the file.
std::string print_manifest(const manifest&);

// Result: the manifest of which this is the text. Domain: as print_manifest gives it; blanks and
// the order of members may differ. Error: input_error naming `where` and the first thing that
// differs from what the rest of the manifest says.
manifest parse_manifest(std::string_view text, std::string_view where);

inline constexpr std::string_view manifest_name = "manifest.json";
manifest read_manifest(const std::filesystem::path& folder);

}  // namespace attest
