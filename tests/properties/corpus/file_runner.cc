#include "tests/properties/corpus/file_runner.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "properties/exchange/array_file.h"
#include "properties/exchange/npz.h"
#include "properties/exchange/safetensors.h"
#include "reference/formats/encoding.h"
#include "reference/problems/page_pool.h"
#include "reference/semantics/profiles.h"

namespace attest {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const format& format_named(const json& name) { return *find_format(name.get<std::string>()); }

index4 sizes_of(const array& a) {
  index4 sizes{};
  std::copy(a.sizes.begin(), a.sizes.end(), sizes.begin());
  return sizes;
}

double value_of(const array& a, std::size_t n, const format& element) {
  const double x = a.values[n];
  return a.kind == element_kind::integer ? decode(element, static_cast<std::uint64_t>(x)) : x;
}

tensor to_tensor(const array& a, const format& element) {
  tensor t(element, place(layout::bhld, sizes_of(a)), 0);
  std::size_t n = 0;
  for_each_index(t.sizes(), [&](const index4& i) { t.set(i, value_of(a, n++, element)); });
  return t;
}

unsigned axes_of(const array& a, const index4& full) {
  unsigned axes = 0;
  for (unsigned k = 0; k < 4; ++k)
    if (a.sizes[k] == full[k]) axes |= 1u << k;
  return axes;
}

boolean_tensor to_mask(const array& a, const index4& full, bool true_keeps) {
  boolean_tensor mask(broadcast(full, axes_of(a, full)));
  std::size_t n = 0;
  for_each_index(sizes_of(a),
                 [&](const index4& i) { mask.set(i, (a.values[n++] != 0) == true_keeps); });
  return mask;
}

tensor to_bias(const array& a, const index4& full, const format& element) {
  tensor bias(element, broadcast(full, axes_of(a, full)), 0);
  std::size_t n = 0;
  for_each_index(sizes_of(a), [&](const index4& i) { bias.set(i, value_of(a, n++, element)); });
  return bias;
}

class folder_of_files {
 public:
  explicit folder_of_files(fs::path folder) : folder_(std::move(folder)) {
    std::ifstream in(folder_ / "manifest.json");
    manifest_ = json::parse(in);
  }

  void answer_all(subject& s) {
    fs::create_directories(folder_ / "answers");
    for (const json& entry : manifest_["problems"]) answer_one(entry, s);
  }

 private:
  const format& format_of(const char* use) const { return format_named(manifest_["formats"][use]); }

  problem read(const json& entry, const named_arrays& arrays) const {
    const json &ask = entry["ask"], &s = ask["shape"];
    problem p;
    p.dims = {s["B"], s["Hq"], s["Hkv"], s["Lq"], s["Lk"], s["D"], s["Dv"]};
    p.rules = find_profile(manifest_["profile"].get<std::string>());
    p.q = to_tensor(arrays.at("q"), format_of("inputs"));
    p.k = to_tensor(arrays.at("k"), format_of("inputs"));
    p.v = to_tensor(arrays.at("v"), format_of("inputs"));
    p.causal = ask["causal"] == "top_left"       ? causal_anchor::top_left
               : ask["causal"] == "bottom_right" ? causal_anchor::bottom_right
                                                 : causal_anchor::none;
    if (!ask["window"].is_null()) p.sliding = {ask["window"][0], ask["window"][1]};
    if (!ask["usual_scale"]) p.scale = ask["scale"].get<double>();
    p.soft_cap = ask["soft_cap"];
    for (const pattern_number& n : pattern_numbers)
      p.pattern.*n.member = ask["pattern"][std::string(n.name)];
    p.dropout_scale = ask.value("dropout_scale", 1.0);
    add_others(p, arrays);
    return arrays.contains("page_table") ? read_from_pages(p, pages_of(p, arrays)) : p;
  }

  void add_others(problem& p, const named_arrays& arrays) const {
    const index4 full = p.dims.score_sizes();
    const bool keeps = manifest_["rules"]["mask_polarity"] == "true_keeps";
    if (arrays.contains("mask")) p.mask = to_mask(arrays.at("mask"), full, keeps);
    if (arrays.contains("bias")) p.bias = to_bias(arrays.at("bias"), full, format_of("bias"));
    if (arrays.contains("block_mask"))
      p.block_mask = to_mask(arrays.at("block_mask"), blocks_of(p), true);
    if (arrays.contains("dropout_mask"))
      p.dropout_mask = to_mask(arrays.at("dropout_mask"), full, true);
    p.lengths = integers(arrays, "lengths");
    p.query_segments = integers(arrays, "query_segments");
    p.key_segments = integers(arrays, "key_segments");
    p.sink = numbers(arrays, "sink");
    p.slopes = numbers(arrays, "slopes");
  }

  static page_pool pages_of(const problem& p, const named_arrays& arrays) {
    return {p.k, p.v, integers(arrays, "page_table"), p.lengths, arrays.at("page_table").sizes[1]};
  }

  static index4 blocks_of(const problem& p) {
    return p.dims.block_sizes(p.pattern.block_queries, p.pattern.block_keys);
  }

  static std::vector<std::int64_t> integers(const named_arrays& arrays, const char* name) {
    if (!arrays.contains(name)) return {};
    const std::vector<double>& all = arrays.at(name).values;
    return {all.begin(), all.end()};
  }

  std::vector<double> numbers(const named_arrays& arrays, const char* name) const {
    std::vector<double> all;
    if (arrays.contains(name))
      for (std::size_t n = 0; n < arrays.at(name).values.size(); ++n)
        all.push_back(value_of(arrays.at(name), n, format_of("bias")));
    return all;
  }

  static array to_array(const tensor& t, std::size_t rank) {
    array a{&t.element(), {t.sizes().begin(), t.sizes().end()}, {}};
    a.sizes.resize(rank);
    for_each_index(t.sizes(), [&](const index4& i) { a.values.push_back(t.at(i)); });
    return a;
  }

  void answer_one(const json& entry, subject& s) const {
    const fs::path file = folder_ / entry["file"].get<std::string>();
    const fs::path out = folder_ / "answers" / file.filename();
    if (fs::exists(out)) return;
    named_arrays arrays = read_arrays(file);
    problem p = read(entry, arrays);
    tensor o(format_of("output"), place(layout::bhld, p.dims.o_sizes()), 0);
    std::optional<tensor> lse;
    for (const json& name : manifest_["features"])
      if (name == "lse") lse.emplace(format_of("lse"), place(layout::bhld, p.dims.lse_sizes()), 0);
    const answer_outcome outcome = s.answer(p, o, lse ? &*lse : nullptr);
    if (outcome.status != answer_status::answered) throw std::runtime_error(outcome.message);
    named_arrays answer{{"o", to_array(o, 4)}, {"problem", arrays["problem"]}};
    if (lse) answer["lse"] = to_array(*lse, 3);
    std::ofstream(out, std::ios::binary)
        << (manifest_["format"] == "npz" ? npz_bytes(answer, numpy_lacks::as_bits)
                                         : safetensors_bytes(answer));
  }

  fs::path folder_;
  json manifest_;
};

}  // namespace

void answer_files(const fs::path& corpus, subject& s) {
  folder_of_files(corpus).answer_all(s);
  for (int round = 1;; ++round) {
    const fs::path folder = corpus / ("follow-up-" + std::to_string(round));
    if (!fs::exists(folder)) return;
    folder_of_files(folder).answer_all(s);
  }
}

}  // namespace attest
