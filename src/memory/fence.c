// SPDX-License-Identifier: MIT
#include "memory/fence.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#include "memory/globals.h"

enum { PAGE = 4096, SYSCALL_LENGTH = 2, SIGRETURN_LENGTH = 16 };
enum { TRAP_FLAG = 0x100, DIRECTION_FLAG = 0x400, WRITE_FAULT = 2 };

// Names that older headers lack.
enum { SET_DISPATCH = 59, DISPATCH_ON = 1, DISPATCHED = 2 };

static uint64_t page_of(uint64_t address)
{
    return address & ~(uint64_t)(PAGE - 1);
}

// Pages.

static void set_access(struct rh_fence *fence, int access)
{
    for (size_t i = 0; i < fence->pages.count; i++) {
        const struct rh_pages *pages = &fence->pages.items[i];
        if (mprotect((void *)pages->start, pages->end - pages->start, access) != 0 &&
            access == PROT_NONE)
            fence->give_up(fence->context,
                           "there are too many blocks given away to guard them all");
    }
}

// With an attribute of its own the kernel keeps a stretch of pages apart from those around it.
// Otherwise it would part and join them with every step, which takes three times as long.
static void set_apart(struct rh_fence *fence, bool apart)
{
    if (fence->set_apart == apart)
        return;
    fence->set_apart = apart;
    for (size_t i = 0; i < fence->pages.count; i++) {
        const struct rh_pages *pages = &fence->pages.items[i];
        madvise((void *)pages->start, pages->end - pages->start,
                apart ? MADV_DONTDUMP : MADV_DODUMP);
    }
}

static void add_given(struct rh_fence *fence, const struct rh_heap_block *block)
{
    uint64_t start = page_of((uint64_t)block->start);
    uint64_t end = page_of((uint64_t)block->start + block->size + PAGE - 1);
    size_t count = fence->pages.count;
    *rh_vector_push(&fence->given) = *block;
    if (count == 0 || fence->pages.items[count - 1].end < start)
        *rh_vector_push(&fence->pages) = (struct rh_pages){start, end};
    else if (fence->pages.items[count - 1].end < end)
        fence->pages.items[count - 1].end = end;
}

// The kernel asks about every system call but the one that ends signal handlers, which is always
// made from one place.
bool rh_fence_watch(struct rh_fence *fence)
{
    struct {
        void *handler;
        unsigned long flags;
        void *restorer;
        uint64_t mask;
    } action = {0};
    if (fence->watches_calls)
        return true;
    syscall(SYS_rt_sigaction, SIGSEGV, NULL, &action, sizeof action.mask);
    fence->watches_calls = prctl(SET_DISPATCH, DISPATCH_ON, (unsigned long)action.restorer,
                                 (unsigned long)SIGRETURN_LENGTH, &fence->asks) == 0;
    return fence->watches_calls;
}

void rh_fence_end(struct rh_fence *fence)
{
    // A fault meanwhile, such as that of a symbol bound on first use, must not turn the watch on in
    // between.
    fence->is_on = false;
    fence->asks = 0;
    set_access(fence, PROT_READ | PROT_WRITE);
    set_apart(fence, false);
    fence->given.count = fence->pages.count = 0;
    fence->opened = (struct rh_pages){0, 0};
}

void rh_fence_begin(struct rh_fence *fence, const struct rh_heap *heap, uint32_t slot)
{
    struct rh_heap_walk walk;
    struct rh_heap_block block;
    rh_heap_walk_init(&walk, heap, slot);
    while (rh_heap_walk_next(&walk, &block))
        if (block.given)
            add_given(fence, &block);
    rh_fence_watch(fence);
    rh_globals_open_tables();
    set_access(fence, PROT_NONE);
    fence->is_on = fence->pages.count > 0;
    rh_fence_resume(fence);
}

void rh_fence_pause(struct rh_fence *fence)
{
    fence->asks = 0;
}

static void note_opened(struct rh_fence *fence, uint64_t start, uint64_t end)
{
    if (fence->opened.end == 0)
        fence->opened = (struct rh_pages){start, end};
    if (start < fence->opened.start)
        fence->opened.start = start;
    if (end > fence->opened.end)
        fence->opened.end = end;
}

// false if the page is not guarded.
static bool open_page(struct rh_fence *fence, uint64_t address)
{
    uint64_t page = page_of(address);
    for (size_t i = 0; i < fence->pages.count; i++)
        if (page >= fence->pages.items[i].start && page < fence->pages.items[i].end) {
            set_apart(fence, true);
            note_opened(fence, page, page + PAGE);
            return mprotect((void *)page, PAGE, PROT_READ | PROT_WRITE) == 0;
        }
    return false;
}

