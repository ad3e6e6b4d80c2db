/* Correct attention under one convention after the other. The declared profile is the truth. */
#include "tests/conventions/convention.h"

#define NAN_SHOWS ",non_finite_inputs=propagate"

typedef struct subject {
  const char* name;
  const char* truth; /* as a profile */
  uint64_t lacks;    /* features */
  convention rules;
} subject;

static const subject subjects[] = {
    {"plain", "attest" NAN_SHOWS, 0, {.empty_row = 0}},
    {"flash",
     "flash-attention-2,masked_slots=never_read" NAN_SHOWS,
     0,
     {.minus_empty_lse = -INFINITY, .never_reads_masked = true}},
    {"nan_rows", "torch-sdpa" NAN_SHOWS, 0, {.empty_row = NAN, .minus_empty_lse = NAN}},
    {"true_masks",
     "torch-multi-head-attention" NAN_SHOWS,
     ATTEST_LSE | ATTEST_SINK,
     {.empty_row = NAN, .true_masks = true}},
    {"skips_masked",
     "ggml" NAN_SHOWS,
     ATTEST_LSE | ATTEST_MASK | ATTEST_WINDOW,
     {.never_reads_masked = true}},
    {"first_edition",
     "onnx-attention-23-1.18" NAN_SHOWS,
     ATTEST_LSE | ATTEST_SINK | ATTEST_WINDOW | ATTEST_LENGTHS,
     {.empty_row = NAN, .tile = true, .cap = CAP_AFTER_MASK, .infinite_weighs_0 = true}},
    {"latest_edition",
     "onnx-attention-24" NAN_SHOWS,
     ATTEST_LSE | ATTEST_SINK | ATTEST_WINDOW,
     {.empty_row = 0}},
    {"base_2",
     "base-2-lse,window_ends=exclusive" NAN_SHOWS,
     0,
     {.base_2 = true, .exclusive = true}},
    {"sentinel",
     "finite-sentinel,lowest_bias=masks" NAN_SHOWS,
     0,
     {.mean_of_values = true, .minus_empty_lse = 1e30f, .lowest_masks = true}},
    {"sink_apart",
     "attest,lse_sink=left_out,empty_lse=plus_infinity" NAN_SHOWS,
     0,
     {.minus_empty_lse = -INFINITY, .lse_without_sink = true}},
    {"tiled_windows",
     "tiled-heads,window_ends=exclusive,mask_polarity=true_masks" NAN_SHOWS,
     0,
     {.tile = true, .exclusive = true, .true_masks = true}},
    {"late_cap",
     "attest,cap_order=after_bias,infinite_bias=weighs_0,lowest_bias=masks" NAN_SHOWS,
     0,
     {.cap = CAP_AFTER_BIAS, .infinite_weighs_0 = true, .lowest_masks = true}},
    {"last_cap",
     "attest,cap_order=after_mask,head_map=tile" NAN_SHOWS,
     ATTEST_BIAS | ATTEST_INFINITE_BIAS,
     {.cap = CAP_AFTER_MASK, .tile = true}},
    {"hides_nan",
     "attest,masked_slots=never_read",
     0,
     {.hides_nan = true, .never_reads_masked = true}},
    {"all_otherwise",
     "attest,empty_row=nan,lse_base=two,empty_lse=plus_infinity,lse_sink=left_out,head_map=tile,"
     "cap_order=after_mask,mask_polarity=true_masks,infinite_bias=weighs_0,lowest_bias=masks,"
     "masked_slots=never_read,window_ends=exclusive,alibi_distance=signed" NAN_SHOWS,
     0,
     {.empty_row = NAN,
      .base_2 = true,
      .minus_empty_lse = -INFINITY,
      .lse_without_sink = true,
      .tile = true,
      .cap = CAP_AFTER_MASK,
      .true_masks = true,
      .infinite_weighs_0 = true,
      .lowest_masks = true,
      .never_reads_masked = true,
      .exclusive = true,
      .signed_distance = true}},
    {"anything_goes",
     "unspecified-empty,mask_polarity=true_masks" NAN_SHOWS,
     0,
     {.empty_row = 7, .minus_empty_lse = 5, .true_masks = true}},
    {"narrow",
     "attest" NAN_SHOWS,
     ALL_FEATURES & ~(ATTEST_BIAS | ATTEST_CAUSAL_BOTTOM_RIGHT),
     {.empty_row = 0}},
};

enum { subject_count = sizeof subjects / sizeof *subjects };

/* A call doesn't say which subject it is for: each has an entry of its own. */
#define FORWARD(n)                                                                       \
  static int32_t forward_##n(const attest_forward* call, char* message, uint64_t size) { \
    (void)message, (void)size;                                                           \
    return answer_call(call, &subjects[n].rules);                                        \
  }
FORWARD(0)
FORWARD(1)
FORWARD(2)
FORWARD(3)
FORWARD(4)
FORWARD(5)
FORWARD(6)
FORWARD(7)
FORWARD(8)
FORWARD(9)
FORWARD(10)
FORWARD(11)
FORWARD(12)
FORWARD(13)
FORWARD(14)
FORWARD(15)
FORWARD(16)

static int32_t (*const forwards[])(const attest_forward*, char*, uint64_t) = {
    forward_0,  forward_1,  forward_2,  forward_3,  forward_4,  forward_5,
    forward_6,  forward_7,  forward_8,  forward_9,  forward_10, forward_11,
    forward_12, forward_13, forward_14, forward_15, forward_16};

_Static_assert(sizeof forwards / sizeof *forwards == subject_count, "an entry for each subject");

const attest_plugin* attest_plugin_at(uint32_t index) {
  static attest_plugin plugins[subject_count];
  if (index >= subject_count) return NULL;
  plugins[index] = (attest_plugin){.size = sizeof(attest_plugin),
                                   .abi_version = ATTEST_ABI_VERSION,
                                   .name = subjects[index].name,
                                   .version = "1",
                                   .features = ALL_FEATURES & ~subjects[index].lacks,
                                   .dtypes = ATTEST_DTYPE_BIT(ATTEST_F32),
                                   .profile = subjects[index].truth,
                                   .forward = forwards[index]};
  return &plugins[index];
}
