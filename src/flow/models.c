// SPDX-License-Identifier: MIT
#include "flow/models.h"

#include <string.h>

#include "base/status.h"

// The words of libc/functions.def for effects on memory.
enum word {
    NO_EFFECT, // behind the last effect of a function, too
    DOES_READ,
    DOES_WRITE,
    DOES_SET,
    DOES_CLEAR,
    DOES_COPY,
    DOES_SEND,
    DOES_RECEIVE,
    DOES_OPEN,
    DOES_PARSE,
    DOES_SHOW,
    DOES_SCAN,
    DOES_PUT_NEW,
    DOES_PUT_INTO,
    DOES_GIVE,
    DOES_GIVE_OWN,
    DOES_ALLOCATE,
    DOES_DUPLICATE,
    DOES_REALLOCATE,
    DOES_FREE,
    DOES_SORT,
    DOES_SEARCH,
    DOES_RUN,
    DOES_FIND,
    DOES_MORE, // what is not followed here
};

enum { EFFECTS_MOST = 8, ANY_ARGUMENT = -1 };

// A function of libc, with its effects and the argument that each effect is about.
struct model {
    const char *name;
    const char *arguments; // the names of all arguments: "(to, from, size)"
    struct {
        enum word word;
        const char *argument;
    } effects[EFFECTS_MOST];
};

// clang-format off
#define NONE {NO_EFFECT, NULL}
#define READS(a, length) {DOES_READ, #a}
#define NAMES(directory, a) {DOES_READ, #a}
#define ALTERS(directory, a) {DOES_READ, #a}
#define WRITES(a, length) {DOES_WRITE, #a}
#define FILLS(a, length) {DOES_WRITE, #a}
#define SETS(a, byte, length) {DOES_SET, #a}
#define CLEARS(a, length) {DOES_CLEAR, #a}
#define COPIES(to, from, length) {DOES_COPY, #to}
#define SENDS(a, length) {DOES_SEND, #a}
#define RECEIVES(a, length) {DOES_RECEIVE, #a}
#define OPENS(a, length) {DOES_OPEN, #a}
#define PARSES(a) {DOES_PARSE, #a}
#define SHOWS(format) {DOES_SHOW, #format}
#define SCANS(format) {DOES_SCAN, #format}
#define PUTS_NEW(a) {DOES_PUT_NEW, #a}
#define PUTS_INTO(a, b) {DOES_PUT_INTO, #a}
#define GIVES(a) {DOES_GIVE, #a}
#define GIVES_INTO(a) {DOES_GIVE, #a}
#define GIVES_OWN {DOES_GIVE_OWN, NULL}
#define ALLOCATES(length) {DOES_ALLOCATE, NULL}
#define DUPLICATES(a, length) {DOES_DUPLICATE, #a}
#define REALLOCATES(a, length) {DOES_REALLOCATE, #a}
#define FREES(a) {DOES_FREE, #a}
#define SORTS(array, count, size, compare) {DOES_SORT, #array}
#define SEARCHES(key, array, count, size, compare) {DOES_SEARCH, #array}
#define CALLS(a) {DOES_MORE, #a}
#define KEEPS(a) {DOES_MORE, #a}
#define RUNS {DOES_RUN, NULL}
#define FINDS(a) {DOES_FIND, #a}
#define MORE {DOES_MORE, NULL}
// clang-format on

