// SPDX-License-Identifier: MIT
// The recorder's file: opening it, taking segments, closing it.
#include "runtime/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/text.h"
#include "entry/program.h"
#include "runtime/cell.h"

enum { PAGE = 4096, SHARE = 4 };
#define SEGMENT_MOST ((uint64_t)128 << 10)
#define LIMIT_DEFAULT ((uint64_t)1 << 30)

// Options.

// Reads a number of bytes, with K, M or G behind it.
static struct rh_status read_limit(uint64_t *limit)
{
    static const char units[] = "KMG";
    const char *text = getenv("REHEARSE_RECORD_LIMIT");
    *limit = LIMIT_DEFAULT;
    if (!text)
        return rh_ok();
    char *end;
    errno = 0;
    *limit = strtoull(text, &end, 10);
    const char *unit = *end ? strchr(units, *end) : NULL;
    int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    if (*text < '0' || *text > '9' || errno != 0 || (unit ? end[1] : *end) != '\0' ||
        *limit > UINT64_C(1) << (46 - shift))
        return rh_bad_input("REHEARSE_RECORD_LIMIT=%s: it is a number of bytes, as in 64M or 2G",
                            text);
    *limit <<= shift;
    return rh_ok();
}

// Each lane has one segment of its own, and there are others to be overwritten.
static struct rh_status choose_sizes(uint32_t lanes, uint64_t limit, uint64_t *size,
                                     uint64_t *count)
{
    uint64_t head = rh_recording_segments(lanes);
    uint64_t room = limit > head ? limit - head : 0;
    *size = room / (SHARE * lanes) / PAGE * PAGE;
    if (*size > SEGMENT_MOST)
        *size = SEGMENT_MOST;
    if (*size == 0)
        return rh_bad_input("REHEARSE_RECORD_LIMIT is %llu bytes: with %u threads at least %llu "
                            "are needed",
                            (unsigned long long)limit, lanes - 1,
                            (unsigned long long)SHARE * lanes * PAGE + head);
    *count = room / *size;
    return rh_ok();
}

// The head.

static void add_word(struct rh_text *words, const char *word)
{
    rh_text_add_bytes(words, word, strlen(word) + 1);
}

static void add_arguments(struct rh_text *words, uint32_t *count)
{
    struct rh_text line = {0};
    struct rh_status status = rh_text_read_file(&line, "/proc/self/cmdline", 1 << 20);
    const char *bytes = rh_text_get(&line);
    for (size_t at = 0; rh_is_ok(&status) && at < line.length; at += strlen(bytes + at) + 1) {
        if (at > 0) {
            add_word(words, bytes + at);
            ++*count;
        }
    }
    rh_text_fini(&line);
}

static bool is_known(const struct rh_recorder *recorder, const void *address)
{
    const struct rh_recording_head *head = recorder->head;
    for (uint64_t at = head->names; at < head->names_end;) {
        const struct rh_recording_name *name = (const void *)((const char *)head + at);
        if (name->address == (uintptr_t)address)
            return true;
        at += sizeof *name + (strlen((const char *)(name + 1)) / 8 + 1) * 8;
    }
    return false;
}

