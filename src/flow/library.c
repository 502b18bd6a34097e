// SPDX-License-Identifier: MIT
// Functions whose code is not there: LLVM's own, those of libc that are known, and all others.
//
// About a function that is not known everything is assumed that it could do with what it is given and with what other
// such functions were given: keep it, put any of it anywhere it can reach, give any of it back, and call it.
#include <stdlib.h>
#include <string.h>

#include "flow/internal.h"

// What a function does, as far as addresses are concerned.
enum effect {
    NOTHING,    // and gives no address
    FILLS,      // what its arguments point to, without addresses; gives the first
    PUTS,       // fills what its arguments point to, too, and gives no address
    SETS,       // as many bytes from the first argument on as the third says; gives the first
    CLEARS,     // as many bytes from the first argument on as the second says
    GIVES_INTO, // an address in what the first argument points to
    ENDS,       // puts such an address where the second argument points to
    COPIES, // from the second to the first argument, as many bytes as the third says; gives the first
    ALLOCATES,   // gives something new
    REALLOCATES, // gives something new with the contents of the old
    DUPLICATES,  // gives something new without addresses in it
    FILLS_FIRST, // puts the address of something new where the first argument points to
    OPAQUE,      // gives something of the library's without addresses that matter
    SORTS,       // calls the fourth argument with elements of the first
    SEARCHES,    // calls the fifth argument with the first and elements of the second; gives one
    STARTS_LIST, // of variable arguments
    COPIES_LIST,
    SAME,     // gives whatever it is given
    SHOWS,    // in the form that the first argument says; puts a number somewhere if that says so
    SHOWS_TO, // in the form that the second argument says
    LOADS_RELATIVE, // an address, of a table of distances to addresses
};

static const struct model {
    const char *name;
    enum effect effect;
} models[] = {
    // Sorted by name.
    {"__assert_fail", NOTHING},
    {"__ctype_b_loc", OPAQUE},
    {"__ctype_tolower_loc", OPAQUE},
    {"__ctype_toupper_loc", OPAQUE},
    {"__errno_location", OPAQUE},
    {"__isoc23_strtol", ENDS},
    {"__isoc23_strtoll", ENDS},
    {"__isoc23_strtoul", ENDS},
    {"__isoc23_strtoull", ENDS},
    {"__isoc99_sscanf", FILLS},
    {"_exit", NOTHING},
    {"abort", NOTHING},
    {"abs", NOTHING},
    {"aligned_alloc", ALLOCATES},
    {"alloca", ALLOCATES},
    {"asprintf", FILLS_FIRST},
    {"atof", NOTHING},
    {"atoi", NOTHING},
    {"atol", NOTHING},
    {"bcmp", NOTHING},
    {"bsearch", SEARCHES},
    {"bzero", CLEARS},
    {"calloc", ALLOCATES},
    {"ceil", NOTHING},
    {"clock", NOTHING},
    {"clock_gettime", FILLS},
    {"close", NOTHING},
    {"cos", NOTHING},
    {"exit", NOTHING},
    {"exp", NOTHING},
    {"fabs", NOTHING},
    {"fclose", NOTHING},
    {"fflush", NOTHING},
    {"fgets", FILLS},
    {"floor", NOTHING},
    {"fmod", NOTHING},
    {"fopen", OPAQUE},
    {"fprintf", SHOWS_TO},
    {"fputc", NOTHING},
    {"fputs", NOTHING},
    {"fread", FILLS},
    {"free", NOTHING},
    {"fwrite", NOTHING},
    {"getchar", NOTHING},
    {"getenv", OPAQUE},
    {"getpid", NOTHING},
    {"getrandom", FILLS},
    {"gettimeofday", FILLS},
    {"gmtime", OPAQUE},
    {"isalnum", NOTHING},
    {"isalpha", NOTHING},
    {"isdigit", NOTHING},
    {"isspace", NOTHING},
    {"labs", NOTHING},
    {"localtime", OPAQUE},
    {"log", NOTHING},
    {"malloc", ALLOCATES},
    {"memalign", ALLOCATES},
    {"memchr", GIVES_INTO},
    {"memcmp", NOTHING},
    {"memcpy", COPIES},
    {"memmove", COPIES},
    {"mempcpy", COPIES},
    {"memrchr", GIVES_INTO},
    {"memset", SETS},
    {"nanosleep", PUTS},
    {"open_memstream", FILLS_FIRST},
    {"pause", NOTHING},
    {"perror", NOTHING},
    {"posix_memalign", FILLS_FIRST},
    {"pow", NOTHING},
    {"printf", SHOWS},
    {"putc", NOTHING},
    {"putchar", NOTHING},
    {"puts", NOTHING},
    {"qsort", SORTS},
    {"qsort_r", SORTS},
    {"raise", NOTHING},
    {"rand", NOTHING},
    {"rand_r", PUTS},
    {"random", NOTHING},
    {"read", FILLS},
    {"realloc", REALLOCATES},
    {"reallocarray", REALLOCATES},
    {"setvbuf", NOTHING},
    {"sin", NOTHING},
    {"sleep", NOTHING},
    {"snprintf", FILLS},
    {"sprintf", FILLS},
    {"sqrt", NOTHING},
    {"srand", NOTHING},
    {"srandom", NOTHING},
    {"sscanf", FILLS},
    {"stpcpy", FILLS},
    {"strcasecmp", NOTHING},
    {"strcat", FILLS},
    {"strchr", GIVES_INTO},
    {"strcmp", NOTHING},
    {"strcpy", FILLS},
    {"strcspn", NOTHING},
    {"strdup", DUPLICATES},
    {"strerror", OPAQUE},
    {"strlen", NOTHING},
    {"strncasecmp", NOTHING},
    {"strncat", FILLS},
    {"strncmp", NOTHING},
    {"strncpy", FILLS},
    {"strndup", DUPLICATES},
    {"strnlen", NOTHING},
    {"strpbrk", GIVES_INTO},
    {"strrchr", GIVES_INTO},
    {"strspn", NOTHING},
    {"strstr", GIVES_INTO},
    {"strtod", ENDS},
    {"strtof", ENDS},
    {"strtol", ENDS},
    {"strtold", ENDS},
    {"strtoll", ENDS},
    {"strtoul", ENDS},
    {"strtoull", ENDS},
    {"time", PUTS},
    {"tolower", NOTHING},
    {"toupper", NOTHING},
    {"usleep", NOTHING},
    {"vfprintf", NOTHING},
    {"vprintf", NOTHING},
    {"vsnprintf", FILLS},
    {"vsprintf", FILLS},
    {"write", NOTHING},
};

