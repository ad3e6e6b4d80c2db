#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "properties/exchange/onnx/test_case.h"
#include "tests/fuzz/same_arrays.h"
#include "tests/properties/exchange/file_bytes.h"

namespace attest {
namespace {

namespace fs = std::filesystem;

// A field of a protobuf message as ONNX writes it: its number, then a varint or bytes.
std::string varint(std::uint64_t x) {
  std::string bytes;
  for (; x > 127; x >>= 7) bytes += static_cast<char>((x & 127) | 128);
  return bytes + static_cast<char>(x);
}
std::string number_field(int field, std::uint64_t x) {
  return varint(static_cast<std::uint64_t>(field) << 3) + varint(x);
}
std::string bytes_field(int field, const std::string& bytes) {
  return varint(static_cast<std::uint64_t>(field) << 3 | 2) + varint(bytes.size()) + bytes;
}

// Fields of TensorProto.
constexpr int dims = 1, data_type = 2, float_data = 4, int32_data = 5, int64_data = 7, raw_data = 9,
              double_data = 10, uint64_data = 11, external_data = 13, data_location = 14;

std::string sized(std::initializer_list<std::uint64_t> sizes, int type) {
  std::string bytes;
  for (const std::uint64_t size : sizes) bytes += number_field(dims, size);
  return bytes + number_field(data_type, static_cast<std::uint64_t>(type));
}

std::string refusal(const std::string& bytes) {
  return message_of([&] { read_onnx_tensor(bytes, "t.pb"); });
}

array floats(const format& f, std::vector<std::int64_t> sizes, std::vector<double> values) {
  return {&f, std::move(sizes), std::move(values), element_kind::floating};
}

TEST(onnx_tensor, survives_writing_and_reading) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = HUGE_VAL;
  const array arrays[] = {
      floats(f32, {2, 3}, {1, -0.0, inf, -inf, nan, 0x1p-149}),
      floats(f16, {4}, {65504, 0x1p-24, -2, 0}),
      floats(bf16, {1, 1, 2}, {0x1p127, 3}),
      floats(f64, {}, {0.1}),
      floats(f32, {0, 5}, {}),
      {nullptr, {3}, {1, 0, 1}, element_kind::boolean},
      {nullptr, {2}, {-7, 9007199254740992}, element_kind::integer},
  };
  for (const array& a : arrays) {
    const onnx_tensor read = read_onnx_tensor(onnx_tensor_bytes({"name", a}), "t.pb");
    EXPECT_EQ(read.name, "name");
    EXPECT_TRUE(same_array(read.held, a)) << sizes_text(a.sizes);
  }
}

struct typed_data {
  const char* why;
  std::string bytes;
  array due;
};

TEST(onnx_tensor, is_read_from_the_field_of_its_type) {
  const auto integers = [](std::vector<double> values) {
    return array{nullptr, {2}, std::move(values), element_kind::integer};
  };
  const typed_data table[] = {
      {"float", sized({2}, 1) + bytes_field(float_data, std::string("\0\0\x80\x3f\0\0\0\xc0", 8)),
       floats(f32, {2}, {1, -2})},
      {"double", sized({1}, 11) + bytes_field(double_data, std::string("\0\0\0\0\0\0\xf0\x3f", 8)),
       floats(f64, {1}, {1})},
      {"float16 bits as integers",
       sized({2}, 10) + bytes_field(int32_data, varint(0x3c00) + varint(0xc000)),
       floats(f16, {2}, {1, -2})},
      {"bfloat16 bits as integers",
       sized({2}, 16) + bytes_field(int32_data, varint(0x3f80) + varint(0xc000)),
       floats(bf16, {2}, {1, -2})},
      {"bool",
       sized({2}, 9) + bytes_field(int32_data, varint(1) + varint(0)),
       {nullptr, {2}, {1, 0}, element_kind::boolean}},
      {"int64, not packed",
       sized({2}, 7) + number_field(int64_data, 5) + number_field(int64_data, ~std::uint64_t{0}),
       integers({5, -1})},
      {"int32, negative",
       sized({2}, 6) + bytes_field(int32_data, varint(3) + varint(~std::uint64_t{1})),
       integers({3, -2})},
      {"uint64", sized({2}, 13) + bytes_field(uint64_data, varint(3) + varint(4)),
       integers({3, 4})},
      {"uint8, raw", sized({2}, 2) + bytes_field(raw_data, "\xff\x01"), integers({255, 1})},
      {"fields that are not known are skipped",
       sized({2}, 2) + bytes_field(12, "a comment") + bytes_field(raw_data, "\x02\x01"),
       integers({2, 1})},
  };
  for (const typed_data& row : table)
    EXPECT_TRUE(same_array(read_onnx_tensor(row.bytes, "t.pb").held, row.due)) << row.why;
}

struct refused_bytes {
  std::string bytes;
  const char* given;
};

TEST(onnx_tensor, says_in_one_line_what_it_refuses) {
  const refused_bytes table[] = {
      {"\xff\xff\xff", "t.pb: bytes that are no protobuf message"},
      {bytes_field(raw_data, "abcd").substr(0, 4), "bytes that are no protobuf message"},
      {sized({1}, 8), "t.pb: data_type 8"},
      {sized({1}, 0), "data_type 0"},
      {"", "data_type 0"},
      {sized({2}, 1) + bytes_field(raw_data, "abcd"), "4 bytes of data for dims (2)"},
      {sized({~std::uint64_t{0}}, 1), "a size of -1"},
      {sized({std::uint64_t{1} << 62, 4}, 1), "overflows"},
      {sized({0, std::uint64_t{1} << 61}, 2), "overflows"},  // as INT64 it could not be written
      {sized({1, 1, 1, 1, 1, 1, 1, 1, 1}, 1), "rank 9"},
      {sized({1}, 1) + number_field(data_location, 1), "data in another file"},
      {sized({1}, 1) + bytes_field(external_data, bytes_field(1, "location")),
       "data in another file"},
      {sized({1}, 9) + bytes_field(raw_data, "\x02"), "BOOL of value 2"},
      {sized({1}, 7) + number_field(int64_data, std::uint64_t{1} << 60), "INT64 of value"},
  };
  for (const refused_bytes& row : table) {
    const std::string message = refusal(row.bytes);
    EXPECT_NE(message.find(row.given), std::string::npos) << message;
    EXPECT_NE(message.find("; allowed: "), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

onnx_model sample_model() {
  return {.opset = 24,
          .nodes = {{"Attention",
                     "",
                     {"Q", "K", "V", "", "", "", "n"},
                     {"Y", "", "", "S"},
                     {{"scale", 0.25}, {"is_causal", std::int64_t{1}}, {"word", std::string("x")}}},
                    {"Other", "some.domain", {"Y"}, {"Z"}, {}}},
          .inputs = {{"Q", 1, {1, 2, 3, 4}}, {"n", 7, {1}}},
          .outputs = {{"Y", 1, {}}},
          .initializers = {}};
}

TEST(onnx_model, survives_writing_and_reading) {
  const onnx_model given = sample_model();
  const onnx_model read = read_onnx_model(onnx_model_bytes(given), "model.onnx");
  EXPECT_EQ(read.opset, given.opset);
  ASSERT_EQ(read.nodes.size(), given.nodes.size());
  for (std::size_t n = 0; n < given.nodes.size(); ++n) {
    EXPECT_EQ(read.nodes[n].op_type, given.nodes[n].op_type);
    EXPECT_EQ(read.nodes[n].domain, given.nodes[n].domain);
    EXPECT_EQ(read.nodes[n].inputs, given.nodes[n].inputs);
    EXPECT_EQ(read.nodes[n].outputs, given.nodes[n].outputs);
    ASSERT_EQ(read.nodes[n].attributes.size(), given.nodes[n].attributes.size());
    for (std::size_t a = 0; a < given.nodes[n].attributes.size(); ++a)
      EXPECT_EQ(read.nodes[n].attributes[a].value, given.nodes[n].attributes[a].value);
  }
  ASSERT_EQ(read.inputs.size(), 2u);
  EXPECT_EQ(read.inputs[0].sizes, given.inputs[0].sizes);
  EXPECT_EQ(read.inputs[1].data_type, 7);
  EXPECT_EQ(read.outputs.at(0).name, "Y");
}

template <class Value>
const Value& attribute(const onnx_node& node, std::size_t n) {
  return std::get<Value>(node.attributes.at(n).value);
}
using graph_pointer = std::shared_ptr<const onnx_graph>;
using constant_pointer = std::shared_ptr<const onnx_constant>;

TEST(onnx_model, keeps_the_graphs_that_are_attributes) {
  const onnx_constant half{{"half", floats(f32, {1}, {0.5})}, ""};
  const onnx_graph inner{
      {{"Add", "", {"x", "half"}, {"y"}, {}}}, {{"x", 1, {open_size, 2}}}, {{"y", 1, {}}}, {half}};
  onnx_model given;
  given.opset = 26;
  given.other_opsets = {{"some.domain", 3}};
  given.nodes.push_back({"Any",
                         "some.domain",
                         {},
                         {},
                         {{"graph", std::make_shared<const onnx_graph>(inner)},
                          {"tensor", std::make_shared<const onnx_constant>(half)},
                          {"floats", std::vector<double>{0.5, -1}},
                          {"integers", std::vector<std::int64_t>{3, -4}}}});
  const onnx_model read = read_onnx_model(onnx_model_bytes(given), "model.onnx");
  EXPECT_EQ(read.other_opsets, given.other_opsets);
  const onnx_node& node = read.nodes.at(0);
  const onnx_graph& graph = *attribute<graph_pointer>(node, 0);
  EXPECT_EQ(graph.nodes.at(0).inputs, inner.nodes[0].inputs);
  EXPECT_EQ(graph.inputs.at(0).sizes, inner.inputs[0].sizes);
  EXPECT_EQ(graph.outputs.at(0).name, "y");
  EXPECT_EQ(graph.initializers.at(0).tensor.name, "half");
  EXPECT_TRUE(same_array(graph.initializers[0].tensor.held, half.tensor.held));
  EXPECT_TRUE(same_array(attribute<constant_pointer>(node, 1)->tensor.held, half.tensor.held));
  EXPECT_EQ(attribute<std::vector<double>>(node, 2), (std::vector<double>{0.5, -1}));
  EXPECT_EQ(attribute<std::vector<std::int64_t>>(node, 3), (std::vector<std::int64_t>{3, -4}));
}

// Fields of ModelProto, GraphProto, NodeProto and AttributeProto.
constexpr int model_graph = 7, graph_node = 1, graph_initializer = 5, node_attribute = 5,
              attribute_graph = 6, attribute_ints = 8, tensor_name = 8;

std::string model_of_attribute(const std::string& attribute) {
  return bytes_field(model_graph, bytes_field(graph_node, bytes_field(node_attribute, attribute)));
}

// Producers write "to the end" as the greatest INT64; a type that is not read hides nothing else.
TEST(onnx_model, reads_what_it_can_of_the_tensors_of_a_graph) {
  const std::string ends = bytes_field(tensor_name, "ends") + sized({3}, 7) +
                           bytes_field(int64_data, varint(~std::uint64_t{0} >> 1) + varint(7) +
                                                       varint(std::uint64_t{1} << 63));
  const std::string words = bytes_field(tensor_name, "words") + sized({1}, 8);
  const std::string graph =
      bytes_field(graph_initializer, ends) + bytes_field(graph_initializer, words);
  const onnx_model read =
      read_onnx_model(model_of_attribute(bytes_field(attribute_graph, graph)), "m.onnx");
  const onnx_graph& found = *attribute<graph_pointer>(read.nodes.at(0), 0);
  ASSERT_EQ(found.initializers.size(), 2u);
  EXPECT_EQ(found.initializers[0].tensor.held.values, (std::vector<double>{0x1p53, 7, -0x1p53}));
  EXPECT_EQ(found.initializers[1].tensor.name, "words");
  EXPECT_NE(found.initializers[1].unread.find("tensor words: data_type 8"), std::string::npos);
}

TEST(onnx_model, tells_the_type_of_an_attribute_that_does_not_say_it) {
  const std::string ints = number_field(attribute_ints, 3) + number_field(attribute_ints, 4);
  const onnx_model read = read_onnx_model(model_of_attribute(ints), "m.onnx");
  EXPECT_EQ(attribute<std::vector<std::int64_t>>(read.nodes.at(0), 0),
            (std::vector<std::int64_t>{3, 4}));
}

TEST(onnx_model, of_nothing_is_refused) {
  for (const std::string bytes : {"", "\xff", "no model at all"})
    EXPECT_NE(
        message_of([&] { read_onnx_model(bytes, "m.onnx"); }).find("m.onnx: bytes that are no"),
        std::string::npos)
        << bytes;
}

class onnx_case : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              ("attest_onnx_" +
               std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()) + "_" +
               std::to_string(::getpid()));
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write() const {
    const onnx_data_set set{"",
                            {{"", floats(f32, {1}, {2})}, {"", floats(f32, {1}, {3})}},
                            {{"", floats(f32, {1}, {4})}}};
    write_onnx_case(folder_ / "case", sample_model(), {set, set});
  }

  fs::path folder_;
};

TEST_F(onnx_case, survives_writing_and_reading) {
  write();
  EXPECT_EQ(find_onnx_cases(folder_), std::vector<fs::path>{folder_ / "case"});
  EXPECT_EQ(find_onnx_cases(folder_ / "case"), std::vector<fs::path>{folder_ / "case"});
  const auto sets = read_onnx_data_sets(folder_ / "case");
  ASSERT_EQ(sets.size(), 2u);
  EXPECT_EQ(sets[1].name, "test_data_set_1");
  ASSERT_EQ(sets[0].inputs.size(), 2u);
  EXPECT_EQ(sets[0].inputs[1].name, "n");
  EXPECT_EQ(sets[0].inputs[1].held.values, std::vector<double>{3});
  EXPECT_EQ(sets[0].outputs.at(0).name, "Y");
}

TEST_F(onnx_case, with_a_file_left_out_is_refused) {
  write();
  fs::remove(folder_ / "case/test_data_set_0/input_0.pb");
  EXPECT_NE(message_of([&] {
              read_onnx_data_sets(folder_ / "case");
            }).find("1 entries input_*, of which 0 follow each other from 0"),
            std::string::npos);
}

TEST_F(onnx_case, without_stored_answers_is_refused) {
  fs::create_directories(folder_ / "case");
  EXPECT_NE(
      message_of([&] { read_onnx_data_sets(folder_ / "case"); }).find("without test_data_set_0"),
      std::string::npos);
}

TEST_F(onnx_case, that_is_none_is_refused) {
  EXPECT_NE(message_of([&] { find_onnx_cases(folder_); }).find("no folder"), std::string::npos);
  fs::create_directories(folder_);
  EXPECT_NE(message_of([&] { find_onnx_cases(folder_); }).find("without a model.onnx"),
            std::string::npos);
}

}  // namespace
}  // namespace attest