static const struct model models[] = {
#define FUNCTION(where, how, name, result, parameters, arguments, outside, ...)                    \
    {#name, #arguments, {__VA_ARGS__}},
#include "libc/functions.def"
};

// What the graph makes of a function that has an effect of this kind, which is about the argument
// with this index. The first rule counts.
static const struct {
    enum word word;
    int argument;
    enum rh__flow_effect effect;
} rules[] = {
    {DOES_RECEIVE, ANY_ARGUMENT, RH__FLOW_RESTORES},
    {DOES_SCAN, ANY_ARGUMENT, RH__FLOW_RESTORES},
    {DOES_SEND, 0, RH__FLOW_SAVES},
    {DOES_SEND, 1, RH__FLOW_SAVES_SECOND},
    {DOES_OPEN, 0, RH__FLOW_OPENS},
    {DOES_RUN, ANY_ARGUMENT, RH__FLOW_RUNS},
    {DOES_FIND, 1, RH__FLOW_FINDS},
    {DOES_SORT, 0, RH__FLOW_SORTS},
    {DOES_SEARCH, 1, RH__FLOW_SEARCHES},
    {DOES_SET, 0, RH__FLOW_SETS},
    {DOES_CLEAR, 0, RH__FLOW_CLEARS},
    {DOES_COPY, 0, RH__FLOW_COPIES},
    {DOES_ALLOCATE, ANY_ARGUMENT, RH__FLOW_ALLOCATES},
    {DOES_REALLOCATE, 0, RH__FLOW_REALLOCATES},
    {DOES_DUPLICATE, 0, RH__FLOW_DUPLICATES},
    {DOES_PUT_NEW, 0, RH__FLOW_FILLS_FIRST},
    {DOES_PUT_INTO, 1, RH__FLOW_ENDS},
    {DOES_PARSE, 0, RH__FLOW_PARSES},
};

// Intrinsics of LLVM by the beginning of their names. An intrinsic that is not listed and has no
// addresses among its parameters only computes: what it gives may be what it was given.
static const struct {
    const char *beginning;
    enum rh__flow_effect effect;
} intrinsics[] = {
    {"llvm.memcpy.", RH__FLOW_COPIES},
    {"llvm.memmove.", RH__FLOW_COPIES},
    {"llvm.memset.", RH__FLOW_SETS},
    {"llvm.va_start", RH__FLOW_STARTS_LIST},
    {"llvm.va_copy", RH__FLOW_COPIES_LIST},
    {"llvm.va_end", RH__FLOW_NOTHING},
    {"llvm.lifetime.", RH__FLOW_NOTHING},
    {"llvm.dbg.", RH__FLOW_NOTHING},
    {"llvm.objectsize.", RH__FLOW_NOTHING},
    {"llvm.stackrestore", RH__FLOW_NOTHING},
    {"llvm.assume", RH__FLOW_NOTHING},
    {"llvm.trap", RH__FLOW_NOTHING},
    {"llvm.prefetch", RH__FLOW_NOTHING},
    {"llvm.invariant.", RH__FLOW_NOTHING},
    {"llvm.expect", RH__FLOW_SAME},
    {"llvm.threadlocal.address", RH__FLOW_SAME},
    {"llvm.ptrmask", RH__FLOW_SAME},
    {"llvm.ptr.annotation", RH__FLOW_SAME},
    {"llvm.launder.", RH__FLOW_SAME},
    {"llvm.strip.", RH__FLOW_SAME},
    {"llvm.ssa.copy", RH__FLOW_SAME},
    {"llvm.is.constant", RH__FLOW_SAME},
    {"llvm.var.annotation", RH__FLOW_NOTHING},
    {"llvm.load.relative", RH__FLOW_LOADS_RELATIVE},
};

static const struct model *find_exactly(const char *name)
{
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
        if (!strcmp(models[i].name, name))
            return &models[i];
    return NULL;
}

// With the checks of _FORTIFY_SOURCE, memcpy is __memcpy_chk. Its first arguments are the same;
// only functions that format have others before the format (is_checked in library.c).
static const struct model *find_model(const char *name)
{
    char plain[64];
    size_t length = strlen(name);
    const struct model *found = find_exactly(name);
    if (found || length < 7 || length >= sizeof plain || strncmp(name, "__", 2) != 0 ||
        strcmp(name + length - 4, "_chk") != 0)
        return found;
    memcpy(plain, name + 2, length - 6);
    plain[length - 6] = '\0';
    return find_exactly(plain);
}

// How many effects of this kind the function has.
static int count(const struct model *model, enum word word)
{
    int found = 0;
    for (int i = 0; i < EFFECTS_MOST; i++)
        found += model->effects[i].word == word;
    return found;
}

// The index of the argument that the first effect of this kind is about.
static int argument_of(const struct model *model, enum word word)
{
    int effect = 0, index = 0;
    while (model->effects[effect].word != word)
        effect++;
    const char *argument = model->effects[effect].argument, *at = model->arguments + 1;
    size_t length = argument ? strcspn(argument, ".") : 0;
    while (argument && (strncmp(at, argument, length) != 0 || !strchr(",)", at[length]))) {
        at = strchr(at, ' ');
        rh_assert(at);
        at++;
        index++;
    }
    return index;
}

static enum rh__flow_effect showing(const struct model *model)
{
    int format = argument_of(model, DOES_SHOW);
    if (count(model, DOES_PUT_NEW))
        return RH__FLOW_SHOWS_NEW;
    if (count(model, DOES_WRITE))
        return format == 1 ? RH__FLOW_SHOWS_IN : RH__FLOW_SHOWS_SOME;
    return format == 0 ? RH__FLOW_SHOWS : RH__FLOW_SHOWS_TO;
}

// A function that only writes to memory, or gives an address that was there.
static bool plain_effect(const struct model *model, enum rh__flow_effect *effect)
{
    bool writes = count(model, DOES_WRITE) > 0;
    if (count(model, DOES_GIVE))
        *effect = writes ? RH__FLOW_FILLS : RH__FLOW_GIVES_INTO;
    else if (count(model, DOES_GIVE_OWN))
        *effect = RH__FLOW_OPAQUE;
    else
        *effect = writes ? RH__FLOW_PUTS : RH__FLOW_NOTHING;
    return !(count(model, DOES_GIVE) && argument_of(model, DOES_GIVE) != 0) &&
           !(count(model, DOES_GIVE_OWN) && writes);
}

// Whether the graph can follow what the function does, and how.
static bool effect_of(const struct model *model, enum rh__flow_effect *effect)
{
    int results = count(model, DOES_GIVE) + count(model, DOES_GIVE_OWN) +
                  count(model, DOES_ALLOCATE) + count(model, DOES_REALLOCATE) +
                  count(model, DOES_DUPLICATE);
    if (count(model, DOES_MORE) || results > 1)
        return false;
    if (count(model, DOES_SHOW)) {
        *effect = showing(model);
        return true;
    }
    bool is_special = false;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (!count(model, rules[i].word))
            continue;
        is_special = true;
        *effect = rules[i].effect;
        if (rules[i].argument == ANY_ARGUMENT ||
            rules[i].argument == argument_of(model, rules[i].word))
            return true;
    }
    return !is_special && plain_effect(model, effect);
}

