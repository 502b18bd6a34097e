// SPDX-License-Identifier: MIT
// actor.h and test.h in a controlled world.
#include "adapters/native/native.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/native/inside.h"
#include "base/sender_name.h"
#include "entry/operations.h"
#include "entry/stack.h"
#include "world/behaviour.h"
#include "world/variables.h"
#include "world/world.h"

static bool accepts(rh_actor *actor, const rh_message *message)
{
    struct rh_world *world = rh__process.world;
    world->guarded = world->delivering = (uint32_t)(message - world->messages);
    const struct rh_actor_record *record = &world->actors[rh_world_slot(actor)];
    const struct rh_call call = {(void (*)(void))record->guard, {record->state, message}};
    rh_hash128 before = world->options.verify ? rh_world_digest(world, true) : 0;
    bool holds = rh_world_call(world, RH_STAGE_GUARD, rh_world_slot(actor), &call);
    bool is_accepted = (uint8_t)world->answer; // of a bool, only the lowest byte counts
    if (world->options.watch_globals)
        holds &= rh_variables_put_back(world);
    if (holds && world->options.verify && rh_world_digest(world, true) != before)
        rh_world_fail(world, RH_FINDING_CHECK, NULL, 0,
                      "the guard changed the state of its actor: it must not change anything");
    world->delivering = RH_NONE;
    world->current = 0;
    return holds && is_accepted;
}

const struct rh_adapter_ops rh_native_adapter = {.name = "native", .accepts = accepts};

// The slot of an address that a program has given; a wrong address is a finding.
static uint32_t check_address(struct rh_world *world, const rh_actor *actor, const char *operation,
                              const char *file, int line)
{
    uint32_t slot = rh_world_slot(actor);
    if (slot == RH_NONE)
        rh_world_fail(world, RH_FINDING_CHECK, file, line, "%s to %s", operation,
                      actor ? "an address that is no actor's" : "NULL");
    return slot;
}

static void check_stage(struct rh_world *world, const char *operation, const char *file, int line)
{
    if (world->stage != RH_STAGE_HANDLER && world->stage != RH_STAGE_SETUP)
        rh_world_fail(world, RH_FINDING_CHECK, file, line,
                      "%s inside a guard or a judge: they must not change anything", operation);
}

static void check_handler(struct rh_world *world, const char *operation, const char *file, int line)
{
    if (world->stage != RH_STAGE_HANDLER)
        rh_world_fail(world, RH_FINDING_CHECK, file, line, "%s outside of a behaviour", operation);
}

static void check_receptionist(struct rh_world *world, uint32_t slot, const struct rh_type *type,
                               const char *file, int line)
{
    if (world->has_receptionists && world->stage == RH_STAGE_SETUP &&
        !world->actors[slot].receptionist) {
        struct rh_text name = {0};
        rh_world_add_name(world, &name, slot);
        char *text = rh_text_take(&name);
        rh_world_report(world, RH_FINDING_CHECK, file, line,
                        "outside sent %s to %s, which is not declared with rh_receptionist",
                        type->name, text);
        free(text);
        world->failed = true;
        rh_stack_leave(&rh__process.world_stack);
    }
}

static void address(struct rh_world *world, rh_actor *to, struct rh_sending *sending,
                    const char *operation)
{
    check_stage(world, operation, sending->file, sending->line);
    if (sending->size < sending->type->size)
        rh_world_fail(world, RH_FINDING_CHECK, sending->file, sending->line,
                      "%s of %s with %zu bytes: its fields are %zu", operation, sending->type->name,
                      sending->size, sending->type->size);
    sending->receiver = check_address(world, to, operation, sending->file, sending->line);
    check_receptionist(world, sending->receiver, sending->type, sending->file, sending->line);
}

static uint32_t send_message(struct rh_world *world, enum rh_message_kind kind, rh_actor *to,
                             struct rh_sending *sending, const char *operation)
{
    address(world, to, sending, operation);
    sending->kind = kind;
    return rh_world_send(world, sending);
}

void rh__send_body(rh_actor *to, const struct rh_type *type, const void *payload, size_t size,
                   const char *file, int line)
{
    struct rh_world *world = rh_native_enter();
    struct rh_sending sending = {.sender = world->current,
                                 .type = type,
                                 .payload = payload,
                                 .size = size,
                                 .file = file,
                                 .line = line};
    send_message(world, RH_PLAIN, to, &sending, "rh_send");
    rh_native_leave(world);
}

