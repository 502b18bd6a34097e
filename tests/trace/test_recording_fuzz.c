// SPDX-License-Identifier: MIT
// Damages recordings and expects that the reader answers. What guards against damage, checksums and hashes, is made to
// fit again in some of them, so that what stands behind is believed.
#include "fuzz.h"
#include "trace/recording_file.h"

enum { COUNT = 4000 };

static void send_from_outside(struct pen *pen, uint32_t size)
{
    struct rh_record_send send = {
        .stamp_and_name = rh_stamp_make(2, 9) << 16 | 9, .due = UINT64_MAX, .size = size};
    uint64_t words[sizeof send / 8];
    memcpy(words, &send, sizeof send);
    write_words(pen, rh_record_first(RH_RECORD_SEND, 4, 1 + sizeof send / 8, pen->sequence++),
                words, 1 + sizeof send / 8);
    add(pen, RH_RECORD_BYTES, 0, 0x0102030405060708);
}

static void spawn_from_outside(struct pen *pen, uint64_t size)
{
    struct rh_record_spawn spawn = {.function = 64, .birth = rh_stamp_make(2, 9), .size = size};
    uint64_t words[sizeof spawn / 8];
    memcpy(words, &spawn, sizeof spawn);
    write_words(pen, rh_record_first(RH_RECORD_SPAWN, 9, 1 + sizeof spawn / 8, pen->sequence++),
                words, 1 + sizeof spawn / 8);
    add(pen, RH_RECORD_BYTES, 0, 0x0102030405060708);
}

// A record of every kind.
static void write_seed(void)
{
    struct pen worker = write_run();
    add_two(&worker, RH_RECORD_WAIT, 4, 5, 1);
    add_own_run(&worker, 3, 1, 5);
    add_two(&worker, RH_RECORD_CONTINUE, 4, 6, 2);
    add_repeated(&worker, 3, 2, 1);
    add_two(&worker, RH_RECORD_TIMER, 0, rh_stamp_make(0, 7), 100);
    add(&worker, RH_RECORD_DROP, 0, rh_stamp_make(0, 8));
    struct pen outside = begin_segment(3, 2, 1, 2);
    add_name(&outside, 9, "put");
    send_from_outside(&outside, 8);
    spawn_from_outside(&outside, 8);
    add_address(100, "put");
    add_address(200, "till");
    add_log(0, 7, 4, rh_stamp_make(2, 3), 1);
}

// Makes heads and records fit their bytes again.
static void mend_segment(int place)
{
    struct rh_segment_head *segment = segment_at(place);
    segment->hash = rh_segment_hash(segment);
    uint64_t *at = (uint64_t *)(segment + 1),
             *end = (uint64_t *)(void *)((char *)segment + SEGMENT);
    for (unsigned words; at < end && *at != 0; at += words) {
        words = (unsigned)(*at >> 16 & 0xff);
        if (words == 0 || words > (size_t)(end - at))
            return;
        uint64_t first = *at & ~UINT64_C(0xffff);
        *at = first | rh_record_checksum(first, rh_record_sum(at + 1, words));
    }
}

static void damage(struct rh_rng *rng)
{
    static const size_t parts[] = {0, RH_RECORDING_HEAD, SEGMENTS, SEGMENTS + SEGMENT,
                                   SEGMENTS + 3 * SEGMENT};
    for (uint64_t count = 1 + rh_rng_below(rng, 6); count; count--) {
        size_t at = parts[rh_rng_below(rng, FUZZ_COUNT(parts))] + rh_rng_below(rng, 400);
        file[at] = rh_rng_below(rng, 2) ? (char)(file[at] ^ 1 << rh_rng_below(rng, 8))
                                        : (char)rh_rng_next(rng);
    }
}

static bool read_damaged(struct rh_rng *rng)
{
    char path[40];
    size_t size = rh_rng_below(rng, 8) ? sizeof file : rh_rng_below(rng, sizeof file);
    int descriptor = fuzz_file(file, size, path);
    struct rh_recording recording;
    struct rh_status status = rh_recording_read(&recording, path);
    EXPECT(status.code != RH_FAILED);
    size_t payload = 0;
    for (size_t i = 0; i < recording.sends.count; i++)
        payload += recording.sends.items[i].size;
    // All bytes are from the file.
    EXPECT(payload <= size);
    if (rh_is_ok(&status)) {
        struct rh_text log = {0};
        rh_recording_log(&recording, &log, 20);
        rh_text_fini(&log);
        rh_recording_fini(&recording);
    }
    close(descriptor);
    return rh_is_ok(&status);
}

int main(int argc, char **argv)
{
    struct rh_rng rng;
    double end;
    long made = 0, taken = 0;
    bool is_timed = fuzz_arguments(argc, argv, &rng, &end);
    for (; is_timed ? fuzz_now() < end : made < COUNT; made++) {
        write_seed();
        damage(&rng);
        for (int place = 0; place < PLACES && made % 4; place++)
            mend_segment(place);
        taken += read_damaged(&rng);
    }
    printf("%ld inputs, %ld taken\n", made, taken);
    EXPECT(taken > made / 50 && taken < made);
    return 0;
}
