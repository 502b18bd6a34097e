// SPDX-License-Identifier: MIT
#include "trace/recording.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/rng.h"
#include "test.h"

enum { SEGMENT = 4096, PLACES = 6, LANES = 3, FLIPS = 3000 };

static const char path[] = "some.trace";

// A recording that is written by hand. The logs of its lanes fit into a page.
enum { SEGMENTS = RH_RECORDING_HEAD + 4096 };
static char file[SEGMENTS + PLACES * SEGMENT];

static struct rh_recording_head *head(void)
{
    return (struct rh_recording_head *)(void *)file;
}

static struct rh_segment_head *segment_at(int place)
{
    return (struct rh_segment_head *)(void *)(file + SEGMENTS + place * SEGMENT);
}

static void begin_file(void)
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

static struct pen begin_segment(int place, uint32_t lane, uint32_t number, uint32_t sequence)
{
    struct rh_segment_head *segment = segment_at(place);
    *segment = (struct rh_segment_head){
        .number = (uint64_t)place + 1, .lane = lane, .place = number, .sequence = sequence};
    segment->hash = rh_segment_hash(segment);
    return (struct pen){(uint64_t *)(segment + 1), sequence};
}

static void write_words(struct pen *pen, uint64_t first, const uint64_t *rest, unsigned words)
{
    for (unsigned i = 1; i < words; i++)
        pen->next[i] = rest[i - 1];
    *pen->next = first | rh_record_checksum(first, rh_record_sum(rest, words));
    pen->next += words;
}

static void add(struct pen *pen, enum rh_record_kind kind, uint32_t object, uint64_t one)
{
    write_words(pen, rh_record_first(kind, object, 2, pen->sequence++), &one, 2);
}

static void add_two(struct pen *pen, enum rh_record_kind kind, uint32_t object, uint64_t one,
                    uint64_t other)
{
    const uint64_t rest[] = {one, other};
    write_words(pen, rh_record_first(kind, object, 3, pen->sequence++), rest, 3);
}

// A text of less than 8 bytes.
static void add_name(struct pen *pen, uint32_t number, const char *text)
{
    uint64_t word = 0;
    memcpy(&word, text, strlen(text));
    add(pen, RH_RECORD_NAME, number, word);
}

// Deliveries with these items, of which the last `hidden` are not counted. `made`: what the lane has made when the last
// of them begins.
static void add_items(struct pen *pen, const uint16_t *items, unsigned count, unsigned hidden,
                      unsigned guessed, unsigned made)
{
    uint32_t object = guessed << RH_MADE_BITS | made;
    uint64_t sum = 0, first = rh_record_first(RH_RECORD_DELIVERIES, object, count, pen->sequence++);
    for (unsigned i = 0; i < count; i++)
        sum = rh_item_sum(sum, items[i]);
    if (count + hidden > 0)
        memcpy(pen->next + 1, items, sizeof *items * (count + hidden));
    *pen->next = first | rh_record_checksum(first, sum);
    pen->next += 1 + rh_item_words(count);
}

static uint16_t item(int difference)
{
    return (uint16_t)((unsigned)difference << 1);
}

// So many of one lane, all with the same difference.
static void add_run(struct pen *pen, unsigned count, uint32_t place, int difference, unsigned made)
{
    uint16_t items[RH_ITEMS_MOST] = {(uint16_t)(RH_ITEM_TURN + 2 * place)};
    for (unsigned i = 1; i <= count; i++)
        items[i] = item(difference);
    add_items(pen, items, count + 1, 0, 0, made);
}

static void add_own_run(struct pen *pen, unsigned count, int difference, unsigned made)
{
    add_run(pen, count, RH_OUTLOOK_LANES, difference, made);
}

// A name at this address, in the head.
static void add_address(uint64_t address, const char *text)
{
    char *at = file + head()->names_end;
    memcpy(at, &address, sizeof address);
    memcpy(at + sizeof address, text, strlen(text) + 1);
    head()->names_end += sizeof address + (strlen(text) / 8 + 1) * 8;
}

static void add_log(uint32_t lane, uint64_t number, uint32_t cell)
{
    struct rh_log_entry *entries = (struct rh_log_entry *)(void *)(file + RH_RECORDING_HEAD);
    entries[lane * RH_LOG_SIZE + number % RH_LOG_SIZE] =
        (struct rh_log_entry){.type = 100, .behaviour = 200, .what = number << 27 | cell};
}

