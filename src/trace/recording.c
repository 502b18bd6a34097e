// SPDX-License-Identifier: MIT
// Reading a recording. Nothing in the file is believed: every length is checked against the file's
// size, and every record against its checksum.
#include "trace/recording.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/input_file.h"

enum { LANES_MOST = 1025, NAMES_MOST = 1 << 16, PAYLOAD_MOST = 1 << 30 };

static const char magic_word[] = "rehearse recording ";

uint64_t rh_segment_hash(const struct rh_segment_head *head)
{
    return rh_hash64(head, offsetof(struct rh_segment_head, hash), 6);
}

bool rh_recording_is(const char *path)
{
    char bytes[sizeof magic_word - 1];
    struct rh_input_file file;
    struct rh_status status = rh_input_open(&file, path);
    bool is_one = rh_is_ok(&status) &&
                  pread(file.descriptor, bytes, sizeof bytes, 0) == (ssize_t)sizeof bytes &&
                  memcmp(bytes, magic_word, sizeof bytes) == 0;
    rh_input_close(&file);
    return is_one;
}

// A handler that waits for room.
struct waiting {
    uint32_t cell;
    uint32_t delivery;
};

struct reader {
    const char *path;
    struct rh_recording *recording;
    struct rh_recording_head head;
    char *words; // owned; words of the head
    struct rh_input_file file;
    RH_VECTOR(struct rh_segment_head) segments; // with the place in the file as `hash`
    uint64_t *bytes;                            // owned; the present segment
    const char **names;                         // owned; names of the present segment
    uint32_t lane;
    uint32_t sequence;
    uint32_t current;                 // the delivery that records are about; RH_NONE: none
    struct rh_recorded_count counted; // what the lane has made, while `current` is none
    RH_VECTOR(struct waiting) waiting;
    struct rh_steps steps;         // as in the lane that wrote the records
    int64_t past[RH_REPEATS_MOST]; // the last RH_REPEATS_MOST steps, each at its number modulo that
    uint64_t past_count;
    uint64_t known[RH_MOVE_LANES];
    uint64_t delivered;  // deliveries of the lane so far
    uint32_t moved_from; // lane of the newest MOVE, if no delivery has come since
    uint64_t moved_after;
    size_t payload_left; // bytes of the newest payload or state from outside that have not come yet
};

static struct rh_status damaged(const struct reader *reader, const char *what)
{
    return rh_bad_input("%s is damaged: %s", reader->path, what);
}

// The head.

static struct rh_status check_magic(const struct reader *reader)
{
    const char *magic = reader->head.magic;
    if (memcmp(magic, magic_word, sizeof magic_word - 1) != 0)
        return rh_bad_input("%s is not a recording", reader->path);
    if (memcmp(magic, RH_RECORDING_MAGIC, sizeof RH_RECORDING_MAGIC) != 0)
        return rh_bad_input("%s is a recording of another version: record again with this one",
                            reader->path);
    return rh_ok();
}

static struct rh_status check_sizes(const struct reader *reader)
{
    const struct rh_recording_head *head = &reader->head;
    if (head->segment_size < 4096 || head->segment_size > 1 << 20 || head->segment_size % 4096 != 0)
        return damaged(reader, "its segments have no possible size");
    if (head->lanes < 2 || head->lanes > LANES_MOST)
        return damaged(reader, "it has no possible number of threads");
    if (head->segment_count > reader->file.size / head->segment_size)
        return rh_bad_input("%s was cut off: get the whole file", reader->path);
    return rh_ok();
}

static struct rh_status read_words(struct reader *reader)
{
    struct rh_recording *recording = reader->recording;
    const char *at = reader->words, *end = at + RH_RECORDING_HEAD - sizeof reader->head;
    for (uint32_t i = 0; i < reader->head.word_count; i++) {
        size_t length = strnlen(at, (size_t)(end - at));
        if (at + length == end)
            return damaged(reader, "the program's arguments do not end");
        if (i == 0)
            recording->program = rh_strdup(at);
        else if (i == 1)
            recording->directory = rh_strdup(at);
        else
            *rh_vector_push(&recording->arguments) = rh_strdup(at);
        at += length + 1;
    }
    if (reader->head.word_count < 2)
        return damaged(reader, "it does not name its program");
    return rh_ok();
}

