// SPDX-License-Identifier: MIT
// librehearse-log.a: what component.h calls in a program that runs as it is. With REHEARSE_LOG=FILE
// it is written down; otherwise each mark costs a comparison. Each thread has a part of the file,
// mapped, so that what was written survives the program.
//
// A commit and its access are made while nobody else commits or returns: so a commit's number is
// right, and whoever has seen the access returns later.
#include "threads/log/record.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <rehearse/component.h>

#include "threads/view.h"

extern const struct rh__component_entry __start_rh_components[] __attribute__((weak));
extern const struct rh__component_entry __stop_rh_components[] __attribute__((weak));

enum { NAMES = 64 };

static struct {
    bool is_open;
    bool has_views; // REHEARSE_LOG_VIEWS: at each commit
    int file;
    uint64_t size;
    uint32_t threads;
    pthread_mutex_t lock; // of size
    void (*view)(rh_view *view);
    void (*invariant)(void);
} file_log = {.lock = PTHREAD_MUTEX_INITIALIZER};

// Each on a line of its own, since all threads write there.
static _Alignas(64) uint64_t last_number;
static _Alignas(64) char committing; // 1: somebody commits or returns

static __thread struct {
    bool is_known;
    uint32_t number;
    char *segment;
    size_t used;
    uint64_t names[NAMES]; // that were written lately
    int depth;             // of operations that call operations
    bool wants_arguments, observes, is_internal, has_result, is_truth;
    bool is_in_block, is_committing;
    const char *block_file;
    int block_line;
    int64_t result;
} own;

// --- The file. ---

static void give_up(const char *what)
{
    file_log.is_open = false;
    fprintf(stderr, "rehearse: REHEARSE_LOG: %s; the log ends here\n", what);
}

static bool take_segment(void)
{
    if (own.segment)
        munmap(own.segment, RH_LOG_SEGMENT);
    own.segment = NULL;
    pthread_mutex_lock(&file_log.lock);
    uint64_t offset = file_log.size;
    bool is_there = ftruncate(file_log.file, (off_t)(offset + RH_LOG_SEGMENT)) == 0;
    file_log.size += is_there ? RH_LOG_SEGMENT : 0;
    if (!own.is_known) {
        own.is_known = true;
        own.number = syscall(SYS_gettid) == getpid() ? 0 : ++file_log.threads;
    }
    pthread_mutex_unlock(&file_log.lock);
    void *start = is_there ? mmap(NULL, RH_LOG_SEGMENT, PROT_READ | PROT_WRITE, MAP_SHARED,
                                  file_log.file, (off_t)offset)
                           : MAP_FAILED;
    if (start == MAP_FAILED) {
        give_up("the file can't become longer");
        return false;
    }
    own.segment = start;
    *(struct rh_log_segment *)start = (struct rh_log_segment){RH_LOG_SEGMENT_MAGIC, own.number};
    own.used = sizeof(struct rh_log_segment);
    return true;
}

static void add(const struct rh_log_record *record, const int64_t *values)
{
    size_t size = sizeof *record + record->count * sizeof *values;
    if ((!own.segment || own.used + size > RH_LOG_SEGMENT) && !take_segment())
        return;
    struct rh_log_record *written = (struct rh_log_record *)(own.segment + own.used);
    own.used += size;
    uint64_t number = record->number;
    written->name = record->name;
    written->file = record->file;
    written->line = record->line;
    written->kind = record->kind;
    written->flags = record->flags;
    written->count = record->count;
    memcpy(written->values, values, record->count * sizeof *values);
    __atomic_store_n(&written->number, number, __ATOMIC_RELEASE);
}