static void write_file(size_t size)
{
    int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    EXPECT(descriptor >= 0 && write(descriptor, file, size) == (ssize_t)size);
    close(descriptor);
}

static struct rh_status read_back(struct rh_recording *recording)
{
    write_file(sizeof file);
    return rh_recording_read(recording, path);
}

static void refuses(const char *part)
{
    struct rh_recording recording;
    struct rh_status status = rh_recording_read(&recording, path);
    EXPECT(status.code == RH_BAD_INPUT);
    EXPECT_PART(status.text, part);
    EXPECT(recording.deliveries.count == 0);
}

// Setup makes three messages and two actors, and a message comes from outside. One worker delivers three of them, the
// other a message of the first one's, to an actor that it has from there.
static struct pen write_run(void)
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
    add(&other, RH_RECORD_FAR, 9, rh_stamp_make(0, 70000));
    return worker;
}

static void test_run(void)
{
    struct rh_recording recording;
    write_run();
    struct rh_status status = read_back(&recording);
    EXPECT_TEXT(status.text, "");
    EXPECT_TEXT(recording.program, "/bin/server");
    EXPECT_TEXT(recording.directory, "/tmp");
    EXPECT(recording.arguments.count == 1);
    EXPECT_TEXT(recording.arguments.items[0], "--port");
    EXPECT(recording.torn == 0 && recording.overwritten == 0 && !recording.is_too_long);
    EXPECT(recording.setup_made.sent == rh_stamp_make(2, 3));
    EXPECT(recording.setup_made.spawned == rh_stamp_make(2, 2));
    EXPECT(recording.births.count == 1 && recording.births.items[0].cell == 4);
    EXPECT(recording.births.items[0].life == 7);
    EXPECT(recording.births.items[0].birth == rh_stamp_make(2, 1));
    EXPECT(recording.deliveries.count == 5);
    const struct rh_recorded_delivery *all = recording.deliveries.items;
    EXPECT(all[0].lane == 2 && !all[0].is_cut && all[0].counted.sent == rh_stamp_make(2, 0));
    EXPECT(all[1].stamp == rh_stamp_make(2, 0) && all[1].behind == SIZE_MAX && !all[1].is_told);
    EXPECT(all[1].counted.sent == rh_stamp_make(0, 0) && all[1].moved_after == 0);
    EXPECT(all[2].stamp == rh_stamp_make(2, 1) && all[2].behind == 1);
    EXPECT(all[2].is_told && all[2].told == 1 && all[2].inputs.count == 1);
    EXPECT_TEXT(all[2].inputs.items[0].function, "rand");
    EXPECT(all[2].inputs.items[0].value == 1804289383);
    EXPECT(all[3].stamp == rh_stamp_make(2, 7) && all[3].behind == 2 && all[3].told == 4);
    EXPECT(all[3].is_cut && !all[2].is_cut);
    EXPECT(all[4].lane == 1 && all[4].stamp == rh_stamp_make(0, 70000));
    EXPECT(all[4].moved_from == 0 && all[4].moved_after == 3);
    EXPECT(all[4].is_told && all[4].told == 9);
    rh_recording_fini(&recording);
}

// What an actor does before and after it waits for room belongs to one delivery, whatever came between.
static void test_waiting(void)
{
    struct rh_recording recording;
    struct pen worker = write_run();
    add_two(&worker, RH_RECORD_WAIT, 4, 5, 1);
    add_own_run(&worker, 1, 1, 5);
    add_two(&worker, RH_RECORD_CONTINUE, 4, 6, 2);
    add_own_run(&worker, 1, 0, 0);
    struct rh_status status = read_back(&recording);
    EXPECT_TEXT(status.text, "");
    EXPECT(recording.deliveries.count == 7);
    const struct rh_recorded_delivery *all = recording.deliveries.items;
    EXPECT(all[3].pauses.count == 1 && !all[3].is_cut);
    EXPECT(all[3].pauses.items[0].began.sent == rh_stamp_make(0, 5));
    EXPECT(all[3].pauses.items[0].began.spawned == rh_stamp_make(0, 1));
    EXPECT(all[3].pauses.items[0].ended.sent == rh_stamp_make(0, 6));
    EXPECT(all[3].pauses.items[0].ended.spawned == rh_stamp_make(0, 2));
    EXPECT(all[4].stamp == rh_stamp_make(0, 1) && all[4].behind == SIZE_MAX);
    EXPECT(all[4].counted.sent == rh_stamp_make(0, 5));
    EXPECT(all[5].stamp == rh_stamp_make(0, 2) && all[5].behind == 3);
    rh_recording_fini(&recording);
}