static void open_all(struct rh_fence *fence)
{
    fence->asks = 0;
    set_access(fence, PROT_READ | PROT_WRITE);
    for (size_t i = 0; i < fence->pages.count; i++)
        note_opened(fence, fence->pages.items[i].start, fence->pages.items[i].end);
}

static void close_opened(struct rh_fence *fence)
{
    if (fence->opened.end - fence->opened.start == PAGE)
        mprotect((void *)fence->opened.start, PAGE, PROT_NONE);
    else
        set_access(fence, PROT_NONE);
    fence->opened = (struct rh_pages){0, 0};
}

void rh_fence_open(struct rh_fence *fence, bool open)
{
    if (fence->pages.count == 0)
        return;
    if (open) {
        open_all(fence);
    } else {
        close_opened(fence);
        rh_fence_resume(fence);
    }
}

// Accesses.

// The first given block that ends behind this address; NULL if there is none. `given` is in address
// order.
static const struct rh_heap_block *next_given(const struct rh_fence *fence, uint64_t address)
{
    size_t low = 0, high = fence->given.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const struct rh_heap_block *block = &fence->given.items[middle];
        if ((uint64_t)block->start + block->size > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low < fence->given.count ? &fence->given.items[low] : NULL;
}

static bool is_given(const struct rh_fence *fence, uint64_t start, uint64_t size)
{
    const struct rh_heap_block *block = next_given(fence, start);
    uint64_t first = block ? (uint64_t)block->start : 0;
    return block && (first < start ? size > 0 : first - start < size);
}

// How many bytes an instruction of AVX reads; 0 for other instructions.
static uint64_t vector_width(const uint8_t *code)
{
    switch (code[0]) {
    case 0xc5:
        return code[1] & 4 ? 32 : 16;
    case 0xc4:
        return code[2] & 4 ? 32 : 16;
    case 0x62:
        return UINT64_C(16) << (code[3] >> 5 & 3);
    default:
        return 0;
    }
}

// libc's string functions read whole vectors, some of which begin before the string and use nothing
// of that part. A vector that reaches into the block behind the given one is of this kind, and no
// use of the given block.
static bool reads_behind(const struct rh_fence *fence, uint64_t address, const greg_t *registers)
{
    const struct rh_heap_block *block = next_given(fence, address);
    uint64_t behind = (uint64_t)block->start + block->capacity + RH_HEAP_GAP;
    uint64_t width = vector_width((const uint8_t *)registers[REG_RIP]);
    return !(registers[REG_ERR] & WRITE_FAULT) && behind < address + width;
}

// How many elements of this width can be accessed from here on without leaving the page or meeting
// a given block.
static uint64_t elements_left(const struct rh_fence *fence, uint64_t address, uint64_t width)
{
    uint64_t end = page_of(address) + PAGE;
    const struct rh_heap_block *block = next_given(fence, address);
    if (block && (uint64_t)block->start < end)
        end = (uint64_t)block->start;
    return end > address ? (end - address) / width : 0;
}

// `rep stos` and `rep movs` count as an instruction for each element: this function does a whole
// page of them. false if the instruction is another one.
static bool repeat(struct rh_fence *fence, greg_t *registers)
{
    const uint8_t *code = (const uint8_t *)registers[REG_RIP];
    if (*code++ != 0xf3 || (registers[REG_EFL] & DIRECTION_FLAG))
        return false;
    bool wide = *code == 0x48;
    uint8_t operation = *(code += wide);
    bool moves = (operation & 0xfe) == 0xa4;
    if (!moves && (operation & 0xfe) != 0xaa)
        return false;
    size_t width = !(operation & 1) ? 1 : wide ? 8 : 4;
    char *to = (char *)registers[REG_RDI];
    const char *from = moves ? (const char *)registers[REG_RSI] : (char *)&registers[REG_RAX];
    uint64_t count = elements_left(fence, (uint64_t)to, width);
    uint64_t readable = moves ? elements_left(fence, (uint64_t)from, width) : count;
    count = count < readable ? count : readable;
    if (count > (uint64_t)registers[REG_RCX])
        count = (uint64_t)registers[REG_RCX];
    if (count == 0)
        return false;
    open_page(fence, (uint64_t)to);
    open_page(fence, (uint64_t)from);
    for (uint64_t i = 0; i < count; i++, to += width, from += moves ? width : 0)
        memcpy(to, from, width);
    registers[REG_RDI] = (greg_t)to;
    registers[REG_RSI] = moves ? (greg_t)from : registers[REG_RSI];
    registers[REG_RCX] -= (greg_t)count;
    if (registers[REG_RCX] == 0)
        registers[REG_RIP] = (greg_t)(code + 1);
    close_opened(fence);
    return true;
}

// Moves between registers and memory make up most accesses. They are performed here, since stepping
// over one takes the processor several times as long, in a virtual machine ten times.
struct move {
    bool is_store, is_signed, is_immediate;
    size_t memory;         // bytes that are accessed
    size_t target;         // bytes of the register that a load changes; 4 clears the rest
    uint8_t number;        // of the register
    const uint8_t *behind; // the next instruction
};

static bool decode_operation(struct move *move, const uint8_t **code, uint8_t rex)
{
    size_t word = rex & 8 ? 8 : 4;
    uint8_t operation = *(*code)++;
    bool is_long = operation == 0x0f;
    if (is_long)
        operation = *(*code)++;
    move->is_store = !is_long && (operation == 0x88 || operation == 0x89 || operation >= 0xc6);
    move->is_immediate = operation == 0xc6 || operation == 0xc7;
    move->is_signed = is_long ? operation >= 0xbe : operation == 0x63;
    move->memory = move->target = word;
    switch (is_long << 8 | operation) {
    case 0x88:
    case 0x8a:
    case 0xc6:
        move->memory = move->target = 1;
        return true;
    case 0x89:
    case 0x8b:
    case 0xc7:
        return true;
    case 0x63:
        move->memory = 4;
        return true;
    case 0x1b6:
    case 0x1be:
        move->memory = 1;
        return true;
    case 0x1b7:
    case 0x1bf:
        move->memory = 2;
        return true;
    default:
        return false;
    }
}

static bool decode_move(struct move *move, const uint8_t *code)
{
    uint8_t rex = (*code & 0xf0) == 0x40 ? *code++ : 0;
    if (!decode_operation(move, &code, rex))
        return false;
    uint8_t mode = *code >> 6, field = *code >> 3 & 7, base = *code & 7;
    code++;
    bool has_index = base == 4;
    if (has_index)
        base = *code++ & 7;
    if (mode == 1)
        code += 1;
    else if (mode == 2 || base == 5)
        code += 4;
    move->number = (uint8_t)(field | (rex & 4) << 1);
    move->behind = code;
    if (move->is_immediate)
        move->behind += move->memory == 1 ? 1 : 4;
    bool is_high_byte = !rex && field >= 4 && !move->is_immediate &&
                        (move->target == 1 || (move->is_store && move->memory == 1));
    return mode != 3 && !is_high_byte && !(move->is_immediate && field != 0);
}

static void load(const struct move *move, uint64_t address, greg_t *to)
{
    uint64_t value = 0;
    memcpy(&value, (const void *)address, move->memory);
    unsigned unused = (unsigned)(64 - 8 * move->memory);
    if (move->is_signed)
        value = (uint64_t)((int64_t)(value << unused) >> unused);
    if (move->target == 4)
        value = (uint32_t)value;
    memcpy(to, &value, move->target == 1 ? 1 : 8);
}

static void store(const struct move *move, uint64_t address, const greg_t *from)
{
    int64_t value = *from;
    if (move->is_immediate && move->memory == 1) {
        value = move->behind[-1];
    } else if (move->is_immediate) {
        int32_t immediate;
        memcpy(&immediate, move->behind - 4, sizeof immediate);
        value = immediate;
    }
    memcpy((void *)address, &value, move->memory);
}

// false if the instruction is no such move. The address is where the access begins, unless it is
// the start of a page: such an access may have begun on the page before.
static bool perform_move(struct rh_fence *fence, uint64_t address, greg_t *registers)
{
    static const uint8_t names[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                    REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                    REG_R12, REG_R13, REG_R14, REG_R15};
    struct move move;
    if (!decode_move(&move, (const uint8_t *)registers[REG_RIP]) || address == page_of(address) ||
        page_of(address) != page_of(address + move.memory - 1))
        return false;
    if (move.is_store)
        store(&move, address, &registers[names[move.number]]);
    else
        load(&move, address, &registers[names[move.number]]);
    registers[REG_RIP] = (greg_t)move.behind;
    close_opened(fence);
    return true;
}

enum rh_access rh_fence_fault(struct rh_fence *fence, uint64_t address, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    if (is_given(fence, address, 1) && !reads_behind(fence, address, registers))
        return RH_ACCESS_GIVEN;
    if (!open_page(fence, address))
        return RH_ACCESS_OTHER;
    bool steps = registers[REG_EFL] & TRAP_FLAG;
    if (fence->ours)
        return RH_ACCESS_NEIGHBOUR;
    if (steps || !(perform_move(fence, address, registers) || repeat(fence, registers)))
        registers[REG_EFL] |= TRAP_FLAG;
    return RH_ACCESS_NEIGHBOUR;
}

// System calls.

static bool has_given_vector(const struct rh_fence *fence, const struct iovec *vectors,
                             uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        if (is_given(fence, (uint64_t)vectors[i].iov_base, vectors[i].iov_len))
            return true;
    return false;
}

// Whether the call reads or writes a given block. For a buffer that the call fills, the caller says
// only how long it may get: rh_fence_step looks at what was filled.
static bool call_uses_given(struct rh_fence *fence, const greg_t *registers)
{
    const int names[] = {REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9};
    uint64_t second = (uint64_t)registers[REG_RSI], third = (uint64_t)registers[REG_RDX];
    const struct msghdr *header = (const struct msghdr *)second;
    bool sized = false;
    switch (registers[REG_RAX]) {
    case SYS_write:
    case SYS_pwrite64:
    case SYS_sendto:
        sized = true;
        if (is_given(fence, second, third))
            return true;
        break;
    case SYS_read:
    case SYS_pread64:
    case SYS_recvfrom:
    case SYS_getdents64:
        sized = true;
        fence->filled = second;
        break;
    case SYS_readv:
    case SYS_writev:
    case SYS_preadv:
    case SYS_pwritev:
        if (!is_given(fence, second, 1) &&
            has_given_vector(fence, (const struct iovec *)second, third))
            return true;
        break;
    case SYS_sendmsg:
    case SYS_recvmsg:
        if (!is_given(fence, second, 1) &&
            has_given_vector(fence, header->msg_iov, header->msg_iovlen))
            return true;
        break;
    default:
        break;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_given(fence, (uint64_t)registers[names[i]], 1) && !(sized && names[i] == REG_RSI))
            return true;
    return false;
}

// libc blocks all signals now and then. The kernel ends a process in which one of our three signals
// is due and blocked, so these stay open. `mask` is the one that the signal handler returns to.
static bool change_mask(greg_t *registers, uint64_t *mask)
{
    const uint64_t *set = (const uint64_t *)registers[REG_RSI];
    uint64_t *old = (uint64_t *)registers[REG_RDX];
    uint64_t ours =
        UINT64_C(1) << (SIGSEGV - 1) | UINT64_C(1) << (SIGTRAP - 1) | UINT64_C(1) << (SIGSYS - 1);
    if (registers[REG_RAX] != SYS_rt_sigprocmask || !set || registers[REG_RDI] == SIG_UNBLOCK)
        return false;
    uint64_t before = *mask;
    uint64_t after = registers[REG_RDI] == SIG_BLOCK ? before | *set : *set;
    if (old)
        *old = before;
    *mask = after & ~ours;
    registers[REG_RAX] = 0;
    return true;
}

enum rh_access rh_fence_call(struct rh_fence *fence, const siginfo_t *info, void *context)
{
    ucontext_t *interrupted = context;
    greg_t *registers = interrupted->uc_mcontext.gregs;
    if (info->si_code != DISPATCHED)
        return RH_ACCESS_OTHER;
    if (!fence->is_on) {
        registers[REG_RIP] -= SYSCALL_LENGTH;
        return RH_ACCESS_NEIGHBOUR;
    }
    fence->filled = 0;
    // Reading the program's memory may fault, and the fault's handler looks at the fence and
    // changes it.
    fence->ours = true;
    atomic_signal_fence(memory_order_seq_cst);
    bool is_given_used = call_uses_given(fence, registers);
    bool is_done = !is_given_used && change_mask(registers, (uint64_t *)&interrupted->uc_sigmask);
    atomic_signal_fence(memory_order_seq_cst);
    fence->ours = false;
    if (is_given_used)
        return RH_ACCESS_GIVEN;
    if (is_done) {
        if (fence->opened.end != 0)
            close_opened(fence);
        return RH_ACCESS_NEIGHBOUR;
    }
    open_all(fence);
    registers[REG_RIP] -= SYSCALL_LENGTH;
    registers[REG_EFL] |= TRAP_FLAG;
    return RH_ACCESS_NEIGHBOUR;
}

enum rh_access rh_fence_step(struct rh_fence *fence, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    rh_fence_pause(fence);
    if (!(registers[REG_EFL] & TRAP_FLAG))
        return RH_ACCESS_OTHER;
    registers[REG_EFL] &= ~(greg_t)TRAP_FLAG;
    greg_t filled = fence->filled ? registers[REG_RAX] : 0;
    if (filled > 0 && is_given(fence, fence->filled, (uint64_t)filled))
        return RH_ACCESS_GIVEN;
    fence->filled = 0;
    if (fence->opened.end != 0)
        close_opened(fence);
    rh_fence_resume(fence);
    return RH_ACCESS_NEIGHBOUR;
}