// Texts are written once in a while, and told by their address otherwise.
static uint64_t name_of(const char *text)
{
    enum { WORDS = 64 };
    uint64_t name = (uint64_t)(uintptr_t)text;
    uint64_t *known = &own.names[(name >> 3) % NAMES];
    if (*known == name || !text)
        return name;
    *known = name;
    int64_t words[WORDS] = {0};
    size_t length = strnlen(text, sizeof words - 1);
    memcpy(words, text, length);
    add(&(struct rh_log_record){.number = RH_LOG_NO_PLACE,
                                .name = name,
                                .kind = RH_LOG_NAME,
                                .count = (uint16_t)(length / sizeof *words + 1)},
        words);
    return name;
}

static uint64_t draw(void)
{
    return __atomic_add_fetch(&last_number, 1, __ATOMIC_SEQ_CST);
}

static void enter(void)
{
    while (__atomic_exchange_n(&committing, 1, __ATOMIC_ACQUIRE))
        while (__atomic_load_n(&committing, __ATOMIC_RELAXED))
            sched_yield();
}

static void leave(void)
{
    __atomic_store_n(&committing, 0, __ATOMIC_RELEASE);
}

// --- Operations. ---

struct rh__operation rh__operation_begin(const char *call, const char *file, int line, int count,
                                         const int64_t *arguments)
{
    if (!file_log.is_open)
        return (struct rh__operation){false};
    bool is_inner = own.depth++ > 0;
    if (is_inner && !(own.wants_arguments && own.depth == 2 && count >= 0))
        return (struct rh__operation){false};
    struct rh_log_record record = {.name = name_of(call),
                                   .file = name_of(file),
                                   .line = (uint32_t)line,
                                   .kind = is_inner ? RH_LOG_ARGUMENTS : RH_LOG_CALL,
                                   .flags = count < 0 ? RH_LOG_IS_TEXT : 0,
                                   .count = (uint16_t)(count < 0 ? 0 : count)};
    own.wants_arguments = count < 0;
    if (!is_inner)
        own.observes = own.is_internal = own.has_result = false;
    record.number = draw();
    add(&record, arguments);
    return (struct rh__operation){!is_inner};
}

bool rh__operation_result(int64_t result, bool is_truth)
{
    own.has_result = true;
    own.is_truth = is_truth;
    own.result = result;
    return false;
}

int64_t rh__operation_other_result(void)
{
    return 0;
}

void rh__operation_end(struct rh__operation *open)
{
    if (own.depth > 0)
        own.depth--;
    if (!open->is_open || !file_log.is_open)
        return;
    own.wants_arguments = false;
    struct rh_log_record record = {.kind = RH_LOG_RETURN,
                                   .flags = (uint8_t)((own.has_result ? RH_LOG_HAS_RESULT : 0) |
                                                      (own.is_truth ? RH_LOG_IS_TRUTH : 0) |
                                                      (own.observes ? RH_LOG_OBSERVES : 0) |
                                                      (own.is_internal ? RH_LOG_IS_INTERNAL : 0)),
                                   .count = 1};
    enter();
    record.number = draw();
    leave();
    add(&record, &own.result);
}

void rh__observes(void)
{
    own.observes = true;
}

void rh__internal(void)
{
    own.is_internal = true;
}

void rh__pure(void)
{
    own.observes = true;
}

// Only looked at under control.
void rh__exclusive(void)
{
}

void rh__action(const char *action, const char *file, int line, int count, const int64_t *arguments)
{
    if (!file_log.is_open)
        return;
    bool is_at_commit = own.is_in_block || own.is_committing;
    struct rh_log_record record = {.name = name_of(action),
                                   .file = name_of(file),
                                   .line = (uint32_t)line,
                                   .kind = RH_LOG_ACTION,
                                   .flags = is_at_commit ? RH_LOG_AT_COMMIT : 0,
                                   .count = (uint16_t)count};
    record.number = draw();
    add(&record, arguments);
}

// --- Commits. ---

static uint16_t take_view(int64_t *values)
{
    rh_view view = {0};
    file_log.view(&view);
    rh__view_sort(&view);
    for (int i = 0; i < view.count; i++) {
        values[3 * i] = view.items[i].has_key;
        values[3 * i + 1] = view.items[i].key;
        values[3 * i + 2] = view.items[i].value;
    }
    return (uint16_t)(3 * view.count);
}

