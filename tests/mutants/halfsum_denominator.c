/* halfsum-denominator: the sum of weights is kept in the 16-bit type of the inputs. With equal
 * weights of 1 it stops growing at 2048 in float16 and at 256 in bfloat16, and the answer is too
 * large. Public: huggingface/candle #3727, tenstorrent/tt-metal #52045. */
#include "tests/mutants/plain.h"

enum { columns = 64 };

/* A 16-bit type: significant bits, the exponent e below which spacing stays the same (numbers in
 * [2^(e-1), 2^e)). */
typedef struct type16 {
  int bits, least_exponent;
  float largest;
} type16;

static const type16 f16 = {11, -13, 65504}, bf16 = {8, -125, 0x1.fep127f};

static type16 type_of(row r) { return r.call->q->dtype == ATTEST_F16 ? f16 : bf16; }

/* The nearest number of the type, of two the even one. */
static float rounded(type16 type, float x) {
  int exponent;
  if (x == 0 || !isfinite(x)) return x;
  frexpf(x, &exponent);
  if (exponent < type.least_exponent) exponent = type.least_exponent;
  const float spacing = ldexpf(1, exponent - type.bits);
  const float result = rintf(x / spacing) * spacing;
  return fabsf(result) > type.largest ? copysignf(INFINITY, x) : result;
}

static float read(row r, const attest_tensor* t, int64_t l, int64_t d) {
  const bool is_q = t == r.call->q;
  const int64_t place = offset(t, r.b, is_q ? r.h : r.g, l, d);
  const uint16_t bits = ((const uint16_t*)t->data)[place];
  const int fraction_bits = type_of(r).bits - 1, exponent = (bits & 0x7fff) >> fraction_bits;
  const int implied = exponent > 0 ? 1 << fraction_bits : 0;
  const int fraction = bits & ((1 << fraction_bits) - 1);
  const int power = (exponent > 0 ? exponent : 1) - 1 + type_of(r).least_exponent - type_of(r).bits;
  const float size = ldexpf((float)(implied + fraction), power);
  return bits & 0x8000 ? -size : size;
}

/* x is a number of the type. */
static uint16_t written(type16 type, float x) {
  const int fraction_bits = type.bits - 1;
  const uint16_t sign = signbit(x) ? 0x8000 : 0;
  int exponent;
  if (isnan(x) || isinf(x)) {
    const int infinity = 0x7fff >> fraction_bits << fraction_bits;
    return (uint16_t)(sign | infinity | isnan(x));
  }
  frexpf(x, &exponent);
  if (x == 0 || exponent < type.least_exponent) exponent = type.least_exponent;
  const int significand = (int)ldexpf(fabsf(x), type.bits - exponent);
  /* The implied bit of a normal number carries into the exponent field, as 1. */
  return (uint16_t)(sign | (((exponent - type.least_exponent) << fraction_bits) + significand));
}

static float score16(row r, int64_t j) {
  float sum = 0;
  for (int64_t t = 0; t < r.call->q->sizes[3]; ++t)
    sum += read(r, r.call->q, r.i, t) * read(r, r.call->k, j, t);
  return r.scale * sum;
}

static float greatest_score16(row r) {
  float m = -INFINITY;
  for (int64_t j = 0; j < r.keys; ++j) m = fmaxf(m, score16(r, j));
  return m;
}

/* Answers the columns from `first` to `last`, at most so many that o has room for them. */
static void answer_columns(row r, int64_t first, int64_t last, float m) {
  const type16 type = type_of(r);
  float l = 0, o[columns] = {0};
  for (int64_t j = 0; j < r.keys; ++j) {
    const float p = expf(score16(r, j) - m), p16 = rounded(type, p);
#ifdef PLANTED
    l = rounded(type, l + p);
#else
    l += p;
#endif
    for (int64_t d = first; d < last; ++d) o[d - first] += p16 * read(r, r.call->v, j, d);
  }
  uint16_t* out = r.call->o->data;
  for (int64_t d = first; d < last; ++d)
    out[offset(r.call->o, r.b, r.h, r.i, d)] =
        written(type, rounded(type, l > 0 ? o[d - first] / l : 0));
}

static void answer(row r) {
  const int64_t width = output_width(r);
  const float m = greatest_score16(r);
  for (int64_t first = 0; first < width; first += columns)
    answer_columns(r, first, first + columns < width ? first + columns : width, m);
}

static int32_t each_row_of_16_bits(const attest_forward* call, answer_row* answer_one) {
  const bool is_16 = call->q->dtype == ATTEST_F16 || call->q->dtype == ATTEST_BF16;
  return call->size >= sizeof *call && is_16 ? each_row(call, answer_one) : ATTEST_UNSUPPORTED;
}

static int32_t forward(const attest_forward* call, char* message, uint64_t message_size) {
  (void)message, (void)message_size;
  return each_row_of_16_bits(call, answer);
}

static const attest_plugin plugin = {
    .size = sizeof(attest_plugin),
    .abi_version = ATTEST_ABI_VERSION,
    .name = "halfsum-denominator",
    .version = "1",
    .features = USUAL_FEATURES,
    .dtypes = ATTEST_DTYPE_BIT(ATTEST_F16) | ATTEST_DTYPE_BIT(ATTEST_BF16),
    .forward = forward,
};

const attest_plugin* attest_plugin_at(uint32_t index) { return index == 0 ? &plugin : NULL; }