// How far deliveries of another lane had come is told by how many more they are.
static void test_moves(void)
{
    struct rh_recording recording;
    struct pen worker = write_run();
    write_words(&worker,
                rh_record_first(RH_RECORD_MOVE, 1 << RH_MOVE_BITS | 40, 1, worker.sequence++), NULL,
                1);
    add_run(&worker, 2, 2, 0, 5);
    write_words(&worker,
                rh_record_first(RH_RECORD_MOVE, 1 << RH_MOVE_BITS | 2, 1, worker.sequence++), NULL,
                1);
    add_run(&worker, 1, 2, 0, 5);
    struct rh_status status = read_back(&recording);
    EXPECT_TEXT(status.text, "");
    const struct rh_recorded_delivery *all = recording.deliveries.items;
    EXPECT(all[4].moved_from == 1 && all[4].moved_after == 40);
    EXPECT(all[5].moved_after == 0);
    EXPECT(all[6].moved_from == 1 && all[6].moved_after == 42);
    rh_recording_fini(&recording);
}

static void expect_counts(const uint64_t *counts, size_t count)
{
    struct rh_recording recording;
    struct rh_status status = read_back(&recording);
    EXPECT_TEXT(status.text, "");
    EXPECT(recording.torn == 0 && recording.deliveries.count == 5 + count);
    for (size_t i = 0; i < count; i++)
        EXPECT(recording.deliveries.items[4 + i].stamp == rh_stamp_make(0, counts[i]));
    rh_recording_fini(&recording);
}

// Forwards and backwards, near and far, and from where the lane was before others came between.
static void test_differences(void)
{
    static const uint64_t counts[] = {70000, 70060, 70059, 86443, 70060, 170061, 70062, 70063};
    struct pen worker = write_run();
    add(&worker, RH_RECORD_FAR, 1, rh_stamp_make(0, 70000));
    const uint16_t items[] = {item(59),     item(-2), item(16383), item(-16384),
                              RH_ITEM_WIDE, 0x86a0,   0x0001,      RH_ITEM_WIDE,
                              0x7960,       0xfffe,   item(0)};
    add_items(&worker, items, sizeof items / sizeof *items, 0, 0, 1);
    expect_counts(counts, sizeof counts / sizeof *counts);
}

// After the same two differences the same one follows, if that is not said otherwise.
static void test_guesses(void)
{
    static const uint64_t counts[] = {1, 3, 4, 6, 8, 9, 11, 13, 14, 16, 23, 25};
    struct pen worker = write_run();
    const uint16_t turn = RH_ITEM_TURN + 2 * RH_OUTLOOK_LANES;
    const uint16_t items[] = {turn,    item(1), item(1),    item(0),
                              item(1), item(1), 5 << 1 | 1, item(6)};
    add_items(&worker, items, 8, 0, 0, 1);
    add_items(&worker, (uint16_t[]){item(1)}, 1, 0, 0, 1);
    expect_counts(counts, sizeof counts / sizeof *counts);
    worker = write_run();
    add_items(&worker, items, 6, 0, 5, 1);
    expect_counts(counts, 10);
}

// What is not counted yet is not there, whatever it is. In a word of its own it is a record that was being written.
static void test_uncounted(void)
{
    const uint16_t items[] = {RH_ITEM_TURN + 2 * RH_OUTLOOK_LANES, item(9), item(-4), item(77),
                              item(78)};
    for (unsigned hidden = 1; hidden <= 2; hidden++) {
        struct rh_recording recording;
        struct pen worker = write_run();
        add_items(&worker, items, 3, hidden, 0, 5);
        struct rh_status status = read_back(&recording);
        EXPECT_TEXT(status.text, "");
        EXPECT(recording.torn == hidden - 1 && recording.deliveries.count == 5 + 2);
        const struct rh_recorded_delivery *all = &recording.deliveries.items[4];
        EXPECT(all[0].stamp == rh_stamp_make(0, 9) && !all[0].is_told);
        EXPECT(all[1].stamp == rh_stamp_make(0, 6) && all[1].is_told && all[1].told == 5);
        rh_recording_fini(&recording);
    }
}

