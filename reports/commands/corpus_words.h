// What is said of a corpus, made or judged.
#pragma once

#include <string>
#include <vector>

#include "properties/corpus/check_corpus.h"

namespace attest {

// Computes: "142 trials of 35 laws on 500 problems, 0.03 of a check at effort 1".
std::string corpus_words(const manifest&);

// Computes: a sentence that names the laws or features.
std::string left_out_sentence(const std::vector<std::string>& laws);
std::string needs_live_sentence(const std::vector<const property*>&);
std::string scarce_sentence(const std::vector<std::string>& features);

// Computes: what there is to say of the corpus beside its verdict.
std::string corpus_hint(const manifest&, const corpus_check&);

}  // namespace attest
