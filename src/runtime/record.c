// SPDX-License-Identifier: MIT
// The recorder's records.
#include <string.h>

#include "entry/process.h"
#include "runtime/record_delivery.h"
#include "runtime/runtime.h"

enum { BYTES_WORDS = 32 };

// Takes room for a record of `words`. The newest record can't be extended any more.
static inline uint64_t *take_words(struct rh_lane *lane, unsigned words)
{
    lane->newest = NULL;
    if (__builtin_expect(lane->next + words > lane->end, 0))
        rh__lane_turn(lane);
    uint64_t *record = lane->next;
    lane->next = record + words;
    return record;
}

// The first word is written last: should the process be killed here, whoever finds a first word
// finds the whole record. What was written is in the file for good, and x86 processors write in
// order.
static inline void write_first(uint64_t *record, uint64_t first, uint64_t sum)
{
    __atomic_store_n(record, first | rh_record_checksum(first, sum), __ATOMIC_RELEASE);
}

static inline uint64_t *put_record(struct rh_lane *lane, enum rh_record_kind kind, uint32_t object,
                                   const uint64_t *rest, unsigned words)
{
    uint64_t *record = take_words(lane, words);
    for (unsigned i = 1; i < words; i++)
        record[i] = rest[i - 1];
    write_first(record, rh_record_first(kind, object, words, lane->sequence++),
                rh_record_sum(rest, words));
    return record;
}

// Deliveries.

// How the stamps of deliveries differ from those before them: steps. No branch here depends on the
// steps, for a processor could not predict it.

// Room for `count` steps behind the past ones, of which at least RH_REPEATS_MOST are kept if there
// ever were so many.
static int32_t *make_room_for_steps(struct rh_lane *lane, unsigned count)
{
    if (lane->past_count + count > RH_LANE_PAST) {
        memmove(lane->past, lane->past + lane->past_count - RH_REPEATS_MOST,
                sizeof *lane->past * RH_REPEATS_MOST);
        lane->past_count = RH_REPEATS_MOST;
    }
    return lane->past + lane->past_count;
}

// Bits that each step takes, its sign included. The highest bit of step ^ step << 1 is where the
// step's sign begins; `bits` is the union of these over all steps.
static unsigned step_width(uint32_t bits)
{
    return 32 - (unsigned)__builtin_clz(bits | 1);
}

// Finds the steps as if the lane itself had sent all messages. Gives the bits of a step, or 0 if
// the stamps are too far from each other.
static unsigned find_steps(const struct rh_lane *lane, const uint64_t *stamps, unsigned count,
                           int32_t *steps)
{
    uint64_t behind = lane->steps.behind[0], far = behind ^ stamps[0];
    uint32_t first = (uint32_t)(stamps[0] - behind), bits = first ^ first << 1;
    steps[0] = (int32_t)first;
    for (unsigned i = 1; i < count; i++) {
        uint32_t step = (uint32_t)stamps[i] - (uint32_t)stamps[i - 1] - 1;
        steps[i] = (int32_t)step;
        bits |= step ^ step << 1;
        far |= stamps[i] ^ behind;
    }
    return far >> 31 == 0 ? step_width(bits) : 0;
}

// Finds the steps behind the last stamp of each message's sender. Gives the bits of a step, or 0 if
// they are too far or a sender has no place. lane->steps moves on behind these stamps in any case.
static unsigned find_steps_of_senders(struct rh_lane *lane, const uint64_t *stamps, unsigned count,
                                      int32_t *result)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < count; i++) {
        uint64_t place = rh_steps_place(lane->number, stamps[i]);
        if (place >= RH_PLACES) {
            bits = UINT64_MAX;
            continue;
        }
        uint64_t step = (stamps[i] - lane->steps.behind[place]) << RH_PLACE_BITS | place;
        lane->steps.behind[place] = stamps[i] + 1;
        result[i] = (int32_t)step;
        bits |= step ^ step << 1;
    }
    return bits >> 32 == 0 ? step_width((uint32_t)bits) : 0;
}

// Gives how many words the steps take.
static inline __attribute__((always_inline)) unsigned pack_by(uint64_t *words, const int32_t *steps,
                                                              unsigned count, unsigned width)
{
    uint64_t mask = (UINT64_C(1) << width) - 1;
    unsigned each = rh_steps_in_word(width), length = 0, first = 0;
    for (; first + each <= count; first += each) {
        uint64_t word = 0;
        for (unsigned i = each; i-- > 0;)
            word = word << width | ((uint64_t)steps[first + i] & mask);
        words[length++] = word;
    }
    if (first < count) {
        uint64_t word = 0;
        for (unsigned i = count; i-- > first;)
            word = word << width | ((uint64_t)steps[i] & mask);
        words[length++] = word;
    }
    return length;
}

