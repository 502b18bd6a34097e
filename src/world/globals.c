// SPDX-License-Identifier: MIT
#include "world/globals.h"

#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/vector.h"
#include "world/process.h"
#include "world/world.h"

enum { PAGE = 4096, WRITES_MOST = 16 };

// A stretch of memory that is compared after each delivery: a page of a data segment once it was written
// to, or a module's thread-local variables.
struct watched {
    char *start;
    uint32_t size;
    bool of_program; // a write is a finding
    bool is_private; // each actor has its own version
    bool hot;        // compared
    bool open;       // writable now
    char *shadow;    // contents after the newest delivery
    rh_hash128 base; // hash of the contents when watching began
    rh_hash128 hash; // of the shadow
};

struct module {
    uint64_t start, end; // everything that is loaded
    uint64_t name_hash;
};

struct globals {
    RH_VECTOR(struct watched) places; // pages in address order first, then thread-locals
    size_t page_count;
    RH_VECTOR(uint32_t) hot;
    RH_VECTOR(struct module) modules;
    uint64_t settled; // deliveries so far
    char *shadows;    // room for one copy of every place
    struct rh_world *world;
    size_t write_count;
    struct rh_write writes[WRITES_MOST]; // of the code that is running or was last
    // What is left alone within a page: our own data, tables of the dynamic linker, books of a sanitizer.
    RH_VECTOR(struct range {
        char *start;
        char *end;
    }) holes;
};

static union {
    struct globals globals;
    char pages[2 * PAGE];
} own RH__OWN;
_Static_assert(sizeof(struct globals) <= 2 * PAGE, "must fit");

// In the undo stack: how many places were saved, then for each its number and its old contents.
struct saved_place {
    uint32_t index;
    uint32_t size;
    rh_hash128 hash;
};

extern char __start_rh_own[] __attribute__((weak));
extern char __stop_rh_own[] __attribute__((weak));

static bool is_ignored(const char *path)
{
    static const char *const names[] = {"libc.so",  "ld-linux",   "libpthread", "libdl.so",
                                        "librt.so", "libm.so",    "libdw.so",   "libelf.so",
                                        "libz.so",  "liblzma.so", "libbz2.so",  "linux-vdso",
                                        "libasan",  "libubsan",   "libtsan",    "libgcc_s"};
    const char *base = strrchr(path, '/');
    base = base ? base + 1 : path;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(base, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static bool is_system(const char *path)
{
    return strncmp(path, "/lib", 4) == 0 || strncmp(path, "/usr/lib", 8) == 0 ||
           strncmp(path, "/usr/local/lib", 14) == 0;
}

static void add_hole(char *start, char *end)
{
    *rh_vector_push(&own.globals.holes) = (struct range){start, end};
}

// The table that lazy binding fills in: the dynamic linker's, not the program's.
static void add_binding_table(const struct dl_phdr_info *info, const ElfW(Phdr) * header)
{
    const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(info->dlpi_addr + header->p_vaddr);
    char *table = NULL;
    size_t size = 0;
    for (; entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_PLTGOT)
            table = (char *)entry->d_un.d_ptr;
        if (entry->d_tag == DT_PLTRELSZ)
            size = entry->d_un.d_val / sizeof(ElfW(Rela)) * sizeof(void *) + 3 * sizeof(void *);
    }
    if (table)
        add_hole(table, table + size);
}

static void add_pages(char *start, char *end, struct watched like)
{
    start = (char *)((uintptr_t)start & ~(uintptr_t)(PAGE - 1));
    for (; start < end; start += PAGE)
        *rh_vector_push(&own.globals.places) = (struct watched){.start = start,
                                                                .size = PAGE,
                                                                .of_program = like.of_program,
                                                                .is_private = like.is_private};
}

// Writable segments without what the dynamic linker makes read-only after relocation.
static void add_segments(const struct dl_phdr_info *info, struct watched like)
{
    uintptr_t fixed_end = 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO)
            fixed_end =
                (info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz) &
                ~(uintptr_t)(PAGE - 1);
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type == PT_DYNAMIC)
            add_binding_table(info, header);
        if (header->p_type != PT_LOAD || !(header->p_flags & PF_W))
            continue;
        uintptr_t start = info->dlpi_addr + header->p_vaddr;
        uintptr_t end = start + header->p_memsz;
        if (start < fixed_end && fixed_end <= end)
            start = fixed_end;
        add_pages((char *)start, (char *)end, like);
    }
}

