// SPDX-License-Identifier: MIT
// The end of a run: what was left, and what of that is wrong.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/runtime.h"

void rh_cell_name(const struct rh_runtime *runtime, const struct rh_cell *cell,
                  char name[RH_NAME_SIZE])
{
    static const char suffix[] = "_behaviour";
    if (cell->status == RH_CELL_OUTSIDE) {
        snprintf(name, RH_NAME_SIZE, "%s", cell->behaviour_name);
        return;
    }
    const char *behaviour = cell->spawned_name ? cell->spawned_name : "nobody";
    size_t length = strlen(behaviour), tail = sizeof suffix - 1;
    if (length > tail && strcmp(behaviour + length - tail, suffix) == 0)
        length -= tail;
    if (cell->number > 0) {
        snprintf(name, RH_NAME_SIZE, "%.*s#%u", (int)length, behaviour, cell->number);
        return;
    }
    // What its creator was handling then is not known here. Cells are used again, so from the
    // second life in a cell on the number of the life is in the name.
    int count = snprintf(name, RH_NAME_SIZE, "%.*s@%u", (int)length, behaviour,
                         (unsigned)(cell - runtime->cells.cells) + 1);
    if (cell->life > 1 && count > 0 && count < RH_NAME_SIZE)
        snprintf(name + count, RH_NAME_SIZE - (size_t)count, ".%u", cell->life);
}

static void add_counts(struct rh_counts *sum, const struct rh_counts *counts)
{
    sum->spawned += counts->spawned;
    sum->delivered += counts->delivered;
    sum->undelivered += counts->undelivered;
    sum->dropped += counts->dropped;
    sum->unhandled += counts->unhandled;
    sum->stopped += counts->stopped;
    if (!sum->first_undelivered)
        sum->first_undelivered = counts->first_undelivered;
    if (!sum->first_unhandled) {
        sum->first_unhandled = counts->first_unhandled;
        sum->unhandled_by = counts->unhandled_by;
    }
}

static struct rh_counts sum_of(const struct rh_runtime *runtime)
{
    struct rh_counts sum = runtime->outside.counts;
    for (unsigned i = 0; i < runtime->carrier_count; i++)
        add_counts(&sum, &runtime->carriers[i].post.counts);
    return sum;
}

// What was left at the end of the run.
struct left {
    uint64_t messages;
    uint64_t waiting;
    uint64_t refused;
    const struct rh_cell *first_waiting;
    const struct rh_cell *first_refusing;
};

static uint64_t count_list(const struct rh_mail *mail)
{
    uint64_t count = 0;
    for (; mail; mail = mail->next)
        count++;
    return count;
}

static void look_at(struct left *left, const struct rh_cell *cell)
{
    uint64_t refused = count_list(cell->refused);
    left->messages += refused + count_list(cell->inbox);
    left->refused += refused;
    if (refused > 0 && !left->first_refusing)
        left->first_refusing = cell;
    if (cell->wait) {
        left->waiting++;
        if (!left->first_waiting)
            left->first_waiting = cell;
    }
}

static struct left find_left(const struct rh_runtime *runtime)
{
    struct left left = {.messages = count_list(runtime->unfired)};
    for (uint32_t i = 0; i < runtime->cells.used; i++)
        if (runtime->cells.cells[i].status == RH_CELL_ALIVE ||
            runtime->cells.cells[i].status == RH_CELL_RESERVED)
            look_at(&left, &runtime->cells.cells[i]);
    return left;
}

static void say_waiting(const struct rh_runtime *runtime, const struct left *left)
{
    char name[RH_NAME_SIZE];
    rh_cell_name(runtime, left->first_waiting, name);
    const struct rh_wait *wait = left->first_waiting->wait;
    fprintf(stderr, "rehearse: %s waits %s %s that never comes", name,
            wait->asked ? "for a reply to" : "for room to send", wait->type->name);
    if (left->waiting > 1)
        fprintf(stderr, "; so do %llu other actors", (unsigned long long)left->waiting - 1);
    fprintf(stderr, "\n");
}

static void say_refused(const struct rh_runtime *runtime, const struct left *left)
{
    char name[RH_NAME_SIZE];
    rh_cell_name(runtime, left->first_refusing, name);
    fprintf(stderr, "rehearse: the guard of %s refuses %s for ever", name,
            left->first_refusing->refused->type->name);
    if (left->refused > 1)
        fprintf(stderr, "; %llu messages are refused in all", (unsigned long long)left->refused);
    fprintf(stderr, "\n");
}

// Threads from outside may take their time, but not beyond the end of the run.
static void say_reserved(const struct rh_runtime *runtime)
{
    char name[RH_NAME_SIZE];
    rh_cell_name(runtime, runtime->reserved, name);
    fprintf(stderr, "rehearse: %s was reserved at %s:%u and never spawned\n", name,
            runtime->reserved->file, runtime->reserved->line);
}

static void say_counts(const struct rh_counts *counts)
{
    if (counts->unhandled > 0)
        fprintf(stderr, "rehearse: %s did not handle %s; %llu deliveries were not handled in all\n",
                counts->unhandled_by, counts->first_unhandled->name,
                (unsigned long long)counts->unhandled);
    if (counts->undelivered > 0)
        fprintf(stderr, "rehearse: %llu messages to actors that had stopped, first %s\n",
                (unsigned long long)counts->undelivered, counts->first_undelivered->name);
    if (counts->dropped > 0)
        fprintf(stderr, "rehearse: %llu messages were dropped because mailboxes were full\n",
                (unsigned long long)counts->dropped);
}

// Says nothing about actors that wait after rh_shutdown: they might have gone on.
static void say(const struct rh_runtime *runtime, const struct rh_counts *counts,
                const struct left *left)
{
    if (!runtime->shut_down && left->waiting > 0)
        say_waiting(runtime, left);
    if (!runtime->shut_down && left->refused > 0)
        say_refused(runtime, left);
    if (!runtime->shut_down && runtime->reserved)
        say_reserved(runtime);
    say_counts(counts);
}

int rh_runtime_conclude(struct rh_runtime *runtime)
{
    struct rh_counts counts = sum_of(runtime);
    struct left left = find_left(runtime);
    if (runtime->options.summary)
        *runtime->options.summary = (struct rh_summary){
            .spawned = counts.spawned,
            .delivered = counts.delivered,
            .undelivered = counts.undelivered,
            .dropped = counts.dropped,
            .unhandled = counts.unhandled,
            .left = left.messages,
            .waiting = left.waiting,
            .alive = counts.spawned - counts.stopped,
        };
    if (!runtime->options.quiet)
        say(runtime, &counts, &left);
    bool is_stuck =
        !runtime->shut_down && (left.waiting > 0 || left.refused > 0 || runtime->reserved);
    return is_stuck || counts.unhandled > 0 ? 1 : 0;
}
