#include "properties/onnx/folder.h"

#include <algorithm>

#include "properties/onnx/arithmetic.h"
#include "properties/onnx/asked_subject.h"
#include "properties/onnx/call_problem.h"
#include "properties/onnx/flex_answers.h"
#include "properties/onnx/folder_cases.h"
#include "properties/onnx/graph/not_taken.h"
#include "properties/onnx/linear_answers.h"
#include "properties/onnx/stored_answers.h"

namespace attest {
namespace {

namespace fs = std::filesystem;

// The judgement under one set of conventions, on the tightest contract that holds.
struct agreement {
  judgement j;
  std::string contract;

  bool holds() const { return every_element_holds(j); }
};

agreement compare(const attention_call& c, const onnx_conventions& o, const assurance& sure) {
  agreement found;
  for (const contract& kept : contracts_for(c)) {
    found = {judge_stored(c, o, {kept, sure}), kept.name};
    if (found.holds()) break;
  }
  return found;
}

// Judges a call under several conventions, and under the same ones once.
class comparisons {
 public:
  comparisons(const attention_call& c, const assurance& sure) : call_(c), sure_(sure) {}

  const agreement& under(const onnx_conventions& given) {
    const onnx_conventions o = what_matters(given, call_);
    for (const auto& [conventions, found] : known_)
      if (conventions == o) return found;
    known_.emplace_back(o, compare(call_, o, sure_));
    return known_.back().second;
  }

 private:
  const attention_call& call_;
  assurance sure_;
  std::vector<std::pair<onnx_conventions, agreement>> known_;
};

// Which conventions of no edition would make the answers agree: the ones nearest to `from`, in as
// few fields as possible.
std::string find_fitting(const attention_call& c, const onnx_conventions& from,
                         const assurance& sure) {
  constexpr std::int64_t most_scores = 1 << 16;  // a larger call would take too long
  const index4 sizes = c.dims.score_sizes();
  if (sizes[0] * sizes[1] * sizes[2] * sizes[3] > most_scores) return "";
  std::vector<onnx_conventions> tried{from};
  for (std::size_t n = 0; n < tried.size(); ++n)
    for (const convention_field& field : convention_fields())
      for (std::size_t value = 0; field.matters(c) && value < field.values.size(); ++value) {
        onnx_conventions next = tried[n];
        field.set(next, value);
        if (std::find(tried.begin(), tried.end(), next) != tried.end()) continue;
        if (compare(c, next, sure).holds()) return conventions_text(next, c);
        tried.push_back(next);
      }
  return "";
}

const onnx_edition* find_newest(const std::vector<std::string>& names) {
  return names.empty() ? nullptr : &find_onnx_edition(names.back());
}

bool agrees(const onnx_case_result& r, std::string_view edition) {
  return std::find(r.agrees_with.begin(), r.agrees_with.end(), edition) != r.agrees_with.end();
}

stored_class class_under_edition(const agreement& a, const ulp_histogram& ulps) {
  if (!a.holds()) return is_failure(a.j.outcome) ? stored_class::wrong : stored_class::undecided;
  return ulps.correctly_rounded() == ulps.elements() ? stored_class::correctly_rounded
                                                     : stored_class::close;
}

// The cases of a folder, read and judged.
class folder_judge {
 public:
  folder_judge(const fs::path& folder, const onnx_options& options)
      : options_(options), sure_{.false_alarm = options.false_alarm} {
    result_.folder = folder.string();
    if (!options.edition.empty()) find_onnx_edition(options.edition);
    onnx_cases read = read_onnx_cases(folder);
    cases_ = std::move(read.cases);
    result_.others = read.others;
  }

  onnx_folder_result judge() {
    for (onnx_case& each : cases_) {
      if (const auto* call = std::get_if<attention_call>(&each.call))
        find_agreeing(each.result, *call);
      else if (!std::holds_alternative<std::monostate>(each.call))
        judge_once(each);
      tell(++done_);
    }
    choose_edition();
    for (onnx_case& each : cases_) {
      if (const auto* call = std::get_if<attention_call>(&each.call))
        judge_under_edition(each.result, *call);
      tell(++done_);
    }
    if (options_.subject != nullptr) ask_subject();
    for (onnx_case& each : cases_) result_.cases.push_back(std::move(each.result));
    return std::move(result_);
  }

 private:
  void tell(std::size_t done) const {
    if (options_.watch) options_.watch(done, 2 * cases_.size());
  }

  // --- Judging ---

  void find_agreeing(onnx_case_result& r, const attention_call& call) const {
    comparisons all(call, sure_);
    for (const onnx_edition& e : onnx_editions())
      if (all.under(e.conventions).holds()) r.agrees_with.emplace_back(e.name);
  }

