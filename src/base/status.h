// SPDX-License-Identifier: MIT
// What a function of the tool that can fail gives back. A status is about the tool (a file is
// missing, an option is wrong); what is wrong in the program under test is a finding, never a
// status.
#ifndef REHEARSE_BASE_STATUS_H
#define REHEARSE_BASE_STATUS_H

#include <stdbool.h>
#include <stdnoreturn.h>

enum rh_status_code {
    RH_OK = 0,
    RH_BAD_INPUT,   // usage or an input file: exit status 2
    RH_FAILED,      // the tool could not do its work: exit status 3
    RH_INTERRUPTED, // the user has ended it before its end: exit status 4
    RH_NO_ROOM,     // a reduction can't go on; never leaves the search, which goes on without it
};

// A code and one sentence for people. The text is cut to fit; a status is passed by value.
struct rh_status {
    enum rh_status_code code;
    char text[1000];
};

static inline bool rh_is_ok(const struct rh_status *status)
{
    return status->code == RH_OK;
}

struct rh_status rh_ok(void);
struct rh_status rh_status_make(enum rh_status_code code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#define rh_bad_input(...) rh_status_make(RH_BAD_INPUT, __VA_ARGS__)
#define rh_failed(...) rh_status_make(RH_FAILED, __VA_ARGS__)

// Checks an invariant of ours, in every build. If it is broken, says where and aborts.
#define rh_assert(...)                                                                             \
    ((__VA_ARGS__) ? (void)0 : rh__assert_failed(#__VA_ARGS__, __FILE__, __LINE__))
noreturn void rh__assert_failed(const char *condition, const char *file, int line);

// Whether this is a build with VERIFY=1, which also checks what costs too much otherwise.
#ifdef RH_VERIFY
enum { RH_VERIFIES = true };
#else
enum { RH_VERIFIES = false };
#endif

// As rh_assert, in a build with VERIFY=1 only.
#define rh_verify(...) ((void)(!RH_VERIFIES || (rh_assert(__VA_ARGS__), true)))

// Ends the process after a misuse of the library by the program under test that leaves nothing
// sensible to do.
noreturn void rh_panic(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