// A thread-local of our own that alone makes up the executable's is not worth a comparison after each delivery.
static bool is_own(const char *start, size_t size)
{
    return size == sizeof rh__thread_is_free && start == (char *)&rh__thread_is_free;
}

static void add_thread_locals(const struct dl_phdr_info *info, struct watched like)
{
    const char *start = info->dlpi_tls_data;
    for (int i = 0; start && i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type == PT_TLS && header->p_memsz > 0 && !is_own(start, header->p_memsz))
            *rh_vector_push(&own.globals.places) =
                (struct watched){.start = info->dlpi_tls_data,
                                 .size = (uint32_t)header->p_memsz,
                                 .of_program = like.of_program,
                                 .is_private = like.is_private,
                                 .hot = true};
    }
}

static void add_module(const struct dl_phdr_info *info, const char *name)
{
    struct module module = {.start = UINT64_MAX, .name_hash = rh_hash64_text(name, 4)};
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_LOAD)
            continue;
        uint64_t start = info->dlpi_addr + header->p_vaddr;
        if (start < module.start)
            module.start = start;
        if (start + header->p_memsz > module.end)
            module.end = start + header->p_memsz;
    }
    *rh_vector_push(&own.globals.modules) = module;
}

struct visit {
    enum { LEARN, SEGMENTS, THREAD_LOCALS } round;
    bool first; // the executable comes first
    const char *private_libraries;
    size_t private_count;
};

// Whether a comma-separated list has this library: "sqlite3" and "libsqlite3" both mean libsqlite3.so.0.
static bool is_listed(const char *list, const char *file)
{
    while (list && *list) {
        size_t length = strcspn(list, ",");
        const char *name =
            strncmp(file, "lib", 3) == 0 && strncmp(list, "lib", 3) != 0 ? file + 3 : file;
        if (length > 0 && strncmp(name, list, length) == 0 &&
            (name[length] == '.' || name[length] == '-' || name[length] == '\0'))
            return true;
        list += length + (list[length] == ',');
    }
    return false;
}

static int visit_module(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct visit *visit = context;
    bool executable = visit->first;
    visit->first = false;
    const char *base = strrchr(info->dlpi_name, '/');
    if (visit->round == LEARN) {
        add_module(info, executable ? "" : base ? base + 1 : info->dlpi_name);
        return 0;
    }
    if (!executable && (is_ignored(info->dlpi_name) || !base))
        return 0;
    struct watched like = {.of_program = executable || !is_system(info->dlpi_name)};
    if (!executable && is_listed(visit->private_libraries, base + 1)) {
        like = (struct watched){.is_private = true};
        visit->private_count++;
    }
    if (visit->round == THREAD_LOCALS)
        add_thread_locals(info, like);
    else
        add_segments(info, like);
    return 0;
}

static int by_address(const void *left, const void *right)
{
    const struct watched *a = left, *b = right;
    return a->start < b->start ? -1 : a->start > b->start;
}

static bool is_in_one_hole(const char *start, const char *end)
{
    for (size_t i = 0; i < own.globals.holes.count; i++)
        if (start >= own.globals.holes.items[i].start && end <= own.globals.holes.items[i].end)
            return true;
    return false;
}

// Pages of which nothing would be compared.
static void drop_pages_in_holes(void)
{
    size_t kept = 0;
    for (size_t i = 0; i < own.globals.places.count; i++) {
        char *start = own.globals.places.items[i].start;
        if (!is_in_one_hole(start, start + PAGE))
            own.globals.places.items[kept++] = own.globals.places.items[i];
    }
    own.globals.places.count = kept;
}

// A sanitizer's run time that is linked into the executable keeps its books there.
static bool is_sanitizer_variable(const char *name)
{
    static const char *const parts[] = {"__sanitizer", "__asan", "__ubsan", "__lsan",
                                        "__interception"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(name, parts[i]))
            return true;
    return false;
}

// The run time is linked as one piece, so within a section its variables stand together, and those between two of them
// are its own whatever they are called. Only C++ names tell: compilers put plain ones into the program's objects too.
static void add_sanitizer_hole(void *context, const struct rh_debug_data *data)
{
    unsigned *section = context;
    if (strncmp(data->name, "_Z", 2) != 0 || !is_sanitizer_variable(data->name))
        return;
    if (*section != data->section)
        add_hole((char *)data->start, NULL);
    *section = data->section;
    own.globals.holes.items[own.globals.holes.count - 1].end = (char *)data->start + data->size;
}