void rh__send_from_body(rh_actor *from, rh_actor *to, const struct rh_type *type,
                        const void *payload, size_t size, const char *file, int line)
{
    struct rh_world *world = rh_native_enter();
    uint32_t sender = check_address(world, from, "rh_send_from", file, line);
    if (world->actors[sender].status != RH_ACTOR_OUTSIDE)
        rh_world_fail(world, RH_FINDING_CHECK, file, line,
                      "rh_send_from in the name of an actor: only rh_outside makes such senders");
    struct rh_sending sending = {.sender = sender,
                                 .type = type,
                                 .payload = payload,
                                 .size = size,
                                 .file = file,
                                 .line = line};
    send_message(world, RH_PLAIN, to, &sending, "rh_send_from");
    rh_native_leave(world);
}

void rh__after_body(uint64_t milliseconds, rh_actor *to, const struct rh_type *type,
                    const void *payload, size_t size, const char *file, int line)
{
    struct rh_world *world = rh_native_enter();
    uint64_t due;
    if (!rh_world_answer("rh_after", &due))
        due = world->actors[world->current].now + milliseconds;
    struct rh_sending sending = {.sender = world->current,
                                 .type = type,
                                 .payload = payload,
                                 .size = size,
                                 .due = due,
                                 .file = file,
                                 .line = line};
    send_message(world, RH_TIMER, to, &sending, "rh_after");
    rh_native_leave(world);
}

void rh__ask_body(rh_actor *to, const struct rh_type *type, const void *payload, size_t size,
                  const char *file, int line, void *handler)
{
    struct rh_world *world = rh_native_enter();
    check_handler(world, "rh_ask", file, line);
    rh_world_check_reserved(world);
    if (rh__process.calls_on_world && !rh_stack_has(handler))
        rh_world_fail(world, RH_FINDING_CHECK, file, line,
                      "rh_ask in a function that libc calls back: the actor can't wait there");
    struct rh_sending sending = {.sender = world->current,
                                 .type = type,
                                 .payload = payload,
                                 .size = size,
                                 .file = file,
                                 .line = line};
    uint32_t request = send_message(world, RH_ASK, to, &sending, "rh_ask");
    rh_world_wait(world, request, handler);
}

static void check_reply(struct rh_world *world, const rh_message *message, const char *file,
                        int line)
{
    struct rh_actor_record *record = &world->actors[world->current];
    if (message != &world->messages[record->handling])
        rh_world_fail(world, RH_FINDING_CHECK, file, line,
                      "rh_reply to a message that this behaviour is not handling");
    if (record->replied && message->kind == RH_ASK)
        rh_world_fail(world, RH_FINDING_CHECK, file, line, "second rh_reply to one %s",
                      message->type->name);
    record->replied = true;
}

void rh__reply_body(const rh_message *message, const struct rh_type *type, const void *payload,
                    size_t size, const char *file, int line)
{
    struct rh_world *world = rh_native_enter();
    check_handler(world, "rh_reply", file, line);
    check_reply(world, message, file, line);
    struct rh_sending sending = {.sender = world->current,
                                 .type = type,
                                 .payload = payload,
                                 .size = size,
                                 .request = message->request,
                                 .file = file,
                                 .line = line};
    send_message(world, message->kind == RH_ASK ? RH_REPLY : RH_PLAIN,
                 rh_world_address(message->sender), &sending, "rh_reply");
    rh_native_leave(world);
}

rh_actor *rh__spawn_body(rh_behaviour *behaviour, const char *behaviour_name,
                         const struct rh_type *type, const void *state, size_t size,
                         const char *file, int line)
{
    struct rh_world *world = rh_native_enter();
    check_stage(world, "rh_spawn", file, line);
    behaviour_name = rh_behaviour_name(behaviour, behaviour_name, world->options.debug);
    struct rh_spawning spawning = {.behaviour = behaviour,
                                   .behaviour_name = behaviour_name,
                                   .type = type,
                                   .state = state,
                                   .size = size,
                                   .file = file,
                                   .line = line};
    uint32_t slot = rh_world_spawn(world, &spawning);
    rh_native_leave(world);
    return rh_world_address(slot);
}

rh_actor *rh__reserve_body(rh_behaviour *behaviour, const char *behaviour_name, const char *file,
                           int line)
{
    struct rh_world *world = rh_native_enter();
    check_stage(world, "rh_reserve", file, line);
    behaviour_name = rh_behaviour_name(behaviour, behaviour_name, world->options.debug);
    struct rh_spawning spawning = {
        .behaviour = behaviour, .behaviour_name = behaviour_name, .file = file, .line = line};
    uint32_t slot = rh_world_reserve(world, &spawning);
    rh_native_leave(world);
    return rh_world_address(slot);
}

