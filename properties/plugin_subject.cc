// A shared object that speaks attest_plugin.h as a subject.
#include <dlfcn.h>

#include <array>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "properties/attest_plugin.h"
#include "properties/exchange/contract_json.h"
#include "properties/subject.h"
#include "reference/input_error.h"
#include "reference/problems/problem_spec.h"
#include "reference/semantics/profiles.h"
#include "reference/text.h"

namespace attest {
namespace {

// The ABI's bits are the feature list's.
constexpr bool same_bit(std::uint64_t abi, feature f) {
  return feature_set(abi) == feature_set().with(f);
}
static_assert(same_bit(ATTEST_MASK, feature::mask));
static_assert(same_bit(ATTEST_BIAS, feature::bias));
static_assert(same_bit(ATTEST_INFINITE_BIAS, feature::infinite_bias));
static_assert(same_bit(ATTEST_CAUSAL_TOP_LEFT, feature::causal_top_left));
static_assert(same_bit(ATTEST_CAUSAL_BOTTOM_RIGHT, feature::causal_bottom_right));
static_assert(same_bit(ATTEST_WINDOW, feature::window));
static_assert(same_bit(ATTEST_LENGTHS, feature::lengths));
static_assert(same_bit(ATTEST_GROUPED_HEADS, feature::grouped_heads));
static_assert(same_bit(ATTEST_SCALE, feature::scale));
static_assert(same_bit(ATTEST_SOFT_CAP, feature::soft_cap));
static_assert(same_bit(ATTEST_SINK, feature::sink));
static_assert(same_bit(ATTEST_LSE, feature::lse));
static_assert(same_bit(ATTEST_CROSS_LENGTHS, feature::cross_lengths));
static_assert(same_bit(ATTEST_VALUE_WIDTH, feature::value_width));
static_assert(same_bit(ATTEST_STRIDES, feature::strides));

// Element types in the order of enum attest_dtype.
constexpr std::array<const format*, 7> dtypes{&f64,       &f32,     &f16,    &bf16,
                                              &f8_e4m3fn, &f8_e4m3, &f8_e5m2};

std::uint32_t dtype_of(const format& element) {
  for (std::uint32_t i = 0; i < dtypes.size(); ++i)
    if (*dtypes[i] == element) return i;
  throw input_error("inputs of " + std::string(element.name) + " can't be given to a plugin");
}

// Puts the floating-point environment back: foreign code may leave flush-to-zero or another
// rounding mode behind, at load time too.
class environment_guard {
 public:
  environment_guard() { std::fegetenv(&saved_); }
  environment_guard(const environment_guard&) = delete;
  environment_guard& operator=(const environment_guard&) = delete;
  ~environment_guard() { std::fesetenv(&saved_); }