// Called while nobody else commits.
static void commit(const char *file, int line)
{
    int64_t values[3 * RH_ITEMS_MOST];
    struct rh_log_record record = {.number = draw(),
                                   .line = (uint32_t)line,
                                   .kind = RH_LOG_COMMIT,
                                   .flags = own.is_internal ? RH_LOG_IS_INTERNAL : 0};
    if (file_log.has_views && file_log.invariant)
        file_log.invariant();
    if (file_log.has_views && file_log.view) {
        record.flags |= RH_LOG_HAS_VIEW;
        record.count = take_view(values);
    }
    leave();
    record.file = name_of(file);
    add(&record, values);
}

void rh__commit_begin(void)
{
    own.is_committing = true;
    if (file_log.is_open && !(own.is_in_block && file_log.has_views))
        enter();
}

void rh__commit_end(bool commits, const char *file, int line)
{
    own.is_committing = false;
    if (!file_log.is_open)
        return;
    if (commits)
        commit(file, line);
    else
        leave();
}

struct rh__block rh__block_begin(const char *file, int line)
{
    if (file_log.is_open && file_log.has_views)
        enter();
    own.is_in_block = true;
    own.block_file = file;
    own.block_line = line;
    return (struct rh__block){true};
}

static void end_block(bool commits)
{
    own.is_in_block = false;
    if (!file_log.is_open)
        return;
    if (!file_log.has_views && commits)
        enter();
    if (commits)
        commit(own.block_file, own.block_line);
    else if (file_log.has_views)
        leave();
}

void rh__block_end(struct rh__block *block)
{
    block->is_open = false;
    end_block(true);
}

void rh__block_left(struct rh__block *block)
{
    if (block->is_open)
        end_block(false);
}

// --- Beginning and end. ---

// What a child does is no part of the run.
static void leave_to_parent(void)
{
    file_log.is_open = false;
}

static void open_log(const char *path)
{
    char head[RH_LOG_HEAD] = RH_LOG_MAGIC;
    file_log.file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (file_log.file < 0 || write(file_log.file, head, sizeof head) != (ssize_t)sizeof head) {
        fprintf(stderr, "rehearse: REHEARSE_LOG: %s can't be written\n", path);
        return;
    }
    const char *views = getenv("REHEARSE_LOG_VIEWS");
    file_log.has_views = views && *views && strcmp(views, "0") != 0;
    file_log.size = RH_LOG_HEAD;
    file_log.is_open = pthread_atfork(NULL, NULL, leave_to_parent) == 0;
}

__attribute__((constructor)) static void begin(void)
{
    const struct rh__component_entry *entry =
        &__start_rh_components[0] < &__stop_rh_components[0] ? __start_rh_components : NULL;
    if (entry && entry->component->setup)
        entry->component->setup();
    file_log.view = entry ? entry->component->view : NULL;
    file_log.invariant = entry ? entry->component->invariant : NULL;
    const char *path = getenv("REHEARSE_LOG");
    if (path && *path)
        open_log(path);
}

__attribute__((destructor)) static void end(void)
{
    int64_t values[3 * RH_ITEMS_MOST];
    if (file_log.is_open && file_log.invariant)
        file_log.invariant();
    if (!file_log.is_open || !file_log.view)
        return;
    struct rh_log_record record = {.number = draw(), .kind = RH_LOG_VIEW};
    record.count = take_view(values);
    struct rh_log_record last = {.number = draw(), .kind = RH_LOG_END};
    add(&record, values);
    add(&last, values);
}

void rh__check(bool holds, const char *condition, const char *file, int line)
{
    if (holds)
        return;
    fprintf(stderr, "%s:%d: check failed: %s\n", file, line, condition);
    abort();
}