static struct rh_status read_head(struct reader *reader)
{
    struct rh_recording *recording = reader->recording;
    if (pread(reader->file.descriptor, &reader->head, sizeof reader->head, 0) !=
        sizeof reader->head)
        return rh_bad_input("%s is not a recording: it is too short", reader->path);
    struct rh_status status = check_magic(reader);
    if (!rh_is_ok(&status))
        return status;
    size_t rest = RH_RECORDING_HEAD - sizeof reader->head;
    reader->words = rh_alloc(rest);
    if (pread(reader->file.descriptor, reader->words, rest, sizeof reader->head) != (ssize_t)rest)
        return rh_bad_input("%s was cut off: get the whole file", reader->path);
    status = check_sizes(reader);
    if (rh_is_ok(&status))
        status = read_words(reader);
    recording->lanes = reader->head.lanes;
    recording->program_hash = reader->head.program_hash;
    recording->end = reader->head.end <= RH_RECORDING_DIED ? (enum rh_recording_end)reader->head.end
                                                           : RH_RECORDING_OPEN;
    recording->status = reader->head.status;
    reader->head.last_words[sizeof reader->head.last_words - 1] = '\0';
    recording->last_words = rh_strdup(reader->head.last_words);
    return status;
}

// Segments.

static int by_lane_and_place(const void *left, const void *right)
{
    const struct rh_segment_head *one = left, *other = right;
    if (one->lane != other->lane)
        return one->lane < other->lane ? -1 : 1;
    return one->place < other->place ? -1 : one->place > other->place;
}

static struct rh_status find_segments(struct reader *reader)
{
    for (uint64_t i = 0; i < reader->head.segment_count; i++) {
        struct rh_segment_head segment;
        uint64_t offset = rh_recording_segments(reader->head.lanes) + i * reader->head.segment_size;
        if (pread(reader->file.descriptor, &segment, sizeof segment, (off_t)offset) !=
            sizeof segment)
            return rh_bad_input("%s was cut off: get the whole file", reader->path);
        if (segment.number == 0)
            continue;
        if (segment.hash != rh_segment_hash(&segment) || segment.lane >= reader->head.lanes)
            return damaged(reader, "the head of a segment is wrong");
        segment.hash = offset;
        *rh_vector_push(&reader->segments) = segment;
    }
    if (reader->segments.count > 0)
        qsort(reader->segments.items, reader->segments.count, sizeof *reader->segments.items,
              by_lane_and_place);
    return rh_ok();
}

// Records.

struct record {
    enum rh_record_kind kind;
    uint32_t object;
    unsigned words; // behind the first word
    const uint64_t *rest;
};

static struct rh_recorded_delivery *delivery_now(const struct reader *reader)
{
    return reader->current == RH_NONE ? NULL
                                      : &reader->recording->deliveries.items[reader->current];
}

static const char *keep_text(struct reader *reader, const void *bytes, size_t most)
{
    size_t length = strnlen(bytes, most);
    char *text = rh_alloc(length + 1);
    memcpy(text, bytes, length);
    *rh_vector_push(&reader->recording->texts) = text;
    return text;
}

static const char *name_at(const struct reader *reader, uint64_t number)
{
    const char *name = reader->names[number % NAMES_MOST];
    return name ? name : "?";
}

// In a file that was tampered with a key may come twice.
static void add_place(struct rh_index *index, uint64_t key, size_t place)
{
    if (rh_index_find(index, key) == RH_NONE)
        rh_index_add(index, key, (uint32_t)place);
}

static void add_delivery(struct reader *reader, uint64_t stamp)
{
    struct rh_recording *recording = reader->recording;
    *rh_vector_push(&recording->deliveries) = (struct rh_recorded_delivery){
        .lane = reader->lane,
        .moved_from = reader->moved_from,
        .moved_after = reader->moved_after,
        .stamp = stamp,
        .behind = reader->current,
        .counted = reader->counted,
    };
    reader->moved_after = 0;
    reader->current = (uint32_t)recording->deliveries.count - 1;
}

static void take_made(const struct reader *reader, uint64_t made)
{
    struct rh_recorded_delivery *last = delivery_now(reader);
    if (last) {
        last->is_told = true;
        last->told = (uint8_t)rh_made(made, 0);
    }
}

static void take_stamp(struct reader *reader, uint64_t stamp)
{
    reader->delivered++;
    if (reader->recording->deliveries.count <= RH_RECORDING_MOST)
        add_delivery(reader, stamp);
}

