// Each law of linear attention against a subject that breaks it alone, and how misuse is told.
#include "properties/recurrence/recurrence_law.h"

#include <gtest/gtest.h>

#include <functional>

#include "properties/recurrence/recurrence_check.h"
#include "reference/formats/rounding.h"
#include "reference/linear/chunked.h"

namespace attest {
namespace {

// Right but for what a test does to the problem before, or to the answer after.
class scripted_recurrence : public recurrence_subject {
 public:
  std::function<void(recurrence_problem&)> before = [](recurrence_problem&) {};
  std::function<void(recurrence_problem&, tensor&, tensor*)> after = [](recurrence_problem&,
                                                                        tensor&, tensor*) {};

  scripted_recurrence() {
    info_.about.name = "scripted";
    info_.about.inputs = {&f32, &f64};
    info_.features = recurrence_features::all();
  }
  const recurrence_info& info() const override { return info_; }
  answer_outcome answer(recurrence_problem& p, tensor& o, tensor* state) override {
    recurrence_problem read = p;
    before(read);
    const linear_answer<double> a = chunked_linear_attention<double>(read.posed, 16);
    fill(o, a.output);
    if (state != nullptr) fill(*state, a.state);
    after(p, o, state);
    return {};
  }

 private:
  static void fill(tensor& t, const std::vector<double>& values) {
    std::size_t n = 0;
    for_each_index(t.sizes(),
                   [&](const index4& i) { t.set(i, round_to(t.element(), {}, values[n++])); });
  }
  recurrence_info info_;
};

recurrence_result run(scripted_recurrence& s, const std::string& law) {
  recurrence_check_options options;
  options.laws = matching_recurrence_laws(law);
  options.stops_at_failure = true;
  return check_recurrence(s, options);
}

TEST(recurrence_law, holds_where_nothing_is_done) {
  scripted_recurrence s;
  EXPECT_EQ(run(s, "*").outcome(), verdict::holds);
}

void negate_last_output(tensor& o) {
  const index4 s = o.sizes();
  const index4 last{s[0] - 1, s[1] - 1, s[2] - 1, s[3] - 1};
  o.set(last, -2 * o.at(last) - 1);
}

struct broken {
  const char* law;
  std::function<void(scripted_recurrence&)> how;
};

std::vector<broken> every_law_broken() {
  return {
      {"matches_definition",
       [](auto& s) { s.after = [](auto&, tensor& o, tensor*) { negate_last_output(o); }; }},
      {"parts_with_states_equal_one_shot",
       [](auto& s) { s.before = [](recurrence_problem& p) { p.posed.state.reset(); }; }},
      {"a_zero_state_is_none",
       [](auto& s) {
         s.after = [](auto& p, tensor& o, tensor*) {
           if (p.posed.state) negate_last_output(o);
         };
       }},
      {"the_state_may_be_left_out",
       [](auto& s) {
         s.after = [](auto&, tensor& o, tensor* state) {
           if (state == nullptr) negate_last_output(o);
         };
       }},
      {"decay_of_1_is_none",
       [](auto& s) {
         s.after = [](auto& p, tensor& o, tensor*) {
           if (p.posed.decay) negate_last_output(o);
         };
       }},
      {"rates_of_0_write_nothing",
       [](auto& s) { s.before = [](recurrence_problem& p) { p.posed.rate.reset(); }; }},
      {"the_future_changes_nothing",
       [](auto& s) {
         s.after = [](auto& p, tensor& o, tensor*) {
           const index4 sizes = o.sizes();
           for (std::int64_t h = 0; h < sizes[1]; ++h)
             o.set({0, h, 0, 0}, p.posed.v.at(0, 0, sizes[2] - 1, 0));
         };
       }},
      {"repeated_calls_agree",
       [](auto& s) {
         s.after = [calls = 0](auto&, tensor& o, tensor*) mutable {
           if (++calls % 3 == 2) negate_last_output(o);
         };
       }},
      {"batch_rows_are_independent",
       [](auto& s) {
         s.after = [](auto& p, tensor& o, tensor*) {
           if (p.posed.dims.batch > 1) negate_last_output(o);
         };
       }},
      {"heads_are_independent",
       [](auto& s) {
         s.after = [](auto& p, tensor& o, tensor*) {
           const index4 sizes = o.sizes();
           o.set({0, sizes[1] - 1, 0, 0}, p.posed.v.at(0, 0, 0, 0));
         };
       }},
      {"grouped_heads_equal_expanded_heads",
       [](auto& s) {
         s.after = [](auto& p, tensor& o, tensor*) {
           if (p.posed.dims.kv_heads == p.posed.dims.query_heads) negate_last_output(o);
         };
       }},
      {"linear_in_values",
       [](auto& s) {
         s.after = [](auto&, tensor& o, tensor*) {
           for_each_index(o.sizes(), [&](const index4& i) {
             o.set(i, round_to(o.element(), {}, o.at(i) * o.at(i)));
           });
         };
       }},
      {"layouts_agree",
       [](auto& s) {
         s.after = [](auto& p, tensor& o, tensor*) {
           if (p.placed != layout::bhld) negate_last_output(o);
         };
       }},
  };
}

TEST(recurrence_law, is_broken_by_what_it_is_about) {
  for (const broken& each : every_law_broken()) {
    scripted_recurrence s;
    each.how(s);
    EXPECT_EQ(run(s, each.law).outcome(), verdict::violated) << each.law;
  }
}

TEST(recurrence_law, each_has_a_subject_that_breaks_it) {
  EXPECT_EQ(every_law_broken().size(), recurrence_laws().size());
}

// ---- Misuse ----

verdict outcome_of(const std::function<void(recurrence_problem&, tensor&, tensor*)>& after) {
  scripted_recurrence s;
  s.after = after;
  return run(s, "matches_definition").outcome();
}

TEST(recurrence_examiner, tells_an_element_that_was_never_written) {
  const auto leave = [](auto&, tensor& o, tensor*) {
    o = tensor(o.element(), o.where(), o.element() == f64 ? 0x7ff9a7e57a7e575a : 0x7fda7e57);
  };
  EXPECT_EQ(outcome_of(leave), verdict::misbehaved);
}

TEST(recurrence_examiner, tells_an_input_that_was_written) {
  EXPECT_EQ(outcome_of([](recurrence_problem& p, tensor&, tensor*) { p.posed.k.set({}, 100); }),
            verdict::misbehaved);
}

TEST(recurrence_examiner, tells_what_was_written_between_elements) {
  const auto write = [](auto&, tensor& o, tensor*) {
    if (o.where().strides[3] == 2) *(o.data() + 1 * o.width() + o.where().offset) = std::byte{1};
  };
  EXPECT_EQ(outcome_of(write), verdict::misbehaved);
}

}  // namespace
}  // namespace attest
