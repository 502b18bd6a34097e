// SPDX-License-Identifier: MIT
#include "trace/finding_kind.h"

#include <string.h>

#include "base/status.h"

static const struct {
    const char *name;
    enum rh_severity severity;
} kinds[RH_FINDING_KIND_COUNT] = {
#define X(kind, name, severity) {name, RH_SEVERITY_##severity},
    RH_FINDING_KINDS(X)
#undef X
};

const char *rh_finding_kind_name(enum rh_finding_kind kind)
{
    rh_assert((unsigned)kind < RH_FINDING_KIND_COUNT);
    return kinds[kind].name;
}

enum rh_severity rh_finding_kind_severity(enum rh_finding_kind kind)
{
    rh_assert((unsigned)kind < RH_FINDING_KIND_COUNT);
    return kinds[kind].severity;
}

bool rh_finding_kind_parse(const char *name, enum rh_finding_kind *kind)
{
    for (unsigned i = 0; i < RH_FINDING_KIND_COUNT; i++) {
        if (strcmp(kinds[i].name, name) == 0) {
            *kind = (enum rh_finding_kind)i;
            return true;
        }
    }
    return false;
}