static void add_sanitizer_holes(struct rh_debug *debug)
{
    extern void __sanitizer_set_death_callback(void (*)(void)) __attribute__((weak));
    unsigned section = 0;
    if (__sanitizer_set_death_callback && debug)
        rh_debug_visit_data(debug, add_sanitizer_hole, &section);
}

// Copies and compares whole pages. AddressSanitizer keeps forbidden zones between the variables on them, so neither
// memcpy nor instrumented code may do it.
static void copy_raw(void *to, const void *from, size_t size)
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

static bool is_same(const struct watched *place)
{
    if (rh__process.owns_malloc)
        return memcmp(place->start, place->shadow, place->size) == 0;
    return first_difference(place->start, place->shadow, 0, place->size) == place->size;
}

static void take_shadow(struct watched *place)
{
    copy_raw(place->shadow, place->start, place->size);
    place->base = place->hash = 0;
}

static void protect(bool on)
{
    size_t count = own.globals.page_count;
    struct watched *places = own.globals.places.items;
    for (size_t i = 0; i < count;) {
        size_t last = i;
        while (last + 1 < count && places[last + 1].start == places[last].start + PAGE)
            last++;
        mprotect(places[i].start, (last - i + 1) * PAGE, on ? PROT_READ : PROT_READ | PROT_WRITE);
        i = last + 1;
    }
}

void rh_globals_learn(void)
{
    struct visit visit = {LEARN, true, NULL, 0};
    dl_iterate_phdr(visit_module, &visit);
}

