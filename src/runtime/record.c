// SPDX-License-Identifier: MIT
// The recorder's records.
#include <string.h>

#include "runtime/recorder.h"
#include "runtime/runtime.h"
#include "world/process.h"

enum { BYTES_WORDS = 32 };

// The first word comes last, so that whoever finds it finds all of the record, should the process be killed here. What
// has been written is in the file for good, and processors of this kind write in order.
static inline void finish_record(uint64_t *record, uint64_t first, const uint64_t *rest,
                                 unsigned words)
{
    first |= rh_record_checksum(first, rest, words);
    __atomic_store_n(record, first, __ATOMIC_RELEASE);
}

static inline void write_record(struct rh_lane *lane, enum rh_record_kind kind, uint32_t object,
                                const uint64_t *rest, unsigned words)
{
    if (__builtin_expect(lane->next + words > lane->end, 0))
        rh__lane_turn(lane);
    uint64_t *record = lane->next;
    uint64_t first = rh_record_first(kind, object, words, lane->sequence++);
    for (unsigned i = 1; i < words; i++)
        record[i] = rest[i - 1];
    finish_record(record, first, rest, words);
    lane->next = record + words;
}

// Names.

static unsigned add_text(uint64_t *words, unsigned at, const char *text)
{
    size_t length = strnlen(text, RH_RECORD_NAME_MOST);
    unsigned count = (unsigned)(length / 8 + 1);
    memset(words + at, 0, sizeof *words * count);
    memcpy(words + at, text, length);
    return at + count;
}

static void write_name(struct rh_lane *lane, const char *first, const char *second, uint32_t number)
{
    uint64_t words[2 * (RH_RECORD_NAME_MOST / 8 + 1)];
    unsigned count = add_text(words, add_text(words, 0, first), second);
    write_record(lane, RH_RECORD_NAME, number, words, count + 1);
}

static inline struct rh_lane_name *name_place(struct rh_lane *lane, const void *first,
                                              const void *second)
{
    return &lane->names[((uintptr_t)first >> 3 ^ (uintptr_t)second >> 2) % RH_LANE_NAMES];
}

// Room for the longest name and a record behind it that uses it, in one segment.
static void make_room_for_name(struct rh_lane *lane)
{
    enum { MOST = 2 * (RH_RECORD_NAME_MOST / 8 + 1) + 1 + 16 };
    if (lane->next + MOST > lane->end)
        rh__lane_turn(lane);
}

// The number that stands for a text in the record that follows.
static uint32_t name_of(struct rh_lane *lane, const char *text)
{
    make_room_for_name(lane);
    struct rh_lane_name *name = name_place(lane, text, NULL);
    if (name->first != text || name->second) {
        *name = (struct rh_lane_name){text, NULL, lane->name_count++ & 0xffff};
        write_name(lane, text, "", name->number);
    }
    return name->number;
}

// What happens in handlers.

enum { LANE_SHIFT = 48 };
#define COUNT_MASK ((UINT64_C(1) << LANE_SHIFT) - 1)

// One more thing happens to the cell, in this lane.
static inline uint64_t count_event(struct rh_lane *lane, uint32_t cell)
{
    uint64_t count = (lane->orders[cell] & COUNT_MASK) + 1;
    lane->orders[cell] = (uint64_t)(lane->number + 1) << LANE_SHIFT | count;
    return count;
}

// Everything that the record of a delivery counts on and that is not so yet.
static __attribute__((noinline)) void prepare_delivery(struct rh_lane *lane,
                                                       const struct rh_cell *cell, uint32_t number,
                                                       const struct rh_mail *mail)
{
    if (lane->sent - lane->told > UINT8_MAX) {
        lane->told = lane->sent;
        write_record(lane, RH_RECORD_COUNT, 0, &lane->sent, 2);
    }
    if (lane->orders[number] >> LANE_SHIFT != lane->number + 1) {
        uint64_t count = lane->orders[number] & COUNT_MASK;
        write_record(lane, RH_RECORD_MOVE, number, &count, 2);
    }
    make_room_for_name(lane);
    struct rh_lane_name *name = name_place(lane, mail->type, cell->spawned_name);
    if (name->first != mail->type || name->second != cell->spawned_name) {
        *name = (struct rh_lane_name){mail->type, cell->spawned_name, lane->name_count++ & 0xffff};
        write_name(lane, mail->type->name, cell->spawned_name, name->number);
    }
}

