#include "properties/plugin/plugin_answer.h"

#include <string>

#include "properties/plugin/float_environment.h"

namespace attest {
namespace {

std::string text_of(std::uint32_t changes) {
  if ((changes & other_rounding) != 0) return "another rounding mode";
  if ((changes & flushed_subnormals) != 0) return "flush-to-zero or denormals-are-zero on";
  if ((changes & other_precision) != 0) return "another precision of the x87 unit";
  return "floating-point exceptions that trap";
}

}  // namespace

answer_outcome outcome_of(const plugin_answer& a) {
  if (a.environment != 0)
    return {answer_status::misbehaved, "left " + text_of(a.environment) + " behind"};
  switch (a.status) {
    case ATTEST_OK:
      return {};
    case ATTEST_UNSUPPORTED:
      return {answer_status::unsupported, a.message.data()};
    case ATTEST_ERROR:
      return {answer_status::failed, a.message.data()};
    default:
      return {answer_status::misbehaved, "returned the unknown status " + std::to_string(a.status)};
  }
}

}  // namespace attest
