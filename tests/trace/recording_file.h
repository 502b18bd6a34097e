// SPDX-License-Identifier: MIT
// Recordings that are written by hand.
#ifndef REHEARSE_TESTS_TRACE_RECORDING_FILE_H
#define REHEARSE_TESTS_TRACE_RECORDING_FILE_H

#include "test.h"
#include "trace/recording.h"

enum { SEGMENT = 4096, PLACES = 6, LANES = 3 };

// A recording that is written by hand. The logs of its lanes take two pages.
enum { SEGMENTS = RH_RECORDING_HEAD + 2 * 4096 };
static char file[SEGMENTS + PLACES * SEGMENT];

static inline struct rh_recording_head *head(void)
{
    return (struct rh_recording_head *)(void *)file;
}

static inline struct rh_segment_head *segment_at(int place)
{
    return (struct rh_segment_head *)(void *)(file + SEGMENTS + place * SEGMENT);
}

static inline void begin_file(void)
{
    memset(file, 0, sizeof file);
    memcpy(head()->magic, RH_RECORDING_MAGIC, sizeof RH_RECORDING_MAGIC);
    head()->segment_size = SEGMENT;
    head()->segment_count = PLACES;
    head()->lanes = LANES;
    head()->word_count = 3;
    memcpy(head() + 1, "/bin/server\0/tmp\0--port", 24);
    head()->names = head()->names_end = sizeof *head() + 24;
}

// Where records are written.
struct pen {
    uint64_t *next;
    uint32_t sequence;
};

static inline struct pen begin_segment(int place, uint32_t lane, uint32_t number, uint32_t sequence)
{
    struct rh_segment_head *segment = segment_at(place);
    *segment = (struct rh_segment_head){
        .number = (uint64_t)place + 1, .lane = lane, .place = number, .sequence = sequence};
    segment->hash = rh_segment_hash(segment);
    return (struct pen){(uint64_t *)(segment + 1), sequence};
}

static inline void write_words(struct pen *pen, uint64_t first, const uint64_t *rest,
                               unsigned words)
{
    for (unsigned i = 1; i < words; i++)
        pen->next[i] = rest[i - 1];
    *pen->next = first | rh_record_checksum(first, rh_record_sum(rest, words));
    pen->next += words;
}

static inline void add(struct pen *pen, enum rh_record_kind kind, uint32_t object, uint64_t one)
{
    write_words(pen, rh_record_first(kind, object, 2, pen->sequence++), &one, 2);
}

static inline void add_two(struct pen *pen, enum rh_record_kind kind, uint32_t object, uint64_t one,
                           uint64_t other)
{
    const uint64_t rest[] = {one, other};
    write_words(pen, rh_record_first(kind, object, 3, pen->sequence++), rest, 3);
}

// A text of less than 8 bytes.
static inline void add_name(struct pen *pen, uint32_t number, const char *text)
{
    uint64_t word = 0;
    memcpy(&word, text, strlen(text));
    add(pen, RH_RECORD_NAME, number, word);
}

// Deliveries with these steps, of `width` bits each, or stamps. `more` is the rest of the object. `made`: what the lane
// has made when the last of them begins.
static inline void add_steps(struct pen *pen, const int64_t *steps, unsigned count, unsigned width,
                             uint32_t more, unsigned made)
{
    uint64_t rest[RH_LOG_SIZE] = {0};
    unsigned each = width > 0 ? 64 / width : 1;
    uint64_t mask = width > 0 ? (UINT64_C(1) << width) - 1 : UINT64_MAX;
    for (unsigned i = 0; i < count; i++)
        rest[i / each] |= ((uint64_t)steps[i] & mask) << i % each * width;
    unsigned words = 1 + (count + each - 1) / each;
    uint32_t object = made | (count - 1) << RH_COUNT_SHIFT | width << RH_WIDTH_SHIFT | more;
    write_words(pen, rh_record_first(RH_RECORD_DELIVERIES, object, words, pen->sequence++), rest,
                words);
}

// So many that repeat steps before, and `further` times RH_LOG_SIZE more.
static inline void add_repeated(struct pen *pen, unsigned count, uint64_t before, unsigned further)
{
    uint32_t object =
        (count - 1) << RH_COUNT_SHIFT | 1 << RH_REPEATS_SHIFT | further << RH_FURTHER_SHIFT;
    add(pen, RH_RECORD_DELIVERIES, object, before);
}

// So many of one sender, which differs from the lane in its place, all with the same difference.
static inline void add_run(struct pen *pen, unsigned count, unsigned place, int difference,
                           unsigned made)
{
    int64_t steps[RH_LOG_SIZE];
    for (unsigned i = 0; i < count; i++)
        steps[i] = (int64_t)difference * RH_PLACES + place;
    add_steps(pen, steps, count, 32, 1 << RH_SENDERS_SHIFT, made);
}

static inline void add_own_run(struct pen *pen, unsigned count, int difference, unsigned made)
{
    add_run(pen, count, 0, difference, made);
}

static inline void add_stamp(struct pen *pen, uint64_t stamp, unsigned made)
{
    add_steps(pen, &(int64_t){(int64_t)stamp}, 1, 0, 0, made);
}

// A name at this address, in the head.
static inline void add_address(uint64_t address, const char *text)
{
    char *at = file + head()->names_end;
    memcpy(at, &address, sizeof address);
    memcpy(at + sizeof address, text, strlen(text) + 1);
    head()->names_end += sizeof address + (strlen(text) / 8 + 1) * 8;
}

static inline void add_log(uint32_t lane, uint64_t number, uint32_t cell, uint64_t stamp,
                           uint64_t made)
{
    struct rh_log *log = (struct rh_log *)(void *)(file + RH_RECORDING_HEAD) + lane;
    size_t place = number % RH_LOG_SIZE;
    log->words[RH_LOG_TYPE + place] = 100;
    log->words[RH_LOG_NAME + place] = made << RH_LOG_MADE | 200;
    log->words[RH_LOG_STAMP + place] = stamp;
    log->words[RH_LOG_WHAT + place] = number << RH_LOG_NUMBER | cell;
}

// Setup makes three messages and two actors, and a message comes from outside. One worker delivers three of them, the
// other a message of the first one's, to an actor that it has from there.
static inline struct pen write_run(void)
{
    begin_file();
    struct pen outside = begin_segment(0, 2, 0, 0);
    add_two(&outside, RH_RECORD_SET_UP, 0, 3, 2);
    add_two(&outside, RH_RECORD_BIRTH, 4, 7, rh_stamp_make(2, 1));
    struct pen worker = begin_segment(1, 0, 0, 0);
    add_run(&worker, 2, 2, 0, 1);
    add_name(&worker, 9, "rand");
    add(&worker, RH_RECORD_INPUT, 9, 1804289383);
    add_run(&worker, 1, 2, 5, 4);
    struct pen other = begin_segment(2, 1, 0, 0);
    add(&other, RH_RECORD_MOVE_FAR, 0, 3);
    add_stamp(&other, rh_stamp_make(0, 70000), 9);
    return worker;
}

#endif
