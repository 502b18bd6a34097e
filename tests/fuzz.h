// SPDX-License-Identifier: MIT
// For programs that hand damaged input to a reader and expect an answer. Without arguments they make a fixed number of
// inputs, the same in each run; with `SECONDS SEED` as many as there is time for, and what was read becomes input for
// further damage. tests/deep/fuzz.sh runs them so, under sanitizers.
#ifndef REHEARSE_TESTS_FUZZ_H
#define REHEARSE_TESTS_FUZZ_H

#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/rng.h"
#include "base/text.h"
#include "test.h"

// A reader and what its input is made of.
struct fuzz_reader {
    const char *const *seeds; // texts that are damaged
    size_t seed_count;
    const char *const
        *pieces; // what means something to the reader, so that damage gets past its first check
    size_t piece_count;
    int count; // how many inputs, if no time is given
    // Reads the input, and expects what must hold. Gives whether it was taken.
    bool (*read)(const struct rh_text *input);
};

enum { FUZZ_KEPT = 256 };

struct fuzz {
    const struct fuzz_reader *reader;
    struct rh_rng rng;
    double end;                     // when time is over; 0: the number of inputs counts
    struct rh_text kept[FUZZ_KEPT]; // what was read, with time
    size_t kept_count;
    long made, taken;
};

static inline double fuzz_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static inline void fuzz_replace(struct rh_text *text, size_t at, size_t removed, const void *added,
                                size_t length)
{
    struct rh_text result = {0};
    rh_text_add_bytes(&result, rh_text_get(text), at);
    rh_text_add_bytes(&result, added, length);
    rh_text_add_bytes(&result, rh_text_get(text) + at + removed, text->length - at - removed);
    rh_text_fini(text);
    *text = result;
}

static inline void fuzz_mutate(struct fuzz *fuzz, struct rh_text *text)
{
    struct rh_rng *rng = &fuzz->rng;
    size_t at = rh_rng_below(rng, text->length + 1);
    size_t left = text->length - at;
    size_t length = rh_rng_below(rng, left < 20 ? left + 1 : 20);
    const char *piece = fuzz->reader->pieces[rh_rng_below(rng, fuzz->reader->piece_count)];
    unsigned char byte = (unsigned char)rh_rng_next(rng);
    switch (rh_rng_below(rng, 6)) {
    case 0:
        fuzz_replace(text, at, left ? 1 : 0, &byte, 1);
        break;
    case 1:
        fuzz_replace(text, at, length, "", 0);
        break;
    case 2:
        fuzz_replace(text, at, 0, piece, strlen(piece));
        break;
    case 3:
        fuzz_replace(text, at, length, piece, strlen(piece));
        break;
    case 4: {
        char *copy = memcpy(rh_alloc(length + 1), rh_text_get(text) + at, length);
        fuzz_replace(text, rh_rng_below(rng, text->length + 1), 0, copy, length);
        free(copy);
        break;
    }
    default:
        fuzz_replace(text, at, left, "", 0);
        break;
    }
}

static inline void fuzz_keep(struct fuzz *fuzz, struct rh_text *input)
{
    size_t place =
        fuzz->kept_count < FUZZ_KEPT ? fuzz->kept_count++ : rh_rng_below(&fuzz->rng, FUZZ_KEPT);
    rh_text_fini(&fuzz->kept[place]);
    fuzz->kept[place] = *input;
    *input = (struct rh_text){0};
}

static inline void fuzz_one(struct fuzz *fuzz)
{
    const struct fuzz_reader *reader = fuzz->reader;
    struct rh_text input = {0};
    if (fuzz->kept_count > 0 && rh_rng_below(&fuzz->rng, 4) > 0) {
        const struct rh_text *kept = &fuzz->kept[rh_rng_below(&fuzz->rng, fuzz->kept_count)];
        rh_text_add_bytes(&input, rh_text_get(kept), kept->length);
    } else {
        rh_text_add(&input, reader->seeds[(size_t)fuzz->made % reader->seed_count]);
    }
    for (uint64_t count = 1 + rh_rng_below(&fuzz->rng, 4); count; count--)
        fuzz_mutate(fuzz, &input);
    bool is_taken = reader->read(&input);
    fuzz->made++;
    fuzz->taken += is_taken;
    if (is_taken && fuzz->end > 0 && input.length < 100000)
        fuzz_keep(fuzz, &input);
    rh_text_fini(&input);
}

// Reads what the arguments of main say. Gives whether there is a time.
static inline bool fuzz_arguments(int argc, char **argv, struct rh_rng *rng, double *end)
{
    rh_rng_seed(rng, argc > 2 ? strtoull(argv[2], NULL, 10) : 20240229);
    *end = argc > 1 ? fuzz_now() + strtod(argv[1], NULL) : 0;
    return argc > 1;
}

static inline int fuzz_main(const struct fuzz_reader *reader, int argc, char **argv)
{
    struct fuzz *fuzz = rh_alloc(sizeof *fuzz);
    fuzz->reader = reader;
    bool is_timed = fuzz_arguments(argc, argv, &fuzz->rng, &fuzz->end);
    while (is_timed ? fuzz_now() < fuzz->end : fuzz->made < reader->count)
        fuzz_one(fuzz);
    printf("%ld inputs, %ld taken\n", fuzz->made, fuzz->taken);
    // Both answers are given often, or the damage would test little.
    EXPECT(is_timed || (fuzz->taken > reader->count / 100 && fuzz->taken < reader->count / 10 * 9));
    for (size_t i = 0; i < fuzz->kept_count; i++)
        rh_text_fini(&fuzz->kept[i]);
    free(fuzz);
    return 0;
}

// A file without a name that has these bytes: for readers of files. `path` has 40 bytes.
static inline int fuzz_file(const void *bytes, size_t length, char *path)
{
    int descriptor = memfd_create("fuzz", MFD_CLOEXEC);
    EXPECT(descriptor >= 0 && write(descriptor, bytes, length) == (ssize_t)length);
    snprintf(path, 40, "/proc/self/fd/%d", descriptor);
    return descriptor;
}

#define FUZZ_COUNT(array) (sizeof(array) / sizeof *(array))

#endif
