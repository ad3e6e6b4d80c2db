// An implementation under test. It has one operation: answer a problem into buffers that the runner
// owns.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/contract/contract.h"
#include "reference/problems/problem.h"

namespace attest {

// Where a subject's profile comes from.
enum class profile_origin : std::uint8_t { by_default, declared, given, identified };

std::string_view name_of(profile_origin);

// In place of a profile: it is to be found by probes (properties/identify/identify.h).
inline constexpr std::string_view identify_profile = "identify";

struct subject_info {
  std::string address;  // as given: "builtin:float32", "kernel.so:name"
  std::string name;
  std::string version;
  feature_set features;
  std::vector<const format*> inputs;
  std::string profile = "attest";
  std::vector<contract> contracts;  // declared; a format without one is gated on its default
  std::string given_options =
      {};  // of the command line, where it replaced what the subject declares
  profile_origin origin = profile_origin::by_default;

  // Computes: the contract on which problems with inputs of that format are judged.
  const contract& contract_for(const format&) const;
};

enum class answer_status : std::uint8_t {
  answered,
  unsupported,
  failed,      // an error that it reported
  misbehaved,  // a rule of the call that it broke
  crashed,     // its process ended before it answered
  timed_out,   // and was ended
};

struct answer_outcome {
  answer_status status = answer_status::answered;
  std::string message;  // why, where it was not answered
};

class subject {
 public:
  subject() = default;
  subject(const subject&) = delete;
  subject& operator=(const subject&) = delete;
  virtual ~subject() = default;

  virtual const subject_info& info() const = 0;
  // Whether answer may be called from several threads at once.
  virtual bool concurrent() const = 0;
  // Writes every element of o, and of lse where it is given. May throw: that is reported as
  // misbehaviour.
  virtual answer_outcome answer(problem&, tensor& o, tensor* lse) = 0;
};

// Opens "builtin:NAME", "exec:COMMAND LINE", "ADAPTER:NAME" (properties/adapter.h) or
// "PATH.so[:NAME]". A profile that is to be found by probes is found now. Error: input_error when
// there is no such subject, or it does not keep the plugin ABI or the protocol of commands.
std::unique_ptr<subject> open_subject(std::string_view address);

// What a caller says in place of the subject; empty: nothing.
struct declarations {
  std::string contract;  // a preset's name, or a file's (properties/exchange/contract_json.h)
  std::string profile;   // as find_profile reads it, or identify_profile
};

// Result: the subject with these declarations. Error: input_error for a contract or profile that is
// not known, or one that is about other inputs.
std::unique_ptr<subject> open_subject(std::string_view address, const declarations&);

// The subjects that open_subject knows by themselves.
std::unique_ptr<subject> open_builtin(std::string_view name);
std::unique_ptr<subject> open_plugin(std::string_view address);

}  // namespace attest
