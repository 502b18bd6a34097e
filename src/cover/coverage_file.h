// SPDX-License-Identifier: MIT
// The file of what executions have covered. It is text, with a part for each test:
//
//     rehearse coverage 1
//     program bank.c helper.c
//     test overdraw
//     order fifo
//     time causal
//     environment quiet
//     executions 12
//     guards                       # some behaviour of the program has a guard
//     object "the invariant balanced" @91c0...                        # object 0
//     actor account#1 @4f3c9a2b1d0e7788
//     event withdraw from teller#2 @0123456789abcdef at bank.c:41 writes 0    # event 0
//     event deposit from teller#1 @...                                # event 1
//     pr 0: 1 5-9                  # event 0 has come before event 1 and those from 5 to 9
//     pbr 0: 1
//     pcr 0: 1
//     free 0: 1                    # neither of the two must come first
//     run                          # its receives by event; their places count from 0
//     receive 0
//     receive 1 sent 0 created 0 behind 0 enabled 0 disabled 0 due 10 reply
//     behaviour account_behaviour in bank.c                           # behaviour 1; 0: outside
//     created 1 by 0 at bank.c:50                                     # passage 0
//     sent deposit from 2 to 1 at bank.c:41
//     became 3 by 1 at bank.c:17
//     before 1: 4 6-9              # passage 1 has come before the others at one actor
//     source bank.c                                                   # source 0
//     function account_behaviour in 0 from 12 to 25
//     lines 0: 12-20 22 25         # lines of source 0 that have code
//     reached 0: 12-20
//     branch 14 in 0 taken 15 never 22    # where two ways of the branch in line 14 lead
//     end
//
// Objects are what events of different actors touch. Flags stand at the end of a line: `carries` of
// an object, `reply` and `changes` of an event, `reply`, `changes`, `waits`,
// `lost` and `timer` of a receive, `reply` (to an rh_ask) of what was sent.
//
// Only files of version 2 have sources. Files of explore and sample have no goals: they begin with
// `behaviour`. Actors and events have
// identities, which are the same in every file of the test. So files can be merged, and one file
// may have several parts of one test. A list may go on in a further line with the same beginning.
#ifndef REHEARSE_COVER_COVERAGE_FILE_H
#define REHEARSE_COVER_COVERAGE_FILE_H

#include "cover/coverage.h"
#include "result/line_coverage.h"
#include "result/traffic.h"
#include "trace/schedule.h"

struct rh_coverage_head {
    RH_VECTOR(char *) programs; // owned
    char *test;                 // owned
    enum rh_order_rule order_rule;
    enum rh_time time;
    enum rh_environment environment;
};

void rh_coverage_head_fini(struct rh_coverage_head *head);
// Whether both are about one program: if its files are called the same. On another machine, and in
// another directory, it has another path.
bool rh_coverage_is_same_program(const struct rh_coverage_head *one,
                                 const struct rh_coverage_head *other);

// Coverage of one test, read from files.
struct rh_coverage_entry {
    struct rh_coverage_head head;
    uint64_t executions;
    struct rh_coverage coverage;
    RH_VECTOR(struct rh_receives) kept; // owned; receives of the executions that were kept
    struct rh_traffic traffic;
    struct rh_line_coverage reached;
};

struct rh_coverage_set {
    RH_VECTOR(struct rh_coverage_entry *) entries; // owned
    size_t bytes;                                  // what tables of pairs take in all entries
};

void rh_coverage_set_fini(struct rh_coverage_set *set);

// Adds what a file says to the set. Errors are RH_BAD_INPUT and name the line; the set may hold a
// part of the file then.
struct rh_status rh_coverage_read(struct rh_coverage_set *set, const char *path);
struct rh_status rh_coverage_parse(struct rh_coverage_set *set, const char *path, const char *bytes,
                                   size_t length);

// What the part of a test in the file is made from. All pointers are borrowed.
struct rh_coverage_part {
    const struct rh_coverage_head *head;
    uint64_t executions;
    const struct rh_coverage *coverage; // NULL: the search did not look for goals
    const struct rh_receives *kept;     // of the executions that were kept
    uint32_t kept_count;
    const struct rh_traffic *traffic;
    const struct rh_line_coverage *reached; // without sources: nobody has asked for lines
};

// Adds the part of a test to the text. The caller writes the first line of the file.
void rh_coverage_print(struct rh_text *text, const struct rh_coverage_part *part);
// Adds the lines of a part that are about traffic.
void rh__coverage_print_traffic(struct rh_text *text, const struct rh_traffic *traffic);
// Adds the lines of a part that are about lines and branches of the program.
void rh__coverage_print_reached(struct rh_text *text, const struct rh_line_coverage *reached);
// Adds " at FILE:LINE"; nothing if `file` is empty.
void rh__coverage_print_place(struct rh_text *text, const char *file, int line);

#define RH_COVERAGE_FIRST_LINE "rehearse coverage 1\n"
#define RH_COVERAGE_FIRST_LINE_REACHED "rehearse coverage 2\n"

#endif