// LLVM's own, by the beginning of their names. Others without addresses among their parameters only compute, and give
// whatever they are given.
static const struct model intrinsics[] = {
    {"llvm.memcpy.", COPIES},
    {"llvm.memmove.", COPIES},
    {"llvm.memset.", SETS},
    {"llvm.va_start", STARTS_LIST},
    {"llvm.va_copy", COPIES_LIST},
    {"llvm.va_end", NOTHING},
    {"llvm.lifetime.", NOTHING},
    {"llvm.dbg.", NOTHING},
    {"llvm.objectsize.", NOTHING},
    {"llvm.stackrestore", NOTHING},
    {"llvm.assume", NOTHING},
    {"llvm.trap", NOTHING},
    {"llvm.prefetch", NOTHING},
    {"llvm.invariant.", NOTHING},
    {"llvm.expect", SAME},
    {"llvm.threadlocal.address", SAME},
    {"llvm.ptrmask", SAME},
    {"llvm.ptr.annotation", SAME},
    {"llvm.launder.", SAME},
    {"llvm.strip.", SAME},
    {"llvm.ssa.copy", SAME},
    {"llvm.is.constant", SAME},
    {"llvm.var.annotation", NOTHING},
    {"llvm.load.relative", LOADS_RELATIVE},
};

static int compare_model(const void *key, const void *model)
{
    return strcmp(key, ((const struct model *)model)->name);
}

// With the checks that _FORTIFY_SOURCE asks for, memcpy is __memcpy_chk. The first arguments are the same, but for
// those of functions that format.
static const struct model *find_model(const char *name)
{
    char plain[64];
    size_t length = strlen(name);
    const struct model *found =
        bsearch(name, models, sizeof models / sizeof models[0], sizeof models[0], compare_model);
    if (found || length < 7 || length >= sizeof plain || strncmp(name, "__", 2) != 0 ||
        strcmp(name + length - 4, "_chk") != 0)
        return found;
    memcpy(plain, name + 2, length - 6);
    plain[length - 6] = '\0';
    return bsearch(plain, models, sizeof models / sizeof models[0], sizeof models[0],
                   compare_model);
}