  void choose_edition() {
    const auto count = [&](std::string_view edition) {
      return static_cast<std::size_t>(
          std::count_if(cases_.begin(), cases_.end(),
                        [&](const onnx_case& each) { return agrees(each.result, edition); }));
    };
    result_.edition_given = !options_.edition.empty();
    result_.edition = options_.edition;
    result_.agreeing = result_.edition_given ? count(options_.edition) : 0;
    if (result_.edition_given) return;
    for (const onnx_edition& e : onnx_editions()) {
      const std::size_t agreeing = count(e.name);
      if (agreeing < result_.agreeing) continue;
      result_.agreeing = agreeing;
      result_.edition = e.name;
    }
  }

  void judge_under_edition(onnx_case_result& r, const attention_call& c) const {
    const onnx_edition* edition = &find_onnx_edition(result_.edition);
    const onnx_edition* newest = find_newest(r.agrees_with);
    const bool other = newest != nullptr && !agrees(r, result_.edition);
    if (other) edition = newest;
    const agreement found = compare(c, edition->conventions, sure_);
    r.stored = found.j;
    r.contract = found.contract;
    r.conventions = conventions_text(edition->conventions, c);
    r.ulps = count_ulps(c, edition->conventions);
    r.found = other ? stored_class::another_edition : class_under_edition(found, r.ulps);
    if (r.found == stored_class::wrong) r.fits = find_fitting(c, edition->conventions, sure_);
  }

  judged_answers judged(const onnx_case& each) const {
    if (const auto* linear = std::get_if<linear_call>(&each.call)) return judge_linear(*linear);
    return judge_flex(std::get<flex_call>(each.call), sure_);
  }

  // Operators of one edition, so that nothing tells the editions apart.
  void judge_once(onnx_case& each) const {
    onnx_case_result& r = each.result;
    try {
      judged_answers answers = judged(each);
      r.found = class_under_edition({answers.found, answers.contract}, answers.ulps);
      r.stored = std::move(answers.found);
      r.contract = std::move(answers.contract);
      r.ulps = answers.ulps;
    } catch (const not_taken& why) {
      r.not_judged = why.what();
    }
    if (r.found != stored_class::correctly_rounded && r.found != stored_class::close) return;
    for (const onnx_edition& e : onnx_editions()) r.agrees_with.emplace_back(e.name);
  }

  void ask_subject() {
    examiner asked(*options_.subject, sure_);
    result_.subject = asked.info();
    for (onnx_case& each : cases_) {
      if (const auto* call = std::get_if<attention_call>(&each.call)) {
        ask(asked, each.result, *call);
      } else if (!std::holds_alternative<std::monostate>(each.call)) {
        const bool is_linear = std::holds_alternative<linear_call>(each.call);
        each.result.found = stored_class::not_judged;
        each.result.not_judged = std::string(is_linear ? "LinearAttention" : "FlexAttention") +
                                 ", which no subject is asked";
      }
    }
  }

  void ask(examiner& asked, onnx_case_result& r, const attention_call& call) const {
    const onnx_conventions& o = find_onnx_edition(result_.edition).conventions;
    asked_call a = ask_call(asked, call, o);
    r.of_subject = std::move(a.found);
    r.not_asked = std::move(a.not_asked);
    r.subject_contract = asked.info().contract_for(*call.q.element).name;
  }

  const onnx_options& options_;
  assurance sure_;
  onnx_folder_result result_;
  std::vector<onnx_case> cases_;
  std::size_t done_ = 0;
};

bool is_wrong(const onnx_case_result& r) {
  if (r.of_subject) return is_failure(r.of_subject->outcome);
  return r.found == stored_class::wrong || r.found == stored_class::another_edition;
}

// A subject need not answer what it does not declare.
bool is_open(const onnx_case_result& r) {
  if (r.of_subject) return r.of_subject->outcome == verdict::undecided;
  return r.found == stored_class::undecided || r.found == stored_class::not_judged;
}

bool holds(const onnx_case_result& r) {
  return !r.of_subject || r.of_subject->outcome == verdict::holds;
}

}  // namespace

std::string_view name_of(stored_class c) {
  constexpr std::string_view names[] = {
      "correctly rounded", "close", "another edition", "wrong", "undecided", "not judged"};
  return names[static_cast<std::size_t>(c)];
}

int onnx_folder_result::exit_code() const {
  if (std::any_of(cases.begin(), cases.end(), is_wrong)) return 1;
  if (std::any_of(cases.begin(), cases.end(), is_open)) return 3;
  return std::any_of(cases.begin(), cases.end(), holds) ? 0 : 3;
}

onnx_folder_result judge_onnx_folder(const fs::path& folder, const onnx_options& options) {
  return folder_judge(folder, options).judge();
}

}  // namespace attest
