// SPDX-License-Identifier: MIT
// What a program on threads has written down while it ran (REHEARSE_RECORD), and its file.
//
// The file is a head and segments of one size. Each lane, which is a worker or the outside, writes records into a
// segment of its own and takes another when that is full; when there is no room for more, the one that was taken first.
// It is mapped, so whatever was written before the process died is there, however it died.
//
// A record is a list of words of 8 bytes. The first is written last:
//
//     bits 0 to 15    checksum of all the others
//     bits 16 to 23   words in the record; in a delivery, which has two, messages that the lane has sent since the last
//     bits 24 to 31   number of the record in its lane, modulo 256
//     bits 32 to 57   object: mostly the number of an actor's cell
//     bits 58 to 63   kind
//
// A first word of 0 ends the segment. Sends are not written down: a message has a stamp, which is the lane that sent it
// and how many that had sent before, and what an actor does while it handles a message is the same in every run. So what
// was delivered, what it was told from outside, and how far its lane had counted, say it all.
#ifndef REHEARSE_TRACE_RECORDING_H
#define REHEARSE_TRACE_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/index.h"
#include "base/status.h"
#include "base/text.h"
#include "base/vector.h"

#define RH_RECORDING_MAGIC "rehearse recording 1\n"

enum {
    RH_RECORDING_HEAD = 64 << 10,
    RH_RECORD_WORDS_MOST = 255,
    RH_STAMP_LANE_SHIFT = 37, // a stamp has 48 bits, the upper 11 of which are the lane
    RH_RECORD_NAME_MOST = 120,
};

// More deliveries than this can't be repeated.
enum { RH_RECORDING_MOST = 2000000 };

enum rh_recording_end {
    RH_RECORDING_OPEN,  // the program still runs, or was killed
    RH_RECORDING_ENDED, // rh_run came to its end
    RH_RECORDING_DIED,  // the program had last words
};

struct rh_recording_head {
    char magic[32];
    uint64_t segment_size;
    uint64_t segment_count; // places for segments
    uint64_t taken;         // segments so far; more than there are places: some were overwritten
    uint64_t program_hash;  // of the executable's file
    uint32_t lanes;         // the last is the outside
    uint32_t end;           // enum rh_recording_end
    int32_t status;         // that rh_run gave
    uint32_t word_count;    // that follow
    char last_words[1024];
    // Words follow, each of which ends in a NUL: the executable, its directory, its arguments.
};

struct rh_segment_head {
    uint64_t number; // from 1, in the order in which they were taken
    uint32_t lane;
    uint32_t place;    // among those of its lane, from 0
    uint64_t sequence; // number of its first record in the lane
    uint64_t hash;     // of the above
};

#define RH_RECORD_KINDS(X)                                                                         \
    X(NONE)                                                                                        \
    X(DELIVER)  /* to object: stamp and name. It comes after what the lane last did to object */   \
    X(RESUME)   /* the same, of a reply */                                                         \
    X(MOVE)     /* object comes from another lane: how much has happened to it before */           \
    X(COUNT)    /* how many messages the lane has sent */                                          \
    X(WAIT)     /* object waits for room: count */                                                 \
    X(CONTINUE) /* object goes on after that: count */                                             \
    X(SPAWN)    /* of object: how much has happened to it, this included, and its life */          \
    X(OUTSIDE)  /* object is a sender outside: its name */                                         \
    X(INPUT)    /* the function with the name `object` gave this number */                         \
    X(TIMER)    /* the timer with this stamp is due then */                                        \
    X(NAME)     /* name `object` of this segment stands for these two texts */                     \
    X(SEND)     /* from outside, to object: see struct rh_record_send */                           \
    X(BYTES)    /* of the payload of the send above */                                             \
    X(DROP)     /* of the message with this stamp */                                               \
    X(SET_UP)   /* setup has returned: count */

enum rh_record_kind {
#define X(kind) RH_RECORD_##kind,
    RH_RECORD_KINDS(X)
#undef X
};

// The words of a SEND behind the first.
struct rh_record_send {
    uint64_t stamp_and_name; // the name is the type's
    uint64_t due;            // milliseconds; UINT64_MAX: it is no timer
    uint32_t size;           // of the payload
    uint32_t life;           // of the receiver
    uint32_t sender;         // cell
    uint32_t sender_life;    // 0: there is none, it is the outside itself
};

