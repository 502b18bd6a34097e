// SPDX-License-Identifier: MIT
// A finding: something wrong in the program under test. One record of plain bytes from where it
// shows to where it is printed: the world fills in what it sees, a worker leaves it in memory that
// processes share, the keeper adds what only it can know, and results hold it. Texts that are too
// long are cut; "" means that there is nothing to say.
#ifndef REHEARSE_RESULT_FINDING_H
#define REHEARSE_RESULT_FINDING_H

#include <stdbool.h>
#include <stdint.h>

#include "result/execution.h"
#include "trace/finding_kind.h"
#include "trace/schedule.h"

// Room for texts, with their NUL.
enum { RH_MESSAGE_MOST = 600, RH_FILE_MOST = 256, RH_ACTOR_MOST = 160, RH_NAME_MOST = 128 };

struct rh_finding {
    enum rh_finding_kind kind;
    enum rh_severity severity;     // after --fail-on and --warn-on
    char message[RH_MESSAGE_MOST]; // one sentence
    char file[RH_FILE_MOST];       // "" if the place is not known
    int line;
    char actor[RH_ACTOR_MOST];       // short name; "" if the finding concerns no single actor
    char behaviour[RH_NAME_MOST];    // "" if the finding concerns no single actor
    char message_type[RH_NAME_MOST]; // of the message that is handled, or that waits; "" if none
    bool is_limit;  // of a bound: an execution can't have more, and no option changes that
    uint64_t count; // how many times this kind showed at this place
    // Number of the delivery in which the finding shows, in the execution that shows it; 0: none.
    uint32_t delivery;
    struct {
        uint32_t start;   // deliveries before the state that comes back
        uint32_t length;  // deliveries from that state until it comes back; 0: no livelock
        bool unfair;      // a message could be delivered all the way round, and is not
        uint64_t variety; // hash of what is delivered on the way round, which tells livelocks apart
    } lap;
};

// Copies as much of the text as fits into the field; `text` may be NULL.
#define RH_FINDING_SET(field, text) rh_finding_set(field, sizeof(field), text)
void rh_finding_set(char *field, size_t size, const char *text);

// Whether two findings are the same thing wrong: of one kind, at one place, in one behaviour that
// handles one type of message. Ways round may differ in what is delivered on them.
bool rh_finding_is_same(const struct rh_finding *one, const struct rh_finding *other);

// The delivery of this trace in which the finding shows; 0 if it shows in none.
uint32_t rh_finding_find_delivery(const struct rh_finding *finding,
                                  const struct rh_execution *execution);

// Writes into a schedule's head the finding that the schedule is saved for.
void rh_finding_head(const struct rh_finding *finding, struct rh_schedule *schedule);
// Whether the finding is of the kind and in the file that the schedule was saved for.
bool rh_finding_is_of(const struct rh_finding *finding, const struct rh_schedule *schedule);

#endif