static void take_step(struct reader *reader, int64_t step, bool has_sender)
{
    uint64_t place = has_sender ? (uint64_t)step % RH_PLACES : 0;
    uint64_t *behind = &reader->steps.behind[place];
    uint64_t stamp = *behind + (uint64_t)(has_sender ? step >> RH_PLACE_BITS : step);
    take_stamp(reader, stamp);
    *behind = stamp + 1;
    reader->past[reader->past_count++ % RH_REPEATS_MOST] = step;
}

static int64_t step_at(const uint64_t *words, unsigned index, unsigned width)
{
    unsigned each = rh_steps_in_word(width);
    uint64_t bits = words[index / each] >> index % each * width;
    return (int64_t)(bits << (64 - width)) >> (64 - width);
}

static void take_stamps(struct reader *reader, const struct record *record, unsigned count)
{
    for (unsigned i = 0; i < count && i < record->words; i++) {
        take_stamp(reader, record->rest[i]);
        rh_steps_jump(&reader->steps, reader->lane, record->rest[i]);
    }
}

static void take_steps(struct reader *reader, const struct record *record, unsigned count,
                       bool has_senders)
{
    unsigned width = record->object >> RH_WIDTH_SHIFT & 63;
    if (width > RH_WIDTH_MOST || count > record->words * rh_steps_in_word(width))
        return;
    for (unsigned i = 0; i < count; i++)
        take_step(reader, step_at(record->rest, i, width), has_senders);
}

static void repeat_steps(struct reader *reader, const struct record *record, unsigned count,
                         bool has_senders)
{
    uint64_t before = record->words > 0 ? record->rest[0] : 0;
    if (before == 0 || before > RH_REPEATS_MOST || before > reader->past_count)
        return;
    count += (record->object >> RH_FURTHER_SHIFT) * RH_LOG_SIZE;
    for (unsigned i = 0; i < count; i++)
        take_step(reader, reader->past[(reader->past_count - before) % RH_REPEATS_MOST],
                  has_senders);
}

static void take_deliveries(struct reader *reader, const struct record *record)
{
    unsigned count = (record->object >> RH_COUNT_SHIFT & (RH_LOG_SIZE - 1)) + 1;
    bool has_senders = record->object >> RH_SENDERS_SHIFT & 1;
    if (record->object >> RH_REPEATS_SHIFT & 1)
        repeat_steps(reader, record, count, has_senders);
    else if (record->object >> RH_WIDTH_SHIFT & 63)
        take_steps(reader, record, count, has_senders);
    else
        take_stamps(reader, record, count);
    take_made(reader, record->object);
}

static void take_move(struct reader *reader, const struct record *record)
{
    bool is_far = record->kind == RH_RECORD_MOVE_FAR;
    uint32_t from = is_far ? record->object : record->object >> RH_MOVE_BITS;
    uint64_t more = record->object & ((1u << RH_MOVE_BITS) - 1);
    if (from >= reader->head.lanes)
        return;
    reader->moved_from = from;
    reader->moved_after = is_far ? record->rest[0] : reader->known[from] + more;
    if (from < RH_MOVE_LANES)
        reader->known[from] = reader->moved_after;
}

static struct rh_recorded_count count_in(const struct reader *reader, const uint64_t *words)
{
    return (struct rh_recorded_count){rh_stamp_make(reader->lane, words[0]),
                                      rh_stamp_make(reader->lane, words[1])};
}

static const struct rh_recorded_count not_known = {UINT64_MAX, UINT64_MAX};

// The lane goes on with other actors, and counts on from where the handler waits.
static void take_wait(struct reader *reader, const struct record *record)
{
    struct rh_recorded_delivery *delivery = delivery_now(reader);
    if (!delivery)
        return;
    reader->counted = count_in(reader, record->rest);
    *rh_vector_push(&delivery->pauses) = (struct rh_recorded_pause){reader->counted, not_known};
    delivery->is_cut = true;
    *rh_vector_push(&reader->waiting) = (struct waiting){record->object, reader->current};
    reader->current = RH_NONE;
}

