#include "properties/corpus/answer_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "properties/corpus/sha256.h"
#include "properties/exchange/array_file.h"
#include "properties/exchange/byte_source.h"
#include "properties/exchange/npy.h"
#include "properties/exchange/strict_json.h"

namespace attest {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view array_endings[] = {".safetensors", ".npz"};
constexpr std::string_view status_ending = ".json";
constexpr std::string_view subject_name = "subject.json";

std::string read_text(const fs::path& path) {
  std::ifstream in = open_array_file(path, "corpus");
  byte_source source(in, path.string(), "corpus");
  return source.take(source.left(), "the file");
}

// The members of a JSON object, all of them texts.
std::map<std::string, std::string> read_texts(const fs::path& path,
                                              std::initializer_list<const char*> names) {
  const std::string text = read_text(path), where = path.string();
  const json given = parse_strict_json(text, {where, "file", 0, "an object of texts", "texts"});
  std::map<std::string, std::string> found;
  for (const char* name : names) {
    if (!given.is_object() || !given.contains(name) || !given[name].is_string())
      refuse(where, fmt::format("no text '{}'", name), "an object of texts");
    found[name] = given[name].get<std::string>();
  }
  if (given.size() != found.size())
    refuse(where, fmt::format("{} members", given.size()), fmt::format("{}", found.size()));
  return found;
}

// Reads one folder.
class folder_reader {
 public:
  explicit folder_reader(const fs::path& path) {
    folder_.path = path;
    folder_.holds = read_manifest(path);
  }

  corpus_folder read() {
    for (std::size_t n = 0; n < problems().size(); ++n) {
      if (!folder_.numbers.emplace(problems()[n].digest, n).second)
        refuse((folder_.path / manifest_name).string(),
               fmt::format("problem {} twice", problems()[n].digest), "each once");
      require_untouched(n);
    }
    for (std::size_t n = 0; n < problems().size(); ++n) read_answer(n);
    require_no_others();
    read_subject();
    return std::move(folder_);
  }

 private:
  const std::vector<corpus_entry>& problems() const { return folder_.holds.problems; }
  std::string in_folder(const std::string& path) const { return (folder_.path / path).string(); }

  void require_untouched(std::size_t n) const {
    const fs::path path = folder_.path / problem_path(n, folder_.holds.files);
    if (!fs::exists(path)) return;
    const std::string hash = sha256(read_text(path));
    if (hash != problems()[n].file_sha256)
      refuse(path.string(), "SHA-256 " + hash,
             problems()[n].file_sha256 + ", as the manifest says");
  }

  void read_answer(std::size_t n) {
    std::vector<std::string> found;
    for (const std::string_view ending : {array_endings[0], array_endings[1], status_ending}) {
      const std::string path = answer_path(n, ending);
      if (fs::exists(folder_.path / path)) found.push_back(path);
    }
    if (found.size() > 1)
      refuse(in_folder(found[0]), "a second answer, " + found[1], "one to a problem");
    if (found.empty()) {
      folder_.unanswered.push_back(in_folder(problem_path(n, folder_.holds.files)));
      return;
    }
    known_.insert(found[0]);
    const fs::path path = folder_.path / found[0];
    folder_.answers[problems()[n].digest] =
        path.extension() == status_ending ? read_status(path, n) : read_arrays_of(path, n);
  }

  stored_answer read_arrays_of(const fs::path& path, std::size_t n) const {
    const std::string where = path.string();
    stored_answer a;
    a.place = where;
    named_arrays arrays = read_arrays(path);
    const auto take = [&](const char* name) {
      const auto found = arrays.extract(name);
      return found.empty() ? std::optional<array>() : std::move(found.mapped());
    };
    const auto o = take("o"), problem = take("problem");
    a.lse = take("lse");
    if (!problem || !o)
      refuse(where, fmt::format("no array {}", o ? "problem" : "o"), "o, problem, and lse");
    if (!arrays.empty())
      refuse(where, fmt::format("an array named '{}'", shown(arrays.begin()->first)),
             "o, lse, problem");
    a.o = *o;
    a.outcome = outcome_for(digest_of(*problem, where), n, where);
    return a;
  }

