// SPDX-License-Identifier: MIT
#include "trace/fault.h"

static void add_count(struct rh_text *text, unsigned count, const char *one, const char *many,
                      bool *is_first)
{
    if (count == 0)
        return;
    rh_text_addf(text, "%s%u %s", *is_first ? "" : ", ", count, count == 1 ? one : many);
    *is_first = false;
}

void rh_faults_add_text(struct rh_text *text, const struct rh_faults *faults)
{
    bool is_first = true;
    add_count(text, faults->drops, "drop", "drops", &is_first);
    add_count(text, faults->duplicates, "duplicate", "duplicates", &is_first);
    add_count(text, faults->crashes, "crash", "crashes", &is_first);
    if (faults->crashes > 0 && faults->restarts)
        rh_text_add(text, " with restart");
}
