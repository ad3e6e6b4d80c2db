// The lines that attest and a command exchange.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "properties/command/command_files.h"
#include "properties/command/protocol.h"
#include "properties/exchange/array_problem.h"
#include "properties/exchange/byte_source.h"
#include "properties/exchange/npz.h"
#include "properties/exchange/problem_arrays.h"
#include "properties/exchange/safetensors.h"
#include "properties/process/temporary_folder.h"
#include "reference/input_error.h"
#include "reference/problems/problem_spec.h"

namespace attest {
namespace {

// ---- the first line ----

// A right first line, with one text in it replaced.
std::string hello_with(const std::string& from = "", const std::string& to = "") {
  std::string line = R"({"attest": 1, "name": "k", "version": "2", "features": ["mask", "lse"], )"
                     R"("inputs": ["f32", "bf16"], "files": "npz"})";
  if (!from.empty()) line.replace(line.find(from), from.size(), to);
  return line;
}

TEST(command_hello, tells_what_a_plugin_tells) {
  const command_hello h = parse_hello(
      hello_with(
          "\"files\": \"npz\"",
          R"("files": "raw", "profile": "onnx-attention-25", "contract": [{"name": "mine", "from": "fp16-flash", "output_sum": {"format": "f32"}}])"),
      "here");
  EXPECT_EQ(h.info.name, "k");
  EXPECT_EQ(h.info.version, "2");
  EXPECT_EQ(h.info.features, feature_set().with(feature::mask).with(feature::lse));
  EXPECT_EQ(h.info.inputs, (std::vector<const format*>{&f32, &bf16}));
  EXPECT_EQ(h.files, file_kind::raw);
  EXPECT_EQ(h.info.profile, "onnx-attention-25");
  EXPECT_EQ(h.info.profile_origin, origin::declared);
  ASSERT_EQ(h.info.contracts.size(), 1u);
  EXPECT_EQ(h.info.contracts[0].name, "mine");
}

TEST(command_hello, may_leave_out_what_has_a_default) {
  const command_hello h = parse_hello(hello_with("\"version\": \"2\", ", ""), "here");
  EXPECT_EQ(h.info.profile, "attest");
  EXPECT_EQ(h.info.profile_origin, origin::by_default);
  EXPECT_TRUE(h.info.contracts.empty());
  EXPECT_EQ(parse_hello(hello_with("npz\"", "npz\", \"contract\": \"float32,bf16-flash\""), "here")
                .info.contracts.size(),
            2u);
}

TEST(command_hello, that_is_wrong_is_refused_by_name) {
  struct {
    const char *from, *to, *part;
  } rows[] = {
      {"1", "2", "'attest' is 2; allowed: 1"},
      {"1", "\"1\"", "'attest' is \"1\"; allowed: 1"},
      {"\"attest\": 1, ", "", "no 'attest'"},
      {"\"name\": \"k\", ", "", "no 'name'"},
      {"\"k\"", "7", "'name' is 7; allowed: a text"},
      {"\"version\"", "\"versoin\"", "an unknown key 'versoin'; allowed: attest, name, version"},
      {"[\"mask\", \"lse\"]", "\"mask\"", "allowed: a list of names"},
      {"[\"mask\", \"lse\"]", "[3]", "allowed: a list of names"},
      {"\"mask\"", "\"masks\"", "masks"},
      {"\"mask\"", "\"strides\"",
       "the feature strides; allowed: any other: the arrays of files are dense"},
      {"\"f32\", \"bf16\"", "", "'inputs' is []; allowed: at least one format"},
      {"\"bf16\"", "\"tf32\"", "inputs of 'tf32'; allowed: f64, f32, f16, bf16, f8_e4m3fn"},
      {"\"npz\"", "\"npy\"", "'files' is \"npy\"; allowed: npz, safetensors, raw"},
      {"\"npz\"", "\"npz\", \"profile\": \"torch\"", "torch"},
      {"\"npz\"", "\"npz\", \"contract\": \"float31\"", "float31"},
      {"\"npz\"", "\"npz\", \"contract\": 3", "3"},
      {"\"npz\"", "\"npz\", \"files\": \"npz\"", "'files' twice"},
      {"{", "[{", "no JSON"},
  };
  for (const auto& row : rows) try {
      parse_hello(hello_with(row.from, row.to), "here");
      ADD_FAILURE() << row.to;
    } catch (const input_error& e) {
      EXPECT_NE(std::string(e.what()).find(row.part), std::string::npos) << e.what();
    }
}

// ---- requests ----

problem posed(const char* words) {
  return materialise(parse_problem_line(std::string("B=2 Hq=4 Hkv=2 Lq=3 Lk=5 D=4 Dv=2 ") + words));
}

TEST(command_request, says_all_that_is_asked_in_one_line) {
  const problem p = posed("causal=bottom_right window=2,-1 soft_cap=1.5 scale=0.25");
  command_request r;
  r.id = 7;
  r.problem_file = "/t/p.bin";
  r.answer_file = "/t/a.bin";
  r.files = file_kind::raw;
  r.arrays = place_raw({{"q", to_array(p.q)}});
  r.outputs = asked_outputs(p.dims, f32, &f32);
  EXPECT_EQ(request_line(r, p),
            R"({"id":7,"problem":"/t/p.bin","answer":"/t/a.bin","causal":"bottom_right",)"
            R"("window_left":2,"window_right":-1,"scale":0.25,"soft_cap":1.5,)"
            R"("dilation":1,"chunk":0,"global_keys":0,"block_queries":0,"block_keys":0,)"
            R"("arrays":{"q":{"dtype":"f32","sizes":[2,4,3,4],"offset":0}},)"
            R"("outputs":{"o":{"dtype":"f32","sizes":[2,4,3,2],"offset":0},)"
            R"("lse":{"dtype":"f32","sizes":[2,4,3],"offset":192}}})");
  r.files = file_kind::npz;
  EXPECT_EQ(request_line(r, p).find("offset"), std::string::npos);
  EXPECT_NE(request_line(r, posed("")).find("\"scale\":0.5,"), std::string::npos) << "1 / sqrt(4)";
}

TEST(command_request, says_the_number_of_keys_where_pages_do_not) {
  command_request r;
  r.files = file_kind::npz;
  r.arrays = place_raw({});
  r.outputs = {};
  EXPECT_TRUE(request_line(r, posed("page=3")).ends_with(R"(,"keys":5})"));
  EXPECT_EQ(request_line(r, posed("")).find("\"keys\""), std::string::npos);
}

// ---- replies ----

TEST(command_reply, says_what_became_of_the_problem) {
  EXPECT_EQ(parse_reply(R"({"ok": true})", 7).status, answer_status::answered);
  EXPECT_EQ(parse_reply(R"({"id": 7, "ok": true})", 7).status, answer_status::answered);
  const answer_outcome declined = parse_reply(R"({"unsupported": "no"})", 7);
  EXPECT_EQ(declined.status, answer_status::unsupported);
  EXPECT_EQ(declined.message, "no");
  const answer_outcome failed = parse_reply(R"({"error": "fire"})", 7);
  EXPECT_EQ(failed.status, answer_status::failed);
  EXPECT_EQ(failed.message, "fire");
}

TEST(command_reply, that_is_none_is_misbehaviour) {
  for (const char* line :
       {"", "ok", "{}", "[]", "true", "null", R"({"ok": 1})", R"({"ok": true, "ok": true})",
        R"({"id": 6, "ok": true})", R"({"id": "7", "ok": true})", R"({"ok": true, "error": ""})",
        R"({"error": 3})", R"({"ok": true} {})", R"({"ok": true, "more": 1})", "{\"ok\": true",
        "{\"error\": \"\xff\"}"}) {
    const answer_outcome o = parse_reply(line, 7);
    EXPECT_EQ(o.status, answer_status::misbehaved) << line;
    EXPECT_FALSE(o.message.empty()) << line;
  }
  EXPECT_LT(parse_reply(std::string(100000, 'x'), 7).message.size(), 500u);
}

TEST(command_reply, last_words_are_one_line_with_the_newest_at_the_end) {
  EXPECT_EQ(last_words_text(""), "");
  EXPECT_EQ(last_words_text("\n\n"), "");
  EXPECT_EQ(last_words_text("one\n\ntwo\n"), "one | two");
  EXPECT_TRUE(last_words_text(std::string(5000, 'x') + "\nend\n").ends_with("x | end"));
}

// ---- files ----

std::string message_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const input_error& e) {
    return e.what();
  }
  return "none";
}