 private:
  std::fenv_t saved_;
};

struct library_closer {
  void operator()(void* handle) const { dlclose(handle); }
};
using library = std::unique_ptr<void, library_closer>;
using entry_point = const attest_plugin* (*)(std::uint32_t);

[[noreturn]] void reject(const std::string& path, const std::string& what) {
  throw input_error("plugin " + path + ": " + what);
}

library open_library(const std::string& path) {
  if (!std::filesystem::exists(path)) reject(path, "no such file");
  const environment_guard guard;
  // dlopen searches the system's folders for a name without a slash: give it a path.
  void* handle = dlopen(std::filesystem::absolute(path).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) reject(path, std::string("can't be loaded (") + dlerror() + ")");
  return library(handle);
}

entry_point find_entry(const library& lib, const std::string& path) {
  void* symbol = dlsym(lib.get(), "attest_plugin_at");
  if (symbol == nullptr)
    reject(path,
           "does not export attest_plugin_at (properties/attest_plugin.h says what a plugin is)");
  return reinterpret_cast<entry_point>(symbol);
}

// The first subject, or the one of that name.
const attest_plugin& find_plugin(entry_point entry, const std::string& path,
                                 std::string_view name) {
  constexpr std::uint32_t most = 1024;
  std::string names;
  for (std::uint32_t index = 0; index < most; ++index) {
    const attest_plugin* plugin = entry(index);
    if (plugin == nullptr) break;
    if (plugin->abi_version != ATTEST_ABI_VERSION)
      reject(path, "speaks ABI version " + std::to_string(plugin->abi_version) +
                       " (allowed: " + std::to_string(ATTEST_ABI_VERSION) + ")");
    if (plugin->name == nullptr)
      reject(path, "its subject " + std::to_string(index) + " has no name");
    if (name.empty() || name == plugin->name) return *plugin;
    names += (names.empty() ? "" : ", ") + std::string(plugin->name);
  }
  if (names.empty()) reject(path, "holds no subject: attest_plugin_at(0) is NULL");
  reject(path, "has no subject '" + std::string(name) + "' (allowed: " + names + ")");
}

void require_complete(const attest_plugin& plugin, const std::string& path) {
  const std::string who = std::string("subject ") + plugin.name + " ";
  // Version 1 ends with backward; a plugin that leaves it out is complete too.
  if (plugin.size < offsetof(attest_plugin, backward))
    reject(path, who + "says that its attest_plugin has " + std::to_string(plugin.size) +
                     " bytes (allowed: " + std::to_string(offsetof(attest_plugin, backward)) +
                     " or more)");
  if (plugin.forward == nullptr) reject(path, who + "has no forward entry");
  if ((plugin.features & ~feature_set::all().bits()) != 0)
    reject(path, who + "declares feature bits that this version does not know");
  if (plugin.dtypes == 0 || plugin.dtypes >> dtypes.size() != 0)
    reject(path, who + "declares no input dtype, or one that can't be an input");
}

std::vector<const format*> declared_inputs(std::uint64_t bits) {
  std::vector<const format*> inputs;
  for (std::size_t i = 0; i < dtypes.size(); ++i)
    if ((bits >> i & 1) != 0) inputs.push_back(dtypes[i]);
  return inputs;
}

subject_info describe(const attest_plugin& plugin, std::string_view address) {
  subject_info info;
  info.address = address;
  info.name = plugin.name;
  info.version = plugin.version == nullptr ? "" : plugin.version;
  info.features = feature_set(plugin.features);
  info.inputs = declared_inputs(plugin.dtypes);
  if (plugin.profile != nullptr) {
    if (plugin.profile != identify_profile) find_profile(plugin.profile);
    info.profile = plugin.profile;
    info.origin = profile_origin::declared;
  }
  if (plugin.contract != nullptr)
    info.contracts = parse_declared_contracts(plugin.contract, info.name + "'s contract");
  return info;
}

attest_tensor describe(std::uint32_t dtype, void* origin, const placement& where) {
  attest_tensor t{};
  t.size = sizeof t;
  t.dtype = dtype;
  t.data = origin;
  std::copy(where.sizes.begin(), where.sizes.end(), t.sizes);
  std::copy(where.strides.begin(), where.strides.end(), t.strides);
  return t;
}

attest_tensor describe(tensor& t) { return describe(dtype_of(t.element()), t.origin(), t.where()); }

// The tensors of one call, in the form of the ABI. Points into the problem and the buffers.
class call {
 public:
  call(problem& p, tensor& o, tensor* lse)
      : q_(describe(p.q)), k_(describe(p.k)), v_(describe(p.v)), o_(describe(o)) {
    forward_.size = sizeof forward_;
    forward_.causal = static_cast<std::uint32_t>(p.causal);
    forward_.scale = p.scale.value_or(1 / std::sqrt(static_cast<double>(p.dims.width)));
    forward_.soft_cap = p.soft_cap;
    forward_.window_left = p.sliding.left;
    forward_.window_right = p.sliding.right;
    forward_.q = &q_;
    forward_.k = &k_;
    forward_.v = &v_;
    forward_.o = &o_;
    add_optional(p, lse);
  }
  call(const call&) = delete;
  call& operator=(const call&) = delete;

  const attest_forward& forward() const { return forward_; }

  // The plugin had copies of the sink, and of a mask of the other polarity: what it wrote there
  // goes back, to be noticed.
  void return_copies(problem& p) {
    for (std::size_t h = 0; h < p.sink.size(); ++h)
      p.sink[h] = sink_values_.at({0, static_cast<std::int64_t>(h), 0, 0});
    if (!inverted_mask_) return;
    inverted_mask_->invert();
    p.mask = inverted_mask_;
  }

