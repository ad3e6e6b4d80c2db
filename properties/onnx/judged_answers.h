// What is said of the stored answers of an operator of one edition.
#pragma once

#include <string>

#include "properties/onnx/ulp_histogram.h"
#include "properties/verdict.h"

namespace attest {

struct judged_answers {
  judgement found;
  std::string contract;  // the tightest that holds, or the loosest
  ulp_histogram ulps;
};

// Whether every element is within its bound.
inline bool every_element_holds(const judgement& j) {
  return j.outcome == verdict::holds && j.undecided == 0;
}

}  // namespace attest
