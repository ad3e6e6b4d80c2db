#include "properties/onnx/model_subject.h"

#include <filesystem>

#include "properties/adapter.h"
#include "properties/catalogue/catalogue.h"
#include "properties/onnx/held_attention.h"
#include "properties/plugin/isolated_plugin.h"
#include "properties/real_shape.h"

namespace attest {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view ending = ".onnx";
constexpr std::string_view runtime = "onnxruntime";
constexpr std::string_view module_name = "onnx_model";

held_attention read_held(std::string_view address) {
  return read_held_attention(read_onnx_model_file(std::string(address)), std::string(address));
}

[[noreturn]] void reject(std::string_view address, const std::string& why) {
  throw input_error("model " + std::string(address) + ": " + why);
}

subject_info describe(const held_attention& held, std::string_view address,
                      const std::string& version) {
  subject_info info;
  info.address = address;
  info.name = held.operator_name;
  info.version = version;
  info.features = held.features;
  info.inputs = {held.inputs};
  info.profile = held.profile;
  info.profile_origin = origin::declared;
  info.contracts = {held.kept};
  return info;
}

class model_subject : public subject {
 public:
  model_subject(std::unique_ptr<subject> inner, const held_attention& held,
                std::string_view address)
      : inner_(std::move(inner)),
        info_(describe(held, address, inner_->info().version)),
        limits_(held.limits) {}

  const subject_info& info() const override { return info_; }
  bool concurrent() const override { return inner_->concurrent(); }
  answer_outcome answer(problem& p, tensor& o, tensor* lse) override {
    require_taken(p);
    return inner_->answer(p, o, lse);
  }
  bool heeds_threads() const override { return inner_->heeds_threads(); }
  answer_outcome answer_in(manner how, problem& p, tensor& o, tensor* lse) override {
    require_taken(p);
    return inner_->answer_in(how, p, o, lse);
  }

 private:
  void require_taken(const problem& p) const {
    if (const std::string why = why_not_taken(limits_, p); !why.empty())
      throw problem_not_taken("the model takes no problem with " + why);
  }

  std::unique_ptr<subject> inner_;
  subject_info info_;
  call_limits limits_;
};

// --- A run ---

// Not an integer: a model may fix sizes of which the product is none.
double products_of(const shape& s) {
  double products = static_cast<double>(s.width) + static_cast<double>(s.value_width);
  for (const std::int64_t size : {s.batch, s.query_heads, s.queries, s.keys})
    products *= static_cast<double>(size);
  return products;
}

// Fixed sizes may be large, in every group: then fewer problems do, or one law on rows of them.
constexpr double most_products_of_a_group = 50e6;
constexpr double most_products_of_a_problem = 10e6;

// Whether the law, too, is about such problems: of what the model fixes nothing may be beyond it.
bool is_posed(const problem_spec& spec, const call_limits& limits, const property& law) {
  const problem p = materialise(spec);
  return (p.asks().bits() & ~law.admits.bits()) == 0 && why_not_taken(limits, p).empty();
}

void add_group(std::vector<trial>& trials, const subject_info& subject, const call_limits& limits,
               const run_options& options, const property& law, const feature_group& group) {
  const int problems = options.effort * problems_in(law, group, subject);
  double products = 0;
  for (int index = 0; index < problems; ++index) {
    const auto drawn = draw_spec(law, subject, group, {options.seed, index});
    const auto within = drawn ? fitted(*drawn, limits) : std::nullopt;
    const auto spec = within ? law.adapt(*within, subject) : std::nullopt;
    if (!spec || !is_posed(*spec, limits, law)) continue;
    products += products_of(spec->dims);
    if (products > options.effort * most_products_of_a_group && index > 0) break;
    trials.push_back({&law, group.name(), *spec});
  }
}

// The sizes that every problem has, where they are too large for all laws.
std::optional<shape> large_sizes(const call_limits& limits) {
  const auto least = fitted(problem_spec{}, limits);
  if (!least || products_of(least->dims) <= most_products_of_a_problem) return std::nullopt;
  return least->dims;
}

std::vector<trial> draw_large(const subject_info& subject, const call_limits& limits,
                              const shape& dims, run_options& options) {
  const property* const law = &sampled_rows_match_definition;
  options.properties = {law};
  options.dims = dims;
  options.shrink_tries = 0;
  std::vector<trial> trials;
  for (const problem_spec& drawn : draw_problems_of(dims, subject, options.seed, options.effort))
    if (auto spec = fitted(drawn, limits)) trials.push_back({law, "shape", *std::move(spec)});
  return trials;
}

std::vector<trial> draw_trials(const subject_info& subject, const call_limits& limits,
                               run_options& options) {
  if (const auto dims = large_sizes(limits)) return draw_large(subject, limits, *dims, options);
  std::vector<trial> trials;
  for (const property* law : options.properties)
    for (const feature_group& group : groups_for(*law, subject))
      add_group(trials, subject, limits, options, *law, group);
  return trials;
}

std::unique_ptr<subject> run_apart(const held_attention& held, std::string_view address,
                                   const isolation& how) {
  try {
    return open_isolated_plugin(
        adapter_file(module_name).string(), how,
        {"ATTEST_ONNX_MODEL=" + fs::absolute(address).string(), "ATTEST_ONNX_FEEDS=" + held.feeds});
  } catch (const input_error& e) {
    reject(address, std::string("it can't be run: ") + e.what());
  }
}

}  // namespace

bool is_model_address(std::string_view address) { return address.ends_with(ending); }

call_limits limits_of_model(std::string_view address) { return read_held(address).limits; }

std::unique_ptr<subject> open_model(std::string_view address, const isolation& how) {
  const held_attention held = read_held(address);
  const adapter& a = *find_adapter(std::string(runtime) + ":");
  if (look_for_subjects(a).names.empty())
    reject(address, "it is run by ONNX Runtime, which is not here (to install it: " +
                        std::string(a.install) + ")");
  if (!how.apart) reject(address, "it is run in a process of its own (allowed: no --no-isolation)");
  return std::make_unique<model_subject>(run_apart(held, address, how), held, address);
}

run_result run_within_limits(subject& s, const call_limits& limits, const run_options& options,
                             const progress& report) {
  run_options settled = options;
  const std::vector<trial> trials = draw_trials(s.info(), limits, settled);
  examiner asked(s, options.sure);
  const auto judge = [&](const property& law, const problem_spec& spec) {
    try {
      return law.judge(spec, asked);
    } catch (const problem_not_taken& e) {
      return skipped(e.what());
    }
  };
  return run_trials(s.info(), trials, judge, settled, report);
}

}  // namespace attest
