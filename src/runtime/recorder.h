// SPDX-License-Identifier: MIT
// The flight recorder: writes down what happens on threads so that a controlled world can repeat
// it. trace/recording.h says what is in the file.
//
// Thread rule: a lane belongs to one carrier. The last lane is that of setup and of all threads
// from outside, between rh_recorder_enter and rh_recorder_leave.
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
    // Each message needs this line of the cache.
    _Alignas(64) uint64_t stamp; // stamp of the next message that is sent
    uint64_t birth;              // birth of the next actor that is created
    uint64_t *entry;             // first column of the next delivery's entry in the log
    uint64_t numbers;            // see rh_lane_next
    uint32_t number;             // number of the lane

    // The first entry of the log that is in no record; `entry` if all are.
    _Alignas(64) const uint64_t *unrecorded;
    uint64_t *next, *end; // place of the next record in the segment, and the end of that
    // The newest record, if it is of deliveries that repeat steps; otherwise NULL.
    uint64_t *newest;
    // First word of the record `newest`, without its checksum and what the lane had made.
    uint64_t first;
    // Sum of the other words of the record `newest`, for its checksum.
    uint64_t sum;
    uint32_t sequence;             // records so far
    uint32_t place;                // segments so far
    uint32_t name_count;           // names in this segment
    uint64_t known[RH_MOVE_LANES]; // how many deliveries of each lane the records know of
    struct rh_log *log;
    struct rh_steps steps;
    int32_t past[RH_LANE_PAST]; // the last steps
    unsigned past_count;
    // How many steps before the repeated steps of `newest` the same steps began.
    unsigned before;
    // How many more times the past is not searched for steps that repeat, and how many times after
    // the next search that fails.
    unsigned pause, next_pause;
    struct rh_recorder *recorder;
    struct rh_segment_head *segment;
    struct rh_lane_name names[RH_LANE_NAMES]; // direct mapped
    const char *told_last;                    // the name that was told last
    // Names of behaviours that this lane has told the head; hashed, never full.
    const char *told[RH_LANE_NAMES];
    unsigned told_count;
};

struct rh_recorder {
    struct rh_recording_head *head; // the mapped file
    uintptr_t base;                 // base address of the executable: rh_program_base
    size_t size;
    int file;
    pthread_mutex_t segment_lock; // also guards the names in the head
    pthread_mutex_t outside_lock;
    struct rh_index told_births; // addresses whose birth is in the file; guarded by outside_lock
    struct rh_lane *lanes;
    uint32_t lane_count;
};

// Opens the file that the environment names. *recorder is NULL if nothing is to be recorded.
struct rh_status rh_recorder_open(struct rh_recorder **recorder, unsigned carriers);
// Closes the file of a run that has ended with this status.
void rh_recorder_close(struct rh_recorder *recorder, int status);
// Writes what a program says that is about to die. Works in a signal handler, too.
void rh_recorder_last_words(struct rh_recorder *recorder, const char *text, size_t length);

// The lane of the outside, which is locked until rh_recorder_leave.
struct rh_lane *rh_recorder_enter(struct rh_recorder *recorder);
void rh_recorder_leave(struct rh_recorder *recorder);

// The number of the next delivery, at bit RH_LOG_NUMBER as in the log. The address of the log's
// entry, in words of 8 bytes, tells most of the number, so that a delivery has nothing else to
// count.
static inline uint64_t rh_lane_next(const struct rh_lane *lane)
{
    return lane->numbers + ((uint64_t)(uintptr_t)lane->entry << (RH_LOG_NUMBER - 3));
}

// Writing.

// How many more bytes a message needs behind its payload for its stamp: a timer needs `due` itself
// until it fires.
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
// Gives the message the lane's next stamp.
static inline void rh_stamp(struct rh_lane *lane, struct rh_mail *mail)
{
    *rh_stamp_place(mail) = lane->stamp++;
}
// When a timer fires, its stamp moves to where other messages have theirs.
static inline void rh_stamp_fired(struct rh_mail *mail)
{
    mail->due = *rh_stamp_place(mail);
}
// Records that the actor in the cell waits for room, or goes on: `kind` is RH_RECORD_WAIT or
// RH_RECORD_CONTINUE.
void rh_record_wait(struct rh_lane *lane, enum rh_record_kind kind, uint32_t cell);
// Records an actor that nobody will create again when the run is repeated, or a sender outside,
// after rh_record_birth. `type` may be NULL; `size` is that of the state.
void rh_record_creation(struct rh_lane *lane, const struct rh_cell *cell,
                        const struct rh_type *type, size_t size);
void rh_record_input(struct rh_lane *lane, const char *function, uint64_t value);
void rh_record_timer(struct rh_lane *lane, const struct rh_mail *mail, uint64_t due);
void rh_record_drop(struct rh_lane *lane);
void rh_record_set_up(struct rh_lane *lane);
// Records a message that nobody will send again when the run is repeated.
void rh_record_send(struct rh_lane *lane, const struct rh_mail *mail);

// Goes on in another segment.
void rh__lane_turn(struct rh_lane *lane);
// Puts the name of what is at this address into the head, if it is not there.
void rh__recorder_tell(struct rh_recorder *recorder, const void *address, const char *name);

// For interposed functions: records what libc has told the running handler, or setup.
void rh__record_answer(const char *function, uint64_t value);

#endif
