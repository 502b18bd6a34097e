// SPDX-License-Identifier: MIT
// Memory that the program under test allocates. Each thread has a heap of its own at a fixed
// address, so that a block's address depends on what its thread has done and on nothing else.
// Blocks are used again by the thread that has freed them, the last one first, as libc does: bugs
// that need a block to come back are found. Which blocks are free is kept apart from them, so that
// an access to a free one is noticed.
#include <errno.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file_name.h"
#include "base/status.h"
#include "threads/engine.h"
#include "threads/hooks.h"
#include "trace/finding_kind.h"

enum { UNIT = 16, CLASSES = 64, FREED_MOST = 1 << 16 };

#define BOOKS_ADDRESS UINT64_C(0x340000000000)
#define UNITS (RH_THREADS_MOST * (RH_HEAP_SIZE / UNIT))

struct heap {
    uintptr_t end; // of what was ever handed out
    uintptr_t
        free[CLASSES]; // the last freed block of each size in units; larger ones are not reused
};

struct all_books {
    struct heap heaps[RH_THREADS_MOST];
    struct heap taken[RH_THREADS_MOST]; // as they were when the image was taken
    uintptr_t log[FREED_MOST];          // blocks that this execution has freed
    uint32_t log_count;
    uint64_t freed[UNITS / 64]; // a bit for each unit
};

#define books ((struct all_books *)BOOKS_ADDRESS)

// Stands before each block.
struct head {
    uint64_t size; // that was asked for
    uintptr_t next_free;
};

static uintptr_t heap_start(int thread)
{
    return RH_HEAP_ADDRESS + (uintptr_t)thread * RH_HEAP_SIZE;
}

static bool has_heap;
// The program's variables are given what they begin with.
static bool is_early;
// libc's code: what it allocates for itself it keeps for longer than an execution.
static uintptr_t libc_start, libc_end;

static int find_libc(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    (void)context;
    if (strncmp(rh_base_name(info->dlpi_name), "libc.so", strlen("libc.so")) != 0)
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_LOAD || !(header->p_flags & PF_X))
            continue;
        libc_start = info->dlpi_addr + header->p_vaddr;
        libc_end = libc_start + header->p_memsz;
    }
    return 1;
}

void rh__heap_begin_early(void)
{
    rh__heap_start();
    is_early = true;
}

void rh__heap_end_early(void)
{
    is_early = false;
}

void rh__heap_start(void)
{
    if (has_heap)
        return;
    has_heap = true;
    dl_iterate_phdr(find_libc, NULL);
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    void *first = mmap((void *)RH_HEAP_ADDRESS, RH_THREADS_MOST * RH_HEAP_SIZE,
                       PROT_READ | PROT_WRITE, flags, -1, 0);
    void *second =
        mmap((void *)BOOKS_ADDRESS, sizeof(struct all_books), PROT_READ | PROT_WRITE, flags, -1, 0);
    rh_assert(first == (void *)RH_HEAP_ADDRESS && second == (void *)BOOKS_ADDRESS);
    for (int i = 0; i < RH_THREADS_MOST; i++)
        books->heaps[i].end = heap_start(i);
}

static struct head *head_of(uintptr_t block)
{
    return (struct head *)(block - sizeof(struct head));
}

static uint64_t units_of(uint64_t size)
{
    return (size + UNIT - 1) / UNIT + (size == 0);
}

static void mark(uintptr_t block, bool is_freed)
{
    uint64_t first = (block - RH_HEAP_ADDRESS) / UNIT;
    for (uint64_t i = first; i < first + units_of(head_of(block)->size); i++) {
        uint64_t bit = UINT64_C(1) << (i % 64);
        books->freed[i / 64] = is_freed ? books->freed[i / 64] | bit : books->freed[i / 64] & ~bit;
    }
}

bool rh__heap_is_freed(uintptr_t address)
{
    if (!rh__heap_has(address))
        return false;
    uint64_t unit = (address - RH_HEAP_ADDRESS) / UNIT;
    return books->freed[unit / 64] >> (unit % 64) & 1;
}

static uintptr_t take_new(struct heap *heap, uint64_t units, size_t alignment)
{
    uintptr_t block = (heap->end + sizeof(struct head) + alignment - 1) & ~(alignment - 1);
    uintptr_t limit = heap_start((int)(heap - books->heaps) + 1);
    if (units > RH_HEAP_SIZE / UNIT || block + units * UNIT > limit)
        return 0;
    heap->end = block + units * UNIT;
    return block;
}

static struct heap *own_heap(void)
{
    return &books->heaps[is_early ? 0 : rh__engine->current];
}

static void *allocate(size_t size, size_t alignment)
{
    struct heap *heap = own_heap();
    if (size > RH_HEAP_SIZE)
        return NULL;
    uint64_t units = units_of(size);
    uintptr_t block = units < CLASSES && alignment <= UNIT ? heap->free[units] : 0;
    if (block) {
        heap->free[units] = head_of(block)->next_free;
        head_of(block)->size = size;
        mark(block, false);
    } else {
        block = take_new(heap, units, alignment < UNIT ? UNIT : alignment);
    }
    if (!block) {
        errno = ENOMEM;
        return NULL;
    }
    head_of(block)->size = size;
    memset((void *)block, 0, units * UNIT);
    return (void *)block;
}

