// SPDX-License-Identifier: MIT
// The kinds of findings: their names, which stand in files and never change, and how bad each is.
#ifndef REHEARSE_TRACE_FINDING_KIND_H
#define REHEARSE_TRACE_FINDING_KIND_H

#include <stdbool.h>

// kind, name, severity by default
#define RH_FINDING_KINDS(X)                                                                        \
    X(CHECK, "check", ERROR)                                                                       \
    X(INVARIANT, "invariant", ERROR)                                                               \
    X(FINAL, "final", ERROR)                                                                       \
    X(CRASH, "crash", ERROR)                                                                       \
    X(HANG, "hang", ERROR)                                                                         \
    X(EXIT, "exit", ERROR)                                                                         \
    X(DEADLOCK, "deadlock", ERROR)                                                                 \
    X(LIVELOCK, "livelock", ERROR)                                                                 \
    X(UNDELIVERED, "undelivered", WARNING)                                                         \
    X(LEFTOVER, "leftover", WARNING)                                                               \
    X(UNHANDLED, "unhandled", ERROR)                                                               \
    X(SHARED_STATE, "shared-state", ERROR)                                                         \
    X(PRIVATE_POINTER, "private-pointer", ERROR)                                                   \
    X(LEAK, "leak", WARNING)                                                                       \
    X(UNSET, "unset", WARNING)                                                                     \
    X(BOUND, "bound", WARNING)                                                                     \
    X(NONDETERMINISM, "nondeterminism", ERROR)                                                     \
    X(ORDER, "order", ERROR)                                                                       \
    X(RACE, "race", ERROR)                                                                         \
    X(REFINEMENT, "refinement", ERROR)                                                             \
    X(REACHED, "reached", WARNING)                                                                 \
    X(COMMIT, "commit", ERROR)                                                                     \
    X(COMMIT_BLOCK, "commit-block", ERROR)                                                         \
    X(MISUSE, "misuse", ERROR)                                                                     \
    X(UNSERIAL, "unserial", WARNING)                                                               \
    X(RULED_OUT, "ruled-out", ERROR)

enum rh_severity { RH_SEVERITY_WARNING, RH_SEVERITY_ERROR };
enum { RH_SEVERITIES = RH_SEVERITY_ERROR + 1 };

enum rh_finding_kind {
#define X(kind, name, severity) RH_FINDING_##kind,
    RH_FINDING_KINDS(X)
#undef X
        RH_FINDING_KIND_COUNT
};

const char *rh_finding_kind_name(enum rh_finding_kind kind);
enum rh_severity rh_finding_kind_severity(enum rh_finding_kind kind);
bool rh_finding_kind_parse(const char *name, enum rh_finding_kind *kind);

#endif