void rh_globals_watch(struct rh_world *world)
{
    struct globals *globals = &own.globals;
    globals->world = world;
    const char *private_libraries = world->options.private_libraries;
    struct visit visit = {SEGMENTS, true, private_libraries, 0};
    dl_iterate_phdr(visit_module, &visit);
    if (private_libraries && visit.private_count == 0)
        world->options.driver.bad_input(
            world->options.driver.context,
            rh_bad_input("--private-library %s: the program uses no such library (ldd lists them)",
                         private_libraries));
    add_hole(__start_rh_own, __stop_rh_own);
    add_hole((char *)&rh__thread_is_free, (char *)(&rh__thread_is_free + 1));
    add_sanitizer_holes(world->options.debug);
    drop_pages_in_holes();
    qsort(globals->places.items, globals->places.count, sizeof *globals->places.items, by_address);
    globals->page_count = globals->places.count;
    visit = (struct visit){THREAD_LOCALS, true, private_libraries, 0};
    dl_iterate_phdr(visit_module, &visit);
    size_t total = 0;
    for (size_t i = 0; i < globals->places.count; i++)
        total += globals->places.items[i].size;
    globals->shadows = mmap(NULL, total + PAGE, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    char *shadow = globals->shadows;
    // The list must not grow inside a fault handler.
    globals->hot.items = rh_alloc(sizeof *globals->hot.items * (globals->places.count + 1));
    globals->hot.capacity = globals->places.count + 1;
    for (size_t i = 0; i < globals->places.count; i++) {
        struct watched *place = &globals->places.items[i];
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
static struct watched *find_page(const char *address)
{
    size_t low = 0, high = own.globals.page_count;
    struct watched *places = own.globals.places.items;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (places[middle].start + PAGE <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < own.globals.page_count ? &places[low] : NULL;
}

// In the order of their addresses, so that what is reported does not depend on which was written first.
static void add_hot(uint32_t index)
{
    size_t at = own.globals.hot.count++;
    for (; at > 0 && own.globals.hot.items[at - 1] > index; at--)
        own.globals.hot.items[at] = own.globals.hot.items[at - 1];
    own.globals.hot.items[at] = index;
}

bool rh_globals_fault(void *address)
{
    struct watched *place = find_page(address);
    if (!place || place->start > (char *)address || place->open)
        return false;
    if (!place->hot) {
        take_shadow(place);
        place->hot = true;
        add_hot((uint32_t)(place - own.globals.places.items));
    }
    place->open = true;
    return mprotect(place->start, PAGE, PROT_READ | PROT_WRITE) == 0;
}

struct rh_write *rh_globals_note(void *address)
{
    struct globals *globals = &own.globals;
    if (!globals->world->options.note_writes || globals->write_count == WRITES_MOST)
        return NULL;
    struct rh_write *write = &globals->writes[globals->write_count++];
    *write = (struct rh_write){.address = (uint64_t)address};
    return write;
}

void rh_globals_rewatch(const struct rh_world *world)
{
    if (!world->options.note_writes || !world->options.protect_globals)
        return;
    own.globals.write_count = 0;
    for (size_t i = 0; i < own.globals.page_count; i++) {
        struct watched *place = &own.globals.places.items[i];
        if (place->open && place->of_program)
            place->open = mprotect(place->start, PAGE, PROT_READ) != 0;
    }
}

void rh_globals_open_tables(void)
{
    for (size_t i = 0; i < own.globals.holes.count; i++) {
        const struct range *hole = &own.globals.holes.items[i];
        char *page = (char *)((uintptr_t)hole->start & ~(uintptr_t)(PAGE - 1));
        for (; page < hole->end; page += PAGE)
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
        own.globals.page_count == 0)
        return;
    struct watched *last = own.globals.places.items + own.globals.page_count;
    char *end = (char *)buffer + size;
    for (struct watched *place = find_page(buffer); place && place < last && place->start < end;
         place++)
        rh_globals_fault(place->start);
}

static bool in_hole(const char *address)
{
    for (size_t i = 0; i < own.globals.holes.count; i++)
        if (address >= own.globals.holes.items[i].start && address < own.globals.holes.items[i].end)
            return true;
    return false;
}

// First byte that differs at or after `from`, outside of the holes; NULL if there is none.
static char *find_change(const struct watched *place, uint32_t from)
{
    while ((from = first_difference(place->start, place->shadow, from, place->size)) <
           place->size) {
        if (!in_hole(place->start + from))
            return place->start + from;
        from++;
    }
    return NULL;
}

// The variables that a handler wrote.
struct written {
    struct rh_text names; // "a, b"
    const char *file;     // where the first is declared; NULL if unknown
    int line;
    size_t count;
    const struct rh_write *write; // of the first; NULL if not known
};

static bool is_variable(struct rh_debug *debug, uint64_t address, const char *variable)
{
    struct rh_text name = {0};
    size_t length = strlen(variable);
    bool is_same = rh_debug_variable_at(debug, address, &name, NULL, NULL) &&
                   strncmp(rh_text_get(&name), variable, length) == 0 &&
                   (rh_text_get(&name)[length] == '\0' || rh_text_get(&name)[length] == '+');
    rh_text_fini(&name);
    return is_same;
}

// The first noted write to the variable. A page is noted once: if another variable on it was written before, there is
// none.
static const struct rh_write *find_write(const struct rh_world *world, const char *variable)
{
    for (size_t i = 0; i < own.globals.write_count; i++)
        if (is_variable(world->options.debug, own.globals.writes[i].address, variable))
            return &own.globals.writes[i];
    return NULL;
}

static void note_variable(struct rh_world *world, const char *address, struct written *written)
{
    struct rh_text name = {0};
    const char *file = NULL;
    int line = 0;
    if (!world->options.debug ||
        !rh_debug_variable_at(world->options.debug, (uintptr_t)address, &name, &file, &line)) {
        rh_text_clear(&name);
        rh_text_add(&name, "a global without a name");
    }
    char *variable = rh_text_take(&name);
    variable[strcspn(variable, "+")] = '\0';
    bool is_program = rh__process.owns_malloc || !is_sanitizer_variable(variable);
    bool suppressed =
        world->options.suppressions &&
        rh_suppressions_match(world->options.suppressions, "shared-state", variable, NULL);
    const char *last = strrchr(rh_text_get(&written->names), ' ');
    bool is_same_as_last =
        written->count > 0 && !strcmp(last ? last + 1 : rh_text_get(&written->names), variable);
    if (is_program && !suppressed && !is_same_as_last) {
        rh_text_addf(&written->names, "%s%s", written->count > 0 ? ", " : "", variable);
        if (written->count++ == 0) {
            written->file = file;
            written->line = line;
            written->write = file ? find_write(world, variable) : NULL;
        }
    }
    free(variable);
}

static void note_writes(struct rh_world *world, const struct watched *place, char *change,
                        struct written *written)
{
    while (change && written->count < 8) {
        note_variable(world, change, written);
        uint32_t next = (uint32_t)(change - place->start) / 8 * 8 + 8;
        change = find_change(place, next);
    }
}

static void report_writes(struct rh_world *world, struct written *written)
{
    world->write = written->write;
    if (written->count > 0 && !world->failed)
        rh_world_fail(world, RH_FINDING_SHARED_STATE, written->file, written->line,
                      "%s %s written: actors must not share variables",
                      rh_text_get(&written->names), written->count == 1 ? "was" : "were");
    world->write = NULL;
    rh_text_fini(&written->names);
}

static void clear_holes(const struct watched *place, char *copy)
{
    for (size_t i = 0; i < own.globals.holes.count; i++) {
        struct range hole = own.globals.holes.items[i];
        if (hole.start < place->start)
            hole.start = place->start;
        if (hole.end > place->start + place->size)
            hole.end = place->start + place->size;
        if (hole.start < hole.end)
            memset(copy + (hole.start - place->start), 0, (size_t)(hole.end - hole.start));
    }
}

// The hash that the place has with these contents.
static rh_hash128 place_hash(struct rh_world *world, const struct watched *place,
                             const char *contents)
{
    uint64_t seed = 0;
    rh_globals_canonical((uint64_t)place->start, &seed);
    char *copy = rh_alloc(place->size);
    copy_raw(copy, contents, place->size);
    clear_holes(place, copy);
    rh_hash128 hash = rh_canonical_hash(world, copy, place->size, seed);
    free(copy);
    return hash;
}

// Saves the place's old contents on the undo stack and takes over the new ones.
static void accept_change(struct rh_world *world, uint32_t index)
{
    struct watched *place = &own.globals.places.items[index];
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
    copy_raw(place->shadow, place->start, place->size);
}

static size_t settle(struct rh_world *world)
{
    size_t offset = world->undo_top;
    uint64_t count = 0;
    struct written written = {0};
    for (size_t i = 0; i < own.globals.hot.count; i++) {
        uint32_t index = own.globals.hot.items[i];
        struct watched *place = &own.globals.places.items[index];
        if (is_same(place))
            continue;
        char *change = find_change(place, 0);
        if (!change) {
            // In a hole: a symbol was bound on its first use, say. It stays so, and need not be looked at again.
            copy_raw(place->shadow, place->start, place->size);
            continue;
        }
        if (count++ == 0 && world->options.keep_undo)
            world->undo_top += 16;
        if (place->of_program)
            note_writes(world, place, change, &written);
        else
            world->wrote_library = true;
        accept_change(world, index);
    }
    if (count == 0)
        return 0;
    report_writes(world, &written);
    if (!world->options.keep_undo)
        return 0;
    memcpy(world->undo + offset, &count, sizeof count);
    return offset;
}

// Pages that have changed in holes only. Most became hot when the dynamic linker bound a symbol.
static bool is_as_at_start(const struct watched *place)
{
    bool is_page = place < own.globals.places.items + own.globals.page_count;
    return is_page && !place->is_private && place->base == 0;
}

// Protects such pages again. Without fingerprints nobody knows which they are.
static void cool_down(const struct rh_world *world)
{
    if (!world->options.protect_globals || !world->options.fingerprints)
        return;
    size_t kept = 0;
    for (size_t i = 0; i < own.globals.hot.count; i++) {
        uint32_t index = own.globals.hot.items[i];
        struct watched *place = &own.globals.places.items[index];
        place->hot = !is_as_at_start(place) || mprotect(place->start, PAGE, PROT_READ) != 0;
        place->open &= place->hot;
        if (place->hot)
            own.globals.hot.items[kept++] = index;
    }
    own.globals.hot.count = kept;
}

size_t rh_globals_settle(struct rh_world *world)
{
    if (own.globals.hot.count == 0)
        return 0;
    size_t saved = settle(world);
    // A fault costs as much as some fifty comparisons of a page, so it may happen this often.
    if (++own.globals.settled % 1024 == 0)
        cool_down(world);
    return saved;
}

bool rh_globals_put_back(struct rh_world *world)
{
    struct written written = {0};
    for (size_t i = 0; i < own.globals.hot.count; i++) {
        struct watched *place = &own.globals.places.items[own.globals.hot.items[i]];
        char *change = is_same(place) ? NULL : find_change(place, 0);
        if (!change)
            continue;
        if (place->of_program)
            note_writes(world, place, change, &written);
        for (; change; change = find_change(place, (uint32_t)(change - place->start)))
            copy_raw(change, place->shadow + (change - place->start), 1);
    }
    report_writes(world, &written);
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
        struct watched *place = &own.globals.places.items[head.index];
        memcpy(place->start, from, head.size);
        memcpy(place->shadow, from, head.size);
        place->hash = head.hash;
        from += (head.size + 15) & ~(size_t)15;
    }
}

rh_hash128 rh_globals_hash(struct rh_world *world)
{
    rh_hash128 sum = 0;
    for (size_t i = 0; i < own.globals.hot.count; i++) {
        struct watched *place = &own.globals.places.items[own.globals.hot.items[i]];
        if (place->base != 0)
            sum += place_hash(world, place, place->start) - place->base;
    }
    return sum;
}

rh_hash128 rh_globals_term(void)
{
    rh_hash128 sum = 0;
    for (size_t i = 0; i < own.globals.hot.count; i++)
        sum += own.globals.places.items[own.globals.hot.items[i]].hash;
    return sum;
}

bool rh_globals_canonical(uint64_t address, uint64_t *canonical)
{
    for (size_t i = 0; i < own.globals.modules.count; i++) {
        const struct module *module = &own.globals.modules.items[i];
        if (address >= module->start && address < module->end) {
            *canonical = rh_hash64_pair(module->name_hash, address - module->start);
            return true;
        }
    }
    return false;
}

// Private libraries. Their pages are as at the start while no handler runs; what an actor's handlers made of them lies in
// the actor's own memory, where undo and fingerprint find it.

struct image_place {
    uint32_t index;
    uint32_t size;
    uint64_t unused; // keeps the bytes aligned
};

struct image {
    uint64_t count;
    uint64_t size; // of all
};

static struct image_place *next_place(struct image_place *place)
{
    return (struct image_place *)((char *)(place + 1) + ((place->size + 15) & ~(size_t)15));
}

void rh_globals_enter(const struct rh_actor_record *record)
{
    const struct image *image = record->library_image;
    struct image_place *saved = (struct image_place *)(uintptr_t)(image + 1);
    for (uint64_t i = 0; image && i < image->count; i++, saved = next_place(saved)) {
        struct watched *place = &own.globals.places.items[saved->index];
        if (!place->open)
            rh_globals_fault(place->start);
        copy_raw(place->start, saved + 1, saved->size);
    }
}

static bool is_changed_private(const struct watched *place)
{
    return place->is_private && place->hot && !is_same(place);
}

static struct image measure_image(void)
{
    struct image image = {.size = sizeof image};
    for (size_t i = 0; i < own.globals.places.count; i++) {
        const struct watched *place = &own.globals.places.items[i];
        if (!is_changed_private(place))
            continue;
        image.count++;
        image.size += sizeof(struct image_place) + ((place->size + 15) & ~(size_t)15);
    }
    return image;
}

static void free_image(struct rh_world *world, uint32_t slot)
{
    struct rh_actor_record *record = &world->actors[slot];
    if (record->library_image && rh__process.owns_malloc)
        rh_heap_free(&record->heap, slot, record->library_image);
    else
        free(record->library_image);
    record->library_image = NULL;
}

void rh_globals_forget(struct rh_world *world, uint32_t slot)
{
    if (world->actors[slot].library_image)
        free_image(world, slot);
}

static struct image *new_image(struct rh_world *world, uint32_t slot, size_t size)
{
    struct rh_actor_record *record = &world->actors[slot];
    struct image *image =
        rh__process.owns_malloc ? rh_heap_alloc(&record->heap, slot, size) : rh_alloc(size);
    if (!image)
        rh_panic("a private library's data does not fit into the memory of %s",
                 record->behaviour_name);
    return image;
}

void rh_globals_leave(struct rh_world *world, uint32_t slot)
{
    struct image measured = measure_image();
    rh_globals_forget(world, slot);
    struct image_place *saved = NULL;
    if (measured.count > 0 && world->actors[slot].status != RH_ACTOR_STOPPED &&
        world->actors[slot].status != RH_ACTOR_CRASHED) {
        struct image *image = new_image(world, slot, measured.size);
        *image = measured;
        world->actors[slot].library_image = image;
        saved = (struct image_place *)(image + 1);
    }
    for (size_t i = 0; i < own.globals.places.count; i++) {
        struct watched *place = &own.globals.places.items[i];
        if (!is_changed_private(place))
            continue;
        if (saved) {
            *saved = (struct image_place){(uint32_t)i, place->size, 0};
            copy_raw(saved + 1, place->start, place->size);
            saved = next_place(saved);
        }
        copy_raw(place->start, place->shadow, place->size);
    }
}

void rh_globals_visit(void (*visit)(void *context, const void *bytes, size_t size), void *context)
{
    for (size_t i = 0; i < own.globals.hot.count; i++) {
        const struct watched *place = &own.globals.places.items[own.globals.hot.items[i]];
        visit(context, place->start, place->size);
    }
}
