// SPDX-License-Identifier: MIT
// The functions that gcc and clang call with -fsanitize=thread; compiler-rt's names. Each comes
// before its access, except that atomic operations are made here.
#include "threads/hooks.h"

#include <string.h>

#include "threads/engine.h"
#include "threads/journal.h"
#include "threads/look.h"
#include "trace/finding_kind.h"

bool rh__has_engine;

static inline bool is_watched(void)
{
    return rh__has_engine && rh__engine->is_active && !rh__engine->quiet;
}

static void check_freed(uintptr_t address, size_t size, bool writes, uintptr_t code)
{
    if (__builtin_expect(rh__heap_has(address), false) &&
        (rh__heap_is_freed(address) || rh__heap_is_freed(address + size - 1)))
        rh__fail(RH_FINDING_CRASH, code, "%s memory that was freed", writes ? "writes" : "reads");
}

// A view or a specification uses memory, and nothing is scheduled.
static void note(uintptr_t address, size_t size, bool writes)
{
    if (!rh__has_engine || !size)
        return;
    if (rh__engine->is_viewing)
        rh__note_viewed(address, size);
    if (writes && rh__engine->is_marked)
        rh__look_note(address, size);
    if (writes && rh__engine->is_journaling)
        rh__journal_note(address, size);
}

static void access_memory(uintptr_t address, size_t size, bool writes, bool is_atomic,
                          uintptr_t code)
{
    if (size && rh__is_shared(address, size, writes)) {
        rh__current()->has_commit = true;
        rh__point(writes ? RH_ACT_WRITE : RH_ACT_READ, address, size, is_atomic, code);
        if (!writes)
            rh__spin_read(address, size, code);
        else if (!is_atomic)
            rh__spin_write();
        if (writes && rh__engine->is_marked)
            rh__look_note(address, size);
    } else {
        rh__current()->calls++;
        if (__builtin_expect(++rh__engine->silent >= RH_SILENT_LONG, false))
            rh__spin_silent(address, size, writes, code);
        if (rh__engine->mode == RH_MODE_FOLLOW)
            rh__follow();
    }
    check_freed(address, size, writes, code);
    if (__builtin_expect(rh__engine->open_blocks, 0) && size)
        rh__block_access(address, size, writes, code);
    if (__builtin_expect(rh__engine->is_journaling, false) && writes && size)
        rh__journal_note(address, size);
}

void rh__hook(uintptr_t address, size_t size, bool writes, uintptr_t code)
{
    if (is_watched())
        access_memory(address, size, writes, false, code);
    else
        note(address, size, writes);
}

// Volatile is atomic to who says so; the order between such accesses is that of weak ones.
static void hook_volatile(uintptr_t address, size_t size, bool writes, uintptr_t code)
{
    if (!is_watched()) {
        note(address, size, writes);
        return;
    }
    bool is_atomic = rh__engine->volatile_is_atomic;
    rh__engine->has_weak_atomics = rh__engine->has_weak_atomics || is_atomic;
    access_memory(address, size, writes, is_atomic, code);
    if (is_atomic && writes)
        rh__spin_write();
}

#define HERE ((uintptr_t)__builtin_return_address(0))

#define ACCESS(name, size, writes)                                                                 \
    void name(void *address);                                                                      \
    void name(void *address)                                                                       \
    {                                                                                              \
        rh__hook((uintptr_t)address, size, writes, HERE);                                          \
    }                                                                                              \
    void name##_pc(void *address, void *code);                                                     \
    void name##_pc(void *address, void *code)                                                      \
    {                                                                                              \
        rh__hook((uintptr_t)address, size, writes, (uintptr_t)code);                               \
    }

// An access that reads and then writes, as clang says it.
#define READ_WRITE(name, size)                                                                     \
    void name(void *address);                                                                      \
    void name(void *address)                                                                       \
    {                                                                                              \
        rh__hook((uintptr_t)address, size, false, HERE);                                           \
        rh__hook((uintptr_t)address, size, true, HERE);                                            \
    }

#define VOLATILE(name, size, writes)                                                               \
    void name(void *address);                                                                      \
    void name(void *address)                                                                       \
    {                                                                                              \
        hook_volatile((uintptr_t)address, size, writes, HERE);                                     \
    }

