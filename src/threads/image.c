// SPDX-License-Identifier: MIT
// What the program keeps in variables, as it was after its set-up: the data of the executable and
// of its own libraries, the first thread's own variables and what was allocated. Put back before
// each execution. Libraries that the tool itself uses keep what they have; what they allocate for
// the program is in its heap.
#include <link.h>
#include <string.h>
#include <sys/mman.h>

#include "base/file_name.h"
#include "base/status.h"
#include "threads/engine.h"
#include "threads/look.h"

enum { RANGES_MOST = 256 };

struct range {
    char *start;
    size_t size;
    char *copy;
};

static struct image {
    struct range ranges[RANGES_MOST];
    int count;
    bool has_unseen;    // code of the program
    bool is_beside;     // this library was loaded into a program as it is
    const char *locals; // as they are in a fresh thread
    size_t locals_given, locals_size, locals_room;
    char *first_locals; // the first thread's
} * image;

static void add_range(char *start, size_t size)
{
    if (!size)
        return;
    if (image->count == RANGES_MOST)
        rh__exceed("begins with too many libraries");
    image->ranges[image->count++] = (struct range){start, size, NULL};
}

// Libraries that run beside the program: to put back what libc or the dynamic linker has would
// take it away from the tool, and from threads that lend their thread-locals.
static bool is_tools(const char *path)
{
    static const char *const names[] = {
        "libc.so",  "libm.so",    "libdl.so",     "libpthread.so", "librt.so",  "libdw.so",
        "libelf",   "libjansson", "libz.so",      "liblzma",       "libbz2",    "libzstd",
        "ld-linux", "libgcc_s",   "libstdc++.so", "linux-vdso",    "libtsan.so"};
    const char *name = rh_base_name(path);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strncmp(name, names[i], strlen(names[i])))
            return true;
    return false;
}

// Whether code of the module calls before its accesses.
static bool has_hooks(const struct dl_phdr_info *info)
{
    static const char call[] = "__tsan_init";
    const char *names = NULL;
    size_t size = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_DYNAMIC)
            continue;
        const ElfW(Dyn) *entry = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++) {
            if (entry->d_tag == DT_STRTAB)
                names = (const char *)entry->d_un.d_ptr;
            size = entry->d_tag == DT_STRSZ ? entry->d_un.d_val : size;
        }
    }
    return names && memmem(names, size, call, sizeof call);
}

// Whether this code is a library in a program that runs as it is.
static bool is_beside(const struct dl_phdr_info *executable)
{
    uintptr_t own = (uintptr_t)is_tools;
    for (int i = 0; i < executable->dlpi_phnum; i++) {
        uintptr_t start = executable->dlpi_addr + executable->dlpi_phdr[i].p_vaddr;
        if (executable->dlpi_phdr[i].p_type == PT_LOAD &&
            own - start < executable->dlpi_phdr[i].p_memsz)
            return false;
    }
    return true;
}

// What is constant once the program is loaded is left out.
static int visit(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    (void)context;
    bool is_library = info->dlpi_name && *info->dlpi_name;
    if (is_library && is_tools(info->dlpi_name))
        return 0;
    if (!is_library)
        image->is_beside = is_beside(info);
    bool is_seen = image->is_beside ? has_hooks(info) : !is_library;
    image->has_unseen = image->has_unseen || !is_seen;
    uintptr_t constant_start = 0, constant_end = 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO) {
            constant_start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            constant_end = (constant_start + info->dlpi_phdr[i].p_memsz) & ~UINT64_C(4095);
        }
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + header->p_vaddr;
        if (header->p_type == PT_TLS && !is_library) {
            size_t align = header->p_align ? header->p_align : 1;
            image->locals = (const char *)start;
            image->locals_given = header->p_filesz;
            image->locals_size = header->p_memsz;
            image->locals_room = (header->p_memsz + align - 1) / align * align;
        }
        if (header->p_type != PT_LOAD || !(header->p_flags & PF_W))
            continue;
        uintptr_t end = start + header->p_memsz;
        if (start < constant_end && constant_start <= start)
            start = constant_end < end ? constant_end : end;
        add_range((char *)start, end - start);
    }
    return 0;
}

static char *copy_of(const void *bytes, size_t size)
{
    char *copy = mmap(NULL, size + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    rh_assert(copy != MAP_FAILED);
    memcpy(copy, bytes, size);
    return copy;
}

static char *locals_of(int thread)
{
    return (char *)rh__engine->bases[thread] - image->locals_room;
}

void rh__image_take(void)
{
    static struct image *first;
    // It lies outside of what it describes.
    first = mmap(NULL, sizeof *first, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    rh_assert(first != MAP_FAILED);
    image = first;
    dl_iterate_phdr(visit, NULL);
    if (image->locals_size)
        image->first_locals = copy_of(locals_of(0), image->locals_size);
    rh__heap_take();
    for (int i = 0; i < image->count; i++)
        image->ranges[i].copy = copy_of(image->ranges[i].start, image->ranges[i].size);
}

void rh__image_restore(void)
{
    struct image *here = image;
    for (int i = 0; i < here->count; i++)
        memcpy(here->ranges[i].start, here->ranges[i].copy, here->ranges[i].size);
    if (here->locals_size)
        memcpy(locals_of(0), here->first_locals, here->locals_size);
    rh__heap_restore();
    rh__look_forget();
}

void rh__locals_begin(int thread)
{
    if (thread == 0 || !image->locals_size)
        return;
    memcpy(locals_of(thread), image->locals, image->locals_given);
    memset(locals_of(thread) + image->locals_given, 0, image->locals_size - image->locals_given);
}

bool rh__image_has_unseen(void)
{
    return image->has_unseen;
}

uint64_t rh__image_hash(void)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (int i = 0; i < image->count; i++)
        for (size_t k = 0; k + sizeof hash <= image->ranges[i].size; k += sizeof hash) {
            uint64_t word;
            memcpy(&word, image->ranges[i].start + k, sizeof word);
            hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
            hash ^= hash >> 29;
        }
    return hash;
}

size_t rh__image_size(void)
{
    size_t size = 0;
    for (int i = 0; i < image->count; i++)
        size += image->ranges[i].size;
    return size;
}

void rh__image_save(char *copy)
{
    for (int i = 0; i < image->count; i++) {
        memcpy(copy, image->ranges[i].start, image->ranges[i].size);
        copy += image->ranges[i].size;
    }
}

size_t rh__image_difference(const char *copy, uintptr_t *first)
{
    size_t count = 0;
    for (int i = 0; i < image->count; i++) {
        const struct range *range = &image->ranges[i];
        for (size_t k = 0; k < range->size; k++) {
            if (range->start[k] == copy[k] || !rh__is_written((uintptr_t)range->start + k))
                continue;
            if (!count++)
                *first = (uintptr_t)range->start + k;
        }
        copy += range->size;
    }
    return count;
}