// A name for which there is no room is left out: the log does without it.
void rh__recorder_tell(struct rh_recorder *recorder, const void *address, const char *text)
{
    struct rh_recording_head *head = recorder->head;
    pthread_mutex_lock(&recorder->segment_lock);
    uint64_t at = head->names_end;
    size_t length = strnlen(text, RH_RECORD_NAME_MOST);
    uint64_t end = at + sizeof(struct rh_recording_name) + (length / 8 + 1) * 8;
    if (end <= RH_RECORDING_HEAD && !is_known(recorder, address)) {
        struct rh_recording_name *name = (void *)((char *)head + at);
        name->address = (uintptr_t)address;
        memcpy(name + 1, text, length);
        __atomic_store_n(&head->names_end, end, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&recorder->segment_lock);
}

static void tell_types(struct rh_recorder *recorder)
{
    size_t count;
    const struct rh_type *const *types = rh_program_types(&count);
    for (size_t i = 0; i < count; i++)
        rh__recorder_tell(recorder, types[i], types[i]->name);
}

static struct rh_status fill_head(struct rh_recorder *recorder, uint64_t size, uint64_t count)
{
    struct rh_recording_head *head = recorder->head;
    char path[PATH_MAX] = "";
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    struct rh_text words = {0};
    add_word(&words, path);
    head->program_hash = rh_recording_hash_file(path);
    add_word(&words, getcwd(path, sizeof path) ? path : "");
    head->word_count = 2;
    add_arguments(&words, &head->word_count);
    bool fits = words.length <= RH_RECORDING_HEAD - sizeof *head;
    if (fits)
        memcpy(head + 1, words.bytes, words.length);
    head->names = head->names_end = (sizeof *head + words.length + 7) / 8 * 8;
    rh_text_fini(&words);
    if (!fits)
        return rh_bad_input("REHEARSE_RECORD: the program has more arguments than can be recorded");
    head->segment_size = size;
    head->segment_count = count;
    head->lanes = recorder->lane_count;
    tell_types(recorder);
    memcpy(head->magic, RH_RECORDING_MAGIC, sizeof RH_RECORDING_MAGIC);
    return rh_ok();
}

// Segments.

static struct rh_segment_head *segment_at(const struct rh_recorder *recorder, uint64_t place)
{
    return (struct rh_segment_head *)((char *)recorder->head +
                                      rh_recording_segments(recorder->lane_count) +
                                      place * recorder->head->segment_size);
}

static bool is_in_use(const struct rh_recorder *recorder, const struct rh_segment_head *segment)
{
    for (uint32_t i = 0; i < recorder->lane_count; i++)
        if (recorder->lanes[i].segment == segment)
            return true;
    return false;
}

// Makes room in the file system for a part that was never used: a page without room would be a
// SIGBUS. Writing zeros in one call takes much less time than touching one page after another, as
// after posix_fallocate; and the system does not read ahead for them. Gives false with errno if
// there is no room.
static bool write_zeros(const struct rh_recorder *recorder, uint64_t at, uint64_t size)
{
    static const char zeros[PAGE];
    struct iovec pages[SEGMENT_MOST / PAGE];
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
        pages[i] = (struct iovec){(void *)(uintptr_t)zeros, PAGE};
    for (uint64_t end = at + size, part; at < end; at += part) {
        part = end - at < SEGMENT_MOST ? end - at : SEGMENT_MOST;
        ssize_t written = pwritev(recorder->file, pages, (int)(part / PAGE), (off_t)at);
        if (written >= 0 && written != (ssize_t)part)
            errno = ENOSPC;
        if (written != (ssize_t)part)
            return false;
    }
    return true;
}

static bool allocate(const struct rh_recorder *recorder, uint64_t place)
{
    uint64_t size = recorder->head->segment_size;
    uint64_t at = rh_recording_segments(recorder->lane_count) + place * size;
    if (!write_zeros(recorder, at, size))
        return false;
#ifdef MADV_POPULATE_WRITE
    // Cheaper than a fault for each page. Older kernels refuse the call, which does no harm.
    madvise(segment_at(recorder, place), size, MADV_POPULATE_WRITE);
#endif
    return true;
}

// The next segment, or the oldest that no lane writes to. NULL if all segments are taken and there
// are no more of them than lanes.
static struct rh_segment_head *take_segment(struct rh_recorder *recorder)
{
    struct rh_recording_head *head = recorder->head;
    if (head->taken < head->segment_count && !allocate(recorder, head->taken))
        head->segment_count = head->taken; // the file system is full
    if (head->segment_count <= recorder->lane_count && head->taken >= head->segment_count)
        return NULL;
    struct rh_segment_head *segment;
    do {
        segment = segment_at(recorder, head->taken % head->segment_count);
        head->taken++;
    } while (is_in_use(recorder, segment));
    if (segment->number != 0)
        memset(segment, 0, head->segment_size);
    return segment;
}

static void begin_segment(struct rh_lane *lane, struct rh_segment_head *segment)
{
    uint64_t size = lane->recorder->head->segment_size;
    *segment = (struct rh_segment_head){.number = lane->recorder->head->taken,
                                        .lane = lane->number,
                                        .place = lane->place++,
                                        .sequence = lane->sequence};
    segment->hash = rh_segment_hash(segment);
    lane->segment = segment;
    lane->next = (uint64_t *)(segment + 1);
    // The word behind the last record stays 0.
    lane->end = (uint64_t *)((char *)segment + size) - 1;
    lane->name_count = 0;
    memset(lane->names, 0, sizeof lane->names);
}

void rh__lane_turn(struct rh_lane *lane)
{
    struct rh_recorder *recorder = lane->recorder;
    pthread_mutex_lock(&recorder->segment_lock);
    // There is a segment: each lane holds one, and there are more segments than lanes.
    begin_segment(lane, take_segment(recorder));
    pthread_mutex_unlock(&recorder->segment_lock);
}

static void init_lane(struct rh_recorder *recorder, uint32_t number)
{
    struct rh_log *logs = (struct rh_log *)((char *)recorder->head + RH_RECORDING_HEAD);
    struct rh_lane *lane = &recorder->lanes[number];
    lane->recorder = recorder;
    lane->number = number;
    lane->stamp = lane->birth = rh_stamp_make(number, 0);
    lane->log = &logs[number];
    lane->unrecorded = lane->entry = &lane->log->words[1];
    lane->numbers = (UINT64_C(1) << RH_LOG_NUMBER) - rh_lane_next(lane);
    rh_steps_init(&lane->steps, number);
}

static struct rh_status init_lanes(struct rh_recorder *recorder, const char *path)
{
    recorder->lanes = rh_alloc_lines(sizeof *recorder->lanes * recorder->lane_count);
    for (uint32_t i = 0; i < recorder->lane_count; i++)
        init_lane(recorder, i);
    for (uint32_t i = 0; i < recorder->lane_count; i++) {
        struct rh_segment_head *segment = take_segment(recorder);
        if (segment)
            begin_segment(&recorder->lanes[i], segment);
        // One segment more than there are lanes, so that a lane always finds another.
        if (!segment || (i + 1 == recorder->lane_count && !allocate(recorder, i + 1)))
            return rh_failed("%s can't be written: there is no room for it", path);
    }
    return rh_ok();
}

// Opening and closing.

static struct rh_status open_file(struct rh_recorder *recorder, const char *path)
{
    struct stat stat;
    // Another process may be recording to a file of this name, and keeps its file.
    if (lstat(path, &stat) == 0 && S_ISREG(stat.st_mode))
        unlink(path);
    recorder->file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (recorder->file < 0)
        return rh_bad_input("REHEARSE_RECORD=%s: cannot make this file: %s", path, strerror(errno));
    return rh_ok();
}

static struct rh_status map_file(struct rh_recorder *recorder, const char *path, uint64_t size)
{
    recorder->size = size;
    if (ftruncate(recorder->file, (off_t)size) != 0 ||
        !write_zeros(recorder, 0, rh_recording_segments(recorder->lane_count)))
        return rh_failed("%s can't be written: %s", path, strerror(errno));
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, recorder->file, 0);
    if (memory == MAP_FAILED)
        return rh_failed("%s can't be mapped: there is not enough address space", path);
    recorder->head = memory;
    return rh_ok();
}