void rh__spawn_at_body(rh_actor *actor, const struct rh_type *type, const void *state, size_t size,
                       const char *file, int line)
{
    struct rh_world *world = rh_native_enter();
    check_stage(world, "rh_spawn_at", file, line);
    struct rh_spawning spawning = {
        .type = type, .state = state, .size = size, .file = file, .line = line};
    if (!rh_world_spawn_at(world, rh_world_slot(actor), &spawning))
        rh_world_fail(world, RH_FINDING_CHECK, file, line,
                      "rh_spawn_at of an address that was not reserved in this delivery, or was "
                      "spawned already");
    rh_native_leave(world);
}

// The entry of rh__as does the same where it can: see entries_x86_64.S.
_Static_assert(offsetof(struct rh_message, type) == 8 && offsetof(struct rh_message, payload) == 16,
               "entries_x86_64.S counts on it");
_Static_assert(sizeof(struct rh_type_slot) == 24 && offsetof(struct rh_type_slot, name) == 0 &&
                   offsetof(struct rh_type_slot, size) == 8 &&
                   offsetof(struct rh_type_slot, info) == 16 && RH_TYPE_CACHE == 1024,
               "entries_x86_64.S counts on it");
_Static_assert(offsetof(struct rh_type, name) == 0 && offsetof(struct rh_type, size) == 8,
               "entries_x86_64.S counts on it");

const void *rh__as_body(const rh_message *message, const struct rh_type *type)
{
    struct rh_world *world = rh_native_enter();
    bool matches = message->type == rh_world_type(world, type);
    if (matches && world->stage == RH_STAGE_HANDLER) {
        struct rh_actor_record *record = &world->actors[world->current];
        if (message == &world->messages[record->handling])
            record->handled = true;
    }
    rh_native_leave(world);
    return matches ? message->payload : NULL;
}

void rh__become_body(rh_behaviour *behaviour, const char *behaviour_name, const char *file,
                     int line)
{
    struct rh_world *world = rh_native_enter();
    check_handler(world, "rh_become", file, line);
    behaviour_name = rh_behaviour_name(behaviour, behaviour_name, world->options.debug);
    rh_world_set_behaviour(&world->actors[world->current], behaviour, behaviour_name);
    rh_trace_self(world, RH_EVENT_BECOME, behaviour_name, 0, file, line);
    rh_world_turn(world, &(struct rh_turn){.behaviour = behaviour,
                                           .behaviour_name = behaviour_name,
                                           .file = file,
                                           .line = line});
    rh_native_leave(world);
}

void rh__stop_body(const char *file, int line)
{
    struct rh_world *world = rh_native_enter();
    check_handler(world, "rh_stop", file, line);
    world->actors[world->current].stopping = true;
    rh_trace_self(world, RH_EVENT_STOP, NULL, 0, file, line);
    rh_native_leave(world);
}

void rh_at_stop_body(rh_stop_function *function)
{
    struct rh_world *world = rh_native_enter();
    check_handler(world, "rh_at_stop", NULL, 0);
    world->actors[world->current].at_stop = function;
    rh_native_leave(world);
}

rh_actor *rh_self_body(void)
{
    struct rh_world *world = rh__process.world;
    return world && world->current != 0 ? rh_world_address(world->current) : NULL;
}

rh_actor *rh_sender_body(const rh_message *message)
{
    return message->sender == 0 ? NULL : rh_world_address(message->sender);
}

size_t rh_size_body(const rh_message *message)
{
    return message->size;
}

const char *rh_name_body(const rh_message *message)
{
    return message->type->name;
}

uint64_t rh_now_body(void)
{
    struct rh_world *world = rh__process.world;
    if (!world)
        return 0;
    rh_world_look(world, RH_LOOK_TIME);
    struct rh_actor_record *record = &world->actors[world->current];
    uint64_t answer;
    // Time stands still in a delivery: only the first question of a delivery gets a recorded
    // answer.
    if (world->told_in != world->generation && rh_world_answer("rh_now", &answer)) {
        world->told_in = world->generation;
        record->now = answer;
    }
    return record->now;
}

int rh__choose_body(int count, const char *file, int line)
{
    struct rh_world *world = rh_native_enter();
    check_stage(world, "rh_choose", file, line);
    if (count <= 0)
        rh_world_fail(world, RH_FINDING_CHECK, file, line, "rh_choose(%d): nothing to choose from",
                      count);
    int outcome = world->options.driver.choose(world->options.driver.context, count);
    rh_assert(outcome >= 0 && outcome < count);
    if (world->stage == RH_STAGE_SETUP)
        rh_fingerprint_chosen(world, outcome);
    if (world->options.tape) {
        char of[32];
        snprintf(of, sizeof of, "%d", count);
        rh_trace_self(world, RH_EVENT_CHOOSE, of, outcome, file, line);
    }
    rh_native_leave(world);
    return outcome;
}

