// SPDX-License-Identifier: MIT
#include "trace/recording.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/rng.h"
#include "test.h"

enum { SEGMENT = 4096, PLACES = 6, LANES = 3, FLIPS = 3000 };

static const char path[] = "some.trace";

// A recording that is written by hand.
static char file[RH_RECORDING_HEAD + PLACES * SEGMENT];

static struct rh_recording_head *head(void)
{
    return (struct rh_recording_head *)(void *)file;
}

static struct rh_segment_head *segment_at(int place)
{
    return (struct rh_segment_head *)(void *)(file + RH_RECORDING_HEAD + place * SEGMENT);
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
    memcpy(pen->next + 1, rest, sizeof *rest * (words - 1));
    *pen->next = first | rh_record_checksum(first, rest, words);
    pen->next += words;
}

static void add(struct pen *pen, enum rh_record_kind kind, uint32_t object, uint64_t one)
{
    write_words(pen, rh_record_first(kind, object, 2, pen->sequence++), &one, 2);
}

// Two short texts: the first has less than 8 bytes, the second less than 24.
static void add_name(struct pen *pen, uint32_t number, const char *first, const char *second)
{
    uint64_t words[4] = {0};
    memcpy(&words[0], first, strlen(first));
    memcpy(&words[1], second, strlen(second));
    write_words(pen, rh_record_first(RH_RECORD_NAME, number, 5, pen->sequence++), words, 5);
}

// `sent`: messages of the lane since its last delivery.
static void add_delivery(struct pen *pen, uint32_t cell, uint64_t stamp, unsigned sent)
{
    uint64_t rest = stamp << 16;
    write_words(pen, rh_record_first(RH_RECORD_DELIVER, cell, sent, pen->sequence++), &rest, 2);
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

// Setup creates actors 4 and 5 and sends two messages; a worker delivers both and the answer to the second.
static struct pen write_run(void)
{
    begin_file();
    struct pen outside = begin_segment(0, 2, 0, 0);
    add(&outside, RH_RECORD_SPAWN, 4, UINT64_C(1) << 32 | 7);
    add(&outside, RH_RECORD_SPAWN, 5, UINT64_C(1) << 32 | 1);
    add(&outside, RH_RECORD_SET_UP, 0, 2);
    struct pen worker = begin_segment(1, 0, 0, 0);
    add(&worker, RH_RECORD_MOVE, 4, 1);
    add_name(&worker, 0, "ping", "player_behaviour");
    add_delivery(&worker, 4, rh_stamp_make(2, 0), 0);
    add(&worker, RH_RECORD_MOVE, 5, 1);
    add_name(&worker, 9, "rand", "");
    add_delivery(&worker, 5, rh_stamp_make(2, 1), 0);
    add(&worker, RH_RECORD_INPUT, 9, 1804289383);
    add_delivery(&worker, 4, rh_stamp_make(0, 2), 3);
    begin_segment(2, 1, 0, 0);
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
    EXPECT(recording.deliveries.count == 4);
    const struct rh_recorded_delivery *all = recording.deliveries.items;
    EXPECT(all[0].spawns.count == 2 && all[0].spawns.items[0].life == 7 && !all[0].is_cut);
    EXPECT(all[0].sent.count == 1 && all[0].sent.items[0].first == rh_stamp_make(2, 0) &&
           all[0].sent.items[0].end == rh_stamp_make(2, 2));
    EXPECT(all[1].cell == 4 && all[1].order == 2 && all[1].sent.count == 0);
    EXPECT_TEXT(all[1].type, "ping");
    EXPECT_TEXT(all[1].behaviour, "player_behaviour");
    EXPECT(all[2].cell == 5 && all[2].order == 2 && all[2].inputs.count == 1);
    EXPECT_TEXT(all[2].inputs.items[0].function, "rand");
    EXPECT(all[2].inputs.items[0].value == 1804289383);
    EXPECT(all[2].sent.items[0].end - all[2].sent.items[0].first == 3);
    EXPECT(all[3].cell == 4 && all[3].order == 3 && all[3].is_cut && !all[2].is_cut);
    rh_recording_fini(&recording);
}

// What an actor does before and after it waits for room belongs to one delivery, whatever came between.
static void test_waiting(void)
{
    struct rh_recording recording;
    struct pen worker = write_run();
    add(&worker, RH_RECORD_WAIT, 4, 5);
    add_delivery(&worker, 5, rh_stamp_make(0, 1), 0);
    add(&worker, RH_RECORD_CONTINUE, 4, 6);
    add(&worker, RH_RECORD_COUNT, 0, 600);
    struct rh_status status = read_back(&recording);
    EXPECT_TEXT(status.text, "");
    EXPECT(recording.deliveries.count == 5);
    const struct rh_recorded_delivery *waited = &recording.deliveries.items[3];
    EXPECT(waited->sent.count == 2);
    EXPECT(waited->sent.items[0].first == rh_stamp_make(0, 3));
    EXPECT(waited->sent.items[0].end == rh_stamp_make(0, 5));
    EXPECT(waited->sent.items[1].first == rh_stamp_make(0, 6));
    EXPECT(waited->sent.items[1].end == rh_stamp_make(0, 600));
    EXPECT(recording.deliveries.items[4].sent.items[0].first == rh_stamp_make(0, 5));
    rh_recording_fini(&recording);
}

// The last record was being written: its second word is there and the first is not, or the other way round.
static void test_torn(void)
{
    for (int word = 1; word <= 2; word++) {
        struct rh_recording recording;
        struct pen worker = write_run();
        worker.next[-word] = 0;
        struct rh_status status = read_back(&recording);
        EXPECT_TEXT(status.text, "");
        EXPECT(recording.torn == 1);
        EXPECT(recording.deliveries.count == 3);
        EXPECT(recording.deliveries.items[2].is_cut);
        rh_recording_fini(&recording);
    }
}

static void test_overwritten(void)
{
    struct rh_recording recording;
    struct rh_text log = {0};
    write_run();
    struct pen worker = begin_segment(1, 0, 3, 700);
    add_name(&worker, 0, "pong", "player_behaviour");
    for (int i = 0; i < 30; i++)
        add_delivery(&worker, 4, rh_stamp_make(0, 0), 1);
    struct rh_status status = read_back(&recording);
    EXPECT_TEXT(status.text, "");
    EXPECT(recording.overwritten == 3);
    status = rh_recording_check(&recording, path, "/bin/server");
    EXPECT_PART(status.text, "its beginning is overwritten");
    rh_recording_log(&recording, &log, 2);
    EXPECT_TEXT(rh_text_get(&log), "thread 1, its last 2 deliveries:\n"
                                   "    pong to player_behaviour (actor 5, its event 29)\n"
                                   "    pong to player_behaviour (actor 5, its event 30)\n");
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
    write_file(RH_RECORDING_HEAD + 2 * SEGMENT);
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
            at += i % 2 ? 0 : rh_rng_below(&rng, 3 * SEGMENT);
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
    test_torn();
    test_overwritten();
    test_bad_files();
    test_flipped_bits();
    return 0;
}