// The most frequent widths have code of their own, which takes fewer instructions.
static unsigned pack(uint64_t *words, const int32_t *steps, unsigned count, unsigned width)
{
#define PACK_BY(known)                                                                             \
    case known:                                                                                    \
        return pack_by(words, steps, count, known)
    switch (width) {
        PACK_BY(2);
        PACK_BY(3);
        PACK_BY(4);
        PACK_BY(5);
        PACK_BY(6);
        PACK_BY(7);
        PACK_BY(8);
        PACK_BY(9);
        PACK_BY(10);
        PACK_BY(11);
        PACK_BY(12);
        PACK_BY(13);
        PACK_BY(14);
        PACK_BY(15);
        PACK_BY(16);
    default:
        return pack_by(words, steps, count, width);
    }
#undef PACK_BY
}

// Whether RH_LOG_SIZE steps are the same as those that began `before` steps earlier.
static bool repeat(const int32_t *steps, unsigned before)
{
    return memcmp(steps, steps - before, sizeof *steps * RH_LOG_SIZE) == 0;
}

// How many steps earlier the same RH_LOG_SIZE steps began; 0 if none are known. A search takes
// long, so the more searches have failed, the less often there is one.
static unsigned find_before(struct rh_lane *lane, const int32_t *steps)
{
    enum { PAUSE_MOST = 64 };
    size_t known = (size_t)(steps - lane->past);
    unsigned most = known < RH_REPEATS_MOST ? (unsigned)known : RH_REPEATS_MOST;
    if (lane->before > 0 && lane->before <= most && repeat(steps, lane->before))
        return lane->before;
    if (lane->pause > 0) {
        lane->pause--;
        return 0;
    }
    for (unsigned before = 1; before <= most; before++)
        if (steps[0] == *(steps - before) && repeat(steps, before)) {
            lane->pause = lane->next_pause = 0;
            return before;
        }
    lane->pause = lane->next_pause;
    lane->next_pause = lane->next_pause < PAUSE_MOST ? 2 * lane->next_pause + 1 : PAUSE_MOST;
    return 0;
}

// Counts RH_LOG_SIZE more repeated steps in the newest record.
static void extend_newest(struct rh_lane *lane, uint32_t made)
{
    lane->first += UINT64_C(1) << (32 + RH_FURTHER_SHIFT);
    write_first(lane->newest, lane->first | (uint64_t)made << 32, lane->sum);
}

// Records RH_LOG_SIZE steps that repeat those of `before` steps earlier. `object` is that of a
// record of as many steps.
static void put_repeated(struct rh_lane *lane, unsigned before, uint32_t object, uint32_t made)
{
    const uint64_t rest[] = {before};
    object |= 1u << RH_REPEATS_SHIFT;
    if (lane->newest && lane->before == before &&
        ((lane->first >> 32 ^ object) >> RH_SENDERS_SHIFT & 1) == 0 &&
        (lane->first >> (32 + RH_FURTHER_SHIFT) & RH_FURTHER_MOST) < RH_FURTHER_MOST) {
        extend_newest(lane, made);
        return;
    }
    lane->newest = put_record(lane, RH_RECORD_DELIVERIES, object | made, rest, 2);
    lane->first = rh_record_first(RH_RECORD_DELIVERIES, object, 2, lane->sequence - 1);
    lane->sum = rh_record_sum(rest, 2);
    lane->before = before;
}

static void put_steps(struct rh_lane *lane, const int32_t *steps, unsigned count, unsigned width,
                      bool has_senders, uint32_t made)
{
    uint64_t words[RH_LOG_SIZE];
    uint32_t object = (count - 1) << RH_COUNT_SHIFT | (uint32_t)has_senders << RH_SENDERS_SHIFT;
    unsigned before = count == RH_LOG_SIZE ? find_before(lane, steps) : 0;
    if (before > 0)
        put_repeated(lane, before, object, made);
    else
        put_record(lane, RH_RECORD_DELIVERIES, object | width << RH_WIDTH_SHIFT | made, words,
                   1 + pack(words, steps, count, width));
    lane->past_count += count;
}

static void put_deliveries(struct rh_lane *lane, const uint64_t *stamps, unsigned count,
                           uint32_t made)
{
    int32_t *steps = make_room_for_steps(lane, count);
    unsigned width = find_steps(lane, stamps, count, steps);
    if (width > 0) {
        put_steps(lane, steps, count, width, false, made);
        lane->steps.behind[0] = stamps[count - 1] + 1;
        return;
    }
    width = find_steps_of_senders(lane, stamps, count, steps);
    if (width > 0)
        put_steps(lane, steps, count, width, true, made);
    else
        put_record(lane, RH_RECORD_DELIVERIES, (count - 1) << RH_COUNT_SHIFT | made, stamps,
                   count + 1);
}

