// SPDX-License-Identifier: MIT
// What an address means. No address is ever shown as a number, which would differ from run to run.
#include "debug/internal.h"

#include <string.h>

enum {
    MOST_CHARACTERS = 60,
};

// Shortens the length to before a character of several bytes that would be split.
static size_t cut_length(const char *bytes, size_t length)
{
    while (length > 0 && ((unsigned char)bytes[length] & 0xc0) == 0x80)
        length--;
    return length;
}

// Reads only constants, which are mapped as long as the program runs and never change.
static bool add_constant_text(struct rh_debug *debug, struct rh_text *text, uint64_t address)
{
    struct rh__module *module;
    const struct rh__segment *segment = rh__segment_at(debug, address, &module);
    if (!segment || segment->writable || !module->is_running)
        return false;
    const char *bytes = (const char *)(uintptr_t)address;
    size_t available = segment->end - address;
    size_t most = available < MOST_CHARACTERS + 1 ? available : MOST_CHARACTERS + 1;
    size_t length = strnlen(bytes, most);
    if (length == available)
        return false;
    bool is_cut = length > MOST_CHARACTERS;
    if (is_cut)
        length = cut_length(bytes, MOST_CHARACTERS);
    if (!rh__is_text(bytes, length))
        return false;
    rh__add_quoted(text, bytes, length);
    if (is_cut)
        rh_text_add(text, "...");
    return true;
}

static bool is_in_running_module(struct rh_debug *debug, uint64_t address)
{
    struct rh__module *module;
    return rh__segment_at(debug, address, &module) && module->is_running;
}

static bool add_symbol(struct rh_debug *debug, struct rh_text *text, uint64_t address,
                       enum rh__pointee pointee)
{
    if (!is_in_running_module(debug, address))
        return false;
    if (rh__add_function_starting_at(debug, text, address))
        return true;
    if (pointee == RH__TO_FUNCTION)
        return false;
    struct rh_text name = {0};
    bool found = rh_debug_variable_at(debug, (uintptr_t)address, &name, NULL, NULL);
    if (found)
        rh_text_addf(text, "&%s", rh_text_get(&name));
    rh_text_fini(&name);
    return found;
}

void rh__add_pointer(struct rh_debug *debug, struct rh_text *text, enum rh__pointee pointee,
                     uint64_t address, const struct rh_debug_names *names)
{
    if (address == 0) {
        rh_text_add(text, "NULL");
        return;
    }
    if (pointee != RH__TO_FUNCTION && names && names->add_address &&
        names->add_address(names->context, text, address))
        return;
    if (pointee == RH__TO_CHARACTERS && add_constant_text(debug, text, address))
        return;
    if (!add_symbol(debug, text, address, pointee))
        rh_text_add(text, "(pointer)");
}
