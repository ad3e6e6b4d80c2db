#include "properties/recurrence/recurrence_examiner.h"

#include <cmath>

#include "properties/judge.h"
#include "reference/input_error.h"

namespace attest {
namespace {

// Quiet NaNs with a payload, which no computation leaves by chance.
std::uint64_t fill_for(const format& element) {
  if (element.storage_bits == 64) return 0x7ff9a7e57a7e575a;
  if (element.storage_bits == 32) return 0x7fda7e57;
  return element == f16 ? 0x7f5a : 0x7fda;
}

std::string place_text(const char* name, const index4& i, const char* axes) {
  std::string text = name;
  for (std::size_t n = 0; n < i.size(); ++n) {
    text += n == 0 ? '[' : ',';
    text += axes[n];
    text += "=" + std::to_string(i[n]);
  }
  return text + "]";
}

std::string place_in_output(const index4& i) { return place_text("o", i, "bhid"); }
std::string place_in_state(const index4& i) { return place_text("state_out", i, "bhkd"); }

template <class Place>
std::optional<std::string> misuse_of(const char* name, const tensor& t, Place place_of) {
  const std::uint64_t fill = fill_for(t.element());
  tensor clean(t.element(), t.where(), fill);
  std::optional<std::string> unwritten;
  for_each_index(t.sizes(), [&](const index4& i) {
    clean.set_bits(i, t.bits(i));
    if (!unwritten && t.bits(i) == fill) unwritten = place_of(i) + " was never written";
  });
  if (!clean.same_bytes(t)) return std::string("wrote between the elements of ") + name;
  return unwritten;
}

std::optional<std::string> misuse_of(const recurrence_answer& a) {
  if (auto found = misuse_of("o", a.o, place_in_output)) return found;
  return a.state ? misuse_of("state_out", *a.state, place_in_state) : std::nullopt;
}

bool same(const std::optional<tensor>& one, const std::optional<tensor>& other) {
  return !one || one->same_bytes(*other);
}

std::string written_input(const linear_problem& before, const linear_problem& after) {
  if (!before.q.same_bytes(after.q)) return "q";
  if (!before.k.same_bytes(after.k)) return "k";
  if (!before.v.same_bytes(after.v)) return "v";
  if (!same(before.decay, after.decay)) return "decay";
  if (!same(before.rate, after.rate)) return "rate";
  if (!same(before.erase, after.erase)) return "erase";
  if (!same(before.state, after.state)) return "state";
  return same(before.draws, after.draws) ? "" : "draws";
}

judgement refusal_of(const answer_outcome& outcome) {
  const std::string message = outcome.message.empty() ? "" : ": " + outcome.message;
  switch (outcome.status) {
    case answer_status::crashed:
      return crashed(outcome.message);
    case answer_status::timed_out:
      return timed_out(outcome.message);
    case answer_status::misbehaved:
      return misbehaved(outcome.message);
    case answer_status::unsupported:
      return misbehaved("declined a problem of the features it declares" + message);
    default:
      return misbehaved("reported an error" + message);
  }
}

std::size_t place_of(const index4& sizes, const index4& i) {
  return static_cast<std::size_t>(((i[0] * sizes[1] + i[1]) * sizes[2] + i[2]) * sizes[3] + i[3]);
}

index4 sizes_of_outputs(const examined_call& c) { return c.asked.posed.dims.o_sizes(); }
index4 sizes_of_states(const examined_call& c) { return c.asked.posed.state_sizes(); }

// An element of a call: what is due of it, and what it is.
struct element {
  due allowed;
  double observed = 0;
};

element output_of(const examined_call& c, const index4& i) {
  const std::size_t n = place_of(sizes_of_outputs(c), i);
  return {{c.exact.output[n], c.bound.output[n], c.bound.output_size[n], &c.got.o.element()},
          c.got.o.at(i)};
}

element state_of(const examined_call& c, const index4& i) {
  const std::size_t n = place_of(sizes_of_states(c), i);
  return {{c.exact.state[n], c.bound.state[n], c.bound.state_size[n], &c.got.state->element()},
          c.got.state->at(i)};
}

// Where one overflows and the other just does not, each is judged by itself.
void compare(judgement& j, const element& one, const element& other, const std::string& where,
             const char* what) {
  if (!std::isfinite(one.observed) || !std::isfinite(other.observed)) {
    judge_element(j, one.allowed, one.observed, where, what);
    judge_element(j, other.allowed, other.observed, where, what);
    return;
  }
  const double apart = distance_to(one.allowed.value, other.allowed.value.high).most +
                       other.allowed.value.radius + std::fabs(other.allowed.value.low);
  const due both{{one.observed, 0, 0},
                 one.allowed.bound + other.allowed.bound + apart,
                 std::fmax(one.allowed.scale, other.allowed.scale),
                 one.allowed.stored};
  judge_element(j, both, other.observed, where, what);
}

// What overflows is left to the definition.
void compare_sum(judgement& j, const element& whole, const element& one, const element& other,
                 const std::string& where, const char* what) {
  const double sum = one.observed + other.observed;
  if (!std::isfinite(sum) || !std::isfinite(whole.observed)) return;
  const due all{{sum, 0, 0x1p-53 * std::fabs(sum)},
                whole.allowed.bound + one.allowed.bound + other.allowed.bound,
                whole.allowed.scale,
                whole.allowed.stored};
  judge_element(j, all, whole.observed, where, what);
}

}  // namespace

recurrence_answer recurrence_examiner::answer_to(recurrence_problem& p) {
  const linear_problem before = p.posed;
  const format& held = state_format(*p.inputs);
  recurrence_answer a;
  const format& output = *contract_for(*p.inputs).output;
  a.o = tensor(output, place(p.placed, p.posed.dims.o_sizes()), fill_for(output));
  if (p.asks_state)
    a.state = tensor(held, place(layout::bhld, p.posed.state_sizes()), fill_for(held));
  const answer_outcome outcome = subject_.answer(p, a.o, a.state ? &*a.state : nullptr);
  if (outcome.status != answer_status::answered) {
    a.refusal = refusal_of(outcome);
  } else if (const std::string input = written_input(before, p.posed); !input.empty()) {
    a.refusal = misbehaved("wrote to its input " + input);
  } else if (const auto misuse = misuse_of(a)) {
    a.refusal = misbehaved(*misuse);
  }
  return a;
}

examined_call recurrence_examiner::ask(recurrence_problem p) {
  examined_call call;
  call.got = answer_to(p);
  call.asked = std::move(p);
  if (call.got.refusal) return call;
  call.exact = exact_linear_attention(call.asked.posed);
  call.bound = bound_of(contract_for(*call.asked.inputs), call.asked.posed, call.exact,
                        &state_format(*call.asked.inputs));
  return call;
}

void judge_by_definition(judgement& j, const examined_call& c) {
  const auto judge = [&j](const element& x, const std::string& where, const char* what) {
    judge_element(j, x.allowed, x.observed, where, what);
  };
  for_each_index(sizes_of_outputs(c),
                 [&](const index4& i) { judge(output_of(c, i), place_in_output(i), "output"); });
  if (c.got.state)
    for_each_index(sizes_of_states(c), [&](const index4& i) {
      judge(state_of(c, i), place_in_state(i), "state after the last position");
    });
}

void compare_outputs(judgement& j, const examined_call& one, const examined_call& other,
                     const element_map& map, const char* what) {
  for_each_index(sizes_of_outputs(one), [&](const index4& i) {
    if (const auto to = map(i))
      compare(j, output_of(one, i), output_of(other, *to), place_in_output(i), what);
  });
}

void compare_sums(judgement& j, const examined_call& whole, const examined_call& one,
                  const examined_call& other) {
  for_each_index(sizes_of_outputs(whole), [&](const index4& i) {
    compare_sum(j, output_of(whole, i), output_of(one, i), output_of(other, i), place_in_output(i),
                "output beside the sum of outputs of two parts of the values");
  });
  if (!whole.got.state) return;
  for_each_index(sizes_of_states(whole), [&](const index4& i) {
    compare_sum(j, state_of(whole, i), state_of(one, i), state_of(other, i), place_in_state(i),
                "state beside the sum of states of two parts of the values");
  });
}

void compare_states(judgement& j, const examined_call& one, const examined_call& other,
                    const element_map& map, const char* what) {
  if (!one.got.state || !other.got.state) return;
  for_each_index(sizes_of_states(one), [&](const index4& i) {
    if (const auto to = map(i))
      compare(j, state_of(one, i), state_of(other, *to), place_in_state(i), what);
  });
}

}  // namespace attest