  stored_answer read_status(const fs::path& path, std::size_t n) const {
    const std::string where = path.string();
    auto texts = read_texts(path, {"problem", "status", "message"});
    stored_answer a;
    a.place = where;
    a.outcome = outcome_for(texts["problem"], n, where);
    if (a.outcome.status != answer_status::answered) return a;
    if (texts["status"] != "unsupported" && texts["status"] != "failed")
      refuse(where, fmt::format("status '{}'", shown(texts["status"])), "unsupported, failed");
    a.outcome = {texts["status"] == "failed" ? answer_status::failed : answer_status::unsupported,
                 texts["message"]};
    return a;
  }

  answer_outcome outcome_for(const std::string& digest, std::size_t n,
                             const std::string& where) const {
    if (digest == problems()[n].digest) return {};
    const auto other = folder_.numbers.find(digest);
    const std::string what = other == folder_.numbers.end()
                                 ? "a problem that is not in this corpus"
                                 : problem_path(other->second, folder_.holds.files);
    return {answer_status::misbehaved, fmt::format("{} answers {} (due: {})", where, what,
                                                   problem_path(n, folder_.holds.files))};
  }

  // A file that is named otherwise would be passed over in silence.
  void require_no_others() const {
    const fs::path answers = folder_.path / "answers";
    if (!fs::exists(answers)) return;
    std::vector<std::string> others;
    for (const auto& entry : fs::directory_iterator(answers)) {
      const std::string name = entry.path().filename().string();
      if (name.front() != '.' && name != subject_name && !known_.contains("answers/" + name))
        others.push_back(entry.path().string());
    }
    if (!others.empty())
      refuse(*std::min_element(others.begin(), others.end()), "an answer to no problem",
             "the numbers of problems, with .safetensors, .npz or .json");
  }

  void read_subject() {
    const fs::path path = folder_.path / "answers" / subject_name;
    if (!fs::exists(path)) return;
    auto texts = read_texts(path, {"name", "version"});
    folder_.by = {texts["name"], texts["version"]};
  }

  corpus_folder folder_;
  std::set<std::string> known_;
};

std::string format_text(const array& a) {
  if (a.kind == element_kind::boolean) return "booleans";
  return a.kind == element_kind::integer ? "integers" : std::string(a.element->name);
}

answer_outcome copy_array(const stored_answer& from, const array& a, const char* name,
                          std::vector<std::int64_t> due, tensor& to) {
  if (a.sizes != due)
    return {answer_status::misbehaved, fmt::format("{}: {} has sizes [{}] (due: [{}])", from.place,
                                                   name, sizes_text(a.sizes), sizes_text(due))};
  const std::optional<array> numbers = as_numbers(a, to.element());
  if (!numbers)
    return {answer_status::misbehaved, fmt::format("{}: {} holds {} (due: {})", from.place, name,
                                                   format_text(a), to.element().name)};
  std::size_t n = 0;
  for_each_index(to.sizes(), [&](const index4& i) { to.set(i, numbers->values[n++]); });
  return {};
}

}  // namespace

corpus_folder read_corpus_folder(const fs::path& path) { return folder_reader(path).read(); }

answer_outcome copy_answer(const stored_answer& a, tensor& o, tensor* lse) {
  if (a.outcome.status != answer_status::answered) return a.outcome;
  const index4& s = o.sizes();
  const answer_outcome output = copy_array(a, a.o, "o", {s.begin(), s.end()}, o);
  if (output.status != answer_status::answered || lse == nullptr) return output;
  if (!a.lse) return {answer_status::misbehaved, a.place + ": no lse"};
  return copy_array(a, *a.lse, "lse", {s[0], s[1], s[2]}, *lse);
}

}  // namespace attest
