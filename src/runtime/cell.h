// SPDX-License-Identifier: MIT
// A cell is where an actor lives. Cells lie in one array and are used again, so an address (an
// rh_actor *) is no pointer but the cell's number together with the number of the life in that
// cell: a message to an actor that has stopped is known as such whoever lives there now.
//
// Thread rule: the mailbox is everybody's. Everything else belongs to the thread that runs the
// actor, which is at most one at a time, and changes hands with the mailbox.
#ifndef REHEARSE_RUNTIME_CELL_H
#define REHEARSE_RUNTIME_CELL_H

#include "runtime/mailbox.h"

struct rh_wait;
struct rh_carrier;
struct rh_runtime;

enum rh_cell_status {
    RH_CELL_FREE,
    RH_CELL_ALIVE,
    RH_CELL_RESERVED, // an actor that has no state yet
    RH_CELL_OUTSIDE,  // a sender that rh_outside made
};

enum {
    RH_CELL_SMALL = 56,
    RH_CELL_LANE_BITS = 11,
    RH_CELL_LANE_MASK = (1 << RH_CELL_LANE_BITS) - 1,
    RH_CELL_LINE_BITS = 20,
    RH_CELL_LINE_MASK = (1 << RH_CELL_LINE_BITS) - 1,
};

struct rh_cell {
    // A sender writes this line and reads no other. So nothing is here that the thread that runs
    // the actor needs for each message, or the line would go back and forth between the two.
    struct rh_mailbox mailbox;
    union {
        struct rh_spare spare;
        struct {
            const char *file; // where the actor was created, or reserved
            union {
                rh_stop_function *at_stop;
                struct rh_cell *reserved_before; // of a reserved actor: the next in its list
            };
        };
    };
    const char *behaviour_name; // of an outside sender: its name, owned
    struct rh_wait *wait;       // of an actor that waits: its wait
    // In a recorded run: the actor's birth, and above the birth the lower bits of its life. Atomic,
    // for threads from outside.
    uint64_t birth;
    // Senders that wait for room; guarded by the run time's `room_lock`.
    struct rh_wait *senders;
    // Messages to handle; atomic, counted only where mailboxes have a limit.
    int32_t load;
    uint8_t status; // enum rh_cell_status
    bool receptionist;
    // Of an actor from outside: which of its behaviour's it is, from 1, as under control. 0: it is
    // another one, or one of very many.
    uint16_t number;

    // The thread that runs the actor reads this line for each message.
    _Alignas(64) struct rh_mail *inbox; // taken from the mailbox and not handled yet, oldest first
    struct rh_mail *refused;            // refused by the guard; oldest first
    rh_behaviour *behaviour;
    rh_guard *guard;
    void *state; // `small`, or from malloc; NULL without a state
    // In a recorded run: the number of the newest delivery to this actor in its lane, at bit
    // RH_LOG_NUMBER; 0 if there was none.
    uint64_t last;
    const char *spawned_name;          // name of the behaviour that the actor was created with
    uint32_t life;                     // number of the life of the actor in this cell
    unsigned lane : RH_CELL_LANE_BITS; // the recorder's lane in which the actor was last
    unsigned line : RH_CELL_LINE_BITS; // line where the actor was created
    bool stopping : 1;                 // whether the actor has called rh_stop

    _Alignas(64) char small[RH_CELL_SMALL];
    struct rh_mail *last_refused;
};

_Static_assert(sizeof(struct rh_cell) == 192, "a million of them are to fit into little memory");

// How many cells there can be at a time.
#define RH_CELLS_MOST (UINT32_C(1) << 26)

// Free cells of one thread.
struct rh_cell_cache {
    struct rh_magazine magazine;
};

struct rh_cells {
    struct rh_cell *cells; // an address range; pages come with use
    uint32_t used;         // cells of the array that were ever used; atomic
    struct rh_depot depot;
};

bool rh_cells_init(struct rh_cells *cells);
void rh_cells_fini(struct rh_cells *cells);

// A free cell, whose mailbox is closed.
struct rh_cell *rh_cells_take(struct rh_cells *cells, struct rh_cell_cache *cache);
// Frees a cell, whose mailbox is closed.
void rh_cells_give(struct rh_cells *cells, struct rh_cell_cache *cache, struct rh_cell *cell);

static inline uint32_t rh_cell_number(const struct rh_cells *cells, const struct rh_cell *cell)
{
    return (uint32_t)(cell - cells->cells);
}

static inline rh_actor *rh_cell_address(const struct rh_cells *cells, const struct rh_cell *cell)
{
    return (rh_actor *)((uint64_t)cell->life << 32 | rh_cell_number(cells, cell));
}

static inline uint32_t rh_address_life(const rh_actor *address)
{
    return (uint32_t)((uint64_t)address >> 32);
}

// The cell of an address, whoever lives there now; NULL if the address can't be an actor's.
static inline struct rh_cell *rh_address_cell(const struct rh_cells *cells, const rh_actor *address)
{
    uint32_t number = (uint32_t)(uint64_t)address;
    bool exists =
        rh_address_life(address) != 0 && number < __atomic_load_n(&cells->used, __ATOMIC_RELAXED);
    return exists ? &cells->cells[number] : NULL;
}

#endif
