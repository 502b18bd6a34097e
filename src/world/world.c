// SPDX-License-Identifier: MIT
#include "world/world.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/valgrind.h"
#include "entry/stack.h"
#include "libc/libc_warm_up.h"
#include "memory/globals.h"
#include "world/channel.h"
#include "world/fault.h"
#include "world/unset.h"

// The world's arrays are stacks in address space that is only reserved, at fixed addresses so that
// pointers into them are the same in every run.
//
// A delivery uses the beginnings of all arrays, and of the receiver's slot. Some processors look a
// line up in the first cache by its place in its page and a hash of the address's bits 12 to 27,
// and hold only one of several lines that are equal in both. So the arrays differ in these bits,
// from each other and, by more than bits 12 and 13, from all slots.
#define WORLD_BASE UINT64_C(0x190000004000)
#define UNDO_BASE UINT64_C(0x1a0000008000)
#define ACTORS_BASE UINT64_C(0x1b000000c000)
#define MESSAGES_BASE UINT64_C(0x1c0000010000)
#define PAYLOADS_BASE UINT64_C(0x1d0000014000)

enum { MESSAGE_MOST = 1 << 26 };
static const size_t PAYLOAD_BYTES = (size_t)16 << 30;
static const size_t UNDO_BYTES = (size_t)64 << 30;

extern const int rh__malloc_is_ours __attribute__((weak));

