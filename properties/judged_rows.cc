#include "properties/judged_rows.h"

namespace attest {

void for_each_judged_row(
    judgement& j, const problem& p, const terms& t,
    const std::function<void(const row_index& place, const row_reference& row)>& judge) {
  certified_rows rows(p);
  for_each_row(p.dims, [&](const row_index& place) {
    const row_reference row(rows, t, place);
    ++j.rows;
    if (row.bound().in_domain())
      judge(place, row);
    else
      ++j.out_of_domain;
  });
}

}  // namespace attest