// A call that is being looked at.
struct call {
    struct rh__flow *flow;
    uint32_t instance, block, actor;
    const struct rh_ir_instruction *instruction;
    uint32_t result;
    uint32_t count;  // of arguments
    bool is_checked; // with an argument before the format, as _FORTIFY_SOURCE asks for
};

static uint32_t argument(const struct call *call, uint32_t index)
{
    return rh__operand(call->flow, call->instance, call->block, call->instruction->operands[index]);
}

// Fresh memory is zero in a controlled execution, whoever allocates it.
static uint32_t new_memory(const struct call *call)
{
    uint32_t object = rh__object_new(call->flow, RH__MEMORY, 0, call->actor, RH__EVERYWHERE);
    call->flow->objects.items[object].is_zeroed = true;
    return rh__location_of(call->flow, object);
}

// Memory that holds no addresses.
static uint32_t filled_memory(const struct call *call)
{
    uint32_t object = rh__object_new(call->flow, RH__MEMORY, 0, call->actor, RH__EVERYWHERE);
    rh__store(call->flow, rh__location_everywhere(call->flow, object), 1, call->flow->any_number);
    return rh__location_of(call->flow, object);
}

static uint64_t number_or_all(const struct call *call, uint32_t index)
{
    int64_t number;
    bool is_known = index < call->count &&
                    rh_ir_number(call->flow->module, call->instruction->operands[index], &number) &&
                    number >= 0;
    return is_known ? (uint64_t)number : RH__EVERYWHERE;
}

static void spread(const struct call *call, uint32_t index, uint32_t target)
{
    rh__constrain(call->flow, argument(call, index),
                  &(struct rh__constraint){.kind = RH__SPREAD, .target = target});
}

// Puts numbers wherever the argument leads to in its object.
static void fill(const struct call *call, uint32_t index, uint32_t values)
{
    uint32_t anywhere = rh__node_new(call->flow, call->actor);
    spread(call, index, anywhere);
    rh__constrain(call->flow, anywhere,
                  &(struct rh__constraint){.kind = RH__STORE, .target = values, .size = 1});
}

// Puts numbers into as many bytes, from the first argument on, as the argument `size` says.
static void fill_bytes(const struct call *call, uint32_t size, uint32_t values)
{
    struct rh__constraint constraint = {
        .kind = RH__STORE, .target = values, .size = number_or_all(call, size)};
    if (constraint.size == RH__EVERYWHERE)
        fill(call, 0, values);
    else if (constraint.size > 0)
        rh__constrain(call->flow, argument(call, 0), &constraint);
}

static void fill_all(const struct call *call)
{
    for (uint32_t i = 0; i < call->count; i++)
        fill(call, i, call->flow->any_number);
}

// A function that is called with elements of an array: any address in it. It is found when its address is, so a call is
// made of it whose values are in one node.
static void call_with(const struct call *call, uint32_t function, uint32_t values)
{
    uint32_t number = (uint32_t)call->flow->callbacks.count;
    *rh_vector_push(&call->flow->callbacks) = (struct rh__callback){call->actor, values};
    rh__constrain(call->flow, argument(call, function),
                  &(struct rh__constraint){.kind = RH__CALL_BACK, .target = number});
}

// The addresses of elements of an array, of which `size` is the argument that says how large they are.
static void elements_of(const struct call *call, uint32_t array, uint32_t size, uint32_t target)
{
    struct rh__constraint constraint = {
        .kind = RH__STEP, .target = target, .size = number_or_all(call, size)};
    if (constraint.size == RH__EVERYWHERE || constraint.size == 0)
        constraint.kind = RH__SPREAD;
    rh__constrain(call->flow, argument(call, array), &constraint);
}

// Elements are moved within the array, so that each place may hold whatever another does.
static void sort(const struct call *call)
{
    uint32_t elements = rh__node_new(call->flow, call->actor);
    uint32_t values = rh__node_new(call->flow, call->actor);
    elements_of(call, 0, 2, elements);
    struct rh__constraint constraint = {.kind = RH__SHUFFLE, .size = number_or_all(call, 2)};
    rh__constrain(call->flow, elements, &constraint);
    rh__edge(call->flow, elements, values);
    for (uint32_t i = 4; i < call->count; i++)
        rh__edge(call->flow, argument(call, i), values);
    call_with(call, 3, values);
}

