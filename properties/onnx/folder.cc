#include "properties/onnx/folder.h"

#include <algorithm>
#include <map>

#include "properties/exchange/byte_source.h"
#include "properties/onnx/arithmetic.h"
#include "properties/onnx/asked_subject.h"
#include "properties/onnx/call_problem.h"
#include "properties/onnx/linear_answers.h"
#include "properties/onnx/stored_answers.h"

namespace attest {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view expanded_mark = "_expanded";

// A call to be judged, and what is known of it.
struct judged_call {
  onnx_case_result result;
  std::optional<attention_call> call;
  std::optional<linear_call> linear;  // of LinearAttention, which has one edition

  bool is_judged() const { return call || linear; }
};

// The judgement under one set of conventions, on the tightest contract that holds.
struct agreement {
  judgement j;
  std::string contract;

  bool holds() const { return j.outcome == verdict::holds && j.undecided == 0; }
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
    for (const fs::path& path : find_onnx_cases(folder)) read_case(path, folder);
    if (calls_.empty())
      refuse(folder.string(), "cases of which none is about attention",
             "cases of the operator Attention, opset 23 to 28, or LinearAttention");
    refuse_if_nothing_is_judged();
  }

  onnx_folder_result judge() {
    for (judged_call& each : calls_) {
      if (each.call) find_agreeing(each);
      if (each.linear) judge_recurrence(each);
      tell(++done_);
    }
    choose_edition();
    for (judged_call& each : calls_) {
      if (each.call) judge_under_edition(each);
      tell(++done_);
    }
    if (options_.subject != nullptr) ask_subject();
    for (judged_call& each : calls_) result_.cases.push_back(std::move(each.result));
    return std::move(result_);
  }

 private:
  void tell(std::size_t done) const {
    if (options_.watch) options_.watch(done, 2 * calls_.size());
  }

  // --- Reading ---

  static std::string name_of_case(const fs::path& path, const fs::path& folder) {
    const std::string below = path.lexically_relative(folder).string();
    return below == "." || below.empty() ? fs::absolute(path).lexically_normal().filename().string()
                                         : below;
  }

  // The folder beside it from which an expanded case was made.
  static fs::path unexpanded(const fs::path& path) {
    const std::string name = path.filename().string();
    const auto mark = name.find(expanded_mark);
    return mark == std::string::npos ? fs::path() : path.parent_path() / name.substr(0, mark);
  }

  void read_case(const fs::path& path, const fs::path& folder) {
    const onnx_model own = read_onnx_model_file(path / "model.onnx");
    onnx_case_result r;
    r.name = name_of_case(path, folder);
    r.opset = own.opset;
    const fs::path origin = unexpanded(path);
    if (!origin.empty()) {
      read_expanded(path, origin, std::move(r));
    } else if (!is_about_attention(own)) {
      ++result_.others;
    } else {
      read_or_name(path, own, std::move(r));
    }
  }

  // Reads what is judged; of the rest, why it is not.
  void read_or_name(const fs::path& path, const onnx_model& model, onnx_case_result r) {
    const bool is_linear = is_linear_attention(model);
    r.not_judged = is_linear ? why_linear_not_judged(model) : why_not_judged(model);
    if (!r.not_judged.empty())
      calls_.push_back({std::move(r), std::nullopt, std::nullopt});
    else if (is_linear)
      read_linear_calls(path, model, r);
    else
      read_calls(path, model, r);
  }

  // The model computes the operator by others. What is asked is what the case asks that it was made
  // from.
  void read_expanded(const fs::path& path, const fs::path& origin, onnx_case_result r) {
    if (!fs::exists(origin / "model.onnx")) {
      read_alone(origin.filename().string(), std::move(r));
      return;
    }
    const onnx_model model = read_onnx_model_file(origin / "model.onnx");
    if (!is_about_attention(model)) {
      ++result_.others;
      return;
    }
    r.expands = origin.filename().string();
    read_or_name(path, model, std::move(r));
  }

