// Puts problems to a subject and watches how it behaves while it answers.
#pragma once

#include <functional>
#include <mutex>
#include <optional>

#include "derivation/bounds/forward.h"
#include "properties/subject.h"
#include "properties/verdict.h"

namespace attest {

// On what a problem is judged: the contract, and how sure the likely bounds are.
struct terms {
  const contract& kept;
  assurance sure;
};

// What a subject gave back. judge only what was answered.
struct answer {
  tensor o;                          // in the output format of the contract
  std::optional<tensor> lse;         // where the subject declares lse
  std::optional<judgement> refusal;  // unsupported or misbehaved: nothing to judge
};

// Safe to use from several threads; a subject that is not concurrent gets one call at a time.
class examiner {
 public:
  explicit examiner(subject& s, const assurance& sure = {}) : subject_(s), sure_(sure) {}

  const subject_info& info() const { return subject_.info(); }
  const contract& contract_for(const problem& p) const {
    return info().contract_for(p.q.element());
  }
  terms terms_for(const problem& p) const { return {contract_for(p), sure_}; }

  // Asks the problem once. Misbehaved: an exception, an error, a declared feature declined, an
  // input or a gap between outputs written, an output element left unwritten (shown by two fills
  // that both survive).
  answer ask(const problem&);
  // The same, but the subject reads the problem where it lies: a caller that keeps it shows the
  // subject the same addresses at each call.
  answer ask_in_place(problem&);
  // The same on one or two threads, where the subject heeds that.
  answer ask_on_threads(const problem&, int threads);
  bool heeds_threads() const { return subject_.heeds_threads(); }
  // The same, but the subject is given no lse to write.
  answer ask_without_lse(const problem&);

 private:
  struct way {
    manner how = manner::usual;
    bool with_lse = true;  // where the subject declares it
  };
  answer ask_watched(way, problem&, const problem& before);
  answer ask_over(way, problem& copy, std::uint64_t fill);
  answer_outcome call(manner, problem&, answer&);

  subject& subject_;
  assurance sure_;
  std::mutex one_at_a_time_;
};

}  // namespace attest
