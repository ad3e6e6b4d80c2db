#include "reports/python/callable_subject.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "properties/exchange/contract_json.h"
#include "properties/identify/identify.h"
#include "reference/input_error.h"
#include "reference/problems/page_pool.h"
#include "reference/problems/problem_spec.h"
#include "reference/semantics/profiles.h"
#include "reference/text.h"
#include "reports/python/lent_arrays.h"

namespace attest {
namespace {

namespace py = pybind11;

bool is_file(const std::string& contract) {
  return std::filesystem::path(contract).extension() == ".json" && contract.front() != '{';
}

std::vector<contract> read_contracts(const std::string& text) {
  if (text.empty()) return {};
  if (is_file(text)) return {find_or_read_contract(text)};
  return parse_declared_contracts(text, "contract");
}

const format& input_format(std::string_view name) {
  for (const format* f : {&f64, &f32, &f16, &bf16})
    if (f->name == name) return *f;
  throw input_error("dtype '" + std::string(name) + "' (allowed: f64, f32, f16, bf16)");
}

std::vector<const format*> read_inputs(const callable_declaration& d,
                                       const std::vector<contract>& contracts) {
  std::vector<const format*> inputs;
  if (!d.inputs.empty())
    for (const std::string_view name : split(d.inputs, ',')) inputs.push_back(&input_format(name));
  else if (contracts.empty())
    inputs.push_back(&f32);
  else
    for (const contract& c : contracts) inputs.push_back(&input_format(c.inputs->name));
  return inputs;
}

py::object causal_text(causal_anchor anchor) {
  if (anchor == causal_anchor::none) return py::none();
  return py::str(anchor == causal_anchor::top_left ? "top_left" : "bottom_right");
}

// One call as a dict. What was made for it alone lies here: it lives as long as the loans.
class lent_call {
 public:
  lent_call(problem& p, tensor& o, tensor* lse, feature_set declared) : problem_(p) {
    add_tensors(o, lse);
    if (declared.has(feature::mask)) call_["mask"] = lend_mask();
    if (declared.has(feature::bias) || declared.has(feature::infinite_bias))
      call_["bias"] = p.bias ? py::object(loans_.lend(*p.bias)) : py::none();
    if (declared.has(feature::causal_top_left) || declared.has(feature::causal_bottom_right))
      call_["causal"] = causal_text(p.causal);
    if (declared.has(feature::window)) call_["window"] = window_tuple();
    if (declared.has(feature::lengths) || declared.has(feature::pages))
      call_["lengths"] = lend_list(pages_ ? pages_->lengths : p.lengths);
    if (declared.has(feature::pages))
      call_["page_table"] = pages_ ? py::object(lend_rows(pages_->table)) : py::none();
    if (declared.has(feature::scale)) call_["scale"] = p.scale_or_usual();
    if (declared.has(feature::soft_cap)) call_["soft_cap"] = p.soft_cap;
    if (declared.has(feature::sink)) call_["sink"] = lend_numbers(p.sink, sink_);
    if (declared.has(feature::alibi)) call_["slopes"] = lend_numbers(p.slopes, slopes_);
    add_patterns(declared);
    if (declared.has(feature::dropout)) add_dropout();
    if (!p.parameters.empty()) call_["parameters"] = lend_parameters();
    if (p.rules.normalised_by == normalizer::alpha_entmax) call_["alpha"] = p.alpha;
  }
  lent_call(const lent_call&) = delete;
  lent_call& operator=(const lent_call&) = delete;
  ~lent_call() { loans_.take_back(); }

  // Result: the dict, which no longer is held here.
  py::dict take() { return std::move(call_); }

  // The callable had copies of sink and slopes, of a mask of the other polarity, and pages in place
  // of k and v: what it wrote there goes back, to be noticed.
  void return_copies() {
    return_numbers(sink_, problem_.sink);
    return_numbers(slopes_, problem_.slopes);
    if (pages_) return_writes(*pages_, problem_);
    if (!inverted_mask_) return;
    problem_.mask = *inverted_mask_;
    problem_.mask->invert();
  }

 private:
  void add_tensors(tensor& o, tensor* lse) {
    call_["inputs"] = std::string(problem_.q.element().name);
    call_["output"] = std::string(o.element().name);
    call_["q"] = loans_.lend(problem_.q);
    if (problem_.paged.page > 0) pages_ = lay_in_pages(problem_);
    call_["k"] = loans_.lend(pages_ ? pages_->k : problem_.k);
    call_["v"] = loans_.lend(pages_ ? pages_->v : problem_.v);
    call_["o"] = loans_.lend(o);
    if (lse != nullptr) call_["lse"] = loans_.lend(*lse);
  }