// Makes a record of the deliveries that are in the log only.
static void record_newest(struct rh_lane *lane)
{
    const uint64_t *end = lane->entry;
    if (lane->unrecorded == end)
        return;
    put_deliveries(lane, lane->unrecorded, (unsigned)(end - lane->unrecorded),
                   rh_made(end[RH_LOG_NAME - 1] >> RH_LOG_MADE, 0));
    lane->unrecorded = end;
}

void rh__record_log(struct rh_lane *lane)
{
    record_newest(lane);
    lane->unrecorded = lane->entry = lane->log->words;
    lane->numbers += (uint64_t)RH_LOG_SIZE << RH_LOG_NUMBER;
}

// Records something that comes after all deliveries so far.
static inline void write_record(struct rh_lane *lane, enum rh_record_kind kind, uint32_t object,
                                const uint64_t *rest, unsigned words)
{
    record_newest(lane);
    put_record(lane, kind, object, rest, words);
}

// Records that the actor comes from another lane: the last delivery to it there, and all deliveries
// of that lane before, come before what follows here.
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

void rh__record_take_over(struct rh_lane *lane, struct rh_cell *cell)
{
    record_move(lane, cell->lane, cell->last >> RH_LOG_NUMBER);
    cell->lane = lane->number & RH_CELL_LANE_MASK;
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

// Makes room in one segment for the longest name and a record behind it that uses the name.
static void make_room_for_name(struct rh_lane *lane)
{
    enum { MOST = RH_RECORD_NAME_MOST / 8 + 1 + 1 + 16 };
    record_newest(lane);
    lane->newest = NULL;
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

// What else handlers do.

void rh_record_wait(struct rh_lane *lane, enum rh_record_kind kind, uint32_t cell)
{
    const uint64_t made[] = {lane->stamp, lane->birth};
    write_record(lane, kind, cell, made, 3);
}

// In a program with more behaviours than RH_LANE_NAMES the others have no name in the log.
void rh__record_tell_name(struct rh_lane *lane, const char *name)
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

// What happens outside of handlers.

void rh_record_set_up(struct rh_lane *lane)
{
    const uint64_t made[] = {lane->stamp, lane->birth};
    write_record(lane, RH_RECORD_SET_UP, 0, made, 3);
}

// The birth in a cell's word, without the bits of the life.
static uint64_t birth_in(uint64_t word)
{
    return word & ((UINT64_C(1) << RH_STAMP_BITS) - 1);
}

// Tells the birth of the actor at this address, once. An actor whose cell another actor lives in
// already is not known any more.
static void tell_birth(struct rh_lane *lane, uint64_t address)
{
    struct rh_recorder *recorder = lane->recorder;
    uint32_t number = (uint32_t)address, life = (uint32_t)(address >> 32);
    const struct rh_cell *cell =
        rh_address_cell(&rh__process.runtime->cells, (const rh_actor *)address);
    // Acquires the birth of the actor that lived in the cell before, which rh_cells_give has
    // released: so the birth that is read below is that one's, whose life has other lower bits, or
    // this actor's, or a later one's.
    if (!cell || __atomic_load_n(&cell->life, __ATOMIC_ACQUIRE) != life)
        return;
    uint64_t word = __atomic_load_n(&cell->birth, __ATOMIC_ACQUIRE);
    if (word >> RH_STAMP_BITS != (uint16_t)life ||
        rh_index_find(&recorder->told_births, address) != RH_NONE)
        return;
    const uint64_t rest[] = {life, birth_in(word)};
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

void rh_record_creation(struct rh_lane *lane, const struct rh_cell *cell,
                        const struct rh_type *type, size_t size)
{
    enum { WORDS = 1 + sizeof(struct rh_record_spawn) / 8 };
    bool is_actor = cell->status != RH_CELL_OUTSIDE;
    tell_births(lane, cell->state, size);
    uint32_t name = name_of(lane, type ? type->name : "");
    struct rh_record_spawn spawn = {
        .function = is_actor ? (uintptr_t)cell->behaviour - lane->recorder->base : 0,
        .birth = birth_in(cell->birth),
        .size = size,
    };
    uint64_t words[WORDS - 1];
    memcpy(words, &spawn, sizeof words);
    write_record(lane, RH_RECORD_SPAWN, name, words, WORDS);
    write_bytes(lane, cell->state, size);
}

void rh__record_answer(const char *function, uint64_t value)
{
    struct rh_runtime *runtime = rh__process.runtime;
    const struct rh_carrier *carrier = rh__local.carrier;
    if (!runtime)
        return;
    if (carrier && carrier->delivery && carrier->delivery->stage != RH_AT_GUARD) {
        rh_record_input(carrier->lane, function, value);
    } else if (!carrier && runtime->in_setup &&
               pthread_equal(pthread_self(), runtime->setup_thread)) {
        rh_record_input(rh_recorder_enter(runtime->recorder), function, value);
        rh_recorder_leave(runtime->recorder);
    }
}
