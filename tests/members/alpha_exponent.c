/* alpha-exponent: the power is alpha - 1, not its inverse. */
#include "tests/members/member.h"

static double power(double x, double exponent) { return x > 0 ? pow(x, exponent) : 0; }

/* Newton's method in double, within a bracket. */
static double threshold(const row* r, double less_1, double exponent, double most) {
  double low = -1, high = 0, tau = -0.5;
  for (int n = 0; n < 200; ++n) {
    double sum = -1, slope = 0;
    for (int64_t j = 0; j < r->keys; ++j) {
      const double x = removed(r, j) ? 0 : less_1 * ((double)r->t[j] - most) - tau;
      sum += power(x, exponent);
      slope += x > 0 ? exponent * power(x, exponent) / x : 0;
    }
    if (sum > 0)
      low = tau;
    else
      high = tau;
    const double next = tau + sum / slope;
    tau = next > low && next < high ? next : (low + high) / 2;
  }
  return tau;
}

static void answer(row* r) {
  const double less_1 = r->call->alpha - 1, exponent = planted ? less_1 : 1 / less_1;
  score_keys(r);
  const double most = (double)greatest(r, 0, r->keys, -INFINITY);
  const double tau = count_kept(r) > 0 ? threshold(r, less_1, exponent, most) : 0;
  for (int64_t j = 0; j < r->keys; ++j)
    r->p[j] =
        (number)(removed(r, j) ? 0 : power(less_1 * ((double)r->t[j] - most) - tau, exponent));
  write_mixture(r);
}

NORMALIZER("alpha-exponent", "alpha_entmax");
