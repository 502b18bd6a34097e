// SPDX-License-Identifier: MIT
#include "memory/globals.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "memory/watched.h"

struct rh_globals rh__globals RH__OWN;

// In the undo stack lies the number of saved places, then for each place this struct and its old
// contents.
struct saved_place {
    uint32_t index;
    uint32_t size;
    rh_hash128 hash;
};

void rh_copy_raw(void *to, const void *from, size_t size)
{
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
}

typedef uint64_t __attribute__((may_alias, aligned(1))) raw_word;

// By words first: a page that is shared with our own data differs after every delivery, and then is
// read to its end.
__attribute__((no_sanitize("address"))) static uint32_t
first_difference(const char *left, const char *right, uint32_t from, uint32_t size)
{
    while (from + sizeof(raw_word) <= size &&
           *(const raw_word *)(left + from) == *(const raw_word *)(right + from))
        from += sizeof(raw_word);
    while (from < size && left[from] == right[from])
        from++;
    return from;
}

bool rh_watched_is_same(const struct rh_watched *place)
{
    if (rh__process.owns_malloc)
        return memcmp(place->start, place->shadow, place->size) == 0;
    return first_difference(place->start, place->shadow, 0, place->size) == place->size;
}

static void take_shadow(struct rh_watched *place)
{
    rh_copy_raw(place->shadow, place->start, place->size);
    place->base = place->hash = 0;
}

static void protect(bool on)
{
    size_t count = rh__globals.page_count;
    struct rh_watched *places = rh__globals.places.items;
    for (size_t i = 0; i < count;) {
        size_t last = i;
        while (last + 1 < count && places[last + 1].start == places[last].start + RH_PAGE)
            last++;
        mprotect(places[i].start, (last - i + 1) * RH_PAGE,
                 on ? PROT_READ : PROT_READ | PROT_WRITE);
        i = last + 1;
    }
}