static void search(const struct call *call)
{
    uint32_t values = rh__node_new(call->flow, call->actor);
    elements_of(call, 1, 3, values);
    elements_of(call, 1, 3, call->result);
    rh__edge(call->flow, argument(call, 0), values);
    call_with(call, 4, values);
}

static void reallocate(const struct call *call)
{
    uint32_t made = rh__node_new(call->flow, call->actor);
    rh__node_add(call->flow, made, new_memory(call));
    rh__transfer_new(call->flow, &(struct rh__transfer){made, argument(call, 0), RH__EVERYWHERE,
                                                        .is_first = true});
    rh__edge(call->flow, made, call->result);
    // It may stay where it is.
    rh__edge(call->flow, argument(call, 0), call->result);
}

static void fill_first(const struct call *call)
{
    uint32_t made = rh__node_new(call->flow, call->actor);
    rh__node_add(call->flow, made, filled_memory(call));
    rh__constrain(call->flow, argument(call, 0),
                  &(struct rh__constraint){.kind = RH__STORE, .target = made, .size = 8});
    for (uint32_t i = 1; i < call->count; i++)
        fill(call, i, call->flow->any_number);
    rh__node_add(call->flow, call->result, filled_memory(call));
}

// The list holds addresses of where the arguments are.
static void start_list(const struct call *call)
{
    struct rh__flow *flow = call->flow;
    uint32_t arguments = flow->instances.items[call->instance].arguments;
    if (arguments == RH__NONE)
        return;
    uint32_t made = rh__node_new(flow, call->actor);
    rh__node_add(flow, made, rh__location_everywhere(flow, arguments));
    uint32_t list = rh__node_new(flow, call->actor);
    spread(call, 0, list);
    rh__constrain(flow, list,
                  &(struct rh__constraint){.kind = RH__STORE, .target = made, .size = 1});
}

static void put_end(const struct call *call)
{
    uint32_t end = rh__node_new(call->flow, call->actor);
    spread(call, 0, end);
    rh__constrain(call->flow, argument(call, 1),
                  &(struct rh__constraint){.kind = RH__STORE, .target = end, .size = 8});
}

static void copy(const struct call *call, uint32_t to, uint32_t from, uint64_t size)
{
    rh__transfer_new(call->flow,
                     &(struct rh__transfer){argument(call, to), argument(call, from), size, false});
}

static void give_all(const struct call *call)
{
    for (uint32_t i = 0; i < call->count; i++)
        rh__edge(call->flow, argument(call, i), call->result);
}

// Whether the format asks for a number to be put somewhere (%n), or is not known.
static bool puts_number(const struct call *call, uint32_t index)
{
    const char *format = index < call->count
                             ? rh_ir_text(call->flow->module, call->instruction->operands[index])
                             : NULL;
    for (const char *at = format; at && (at = strchr(at, '%'));) {
        at += 1 + strspn(at + 1, "0123456789.-+ #'*hlqjzt");
        if (*at == 'n')
            return true;
        at += *at != '\0';
    }
    return !format;
}

// What the table may say where, it may say everywhere.
static void load_relative(const struct call *call)
{
    uint32_t table = rh__node_new(call->flow, call->actor);
    spread(call, 0, table);
    rh__constrain(call->flow, table,
                  &(struct rh__constraint){.kind = RH__LOAD, .target = call->result, .size = 4});
}

