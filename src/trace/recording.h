// SPDX-License-Identifier: MIT
// What a program on threads has written down while it ran (REHEARSE_RECORD), and its file.
//
// The file is a head, a log of a few entries for each lane, and segments of one size. Each lane, which is a worker or the
// outside, writes records into a segment of its own and takes another when that is full; when there is no room for more,
// the one that was taken first. It is mapped, so whatever was written before the process died is there, however it died.
//
// A record is a list of words of 8 bytes. The first is written last:
//
//     bits 0 to 15    checksum of all the others
//     bits 16 to 23   words in the record; in DELIVERIES, its items
//     bits 24 to 31   number of the record in its lane, modulo 256
//     bits 32 to 57   object: mostly the number of an actor's cell; in DELIVERIES, see below
//     bits 58 to 63   kind
//
// A first word of 0 ends the segment.
//
// What an actor does while it handles a message is the same in every run, and so are the messages that it sends and the
// actors that it creates. A message has a stamp, which is the lane that sent it and how many that had sent before, and an
// actor has a birth, which is the same for creations. None of these are written down: who makes the same deliveries
// again counts the same. So a delivery is nothing but the stamp of its message. Mostly that can be guessed (struct
// rh_outlook): a difference is how far a stamp is from the one behind the last message of the same sender that was
// delivered here, and after the same two differences as before the same one follows. DELIVERIES say how many were
// guessed, and give the differences of the others. Behind the first word they have items of 16 bits:
//
//     bit 0 is 0            a delivery: bits 1 to 15 are its difference
//     0x8001                a delivery: its difference is in the two items that follow
//     0x8003 + 2 * place    what follows is of the lane with this place in the outlook
//     else bit 0 is 1       bits 1 to 8 are how many deliveries were guessed
//
// In their object, bits 6 to 13 are how many were guessed after the last item. Bits 0 to 5 are how many messages and
// actors the delivering lane had made when the newest of these deliveries began, by which a program that does something
// else is noticed. A delivery that can't be said so is a FAR, whose second word is its stamp.
//
// DELIVERIES that are the newest record of their lane grow in place: items are added, and then the first word is replaced
// by one that counts them. Items that are not counted are not there: the checksum is without them.
//
// Deliveries to one actor in one lane are in order. When an actor comes from another lane, a MOVE says which delivery of
// that lane the last to it was: all up to that one come before what follows here.
//
// Messages from outside are written down, and so are the actors that threads from outside create, with a BIRTH in front
// of them for each address of an actor that they may hold, as long as it lives and if that was not told before.
//
// The log is for people, when the rest can't be repeated. Its entries have addresses, and the names of these are at the
// end of the head.
#ifndef REHEARSE_TRACE_RECORDING_H
#define REHEARSE_TRACE_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/index.h"
#include "base/status.h"
#include "base/text.h"
#include "base/vector.h"

#define RH_RECORDING_MAGIC "rehearse recording 4\n"

enum {
    RH_RECORDING_HEAD = 64 << 10,
    RH_RECORD_WORDS_MOST = 255,
    RH_STAMP_BITS = 48, // of a birth too; the upper 11 are the lane
    RH_STAMP_LANE_SHIFT = 37,
    RH_RECORD_NAME_MOST = 120,
    RH_GUESSED_MOST = 255, // in a row
    RH_ITEMS_MOST = 28,    // in DELIVERIES
    RH_ITEMS_EACH = 5,     // that a delivery takes at most
    RH_OUTLOOK_LANES = 16, // that items can name, besides the delivering one
    RH_MOVE_LANES = 64,    // and a MOVE of one word
    RH_LOG_SIZE = 32,      // entries for each lane; a power of two
    RH_LOG_REPLY = 26,     // bits of an entry
    RH_LOG_NUMBER = 27,
};

// More deliveries than this can't be repeated.
enum { RH_RECORDING_MOST = 2000000 };
// Nor more messages that were dropped: the faults of a controlled world are counted in 16 bits.
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
    uint32_t lanes;         // the last is the outside
    uint32_t end;           // enum rh_recording_end
    int32_t status;         // that rh_run gave
    uint32_t word_count;    // that follow
    uint64_t names;         // where names begin, from the start of the file
    uint64_t names_end;     // and where they end; written after the name
    char last_words[1024];
    // Words follow, each of which ends in a NUL: the executable, its directory, its arguments. Then names.
};

// A text that something at this address of the process is called; behind the struct, with a NUL, filled up to 8 bytes.
struct rh_recording_name {
    uint64_t address;
};

