#include "properties/corpus/corpus_subject.h"

#include "reference/backends/answer.h"
#include "reference/certified/rounded.h"

namespace attest {
namespace {

void store_values(tensor& to, const std::vector<double>& values) {
  std::size_t n = 0;
  for_each_index(to.sizes(), [&](const index4& i) { to.set(i, values[n++]); });
}

// Right under any contract, and with the same bits for the same row.
void answer_exactly(const problem& p, tensor& o, tensor* lse) {
  const certified_answer exact = certify(p);
  store_values(o, round_correctly(p, o.element(), exact).output);
  if (lse != nullptr) store_values(*lse, round_correctly(p, lse->element(), exact).lse);
}

// Lives as long as a trial: repeats are counted anew in each, so that no order among trials counts.
class corpus_subject : public subject {
 public:
  corpus_subject(const subject_info& info, const stored_answer_to& find)
      : info_(info), find_(find) {}

  const subject_info& info() const override { return info_; }
  bool concurrent() const override { return false; }

  answer_outcome answer(problem& p, tensor& o, tensor* lse) override {
    asked_problem asked{p, asked_before_[problem_digest(p, 0)]++, {}};
    asked.digest = problem_digest(p, asked.repeat);
    if (const stored_answer* stored = find_(asked)) return copy_answer(*stored, o, lse);
    unanswered_.push_back(std::move(asked));
    answer_exactly(p, o, lse);
    return {};
  }

  std::vector<asked_problem> take_unanswered() { return std::move(unanswered_); }

 private:
  const subject_info& info_;
  const stored_answer_to& find_;
  std::map<std::string, std::int64_t> asked_before_;
  std::vector<asked_problem> unanswered_;
};

}  // namespace

stored_trial judge_stored(const property& law, const problem_spec& spec, const subject_info& info,
                          const assurance& sure, const stored_answer_to& find) {
  corpus_subject stored(info, find);
  examiner subject(stored, sure);
  judgement found = law.judge(spec, subject);
  return {std::move(found), stored.take_unanswered()};
}

}  // namespace attest