  // Without that case nothing but the name tells of which operator it was made.
  void read_alone(const std::string& origin, onnx_case_result r) {
    if (origin.find("attention") == std::string::npos) {
      ++result_.others;
      return;
    }
    r.not_judged = "expanded from " + origin + ", which does not lie beside it";
    calls_.push_back({std::move(r), std::nullopt, std::nullopt});
  }

  void read_calls(const fs::path& path, const onnx_model& model, const onnx_case_result& r) {
    const std::vector<onnx_data_set> sets = read_onnx_data_sets(path);
    for (const onnx_data_set& set : sets) {
      judged_call each{r, read_attention_call(model, set, (path / set.name).string()),
                       std::nullopt};
      each.result.inputs = each.call->q.element->name;
      add(std::move(each), set, sets.size());
    }
  }

  void read_linear_calls(const fs::path& path, const onnx_model& model, const onnx_case_result& r) {
    const std::vector<onnx_data_set> sets = read_onnx_data_sets(path);
    for (const onnx_data_set& set : sets) {
      judged_call each{r, std::nullopt, read_linear_call(model, set, (path / set.name).string())};
      each.result.inputs = each.linear->inputs->name;
      add(std::move(each), set, sets.size());
    }
  }

  void add(judged_call each, const onnx_data_set& set, std::size_t sets) {
    if (sets > 1) each.result.name += "/" + set.name;
    calls_.push_back(std::move(each));
  }

  void refuse_if_nothing_is_judged() const {
    const auto judged = [](const judged_call& each) { return each.is_judged(); };
    if (std::any_of(calls_.begin(), calls_.end(), judged)) return;
    const onnx_case_result& first = calls_.front().result;
    refuse((fs::path(result_.folder) / first.name).string(), first.not_judged,
           "one node Attention (opset 23 to 28) or LinearAttention (27, 28) of ONNX's own domain");
  }

  // --- Judging ---

  void find_agreeing(judged_call& each) {
    comparisons all(*each.call, sure_);
    for (const onnx_edition& e : onnx_editions())
      if (all.under(e.conventions).holds()) each.result.agrees_with.emplace_back(e.name);
  }

  void choose_edition() {
    const auto count = [&](std::string_view edition) {
      return static_cast<std::size_t>(
          std::count_if(calls_.begin(), calls_.end(),
                        [&](const judged_call& each) { return agrees(each.result, edition); }));
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

  void judge_under_edition(judged_call& each) const {
    onnx_case_result& r = each.result;
    const attention_call& c = *each.call;
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

  // The operator has one edition, so nothing tells them apart.
  static void judge_recurrence(judged_call& each) {
    judged_linear judged = judge_linear(*each.linear);
    onnx_case_result& r = each.result;
    r.found = class_under_edition({judged.found, judged.contract}, judged.ulps);
    r.stored = std::move(judged.found);
    r.contract = std::move(judged.contract);
    r.ulps = judged.ulps;
    if (r.found != stored_class::correctly_rounded && r.found != stored_class::close) return;
    for (const onnx_edition& e : onnx_editions()) r.agrees_with.emplace_back(e.name);
  }

  void ask_subject() {
    examiner asked(*options_.subject, sure_);
    result_.subject = asked.info();
    for (judged_call& each : calls_) {
      if (each.linear) {
        each.result.found = stored_class::not_judged;
        each.result.not_judged = "LinearAttention, which no subject is asked";
      }
      if (!each.call) continue;
      const onnx_conventions& o = find_onnx_edition(result_.edition).conventions;
      asked_call a = ask_call(asked, *each.call, o);
      each.result.of_subject = std::move(a.found);
      each.result.not_asked = std::move(a.not_asked);
      each.result.subject_contract = asked.info().contract_for(*each.call->q.element).name;
    }
  }

  const onnx_options& options_;
  assurance sure_;
  onnx_folder_result result_;
  std::vector<judged_call> calls_;
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