static void follow_model(const struct call *call, enum effect effect)
{
    struct rh__flow *flow = call->flow;
    switch (effect) {
    case NOTHING:
        break;
    case FILLS:
        fill_all(call);
        spread(call, 0, call->result);
        break;
    case PUTS:
        fill_all(call);
        break;
    case SETS:
        fill_bytes(call, 2, number_or_all(call, 1) == 0 ? flow->zero : flow->any_number);
        rh__edge(flow, argument(call, 0), call->result);
        break;
    case CLEARS:
        fill_bytes(call, 1, flow->zero);
        break;
    case GIVES_INTO:
        spread(call, 0, call->result);
        break;
    case ENDS:
        put_end(call);
        break;
    case COPIES:
        copy(call, 0, 1, number_or_all(call, 2));
        spread(call, 0, call->result);
        break;
    case ALLOCATES:
        rh__node_add(flow, call->result, new_memory(call));
        break;
    case DUPLICATES:
    case OPAQUE:
        rh__node_add(flow, call->result, filled_memory(call));
        break;
    case REALLOCATES:
        reallocate(call);
        break;
    case FILLS_FIRST:
        fill_first(call);
        break;
    case SORTS:
        sort(call);
        break;
    case SEARCHES:
        search(call);
        break;
    case STARTS_LIST:
        start_list(call);
        break;
    case COPIES_LIST:
        copy(call, 0, 1, RH__EVERYWHERE);
        break;
    case SAME:
        give_all(call);
        break;
    case SHOWS:
    case SHOWS_TO:
        if (puts_number(call, (effect == SHOWS_TO) + call->is_checked))
            fill_all(call);
        break;
    case LOADS_RELATIVE:
        load_relative(call);
        break;
    }
}

// How many arguments a model looks at.
static uint32_t needs(enum effect effect)
{
    switch (effect) {
    case COPIES:
    case COPIES_LIST:
    case CLEARS:
    case ENDS:
    case SETS:
        return 2;
    case SORTS:
        return 4;
    case SEARCHES:
        return 5;
    case FILLS:
    case GIVES_INTO:
    case REALLOCATES:
    case FILLS_FIRST:
    case STARTS_LIST:
    case LOADS_RELATIVE:
        return 1;
    default:
        return 0;
    }
}

// Everything that unknown code already has may be called from here too.
static void begin_unknown(struct rh__flow *flow, uint32_t actor)
{
    if (flow->actors.items[actor].calls_unknown)
        return;
    flow->actors.items[actor].calls_unknown = true;
    for (uint32_t i = 0; i < flow->nodes.items[flow->escaped].done; i++)
        rh__call_back(flow, actor, flow->nodes.items[flow->escaped].items[i], flow->anything,
                      flow->escaped);
}

static void call_unknown(const struct call *call)
{
    struct rh__flow *flow = call->flow;
    begin_unknown(flow, call->actor);
    for (uint32_t i = 0; i < call->count; i++)
        rh__edge(flow, argument(call, i), flow->escaped);
    rh__edge(flow, flow->anything, call->result);
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

// Whether it is known what the function does.
static bool find_effect(const struct rh_ir_module *module, const struct rh_ir_function *function,
                        enum effect *effect)
{
    const struct model *model = function->is_intrinsic ? NULL : find_model(function->name);
    for (size_t i = 0; function->is_intrinsic && i < sizeof intrinsics / sizeof *intrinsics; i++)
        if (!strncmp(function->name, intrinsics[i].name, strlen(intrinsics[i].name)))
            model = &intrinsics[i];
    *effect = model ? model->effect : SAME;
    return model || (function->is_intrinsic && !takes_addresses(module, function));
}

static struct call call_at(struct rh__flow *flow, uint32_t instance, uint32_t block,
                           const struct rh_ir_instruction *instruction)
{
    return (struct call){
        .flow = flow,
        .instance = instance,
        .block = block,
        .actor = flow->instances.items[instance].actor,
        .instruction = instruction,
        .result = rh__value_node(flow, instance, instruction),
        .count = instruction->operand_count - 1,
    };
}

void rh__unknown_call(struct rh__flow *flow, uint32_t instance, uint32_t block,
                      const struct rh_ir_instruction *instruction)
{
    struct call call = call_at(flow, instance, block, instruction);
    call_unknown(&call);
}

void rh__library_call(struct rh__flow *flow, uint32_t instance, uint32_t block,
                      const struct rh_ir_instruction *instruction, uint32_t function)
{
    const struct rh_ir_function *callee = &flow->module->functions.items[function];
    struct call call = call_at(flow, instance, block, instruction);
    call.is_checked = !strncmp(callee->name, "__", 2);
    if (rh_ir_type_of(flow->module, instruction->type)->kind != RH_IR_POINTER)
        rh__any_number(flow, call.result);
    else if (!callee->is_intrinsic)
        rh__node_add(flow, call.result, rh__number(flow, 0));
    enum effect effect;
    if (find_effect(flow->module, callee, &effect) && call.count >= needs(effect)) {
        follow_model(&call, effect);
        return;
    }
    flow->unknown_calls[function] = true;
    call_unknown(&call);
}
