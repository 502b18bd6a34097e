// SPDX-License-Identifier: MIT
// What a program on threads has written down while it ran (REHEARSE_RECORD), and its file.
//
// The file is a head, a log of the last deliveries of each lane, and segments of one size. Each
// lane, which is a carrier or the outside, writes records into a segment of its own and takes
// another when that one is full; when there is no room for more, it takes the oldest. The file is
// mapped, so it holds whatever was written before the process died, however the process died.
//
// A record is a list of words of 8 bytes. The first word is written last:
//
//     bits 0 to 15    checksum of the rest of the record
//     bits 16 to 23   words in the record
//     bits 24 to 31   number of the record in its lane, modulo 256
//     bits 32 to 57   object: mostly the number of an actor's cell; in DELIVERIES, see below
//     bits 58 to 63   kind
//
// A first word of 0 ends the segment.
//
// What an actor does while it handles a message is the same in every run, and so are the messages
// that it sends and the actors that it creates. A message has a stamp: the lane that sent the
// message, and how many messages that lane had sent before. An actor has a birth: the same for
// creations. Neither sends nor creations are written down: whoever makes the same deliveries again
// counts the same. So a delivery is nothing but the stamp of its message.
//
// A delivery is in its lane's log first. The log is full after RH_LOG_SIZE deliveries; then, or
// when another record is to be written, those that are in no record yet become one record of
// DELIVERIES. So the last deliveries of a lane are in its log only, and an entry of the log is
// valid if it has the number that it should have.
//
// DELIVERIES tell how far each stamp is from the one behind the last that was delivered in this
// lane, or behind the last of the same sender: these distances are steps (struct rh_steps). Most
// steps are small, and repeat an earlier sequence of steps. The object has
//
//     bits 0 to 5     how many messages and actors the lane had made when the last delivery began,
//                     by which a program that does something else is noticed
//     bits 6 to 11    how many deliveries there are, less one
//     bits 12 to 17   bits of a step, at most 32: each word behind the first has as many steps as
//                     fit, from its lower bits on; 0: these words are the stamps themselves
//     bit 18          whether steps have a sender in their lower bits; without one, the sender does
//                     not matter
//     bit 19          whether the steps repeat those of so many steps before as the word behind the
//                     first says
//     bits 20 to 25   with bit 19, how many times RH_LOG_SIZE further deliveries repeat steps too
//
// When DELIVERIES that repeat steps are the newest record of their lane, their first word may be
// replaced by one that counts more deliveries: in a single store, so the record always is one or
// the other, and whole.
//
// Deliveries to one actor in one lane are in order. When an actor comes from another lane, a MOVE
// says which delivery of that lane was the last to the actor: all deliveries of that lane up to
// that one come before the deliveries that follow in this lane.
//
// Messages from outside are written down, and so are the actors that threads from outside create.
// In front of each stands a BIRTH for each address of a living actor that it may hold, if the birth
// was not told before.
//
// The log is also for people, when the rest can't be repeated. Its entries have addresses, and the
// names of these are at the end of the head.
#ifndef REHEARSE_TRACE_RECORDING_H
#define REHEARSE_TRACE_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/index.h"
#include "base/status.h"
#include "base/text.h"
#include "base/vector.h"

#define RH_RECORDING_MAGIC "rehearse recording 5\n"

enum {
    RH_RECORDING_HEAD = 64 << 10,
    RH_RECORD_WORDS_MOST = 255,
    RH_STAMP_BITS = 48, // of a birth too; the upper 11 bits are the lane
    RH_STAMP_LANE_SHIFT = 37,
    RH_RECORD_NAME_MOST = 120,
    RH_MOVE_LANES = 64, // lanes that a MOVE of one word can name
    RH_LOG_SIZE = 64,   // deliveries of each lane; a power of two
    RH_LOG_REPLY = 26,  // where the fields of words in the log begin
    RH_LOG_NUMBER = 27,
    RH_LOG_MADE = 48,
};