void rh_progress_body(void)
{
    struct rh_world *world = rh_native_enter();
    check_handler(world, "rh_progress", NULL, 0);
    world->progressed = true;
    rh_native_leave(world);
}

static const struct rh_schedule_input *find_input(const struct rh_schedule *schedule,
                                                  const char *name)
{
    for (size_t i = 0; schedule && i < schedule->inputs.count; i++)
        if (strcmp(schedule->inputs.items[i].name, name) == 0)
            return &schedule->inputs.items[i];
    return NULL;
}

static void read_input(struct rh_world *world, const struct rh_schedule_input *input,
                       const char *type_name, void *value, size_t size)
{
    const struct rh_debug_type *type =
        world->options.debug ? rh_debug_find_type(world->options.debug, type_name, size) : NULL;
    struct rh_status status =
        type ? rh_debug_parse_value(world->options.debug, type, input->value, value, size, NULL)
             : rh_bad_input("nothing is known about the type %s: compile with -g", type_name);
    if (!rh_is_ok(&status)) {
        const char *path = world->options.inputs->path;
        rh_world_bad_input(world, rh_bad_input("%s:%d: input %s: %s", path ? path : "schedule",
                                               input->line, input->name, status.text));
    }
}

const void *rh__input_body(const char *type, size_t size, const char *name)
{
    struct rh_world *world = rh_native_enter();
    void *value = rh_world_push_payload(world, NULL, size);
    memset(value, 0, size);
    const struct rh_schedule_input *input = find_input(world->options.inputs, name);
    if (input)
        read_input(world, input, type, value, size);
    rh_native_leave(world);
    return value;
}

// A parameter counts as one of the test's if its body asks for it.
int rh__parameter_body(const char *name, int value)
{
    struct rh_world *world = rh_native_enter();
    const struct rh_schedule_input *input = find_input(world->options.inputs, name);
    char *end = NULL;
    long given = input ? strtol(input->value, &end, 10) : value;
    if (input && (end == input->value || *end || given != (int)given)) {
        const char *path = world->options.inputs->path;
        rh_world_bad_input(world, rh_bad_input("%s:%d: input %s: a parameter is an integer, not %s",
                                               path ? path : "schedule", input->line, input->name,
                                               input->value));
    }
    if (world->stage == RH_STAGE_SETUP)
        rh_world_note_parameter(world, name, (int)given);
    rh_native_leave(world);
    return (int)given;
}

void rh__check_body(bool holds, const char *condition, const char *file, int line)
{
    if (holds)
        return;
    struct rh_world *world = rh_native_enter();
    if (world->judging)
        rh_world_fail(world, world->judging->at_end ? RH_FINDING_FINAL : RH_FINDING_INVARIANT, file,
                      line, "%s %s does not hold: %s",
                      world->judging->at_end ? "final" : "invariant", world->judging->name,
                      condition);
    else
        rh_world_fail(world, RH_FINDING_CHECK, file, line, "check failed: %s", condition);
    rh_native_leave(world);
}

void rh_ignore_body(const rh_message *message)
{
    struct rh_world *world = rh_native_enter();
    struct rh_actor_record *record = &world->actors[world->current];
    if (message == &world->messages[record->handling])
        record->handled = true;
    rh_native_leave(world);
}

void rh__unhandled_body(const rh_message *message, const char *file, int line)
{
    struct rh_world *world = rh_native_enter();
    rh_world_fail(world, RH_FINDING_UNHANDLED, file, line, "%s should not have come here",
                  message->type->name);
    rh_native_leave(world);
}

void *rh__give_body(void *pointer, const char *file, int line)
{
    struct rh_world *world = rh_native_enter();
    check_stage(world, "rh_give", file, line);
    struct rh_actor_record *record = &world->actors[world->current];
    void *token;
    if (rh__process.owns_malloc) {
        size_t size = rh_slot_of((uint64_t)pointer) == world->current && rh_memory_owns(pointer)
                          ? rh_heap_block_size(&record->heap, world->current, pointer)
                          : 0;
        if (size == 0)
            rh_world_fail(world, RH_FINDING_CHECK, file, line,
                          "rh_give of something that is not a block of this actor from malloc");
        token = rh_gift_take(world, pointer, size);
        rh_gift_retire(world, pointer);
    } else {
        token = rh_gift_take(world, pointer, malloc_usable_size(pointer));
        free(pointer);
    }
    rh_native_leave(world);
    return token;
}

