// SPDX-License-Identifier: MIT
// What happens in an execution.
#ifndef REHEARSE_RESULT_EVENT_H
#define REHEARSE_RESULT_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RH_EVENT_KINDS(X)                                                                          \
    X(DELIVER, "deliver")     /* actor receives type from peer; payload */                         \
    X(SEND, "send")           /* actor sends type to peer; payload, place */                       \
    X(ASK, "ask")             /* actor asks peer; payload, place */                                \
    X(REPLY, "reply")         /* actor replies to peer; payload, place */                          \
    X(TIMER, "timer")         /* actor sets a timer for peer; payload, number = due time, place */ \
    X(SPAWN, "spawn")         /* actor creates peer; type = state type, payload = state, place */  \
    X(BECOME, "become")       /* actor becomes type */                                             \
    X(STOP, "stop")           /* actor stops */                                                    \
    X(CHOOSE, "choose")       /* actor chose number */                                             \
    X(ANSWER, "answer")       /* number is what function `type` has told actor */                  \
    X(DROP, "drop")           /* what actor sent to peer is lost; payload, place */                \
    X(DUPLICATE, "duplicate") /* what actor sent to peer comes once more; payload, place */        \
    X(CRASH, "crash")         /* actor crashes; number = 1 if it begins anew */                    \
    X(STATE, "state")         /* actor's state at handler entry (number 0) and exit (number 1) */  \
    X(PRINT, "print")         /* payload = bytes that the program printed during this delivery */  \
    X(FINDING, "finding")     /* number = kind, text = message, place */                           \
    X(LAP, "lap")             /* what follows leads back to the state that is reached here */

enum rh_event_kind {
#define X(kind, name) RH_EVENT_##kind,
    RH_EVENT_KINDS(X)
#undef X
};

enum {
    RH_EVENT_COUNT = 0
#define X(kind, name) +1
    RH_EVENT_KINDS(X)
#undef X
};

// Whether the event is a delivery, or a crash, which counts as one.
static inline bool rh_event_is_step(enum rh_event_kind kind)
{
    return kind == RH_EVENT_DELIVER || kind == RH_EVENT_CRASH;
}

// Whether the event brings a message into the world.
static inline bool rh_event_is_sending(enum rh_event_kind kind)
{
    return kind == RH_EVENT_SEND || kind == RH_EVENT_ASK || kind == RH_EVENT_REPLY ||
           kind == RH_EVENT_TIMER || kind == RH_EVENT_DUPLICATE;
}

struct rh_event {
    enum rh_event_kind kind;
    uint32_t delivery;      // number of the delivery, from 1; 0 during the test's setup
    uint64_t identity;      // of the message (deliver, send, ..., crash) or of the actor (spawn)
    uint64_t actor_address; // value of the rh_actor *; 0 for outside
    uint64_t peer_address;
    int64_t number;
    int line;
    char *actor; // owned; "outside" for the test
    char *peer;  // owned; "" if none
    char *type;  // owned; "" if none
    char *file;  // owned; "" if unknown
    // Owned; "" if none. Of a message: its contents where they are no fields. Of an actor that a
    // recorded thread from outside has created: the function that is its behaviour.
    char *text;
    uint8_t *payload; // owned
    size_t payload_size;
};

void rh_event_fini(struct rh_event *event);

const char *rh_event_kind_name(enum rh_event_kind kind);

#endif