// A delivery, in its lane's place `number` modulo RH_LOG_SIZE. `what` is written last.
struct rh_log_entry {
    uint64_t type, behaviour; // addresses
    uint64_t what; // bits 0 to 25 the cell, 26 whether it is a reply, above that its number, from 1
    uint64_t unused;
};

// Where segments begin, in a file with so many lanes.
static inline uint64_t rh_recording_segments(uint32_t lanes)
{
    uint64_t logs = (uint64_t)lanes * RH_LOG_SIZE * sizeof(struct rh_log_entry);
    return RH_RECORDING_HEAD + (logs + 4095) / 4096 * 4096;
}

struct rh_segment_head {
    uint64_t number; // from 1, in the order in which they were taken
    uint32_t lane;
    uint32_t place;    // among those of its lane, from 0
    uint64_t sequence; // number of its first record in the lane
    uint64_t hash;     // of the above
};

#define RH_RECORD_KINDS(X)                                                                         \
    X(NONE)                                                                                        \
    X(DELIVERIES) /* see above */                                                                  \
    X(FAR)        /* a delivery: its stamp */                                                      \
    X(MOVE)       /* object: a lane (6 bits), how many more of its deliveries come before (20) */  \
    X(MOVE_FAR)   /* object: a lane; how many of its deliveries come before */                     \
    X(WAIT)       /* object waits for room: how many messages, then actors, the lane has made */   \
    X(CONTINUE)   /* object goes on after that: likewise */                                        \
    X(SPAWN)      /* of an actor by a thread from outside: see struct rh_record_spawn */           \
    X(BIRTH)      /* of the actor in the cell object: life and birth */                            \
    X(INPUT)      /* the function with the name `object` gave this number */                       \
    X(TIMER)      /* the timer with this stamp is due then */                                      \
    X(NAME)       /* name `object` of this segment stands for this text */                         \
    X(SEND)       /* from outside, to object: see struct rh_record_send */                         \
    X(BYTES)      /* of the payload of the send above, or of the state of the spawn */             \
    X(DROP)       /* of the message with this stamp */                                             \
    X(SET_UP)     /* setup has returned: how many messages, then actors, it has made */

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

// The words of a SPAWN behind the first. The object is the name of the state's type, which may be empty.
struct rh_record_spawn {
    uint64_t function; // the behaviour, as in the executable's file; 0: it is a sender outside
    uint64_t birth;
    uint64_t size; // of the state
};

static inline uint64_t rh_record_first(enum rh_record_kind kind, uint32_t object, unsigned words,
                                       uint32_t sequence)
{
    return (uint64_t)kind << 58 | (uint64_t)(object & 0x3ffffff) << 32 |
           (uint64_t)(sequence & 0xff) << 24 | (uint64_t)words << 16;
}

// Of the words behind the first, for the checksum. Independent products, so that a processor takes no time for it.
static inline uint64_t rh_record_sum(const uint64_t *rest, unsigned words)
{
    uint64_t sum = 0;
    for (unsigned i = 1; i < words; i++)
        sum += (rest[i - 1] ^ rest[i - 1] >> 32) * (UINT64_C(0xd6e8feb86659fd93) + 2 * i);
    return sum;
}

// `first` without its checksum.
static inline uint64_t rh_record_checksum(uint64_t first, uint64_t sum)
{
    return (sum ^ first) * UINT64_C(0x9e3779b97f4a7c15) >> 48;
}

// What the object of deliveries or a move is made of.

enum {
    RH_MADE_BITS = 6,
    RH_MOVE_BITS = 20,
    RH_ITEM_BITS = 15, // of a difference
    RH_ITEM_WIDE = 0x8001,
    RH_ITEM_TURN = 0x8003,
};

static inline bool rh_difference_fits(int64_t difference, unsigned bits)
{
    return difference >= -(INT64_C(1) << (bits - 1)) && difference < INT64_C(1) << (bits - 1);
}

// Words that so many items take.
static inline unsigned rh_item_words(unsigned items)
{
    return (items + 3) / 4;
}

// For the checksum: the sum of items with one more behind them.
static inline uint64_t rh_item_sum(uint64_t sum, uint16_t item)
{
    return (sum + item + 1) * UINT64_C(0xd6e8feb86659fd93);
}

