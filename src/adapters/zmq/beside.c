// SPDX-License-Identifier: MIT
#include "adapters/zmq/beside.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/zmq/engine.h"
#include "entry/program.h"

// How many files had ever been loaded at the last look.
static unsigned long long loaded;

// A text that zmq_strerror has in every version of ZeroMQ, and that nothing else has.
static const char sign[] = "Operation cannot be accomplished in current state";

static bool has_sign(const struct dl_phdr_info *module)
{
    for (int i = 0; i < module->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &module->dlpi_phdr[i];
        bool is_constant =
            segment->p_type == PT_LOAD && segment->p_flags & PF_R && !(segment->p_flags & PF_W);
        const char *start = (const char *)(module->dlpi_addr + segment->p_vaddr);
        if (is_constant && memmem(start, segment->p_filesz, sign, sizeof sign - 1))
            return true;
    }
    return false;
}

static bool is_own(const struct dl_phdr_info *module)
{
    extern const char __ehdr_start[] __attribute__((visibility("hidden")));
    return module->dlpi_addr == (uintptr_t)__ehdr_start;
}

static int look_at_module(struct dl_phdr_info *module, size_t size, void *context)
{
    char **found = context;
    (void)size;
    loaded = module->dlpi_adds;
    if (is_own(module) || !has_sign(module))
        return 0;
    const char *name = *module->dlpi_name ? module->dlpi_name : rh__program_start.argv[0];
    *found = rh_strdup(name);
    return 1;
}

char *rh__zmq_beside_find(void)
{
    char *found = NULL;
    dl_iterate_phdr(look_at_module, &found);
    return found;
}

static int read_loaded(struct dl_phdr_info *module, size_t size, void *context)
{
    (void)size;
    *(unsigned long long *)context = module->dlpi_adds;
    return 1;
}

void rh__zmq_beside_check(void)
{
    unsigned long long now = loaded;
    dl_iterate_phdr(read_loaded, &now);
    char *found = now != loaded ? rh__zmq_beside_find() : NULL;
    if (found)
        rh__zmq_give_up("dlopen has loaded %.200s, which has ZeroMQ itself in it: it would run "
                        "beside the one that is under control, which libzmq.so.5 without a path "
                        "stands for",
                        found);
}