static inline bool rh_record_is_delivery(unsigned kind)
{
    return kind == RH_RECORD_DELIVER || kind == RH_RECORD_RESUME;
}

static inline uint64_t rh_record_first(enum rh_record_kind kind, uint32_t object, unsigned words,
                                       uint32_t sequence)
{
    return (uint64_t)kind << 58 | (uint64_t)(object & 0x3ffffff) << 32 |
           (uint64_t)(sequence & 0xff) << 24 | (uint64_t)words << 16;
}

// `first` without its checksum; the others behind it. Independent products, so that a processor takes no time for it.
static inline uint64_t rh_record_checksum(uint64_t first, const uint64_t *rest, unsigned words)
{
    uint64_t sum = (first | 1) * UINT64_C(0x9e3779b97f4a7c15);
    for (unsigned i = 1; i < words; i++)
        sum += (rest[i - 1] ^ first) * (UINT64_C(0xd6e8feb86659fd93) + 2 * i);
    return (sum ^ sum >> 29) >> 48;
}

static inline uint64_t rh_stamp_make(unsigned lane, uint64_t count)
{
    return (uint64_t)lane << RH_STAMP_LANE_SHIFT |
           (count & ((UINT64_C(1) << RH_STAMP_LANE_SHIFT) - 1));
}

uint64_t rh_segment_hash(const struct rh_segment_head *head);

// Reading.

struct rh_recorded_input {
    const char *function; // borrowed
    uint64_t value;
};

// A message that a thread from outside sent.
struct rh_recorded_send {
    const char *type; // borrowed
    uint32_t receiver, receiver_life;
    uint32_t sender, sender_life; // life 0: outside itself
    uint64_t stamp;
    uint64_t due; // UINT64_MAX: it is no timer
    const uint8_t *payload;
    size_t size;
};

// Messages that were sent one after another: stamps of one lane.
struct rh_recorded_range {
    uint64_t first, end;
};

struct rh_recorded_spawn {
    uint32_t cell;
    uint32_t order;
    uint32_t life;
    const char *outside; // borrowed; the name of a sender outside; NULL: an actor
};

// What was done with one message; the first of all is what setup did.
struct rh_recorded_delivery {
    uint32_t lane;
    bool is_reply;
    bool
        is_cut; // it may have been in the middle when the process died: all that follows is unknown
    uint32_t cell;
    uint32_t order;               // among all that happened to this cell
    uint64_t stamp;               // of the message
    uint64_t counted;             // stamp of the first message that it could send
    const char *type, *behaviour; // borrowed
    RH_VECTOR(struct rh_recorded_input) inputs;
    RH_VECTOR(struct rh_recorded_spawn) spawns;
    RH_VECTOR(struct rh_recorded_range) sent;
};

struct rh_recording {
    char *program, *directory; // owned
    RH_VECTOR(char *) arguments;
    uint64_t program_hash;
    enum rh_recording_end end;
    int status;
    char *last_words;     // owned
    uint64_t overwritten; // segments; then only the last of each lane is read
    bool is_too_long;     // likewise
    uint32_t torn;        // lanes whose last record was dropped
    bool dropped;         // messages, for lack of room
    bool spawned_outside; // an actor, or a sender, was created by a thread from outside
    uint32_t lanes;
    RH_VECTOR(struct rh_recorded_delivery) deliveries; // setup, then lane by lane
    RH_VECTOR(struct rh_recorded_send) sends;
    RH_VECTOR(uint64_t) due;     // of timers
    struct rh_index timers;      // place in `due`, by stamp
    RH_VECTOR(char *) texts;     // owned
    RH_VECTOR(uint8_t *) blocks; // owned
};

// Whether the file begins as a recording does, of whatever version.
bool rh_recording_is(const char *path);

// Reads it. What is wrong with it is RH_BAD_INPUT. A program that still runs may write meanwhile.
struct rh_status rh_recording_read(struct rh_recording *recording, const char *path);
void rh_recording_fini(struct rh_recording *recording);

// Refuses a recording that can't be repeated: not all of it is there, it is of another program than the one in this
// file, or something has happened that a controlled world does not do.
struct rh_status rh_recording_check(const struct rh_recording *recording, const char *path,
                                    const char *program);

// Hash of a file's contents; 0 if it can't be read.
uint64_t rh_recording_hash_file(const char *path);

// The last deliveries of each lane for people, `most` of them.
void rh_recording_log(const struct rh_recording *recording, struct rh_text *text, size_t most);

#endif