static bool takes_addresses(const struct rh_ir_module *module,
                            const struct rh_ir_function *function)
{
    for (uint32_t i = 0; i < function->parameter_count; i++) {
        const struct rh_ir_type *type = rh_ir_type_of(module, function->parameters[i]);
        if (type->kind == RH_IR_VECTOR)
            type = rh_ir_type_of(module, type->element);
        if (type->kind == RH_IR_POINTER)
            return true;
    }
    return false;
}

bool rh__flow_effect_find(const struct rh_ir_module *module, const struct rh_ir_function *function,
                          enum rh__flow_effect *effect)
{
    if (!function->is_intrinsic) {
        const struct model *model = find_model(function->name);
        return model && effect_of(model, effect);
    }
    *effect = RH__FLOW_SAME;
    for (size_t i = 0; i < sizeof intrinsics / sizeof intrinsics[0]; i++)
        if (!strncmp(function->name, intrinsics[i].beginning, strlen(intrinsics[i].beginning))) {
            *effect = intrinsics[i].effect;
            return true;
        }
    return !takes_addresses(module, function);
}

uint32_t rh__flow_effect_needs(enum rh__flow_effect effect)
{
    switch (effect) {
    case RH__FLOW_COPIES:
    case RH__FLOW_COPIES_LIST:
    case RH__FLOW_CLEARS:
    case RH__FLOW_ENDS:
    case RH__FLOW_SETS:
    case RH__FLOW_SAVES_SECOND:
    case RH__FLOW_FINDS:
        return 2;
    case RH__FLOW_SORTS:
        return 4;
    case RH__FLOW_SEARCHES:
        return 5;
    case RH__FLOW_FILLS:
    case RH__FLOW_SAVES:
    case RH__FLOW_RESTORES:
    case RH__FLOW_OPENS:
    case RH__FLOW_SHOWS_IN:
    case RH__FLOW_SHOWS_SOME:
    case RH__FLOW_SHOWS_NEW:
    case RH__FLOW_GIVES_INTO:
    case RH__FLOW_REALLOCATES:
    case RH__FLOW_FILLS_FIRST:
    case RH__FLOW_STARTS_LIST:
    case RH__FLOW_LOADS_RELATIVE:
        return 1;
    default:
        return 0;
    }
}