// The last record was being written: its second word is there and the first is not, or the other way round.
static void test_torn(void)
{
    for (int word = 1; word <= 2; word++) {
        struct rh_recording recording;
        struct pen worker = write_run();
        add(&worker, RH_RECORD_FAR, 1, rh_stamp_make(0, 70000));
        worker.next[-word] = 0;
        struct rh_status status = read_back(&recording);
        EXPECT_TEXT(status.text, "");
        EXPECT(recording.torn == 1);
        EXPECT(recording.deliveries.count == 5);
        EXPECT(recording.deliveries.items[3].is_cut);
        rh_recording_fini(&recording);
    }
}

static void test_overwritten(void)
{
    struct rh_recording recording;
    struct rh_text log = {0};
    write_run();
    begin_segment(1, 0, 3, 700);
    add_address(100, "pong");
    add_address(200, "player_behaviour");
    for (uint64_t number = 1; number <= 50; number++)
        add_log(0, number, (uint32_t)number);
    add_log(1, 1, 4 | 1 << 26);
    struct rh_status status = read_back(&recording);
    EXPECT_TEXT(status.text, "");
    EXPECT(recording.overwritten == 3);
    status = rh_recording_check(&recording, path, "/bin/server");
    EXPECT_PART(status.text, "its beginning is overwritten");
    rh_recording_log(&recording, &log, 2);
    EXPECT_TEXT(rh_text_get(&log), "thread 1, its last 2 deliveries:\n"
                                   "    pong to player_behaviour (actor 50)\n"
                                   "    pong to player_behaviour (actor 51)\n"
                                   "thread 2, its last 1 deliveries:\n"
                                   "    pong (reply) to player_behaviour (actor 5)\n");
    rh_text_fini(&log);
    rh_recording_log(&recording, &log, 1000);
    // The oldest of 32 may be half of another.
    EXPECT_PART(rh_text_get(&log), "thread 1, its last 31 deliveries:\n"
                                   "    pong to player_behaviour (actor 21)\n");
    rh_text_fini(&log);
    rh_recording_fini(&recording);
}

static void test_bad_files(void)
{
    write_run();
    write_file(0);
    refuses("too short");
    write_file(sizeof(struct rh_recording_head) + 5);
    refuses("cut off");
    write_file(SEGMENTS + 2 * SEGMENT);
    refuses("cut off");
    head()->magic[19] = '7';
    write_file(sizeof file);
    refuses("another version");
    EXPECT(rh_recording_is(path));
    memset(head()->magic, 'x', sizeof head()->magic);
    write_file(sizeof file);
    refuses("not a recording");
    EXPECT(!rh_recording_is(path));
    write_run();
    head()->segment_size = 12;
    write_file(sizeof file);
    refuses("no possible size");
    write_run();
    segment_at(1)->lane = 1;
    write_file(sizeof file);
    refuses("the head of a segment is wrong");
    write_run();
    head()->word_count = UINT32_MAX;
    write_file(sizeof file);
    refuses("do not end");
    unlink(path);
    refuses("cannot read");
}

// Whatever is in the file, it is read or refused.
static void test_flipped_bits(void)
{
    struct rh_rng rng;
    rh_rng_seed(&rng, 5);
    for (int i = 0; i < FLIPS; i++) {
        struct rh_recording recording;
        write_run();
        for (uint64_t k = rh_rng_below(&rng, 4); k < 4; k++) {
            size_t at = i % 2 ? rh_rng_below(&rng, 200) : RH_RECORDING_HEAD - 64;
            at += i % 2 ? 0 : rh_rng_below(&rng, 4 * SEGMENT);
            file[at] ^= (char)(1 << rh_rng_below(&rng, 8));
        }
        struct rh_status status = read_back(&recording);
        EXPECT(status.code != RH_FAILED);
        if (rh_is_ok(&status))
            rh_recording_fini(&recording);
    }
}

int main(void)
{
    test_run();
    test_waiting();
    test_moves();
    test_differences();
    test_guesses();
    test_uncounted();
    test_torn();
    test_overwritten();
    test_bad_files();
    test_flipped_bits();
    return 0;
}
