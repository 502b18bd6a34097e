// SPDX-License-Identifier: MIT
#include "threads/look.h"

#include <string.h>
#include <sys/mman.h>

#include "base/status.h"
#include "threads/commit.h"
#include "threads/engine.h"
#include "trace/finding_kind.h"

// All of it lies outside of what is put back between executions.
static struct memory {
    void (*invariant)(void);
    uint64_t changes;                // how often something that is looked at may have changed
    uint64_t viewed_at, asked_at;    // as many as there were by then; 0: never
    void (*viewed)(rh_view *view);   // by whom
    struct rh_view view;             // what it gave
    uint64_t hash;                   // of that
    bool is_asking;                  // the invariant is asked
    enum rh_moment_kind moment_kind; // when that is
    int operation;                   // the same
} * memory;

void rh__look_start(const struct rh_component *component)
{
    memory = mmap(NULL, sizeof *memory, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    rh_assert(memory != MAP_FAILED);
    memory->invariant = component ? component->invariant : NULL;
    memory->changes = 1;
}

void rh__look_forget(void)
{
    if (!memory)
        return;
    memory->changes++;
    memory->is_asking = false;
}

void rh__look_note(uintptr_t address, size_t size)
{
    memory->changes += rh__is_viewed(address, size);
}

// What is shown to people is computed in any case.
static bool can_be_kept(void)
{
    return rh__engine->is_marked && !rh__engine->has_unseen && !rh__engine->log;
}

static void begin(void)
{
    rh__engine->quiet++;
    rh__engine->is_viewing = rh__engine->is_marked;
}

static void end(void)
{
    rh__engine->is_viewing = false;
    rh__engine->quiet--;
}

static void copy(struct rh_view *to, const struct rh_view *from)
{
    to->count = from->count;
    to->is_cut = from->is_cut;
    memcpy(to->items, from->items, (size_t)from->count * sizeof *from->items);
}

uint64_t rh__view_take(void (*look)(rh_view *view), struct rh_view *view)
{
    bool is_looking = look && !rh__engine->has_no_view;
    if (is_looking && look == memory->viewed && memory->viewed_at == memory->changes &&
        can_be_kept()) {
        copy(view, &memory->view);
        return memory->hash;
    }
    view->count = 0;
    view->is_cut = false;
    if (is_looking) {
        begin();
        look(view);
        end();
    }
    if (view->is_cut)
        rh__fail(RH_FINDING_CHECK, 0, "the view has more than %d items", RH_ITEMS_MOST);
    rh__view_sort(view);
    uint64_t hash = rh__view_hash(view);
    if (!is_looking || !can_be_kept())
        return hash;
    copy(&memory->view, view);
    memory->viewed = look;
    memory->viewed_at = memory->changes;
    return memory->hash = hash;
}

// --- Invariants. ---

void rh__invariant_check(enum rh_moment_kind kind, int operation)
{
    if (!memory->invariant || rh__engine->has_no_view ||
        (memory->asked_at == memory->changes && can_be_kept()))
        return;
    memory->moment_kind = kind;
    memory->operation = operation;
    memory->is_asking = true;
    begin();
    memory->invariant();
    end();
    memory->is_asking = false;
    memory->asked_at = memory->changes;
}

void rh__invariant_print(struct rh_text *text)
{
    if (!memory->is_asking)
        return;
    bool is_commit = memory->moment_kind == RH_MOMENT_COMMIT;
    rh_text_add(text, is_commit ? ", when " : ", after ");
    rh__call_print(&rh__history->operations[memory->operation], text);
    rh_text_add(text, is_commit ? " commits" : ", when no operation is open");
}
