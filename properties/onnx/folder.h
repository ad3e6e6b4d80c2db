// Judging a folder of ONNX's backend tests.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "derivation/bounds/forward.h"
#include "properties/onnx/conventions.h"
#include "properties/onnx/ulp_histogram.h"
#include "properties/subject.h"
#include "properties/verdict.h"

namespace attest {

// What can be said of the answers that a case stores.
enum class stored_class : std::uint8_t {
  correctly_rounded,  // every element is the number nearest to the exact answer
  close,              // within the bound, not all correctly rounded
  another_edition,    // they agree with an edition, but not with that of the folder
  wrong,              // they agree with no edition
  undecided,          // the bounds of every contract are too wide to tell
  not_judged,
};

std::string_view name_of(stored_class);

// One data set of one case.
struct onnx_case_result {
  std::string name;        // the folder, and the data set where it is not the only one
  std::string not_judged;  // why; empty: it was
  std::string
      expands;  // the case whose node says what is asked, where the model is expanded from it
  std::int64_t opset = 0;
  std::string inputs;                    // the format
  std::vector<std::string> agrees_with;  // editions, oldest first
  std::string conventions;               // the judged ones that matter to it: those of the folder's
                                         // edition, or else of one that agrees
  std::string fits;  // conventions of no edition under which it would agree; empty: none was found
  stored_class found = stored_class::not_judged;
  std::string contract;  // the tightest that holds, or the loosest
  judgement stored;    // under the folder's edition or, for another_edition, the newest that agrees
  ulp_histogram ulps;  // likewise
  // With a subject, in place of the stored answers:
  std::optional<judgement> of_subject;
  std::string subject_contract;
  std::vector<std::string> not_asked;  // outputs of the case that no subject gives
};

struct onnx_folder_result {
  std::string folder;
  std::string edition;         // under which it is judged
  bool edition_given = false;  // else it is the newest of those with which most cases agree
  std::size_t agreeing = 0;    // cases
  std::vector<onnx_case_result> cases;
  std::int64_t others = 0;  // cases without an operator of attention
  std::optional<subject_info> subject;

  // 0: all judged and right; 1: a stored answer, or with a subject one of its, is not; 3: nothing
  // is wrong, but something was not judged, or undecided.
  int exit_code() const;
};

struct onnx_options {
  std::string edition;  // empty: found
  double false_alarm = assurance{}.false_alarm;
  attest::subject* subject = nullptr;
  std::function<void(std::size_t done, std::size_t total)> watch = {};
};

// Error: input_error for an edition that is not known, a folder without a case of attention, and
// files that
//   can't be read or do not fit their model.
onnx_folder_result judge_onnx_folder(const std::filesystem::path&, const onnx_options&);

}  // namespace attest