#define SIZED(size)                                                                                \
    ACCESS(__tsan_read##size, size, false)                                                         \
    ACCESS(__tsan_write##size, size, true)                                                         \
    VOLATILE(__tsan_volatile_read##size, size, false)                                              \
    VOLATILE(__tsan_volatile_write##size, size, true)                                              \
    READ_WRITE(__tsan_read_write##size, size)

#define UNALIGNED(size)                                                                            \
    ACCESS(__tsan_unaligned_read##size, size, false)                                               \
    ACCESS(__tsan_unaligned_write##size, size, true)                                               \
    ACCESS(__tsan_unaligned_volatile_read##size, size, false)                                      \
    ACCESS(__tsan_unaligned_volatile_write##size, size, true)                                      \
    READ_WRITE(__tsan_unaligned_read_write##size, size)

SIZED(1)
SIZED(2)
SIZED(4)
SIZED(8)
SIZED(16)
UNALIGNED(2)
UNALIGNED(4)
UNALIGNED(8)
UNALIGNED(16)

#define RANGE(name, writes)                                                                        \
    void name(void *address, size_t size);                                                         \
    void name(void *address, size_t size)                                                          \
    {                                                                                              \
        rh__hook((uintptr_t)address, size, writes, HERE);                                          \
    }                                                                                              \
    void name##_pc(void *address, size_t size, void *code);                                        \
    void name##_pc(void *address, size_t size, void *code)                                         \
    {                                                                                              \
        rh__hook((uintptr_t)address, size, writes, (uintptr_t)code);                               \
    }

RANGE(__tsan_read_range, false)
RANGE(__tsan_write_range, true)

#define NOTHING(name, ...)                                                                         \
    void name(__VA_ARGS__);                                                                        \
    void name(__VA_ARGS__)                                                                         \
    {                                                                                              \
    }

NOTHING(__tsan_init, void)
NOTHING(__tsan_func_exit, void)
NOTHING(__tsan_ignore_thread_begin, void)
NOTHING(__tsan_ignore_thread_end, void)

void __tsan_func_entry(void *code);
void __tsan_func_entry(void *code)
{
    (void)code;
}

void __tsan_vptr_read(void **address);
void __tsan_vptr_read(void **address)
{
    rh__hook((uintptr_t)address, sizeof *address, false, HERE);
}

void __tsan_vptr_update(void **address, void *value);
void __tsan_vptr_update(void **address, void *value)
{
    if (*address != value)
        rh__hook((uintptr_t)address, sizeof *address, true, HERE);
}

// --- Memory functions of libc. ---

void *__tsan_memcpy(void *to, const void *from, size_t size);
void *__tsan_memcpy(void *to, const void *from, size_t size)
{
    rh__hook((uintptr_t)from, size, false, HERE);
    rh__hook((uintptr_t)to, size, true, HERE);
    return memmove(to, from, size);
}

void *__tsan_memmove(void *to, const void *from, size_t size);
void *__tsan_memmove(void *to, const void *from, size_t size)
{
    return __tsan_memcpy(to, from, size);
}

void *__tsan_memset(void *to, int byte, size_t size);
void *__tsan_memset(void *to, int byte, size_t size)
{
    rh__hook((uintptr_t)to, size, true, HERE);
    return memset(to, byte, size);
}

// --- Atomic operations. One thread runs at a time, so they are plain code behind the point. ---

static void hook_atomic(uintptr_t address, size_t size, bool writes, int order, uintptr_t code)
{
    if (!is_watched()) {
        note(address, size, writes);
        return;
    }
    if (order != __ATOMIC_SEQ_CST)
        rh__engine->has_weak_atomics = true;
    access_memory(address, size, writes, true, code);
}

// An atomic operation that changes nothing is a read to whoever waits for a change.
static void note_update(uintptr_t address, size_t size, bool is_same, uintptr_t code)
{
    if (!is_watched())
        return;
    if (is_same)
        rh__spin_read(address, size, code);
    else
        rh__spin_write();
}

#define FETCH(bits, type, name, expression)                                                        \
    type __tsan_atomic##bits##_##name(volatile type *address, type value, int order);              \
    type __tsan_atomic##bits##_##name(volatile type *address, type value, int order)               \
    {                                                                                              \
        hook_atomic((uintptr_t)address, sizeof(type), true, order, HERE);                          \
        type old = *address;                                                                       \
        type new = (type)(expression);                                                             \
        note_update((uintptr_t)address, sizeof(type), old == new, HERE);                           \
        *address = new;                                                                            \
        return old;                                                                                \
    }

#define EXCHANGE(bits, type, name)                                                                 \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile type *address, type *expected,      \
                                                      type value, int order, int failure);         \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile type *address, type *expected,      \
                                                      type value, int order, int failure)          \
    {                                                                                              \
        (void)failure;                                                                             \
        hook_atomic((uintptr_t)address, sizeof(type), true, order, HERE);                          \
        type old = *address;                                                                       \
        bool is_equal = old == *expected;                                                          \
        note_update((uintptr_t)address, sizeof(type), !is_equal, HERE);                            \
        if (is_equal)                                                                              \
            *address = value;                                                                      \
        else                                                                                       \
            *expected = old;                                                                       \
        return is_equal;                                                                           \
    }

#define ATOMIC(bits, type)                                                                         \
    type __tsan_atomic##bits##_load(const volatile type *address, int order);                      \
    type __tsan_atomic##bits##_load(const volatile type *address, int order)                       \
    {                                                                                              \
        hook_atomic((uintptr_t)address, sizeof(type), false, order, HERE);                         \
        return *address;                                                                           \
    }                                                                                              \
    void __tsan_atomic##bits##_store(volatile type *address, type value, int order);               \
    void __tsan_atomic##bits##_store(volatile type *address, type value, int order)                \
    {                                                                                              \
        hook_atomic((uintptr_t)address, sizeof(type), true, order, HERE);                          \
        note_update((uintptr_t)address, sizeof(type), false, HERE);                                \
        *address = value;                                                                          \
    }                                                                                              \
    FETCH(bits, type, exchange, value)                                                             \
    FETCH(bits, type, fetch_add, old + value)                                                      \
    FETCH(bits, type, fetch_sub, old - value)                                                      \
    FETCH(bits, type, fetch_and, old &value)                                                       \
    FETCH(bits, type, fetch_or, old | value)                                                       \
    FETCH(bits, type, fetch_xor, old ^ value)                                                      \
    FETCH(bits, type, fetch_nand, ~(old & value))                                                  \
    EXCHANGE(bits, type, strong)                                                                   \
    EXCHANGE(bits, type, weak)                                                                     \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type *address, type expected,         \
                                                    type value, int order, int failure);           \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type *address, type expected,         \
                                                    type value, int order, int failure)            \
    {                                                                                              \
        type old = expected;                                                                       \
        __tsan_atomic##bits##_compare_exchange_strong(address, &old, value, order, failure);       \
        return old;                                                                                \
    }

__extension__ typedef unsigned __int128 rh_uint128;

ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)
ATOMIC(128, rh_uint128)

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order)
{
    if (is_watched() && order != __ATOMIC_SEQ_CST)
        rh__engine->has_weak_atomics = true;
}

void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order)
{
    (void)order;
}
