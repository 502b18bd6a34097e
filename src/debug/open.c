// SPDX-License-Identifier: MIT
// Modules: which files the program is made of, where they are loaded, and their lazy opening.
// libdw is used without libdwfl on purpose: nothing here can ask a server for debug information.
#include "debug/internal.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "base/input_file.h"

static bool is_system_path(const char *path)
{
    static const char *const prefixes[] = {"/lib/",     "/lib32/",     "/lib64/",
                                           "/usr/lib/", "/usr/lib32/", "/usr/lib64/"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(path, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

static struct rh__module *add_module(struct rh_debug *debug, const char *path)
{
    struct rh__module *module = rh_alloc(sizeof *module);
    module->path = rh_strdup(path);
    *rh_vector_push(&debug->modules) = module;
    return module;
}

static void add_segment(struct rh__module *module, uint64_t start, uint64_t size, bool writable)
{
    if (size == 0 || start + size < start)
        return;
    struct rh__segment *segment = rh_vector_push(&module->segments);
    segment->start = start;
    segment->end = start + size;
    segment->writable = writable;
}

// The caller closes the descriptor at once. The file stays mapped, so a forked worker shares
// nothing that it could disturb, and the program may change its directory or be replaced on disk.
static Elf *map_elf(int descriptor)
{
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(descriptor, ELF_C_READ_MMAP, NULL);
    if (elf && (elf_kind(elf) != ELF_K_ELF || elf_cntl(elf, ELF_C_FDREAD) != 0)) {
        elf_end(elf);
        elf = NULL;
    }
    return elf;
}

static bool is_for_this_machine(Elf *elf)
{
    GElf_Ehdr header;
    return gelf_getclass(elf) == ELFCLASS64 && gelf_getehdr(elf, &header) &&
           header.e_ident[EI_DATA] == ELFDATA2LSB && header.e_machine == EM_X86_64 &&
           (header.e_type == ET_EXEC || header.e_type == ET_DYN);
}

static struct rh_status open_elf(const char *path, Elf **elf)
{
    struct rh_input_file file;
    *elf = NULL;
    struct rh_status status = rh_input_open(&file, path);
    if (!rh_is_ok(&status))
        return status;
    *elf = map_elf(file.descriptor);
    rh_input_close(&file);
    if (*elf && is_for_this_machine(*elf))
        return rh_ok();
    if (*elf)
        elf_end(*elf);
    *elf = NULL;
    return rh_bad_input("%s is not a program for x86-64 Linux", path);
}

Elf *rh__module_elf(struct rh__module *module)
{
    if (!module->elf_tried) {
        module->elf_tried = true;
        open_elf(module->path, &module->elf);
    }
    return module->elf;
}

Dwarf *rh__module_dwarf(struct rh__module *module)
{
    if (!module->dwarf_tried && !module->is_system) {
        module->dwarf_tried = true;
        Elf *elf = rh__module_elf(module);
        module->dwarf = elf ? dwarf_begin_elf(elf, DWARF_C_READ, NULL) : NULL;
    }
    return module->dwarf;
}

static int add_loaded_module(struct dl_phdr_info *info, size_t size, void *context)
{
    struct rh_debug *debug = context;
    bool is_executable = debug->modules.count == 0;
    (void)size;

    // The kernel's own object (the vDSO) has no file.
    if (!is_executable && !strchr(info->dlpi_name, '/'))
        return 0;
    struct rh__module *module =
        add_module(debug, is_executable ? "/proc/self/exe" : info->dlpi_name);
    module->bias = info->dlpi_addr;
    module->thread_data = (uintptr_t)info->dlpi_tls_data;
    module->is_system = !is_executable && is_system_path(module->path);
    module->is_running = true;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type == PT_LOAD)
            add_segment(module, module->bias + header->p_vaddr, header->p_memsz,
                        header->p_flags & PF_W);
        if (header->p_type == PT_TLS && module->thread_data)
            module->thread_size = header->p_memsz;
    }
    if (!module->is_system)
        rh__module_elf(module);
    return 0;
}

struct rh_debug *rh_debug_open_self(void)
{
    struct rh_debug *debug = rh_alloc(sizeof *debug);
    dl_iterate_phdr(add_loaded_module, debug);
    return debug;
}

static void add_file_segments(struct rh__module *module)
{
    size_t count = 0;
    GElf_Phdr header;
    if (elf_getphdrnum(module->elf, &count) != 0)
        return;
    for (size_t i = 0; i < count && i <= INT16_MAX; i++)
        if (gelf_getphdr(module->elf, (int)i, &header) && header.p_type == PT_LOAD)
            add_segment(module, header.p_vaddr, header.p_memsz, header.p_flags & PF_W);
}

struct rh_debug *rh_debug_open_file(const char *path, struct rh_status *status)
{
    Elf *elf;
    *status = open_elf(path, &elf);
    if (!rh_is_ok(status))
        return NULL;
    struct rh_debug *debug = rh_alloc(sizeof *debug);
    struct rh__module *module = add_module(debug, path);
    module->elf = elf;
    module->elf_tried = true;
    add_file_segments(module);
    return debug;
}

static void free_module(struct rh__module *module)
{
    if (module->dwarf)
        dwarf_end(module->dwarf);
    if (module->elf)
        elf_end(module->elf);
    rh_vector_fini(&module->segments);
    rh_vector_fini(&module->symbols);
    rh_vector_fini(&module->variables);
    rh_vector_fini(&module->functions);
    free(module->path);
    free(module);
}

static void free_type(struct rh_debug_type *type)
{
    rh_vector_fini(&type->fields);
    rh_vector_fini(&type->enumerators);
    free(type);
}

void rh_debug_free(struct rh_debug *debug)
{
    if (!debug)
        return;
    for (size_t i = 0; i < debug->types.count; i++)
        free_type(debug->types.items[i]);
    for (size_t i = 0; i < debug->strings.count; i++)
        free(debug->strings.items[i]);
    for (size_t i = 0; i < debug->modules.count; i++)
        free_module(debug->modules.items[i]);
    rh_vector_fini(&debug->types);
    rh_vector_fini(&debug->strings);
    rh_vector_fini(&debug->modules);
    rh_vector_fini(&debug->names);
    rh_vector_fini(&debug->found);
    rh_vector_fini(&debug->converted);
    rh_index_fini(&debug->converted_index);
    free(debug);
}

const char *rh__debug_keep(struct rh_debug *debug, char *string)
{
    *rh_vector_push(&debug->strings) = string;
    return string;
}

const struct rh__segment *rh__segment_at(struct rh_debug *debug, uint64_t address,
                                         struct rh__module **module)
{
    for (size_t i = 0; i < debug->modules.count; i++) {
        *module = debug->modules.items[i];
        for (size_t j = 0; j < (*module)->segments.count; j++) {
            const struct rh__segment *segment = &(*module)->segments.items[j];
            if (segment->start <= address && address < segment->end)
                return segment;
        }
    }
    return NULL;
}

bool rh_debug_has_types(const struct rh_debug *debug)
{
    struct rh__module *executable = debug->modules.count ? debug->modules.items[0] : NULL;
    Dwarf *dwarf = executable ? rh__module_dwarf(executable) : NULL;
    Dwarf_CU *unit = NULL;
    Dwarf_Die root;

    while (dwarf && rh__next_unit(dwarf, &unit, &root))
        if (!rh__unit_is_own(executable, &root))
            return true;
    return false;
}
