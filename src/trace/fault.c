// SPDX-License-Identifier: MIT
#include "trace/fault.h"

#include <string.h>

bool rh_aim_has_type(const char *aim, const char *type, bool is_of_body)
{
    size_t length = strcspn(aim, "@");
    if (length == 0)
        return !is_of_body;
    return strlen(type) == length && memcmp(aim, type, length) == 0;
}

const char *rh_aim_actor(const char *aim, enum rh_fault fault)
{
    if (fault == RH_FAULT_CRASH)
        return aim;
    const char *at = strchr(aim, '@');
    return at ? at + 1 : NULL;
}

static void add_count(struct rh_text *text, unsigned count, const char *one, const char *many,
                      const char *aim, bool *is_first)
{
    if (count == 0)
        return;
    rh_text_addf(text, "%s%u %s", *is_first ? "" : ", ", count, count == 1 ? one : many);
    if (aim)
        rh_text_addf(text, " of %s", aim);
    *is_first = false;
}

void rh_faults_add_text(struct rh_text *text, const struct rh_faults *faults)
{
    bool is_first = true;
    add_count(text, faults->drops, "drop", "drops", faults->aims[RH_FAULT_DROP], &is_first);
    add_count(text, faults->duplicates, "duplicate", "duplicates", faults->aims[RH_FAULT_DUPLICATE],
              &is_first);
    add_count(text, faults->crashes, "crash", "crashes", faults->aims[RH_FAULT_CRASH], &is_first);
    if (faults->crashes > 0 && faults->restarts)
        rh_text_add(text, " with restart");
}