 private:
  void add_optional(problem& p, tensor* lse) {
    if (p.mask) forward_.mask = &(mask_ = describe_mask(p));
    if (p.bias) forward_.bias = &(bias_ = describe(*p.bias));
    if (!p.lengths.empty()) forward_.lengths = &(lengths_ = describe_lengths(p));
    if (!p.sink.empty()) forward_.sink = &(sink_ = describe_sink(p));
    if (lse != nullptr) forward_.lse = &(lse_ = describe(*lse));
  }

  static attest_tensor describe(boolean_tensor& mask) {
    return attest::describe(ATTEST_BOOL, mask.data(), mask.where());
  }
  static attest_tensor describe(tensor& t) { return attest::describe(t); }

  attest_tensor describe_mask(problem& p) {
    if (p.rules.polarity == mask_polarity::true_keeps) return describe(*p.mask);
    inverted_mask_ = p.mask;
    inverted_mask_->invert();
    return describe(*inverted_mask_);
  }

  static attest_tensor describe_lengths(problem& p) {
    return attest::describe(ATTEST_I64, p.lengths.data(),
                            place(layout::bhld, {p.dims.batch, 1, 1, 1}));
  }

  attest_tensor describe_sink(const problem& p) {
    sink_values_ =
        tensor(side_format(p.q.element()), place(layout::bhld, {1, p.dims.query_heads, 1, 1}), 0);
    for (std::int64_t h = 0; h < p.dims.query_heads; ++h)
      sink_values_.set({0, h, 0, 0}, p.sink[static_cast<std::size_t>(h)]);
    return attest::describe(sink_values_);
  }

  attest_tensor q_, k_, v_, o_;
  attest_tensor mask_{}, bias_{}, lengths_{}, sink_{}, lse_{};
  tensor sink_values_;
  std::optional<boolean_tensor> inverted_mask_;
  attest_forward forward_{};
};

class plugin_subject : public subject {
 public:
  plugin_subject(library lib, const attest_plugin& plugin, subject_info info)
      : library_(std::move(lib)), plugin_(plugin), info_(std::move(info)) {}

  const subject_info& info() const override { return info_; }
  bool concurrent() const override { return false; }

  answer_outcome answer(problem& p, tensor& o, tensor* lse) override {
    call one(p, o, lse);
    const environment_guard guard;
    std::array<char, 512> message{};
    const std::int32_t status = plugin_.forward(&one.forward(), message.data(), message.size() - 1);
    message.back() = '\0';  // whatever the plugin wrote, the text ends
    one.return_copies(p);
    return outcome(status, message.data());
  }

 private:
  static answer_outcome outcome(std::int32_t status, const char* message) {
    switch (status) {
      case ATTEST_OK:
        return {};
      case ATTEST_UNSUPPORTED:
        return {answer_status::unsupported, message};
      case ATTEST_ERROR:
        return {answer_status::failed, message};
      default:
        return {answer_status::misbehaved, "returned the unknown status " + std::to_string(status)};
    }
  }

  library library_;
  const attest_plugin& plugin_;
  subject_info info_;
};

}  // namespace

std::unique_ptr<subject> open_plugin(std::string_view address) {
  const std::size_t dot = address.find(".so");
  const std::size_t colon = dot == std::string_view::npos ? dot : address.find(':', dot);
  const std::string path(address.substr(0, colon));
  if (colon != std::string_view::npos && colon + 1 == address.size())
    reject(path,
           "no name stands after the colon (allowed: a subject's name, or no colon for the first)");
  const std::string_view name = colon == std::string_view::npos ? "" : address.substr(colon + 1);
  library lib = open_library(path);
  const attest_plugin& plugin = find_plugin(find_entry(lib, path), path, name);
  require_complete(plugin, path);
  subject_info info = describe(plugin, address);
  return std::make_unique<plugin_subject>(std::move(lib), plugin, std::move(info));
}

}  // namespace attest
