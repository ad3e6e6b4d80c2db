#include "properties/onnx/folder_cases.h"

#include <algorithm>

#include "properties/exchange/byte_source.h"

namespace attest {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view expanded_mark = "_expanded";
constexpr std::string_view judged_operators =
    "Attention (opset 23 to 28) or LinearAttention (27, 28) of ONNX's own domain, or FlexAttention "
    "(1) of ai.onnx.preview";

// An operator of which calls are judged.
struct judged_operator {
  bool (*is_in)(const onnx_model&);  // as its one node
  std::string (*why_not_judged)(const onnx_model&);
  case_call (*read)(const onnx_model&, const onnx_data_set&, const std::string& where);
};

template <auto Read>
case_call read_call(const onnx_model& model, const onnx_data_set& set, const std::string& where) {
  return Read(model, set, where);
}

// The last one says of every other model why it is not judged.
constexpr judged_operator operators[] = {
    {is_linear_attention, why_linear_not_judged, read_call<read_linear_call>},
    {is_flex_attention, why_flex_not_judged, read_call<read_flex_call>},
    {is_about_attention, why_not_judged, read_call<read_attention_call>},
};

const judged_operator& operator_of(const onnx_model& model) {
  return *std::find_if(std::begin(operators), std::end(operators) - 1,
                       [&](const judged_operator& o) { return o.is_in(model); });
}

const format& inputs_of(const case_call& call) {
  if (const auto* linear = std::get_if<linear_call>(&call)) return *linear->inputs;
  if (const auto* flex = std::get_if<flex_call>(&call)) return *flex->plain.q.element;
  return *std::get<attention_call>(call).q.element;
}

std::string name_of_case(const fs::path& path, const fs::path& folder) {
  const std::string below = path.lexically_relative(folder).string();
  return below == "." || below.empty() ? fs::absolute(path).lexically_normal().filename().string()
                                       : below;
}

// The folder beside it from which an expanded case was made.
fs::path unexpanded(const fs::path& path) {
  const std::string name = path.filename().string();
  const auto mark = name.find(expanded_mark);
  return mark == std::string::npos ? fs::path() : path.parent_path() / name.substr(0, mark);
}

class case_reader {
 public:
  onnx_cases read(const fs::path& folder) {
    for (const fs::path& path : find_onnx_cases(folder)) read_case(path, folder);
    if (read_.cases.empty())
      refuse(folder.string(), "cases of which none is about attention",
             "cases of " + std::string(judged_operators));
    refuse_if_nothing_is_judged(folder);
    return std::move(read_);
  }

 private:
  void read_case(const fs::path& path, const fs::path& folder) {
    const onnx_model own = read_onnx_model_file(path / "model.onnx");
    onnx_case_result r;
    r.name = name_of_case(path, folder);
    r.opset = own.opset;
    const fs::path origin = unexpanded(path);
    if (!origin.empty()) {
      read_expanded(path, origin, std::move(r));
    } else if (!is_about_attention(own)) {
      ++read_.others;
    } else {
      read_or_name(path, own, std::move(r));
    }
  }

  // What is asked is what the case asks that it was made from.
  void read_expanded(const fs::path& path, const fs::path& origin, onnx_case_result r) {
    if (!fs::exists(origin / "model.onnx")) {
      read_alone(origin.filename().string(), std::move(r));
      return;
    }
    const onnx_model model = read_onnx_model_file(origin / "model.onnx");
    if (!is_about_attention(model)) {
      ++read_.others;
      return;
    }
    r.expands = origin.filename().string();
    read_or_name(path, model, std::move(r));
  }

  // Without that case nothing but the name tells of which operator it was made.
  void read_alone(const std::string& origin, onnx_case_result r) {
    if (origin.find("attention") == std::string::npos) {
      ++read_.others;
      return;
    }
    r.not_judged = "expanded from " + origin + ", which does not lie beside it";
    read_.cases.push_back({std::move(r), {}});
  }

  // Reads what is judged; of the rest, why it is not.
  void read_or_name(const fs::path& path, const onnx_model& model, onnx_case_result r) {
    const judged_operator& asked = operator_of(model);
    r.not_judged = asked.why_not_judged(model);
    if (!r.not_judged.empty()) {
      read_.cases.push_back({std::move(r), {}});
      return;
    }
    const std::vector<onnx_data_set> sets = read_onnx_data_sets(path);
    for (const onnx_data_set& set : sets) {
      onnx_case each{r, asked.read(model, set, (path / set.name).string())};
      each.result.inputs = inputs_of(each.call).name;
      if (sets.size() > 1) each.result.name += "/" + set.name;
      read_.cases.push_back(std::move(each));
    }
  }

  void refuse_if_nothing_is_judged(const fs::path& folder) const {
    const auto is_named = [](const onnx_case& each) {
      return std::holds_alternative<std::monostate>(each.call);
    };
    if (!std::all_of(read_.cases.begin(), read_.cases.end(), is_named)) return;
    const onnx_case_result& first = read_.cases.front().result;
    refuse((folder / first.name).string(), first.not_judged,
           "one node " + std::string(judged_operators));
  }

  onnx_cases read_;
};

}  // namespace

onnx_cases read_onnx_cases(const fs::path& folder) { return case_reader().read(folder); }

}  // namespace attest