static bool is_journaling(void)
{
    return !is_early && rh__engine->is_journaling;
}

static void release(uintptr_t block, uintptr_t code)
{
    if (rh__heap_is_freed(block))
        rh__fail(RH_FINDING_CRASH, code, "frees memory that was freed before");
    uint64_t units = units_of(head_of(block)->size);
    rh__hook(block, head_of(block)->size + !head_of(block)->size, true, code);
    if (rh__heap_is_freed(block))
        rh__fail(RH_FINDING_CRASH, code, "frees memory that was freed before");
    mark(block, true);
    if (!is_early && books->log_count == FREED_MOST)
        rh__exceed("frees more than 65,536 blocks");
    if (!is_early) // what was freed by the set-up stays so
        books->log[books->log_count++] = block;
    struct heap *heap = own_heap();
    if (units >= CLASSES)
        return;
    head_of(block)->next_free = heap->free[units];
    heap->free[units] = block;
}

// --- What is put back. ---

static char *taken_bytes[RH_THREADS_MOST];

void rh__heap_take(void)
{
    for (int i = 0; i < RH_THREADS_MOST; i++) {
        books->taken[i] = books->heaps[i];
        size_t size = books->heaps[i].end - heap_start(i);
        if (!size)
            continue;
        taken_bytes[i] =
            mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        rh_assert(taken_bytes[i] != MAP_FAILED);
        memcpy(taken_bytes[i], (void *)heap_start(i), size);
    }
    books->log_count = 0;
}

void rh__heap_restore(void)
{
    // A block that was freed twice over was allocated in between, perhaps smaller.
    for (uint32_t i = books->log_count; i-- > 0;) {
        uint64_t first = (books->log[i] - RH_HEAP_ADDRESS) / UNIT;
        for (uint64_t k = first; k < first + units_of(head_of(books->log[i])->size); k++)
            books->freed[k / 64] &= ~(UINT64_C(1) << (k % 64));
    }
    books->log_count = 0;
    for (int i = 0; i < RH_THREADS_MOST; i++) {
        books->heaps[i] = books->taken[i];
        if (taken_bytes[i])
            memcpy((void *)heap_start(i), taken_bytes[i], books->taken[i].end - heap_start(i));
    }
}

// --- libc's functions. ---

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

#define HERE ((uintptr_t)__builtin_return_address(0))

static inline bool serves(uintptr_t caller)
{
    bool is_programs = *(volatile bool *)&is_early ||
                       (*(volatile bool *)&rh__has_engine && rh__engine->is_serving);
    return is_programs && caller - libc_start >= libc_end - libc_start;
}

void *malloc(size_t size)
{
    return serves(HERE) ? allocate(size, UNIT) : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    size_t bytes;
    if (!serves(HERE))
        return __libc_calloc(count, size);
    return __builtin_mul_overflow(count, size, &bytes) ? NULL : allocate(bytes, UNIT);
}

void free(void *block)
{
    if (!block)
        return;
    if (!rh__heap_has((uintptr_t)block))
        __libc_free(block);
    else if (serves(HERE) && !is_journaling())
        release((uintptr_t)block, HERE);
}

void *realloc(void *block, size_t size)
{
    if ((block || !serves(HERE)) && !rh__heap_has((uintptr_t)block))
        return __libc_realloc(block, size);
    void *copy = allocate(size, UNIT);
    if (!copy || !block)
        return copy;
    size_t old = head_of((uintptr_t)block)->size;
    rh__hook((uintptr_t)block, old < size ? old : size, false, HERE);
    memcpy(copy, block, old < size ? old : size);
    if (!is_journaling())
        release((uintptr_t)block, HERE);
    return copy;
}

void *memalign(size_t alignment, size_t size)
{
    return serves(HERE) ? allocate(size, alignment) : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

// Pages that belong to nothing else are memory like any other, which has to be put back.
void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset)
{
    enum { PAGE = 4096, TIED = MAP_FIXED | MAP_FIXED_NOREPLACE | MAP_SHARED | MAP_GROWSDOWN };
    if (serves(HERE) && flags & MAP_ANONYMOUS && !(flags & TIED) && size) {
        void *pages = allocate((size + PAGE - 1) / PAGE * PAGE, PAGE);
        return pages ? pages : MAP_FAILED;
    }
    return (void *)syscall(SYS_mmap, address, size, protection, flags, file, offset);
}

void *mmap64(void *address, size_t size, int protection, int flags, int file, off_t offset)
    __attribute__((alias("mmap")));

// Of a part of such pages nothing is given back.
int munmap(void *address, size_t size)
{
    uintptr_t block = (uintptr_t)address;
    if (!rh__heap_has(block))
        return (int)syscall(SYS_munmap, address, size);
    if (serves(HERE) && !is_journaling() && head_of(block)->size == size)
        release(block, HERE);
    return 0;
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    *block = memalign(alignment, size);
    return *block ? 0 : ENOMEM;
}