// Each kind of file carries every type, and is checked for what was asked for and nothing else.
TEST(command_files, carry_every_type_exactly) {
  const temporary_folder folder;
  for (const file_kind files : {file_kind::npz, file_kind::safetensors})
    for (const char* dtype : {"f64", "f32", "f16", "bf16", "f8_e4m3fn", "f8_e5m2"}) {
      const std::string words = "mask=bq bias=hk infinite_bias=1 lengths=1 sink=1 dtype=";
      const problem p = posed((words + dtype).c_str());
      command_request r;
      r.problem_file = r.answer_file = folder.file("p");
      r.files = files;
      write_problem(r, p);
      EXPECT_EQ(r.arrays.size(), 7u);
      r.outputs = r.arrays;
      std::erase_if(r.outputs, [](const raw_entry& e) { return e.kind != element_kind::floating; });
      EXPECT_NE(message_of([&] { read_answer(r); }).find("an array named 'lengths'"),
                std::string::npos)
          << dtype;
      const named_arrays two{{"k", to_array(p.k)}, {"q", to_array(p.q)}};
      write_bytes(r.answer_file, files == file_kind::npz ? npz_bytes(two, numpy_lacks::as_bits)
                                                         : safetensors_bytes(two));
      r.outputs = {r.arrays[1], r.arrays[4]};
      tensor copy(p.q.element(), p.q.where(), 0);
      copy_to(copy, read_answer(r).at("q"));
      EXPECT_TRUE(copy.same_bytes(p.q)) << dtype;
      r.outputs[0].element = p.q.element() == f32 ? &f64 : &f32;
      EXPECT_NE(message_of([&] { read_answer(r); }).find("k: elements of"), std::string::npos);
    }
}

