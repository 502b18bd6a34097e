// SPDX-License-Identifier: MIT
// The flight recorder: writes down what happens on threads so that it can be repeated in a controlled world.
// trace/recording.h says what is in the file.
//
// Thread rule: a lane is its worker's. The last one is that of setup and of all threads from outside, between
// rh_recorder_enter and rh_recorder_leave.
#ifndef REHEARSE_RUNTIME_RECORDER_H
#define REHEARSE_RUNTIME_RECORDER_H

#include <pthread.h>

#include "base/status.h"
#include "runtime/mail.h"
#include "trace/recording.h"

struct rh_cell;
struct rh_runtime;

enum { RH_LANE_NAMES = 128, RH_LANE_PAST = RH_REPEATS_MOST + 4 * RH_LOG_SIZE };

// A text and the number that stands for it in this segment.
struct rh_lane_name {
    const char *text;
    uint32_t number;
};

struct rh_lane {
    // This line is needed for each message.
    _Alignas(64) uint64_t stamp; // of the next message that is sent
    uint64_t birth;              // of the next actor that is created
    uint64_t *entry;             // of the next delivery in the log: its first column
    uint64_t numbers;            // see rh_lane_next
    uint32_t number;             // of the lane

    // In the log: the first that is in no record; `entry` if there is none.
    _Alignas(64) const uint64_t *unrecorded;
    uint64_t *next, *end; // in its segment
    uint64_t *newest; // the newest record, if it is of deliveries that repeat steps; otherwise NULL
    uint64_t first;   // its first word, without checksum and what the lane had made
    uint64_t sum;     // for the checksum
    uint32_t sequence;             // records so far
    uint32_t place;                // segments so far
    uint32_t name_count;           // in this segment
    uint64_t known[RH_MOVE_LANES]; // how many deliveries of each lane the records know of
    struct rh_log *log;
    struct rh_steps steps;
    int32_t past[RH_LANE_PAST]; // the last steps
    unsigned past_count;
    unsigned before; // how far before the last ones began that were repeated
    unsigned pause,
        next_pause; // so many times, the past is not searched for what could be repeated
    struct rh_recorder *recorder;
    struct rh_segment_head *segment;
    struct rh_lane_name names[RH_LANE_NAMES]; // direct mapped
    const char *told_last;                    // the newest of these
    const char *told[RH_LANE_NAMES]; // what the head knows the names of; hashed, never full
    unsigned told_count;
};

struct rh_recorder {
    struct rh_recording_head *head; // the mapped file
    uintptr_t base;                 // of the executable: rh_program_base
    size_t size;
    int file;
    pthread_mutex_t segment_lock; // also of names in the head
    pthread_mutex_t outside_lock;
    struct rh_index told_births; // addresses that are in the file; guarded by outside_lock
    struct rh_lane *lanes;
    uint32_t lane_count;
};

// As the environment says. *recorder is NULL if nothing is to be recorded.
struct rh_status rh_recorder_open(struct rh_recorder **recorder, unsigned workers);
// The run has ended with this status.
void rh_recorder_close(struct rh_recorder *recorder, int status);
// The program is about to die; in a signal handler too.
void rh_recorder_last_words(struct rh_recorder *recorder, const char *text, size_t length);

// The outside's lane.
struct rh_lane *rh_recorder_enter(struct rh_recorder *recorder);
void rh_recorder_leave(struct rh_recorder *recorder);

// The number of the next delivery, as it is in the log. Where it is in the log, in words of 8 bytes, tells most of that, so
// that there is nothing else to count for a delivery.
static inline uint64_t rh_lane_next(const struct rh_lane *lane)
{
    return lane->numbers + ((uint64_t)(uintptr_t)lane->entry << (RH_LOG_NUMBER - 3));
}

// Writing.

// How many more bytes a message needs behind its payload: a timer needs `due` itself until it fires.
static inline size_t rh_stamp_room(enum rh_mail_kind kind, size_t size)
{
    return kind == RH_MAIL_TIMER ? (size + 7) / 8 * 8 + 8 - size : 0;
}
static inline uint64_t *rh_stamp_place(const struct rh_mail *mail)
{
    return mail->kind == RH_MAIL_TIMER
               ? (uint64_t *)(uintptr_t)(mail->payload + ((size_t)mail->size + 7) / 8 * 8)
               : (uint64_t *)(uintptr_t)&mail->due;
}
// Gives the message its stamp, which is the lane's next.
static inline void rh_stamp(struct rh_lane *lane, struct rh_mail *mail)
{
    *rh_stamp_place(mail) = lane->stamp++;
}
// When a timer fires, its stamp is where that of others is.
static inline void rh_stamp_fired(struct rh_mail *mail)
{
    mail->due = *rh_stamp_place(mail);
}
// RH_RECORD_WAIT or RH_RECORD_CONTINUE.
void rh_record_wait(struct rh_lane *lane, enum rh_record_kind kind, uint32_t cell);
// An actor that nobody will create again when the run is repeated, or a sender outside, after rh_record_birth. The type may be NULL; the behaviour, too:
// then it is a sender.
void rh_record_creation(struct rh_lane *lane, rh_behaviour *behaviour, const struct rh_type *type,
                        const void *state, size_t size);
void rh_record_input(struct rh_lane *lane, const char *function, uint64_t value);
void rh_record_timer(struct rh_lane *lane, const struct rh_mail *mail, uint64_t due);
void rh_record_drop(struct rh_lane *lane);
void rh_record_set_up(struct rh_lane *lane);
// A message that nobody will send again when the run is repeated.
void rh_record_send(struct rh_lane *lane, const struct rh_mail *mail);

// Goes on in another segment.
void rh__lane_turn(struct rh_lane *lane);
// Puts the name of what is at this address into the head, if it is not there.
void rh__recorder_tell(struct rh_recorder *recorder, const void *address, const char *name);

// For interposed functions: what libc has told the running handler, or setup.
void rh__record_answer(const char *function, uint64_t value);

#endif
