// attest example: attention on numbers that can be followed by hand.
#include <iostream>

#include "reports/commands/command.h"
#include "reports/worked_example.h"

namespace attest {

int run(const example_options&) {
  write_worked_example(std::cout);
  return 0;
}

}  // namespace attest
