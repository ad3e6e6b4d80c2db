// The answers to a corpus, one file a problem.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "properties/corpus/manifest.h"
#include "properties/exchange/array.h"
#include "properties/subject.h"

namespace attest {

// What a file says: arrays, or why there are none.
struct stored_answer {
  std::string place;       // the file
  answer_outcome outcome;  // misbehaved: the file answers another problem
  array o;
  std::optional<array> lse;
};

// By the digest of the problem.
using stored_answers = std::map<std::string, stored_answer>;

// Who answered, as the runner says; empty: it does not.
struct answerer {
  std::string name;
  std::string version;
};

// A corpus or a follow-up, with its answers.
struct corpus_folder {
  std::filesystem::path path;
  manifest holds;
  stored_answers answers;
  std::vector<std::string> unanswered;         // files of problems
  std::map<std::string, std::size_t> numbers;  // of the problems, by digest
  answerer by;
};

// Result: all that lies in the folder: answers/NNNNNN.safetensors or .npz with the arrays o, lse
// and problem, or .json with a status. Domain: files of problems may be missing, as only the
// answers are judged; those that are there are what the manifest says. Error: input_error naming
// the file for what can't be read, a problem that is not the one of the manifest, two answers to a
// problem, and an answer to none.
corpus_folder read_corpus_folder(const std::filesystem::path&);

// Computes: o and lse as they were stored. Result: why not, where an array is missing or not of the
// sizes and the format that are due.
answer_outcome copy_answer(const stored_answer&, tensor& o, tensor* lse);

}  // namespace attest
