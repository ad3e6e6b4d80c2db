#include "reports/words/foreign_text.h"

#include <gtest/gtest.h>

namespace attest {
namespace {

using namespace std::string_literals;

struct text_case {
  std::string given;
  std::string well_formed;
  std::string printable;
  const char* why;
};

const text_case cases[] = {
    {"", "", "", "nothing"},
    {"a b\\c", "a b\\c", "a b\\c", "ASCII"},
    {"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80",
     "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", "two, three and four bytes"},
    {"a\nb\t\x1b[0m\x7F"s, "a\nb\t\x1b[0m\x7F"s, "a\\x0Ab\\x09\\x1B[0m\\x7F", "control characters"},
    {"\0"s, "\0"s, "\\x00", "a zero byte"},
    {"\xC2\x9B", "\xC2\x9B", "\\u{009B}", "a control character above 0x7F"},
    {"\xFFz", "\xEF\xBF\xBDz", "\\xFFz", "a byte that starts nothing"},
    {"\xC3z", "\xEF\xBF\xBDz", "\\xC3z", "a character cut short"},
    {"\xE2\x82", "\xEF\xBF\xBD\xEF\xBF\xBD", "\\xE2\\x82", "cut short at the end"},
    {"\xC0\xAF", "\xEF\xBF\xBD\xEF\xBF\xBD", "\\xC0\\xAF", "an overlong slash"},
    {"\xE0\x80\xAF", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD", "\\xE0\\x80\\xAF",
     "overlong in three bytes"},
    {"\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD", "\\xED\\xA0\\x80", "a surrogate"},
    {"\xF4\x90\x80\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD", "\\xF4\\x90\\x80\\x80",
     "above U+10FFFF"},
    {"\xE2\x80\xAE", "\xE2\x80\xAE", "\\u{202E}", "turns the direction"},
    {"\xE2\x80\xA8", "\xE2\x80\xA8", "\\u{2028}", "a line separator"},
    {"\xEF\xBF\xBE", "\xEF\xBF\xBE", "\\u{FFFE}", "forbidden in XML"},
};

TEST(foreign_text, well_formed_keeps_characters_and_replaces_stray_bytes) {
  for (const text_case& c : cases) EXPECT_EQ(well_formed(c.given), c.well_formed) << c.why;
}

TEST(foreign_text, printable_shows_what_would_not_show) {
  for (const text_case& c : cases) EXPECT_EQ(printable(c.given), c.printable) << c.why;
}

TEST(foreign_text, shell_quoted_is_one_word_of_characters_that_show) {
  EXPECT_EQ(shell_quoted("a b"), "'a b'");
  EXPECT_EQ(shell_quoted("it's $HOME"), "'it'\\''s $HOME'");
  EXPECT_EQ(shell_quoted("it's\\\n\xFF"), "$'it\\'s\\\\\\x0A\\xFF'");
  for (const text_case& c : cases)
    EXPECT_EQ(printable(shell_quoted(c.given)), shell_quoted(c.given)) << c.why;
}

}  // namespace
}  // namespace attest