void rh_record_delivery(struct rh_lane *lane, enum rh_record_kind kind, const struct rh_cell *cell,
                        uint32_t number, const struct rh_mail *mail)
{
    const struct rh_lane_name *name = name_place(lane, mail->type, cell->spawned_name);
    if (__builtin_expect(name->first != mail->type || name->second != cell->spawned_name ||
                             lane->orders[number] >> LANE_SHIFT != lane->number + 1 ||
                             lane->sent - lane->told > UINT8_MAX || lane->next + 2 > lane->end,
                         0))
        prepare_delivery(lane, cell, number, mail);
    uint64_t *record = lane->next;
    uint64_t rest = *rh_stamp_place(mail) << 16 | name->number;
    uint64_t first =
        rh_record_first(kind, number, (unsigned)(lane->sent - lane->told), lane->sequence++);
    count_event(lane, number);
    lane->told = lane->sent;
    lane->next = record + 2;
    record[1] = rest;
    finish_record(record, first, &rest, 2);
}

void rh_record_wait(struct rh_lane *lane, enum rh_record_kind kind, uint32_t cell)
{
    lane->told = lane->sent;
    write_record(lane, kind, cell, &lane->sent, 2);
}

void rh_record_spawn(struct rh_lane *lane, uint32_t cell, uint32_t life)
{
    const uint64_t rest[] = {count_event(lane, cell) << 32 | life};
    write_record(lane, RH_RECORD_SPAWN, cell, rest, 2);
}

void rh_record_outside(struct rh_lane *lane, uint32_t cell, uint32_t life, const char *name)
{
    uint64_t words[RH_RECORD_NAME_MOST / 8 + 2];
    words[0] = life;
    unsigned count = add_text(words, 1, name);
    write_record(lane, RH_RECORD_OUTSIDE, cell, words, count + 1);
}

void rh_record_input(struct rh_lane *lane, const char *function, uint64_t value)
{
    write_record(lane, RH_RECORD_INPUT, name_of(lane, function), &value, 2);
}

void rh_record_timer(struct rh_lane *lane, const struct rh_mail *mail, uint64_t due)
{
    const uint64_t rest[] = {*rh_stamp_place(mail), due};
    write_record(lane, RH_RECORD_TIMER, 0, rest, 3);
}

void rh_record_drop(struct rh_lane *lane)
{
    uint64_t stamp = rh_stamp_make(lane->number, lane->sent++);
    write_record(lane, RH_RECORD_DROP, 0, &stamp, 2);
}

// What happens outside of them.

void rh_record_set_up(struct rh_lane *lane)
{
    lane->told = lane->sent;
    write_record(lane, RH_RECORD_SET_UP, 0, &lane->sent, 2);
}

static void write_payload(struct rh_lane *lane, const char *payload, size_t size)
{
    for (size_t done = 0; done < size;) {
        uint64_t words[BYTES_WORDS] = {0};
        size_t part = size - done < sizeof words ? size - done : sizeof words;
        memcpy(words, payload + done, part);
        write_record(lane, RH_RECORD_BYTES, 0, words, (unsigned)((part + 7) / 8) + 1);
        done += part;
    }
}

void rh_record_send(struct rh_lane *lane, const struct rh_mail *mail)
{
    enum { WORDS = 1 + sizeof(struct rh_record_send) / 8 };
    uint32_t name = name_of(lane, mail->type->name);
    struct rh_record_send send = {
        .stamp_and_name = *rh_stamp_place(mail) << 16 | name,
        .due = mail->kind == RH_MAIL_TIMER ? mail->due : UINT64_MAX,
        .size = mail->size,
        .life = mail->life,
        .sender = (uint32_t)(uint64_t)mail->sender,
        .sender_life = rh_address_life(mail->sender),
    };
    uint64_t words[WORDS - 1];
    memcpy(words, &send, sizeof words);
    write_record(lane, RH_RECORD_SEND, mail->cell, words, WORDS);
    write_payload(lane, mail->payload, mail->size);
}

void rh__record_answer(const char *function, uint64_t value)
{
    struct rh_runtime *runtime = rh__process.runtime;
    const struct rh_run_worker *worker = rh__local.worker;
    if (!runtime)
        return;
    if (worker && worker->delivery && worker->delivery->stage != RH_AT_GUARD) {
        rh_record_input(worker->lane, function, value);
    } else if (!worker && runtime->in_setup &&
               pthread_equal(pthread_self(), runtime->setup_thread)) {
        rh_record_input(rh_recorder_enter(runtime->recorder), function, value);
        rh_recorder_leave(runtime->recorder);
    }
}
