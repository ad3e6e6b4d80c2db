// Writes problems for an implementation that runs on another machine.
#pragma once

#include <filesystem>
#include <string>

#include "properties/corpus/chosen_trials.h"

namespace attest {

// What PyTorch's scaled_dot_product_attention can be asked.
inline constexpr feature_set usual_corpus_features = feature_set()
                                                         .with(feature::mask)
                                                         .with(feature::bias)
                                                         .with(feature::infinite_bias)
                                                         .with(feature::causal_top_left)
                                                         .with(feature::causal_bottom_right)
                                                         .with(feature::grouped_heads)
                                                         .with(feature::scale)
                                                         .with(feature::cross_lengths)
                                                         .with(feature::value_width);

inline constexpr std::int64_t usual_corpus_count = 500;

struct corpus_request {
  std::string version;  // of attest
  contract kept;
  std::string profile = "attest";
  feature_set features = usual_corpus_features;
  corpus_format files = corpus_format::safetensors;
  std::string property = "*";  // a glob of laws
  std::uint64_t seed = default_seed;
  std::int64_t count = usual_corpus_count;
};

struct made_corpus {
  manifest holds;
  std::vector<const property*> needs_live;
  std::vector<std::string> scarce;  // features with fewer problems than a check requires
};

// Computes: the trials that the request comes to. Domain, Error: as make_corpus, but nothing is
// written.
chosen_trials choose_corpus(const std::filesystem::path&, const corpus_request&);

// Writes problems, the runner and, last, the manifest. Domain: features without strides. Error:
// input_error for a folder that is there and not empty, or one that can't be written, and where
// not one trial fits.
made_corpus make_corpus(const std::filesystem::path&, const corpus_request&);

// Writes the problem files of a manifest, and then the manifest. Error: as make_corpus.
void write_corpus(const std::filesystem::path&, const manifest&, const std::vector<asked_problem>&);

// What a corpus's subject declares. address: the folder.
subject_info corpus_subject_info(std::string address, const manifest&);

}  // namespace attest