static void take_continue(struct reader *reader, const struct record *record)
{
    for (size_t i = 0; i < reader->waiting.count; i++) {
        if (reader->waiting.items[i].cell != record->object)
            continue;
        reader->current = reader->waiting.items[i].delivery;
        reader->waiting.items[i] = reader->waiting.items[--reader->waiting.count];
        struct rh_recorded_delivery *delivery = delivery_now(reader);
        delivery->pauses.items[delivery->pauses.count - 1].ended = count_in(reader, record->rest);
        delivery->is_cut = false;
        return;
    }
}

static bool is_outside(const struct reader *reader)
{
    return reader->lane + 1 == reader->head.lanes;
}

static void take_birth(struct reader *reader, const struct record *record)
{
    *rh_vector_push(&reader->recording->births) =
        (struct rh_recorded_birth){record->object, (uint32_t)record->rest[0], record->rest[1]};
}

static void take_name(struct reader *reader, const struct record *record)
{
    reader->names[record->object % NAMES_MOST] =
        keep_text(reader, record->rest, sizeof *record->rest * record->words);
}

// Forgets the newest message or actor from outside if not all of its bytes have come.
static void drop_unfinished(struct reader *reader)
{
    if (reader->payload_left == 0)
        return;
    struct rh_recording *recording = reader->recording;
    recording->sends.count--;
    free(recording->blocks.items[--recording->blocks.count]);
    reader->payload_left = 0;
}

// Whether the file can have so many bytes. Otherwise no memory is taken for them.
static bool can_have(const struct reader *reader, uint64_t size)
{
    return size <= PAYLOAD_MOST && size <= reader->file.size;
}

// Makes room for bytes that follow as BYTES.
static const uint8_t *expect_bytes(struct reader *reader, size_t size)
{
    uint8_t *bytes = rh_alloc(size + 1);
    *rh_vector_push(&reader->recording->blocks) = bytes;
    reader->payload_left = size;
    return bytes;
}

static void take_spawn(struct reader *reader, const struct record *record)
{
    struct rh_record_spawn spawn;
    memcpy(&spawn, record->rest, sizeof spawn);
    drop_unfinished(reader);
    if (!can_have(reader, spawn.size))
        return;
    if (spawn.function == 0)
        reader->recording->has_late_sender = true;
    else
        *rh_vector_push(&reader->recording->sends) = (struct rh_recorded_send){
            .type = name_at(reader, record->object),
            .function = spawn.function,
            .birth = spawn.birth,
            .payload = expect_bytes(reader, spawn.size),
            .size = spawn.size,
        };
}

static void take_send(struct reader *reader, const struct record *record)
{
    struct rh_record_send send;
    memcpy(&send, record->rest, sizeof send);
    drop_unfinished(reader);
    if (!can_have(reader, send.size))
        return;
    *rh_vector_push(&reader->recording->sends) = (struct rh_recorded_send){
        .type = name_at(reader, send.stamp_and_name),
        .receiver = record->object,
        .receiver_life = send.life,
        .sender = send.sender,
        .sender_life = send.sender_life,
        .stamp = send.stamp_and_name >> 16,
        .due = send.due,
        .payload = expect_bytes(reader, send.size),
        .size = send.size,
    };
}

static void take_bytes(struct reader *reader, const struct record *record)
{
    struct rh_recording *recording = reader->recording;
    size_t size = sizeof *record->rest * record->words;
    if (reader->payload_left == 0)
        return;
    size_t part = reader->payload_left < size ? reader->payload_left : size;
    const struct rh_recorded_send *send = &recording->sends.items[recording->sends.count - 1];
    uint8_t *payload = recording->blocks.items[recording->blocks.count - 1];
    memcpy(payload + send->size - reader->payload_left, record->rest, part);
    reader->payload_left -= part;
}

static void take_timer(struct reader *reader, const struct record *record)
{
    add_place(&reader->recording->timers, record->rest[0], reader->recording->due.count);
    *rh_vector_push(&reader->recording->due) = record->rest[1];
}

static void take_input(struct reader *reader, const struct record *record)
{
    struct rh_recorded_delivery *delivery = delivery_now(reader);
    if (delivery)
        *rh_vector_push(&delivery->inputs) =
            (struct rh_recorded_input){name_at(reader, record->object), record->rest[0]};
}

static void take_set_up(struct reader *reader, const struct record *record)
{
    struct rh_recorded_delivery *delivery = delivery_now(reader);
    if (delivery)
        delivery->is_cut = false;
    reader->recording->setup_made = count_in(reader, record->rest);
    reader->current = RH_NONE;
}