static void *map(uint64_t address, size_t size, int fixed)
{
    void *got = mmap((void *)address, size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
    return got == MAP_FAILED ? NULL : got;
}

// Where an address is not to be had, any other will do, with less room: undo, which depends on the
// addresses, does not work there. So it is under Valgrind, which keeps books on every byte of a
// mapping and takes minutes over a large one.
static void *reserve(uint64_t address, size_t *size, struct rh_status *status)
{
    void *got = rh_valgrind_is_running() ? NULL : map(address, *size, MAP_FIXED_NOREPLACE);
    if (got && got != (void *)address) {
        munmap(got, *size);
        got = NULL;
    }
    if (!got) {
        *size /= 256;
        got = map(0, *size, 0);
    }
    if (!got)
        *status =
            rh_failed("cannot reserve %zu bytes of address space: %s", *size, strerror(errno));
    return got;
}

static bool reserve_all(struct rh_world *world, struct rh_status *status)
{
    size_t actors = sizeof *world->actors * RH_SLOT_MOST;
    size_t messages = sizeof *world->messages * MESSAGE_MOST;
    size_t payloads = PAYLOAD_BYTES, undo = UNDO_BYTES;
    world->actors = reserve(ACTORS_BASE, &actors, status);
    world->messages = reserve(MESSAGES_BASE, &messages, status);
    world->payloads = reserve(PAYLOADS_BASE, &payloads, status);
    world->undo = reserve(UNDO_BASE, &undo, status);
    world->actor_most = (uint32_t)(actors / sizeof *world->actors);
    world->message_most = (uint32_t)(messages / sizeof *world->messages);
    world->payload_most = payloads;
    return rh_is_ok(status);
}

// Whether malloc in a handler really reaches us: a preloaded allocator or Valgrind may be in front.
static bool malloc_reaches_us(void)
{
    rh__process.in_handler = 1;
    void *volatile block = malloc(1);
    bool ours = rh_region_has((uint64_t)block);
    free(block);
    rh__process.in_handler = 0;
    return ours;
}

static void add_outside(struct rh_world *world)
{
    struct rh_actor_record *outside = &world->actors[world->actor_count++];
    outside->identity = rh_hash64_text("outside", 0);
    outside->spawned_name = outside->behaviour_name = "outside";
    outside->status = RH_ACTOR_OUTSIDE;
    outside->heap.used = RH_STATE_OFFSET;
}

struct rh_world *rh_world_new(const struct rh_world_options *options, struct rh_status *status)
{
    // The world has a fixed address too: frames of waiting handlers point to it.
    *status = rh_ok();
    size_t size = sizeof(struct rh_world) * 256; // `reserve` may leave the size of one world
    struct rh_world *world = reserve(WORLD_BASE, &size, status);
    if (!world)
        return NULL;
    world->options = *options;
    world->faults = options->faults;
    world->thread_pointer = rh_thread_pointer();
    world->errno_at = &errno;
    world->thread = syscall(SYS_gettid);
    rh_gift_init(world);
    world->first_pending = world->last_pending = RH_NONE;
    world->delivering = RH_NONE;
    if (!reserve_all(world, status))
        return NULL;
    add_outside(world);
    rh__process.world = world;
    const struct rh_files_told *told = options->files_told;
    rh_files_begin(options->shared_files || (told && !rh_is_ok(&told->refusal)));
    if (&rh__malloc_is_ours && !rh_valgrind_is_running() && rh_stack_map() && rh_region_map())
        rh__process.owns_malloc = malloc_reaches_us();
    rh__process.calls_on_world = rh__process.owns_malloc;
    if (rh__process.owns_malloc)
        rh_frames_init(&world->frames, options->protect_globals && rh_fence_watch(&world->fence),
                       options->fill);
    rh_globals_learn();
    rh_libc_warm_up();
    return world;
}

bool rh_world_reserves(uint64_t address)
{
    return address >= WORLD_BASE && address < RH_REGION_BASE;
}

// Types.

const struct rh_type_info *rh__world_find_type(struct rh_world *world, const struct rh_type *type)
{
    const struct rh_type_info *info = NULL;
    for (size_t i = 0; i < world->types.count && !info; i++)
        if (world->types.items[i]->name && world->types.items[i]->size == type->size &&
            strcmp(world->types.items[i]->name, type->name) == 0)
            info = world->types.items[i];
    if (!info)
        info = rh_type_new(world, type);
    *rh_world_type_slot(world, type) = (struct rh_type_slot){type->name, type->size, info};
    return info;
}

// A debugger may look at any state, and so does a trace: then states are placed at once.
static bool can_wait(const struct rh_world *world, size_t size)
{
    return size > 0 && size <= RH_UNPLACED_MOST && !world->options.tape &&
           !world->options.before_delivery;
}

void rh__world_place(struct rh_world *world, uint32_t slot)
{
    struct rh_actor_record *record = &world->actors[slot];
    memcpy(record->state, record->unplaced, record->state_size);
    record->is_unplaced = false;
}

static void clear_padding(const struct rh_type_info *type, void *bytes, size_t size)
{
    if (type && type->mask && bytes)
        rh_type_clear_padding(type, bytes, size);
}

void rh_world_clear_padding(struct rh_actor_record *record)
{
    clear_padding(record->state_type, record->is_unplaced ? record->unplaced : record->state,
                  record->state_size);
}

// Identities.

// Keys are hashes.
uint32_t rh_world_tally(struct rh_world *world, uint64_t key)
{
    struct rh_probe probe = rh_table_probe(&world->tally_table, key);
    while (rh_probe_next(&probe))
        if (world->tallies.items[probe.number].key == key)
            return ++world->tallies.items[probe.number].count;
    rh_table_add(&world->tally_table, NULL, key, (uint32_t)world->tallies.count);
    *rh_vector_push(&world->tallies) = (struct rh_tally){key, 1};
    return 1;
}

static uint64_t message_identity(struct rh_world *world, const struct rh_sending *sending,
                                 const struct rh_type_info *type)
{
    if (sending->coming != 0 || sending->identity != 0)
        return sending->identity;
    uint64_t hash = rh_identity_message_key(
        type->name_hash, world->actors[sending->receiver].identity, sending->kind, world->delivery);
    if (sending->sender != world->current)
        hash = rh_hash64_pair(hash, world->actors[sending->sender].identity);
    return rh_identity_nth(hash, rh_world_tally(world, hash));
}

// Messages.

uint32_t rh_world_new_message(struct rh_world *world)
{
    if (world->message_count >= world->message_most - 1)
        rh_world_reach_limit(world, "more than %u messages in one execution", world->message_most);
    return world->message_count++;
}

static void append_pending(struct rh_world *world, uint32_t index)
{
    struct rh_message *message = &world->messages[index];
    message->pending = true;
    message->previous = world->last_pending;
    message->next = RH_NONE;
    if (world->last_pending == RH_NONE)
        world->first_pending = index;
    else
        world->messages[world->last_pending].next = index;
    world->last_pending = index;
    world->pending_count++;
}

void rh_world_append(struct rh_world *world, uint32_t index)
{
    struct rh_message *message = &world->messages[index];
    if (world->options.fingerprints)
        message->hash = rh_message_hash(world, message);
    append_pending(world, index);
    rh_channel_append(world, index);
}

void *rh_world_push_payload(struct rh_world *world, const void *payload, size_t size)
{
    if (size > world->payload_most - world->payload_top - 64)
        rh_world_reach_limit(world, "more than %zu bytes of messages in one execution",
                             world->payload_most);
    char *copy = world->payloads + world->payload_top;
    size_t room = rh_payload_room(size);
    world->payload_top += room;
    rh_assert(world->payload_top <= world->payload_most);
    // A handler that reads beyond its message reads the same in every execution.
    memset(copy + room - RH_PAYLOAD_ALIGNMENT, 0, RH_PAYLOAD_ALIGNMENT);
    if (payload)
        memcpy(copy, payload, size);
    return copy;
}

void rh_world_push_guard(struct rh_world *world)
{
    const uint64_t guard[] = {RH_PAYLOAD_GUARD, RH_PAYLOAD_GUARD};
    rh_world_push_payload(world, guard, sizeof guard);
}

// An earlier timer holds back the later timers of its receiver, whoever set them: setting a timer
// changes which timers can be delivered to the receiver, but not which others were set. Messages in
// the name of one outside sender keep the order in which their true senders ran.
static void note_touching(const struct rh_world *world, const struct rh_sending *sending)
{
    const struct rh_world_driver *driver = &world->options.driver;
    bool is_before_all = world->current == 0; // the test's body
    if (!driver->touches || is_before_all)
        return;
    struct rh_touching touching = {.slot = world->current};
    if (sending->kind == RH_TIMER && sending->receiver != sending->sender) {
        touching.object =
            rh_hash64_pair(RH_OBJECT_TIMERS, world->actors[sending->receiver].identity);
        driver->touches(driver->context, &touching);
        driver->touches(driver->context,
                        &(struct rh_touching){sending->receiver, true, true, touching.object});
    }
    if (sending->sender != world->current && sending->also_sent_at == 0 &&
        world->options.order_rule == RH_ORDER_FIFO) {
        touching.object = rh_hash64_pair(RH_OBJECT_NAME, world->actors[sending->sender].identity);
        touching.writes = true;
        driver->touches(driver->context, &touching);
    }
}

uint32_t rh_world_send(struct rh_world *world, const struct rh_sending *sending)
{
    const struct rh_type_info *type = rh_world_type(world, sending->type);
    if (sending->size > UINT32_MAX)
        rh_world_reach_limit(world, "a message of %zu bytes", sending->size);
    rh_world_check_pointers(world, type, sending->payload, sending->size, sending->file,
                            sending->line);
    rh_assert(sending->sender < world->actor_count && sending->receiver < world->actor_count);
    rh_assert(sending->also_sent_at <= world->number);
    note_touching(world, sending);
    uint32_t index = rh_world_new_message(world);
    struct rh_message *message = &world->messages[index];
    rh_assert(index == 0 || message[-1].sent_at <= world->number);
    *message = (struct rh_message){
        .identity = message_identity(world, sending, type),
        .type = type,
        .payload = rh_world_push_payload(world, sending->payload, sending->size),
        .size = (uint32_t)sending->size,
        .sent_at = world->number,
        .also_sent_at = sending->also_sent_at,
        .is_after_all = sending->is_after_all,
        .hashed_size = (uint32_t)sending->size,
        .sender = sending->sender,
        .receiver = sending->receiver,
        .kind = sending->kind,
        .coming = sending->coming,
        .request = sending->kind == RH_ASK ? index : sending->request,
        .now = world->actors[world->current].now,
        .due = sending->due,
        .channel = RH_NONE,
        .file = sending->file,
        .line = sending->line,
        .place = rh_hash64_text(sending->file ? sending->file : "", (uint64_t)sending->line),
    };
    clear_padding(type, message->payload, message->size);
    if (rh_unset_looks(world))
        rh_unset_check_message(world, message);
    if (world->gifts.count > 0)
        rh_gift_attach(world, message);
    rh_world_push_guard(world);
    struct rh_actor_record *receiver = &world->actors[sending->receiver];
    message->first_from_creator = sending->coming == 0 && sending->identity == 0 &&
                                  receiver->creating == world->delivery &&
                                  receiver->messages_from_creator++ == 0;
    if (sending->stays_away)
        return index;
    rh_trace_message(world, message, false);
    if (rh_faults_at_send(world)) {
        rh_fault_send(world, index);
        return index;
    }
    rh_world_append(world, index);
    return index;
}

// Actors.

void rh_world_set_behaviour(struct rh_actor_record *record, rh_behaviour *behaviour,
                            const char *name)
{
    if (record->behaviour == behaviour && record->behaviour_name == name)
        return;
    record->behaviour = behaviour;
    record->behaviour_name = name;
    record->behaviour_hash = rh_hash64_text(name, 0);
    record->guard = rh_program_find_guard(behaviour);
}

// An actor that begins anew has kept its memory if others may reach it: see commons.h.
static void place_in_slot(struct rh_world *world, uint32_t slot, const void *state, size_t size)
{
    struct rh_actor_record *record = &world->actors[slot];
    bool has_memory = record->heap.used > RH_STATE_OFFSET;
    void *place =
        has_memory ? rh_slot_base(slot) + RH_STATE_OFFSET : rh_heap_init(&record->heap, slot, size);
    if (!place)
        rh_world_reach_limit(world, "the state of %s is larger than an actor's memory",
                             record->behaviour_name);
    record->state = size > 0 ? place : NULL;
    record->is_unplaced = !has_memory && can_wait(world, size);
    if (size > 0)
        memcpy(record->is_unplaced ? record->unplaced : place, state, size);
}

void rh_world_place_state(struct rh_world *world, uint32_t slot, const void *state, size_t size)
{
    struct rh_actor_record *record = &world->actors[slot];
    record->state_size = (uint32_t)size;
    if (rh__process.owns_malloc) {
        place_in_slot(world, slot, state, size);
    } else {
        record->heap.used = RH_STATE_OFFSET;
        record->state = size > 0 ? rh_alloc(size) : NULL;
        if (size > 0)
            memcpy(record->state, state, size);
    }
    rh_world_clear_padding(record);
}

void rh_world_settle_states(struct rh_world *world)
{
    for (uint32_t slot = 1; slot < world->actor_count && world->changes_states; slot++) {
        if (world->actors[slot].status == RH_ACTOR_OUTSIDE)
            continue;
        rh_world_clear_padding(&world->actors[slot]);
        if (world->options.fingerprints)
            rh_fingerprint_actor(world, slot);
    }
}

void rh_world_drop_memory(struct rh_world *world, uint32_t slot)
{
    struct rh_actor_record *record = &world->actors[slot];
    if (!rh__process.owns_malloc) {
        free(record->state);
    } else if (world->has_commons) {
        memset(rh_slot_base(slot) + RH_STATE_OFFSET, 0, record->state_size);
        rh_world_free_own(world, slot);
    } else {
        rh_heap_clear(&record->heap, slot);
    }
    record->state = NULL;
    record->state_size = 0;
}

uint32_t rh_world_new_slot(struct rh_world *world)
{
    if (world->actor_count >= world->actor_most - 1)
        rh_world_reach_limit(world, "more than %u actors in one execution", world->actor_most);
    return world->actor_count++;
}

// A new actor, which has everything but its state.
static uint32_t new_actor(struct rh_world *world, const struct rh_spawning *spawning)
{
    uint32_t slot = rh_world_new_slot(world);
    uint64_t hash = rh_identity_actor_key(spawning->behaviour_name, world->delivery);
    struct rh_actor_record *record = &world->actors[slot];
    *record = (struct rh_actor_record){
        .spawned_name = spawning->behaviour_name,
        .heap = {.used = RH_STATE_OFFSET},
        .changed_in = world->generation,
        .now = world->actors[world->current].now,
        .creator = world->current,
        .creating = world->delivery,
        .tag = world->tag,
        .index = spawning->index ? spawning->index : rh_world_tally(world, hash),
    };
    record->identity = rh_identity_nth(hash, record->index);
    struct rh_actor_record *creator = &world->actors[world->current];
    // The outside creates recorded actors at any time, and undo does not know about these
    // creations.
    uint64_t stream = spawning->index ? record->identity : ++creator->random_count;
    record->random_seed = rh_hash64_pair(creator->random_seed ^ 1, stream);
    record->origin = rh_hash64_pair(record->identity, record->random_seed);
    rh_world_set_behaviour(record, spawning->behaviour, spawning->behaviour_name);
    return slot;
}

static const struct rh_type_info *check_state(struct rh_world *world,
                                              const struct rh_spawning *spawning)
{
    const struct rh_type_info *type = spawning->type ? rh_world_type(world, spawning->type) : NULL;
    rh_world_check_pointers(world, type, spawning->state, spawning->size, spawning->file,
                            spawning->line);
    return type;
}

static void begin_actor(struct rh_world *world, uint32_t slot, const struct rh_type_info *type,
                        const struct rh_spawning *spawning)
{
    struct rh_actor_record *record = &world->actors[slot];
    record->state_type = type;
    rh_world_place_state(world, slot, spawning->state, spawning->size);
    if (world->options.faults.crashes > 0)
        rh_fault_spawn(world, slot);
    if (spawning->complete)
        spawning->complete(world, slot, spawning->context);
    if (world->options.fingerprints)
        rh_fingerprint_actor(world, slot);
    rh_trace_spawn(world, slot, spawning);
    if (rh_unset_looks(world))
        rh_unset_check_state(world, slot, spawning->file, spawning->line);
    rh_world_turn(world, &(struct rh_turn){.creates = true,
                                           .behaviour = record->behaviour,
                                           .behaviour_name = record->behaviour_name,
                                           .file = spawning->file,
                                           .line = spawning->line});
}

uint32_t rh_world_spawn(struct rh_world *world, const struct rh_spawning *spawning)
{
    const struct rh_type_info *type = check_state(world, spawning);
    uint32_t slot = new_actor(world, spawning);
    begin_actor(world, slot, type, spawning);
    return slot;
}

uint32_t rh_world_reserve(struct rh_world *world, const struct rh_spawning *spawning)
{
    uint32_t slot = new_actor(world, spawning);
    if (world->options.fingerprints)
        rh_fingerprint_actor(world, slot);
    *rh_vector_push(&world->reserved) = (struct rh_reserved){slot, spawning->file, spawning->line};
    return slot;
}

bool rh_world_spawn_at(struct rh_world *world, uint32_t slot, const struct rh_spawning *spawning)
{
    size_t i = 0;
    while (i < world->reserved.count && world->reserved.items[i].slot != slot)
        i++;
    if (i == world->reserved.count)
        return false;
    const struct rh_type_info *type = check_state(world, spawning);
    world->reserved.items[i] = world->reserved.items[--world->reserved.count];
    begin_actor(world, slot, type, spawning);
    return true;
}

static void report_reserved(struct rh_world *world, const struct rh_reserved *reserved)
{
    struct rh_text name = {0};
    char copy[128];
    rh_world_add_name(world, &name, reserved->slot);
    snprintf(copy, sizeof copy, "%s", rh_text_get(&name));
    rh_text_fini(&name);
    rh_world_fail(world, RH_FINDING_CHECK, reserved->file, reserved->line,
                  "%s was reserved and never spawned: call rh_spawn_at in the same delivery, or in "
                  "the test's body",
                  copy);
}

// An execution that endures such findings goes on with actors without a state.
void rh__world_check_reserved(struct rh_world *world)
{
    while (world->reserved.count > 0 && !world->failed) {
        struct rh_reserved reserved = world->reserved.items[world->reserved.count - 1];
        report_reserved(world, &reserved);
        rh_world_spawn_at(world, reserved.slot,
                          &(struct rh_spawning){.file = reserved.file, .line = reserved.line});
    }
    world->reserved.count = 0;
}

// Findings.

static void set_about(struct rh_world *world, struct rh_finding *finding)
{
    if (world->current != 0) {
        struct rh_text name = {0};
        rh_world_add_name(world, &name, world->current);
        RH_FINDING_SET(finding->actor, rh_text_get(&name));
        rh_text_fini(&name);
        RH_FINDING_SET(finding->behaviour, world->actors[world->current].behaviour_name);
    }
    if (world->delivering != RH_NONE)
        RH_FINDING_SET(finding->message_type, world->messages[world->delivering].type->name);
}

static void report_v(struct rh_world *world, enum rh_finding_kind kind, const char *file, int line,
                     const char *format, va_list arguments)
{
    struct rh_finding finding = {.kind = kind, .line = line, .is_limit = world->limited};
    if (rh__process.is_child)
        _exit(1);
    vsnprintf(finding.message, sizeof finding.message, format, arguments);
    RH_FINDING_SET(finding.file, file);
    set_about(world, &finding);
    rh_trace_finding(world, &finding);
    world->options.driver.finding(world->options.driver.context, &finding);
}

void rh_world_report(struct rh_world *world, enum rh_finding_kind kind, const char *file, int line,
                     const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report_v(world, kind, file, line, format, arguments);
    va_end(arguments);
}

void rh_world_fail(struct rh_world *world, enum rh_finding_kind kind, const char *file, int line,
                   const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report_v(world, kind, file, line, format, arguments);
    va_end(arguments);
    if (world->options.endures >> kind & 1)
        return;
    world->failed = true;
    if (world->inside)
        rh_stack_leave(&rh__process.world_stack);
}

void rh_world_look(struct rh_world *world, enum rh_look look)
{
    const struct rh_world_driver *driver = &world->options.driver;
    if (driver->looked)
        driver->looked(driver->context, look);
}

void rh_world_bad_input(const struct rh_world *world, struct rh_status status)
{
    world->options.driver.bad_input(world->options.driver.context, status);
    rh_panic("%s", status.text);
}

void rh_world_refuse(const struct rh_world *world, struct rh_status status)
{
    world->options.driver.refuse(world->options.driver.context, status);
}

void rh_world_give_up(struct rh_world *world, const char *format, ...)
{
    char text[sizeof((struct rh_status){0}).text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    rh_world_bad_input(world, rh_failed("%s", text));
}

void rh_world_reach_limit(struct rh_world *world, const char *format, ...)
{
    va_list arguments;
    world->limited = true;
    va_start(arguments, format);
    report_v(world, RH_FINDING_BOUND, NULL, 0, format, arguments);
    va_end(arguments);
    world->options.driver.limit(world->options.driver.context);
    rh_panic("an execution went on beyond a limit");
}

_Noreturn void rh_world_give_in(struct rh_world *world, enum rh_stage stage, const char *text)
{
    rh__process.in_handler = 0;
    world->stage = stage;
    world->is_damaged = true;
    rh_world_crash_text(world, text);
    abort();
}

void rh_world_crash_text(struct rh_world *world, const char *text)
{
    snprintf(world->crash_text, sizeof world->crash_text, "%s", text);
}
