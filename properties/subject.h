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

// Where a subject's profile or contract comes from: nobody named one; the subject did; its caller
// did; it was found by probes.
enum class origin : std::uint8_t { by_default, declared, given, identified };

std::string_view name_of(origin);

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
  origin profile_origin = origin::by_default;
  bool lse_is_optional = false;  // whether a call may leave it out where it is declared
  std::optional<contract> given_contract = {};  // in place of the declared one of its format

  // Computes: the contract on which problems with inputs of that format are judged, and whence.
  const contract& contract_for(const format&) const;
  origin contract_origin(const format&) const;

 private:
  const contract* declared_contract(const format&) const;
};

// Error: input_error for a contract about inputs that the subject does not declare.
void require_about_inputs(const contract&, const subject_info&);
// Error: likewise for each that the subject declares itself, and for two about the same inputs.
void require_declared_contracts(const subject_info&);

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

// How a call is made, for subjects to which it makes a difference.
enum class manner : std::uint8_t {
  usual,
  in_place,  // its caller keeps the problem and puts it again: always at the same addresses, which
             // no call of another manner has
  one_thread,  // the subject computes on as many threads, if it heeds the usual environment
               // variables
  two_threads,
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
  // Whether it computes that member of the family at all. A caller's profile may name any.
  virtual bool computes(const semantics&) const { return true; }
  // Writes every element of o, and of lse where it is given. May throw: that is reported as
  // misbehaviour.
  virtual answer_outcome answer(problem&, tensor& o, tensor* lse) = 0;

  // Whether a number of threads may be asked for.
  virtual bool heeds_threads() const { return false; }
  virtual answer_outcome answer_in(manner, problem& p, tensor& o, tensor* lse) {
    return answer(p, o, lse);
  }
};

// Result: three quarters of the machine's memory; 0, no limit, in builds with sanitizers.
std::int64_t default_memory_mib();

// How a subject that is not attest's own code is run (docs/isolation.md).
struct isolation {
  bool apart = true;            // in a process of its own
  double timeout_seconds = 60;  // for loading it, and for a call, which gets more if it is large
  std::int64_t memory_mib = default_memory_mib();  // that it may allocate; 0: no limit
};

// What a caller says in place of the subject; empty: nothing.
struct declarations {
  std::string contract = {};  // a preset's name, or a file's (properties/exchange/contract_json.h)
  std::string profile = {};   // as find_profile reads it, or identify_profile
  isolation run = {};
};

// Opens "builtin:NAME", "exec:COMMAND LINE", "ADAPTER:NAME" (properties/adapter.h) or
// "PATH.so[:NAME]" with these declarations. A profile that is to be found by probes is found now.
// Error: input_error when there is no such subject, or it does not keep the plugin ABI or the
// protocol of commands, and for a contract or profile that is not known, or one that is about other
// inputs.
std::unique_ptr<subject> open_subject(std::string_view address, const declarations& = {});

// Computes: a subject that is asked the member of the family that its profile names: without a sink
// and an lse where the normalizer has none. Error: input_error where it does not compute that one.
std::unique_ptr<subject> as_member(std::unique_ptr<subject>);

// The same with what the subject itself declares.
std::unique_ptr<subject> open_as_declared(std::string_view address, const isolation&);

// The subjects that open_subject knows by themselves.
std::unique_ptr<subject> open_builtin(std::string_view name);
std::unique_ptr<subject> open_plugin(std::string_view address, const isolation&);

}  // namespace attest