// A recording with more deliveries than this can't be repeated.
enum { RH_RECORDING_MOST = 2000000 };
// A recording with more dropped messages can't be repeated: a controlled world counts faults in 16
// bits.
enum { RH_RECORDING_DROPS = UINT16_MAX };

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
    uint32_t lanes;         // the last lane is the outside
    uint32_t end;           // enum rh_recording_end
    int32_t status;         // what rh_run gave
    uint32_t word_count;    // words that follow the head
    uint64_t names;         // where names begin, from the start of the file
    uint64_t names_end;     // where names end; written after the newest name
    char last_words[1024];
    // Words follow, each of which ends in a NUL: the executable, its directory, its arguments. Then
    // names.
};

// A text that something at this address of the process is called; the text stands behind the
// struct, with a NUL, filled up to 8 bytes.
struct rh_recording_name {
    uint64_t address;
};

// The last deliveries of a lane, each at place `number` modulo RH_LOG_SIZE of all columns. The last
// column is written last. NAME has, from bit 48 on, what the lane had made when the delivery began.
// WHAT has the cell in bits 0 to 25, in bit 26 whether the message is a reply, then the delivery's
// number, from 1.
enum {
    RH_LOG_STAMP = 0,
    RH_LOG_TYPE = RH_LOG_SIZE,     // address
    RH_LOG_NAME = 2 * RH_LOG_SIZE, // address of the behaviour's name
    RH_LOG_WHAT = 3 * RH_LOG_SIZE,
};

struct rh_log {
    uint64_t words[4 * RH_LOG_SIZE];
};

// Where segments begin, in a file with so many lanes.
static inline uint64_t rh_recording_segments(uint32_t lanes)
{
    uint64_t logs = (uint64_t)lanes * sizeof(struct rh_log);
    return RH_RECORDING_HEAD + (logs + 4095) / 4096 * 4096;
}

struct rh_segment_head {
    uint64_t number; // from 1, in the order in which segments were taken
    uint32_t lane;
    uint32_t place;    // among the segments of the lane, from 0
    uint64_t sequence; // number in the lane of the segment's first record
    uint64_t hash;     // of the fields above
};

#define RH_RECORD_KINDS(X)                                                                         \
    X(NONE)                                                                                        \
    X(DELIVERIES) /* see above */                                                                  \
    X(MOVE)       /* object: a lane (6 bits), how many more of its deliveries come before (20) */  \
    X(MOVE_FAR)   /* object: a lane; how many of its deliveries come before */                     \
    X(WAIT)       /* object waits for room: how many messages, then actors, the lane has made */   \
    X(CONTINUE)   /* object goes on after a WAIT: the same counts */                               \
    X(SPAWN)      /* a thread from outside creates an actor: see struct rh_record_spawn */         \
    X(BIRTH)      /* life and birth of the actor in the cell object */                             \
    X(INPUT)      /* the function with the name `object` gave this number */                       \
    X(TIMER)      /* stamp of a timer, and when the timer is due */                                \
    X(NAME)       /* name `object` of this segment stands for this text */                         \
    X(SEND)       /* a message from outside to object: see struct rh_record_send */                \
    X(BYTES)      /* part of the payload of the SEND above, or of the state of the SPAWN above */  \
    X(DROP)       /* stamp of a message that was dropped */                                        \
    X(SET_UP)     /* setup has returned: how many messages, then actors, it has made */

enum rh_record_kind {
#define X(kind) RH_RECORD_##kind,
    RH_RECORD_KINDS(X)
#undef X
};

// The words of a SEND behind the first.
struct rh_record_send {
    uint64_t stamp_and_name; // the name is the type's
    uint64_t due;            // milliseconds; UINT64_MAX: the message is no timer
    uint32_t size;           // of the payload
    uint32_t life;           // of the receiver
    uint32_t sender;         // cell
    uint32_t sender_life;    // 0: there is no sender but the outside itself
};

