// SPDX-License-Identifier: MIT
#include "memory/globals.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "memory/watched.h"

struct rh_globals rh__globals RH__OWN;

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
    place->differs = false;
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

struct rh_status rh_globals_watch(const struct rh_globals_options *options)
{
    struct rh_globals *globals = &rh__globals;
    globals->options = *options;
    struct rh_status status = rh_globals_find();
    if (!rh_is_ok(&status))
        return status;
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
    if (options->protects)
        protect(true);
    return rh_ok();
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
    if (!globals->options.notes_writes || globals->write_count == RH_WRITES_MOST)
        return NULL;
    struct rh_write *write = &globals->writes[globals->write_count++];
    *write = (struct rh_write){.address = (uint64_t)address};
    return write;
}

void rh_globals_rewatch(void)
{
    if (!rh__globals.options.notes_writes || !rh__globals.options.protects)
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
        const struct rh_range *hole = &rh__globals.holes.items[i];
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
    *rh_vector_push(&rh__globals.mappings) = (struct rh_range){start, end_of(start, size)};
}

// In the test's body, before anything is watched.
static void forget_mapping(char *start, char *end)
{
    for (size_t i = 0, count = rh__globals.mappings.count; i < count; i++) {
        struct rh_range *mapping = &rh__globals.mappings.items[i];
        struct rh_range behind = {end, mapping->end};
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
            rh__globals.gone += place->hash;
            place->hot = place->open = place->differs = false;
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

// Whether a page has changed in holes only. Most such pages became hot when the dynamic linker
// bound a symbol.
static bool is_as_at_start(const struct rh_watched *place)
{
    bool is_page = place < rh__globals.places.items + rh__globals.page_count;
    return is_page && !place->is_private && !place->differs;
}

void rh_globals_cool_down(void)
{
    if (!rh__globals.options.protects)
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

rh_hash128 rh_globals_term(void)
{
    rh_hash128 sum = 0;
    for (size_t i = 0; i < rh__globals.hot.count; i++)
        sum += rh__globals.places.items[rh__globals.hot.items[i]].hash;
    return sum;
}

static const struct rh_module *find_module(uint64_t address)
{
    for (size_t i = 0; i < rh__globals.modules.count; i++) {
        const struct rh_module *module = &rh__globals.modules.items[i];
        if (address >= module->start && address < module->end)
            return module;
    }
    return NULL;
}

bool rh_globals_has_module(uint64_t address)
{
    return find_module(address) != NULL;
}

bool rh_globals_canonical(uint64_t address, uint64_t *canonical)
{
    const struct rh_module *module = find_module(address);
    if (module) {
        *canonical = rh_hash64_pair(module->name_hash, address - module->start);
        return true;
    }
    for (size_t i = 0; i < rh__globals.mappings.count; i++) {
        const struct rh_range *mapping = &rh__globals.mappings.items[i];
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
