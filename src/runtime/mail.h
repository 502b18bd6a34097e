// SPDX-License-Identifier: MIT
// A message of the run time, and where its memory comes from. What the program knows as an
// rh_message is a struct rh_mail.
#ifndef REHEARSE_RUNTIME_MAIL_H
#define REHEARSE_RUNTIME_MAIL_H

#include <rehearse/actor.h>

#include "runtime/spare.h"

enum rh_mail_kind {
    RH_MAIL_PLAIN,
    RH_MAIL_TIMER,
    RH_MAIL_ASK,
    RH_MAIL_REPLY,
};

struct rh_mail {
    union {
        struct rh_spare spare;
        struct {
            struct rh_mail *next; // in a mailbox, in an actor's lists, in the wheel of timers
            const struct rh_type *type;
        };
    };
    rh_actor *sender; // NULL: outside
    // Of a timer that has not fired: milliseconds since the start. Of other messages: the
    // recorder's stamp.
    uint64_t due;
    uint32_t size; // size of the payload
    // The receiver: the number of its cell, and which of the actors that live there one after
    // another.
    uint32_t cell;
    uint32_t life;
    uint8_t kind; // enum rh_mail_kind
    uint8_t size_class;
    bool handled; // whether some rh_as matched, or the message was ignored
    bool replied;
    _Alignas(16) char payload[];
};

// Size classes of 64, 128, 256, 512 and 1024 bytes, header included. Larger messages, and all where
// a sanitizer is to see each message by itself, come from malloc.
enum { RH_MAIL_CLASSES = 5, RH_MAIL_LARGE = RH_MAIL_CLASSES };

struct rh_mail_chunk;

struct rh_mail_office {
    struct rh_depot depots[RH_MAIL_CLASSES];
    pthread_mutex_t lock;
    struct rh_mail_chunk *chunks; // all memory that was cut up
    bool is_plain;                // whether malloc makes all messages
};

// The spare messages of one thread.
struct rh_mail_cache {
    struct rh_magazine magazines[RH_MAIL_CLASSES];
};

void rh_mail_office_init(struct rh_mail_office *office);
void rh_mail_office_fini(struct rh_mail_office *office);

// Room for a payload of that size. The caller fills in everything but `size` and `size_class`.
struct rh_mail *rh_mail_new(struct rh_mail_office *office, struct rh_mail_cache *cache,
                            size_t size);
void rh_mail_free(struct rh_mail_office *office, struct rh_mail_cache *cache, struct rh_mail *mail);

#endif