static void take_drop(struct reader *reader, const struct record *record)
{
    *rh_vector_push(&reader->recording->drops) = record->rest[0];
}

// For each kind, the least number of words behind the first, and what takes its records.
static const struct {
    unsigned words;
    void (*take)(struct reader *reader, const struct record *record);
} kinds[] = {
    [RH_RECORD_DELIVERIES] = {0, take_deliveries},
    [RH_RECORD_MOVE] = {0, take_move},
    [RH_RECORD_MOVE_FAR] = {1, take_move},
    [RH_RECORD_WAIT] = {2, take_wait},
    [RH_RECORD_CONTINUE] = {2, take_continue},
    [RH_RECORD_SPAWN] = {sizeof(struct rh_record_spawn) / 8, take_spawn},
    [RH_RECORD_BIRTH] = {2, take_birth},
    [RH_RECORD_INPUT] = {1, take_input},
    [RH_RECORD_TIMER] = {2, take_timer},
    [RH_RECORD_NAME] = {1, take_name},
    [RH_RECORD_SEND] = {sizeof(struct rh_record_send) / 8, take_send},
    [RH_RECORD_BYTES] = {1, take_bytes},
    [RH_RECORD_DROP] = {1, take_drop},
    [RH_RECORD_SET_UP] = {2, take_set_up},
};

// The record at `at`, if it is whole and the next one. `left`: words that the segment still has.
static bool check_record(const struct reader *reader, const uint64_t *at, size_t left,
                         struct record *record)
{
    uint64_t first = *at & ~UINT64_C(0xffff);
    unsigned kind = (unsigned)(first >> 58);
    unsigned words = (unsigned)(first >> 16 & 0xff);
    if (*at == 0 || kind >= sizeof kinds / sizeof *kinds || !kinds[kind].take)
        return false;
    if (words <= kinds[kind].words || words > left ||
        (uint8_t)(first >> 24) != (uint8_t)reader->sequence ||
        rh_record_checksum(first, rh_record_sum(at + 1, words)) != (*at & 0xffff))
        return false;
    *record = (struct record){.kind = (enum rh_record_kind)kind,
                              .object = (uint32_t)(first >> 32) & 0x3ffffff,
                              .words = words - 1,
                              .rest = at + 1};
    return true;
}

static bool is_zero(const uint64_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (words[i] != 0)
            return false;
    return true;
}

// *is_whole: the segment ends as it should. Otherwise its last record is torn, or a remnant.
static struct rh_status read_segment(struct reader *reader, const struct rh_segment_head *segment,
                                     bool *is_whole)
{
    size_t size = reader->head.segment_size;
    if (pread(reader->file.descriptor, reader->bytes, size, (off_t)segment->hash) != (ssize_t)size)
        return rh_bad_input("%s was cut off: get the whole file", reader->path);
    memset(reader->names, 0, sizeof *reader->names * NAMES_MOST);
    reader->sequence = (uint32_t)segment->sequence;
    size_t words = size / sizeof *reader->bytes;
    size_t at = sizeof(struct rh_segment_head) / sizeof *reader->bytes;
    struct record record;
    while (at < words && check_record(reader, reader->bytes + at, words - at, &record)) {
        kinds[record.kind].take(reader, &record);
        reader->sequence++;
        at += record.words + 1;
    }
    *is_whole = is_zero(reader->bytes + at, words - at);
    return rh_ok();
}

static void begin_lane(struct reader *reader, uint32_t lane)
{
    reader->lane = lane;
    reader->payload_left = 0;
    reader->current = RH_NONE;
    reader->counted = (struct rh_recorded_count){rh_stamp_make(lane, 0), rh_stamp_make(lane, 0)};
    reader->waiting.count = 0;
    reader->moved_after = 0;
    reader->delivered = 0;
    reader->past_count = 0;
    rh_steps_init(&reader->steps, lane);
    memset(reader->known, 0, sizeof reader->known);
    if (is_outside(reader)) {
        reader->current = 0;
        reader->recording->deliveries.items[0].lane = lane;
        reader->recording->deliveries.items[0].counted = reader->counted;
    }
}

// When the process died, a message whose payload is not all there was being sent, or an actor
// without all of its state was being created.
static void end_lane(struct reader *reader)
{
    drop_unfinished(reader);
    struct rh_recorded_delivery *delivery = delivery_now(reader);
    if (delivery)
        delivery->is_cut = true;
}

