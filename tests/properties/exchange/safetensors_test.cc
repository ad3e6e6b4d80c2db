#include "properties/exchange/safetensors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "tests/properties/exchange/file_bytes.h"

namespace attest {
namespace {

using values = std::vector<double>;
using sizes = std::vector<std::int64_t>;

std::string file_of(const std::string& header, const std::string& data = "") {
  return little_endian(header.size(), 8) + header + data;
}

named_arrays read_bytes(const std::string& bytes) {
  std::istringstream in(bytes);
  return read_safetensors(in, "x.safetensors");
}

std::string message_for(const std::string& bytes) {
  return message_of([&] { read_bytes(bytes); });
}

std::string entry(const std::string& name, const std::string& type, const std::string& shape,
                  const std::string& offsets) {
  return "\"" + name + "\":{\"dtype\":\"" + type + "\",\"shape\":" + shape +
         ",\"data_offsets\":" + offsets + "}";
}

std::string one(const std::string& type, const std::string& data_hex, int bytes) {
  const std::string data = from_hex(data_hex);
  return file_of("{" +
                     entry("a", type, "[" + std::to_string(data.size() / bytes) + "]",
                           "[0," + std::to_string(data.size()) + "]") +
                     "}",
                 data);
}

TEST(safetensors, reads_every_element_type) {
  struct row {
    const char* type;
    const char* data;
    int bytes;
    element_kind kind;
    const format* element;
    values expected;
  };
  const row rows[] = {
      {"F64", "000000000000f83f00000000000000c0", 8, element_kind::floating, &f64, {1.5, -2}},
      {"F32", "0000c03f000000c0", 4, element_kind::floating, &f32, {1.5, -2}},
      {"F16", "003e00c0", 2, element_kind::floating, &f16, {1.5, -2}},
      {"BF16", "c03f00c0", 2, element_kind::floating, &bf16, {1.5, -2}},
      {"F8_E4M3", "3cc07e", 1, element_kind::floating, &f8_e4m3fn, {1.5, -2, 448}},
      {"F8_E5M2", "3ec07b", 1, element_kind::floating, &f8_e5m2, {1.5, -2, 57344}},
      {"BOOL", "0100", 1, element_kind::boolean, nullptr, {1, 0}},
      {"I64", "0300000000000000fbffffffffffffff", 8, element_kind::integer, nullptr, {3, -5}},
      {"I32", "03000000fbffffff", 4, element_kind::integer, nullptr, {3, -5}},
      {"I16", "0300fbff", 2, element_kind::integer, nullptr, {3, -5}},
      {"I8", "03fb", 1, element_kind::integer, nullptr, {3, -5}},
      {"U64", "0300000000000000", 8, element_kind::integer, nullptr, {3}},
      {"U32", "03000000fbffffff", 4, element_kind::integer, nullptr, {3, 4294967291}},
      {"U16", "0300fbff", 2, element_kind::integer, nullptr, {3, 65531}},
      {"U8", "03fb", 1, element_kind::integer, nullptr, {3, 251}},
  };
  for (const row& r : rows) {
    SCOPED_TRACE(r.type);
    const named_arrays all = read_bytes(one(r.type, r.data, r.bytes));
    ASSERT_EQ(all.count("a"), 1u);
    EXPECT_EQ(all.at("a").kind, r.kind);
    EXPECT_EQ(all.at("a").element, r.element);
    EXPECT_EQ(all.at("a").values, r.expected);
  }
}

TEST(safetensors, reads_several_arrays_in_any_order_with_metadata_and_blanks) {
  const named_arrays all = read_bytes(file_of("{" + entry("second", "U8", "[2,1]", "[4,6]") +
                                                  ", \"__metadata__\":{\"format\":\"pt\"}, " +
                                                  entry("nothing", "F32", "[0,3]", "[4,4]") + "," +
                                                  entry("first", "F32", "[]", "[0,4]") + "}   ",
                                              from_hex("0000c03f0102")));
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all.at("first").sizes, sizes{});
  EXPECT_EQ(all.at("first").values, values{1.5});
  EXPECT_EQ(all.at("second").sizes, (sizes{2, 1}));
  EXPECT_EQ(all.at("second").values, (values{1, 2}));
  EXPECT_EQ(all.at("nothing").sizes, (sizes{0, 3}));
  EXPECT_TRUE(read_bytes(file_of("{}")).empty());
}

TEST(safetensors, the_bytes_written_hold_the_widest_first_and_align_the_data) {
  const named_arrays all{{"a", {nullptr, {2}, {1, 0}, element_kind::boolean}},
                         {"b", {&bf16, {1}, {1.5}}},
                         {"c", {&f64, {1}, {-2}}}};
  const std::string header = R"({"c":{"dtype":"F64","shape":[1],"data_offsets":[0,8]},)"
                             R"("b":{"dtype":"BF16","shape":[1],"data_offsets":[8,10]},)"
                             R"("a":{"dtype":"BOOL","shape":[2],"data_offsets":[10,12]}})";
  const std::string padded = header + std::string((8 - header.size() % 8) % 8, ' ');
  EXPECT_EQ(safetensors_bytes(all), file_of(padded, from_hex("00000000000000c0c03f0100")));
}

TEST(safetensors, every_format_round_trips_or_goes_out_as_f32) {
  const values all{0, -0.0, 1.25, -0x1p-6, 224};
  for (const format* f : all_formats) {
    const array a = read_bytes(safetensors_bytes({{"x", {f, {5}, all}}})).at("x");
    EXPECT_EQ(a.values, all) << f->name;
    EXPECT_TRUE(std::signbit(a.values[1])) << f->name;
    const bool lacks = *f == tf32 || *f == f8_e4m3;
    EXPECT_EQ(a.element->name, lacks ? f32.name : f->name);
  }
}

TEST(safetensors, keeps_infinities_and_nan) {
  const double infinity = std::numeric_limits<double>::infinity();
  const array a{&bf16, {3}, {infinity, -infinity, std::nan("")}};
  const array b = read_bytes(safetensors_bytes({{"x", a}})).at("x");
  EXPECT_EQ(b.values[0], infinity);
  EXPECT_EQ(b.values[1], -infinity);
  EXPECT_TRUE(std::isnan(b.values[2]));
}

struct bad_file {
  std::string bytes, message, why;
};

void expect_messages(const std::vector<bad_file>& files) {
  for (const bad_file& f : files)
    EXPECT_EQ(message_for(f.bytes), "x.safetensors: " + f.message) << f.why;
}

TEST(safetensors, a_damaged_start_is_refused_with_its_byte) {
  const std::string good = one("F32", "0000c03f", 4);
  expect_messages({
      {"", "an empty file; allowed: a .safetensors file", "empty"},
      {good.substr(0, 5), "byte 0: header length truncated, 5 bytes found; allowed: 8 bytes",
       "short"},
      {good.substr(0, 20),
       "byte 8: header truncated, 12 bytes found; allowed: " + std::to_string(good.size() - 12) +
           " bytes",
       "short"},
      {"\x93NUMPY\x01", "byte 0: header length truncated, 7 bytes found; allowed: 8 bytes",
       "a .npy file's start"},
      {std::string(8, '\xff') + "{}",
       "byte 0: header of 18446744073709551615 bytes; allowed: at most 1048576, a .safetensors "
       "file",
       "never allocated"},
      {file_of(""), "byte 8: a header that begins with no '{'; allowed: a .safetensors file",
       "no header"},
      {file_of(" {}"), "byte 8: a header that begins with no '{'; allowed: a .safetensors file",
       "a blank first"},
      {file_of("{]"), "byte 9: a header that is no JSON; allowed: a JSON object in UTF-8", "JSON"},
      {file_of("{} {}"), "byte 11: a header that is no JSON; allowed: a JSON object in UTF-8",
       "two objects"},
      {file_of("{\"\xff\":{}}"),
       "byte 10: a header that is no JSON; allowed: a JSON object in UTF-8", "no UTF-8"},
  });
}

TEST(safetensors, a_header_nested_without_end_is_refused_at_its_third_level) {
  const std::string deep = "{\"a\":" + std::string(500000, '[');
  EXPECT_EQ(message_for(file_of(deep)),
            "x.safetensors: a header nested too deep; allowed: an object of objects");
}

TEST(safetensors, names_and_keys_stand_once) {
  const std::string a = entry("a", "U8", "[1]", "[0,1]");
  expect_messages({
      {file_of("{" + a + "," + a + "}", "x"), "'a' twice in the header; allowed: each name once",
       "the library would keep the last"},
      {file_of("{" + a + "," + entry("\\u0061", "U8", "[1]", "[1,2]") + "}", "xy"),
       "'a' twice in the header; allowed: each name once", "the same name, escaped"},
      {file_of("{\"a\":{\"dtype\":\"U8\",\"dtype\":\"U8\"}}"),
       "'dtype' twice in the header; allowed: each name once", "a key of an entry"},
      {file_of("{\"a\":{\"dtype\":\"U8\",\"shape\":[1]}}", "x"),
       "'a': no 'data_offsets'; allowed: dtype, shape and data_offsets", "missing"},
      {file_of("{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1],\"x\":1}}", "x"),
       "'a': 'x'; allowed: dtype, shape and data_offsets", "unknown"},
      {file_of("{\"a\":[]}"), "'a': []; allowed: an object", "no entry"},
      {file_of("{\"__metadata__\":{\"a\":1}}"),
       "'__metadata__': {\"a\":1}; allowed: an object of texts", "metadata"},
  });
}

constexpr const char* types_allowed =
    "; allowed: F64 F32 F16 BF16 F8_E4M3 F8_E5M2 BOOL I64 I32 I16 I8 U64 U32 U16 U8";
constexpr const char* numbers_allowed = "; allowed: integers from 0 to 2^63 - 1";

TEST(safetensors, lying_types_sizes_and_offsets_are_refused) {
  const auto with = [](const char* type, const char* shape, const char* offsets) {
    return file_of("{" + entry("a", type, shape, offsets) + "}", "1234");
  };
  expect_messages({
      {with("F4", "[4]", "[0,4]"), std::string("'a': 'dtype' is \"F4\"") + types_allowed, "type"},
      {with("U8", "4", "[0,4]"), "'a': 'shape' is 4; allowed: a list of 0 to 8 sizes", "no list"},
      {with("U8", "[1,1,1,1,1,1,1,1,4]", "[0,4]"),
       "'a': 'shape' is [1,1,1,1,1,1,1,1,4]; allowed: a list of 0 to 8 sizes", "rank 9"},
      {with("U8", "[-4]", "[0,4]"), std::string("'a': 'shape' holds -4") + numbers_allowed,
       "negative"},
      {with("U8", "[4.0]", "[0,4]"), std::string("'a': 'shape' holds 4.0") + numbers_allowed,
       "a fraction"},
      {with("U8", "[18446744073709551620]", "[0,4]"),
       std::string("'a': 'shape' holds 1.8446744073709552e+19") + numbers_allowed, "past 64 bits"},
      {with("F64", "[4294967296,4294967296]", "[0,4]"),
       "'a': 'shape' (4294967296, 4294967296) overflows; allowed: at most 2^63 - 1 bytes of data",
       "overflow"},
      {with("F64", "[0,4294967296,4294967296]", "[0,0]"),
       "'a': 'shape' (0, 4294967296, 4294967296) overflows; allowed: at most 2^63 - 1 bytes of "
       "data",
       "overflow beside a zero"},
      {with("U8", "[1e999]", "[0,4]"),
       std::string("a number in the header that no double holds") + numbers_allowed,
       "found by the fuzzer"},
      {with("U8", "[4]", "[0,4,4]"),
       "'a': 'data_offsets' is [0,4,4]; allowed: a list of two offsets", "three offsets"},
      {with("U8", "[4]", "[4,0]"),
       "'a': 'data_offsets' is [4, 0]; allowed: a span of 4 bytes, as 'dtype' and 'shape' say",
       "backwards"},
      {with("F32", "[4]", "[0,4]"),
       "'a': 'data_offsets' is [0, 4]; allowed: a span of 16 bytes, as 'dtype' and 'shape' say",
       "too short"},
      {with("U8", "[1000000]", "[0,1000000]"),
       "4 bytes of data; allowed: 1000000, as the header says", "beyond the file"},
      {with("U8", "[3]", "[0,3]"), "4 bytes of data; allowed: 3, as the header says",
       "bytes after the data"},
      {with("U8", "[3]", "[1,4]"),
       "'a': 'data_offsets' is [1, 4], after a gap; allowed: offsets from 0, where the array "
       "before ends",
       "a gap"},
      {with("BOOL", "[4]", "[0,4]"), "byte 63: BOOL of value 49; allowed: 0 and 1", "no boolean"},
  });
}

TEST(safetensors, overlapping_arrays_are_refused) {
  EXPECT_EQ(message_for(file_of("{" + entry("a", "U8", "[3]", "[0,3]") + "," +
                                    entry("b", "U8", "[3]", "[1,4]") + "}",
                                "1234")),
            "x.safetensors: 'b': 'data_offsets' is [1, 4], an overlap; allowed: offsets from 3, "
            "where the array before ends");
}

TEST(safetensors, integers_are_read_up_to_the_last_that_a_double_holds) {
  EXPECT_EQ(read_bytes(one("U64", "0000000000002000", 8)).at("a").values, values{0x1p53});
  EXPECT_EQ(message_for(one("U64", "ffffffffffffffff", 8)),
            "x.safetensors: byte 62: U64 of value 18446744073709551615; "
            "allowed: integers from -2^53 to 2^53");
}

// Every cut of a good file is refused, and none is read beyond.
TEST(safetensors, a_file_cut_anywhere_is_refused) {
  const std::string good =
      safetensors_bytes({{"q", {&f32, {2}, {1, 2}}}, {"k", {&bf16, {1}, {1}}}});
  for (std::size_t n = 0; n < good.size(); ++n)
    EXPECT_NE(message_for(good.substr(0, n)), "accepted") << n;
  EXPECT_EQ(message_for(good), "accepted");
}

}  // namespace
}  // namespace attest
