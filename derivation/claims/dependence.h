// A number that knows only which inputs it was computed from. Evaluating the definition in it reads
// off the formula's structure: which rows and columns meet in a score, a weight, an output.
#pragma once

#include <cstdint>
#include <vector>

namespace attest {

// An input is told from a constant of the formula by its value: inputs are labelled by integers
// from here on.
inline constexpr std::int64_t first_label = std::int64_t{1} << 20;

class dependence {
 public:
  dependence() = default;
  // Result: what depends on the input of that label; on nothing when x is below first_label.
  // Domain: an integer when it is not below first_label.
  explicit dependence(double x);
  // Domain: ascending, each once.
  explicit dependence(std::vector<std::int64_t> labels) : labels_(std::move(labels)) {}

  const std::vector<std::int64_t>& labels() const { return labels_; }
  friend bool operator==(const dependence&, const dependence&) = default;

 private:
  std::vector<std::int64_t> labels_;
};

// Result: what depends on the inputs of both. Every arithmetic operation does.
dependence join(const dependence&, const dependence&);

inline dependence operator+(const dependence& x, const dependence& y) { return join(x, y); }
inline dependence operator-(const dependence& x, const dependence& y) { return join(x, y); }
inline dependence operator*(const dependence& x, const dependence& y) { return join(x, y); }
inline dependence operator/(const dependence& x, const dependence& y) { return join(x, y); }

inline dependence exp(const dependence& x) { return x; }
inline dependence log(const dependence& x) { return x; }
inline dependence tanh(const dependence& x) { return x; }
inline dependence sqrt(const dependence& x) { return x; }

// No order: the definition asks only to choose a shift, which cancels.
inline bool operator<(const dependence&, const dependence&) { return false; }

}  // namespace attest