void rh_globals_watch(struct rh_world *world)
{
    struct rh_globals *globals = &rh__globals;
    globals->world = world;
    rh_globals_find(world);
    size_t total = 0;
    for (size_t i = 0; i < globals->places.count; i++)
        total += globals->places.items[i].size;
    globals->shadows = mmap(NULL, total + RH_PAGE, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    char *shadow = globals->shadows;
    // The list must not grow inside a fault handler.
    globals->hot.items = rh_alloc(sizeof *globals->hot.items * (globals->places.count + 1));
    globals->hot.capacity = globals->places.count + 1;
    for (size_t i = 0; i < globals->places.count; i++) {
        struct rh_watched *place = &globals->places.items[i];
        place->shadow = shadow;
        shadow += place->size;
        if (place->hot) {
            take_shadow(place);
            globals->hot.items[globals->hot.count++] = (uint32_t)i;
        }
    }
    if (world->options.protect_globals)
        protect(true);
}

// The first watched page that ends after this address.
static struct rh_watched *find_page(const char *address)
{
    size_t low = 0, high = rh__globals.page_count;
    struct rh_watched *places = rh__globals.places.items;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (places[middle].start + RH_PAGE <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < rh__globals.page_count ? &places[low] : NULL;
}

// Hot places are in the order of their addresses, so that reports do not depend on which was
// written first.
static void add_hot(uint32_t index)
{
    size_t at = rh__globals.hot.count++;
    for (; at > 0 && rh__globals.hot.items[at - 1] > index; at--)
        rh__globals.hot.items[at] = rh__globals.hot.items[at - 1];
    rh__globals.hot.items[at] = index;
}

bool rh_globals_fault(void *address)
{
    struct rh_watched *place = find_page(address);
    if (!place || place->start > (char *)address || place->open)
        return false;
    if (!place->hot) {
        take_shadow(place);
        place->hot = true;
        add_hot((uint32_t)(place - rh__globals.places.items));
    }
    place->open = true;
    return mprotect(place->start, RH_PAGE, PROT_READ | PROT_WRITE) == 0;
}

struct rh_write *rh_globals_note(void *address)
{
    struct rh_globals *globals = &rh__globals;
    if (!globals->world->options.note_writes || globals->write_count == RH_WRITES_MOST)
        return NULL;
    struct rh_write *write = &globals->writes[globals->write_count++];
    *write = (struct rh_write){.address = (uint64_t)address};
    return write;
}

void rh_globals_rewatch(const struct rh_world *world)
{
    if (!world->options.note_writes || !world->options.protect_globals)
        return;
    rh__globals.write_count = 0;
    for (size_t i = 0; i < rh__globals.page_count; i++) {
        struct rh_watched *place = &rh__globals.places.items[i];
        if (place->open && place->of_program)
            place->open = mprotect(place->start, RH_PAGE, PROT_READ) != 0;
    }
}

void rh_globals_open_tables(void)
{
    for (size_t i = 0; i < rh__globals.holes.count; i++) {
        const struct rh_hole *hole = &rh__globals.holes.items[i];
        char *page = (char *)((uintptr_t)hole->start & ~(uintptr_t)(RH_PAGE - 1));
        for (; page < hole->end; page += RH_PAGE)
            rh_globals_fault(page);
    }
}

void rh_globals_release(void)
{
    protect(false);
}

void rh_globals_touch(void *buffer, size_t size)
{
    if (!buffer || size == 0 || size > UINTPTR_MAX - (uintptr_t)buffer ||
        rh__globals.page_count == 0)
        return;
    struct rh_watched *last = rh__globals.places.items + rh__globals.page_count;
    char *end = (char *)buffer + size;
    for (struct rh_watched *place = find_page(buffer); place && place < last && place->start < end;
         place++)
        rh_globals_fault(place->start);
}

static char *end_of(char *start, size_t size)
{
    return start + ((size + RH_PAGE - 1) & ~(size_t)(RH_PAGE - 1));
}

void rh_globals_map(void *start, size_t size)
{
    *rh_vector_push(&rh__globals.mappings) = (struct rh_mapping){start, end_of(start, size)};
}

// In the test's body, before anything is watched.
static void forget_mapping(char *start, char *end)
{
    for (size_t i = 0, count = rh__globals.mappings.count; i < count; i++) {
        struct rh_mapping *mapping = &rh__globals.mappings.items[i];
        struct rh_mapping behind = {end, mapping->end};
        if (end <= mapping->start || start >= mapping->end)
            continue;
        mapping->end = start > mapping->start ? start : mapping->start;
        if (behind.start < behind.end)
            *rh_vector_push(&rh__globals.mappings) = behind;
    }
}

void rh_globals_unmap(void *start, size_t size)
{
    char *end = end_of(start, size);
    if (rh__globals.places.count == 0) {
        forget_mapping(start, end);
        return;
    }
    // Unmapped pages can't be compared any more.
    size_t kept = 0;
    for (size_t i = 0; i < rh__globals.hot.count; i++) {
        struct rh_watched *place = &rh__globals.places.items[rh__globals.hot.items[i]];
        if (place->start >= (char *)start && place->start < end) {
            rh__globals.world->fingerprint -= place->hash;
            place->hot = place->open = false;
            place->base = place->hash = 0;
        } else {
            rh__globals.hot.items[kept++] = rh__globals.hot.items[i];
        }
    }
    rh__globals.hot.count = kept;
}

static bool in_hole(const char *address)
{
    for (size_t i = 0; i < rh__globals.holes.count; i++)
        if (address >= rh__globals.holes.items[i].start && address < rh__globals.holes.items[i].end)
            return true;
    return false;
}

// First byte that differs at or after `from`, outside of the holes; NULL if there is none.
char *rh_watched_find_change(const struct rh_watched *place, uint32_t from)
{
    while ((from = first_difference(place->start, place->shadow, from, place->size)) <
           place->size) {
        if (!in_hole(place->start + from))
            return place->start + from;
        from++;
    }
    return NULL;
}

static void clear_holes(const struct rh_watched *place, char *copy)
{
    for (size_t i = 0; i < rh__globals.holes.count; i++) {
        struct rh_hole hole = rh__globals.holes.items[i];
        if (hole.start < place->start)
            hole.start = place->start;
        if (hole.end > place->start + place->size)
            hole.end = place->start + place->size;
        if (hole.start < hole.end)
            memset(copy + (hole.start - place->start), 0, (size_t)(hole.end - hole.start));
    }
}

// The hash that the place has with these contents.
static rh_hash128 place_hash(struct rh_world *world, const struct rh_watched *place,
                             const char *contents)
{
    uint64_t seed = (uint64_t)(place - rh__globals.places.items);
    rh_globals_canonical((uint64_t)place->start, &seed);
    char *copy = rh_alloc(place->size);
    rh_copy_raw(copy, contents, place->size);
    clear_holes(place, copy);
    rh_hash128 hash = rh_canonical_hash(world, copy, place->size, seed);
    free(copy);
    return hash;
}

// Saves the place's old contents on the undo stack and takes over the new ones.
static void accept_change(struct rh_world *world, uint32_t index)
{
    struct rh_watched *place = &rh__globals.places.items[index];
    world->wrote_globals = true;
    if (world->options.keep_undo) {
        struct saved_place saved = {index, place->size, place->hash};
        memcpy(world->undo + world->undo_top, &saved, sizeof saved);
        memcpy(world->undo + world->undo_top + sizeof saved, place->shadow, place->size);
        world->undo_top += sizeof saved + ((place->size + 15) & ~(size_t)15);
    }
    if (world->options.fingerprints) {
        if (place->base == 0)
            place->base = place_hash(world, place, place->shadow);
        rh_hash128 hash = place_hash(world, place, place->start) - place->base;
        world->fingerprint += hash - place->hash;
        place->hash = hash;
    }
    rh_copy_raw(place->shadow, place->start, place->size);
}

static size_t settle(struct rh_world *world)
{
    size_t offset = world->undo_top;
    uint64_t count = 0;
    struct rh_written written = {0};
    for (size_t i = 0; i < rh__globals.hot.count; i++) {
        uint32_t index = rh__globals.hot.items[i];
        struct rh_watched *place = &rh__globals.places.items[index];
        if (rh_watched_is_same(place))
            continue;
        char *change = rh_watched_find_change(place, 0);
        if (!change) {
            // The change is in a hole: a symbol was bound on its first use, say. The shadow takes
            // it over, so that it need not be looked at again.
            rh_copy_raw(place->shadow, place->start, place->size);
            continue;
        }
        if (count++ == 0 && world->options.keep_undo)
            world->undo_top += 16;
        if (place->of_program)
            rh_written_note(world, place, change, &written);
        else if (place->of_body)
            world->wrote_body = true;
        else
            world->wrote_library = true;
        accept_change(world, index);
    }
    if (count == 0)
        return 0;
    rh_written_report(world, &written);
    if (!world->options.keep_undo)
        return 0;
    memcpy(world->undo + offset, &count, sizeof count);
    return offset;
}

// Whether a page has changed in holes only. Most such pages became hot when the dynamic linker
// bound a symbol.
static bool is_as_at_start(const struct rh_watched *place)
{
    bool is_page = place < rh__globals.places.items + rh__globals.page_count;
    return is_page && !place->is_private && place->base == 0;
}

// Protects pages again that are as at the start. Without fingerprints nobody knows which they are.
static void cool_down(const struct rh_world *world)
{
    if (!world->options.protect_globals || !world->options.fingerprints)
        return;
    size_t kept = 0;
    for (size_t i = 0; i < rh__globals.hot.count; i++) {
        uint32_t index = rh__globals.hot.items[i];
        struct rh_watched *place = &rh__globals.places.items[index];
        place->hot = !is_as_at_start(place) || mprotect(place->start, RH_PAGE, PROT_READ) != 0;
        place->open &= place->hot;
        if (place->hot)
            rh__globals.hot.items[kept++] = index;
    }
    rh__globals.hot.count = kept;
}

size_t rh_globals_settle(struct rh_world *world)
{
    if (rh__globals.hot.count == 0)
        return 0;
    size_t saved = settle(world);
    // A fault costs as much as some fifty comparisons of a page, so pages may be protected again
    // this often. The first deliveries bind most symbols, so pages that they have made hot need not
    // stay hot for long.
    uint64_t settled = ++rh__globals.settled;
    if (settled == 64 || settled % 1024 == 0)
        cool_down(world);
    return saved;
}

bool rh_globals_put_back(struct rh_world *world)
{
    struct rh_written written = {0};
    for (size_t i = 0; i < rh__globals.hot.count; i++) {
        struct rh_watched *place = &rh__globals.places.items[rh__globals.hot.items[i]];
        char *change = rh_watched_is_same(place) ? NULL : rh_watched_find_change(place, 0);
        if (!change)
            continue;
        if (place->of_program)
            rh_written_note(world, place, change, &written);
        for (; change; change = rh_watched_find_change(place, (uint32_t)(change - place->start)))
            rh_copy_raw(change, place->shadow + (change - place->start), 1);
    }
    rh_written_report(world, &written);
    return !world->failed;
}

void rh_globals_restore(struct rh_world *world, size_t saved)
{
    uint64_t count;
    memcpy(&count, world->undo + saved, sizeof count);
    const char *from = world->undo + saved + 16;
    for (uint64_t i = 0; i < count; i++) {
        struct saved_place head;
        memcpy(&head, from, sizeof head);
        from += sizeof head;
        struct rh_watched *place = &rh__globals.places.items[head.index];
        memcpy(place->start, from, head.size);
        memcpy(place->shadow, from, head.size);
        place->hash = head.hash;
        from += (head.size + 15) & ~(size_t)15;
    }
}

rh_hash128 rh_globals_hash(struct rh_world *world)
{
    rh_hash128 sum = 0;
    for (size_t i = 0; i < rh__globals.hot.count; i++) {
        struct rh_watched *place = &rh__globals.places.items[rh__globals.hot.items[i]];
        if (place->base != 0)
            sum += place_hash(world, place, place->start) - place->base;
    }
    return sum;
}

rh_hash128 rh_globals_term(void)
{
    rh_hash128 sum = 0;
    for (size_t i = 0; i < rh__globals.hot.count; i++)
        sum += rh__globals.places.items[rh__globals.hot.items[i]].hash;
    return sum;
}

bool rh_globals_canonical(uint64_t address, uint64_t *canonical)
{
    for (size_t i = 0; i < rh__globals.modules.count; i++) {
        const struct rh_module *module = &rh__globals.modules.items[i];
        if (address >= module->start && address < module->end) {
            *canonical = rh_hash64_pair(module->name_hash, address - module->start);
            return true;
        }
    }
    for (size_t i = 0; i < rh__globals.mappings.count; i++) {
        const struct rh_mapping *mapping = &rh__globals.mappings.items[i];
        if (address >= (uint64_t)mapping->start && address < (uint64_t)mapping->end) {
            *canonical = rh_hash64_pair(i, address - (uint64_t)mapping->start);
            return true;
        }
    }
    return false;
}

void rh_globals_visit(void (*visit)(void *context, const void *bytes, size_t size), void *context)
{
    for (size_t i = 0; i < rh__globals.hot.count; i++) {
        const struct rh_watched *place = &rh__globals.places.items[rh__globals.hot.items[i]];
        visit(context, place->start, place->size);
    }
}
