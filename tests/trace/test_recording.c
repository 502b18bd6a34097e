// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <unistd.h>

#include "base/rng.h"
#include "trace/recording_file.h"

enum { FLIPS = 3000 };

static const char path[] = "some.trace";

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
    EXPECT(all[1].stamp == rh_stamp_make(2, 0) && all[1].behind == RH_NONE && !all[1].is_told);
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
    EXPECT(all[4].stamp == rh_stamp_make(0, 1) && all[4].behind == RH_NONE);
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

// Forwards and backwards, near and far, in as many bits as that takes.
static void test_steps(void)
{
    static const int64_t least[] = {0, -1, 0, 0};
    static const uint64_t least_counts[] = {0, 0, 1, 2};
    static const int64_t steps[] = {59, -2, 511, -512, 0, 0, 7, -3};
    static const uint64_t counts[] = {59, 58, 570, 59, 60, 61, 69, 67};
    static const int64_t widest[] = {2147483647, -2147483648, 5};
    static const uint64_t widest_counts[] = {2147483647, 0, 6};
    struct pen worker = write_run();
    add_steps(&worker, least, 4, 1, 0, 1);
    expect_counts(least_counts, 4);
    worker = write_run();
    add_steps(&worker, steps, 8, 10, 0, 1);
    expect_counts(counts, 8);
    worker = write_run();
    add_steps(&worker, widest, 3, 32, 0, 1);
    expect_counts(widest_counts, 3);
}

// Steps are repeated, those that are themselves repetitions too; but none that never were.
static void test_repeated(void)
{
    struct rh_recording recording;
    struct pen worker = write_run();
    add_steps(&worker, (int64_t[]){2, -1, 5}, 3, 4, 0, 1);
    add_repeated(&worker, 5, 3, 2);
    add_steps(&worker, (int64_t[]){0}, 1, 1, 0, 1);
    struct rh_status status = read_back(&recording);
    EXPECT_TEXT(status.text, "");
    const unsigned count = 3 + 5 + 2 * RH_LOG_SIZE;
    EXPECT(recording.deliveries.count == 5 + count + 1);
    const struct rh_recorded_delivery *all = &recording.deliveries.items[4];
    static const int steps[] = {2, -1, 5};
    uint64_t next = rh_stamp_make(0, 0);
    for (unsigned i = 0; i < count; i++) {
        EXPECT(all[i].stamp == next + (uint64_t)steps[i % 3]);
        next = all[i].stamp + 1;
    }
    EXPECT(all[count].stamp == next);
    rh_recording_fini(&recording);
    static const uint64_t never[] = {0, 7, RH_REPEATS_MOST + 1, UINT64_MAX};
    for (size_t i = 0; i < sizeof never / sizeof *never; i++) {
        worker = write_run();
        add_steps(&worker, (int64_t[]){2, -1, 5}, 3, 4, 0, 1);
        add_repeated(&worker, 5, never[i], 2);
        expect_counts((uint64_t[]){2, 2, 8}, 3);
    }
}

// Each sender is counted by itself, also where stamps are told.
static void test_senders(void)
{
    struct rh_recording recording;
    struct pen worker = write_run();
    static const int64_t steps[] = {0, 4 * RH_PLACES + 1, 0, -2 * RH_PLACES + 1, 2 * RH_PLACES + 2};
    static const int64_t mixed[] = {700, INT64_C(1) << RH_STAMP_LANE_SHIFT | 900,
                                    INT64_C(77) << RH_STAMP_LANE_SHIFT | 5};
    add_steps(&worker, steps, 5, 9, 1 << RH_SENDERS_SHIFT, 1);
    add_steps(&worker, mixed, 3, 0, 0, 1);
    add_steps(&worker, (int64_t[]){0, 1}, 2, 2, 1 << RH_SENDERS_SHIFT, 1);
    struct rh_status status = read_back(&recording);
    EXPECT_TEXT(status.text, "");
    EXPECT(recording.deliveries.count == 5 + 10);
    const struct rh_recorded_delivery *all = &recording.deliveries.items[4];
    const uint64_t stamps[] = {rh_stamp_make(0, 0),   rh_stamp_make(1, 4),  rh_stamp_make(0, 1),
                               rh_stamp_make(1, 3),   rh_stamp_make(2, 10), rh_stamp_make(0, 700),
                               rh_stamp_make(1, 900), rh_stamp_make(77, 5), rh_stamp_make(0, 701),
                               rh_stamp_make(1, 901)};
    for (size_t i = 0; i < 10; i++)
        EXPECT(all[i].stamp == stamps[i]);
    rh_recording_fini(&recording);
}

