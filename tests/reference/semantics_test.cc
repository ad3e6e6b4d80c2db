// Every convention can be named, and what is named is what is read.
#include <gtest/gtest.h>

#include <set>

#include "reference/input_error.h"
#include "reference/semantics/fields.h"
#include "reference/semantics/profiles.h"

namespace attest {
namespace {

TEST(all_fields, have_an_entry_for_every_member) {
  EXPECT_EQ(all_fields().size(), sizeof(semantics)) << "each member is one byte";
}

TEST(all_fields, set_what_they_get_and_nothing_else) {
  for (const semantics_field& field : all_fields())
    for (std::size_t value = 0; value < field.values.size(); ++value) {
      semantics rules;
      field.set(rules, value);
      EXPECT_EQ(field.get(rules), value) << field.name;
      for (const semantics_field& other : all_fields())
        EXPECT_TRUE(other.name == field.name || other.get(rules) == other.get({}))
            << field.name << " sets " << other.name;
    }
}

TEST(all_fields, have_names_and_values_of_their_own) {
  std::set<std::string_view> names;
  for (const semantics_field& field : all_fields()) {
    EXPECT_TRUE(names.insert(field.name).second) << field.name;
    std::set<std::string_view> values;
    for (const field_value& value : field.values)
      EXPECT_TRUE(values.insert(value.name).second) << field.name << ' ' << value.name;
    EXPECT_GE(values.size(), 2u) << field.name;
  }
}

TEST(find_field, knows_every_name_and_says_which_there_are) {
  for (const semantics_field& field : all_fields())
    EXPECT_EQ(&find_field(field.name), &field) << field.name;
  EXPECT_THROW(find_field("heads"), input_error);
}

TEST(find_profile, reads_fields_after_a_name) {
  const semantics rules = find_profile(
      "base-2-lse,lse_sink=left_out,cap_order=after_mask,window_ends=exclusive,"
      "mask_polarity=true_masks,infinite_bias=weighs_0,lowest_bias=masks,masked_slots=never_read,"
      "non_finite_inputs=propagate,empty_row=mean_of_values,empty_lse=plus_infinity,"
      "head_map=tile");
  const semantics expected{.on_empty_row = empty_row::mean_of_values,
                           .base = lse_base::two,
                           .on_empty_lse = empty_lse::plus_infinity,
                           .sink = lse_sink::left_out,
                           .heads = head_map::tile,
                           .cap = cap_order::after_mask,
                           .polarity = mask_polarity::true_masks,
                           .on_infinite_bias = infinite_bias::weighs_0,
                           .on_lowest_bias = lowest_bias::masks,
                           .slots = masked_slots::never_read,
                           .on_non_finite = non_finite_inputs::propagate,
                           .ends = window_ends::exclusive};
  EXPECT_EQ(rules, expected);
}

TEST(find_profile, reads_back_what_profile_text_writes) {
  for (const profile& p : all_profiles())
    for (const semantics_field& field : all_fields())
      for (std::size_t value = 0; value < field.values.size(); ++value) {
        semantics rules = p.rules;
        field.set(rules, value);
        EXPECT_EQ(find_profile(profile_text(rules)), rules) << profile_text(rules);
      }
}

TEST(profile_text, is_a_name_where_there_is_one) {
  EXPECT_EQ(profile_text({}), "attest");
  EXPECT_EQ(profile_text({.heads = head_map::tile}), "tiled-heads");
  EXPECT_EQ(profile_text({.heads = head_map::tile, .ends = window_ends::exclusive}),
            "attest,head_map=tile,window_ends=exclusive");
}

TEST(all_profiles, have_names_of_their_own_and_say_whose_they_are) {
  std::set<std::string_view> names;
  for (const profile& p : all_profiles()) {
    EXPECT_TRUE(names.insert(p.name).second) << p.name;
    EXPECT_FALSE(p.about.empty()) << p.name;
  }
  EXPECT_EQ(all_profiles().front().rules, semantics{}) << "the first is the default";
}

}  // namespace
}  // namespace attest
