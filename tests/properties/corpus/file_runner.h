// A second runner of corpora: it knows a problem from its files alone and puts it to a subject.
#pragma once

#include <filesystem>

#include "properties/subject.h"

namespace attest {

// Answers every problem of the folder that has no answer yet, and of its follow-ups.
void answer_files(const std::filesystem::path& corpus, subject&);

}  // namespace attest