// The words of a SPAWN behind the first. The object is the name of the state's type, which may be
// empty.
struct rh_record_spawn {
    // Address of the behaviour in the executable's file; 0: the actor is a sender outside.
    uint64_t function;
    uint64_t birth;
    uint64_t size; // of the state
};

static inline uint64_t rh_record_first(enum rh_record_kind kind, uint32_t object, unsigned words,
                                       uint32_t sequence)
{
    return (uint64_t)kind << 58 | (uint64_t)(object & 0x3ffffff) << 32 |
           (uint64_t)(sequence & 0xff) << 24 | (uint64_t)words << 16;
}

// The sum of the words behind the first, for the checksum. The products are independent, so that a
// processor takes hardly any time for them.
static inline uint64_t rh_record_sum(const uint64_t *rest, unsigned words)
{
    uint64_t sum = 0;
    for (unsigned i = 1; i < words; i++)
        sum += (rest[i - 1] ^ rest[i - 1] >> 32) * (UINT64_C(0xd6e8feb86659fd93) + 2 * i);
    return sum;
}

// `first` is the first word without its checksum.
static inline uint64_t rh_record_checksum(uint64_t first, uint64_t sum)
{
    return (sum ^ first) * UINT64_C(0x9e3779b97f4a7c15) >> 48;
}

// The parts of the object of DELIVERIES or a MOVE.

enum {
    RH_MADE_MASK = 63,
    RH_MOVE_BITS = 20,
    RH_COUNT_SHIFT = 6,
    RH_WIDTH_SHIFT = 12,
    RH_WIDTH_MOST = 32,
    RH_SENDERS_SHIFT = 18,
    RH_REPEATS_SHIFT = 19,
    RH_FURTHER_SHIFT = 20,
    RH_FURTHER_MOST = 63,
    RH_REPEATS_MOST = 512, // how many steps before a sequence may have begun that is repeated
};

// How many steps of this width a word has.
static inline unsigned rh_steps_in_word(unsigned width)
{
    return 64 / width;
}

static inline uint64_t rh_made_whole(uint64_t sent, uint64_t spawned)
{
    return sent + 5 * spawned;
}

// The part of rh_made_whole that is recorded.
static inline uint32_t rh_made(uint64_t sent, uint64_t spawned)
{
    return (uint32_t)rh_made_whole(sent, spawned) & RH_MADE_MASK;
}

static inline uint64_t rh_stamp_make(unsigned lane, uint64_t count)
{
    return (uint64_t)lane << RH_STAMP_LANE_SHIFT |
           (count & ((UINT64_C(1) << RH_STAMP_LANE_SHIFT) - 1));
}

static inline uint32_t rh_stamp_lane(uint64_t stamp)
{
    return (uint32_t)(stamp >> RH_STAMP_LANE_SHIFT);
}

// Where the next steps of a lane begin: for each place, the stamp behind the last delivery from
// there. Without senders all stamps count as those of the lane itself, whose own place is 0.
enum { RH_PLACE_BITS = 5, RH_PLACES = 1 << RH_PLACE_BITS };

struct rh_steps {
    uint64_t behind[RH_PLACES];
};

static inline void rh_steps_init(struct rh_steps *steps, uint32_t lane)
{
    for (unsigned i = 0; i < RH_PLACES; i++)
        steps->behind[i] = rh_stamp_make(lane ^ i, 0);
}

// The place of the sender. RH_PLACES or more: it has none, and stamps must tell its deliveries.
static inline uint64_t rh_steps_place(uint32_t lane, uint64_t stamp)
{
    return rh_stamp_lane(stamp) ^ lane;
}

// Goes on behind a stamp that no step told.
static inline void rh_steps_jump(struct rh_steps *steps, uint32_t lane, uint64_t stamp)
{
    uint64_t place = rh_steps_place(lane, stamp);
    if (place < RH_PLACES)
        steps->behind[place] = stamp + 1;
}

uint64_t rh_segment_hash(const struct rh_segment_head *head);

// Reading.

