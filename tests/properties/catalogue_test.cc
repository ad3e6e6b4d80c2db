// The list of laws against the folder, and what each law must say of itself.
#include "properties/catalogue/catalogue.h"

#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "reference/input_error.h"

namespace attest {
namespace {

namespace fs = std::filesystem;

// File name to folder: catalogue/THEME/NAME.cc.
std::map<std::string, std::string> laws_in_the_folder() {
  std::map<std::string, std::string> laws;
  for (const auto& theme : fs::directory_iterator(ATTEST_SOURCE_FOLDER "/properties/catalogue"))
    if (theme.is_directory())
      for (const auto& file : fs::directory_iterator(theme))
        if (file.path().extension() == ".cc")
          laws[file.path().stem().string()] = theme.path().filename().string();
  return laws;
}

TEST(catalogue, lists_the_files_of_its_folder_under_their_theme) {
  std::map<std::string, std::string> listed;
  for (const property* law : catalogue()) listed[std::string(law->name)] = law->theme;
  EXPECT_EQ(listed, laws_in_the_folder());
}

TEST(catalogue, every_law_says_what_it_is) {
  for (const property* law : catalogue()) {
    for (std::string_view text : {law->statement, law->method, law->bound, law->proof, law->claim,
                                  law->needs, law->catches})
      EXPECT_FALSE(text.empty()) << law->name;
    EXPECT_GT(law->base_problems, 0) << law->name;
    EXPECT_TRUE(law->adapt && law->judge) << law->name;
    EXPECT_TRUE(law->admits.contains(law->groups))
        << law->name << ": a group for a feature that it does not admit";
    EXPECT_TRUE(law->plain_group || !law->groups.empty()) << law->name;
  }
}

// A heading as it is linked to: "One key" is #one-key.
std::string anchor_of(std::string heading) {
  for (char& c : heading) c = c == ' ' ? '-' : static_cast<char>(std::tolower(c));
  return heading;
}

std::set<std::string> anchors_in(const std::string& file) {
  std::set<std::string> anchors;
  std::ifstream in(std::string(ATTEST_SOURCE_FOLDER) + "/" + file);
  for (std::string line; std::getline(in, line);)
    if (const auto text = line.find_first_not_of('#'); text != 0 && text != std::string::npos)
      anchors.insert(anchor_of(line.substr(text + 1)));
  return anchors;
}

TEST(catalogue, every_proof_is_where_its_law_says) {
  for (const property* law : catalogue()) {
    const std::string proof(law->proof), file = proof.substr(0, proof.find('#'));
    const std::set<std::string> anchors = anchors_in(file);
    EXPECT_FALSE(anchors.empty()) << law->name << ": " << file;
    const bool names_a_heading = file != proof;
    EXPECT_TRUE(!names_a_heading || anchors.count(proof.substr(file.size() + 1)) == 1)
        << law->name << ": " << proof;
  }
}

TEST(catalogue, every_law_is_found_by_its_name_only_once) {
  std::set<std::string_view> names;
  for (const property* law : catalogue()) {
    EXPECT_EQ(&find_property(law->name), law);
    EXPECT_TRUE(names.insert(law->name).second) << law->name;
  }
}

TEST(catalogue, refuses_names_and_globs_without_a_law) {
  for (const char* name : {"", "rows_sum_to_2", "ROWS_SUM_TO_1", "rows_*"})
    EXPECT_THROW(find_property(name), input_error) << name;
  EXPECT_THROW(matching_properties("unheard_of*"), input_error);
  EXPECT_THROW(matching_properties(""), input_error);
}

TEST(catalogue, a_glob_finds_what_it_matches) {
  EXPECT_EQ(matching_properties("*").size(), catalogue().size());
  EXPECT_EQ(matching_properties("rows_sum_to_?").size(), 1u);
}

}  // namespace
}  // namespace attest