TEST(command_files, of_raw_elements_carry_them_exactly) {
  const temporary_folder folder;
  const problem p = posed("mask=bq bias=hk lengths=1 sink=1 dtype=bf16");
  const named_arrays all = to_arrays(p);
  const std::vector<raw_entry> places = place_raw(all);
  write_bytes(folder.file("p.raw"), raw_bytes(all, places));
  const named_arrays again = read_raw_file(folder.file("p.raw"), places);
  for (const auto& [name, a] : all) {
    EXPECT_EQ(again.at(name).values, a.values) << name;
    EXPECT_EQ(again.at(name).sizes, a.sizes) << name;
  }
  for (const raw_entry& e : places) EXPECT_EQ(e.offset % 8, 0u) << e.name;
}

// What a file holds is read back as the problem that it was.
TEST(command_files, hold_a_problem_that_reads_back) {
  for (const char* words :
       {"", "mask=bq bias=hk lengths=1 sink=1", "dropout=hqk dropout_scale=2",
        "mask=hqk profile=finite-sentinel", "mask=hk profile=torch-multi-head-attention"}) {
    const problem p = posed(words);
    found_arrays found;
    for (auto& [name, a] : to_arrays(p)) found[name] = {a, name};
    problem again = to_problem(found).posed;
    if (again.mask && p.rules.polarity == mask_polarity::true_masks) again.mask->invert();
    EXPECT_EQ(again.dims, p.dims) << words;
    EXPECT_EQ(again.lengths, p.lengths) << words;
    EXPECT_EQ(again.sink, p.sink) << words;
    EXPECT_EQ(again.dropout_mask.has_value(), p.dropout_mask.has_value()) << words;
    for_each_index(p.dims.score_sizes(), [&](const index4& i) {
      EXPECT_EQ(!again.mask || again.mask->at(i), !p.mask || p.mask->at(i)) << words;
      EXPECT_EQ(!again.dropout_mask || again.dropout_mask->at(i),
                !p.dropout_mask || p.dropout_mask->at(i))
          << words;
      EXPECT_EQ(again.bias ? again.bias->at(i) : 0, p.bias ? p.bias->at(i) : 0) << words;
    });
    for_each_index(p.dims.v_sizes(),
                   [&](const index4& i) { EXPECT_EQ(again.v.at(i), p.v.at(i)) << words; });
  }
}

}  // namespace
}  // namespace attest
