// SPDX-License-Identifier: MIT
#include "adapters/zmq/names.h"

#include <ctype.h>
#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <unwind.h>

#include "entry/program.h"
#include "world/world.h"

enum { BYTES_SHOWN = 48 };

// What is looked for among the modules of the process.
struct place {
    uintptr_t code;
    const char *module; // the module's file, "" if it is the executable or none was found yet
};

static int look_at_module(struct dl_phdr_info *info, size_t size, void *argument)
{
    (void)size;
    struct place *place = argument;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD ||
            place->code - info->dlpi_addr - segment->p_vaddr >= segment->p_memsz)
            continue;
        place->module = info->dlpi_name;
        return 1;
    }
    return 0;
}

// dladdr() says this too, but looks through all symbols of the module before, and every call of the
// program asks.
static const char *module_of(const void *code)
{
    struct place place = {(uintptr_t)code, ""};
    dl_iterate_phdr(look_at_module, &place);
    return place.module;
}

static bool is_library_file(const char *module)
{
    return strncmp(module, "/usr/lib/", 9) == 0 || strncmp(module, "/lib/", 5) == 0;
}

bool rh__zmq_is_library(const void *code)
{
    return is_library_file(module_of(code));
}

// The innermost frame that is neither a library's nor our own.
struct caller {
    const char *own_module;
    const void *code; // where that frame goes on, NULL if none was found yet
};

static _Unwind_Reason_Code note_return(struct _Unwind_Context *context, void *argument)
{
    struct caller *caller = argument;
    const void *code = (const void *)_Unwind_GetIP(context);
    const char *module = module_of(code);
    if (is_library_file(module) || strcmp(module, caller->own_module) == 0)
        return _URC_NO_REASON;
    caller->code = code;
    return _URC_END_OF_STACK;
}

const void *rh__zmq_find_return(void)
{
    struct caller caller = {module_of((const void *)(uintptr_t)rh__zmq_find_return), NULL};
    _Unwind_Backtrace(note_return, &caller);
    return caller.code;
}

static bool is_czmq(const void *code)
{
    return strstr(module_of(code), "/libczmq.so") != NULL;
}

// CZMQ starts all its actors with one function of its own, whose argument begins with the actor's
// function.
static const void *code_of(void *(*start)(void *), const void *argument)
{
    const void *code = *(const void **)&start;
    if (!argument || !is_czmq(code))
        return code;
    const void *actor = *(const void *const *)argument;
    Dl_info info;
    return dladdr(actor, &info) ? actor : code;
}

// Adds the function's name from debug information or symbol tables; "thread" if they do not have
// it.
static void add_function(struct rh_text *text, const void *code)
{
    struct rh_debug *debug = rh__process.world->options.debug;
    const char *file;
    int line;
    Dl_info info;
    if (debug && rh_debug_code_at(debug, (uintptr_t)code, text, &file, &line) && text->length > 0)
        return;
    bool is_known = dladdr(code, &info) && info.dli_sname && info.dli_saddr == code;
    rh_text_add(text, is_known ? info.dli_sname : "thread");
}

char *rh__zmq_thread_name(void *(*start)(void *), const void *argument, rh_behaviour **behaviour)
{
    struct rh_text text = {0};
    const void *code = code_of(start, argument);
    if (argument == &rh__program_start) {
        code = *(const void *const *)&rh__program_start.main;
        // Before the program's constructors only the program's first instruction is known.
        if (!code)
            code = (const void *)getauxval(AT_ENTRY);
        rh_text_add(&text, "main");
    } else {
        add_function(&text, code);
    }
    *(const void **)behaviour = code;
    return rh_text_take(&text);
}

static bool is_text(const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (!isprint(bytes[i]))
            return false;
    return true;
}

void rh__zmq_add_frame(struct rh_text *text, const void *bytes, size_t size)
{
    size_t shown = size < BYTES_SHOWN ? size : BYTES_SHOWN;
    if (is_text(bytes, shown)) {
        rh_text_add_bytes(text, bytes, shown);
    } else {
        rh_text_add(text, "0x");
        for (size_t i = 0; i < shown; i++)
            rh_text_addf(text, "%02x", ((const unsigned char *)bytes)[i]);
    }
    if (shown < size)
        rh_text_addf(text, "... (%zu bytes)", size);
}
