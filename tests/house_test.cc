// The rules of the house, held against the files themselves.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace attest {
namespace {

namespace fs = std::filesystem;

const fs::path root = ATTEST_SOURCE_FOLDER;

// Each may include itself and those to its left.
constexpr std::array<std::string_view, 4> layers{"reference", "derivation", "properties",
                                                 "reports"};

bool is_source(const fs::path& p) {
  static const std::set<std::string> endings{".h", ".c", ".cc"};
  return endings.count(p.extension().string()) > 0;
}

// The files below a folder of the tree, relative to the root, sorted.
std::vector<fs::path> files_below(std::string_view folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(root / folder))
    if (entry.is_regular_file()) files.push_back(fs::relative(entry.path(), root));
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<fs::path> sources_below(std::string_view folder) {
  std::vector<fs::path> files = files_below(folder);
  files.erase(std::remove_if(files.begin(), files.end(), [](auto& p) { return !is_source(p); }),
              files.end());
  return files;
}

std::string text_of(const fs::path& file) {
  std::ifstream in(root / file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

struct inclusion {
  std::string header;
  bool quoted = false;
};

std::vector<inclusion> inclusions_of(const std::string& text) {
  static const std::regex line(R"re((^|\n)[ \t]*#[ \t]*include[ \t]*(["<])([^">\n]+)[">])re");
  std::vector<inclusion> found;
  for (std::sregex_iterator i(text.begin(), text.end(), line), end; i != end; ++i)
    found.push_back({(*i)[3], (*i)[2] == "\""});
  return found;
}

std::string first_folder(const std::string& path) { return path.substr(0, path.find('/')); }

// The layer's place in the order; past the last one for anything else.
std::size_t rank_of(std::string_view layer) {
  return static_cast<std::size_t>(std::find(layers.begin(), layers.end(), layer) - layers.begin());
}

bool starts_with_any(std::string_view text, const std::vector<std::string_view>& beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](std::string_view b) { return text.substr(0, b.size()) == b; });
}