  py::object lend_mask() {
    if (!problem_.mask) return py::none();
    if (problem_.rules.polarity == mask_polarity::true_keeps) return loans_.lend(*problem_.mask);
    inverted_mask_ = problem_.mask;
    inverted_mask_->invert();
    return loans_.lend(*inverted_mask_);
  }

  py::object window_tuple() const {
    if (problem_.sliding.open()) return py::none();
    return py::make_tuple(problem_.sliding.left, problem_.sliding.right);
  }

  py::list lend_parameters() {
    py::list all;
    for (tensor& each : problem_.parameters) all.append(loans_.lend(each));
    return all;
  }

  void add_patterns(feature_set declared) {
    problem& p = problem_;
    const auto add = [&](feature f, std::string_view name, std::int64_t value) {
      if (declared.has(f)) call_[py::str(std::string(name))] = value;
    };
    add(feature::dilation, "dilation", p.pattern.dilation);
    add(feature::chunks, "chunk", p.pattern.chunk);
    add(feature::global_keys, "global_keys", p.pattern.global_keys);
    add(feature::block_mask, "block_queries", p.pattern.block_queries);
    add(feature::block_mask, "block_keys", p.pattern.block_keys);
    if (declared.has(feature::block_mask))
      call_["block_mask"] = p.block_mask ? py::object(loans_.lend(*p.block_mask)) : py::none();
    if (!declared.has(feature::segments)) return;
    call_["query_segments"] = lend_rows(p.query_segments);
    call_["key_segments"] = lend_rows(p.key_segments);
  }

  py::object lend_list(std::vector<std::int64_t>& list) {
    return list.empty() ? py::none() : py::object(loans_.lend(list));
  }

  void add_dropout() {
    problem& p = problem_;
    call_["dropout_mask"] = p.dropout_mask ? py::object(loans_.lend(*p.dropout_mask)) : py::none();
    call_["dropout_scale"] = p.dropout_scale;
  }

  // [B, L].
  py::object lend_rows(std::vector<std::int64_t>& list) {
    if (list.empty()) return py::none();
    const std::int64_t batch = problem_.dims.batch;
    return loans_.lend(list).attr("reshape")(batch, -1);
  }

  py::object lend_numbers(const std::vector<double>& of_heads, tensor& copy) {
    if (of_heads.empty()) return py::none();
    const index4 sizes{1, problem_.dims.query_heads, 1, 1};
    copy = tensor(side_format(problem_.q.element()), place(layout::bhld, sizes), 0);
    for (std::int64_t h = 0; h < problem_.dims.query_heads; ++h)
      copy.set({0, h, 0, 0}, of_heads[static_cast<std::size_t>(h)]);
    return loans_.lend(copy);
  }

  static void return_numbers(const tensor& copy, std::vector<double>& of_heads) {
    for (std::size_t h = 0; h < of_heads.size(); ++h)
      of_heads[h] = copy.at({0, static_cast<std::int64_t>(h), 0, 0});
  }

  problem& problem_;
  tensor sink_, slopes_;
  std::optional<boolean_tensor> inverted_mask_;
  std::optional<page_pool> pages_;
  lent_arrays loans_;
  py::dict call_;
};

answer_status parse_status(const std::string& text) {
  if (text == "answered") return answer_status::answered;
  return text == "unsupported" ? answer_status::unsupported : answer_status::misbehaved;
}

}  // namespace

subject_info describe(const callable_declaration& d) {
  subject_info info;
  info.address = "python:" + d.name;
  info.name = d.name.substr(d.name.rfind(':') + 1);
  info.features = parse_feature_set(d.features);
  info.contracts = read_contracts(d.contract);
  info.inputs = read_inputs(d, info.contracts);
  require_declared_contracts(info);
  if (d.profile.empty()) return info;
  if (d.profile != identify_profile) find_profile(d.profile);
  info.profile = d.profile;
  info.profile_origin = origin::given;
  return info;
}

callable_subject::callable_subject(py::handle handler, subject_info info, caller_thread& caller)
    : handler_(handler), info_(std::move(info)), caller_(caller) {}

answer_outcome callable_subject::answer(problem& p, tensor& o, tensor* lse) {
  answer_outcome outcome;
  caller_.ask([&] { outcome = answer_with_gil(p, o, lse); });
  return outcome;
}

answer_outcome callable_subject::answer_with_gil(problem& p, tensor& o, tensor* lse) const {
  lent_call call(p, o, lse, info_.features);
  const py::tuple result = handler_(call.take());
  call.return_copies();
  return {parse_status(result[0].cast<std::string>()), result[1].cast<std::string>()};
}

}  // namespace attest
