#include "properties/catalogue/catalogue.h"
#include "properties/row_pairs.h"

namespace attest {
namespace {

constexpr int calls_between = 20;

std::optional<problem_spec> adapt(problem_spec spec, const subject_info&) { return spec; }

// In place; a second time brings back what was there.
void negate(tensor& t) {
  const tensor before = t;
  for_each_index(t.sizes(), [&](const index4& i) { t.set(i, -before.at(i)); });
}

answer with_negated_output(answer a) {
  negate(a.o);
  return a;
}

// One problem that is put again and again. A refusal ends it.
class repetition {
 public:
  repetition(examiner& subject, problem& p, same_bits bits)
      : subject_(subject), problem_(p), bits_(bits), first_(subject.ask_in_place(p)) {
    refusal_ = first_.refusal;
  }

  // Asks once more, where it lies, and compares with the first answer.
  void repeat(const char* what) { compare(first_, subject_.ask_in_place(problem_), bits_, what); }

  // Likewise while V is negated: every output must have the other sign.
  void repeat_negated(const char* what) {
    compare(with_negated_output(first_), subject_.ask_in_place(problem_), same_bits::not_expected,
            what);
  }

  // Compares what the problem, as it is now, gives where it lies and as a copy elsewhere.
  void compare_with_copy(same_bits bits, const char* what) {
    compare(subject_.ask_in_place(problem_), subject_.ask(problem_), bits, what);
  }

  // Likewise on other numbers of threads, which may add in another order.
  void repeat_on_threads(const char* what) {
    if (!subject_.heeds_threads()) return;
    for (int threads : {1, 2})
      compare(first_, subject_.ask_on_threads(problem_, threads), same_bits::not_expected, what);
  }

  judgement result() const { return refusal_ ? *refusal_ : judgement_; }

 private:
  void compare(const answer& before, const answer& after, same_bits bits, const char* what) {
    for (const answer* each : {&before, &after})
      if (!refusal_) refusal_ = each->refusal;
    if (refusal_) return;
    row_pairs pairs(judgement_, subject_.terms_for(problem_), {problem_, before}, {problem_, after},
                    bits, what);
    for_each_row(problem_.dims, [&](const row_index& row) { pairs.judge(row); });
  }

  examiner& subject_;
  problem& problem_;
  same_bits bits_;
  const answer first_;
  std::optional<judgement> refusal_;
  judgement judgement_;
};

judgement judge(const problem_spec& spec, examiner& subject) {
  problem p = materialise(spec);
  const contract& kept = subject.contract_for(p);
  repetition calls(subject, p, bits_declared(kept.deterministic));
  calls.repeat("output of the same call again");
  negate(p.v);
  calls.repeat_negated("output after V was negated in place");
  negate(p.k);
  calls.compare_with_copy(bits_declared(kept.deterministic && kept.layout_invariant),
                          "output of the same problem elsewhere, after the data changed in place");
  negate(p.v);
  negate(p.k);
  calls.repeat("output of the same call after the data changed in place and back");
  for (int n = 0; n < calls_between; ++n) calls.repeat("output of the same call many calls later");
  calls.repeat_on_threads("output of the same call with one or two threads");
  return calls.result();
}

}  // namespace

const property repeated_calls_agree{
    .name = "repeated_calls_agree",
    .theme = "calls",
    .statement =
        "A call gives what it gave before: at once, after other calls and many calls later, and "
        "data that changed in place counts as changed.",
    .method =
        "The same problem 23 times at the same addresses. In between V is negated where it lies, "
        "which must negate the output, and K too, which must give what a copy elsewhere gives. A "
        "plugin is also run in processes in which OMP_NUM_THREADS and the like are 1 and 2.",
    .bound =
        "twice forward_bound; 0 where the contract declares deterministic (for the copy "
        "elsewhere: layout_invariant too). Other bits are an observation",
    .proof = "derivation/bounds/same_rows.md#bits",
    .claim = "one_cell",
    .needs = "nothing",
    .catches =
        "answers cached by address, shape or query, state left from an earlier call, races, "
        "dropout that is never switched off, scratch space read before it is written",
    .admits = feature_set::all(),
    .groups = feature_set().with(feature::causal_bottom_right).with(feature::lengths),
    .base_problems = 2,
    .scorers = every_scorer,
    .normalizers = every_normalizer,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