struct rh_recorded_input {
    const char *function; // borrowed
    uint64_t value;
};

// A message that a thread from outside sent, or an actor that it created.
struct rh_recorded_send {
    const char *type;  // borrowed; type of the message, or of the actor's state, which may be empty
    uint64_t function; // address of the actor's behaviour in the executable's file; 0: a message
    uint64_t birth;
    uint32_t receiver, receiver_life;
    uint32_t sender, sender_life; // life 0: outside itself
    uint64_t stamp;
    uint64_t due;           // UINT64_MAX: the message is no timer
    const uint8_t *payload; // or state
    size_t size;
};

// What a lane has made so far: the next stamp and the next birth. UINT64_MAX: not known.
struct rh_recorded_count {
    uint64_t sent, spawned;
};

// A handler that waited for room.
struct rh_recorded_pause {
    struct rh_recorded_count began, ended; // `ended` is not known if the handler never went on
};

// An address that is in a message from outside.
struct rh_recorded_birth {
    uint32_t cell;
    uint32_t life;
    uint64_t birth;
};

// What was done with one message; the first delivery of all is what setup did.
struct rh_recorded_delivery {
    uint32_t lane;
    // The delivery may not have ended when the process died: all that follows is unknown.
    bool is_cut;
    bool is_told;        // whether `told` says something
    uint8_t told;        // rh_made when the delivery began
    uint32_t moved_from; // a lane whose first `moved_after` deliveries come before this one
    uint64_t moved_after;
    uint64_t stamp; // of the message
    // The delivery goes on counting where the delivery `behind` left off; RH_NONE: from `counted`.
    uint32_t behind;
    struct rh_recorded_count counted;
    RH_VECTOR(struct rh_recorded_input) inputs;
    RH_VECTOR(struct rh_recorded_pause) pauses;
};

// One of the last deliveries of a lane, for people.
struct rh_recorded_log {
    uint32_t lane, cell;
    bool is_reply;
    const char *type, *behaviour; // borrowed
};

struct rh_recording {
    char *program, *directory; // owned
    RH_VECTOR(char *) arguments;
    uint64_t program_hash;
    enum rh_recording_end end;
    int status;
    char *last_words;          // owned
    uint64_t overwritten;      // segments; if there are any, only the log is read
    bool is_too_long;          // then too only the log is read
    uint32_t torn;             // lanes whose last record was dropped
    RH_VECTOR(uint64_t) drops; // stamps of messages that were dropped for lack of room
    bool has_late_sender;      // a thread from outside called rh_outside
    uint32_t lanes;
    RH_VECTOR(struct rh_recorded_delivery) deliveries; // setup, then lane by lane
    struct rh_recorded_count setup_made;               // not known: setup has not returned
    RH_VECTOR(struct rh_recorded_log) log;
    RH_VECTOR(struct rh_recorded_send) sends;
    RH_VECTOR(struct rh_recorded_birth) births;
    RH_VECTOR(uint64_t) due;     // of timers
    struct rh_index timers;      // place in `due`, by stamp
    RH_VECTOR(char *) texts;     // owned
    RH_VECTOR(uint8_t *) blocks; // owned
};

// Whether the file begins as a recording does, of whatever version.
bool rh_recording_is(const char *path);

// Reads a recording. A damaged file is RH_BAD_INPUT. A program that still runs may write meanwhile.
struct rh_status rh_recording_read(struct rh_recording *recording, const char *path);
void rh_recording_fini(struct rh_recording *recording);

// Refuses a recording that can't be repeated: not all of it is there, it is of another program than
// the one in this file, or something has happened that a controlled world does not do.
struct rh_status rh_recording_check(const struct rh_recording *recording, const char *path,
                                    const char *program);

// Hash of a file's contents; 0 if the file can't be read.
uint64_t rh_recording_hash_file(const char *path);

// The last deliveries of each lane for people, `most` of them.
void rh_recording_log(const struct rh_recording *recording, struct rh_text *text, size_t most);

#endif