static struct rh_status read_log(const struct reader *reader, uint32_t lane, struct rh_log *log)
{
    off_t at = RH_RECORDING_HEAD + (off_t)lane * (off_t)sizeof *log;
    if (pread(reader->file.descriptor, log, sizeof *log, at) != (ssize_t)sizeof *log)
        return rh_bad_input("%s was cut off: get the whole file", reader->path);
    return rh_ok();
}

// Takes deliveries from the lane's log that are in no record yet.
static void take_newest(struct reader *reader, const struct rh_log *log)
{
    for (;;) {
        uint64_t number = reader->delivered + 1;
        if (log->words[RH_LOG_WHAT + number % RH_LOG_SIZE] >> RH_LOG_NUMBER != number)
            return;
        take_stamp(reader, log->words[RH_LOG_STAMP + number % RH_LOG_SIZE]);
        take_made(reader, log->words[RH_LOG_NAME + number % RH_LOG_SIZE] >> RH_LOG_MADE);
    }
}

// Reads the log behind the last record. If the last record is torn and the log has deliveries
// behind it, the torn record was about them, and nothing is lost.
static struct rh_status read_newest(struct reader *reader, bool is_whole)
{
    struct rh_log log;
    uint64_t delivered = reader->delivered;
    struct rh_status status = read_log(reader, reader->lane, &log);
    if (!rh_is_ok(&status))
        return status;
    take_newest(reader, &log);
    reader->recording->torn += !is_whole && reader->delivered == delivered;
    return status;
}

// Reads the segments of a lane, from number `first` up to, not including, `end`.
static struct rh_status read_lane(struct reader *reader, uint32_t lane, size_t first, size_t end)
{
    const struct rh_recording *recording = reader->recording;
    bool is_whole = true;
    struct rh_status status = rh_ok();
    begin_lane(reader, lane);
    for (size_t i = first; i < end && rh_is_ok(&status); i++) {
        if (!is_whole)
            return damaged(reader, "there is something wrong in the middle of it");
        status = read_segment(reader, &reader->segments.items[i], &is_whole);
        if (recording->deliveries.count > RH_RECORDING_MOST)
            return status;
    }
    if (rh_is_ok(&status))
        status = read_newest(reader, is_whole);
    end_lane(reader);
    return status;
}

static struct rh_status read_lanes(struct reader *reader)
{
    struct rh_recording *recording = reader->recording;
    struct rh_status status = rh_ok();
    *rh_vector_push(&recording->deliveries) =
        (struct rh_recorded_delivery){.is_cut = true, .behind = RH_NONE};
    recording->setup_made = not_known;
    for (size_t first = 0, end; first < reader->segments.count && rh_is_ok(&status); first = end) {
        uint32_t lane = reader->segments.items[first].lane;
        for (end = first + 1; end < reader->segments.count; end++)
            if (reader->segments.items[end].lane != lane)
                break;
        status = read_lane(reader, lane, first, end);
    }
    recording->is_too_long = recording->deliveries.count > RH_RECORDING_MOST;
    return status;
}

// The log.

// The text that something at this address was called.
static const char *find_name(struct reader *reader, uint64_t address)
{
    const struct rh_recording_head *head = &reader->head;
    uint64_t end = head->names_end < RH_RECORDING_HEAD ? head->names_end : RH_RECORDING_HEAD;
    struct rh_recording_name name;
    for (uint64_t at = head->names; at >= sizeof *head && at + sizeof name < end;) {
        const char *bytes = reader->words + (at - sizeof *head);
        size_t most = (size_t)(end - at) - sizeof name;
        memcpy(&name, bytes, sizeof name);
        if (name.address == address)
            return keep_text(reader, bytes + sizeof name, most);
        at += sizeof name + (strnlen(bytes + sizeof name, most) / 8 + 1) * 8;
    }
    return "?";
}

