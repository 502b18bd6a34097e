// SPDX-License-Identifier: MIT
// The recorder's records.
#include <string.h>

#include "runtime/record_delivery.h"
#include "runtime/runtime.h"
#include "world/process.h"

enum { BYTES_WORDS = 32 };

// The newest record does not grow any more.
static inline void close_newest(struct rh_lane *lane)
{
    if (!lane->item)
        return;
    lane->next = lane->newest + 1 + rh_item_words(lane->first >> 16 & 0xff);
    lane->guessed_room = 0;
    lane->item = NULL;
}

// Room for `words`.
static inline uint64_t *take_words(struct rh_lane *lane, unsigned words)
{
    close_newest(lane);
    if (__builtin_expect(lane->next + words > lane->end, 0))
        rh__lane_turn(lane);
    uint64_t *record = lane->next;
    lane->next = record + words;
    return record;
}

static inline void write_record(struct rh_lane *lane, enum rh_record_kind kind, uint32_t object,
                                const uint64_t *rest, unsigned words)
{
    uint64_t *record = take_words(lane, words);
    for (unsigned i = 1; i < words; i++)
        record[i] = rest[i - 1];
    rh__record_write_first(record, rh_record_first(kind, object, words, lane->sequence++),
                           rh_record_sum(rest, words));
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

static unsigned name_place(const void *address)
{
    return ((uintptr_t)address >> 3 ^ (uintptr_t)address >> 9) % RH_LANE_NAMES;
}

// Room for the longest name and a record behind it that uses it, in one segment.
static void make_room_for_name(struct rh_lane *lane)
{
    enum { MOST = RH_RECORD_NAME_MOST / 8 + 1 + 1 + 16 };
    close_newest(lane);
    if (lane->next + MOST > lane->end)
        rh__lane_turn(lane);
}

// The number that stands for a text in the record that follows.
static uint32_t name_of(struct rh_lane *lane, const char *text)
{
    make_room_for_name(lane);
    struct rh_lane_name *name = &lane->names[name_place(text)];
    if (name->text != text) {
        uint64_t words[RH_RECORD_NAME_MOST / 8 + 1];
        *name = (struct rh_lane_name){text, lane->name_count++ & 0xffff};
        write_record(lane, RH_RECORD_NAME, name->number, words, add_text(words, 0, text) + 1);
    }
    return name->number;
}

// Deliveries.

// The actor was another lane's: what it got there comes before this, and so do all deliveries of that lane before it.
static void record_move(struct rh_lane *lane, uint32_t from, uint64_t last)
{
    uint64_t known = from < RH_MOVE_LANES ? lane->known[from] : 0;
    if (last <= known)
        return;
    if (from < RH_MOVE_LANES && last - known < 1 << RH_MOVE_BITS)
        write_record(lane, RH_RECORD_MOVE, from << RH_MOVE_BITS | (uint32_t)(last - known), NULL,
                     1);
    else
        write_record(lane, RH_RECORD_MOVE_FAR, from, &last, 2);
    if (from < RH_MOVE_LANES)
        lane->known[from] = last;
}

static void begin_deliveries(struct rh_lane *lane)
{
    lane->newest = take_words(lane, 1 + rh_item_words(RH_ITEMS_MOST));
    lane->first = rh_record_first(RH_RECORD_DELIVERIES, 0, 0, lane->sequence++);
    lane->sum = 0;
    lane->guessed_room = RH_GUESSED_MOST;
    lane->item = (uint16_t *)(lane->newest + 1);
    lane->last_item = lane->item + (RH_ITEMS_MOST - RH_ITEMS_EACH);
}

static void add_difference(struct rh_lane *lane, int64_t difference)
{
    if (rh_difference_fits(difference, RH_ITEM_BITS)) {
        rh__record_add_item(lane, (uint16_t)((uint64_t)difference << 1));
    } else {
        rh__record_add_item(lane, RH_ITEM_WIDE);
        rh__record_add_item(lane, (uint16_t)difference);
        rh__record_add_item(lane, (uint16_t)(difference >> 16));
    }
}

static void take_over(struct rh_lane *lane, struct rh_cell *cell)
{
    record_move(lane, cell->lane, cell->last >> RH_LOG_NUMBER);
    cell->lane = lane->number & RH_CELL_LANE_MASK;
}

static __attribute__((noinline)) void record_far(struct rh_lane *lane, struct rh_cell *cell,
                                                 const struct rh_mail *mail, bool is_reply)
{
    uint64_t stamp = *rh_stamp_place(mail);
    write_record(lane, RH_RECORD_FAR, rh_made(lane->stamp, lane->birth), &stamp, 2);
    rh_outlook_jump(&lane->outlook, lane->number, stamp);
    rh__record_note(lane, cell, mail, is_reply);
}

static void add_turn(struct rh_lane *lane, uint32_t place)
{
    if (lane->guessed_room < RH_GUESSED_MOST)
        rh__record_add_guessed(lane);
    rh__record_add_item(lane, (uint16_t)(RH_ITEM_TURN + 2 * place));
    rh_outlook_turn(&lane->outlook, place);
}

static void add_delivery(struct rh_lane *lane, int64_t difference)
{
    if (difference == rh_outlook_guess(&lane->outlook)) {
        rh__record_extend_guessed(lane);
    } else {
        if (lane->guessed_room < RH_GUESSED_MOST)
            rh__record_add_guessed(lane);
        add_difference(lane, difference);
    }
    rh_outlook_learn(&lane->outlook, difference);
}

void rh__record_other(struct rh_lane *lane, struct rh_cell *cell, const struct rh_mail *mail,
                      bool is_reply)
{
    uint64_t stamp = *rh_stamp_place(mail);
    uint32_t place = rh_outlook_place(lane->number, stamp);
    bool turns = place != lane->outlook.place;
    int64_t difference =
        (int64_t)(stamp - (turns ? lane->outlook.behind[place] : lane->outlook.next));
    if (cell->lane != lane->number)
        take_over(lane, cell);
    if (!rh_difference_fits(difference, 32) || (turns && place > RH_OUTLOOK_LANES)) {
        record_far(lane, cell, mail, is_reply);
        return;
    }
    if (lane->guessed_room == 0 || lane->item > lane->last_item)
        begin_deliveries(lane);
    if (turns)
        add_turn(lane, place);
    add_delivery(lane, difference);
    rh__record_finish(lane, cell, mail, is_reply);
}

// What else happens in handlers.

void rh_record_wait(struct rh_lane *lane, enum rh_record_kind kind, uint32_t cell)
{
    const uint64_t made[] = {lane->stamp, lane->birth};
    write_record(lane, kind, cell, made, 3);
}

// A program with more behaviours than this leaves the others without a name in the log.
static void tell_name(struct rh_lane *lane, const char *name)
{
    unsigned place = name_place(name);
    lane->told_last = name;
    while (lane->told[place] && lane->told[place] != name)
        place = (place + 1) % RH_LANE_NAMES;
    if (lane->told[place] == name || lane->told_count == RH_LANE_NAMES - 1)
        return;
    rh__recorder_tell(lane->recorder, name, name);
    lane->told[place] = name;
    lane->told_count++;
}

void rh_record_spawn(struct rh_lane *lane, struct rh_cell *cell, uint32_t number)
{
    __atomic_store_n(&lane->recorder->births[number],
                     (uint64_t)cell->life << RH_STAMP_BITS | lane->birth++, __ATOMIC_RELEASE);
    // What an actor gets first comes after its creation in any case.
    cell->lane = lane->number & RH_CELL_LANE_MASK;
    cell->last = 0;
    if (cell->status == RH_CELL_ALIVE && cell->spawned_name != lane->told_last)
        tell_name(lane, cell->spawned_name);
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
    uint64_t stamp = lane->stamp++;
    write_record(lane, RH_RECORD_DROP, 0, &stamp, 2);
}

// What happens outside of them.

void rh_record_set_up(struct rh_lane *lane)
{
    const uint64_t made[] = {lane->stamp, lane->birth};
    write_record(lane, RH_RECORD_SET_UP, 0, made, 3);
}

// What may be the address of an actor is told once. One whose cell another lives in already is not known any more.
static void tell_birth(struct rh_lane *lane, uint64_t address)
{
    struct rh_recorder *recorder = lane->recorder;
    uint32_t number = (uint32_t)address, life = (uint32_t)(address >> 32);
    const struct rh_cell *cell =
        rh_address_cell(&rh__process.runtime->cells, (const rh_actor *)address);
    // Acquires the birth of the actor before, which rh_cells_give has released: so what is read is that one, which the
    // lower bits of its life tell apart, or this one, or a later one.
    if (!cell || __atomic_load_n(&cell->life, __ATOMIC_ACQUIRE) != life)
        return;
    uint64_t word = __atomic_load_n(&recorder->births[number], __ATOMIC_ACQUIRE);
    if (word >> RH_STAMP_BITS != (uint16_t)life ||
        rh_index_find(&recorder->told_births, address) != RH_INDEX_NONE)
        return;
    const uint64_t rest[] = {life, word & ((UINT64_C(1) << RH_STAMP_BITS) - 1)};
    rh_index_add(&recorder->told_births, address, 0);
    write_record(lane, RH_RECORD_BIRTH, number, rest, 3);
}

static void tell_births(struct rh_lane *lane, const char *bytes, size_t size)
{
    uint64_t word;
    for (size_t at = 0; at + sizeof word <= size; at++) {
        memcpy(&word, bytes + at, sizeof word);
        tell_birth(lane, word);
    }
}

static void write_bytes(struct rh_lane *lane, const char *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        uint64_t words[BYTES_WORDS] = {0};
        size_t part = size - done < sizeof words ? size - done : sizeof words;
        memcpy(words, bytes + done, part);
        write_record(lane, RH_RECORD_BYTES, 0, words, (unsigned)((part + 7) / 8) + 1);
        done += part;
    }
}

void rh_record_send(struct rh_lane *lane, const struct rh_mail *mail)
{
    enum { WORDS = 1 + sizeof(struct rh_record_send) / 8 };
    tell_birth(lane, (uint64_t)mail->life << 32 | mail->cell);
    tell_birth(lane, (uint64_t)mail->sender);
    tell_births(lane, mail->payload, mail->size);
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
    write_bytes(lane, mail->payload, mail->size);
}

void rh_record_creation(struct rh_lane *lane, rh_behaviour *behaviour, const struct rh_type *type,
                        const void *state, size_t size)
{
    enum { WORDS = 1 + sizeof(struct rh_record_spawn) / 8 };
    tell_births(lane, state, size);
    uint32_t name = name_of(lane, type ? type->name : "");
    struct rh_record_spawn spawn = {
        .function = behaviour ? (uintptr_t)behaviour - lane->recorder->base : 0,
        .birth = lane->birth - 1,
        .size = size,
    };
    uint64_t words[WORDS - 1];
    memcpy(words, &spawn, sizeof words);
    write_record(lane, RH_RECORD_SPAWN, name, words, WORDS);
    write_bytes(lane, state, size);
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
