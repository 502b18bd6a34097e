// SPDX-License-Identifier: MIT
#include "threads/journal.h"

#include <string.h>
#include <sys/mman.h>

#include "base/status.h"
#include "threads/engine.h"
#include "threads/look.h"

enum { PIECE = 16, PIECES_MOST = 1 << 16 };

static struct journal {
    uint32_t count;
    struct piece {
        uintptr_t address;
        uint32_t size;
        unsigned char bytes[PIECE];
    } pieces[PIECES_MOST];
} * journal;

void rh__journal_start(void)
{
    journal = mmap(NULL, sizeof *journal, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    rh_assert(journal != MAP_FAILED);
}

void rh__journal_begin(void)
{
    journal->count = 0;
    rh__engine->is_journaling = true;
}

void rh__journal_note(uintptr_t address, size_t size)
{
    if (address - RH_STACKS_ADDRESS < RH_THREADS_MOST * RH_STACK_SIZE)
        return;
    for (size_t done = 0; done < size; done += PIECE) {
        if (journal->count == PIECES_MOST)
            rh__exceed("writes more than a megabyte in an operation that is taken back");
        struct piece *piece = &journal->pieces[journal->count++];
        piece->address = address + done;
        piece->size = (uint32_t)(size - done < PIECE ? size - done : PIECE);
        memcpy(piece->bytes, (const void *)piece->address, piece->size);
    }
}

void rh__journal_undo(void)
{
    rh__engine->is_journaling = false;
    rh__look_forget();
    while (journal->count) {
        const struct piece *piece = &journal->pieces[--journal->count];
        memcpy((void *)piece->address, piece->bytes, piece->size);
    }
}