// The entry behind the newest is the oldest, and may be half overwritten by another: it is left
// out.
static void take_log(struct reader *reader, uint32_t lane, const struct rh_log *log)
{
    uint64_t newest = 0;
    for (unsigned i = 0; i < RH_LOG_SIZE; i++)
        if (log->words[RH_LOG_WHAT + i] >> RH_LOG_NUMBER > newest)
            newest = log->words[RH_LOG_WHAT + i] >> RH_LOG_NUMBER;
    uint64_t first = newest > RH_LOG_SIZE - 1 ? newest - (RH_LOG_SIZE - 2) : 1;
    for (uint64_t number = first; number <= newest; number++) {
        size_t place = number % RH_LOG_SIZE;
        uint64_t what = log->words[RH_LOG_WHAT + place];
        uint64_t name = log->words[RH_LOG_NAME + place] & ((UINT64_C(1) << RH_LOG_MADE) - 1);
        if (what >> RH_LOG_NUMBER == number)
            *rh_vector_push(&reader->recording->log) = (struct rh_recorded_log){
                .lane = lane,
                .cell = what & 0x3ffffff,
                .is_reply = what >> RH_LOG_REPLY & 1,
                .type = find_name(reader, log->words[RH_LOG_TYPE + place]),
                .behaviour = find_name(reader, name),
            };
    }
}

static struct rh_status read_logs(struct reader *reader)
{
    struct rh_status status = rh_ok();
    for (uint32_t lane = 0; lane < reader->head.lanes && rh_is_ok(&status); lane++) {
        struct rh_log log;
        status = read_log(reader, lane, &log);
        if (rh_is_ok(&status))
            take_log(reader, lane, &log);
    }
    return status;
}

static void count_overwritten(struct reader *reader)
{
    const struct rh_segment_head *items = reader->segments.items;
    for (size_t i = 0; i < reader->segments.count; i++) {
        bool is_first = i == 0 || items[i - 1].lane != items[i].lane;
        reader->recording->overwritten +=
            items[i].place - (is_first ? 0 : (uint64_t)items[i - 1].place + 1);
    }
}

static void forget_deliveries(struct rh_recording *recording)
{
    for (size_t i = 0; i < recording->deliveries.count; i++) {
        rh_vector_fini(&recording->deliveries.items[i].inputs);
        rh_vector_fini(&recording->deliveries.items[i].pauses);
    }
    rh_vector_fini(&recording->deliveries);
}

static struct rh_status read_segments(struct reader *reader)
{
    struct rh_recording *recording = reader->recording;
    reader->bytes = rh_alloc(reader->head.segment_size);
    reader->names = rh_alloc(sizeof *reader->names * NAMES_MOST);
    struct rh_status status = find_segments(reader);
    if (!rh_is_ok(&status))
        return status;
    count_overwritten(reader);
    if (recording->overwritten == 0)
        status = read_lanes(reader);
    if (rh_is_ok(&status) && (recording->overwritten > 0 || recording->is_too_long)) {
        forget_deliveries(recording);
        status = read_logs(reader);
    }
    return status;
}

static struct rh_status read_file(struct reader *reader)
{
    struct rh_status status = rh_input_open(&reader->file, reader->path);
    if (rh_is_ok(&status))
        status = read_head(reader);
    if (rh_is_ok(&status))
        status = read_segments(reader);
    return status;
}

struct rh_status rh_recording_read(struct rh_recording *recording, const char *path)
{
    struct reader reader = {.path = path, .recording = recording};
    *recording = (struct rh_recording){0};
    struct rh_status status = read_file(&reader);
    rh_input_close(&reader.file);
    rh_vector_fini(&reader.segments);
    rh_vector_fini(&reader.waiting);
    free(reader.words);
    free(reader.bytes);
    free(reader.names);
    if (!rh_is_ok(&status))
        rh_recording_fini(recording);
    return status;
}

void rh_recording_fini(struct rh_recording *recording)
{
    for (size_t i = 0; i < recording->arguments.count; i++)
        free(recording->arguments.items[i]);
    for (size_t i = 0; i < recording->texts.count; i++)
        free(recording->texts.items[i]);
    for (size_t i = 0; i < recording->blocks.count; i++)
        free(recording->blocks.items[i]);
    forget_deliveries(recording);
    rh_vector_fini(&recording->arguments);
    rh_vector_fini(&recording->texts);
    rh_vector_fini(&recording->blocks);
    rh_vector_fini(&recording->log);
    rh_vector_fini(&recording->sends);
    rh_vector_fini(&recording->births);
    rh_vector_fini(&recording->drops);
    rh_vector_fini(&recording->due);
    rh_index_fini(&recording->timers);
    free(recording->program);
    free(recording->directory);
    free(recording->last_words);
    *recording = (struct rh_recording){0};
}