// Tests.

static void check_sender_name(struct rh_world *world, const char *name)
{
    const char *fault = rh_sender_name_fault(name);
    if (fault)
        rh_world_fail(world, RH_FINDING_CHECK, NULL, 0, "rh_outside%s", fault);
    for (uint32_t slot = 0; slot < world->actor_count; slot++)
        if (world->actors[slot].status == RH_ACTOR_OUTSIDE &&
            strcmp(world->actors[slot].spawned_name, name) == 0)
            rh_world_fail(world, RH_FINDING_CHECK, NULL, 0,
                          "second rh_outside(\"%s\"): each sender has a name of its own", name);
}

rh_actor *rh_outside_body(const char *name)
{
    struct rh_world *world = rh_native_enter();
    if (world->stage != RH_STAGE_SETUP)
        rh_world_fail(world, RH_FINDING_CHECK, NULL, 0, "rh_outside outside of a test's body");
    check_sender_name(world, name);
    uint32_t slot = rh_world_add_outside(world, name);
    rh_native_leave(world);
    return rh_world_address(slot);
}

// The actor whose beginning the test's body sets up.
static uint32_t set_up(struct rh_world *world, const rh_actor *actor, const char *operation)
{
    if (world->stage != RH_STAGE_SETUP)
        rh_world_fail(world, RH_FINDING_CHECK, NULL, 0, "%s outside of a test's body", operation);
    uint32_t slot = check_address(world, actor, operation, NULL, 0);
    if (world->actors[slot].status == RH_ACTOR_OUTSIDE)
        rh_world_fail(world, RH_FINDING_CHECK, NULL, 0, "%s of a sender outside", operation);
    for (size_t i = 0; i < world->reserved.count; i++)
        if (world->reserved.items[i].slot == slot)
            rh_world_fail(world, RH_FINDING_CHECK, NULL, 0,
                          "%s of an actor that is reserved only: call rh_spawn_at first",
                          operation);
    world->changes_states = true;
    return slot;
}

void *rh_state_of_body(rh_actor *actor)
{
    struct rh_world *world = rh_native_enter();
    uint32_t slot = set_up(world, actor, "rh_state_of");
    rh_world_place(world, slot);
    rh_native_leave(world);
    return world->actors[slot].state;
}

void *rh_block_of_body(rh_actor *actor, size_t size)
{
    struct rh_world *world = rh_native_enter();
    uint32_t slot = set_up(world, actor, "rh_block_of");
    void *block = rh_world_new_block(world, slot, size);
    rh_native_leave(world);
    return block;
}

void rh_receptionist_body(rh_actor *actor)
{
    struct rh_world *world = rh_native_enter();
    uint32_t slot = check_address(world, actor, "rh_receptionist", NULL, 0);
    world->actors[slot].receptionist = true;
    world->has_receptionists = true;
    rh_native_leave(world);
}

static void check_coming(struct rh_world *world, const struct rh_sending *sending, int times)
{
    if (world->stage != RH_STAGE_SETUP)
        rh_world_fail(world, RH_FINDING_CHECK, sending->file, sending->line,
                      "rh_may_come outside of a test's body");
    if (times < 0 || times > RH_COMINGS_MOST)
        rh_world_fail(world, RH_FINDING_CHECK, sending->file, sending->line,
                      "rh_may_come of %s %d times: it is 0 to %d times", sending->type->name, times,
                      RH_COMINGS_MOST);
    if (world->gifts.count > 0)
        rh_world_fail(world, RH_FINDING_CHECK, sending->file, sending->line,
                      "rh_may_come of %s after rh_give of a block that was not sent: what may come "
                      "several times or never carries no blocks",
                      sending->type->name);
}

void rh__may_come_body(rh_actor *to, int times, const struct rh_type *type, const void *payload,
                       size_t size, const char *file, int line)
{
    struct rh_world *world = rh_native_enter();
    struct rh_sending sending = {
        .type = type, .payload = payload, .size = size, .file = file, .line = line};
    check_coming(world, &sending, times);
    address(world, to, &sending, "rh_may_come");
    rh_world_may_come(world, &sending, (uint32_t)times);
    rh_native_leave(world);
}

void rh__judge_body(rh_judge *judge, const char *name, bool at_end, const void *context,
                    size_t size)
{
    struct rh_world *world = rh_native_enter();
    struct rh_judge_entry *entry = rh_vector_push(&world->judges);
    *entry = (struct rh_judge_entry){judge, name, at_end, rh_alloc(size + 1)};
    memcpy(entry->context, context, size);
    rh_native_leave(world);
}