TEST(house, the_layers_are_found) {
  for (std::string_view layer : layers) EXPECT_GT(sources_below(layer).size(), 3u) << layer;
  const auto found = inclusions_of("#include <a>\n  # include \"b/c.h\"\n// #include <d>\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[1].header, "b/c.h");
  EXPECT_TRUE(found[1].quoted);
}

// The ABI's headers are copied and installed beside each other.
bool is_abi_on_abi(const fs::path& file, const inclusion& i) {
  return file == "properties/attest_recurrence.h" && i.header == "attest_plugin.h";
}

TEST(house, no_include_points_to_the_right) {
  for (std::string_view layer : layers)
    for (const fs::path& file : sources_below(layer))
      for (const inclusion& i : inclusions_of(text_of(file))) {
        const std::size_t rank = rank_of(first_folder(i.header));
        EXPECT_TRUE(!i.quoted || rank < layers.size() || is_abi_on_abi(file, i))
            << file << " includes \"" << i.header
            << "\" (allowed: the full path of a layer's header)";
        EXPECT_TRUE(rank == layers.size() || rank <= rank_of(layer))
            << file << " includes \"" << i.header << "\", which lies to its right";
      }
}

TEST(house, nothing_outside_tests_includes_tests) {
  for (std::string_view layer : layers)
    for (const fs::path& file : sources_below(layer))
      for (const inclusion& i : inclusions_of(text_of(file)))
        EXPECT_NE(first_folder(i.header), "tests") << file;
}

TEST(house, plugins_to_copy_see_only_the_plugin_header) {
  for (const fs::path& file : sources_below("tests/subjects"))
    for (const inclusion& i : inclusions_of(text_of(file))) {
      EXPECT_EQ(i.quoted, i.header == "attest_plugin.h") << file << " includes " << i.header;
      EXPECT_EQ(rank_of(first_folder(i.header)), layers.size()) << file;
    }
}

TEST(house, the_recurrence_to_copy_sees_only_its_header) {
  for (const inclusion& i : inclusions_of(text_of("tests/recurrences/recurrent.c")))
    EXPECT_EQ(i.quoted, i.header == "attest_recurrence.h") << i.header;
}

TEST(house, adapters_see_only_the_plugin_header_and_each_other) {
  for (const fs::path& file : sources_below("properties/adapters"))
    for (const inclusion& i : inclusions_of(text_of(file)))
      EXPECT_TRUE(!i.quoted || i.header == "properties/attest_plugin.h" ||
                  i.header.rfind("properties/adapters/", 0) == 0)
          << file << " includes " << i.header;
}

TEST(house, the_plugin_header_needs_no_other_of_ours) {
  for (const inclusion& i : inclusions_of(text_of("properties/attest_plugin.h")))
    EXPECT_EQ(i.header, "stdint.h");
  for (const inclusion& i : inclusions_of(text_of("properties/attest_recurrence.h")))
    EXPECT_EQ(i.header, "attest_plugin.h");
}

// Each stays behind a .cc, so that a build stays short.
TEST(house, no_header_of_a_layer_includes_a_heavy_library) {
  const std::vector<std::string_view> heavy{
      "rapidcheck", "CLI/", "nlohmann/json.hpp", "pugixml", "fmt/", "oneapi/", "tbb/", "boost/",
      "gtest",      "Eigen"};
  for (std::string_view layer : layers)
    for (const fs::path& file : sources_below(layer)) {
      if (file.extension() != ".h" || file.parent_path() == "reference/multiprecision") continue;
      for (const inclusion& i : inclusions_of(text_of(file)))
        EXPECT_FALSE(starts_with_any(i.header, heavy)) << file << " includes " << i.header;
    }
}

// Their bits change with the library and the processor: elementary/ has our own.
TEST(house, no_layer_calls_an_elementary_function_of_the_standard_library) {
  static const std::regex call(
      R"re(std::(exp|exp2|expm1|log|log2|log10|log1p|tanh|sin|cos|tan|pow|erf|cbrt)f?\()re");
  for (std::string_view layer : layers)
    for (const fs::path& file : sources_below(layer)) {
      const std::string text = text_of(file);
      std::smatch found;
      EXPECT_FALSE(std::regex_search(text, found, call)) << file << " calls " << found[0];
    }
}

// The words of a CMakeLists.txt that name a source.
std::set<std::string> listed_sources(std::string_view layer) {
  static const std::regex source(R"re([\w/]+\.cc)re");
  const std::string text = text_of(fs::path(layer) / "CMakeLists.txt");
  return {std::sregex_token_iterator(text.begin(), text.end(), source),
          std::sregex_token_iterator()};
}

TEST(house, every_source_of_a_layer_is_built) {
  for (std::string_view layer : layers) {
    const std::set<std::string> listed = listed_sources(layer);
    for (const fs::path& file : sources_below(layer)) {
      if (file.extension() != ".cc") continue;
      EXPECT_TRUE(listed.count(fs::relative(file, layer).string()))
          << file << " is not in " << layer << "/CMakeLists.txt";
    }
  }
}

std::set<std::string> words_of(const fs::path& file) {
  std::string stem = file.stem().string();
  std::replace(stem.begin(), stem.end(), '-', '_');
  std::set<std::string> words;
  std::istringstream pieces(stem);
  for (std::string word; std::getline(pieces, word, '_');) words.insert(word);
  return words;
}

TEST(house, no_file_or_folder_has_a_name_that_says_nothing) {
  const std::set<std::string> empty_words{"util",   "utils", "helper",  "helpers",
                                          "common", "misc",  "manager", "managers"};
  for (std::string_view folder :
       {"reference", "derivation", "properties", "reports", "tests", "cmake"})
    for (const auto& entry : fs::recursive_directory_iterator(root / folder))
      for (const std::string& word : words_of(entry.path()))
        EXPECT_FALSE(empty_words.count(word)) << entry.path();
}

}  // namespace
}  // namespace attest
