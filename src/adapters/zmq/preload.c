// SPDX-License-Identifier: MIT
// How the library gets into a program, and whether the program is one for this library.
#include <dirent.h>
#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/zmq/anew.h"
#include "adapters/zmq/beside.h"
#include "adapters/zmq/engine.h"
#include "adapters/zmq/outside.h"
#include "entry/program.h"

static const char library_name[] = "libzmq.so.5";

// Takes this library out of the environment: programs that this one starts have nothing to do with
// it.
__attribute__((constructor(102))) static void leave_preload(void)
{
    const char *list = getenv("LD_PRELOAD");
    const char *first = list ? strstr(list, library_name) : NULL;
    if (!first)
        return;
    const char *rest = first + strlen(library_name);
    if (*rest == ':')
        setenv("LD_PRELOAD", rest + 1, 1);
    else
        unsetenv("LD_PRELOAD");
}

// The value of the first dynamic entry with this tag, as an address.
static uintptr_t dynamic_value(const struct dl_phdr_info *module, const ElfW(Dyn) * entry,
                               ElfW(Sxword) tag)
{
    for (; entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == tag)
            return entry->d_un.d_ptr < module->dlpi_addr ? module->dlpi_addr + entry->d_un.d_ptr
                                                         : entry->d_un.d_ptr;
    return 0;
}

static bool needs_library(const struct dl_phdr_info *module, const ElfW(Dyn) * dynamic)
{
    const char *strings = (const char *)dynamic_value(module, dynamic, DT_STRTAB);
    for (const ElfW(Dyn) *entry = dynamic; strings && entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_NEEDED && strcmp(strings + entry->d_un.d_val, library_name) == 0)
            return true;
    return false;
}

static int look_at_module(struct dl_phdr_info *module, size_t size, void *context)
{
    bool *is_needed = context;
    (void)size;
    for (int i = 0; i < module->dlpi_phnum; i++)
        if (module->dlpi_phdr[i].p_type == PT_DYNAMIC)
            *is_needed |= needs_library(
                module, (const ElfW(Dyn) *)(module->dlpi_addr + module->dlpi_phdr[i].p_vaddr));
    return *is_needed;
}

static size_t count_tasks(void)
{
    DIR *directory = opendir("/proc/self/task");
    size_t count = 0;
    for (const struct dirent *entry; directory && (entry = readdir(directory));)
        count += entry->d_name[0] != '.';
    if (directory)
        closedir(directory);
    return count;
}

// Checks that no module has ZeroMQ itself in it, and that some module needs this library.
static struct rh_status check_modules(void)
{
    bool is_needed = false;
    char *beside = rh__zmq_beside_find();
    dl_iterate_phdr(look_at_module, &is_needed);
    struct rh_status status = rh_ok();
    if (beside)
        status = rh_bad_input("%s has ZeroMQ itself in it, linked statically or under another name "
                              "than %s, and that would not be under control",
                              beside, library_name);
    else if (!is_needed)
        status = rh_bad_input("neither %s nor its libraries need %s: nothing would be under "
                              "control",
                              rh__program_start.argv[0], library_name);
    free(beside);
    return status;
}

struct rh_status rh_program_check_adapter(void)
{
    rh__zmq_outside_open();
    struct rh_status status = check_modules();
    if (!rh_is_ok(&status))
        return status;
    return count_tasks() > 1 ? rh__zmq_execute_anew() : rh_ok();
}