// What comes last is in the log. What is there already is in a record, and so are those before it.
static void test_newest(void)
{
    struct rh_recording recording;
    write_run();
    for (uint64_t number = 2; number <= 6; number++)
        add_log(0, number, 7, rh_stamp_make(1, 10 * number), number);
    add_log(0, 8, 7, rh_stamp_make(1, 80), 8);
    struct rh_status status = read_back(&recording);
    EXPECT_TEXT(status.text, "");
    EXPECT(recording.torn == 0 && recording.deliveries.count == 5 + 3);
    const struct rh_recorded_delivery *all = recording.deliveries.items;
    EXPECT(all[3].stamp == rh_stamp_make(2, 7) && !all[3].is_cut);
    for (uint64_t number = 4; number <= 6; number++) {
        EXPECT(all[number].stamp == rh_stamp_make(1, 10 * number));
        EXPECT(all[number].is_told && all[number].told == number);
        EXPECT(all[number].is_cut == (number == 6));
    }
    rh_recording_fini(&recording);
}

// The record that was being written is of deliveries that are still in the log: nothing is lost.
static void test_torn_deliveries(void)
{
    struct rh_recording recording;
    struct pen worker = write_run();
    worker.next[1] = 0x0101;
    add_log(0, 4, 7, rh_stamp_make(0, 3), 1);
    struct rh_status status = read_back(&recording);
    EXPECT_TEXT(status.text, "");
    EXPECT(recording.torn == 0 && recording.deliveries.count == 6);
    EXPECT(recording.deliveries.items[4].stamp == rh_stamp_make(0, 3));
    rh_recording_fini(&recording);
}

// The last record was being written: its second word is there and the first is not, or the other way round.
static void test_torn(void)
{
    for (int word = 1; word <= 2; word++) {
        struct rh_recording recording;
        struct pen worker = write_run();
        add_stamp(&worker, rh_stamp_make(0, 70000), 1);
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
    for (uint64_t number = 1; number <= 90; number++)
        add_log(0, number, (uint32_t)number, 0, number);
    add_log(1, 1, 4 | 1 << 26, 0, 0);
    struct rh_status status = read_back(&recording);
    EXPECT_TEXT(status.text, "");
    EXPECT(recording.overwritten == 3);
    status = rh_recording_check(&recording, path, "/bin/server");
    EXPECT_PART(status.text, "its beginning is overwritten");
    rh_recording_log(&recording, &log, 2);
    EXPECT_TEXT(rh_text_get(&log), "thread 1, its last 2 deliveries:\n"
                                   "    pong to player_behaviour (actor 90)\n"
                                   "    pong to player_behaviour (actor 91)\n"
                                   "thread 2, its last 1 deliveries:\n"
                                   "    pong (reply) to player_behaviour (actor 5)\n");
    rh_text_fini(&log);
    rh_recording_log(&recording, &log, 1000);
    // The oldest of 64 may be half of another.
    EXPECT_PART(rh_text_get(&log), "thread 1, its last 63 deliveries:\n"
                                   "    pong to player_behaviour (actor 29)\n");
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
            at += i % 2 ? 0 : rh_rng_below(&rng, 5 * SEGMENT);
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
    test_steps();
    test_repeated();
    test_senders();
    test_newest();
    test_torn_deliveries();
    test_torn();
    test_overwritten();
    test_bad_files();
    test_flipped_bits();
    return 0;
}