static inline uint32_t rh_made(uint64_t sent, uint64_t spawned)
{
    return (uint32_t)(sent + 5 * spawned) & ((1u << RH_MADE_BITS) - 1);
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

// What a lane is likely to deliver next. Whoever writes and whoever reads go through the same deliveries with it.
enum { RH_OUTLOOK_BITS = 8, RH_OUTLOOK_SHIFT = 4 };

struct rh_outlook {
    uint64_t next;                         // the stamp behind the last delivery
    uint32_t context;                      // made of the last two differences
    uint32_t place;                        // of the lane that has sent the last
    int32_t guesses[1 << RH_OUTLOOK_BITS]; // the difference that came last in each context
    uint64_t behind[RH_OUTLOOK_LANES + 2]; // `next` of the lanes in the other places
};

// Where an outlook has a lane: the delivering one and lanes without a place have two of their own.
static inline uint32_t rh_outlook_place(uint32_t lane, uint64_t stamp)
{
    uint32_t from = rh_stamp_lane(stamp);
    return from == lane ? RH_OUTLOOK_LANES : from < RH_OUTLOOK_LANES ? from : RH_OUTLOOK_LANES + 1;
}

static inline void rh_outlook_init(struct rh_outlook *outlook, uint32_t lane)
{
    *outlook = (struct rh_outlook){.place = RH_OUTLOOK_LANES, .next = rh_stamp_make(lane, 0)};
    for (unsigned i = 0; i < RH_OUTLOOK_LANES; i++)
        outlook->behind[i] = rh_stamp_make(i, 0);
}

static inline int64_t rh_outlook_guess(const struct rh_outlook *outlook)
{
    return outlook->guesses[outlook->context];
}

// A delivery with this difference.
static inline void rh_outlook_pass(struct rh_outlook *outlook, int64_t difference)
{
    outlook->context = ((outlook->context << RH_OUTLOOK_SHIFT) ^ (uint32_t)difference) &
                       ((1u << RH_OUTLOOK_BITS) - 1);
    outlook->next += (uint64_t)difference + 1;
}

// Likewise, of one that was not guessed.
static inline void rh_outlook_learn(struct rh_outlook *outlook, int64_t difference)
{
    outlook->guesses[outlook->context] = (int32_t)difference;
    rh_outlook_pass(outlook, difference);
}

// What follows is of another lane.
static inline void rh_outlook_turn(struct rh_outlook *outlook, uint32_t place)
{
    outlook->behind[outlook->place] = outlook->next;
    outlook->place = place;
    outlook->next = outlook->behind[place];
}

// A delivery of a message that has nothing to do with those before.
static inline void rh_outlook_jump(struct rh_outlook *outlook, uint32_t lane, uint64_t stamp)
{
    rh_outlook_turn(outlook, rh_outlook_place(lane, stamp));
    outlook->next = stamp + 1;
}

uint64_t rh_segment_hash(const struct rh_segment_head *head);

// Reading.

struct rh_recorded_input {
    const char *function; // borrowed
    uint64_t value;
};

// A message that a thread from outside sent, or an actor that it created.
struct rh_recorded_send {
    const char *type;  // borrowed; of an actor, of its state, and may be empty
    uint64_t function; // its behaviour, as in the executable's file; 0: it is a message
    uint64_t birth;
    uint32_t receiver, receiver_life;
    uint32_t sender, sender_life; // life 0: outside itself
    uint64_t stamp;
    uint64_t due;           // UINT64_MAX: it is no timer
    const uint8_t *payload; // or state
    size_t size;
};

// What a lane has made so far: the next stamp and the next birth. UINT64_MAX: it is not known.
struct rh_recorded_count {
    uint64_t sent, spawned;
};

// A handler that waited for room.
struct rh_recorded_pause {
    struct rh_recorded_count began, ended; // ended is not known if it never went on
};

// An address that is in a message from outside.
struct rh_recorded_birth {
    uint32_t cell;
    uint32_t life;
    uint64_t birth;
};

// What was done with one message; the first of all is what setup did.
struct rh_recorded_delivery {
    uint32_t lane;
    bool
        is_cut; // it may have been in the middle when the process died: all that follows is unknown
    bool is_told;        // whether `told` says something
    uint8_t told;        // rh_made when it began
    uint32_t moved_from; // a lane whose first `moved_after` deliveries come before this one
    uint64_t moved_after;
    uint64_t stamp; // of the message
    // It goes on counting where the delivery `behind` left off; SIZE_MAX: from `counted`.
    size_t behind;
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
    uint64_t overwritten;      // segments; then only the log is read
    bool is_too_long;          // likewise
    uint32_t torn;             // lanes whose last record was dropped
    RH_VECTOR(uint64_t) drops; // stamps of messages that were dropped for lack of room
    bool has_late_sender;      // rh_outside was called by a thread from outside
    uint32_t lanes;
    RH_VECTOR(struct rh_recorded_delivery) deliveries; // setup, then lane by lane
    struct rh_recorded_count setup_made;               // not known: it has not returned
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