static void recorder_free(struct rh_recorder *recorder)
{
    if (recorder->head)
        munmap(recorder->head, recorder->size);
    if (recorder->file >= 0)
        close(recorder->file);
    rh_index_fini(&recorder->told_births);
    pthread_mutex_destroy(&recorder->segment_lock);
    pthread_mutex_destroy(&recorder->outside_lock);
    free(recorder->lanes);
    free(recorder);
}

static struct rh_status start(struct rh_recorder *recorder, const char *path, uint64_t size,
                              uint64_t count)
{
    struct rh_status status = open_file(recorder, path);
    if (!rh_is_ok(&status))
        return status;
    status = map_file(recorder, path, rh_recording_segments(recorder->lane_count) + count * size);
    if (rh_is_ok(&status))
        status = fill_head(recorder, size, count);
    if (rh_is_ok(&status))
        status = init_lanes(recorder, path);
    if (!rh_is_ok(&status))
        unlink(path);
    return status;
}

struct rh_status rh_recorder_open(struct rh_recorder **result, unsigned carriers)
{
    const char *path = getenv("REHEARSE_RECORD");
    uint64_t limit, size = 0, count = 0;
    *result = NULL;
    if (!path)
        return rh_ok();
    struct rh_status status = read_limit(&limit);
    if (rh_is_ok(&status))
        status = choose_sizes(carriers + 1, limit, &size, &count);
    if (!rh_is_ok(&status))
        return status;
    struct rh_recorder *recorder = rh_alloc(sizeof *recorder);
    *recorder =
        (struct rh_recorder){.base = rh_program_base(), .file = -1, .lane_count = carriers + 1};
    pthread_mutex_init(&recorder->segment_lock, NULL);
    pthread_mutex_init(&recorder->outside_lock, NULL);
    status = start(recorder, path, size, count);
    if (rh_is_ok(&status))
        *result = recorder;
    else
        recorder_free(recorder);
    return status;
}

void rh_recorder_close(struct rh_recorder *recorder, int status)
{
    recorder->head->status = status;
    recorder->head->end = RH_RECORDING_ENDED;
    recorder_free(recorder);
}

void rh_recorder_last_words(struct rh_recorder *recorder, const char *text, size_t length)
{
    struct rh_recording_head *head = recorder->head;
    size_t most = sizeof head->last_words - 1;
    memcpy(head->last_words, text, length < most ? length : most);
    head->end = RH_RECORDING_DIED;
}

struct rh_lane *rh_recorder_enter(struct rh_recorder *recorder)
{
    pthread_mutex_lock(&recorder->outside_lock);
    return &recorder->lanes[recorder->lane_count - 1];
}

void rh_recorder_leave(struct rh_recorder *recorder)
{
    pthread_mutex_unlock(&recorder->outside_lock);
}
