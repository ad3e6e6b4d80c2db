#include "properties/exchange/npy_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

namespace attest {
namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view keys[] = {"descr", "fortran_order", "shape"};
constexpr std::string_view keys_allowed =
    "the keys 'descr', 'fortran_order' and 'shape', once each";

bool is_word_character(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("+-._").find(c) != std::string_view::npos;
}

std::string type_names() {
  std::string names;
  for (const element_type& type : npy_types)
    names += fmt::format("{}{}", names.empty() ? "" : " ", type.name);
  return names;
}

class dictionary_parser {
 public:
  dictionary_parser(std::string_view text, std::size_t first_byte, std::string_view where)
      : text_(text), first_byte_(first_byte), where_(where) {}

  npy_header parse();

 private:
  [[noreturn]] void fail(std::size_t at, std::string_view given, std::string_view allowed) const;
  [[noreturn]] void fail_here(std::string_view allowed) const;

  void require_ascii() const;
  void require_all_keys() const;
  void skip_blanks();
  bool accept(char wanted);
  void expect(char wanted);
  bool another_before(char close);
  std::string_view quoted();
  std::string_view word();

  void read_entry();
  const element_type* read_type();
  bool read_truth();
  std::vector<std::int64_t> read_shape();
  void read_size(std::vector<std::int64_t>& sizes);
  std::int64_t to_size(std::size_t at, std::string_view digits) const;

  std::string_view text_;
  std::size_t first_byte_;
  std::string_view where_;
  std::size_t at_ = 0;
  bool seen_[std::size(keys)] = {};
  npy_header header_;
};

void dictionary_parser::fail(std::size_t at, std::string_view given,
                             std::string_view allowed) const {
  refuse(where_, fmt::format("byte {}: {}", first_byte_ + at, given), allowed);
}

void dictionary_parser::fail_here(std::string_view allowed) const {
  fail(at_, at_ == text_.size() ? "end of the header" : fmt::format("'{}'", text_[at_]), allowed);
}

npy_header dictionary_parser::parse() {
  require_ascii();
  expect('{');
  if (!accept('}')) {
    do read_entry();
    while (another_before('}'));
  }
  skip_blanks();
  if (at_ != text_.size()) fail_here("only blanks after the header's dictionary");
  require_all_keys();
  return header_;
}

void dictionary_parser::require_ascii() const {
  for (std::size_t i = 0; i < text_.size(); ++i) {
    const char c = text_[i];
    if ((c < ' ' || c > '~') && blanks.find(c) == std::string_view::npos)
      fail(i, fmt::format("0x{:02x} in the header", static_cast<unsigned char>(c)),
           "printable ASCII and blanks");
  }
}

void dictionary_parser::require_all_keys() const {
  for (std::size_t i = 0; i < std::size(keys); ++i)
    if (!seen_[i]) fail(0, fmt::format("header without '{}'", keys[i]), keys_allowed);
}

void dictionary_parser::skip_blanks() {
  at_ = std::min(text_.find_first_not_of(blanks, at_), text_.size());
}

bool dictionary_parser::accept(char wanted) {
  skip_blanks();
  if (at_ == text_.size() || text_[at_] != wanted) return false;
  ++at_;
  return true;
}

void dictionary_parser::expect(char wanted) {
  if (!accept(wanted)) fail_here(fmt::format("'{}'", wanted));
}

// Python allows a comma after the last item too.
bool dictionary_parser::another_before(char close) {
  if (accept(',')) return !accept(close);
  if (!accept(close)) fail_here(fmt::format("',' or '{}'", close));
  return false;
}

// Escapes aren't read: no allowed string has one.
std::string_view dictionary_parser::quoted() {
  skip_blanks();
  const char quote = accept('"') ? '"' : '\'';
  if (quote == '\'') expect(quote);
  const std::size_t start = at_;
  at_ = std::min(text_.find_first_of(std::string("\r\n\\") + quote, start), text_.size());
  if (at_ == text_.size() || text_[at_] != quote)
    fail(start, "unfinished string or an escape in it", "a plain quoted string");
  return text_.substr(start, at_++ - start);
}

std::string_view dictionary_parser::word() {
  skip_blanks();
  const std::size_t start = at_;
  while (at_ < text_.size() && is_word_character(text_[at_])) ++at_;
  return text_.substr(start, at_ - start);
}

void dictionary_parser::read_entry() {
  skip_blanks();
  const std::size_t start = at_;
  const std::string_view key = quoted();
  const auto index =
      static_cast<std::size_t>(std::find(std::begin(keys), std::end(keys), key) - keys);
  if (index == std::size(keys) || seen_[index])
    fail(start,
         fmt::format("{} key '{}'", index == std::size(keys) ? "unknown" : "repeated", shown(key)),
         keys_allowed);
  seen_[index] = true;
  expect(':');
  if (index == 0) header_.type = read_type();
  if (index == 1) header_.column_major = read_truth();
  if (index == 2) header_.sizes = read_shape();
}

const element_type* dictionary_parser::read_type() {
  skip_blanks();
  const std::size_t start = at_;
  if (at_ < text_.size() && (text_[at_] == '[' || text_[at_] == '('))
    fail(start, "structured 'descr'", type_names());
  const std::string_view descr = quoted();
  const element_type* type = find_npy_type(descr);
  if (type != nullptr) return type;
  const bool object = descr.find('O') != std::string_view::npos;
  fail(
      start,
      fmt::format("'descr' is '{}'{}", shown(descr), object ? ", pickled objects, never read" : ""),
      type_names());
}

bool dictionary_parser::read_truth() {
  skip_blanks();
  const std::size_t start = at_;
  const std::string_view truth = word();
  if (truth != "True" && truth != "False")
    fail(start, fmt::format("'fortran_order' is '{}'", shown(truth)), "True or False");
  return truth == "True";
}

std::vector<std::int64_t> dictionary_parser::read_shape() {
  std::vector<std::int64_t> sizes;
  expect('(');
  if (accept(')')) return sizes;
  read_size(sizes);
  expect(',');  // (3) is a number in Python, (3,) a tuple
  if (accept(')')) return sizes;
  do read_size(sizes);
  while (another_before(')'));
  return sizes;
}

void dictionary_parser::read_size(std::vector<std::int64_t>& sizes) {
  skip_blanks();
  const std::size_t start = at_;
  if (sizes.size() == array_rank_limit)
    fail(start, fmt::format("'shape' of more than {} sizes", array_rank_limit),
         fmt::format("0 to {} sizes", array_rank_limit));
  sizes.push_back(to_size(start, word()));
}

std::int64_t dictionary_parser::to_size(std::size_t at, std::string_view digits) const {
  std::int64_t size = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, size);
  const bool leading_zero = digits.size() > 1 && digits[0] == '0';
  if (error != std::errc() || stop != end || leading_zero || digits[0] == '-')
    fail(at, fmt::format("size '{}' in 'shape'", shown(digits)), "integers from 0 to 2^63 - 1");
  return size;
}

}  // namespace

const element_type* find_npy_type(std::string_view descr) {
  for (const element_type& type : npy_types)
    if (type.name == descr) return &type;
  return nullptr;
}

npy_header parse_npy_header(std::string_view text, std::size_t first_byte, std::string_view where) {
  return dictionary_parser(text, first_byte, where).parse();
}

std::string print_npy_header(const npy_header& header) {
  const std::string shape = sizes_text(header.sizes) + (header.sizes.size() == 1 ? "," : "");
  return fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}), }}", header.type->name,
                     header.column_major ? "True" : "False", shape);
}

}  // namespace attest
