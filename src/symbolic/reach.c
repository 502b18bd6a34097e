// SPDX-License-Identifier: MIT
// The search for a situation that comes to a place. Situations wait in two queues: one gives the
// nearest to the place after the fewest deliveries, the other goes on with the newest of those that
// are nearest, so that long ways are found as well as short ones. Situations that are equal but for
// the order of independent deliveries are looked at once.
#include "symbolic/reach.h"

#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "symbolic/internal.h"
#include "symbolic/target.h"

struct waiting {
    struct rh__sym_situation *situation; // NULL: it was looked at
    uint32_t deliveries, distance, messages;
};

struct queue {
    uint32_t *items; // indexes of `waiting`, as a heap
    size_t count, capacity;
    bool (*comes_before)(const struct waiting *a, uint32_t a_index, const struct waiting *b,
                         uint32_t b_index);
};

struct search {
    struct rh__sym *sym;
    const struct rh_reach_options *options;
    struct rh__sym_target target;
    RH_VECTOR(struct waiting) waiting;
    struct queue broad, deep;
    struct rh_table seen; // hashes of situations
    RH_VECTOR(rh_hash128) hashes;
    RH_VECTOR(struct rh__sym_object *) payloads; // of arrivals, to be released
    uint64_t looked_at;
    bool is_cut;                     // something was left out
    struct rh__sym_situation *found; // owned
    struct rh_text text;             // what a situation is hashed by
};

// --- Queues. ---

static bool is_broader(const struct waiting *a, uint32_t a_index, const struct waiting *b,
                       uint32_t b_index)
{
    uint64_t one = a->deliveries + 2 * (uint64_t)a->distance + 2 * (uint64_t)a->messages;
    uint64_t other = b->deliveries + 2 * (uint64_t)b->distance + 2 * (uint64_t)b->messages;
    return one != other ? one < other : a_index < b_index;
}

static bool is_deeper(const struct waiting *a, uint32_t a_index, const struct waiting *b,
                      uint32_t b_index)
{
    if (a->distance != b->distance)
        return a->distance < b->distance;
    if (a->messages != b->messages)
        return a->messages < b->messages;
    return a->deliveries != b->deliveries ? a->deliveries > b->deliveries : a_index < b_index;
}

static bool is_before(const struct search *search, const struct queue *queue, size_t a, size_t b)
{
    uint32_t one = queue->items[a], other = queue->items[b];
    return queue->comes_before(&search->waiting.items[one], one, &search->waiting.items[other],
                               other);
}

static void exchange(struct queue *queue, size_t a, size_t b)
{
    uint32_t one = queue->items[a];
    queue->items[a] = queue->items[b];
    queue->items[b] = one;
}

static void queue_add(const struct search *search, struct queue *queue, uint32_t index)
{
    size_t at = queue->count;
    *(uint32_t *)rh_vector_push(queue) = index;
    for (; at && is_before(search, queue, at, (at - 1) / 2); at = (at - 1) / 2)
        exchange(queue, at, (at - 1) / 2);
}

static uint32_t queue_take(const struct search *search, struct queue *queue)
{
    uint32_t first = queue->items[0];
    queue->items[0] = queue->items[--queue->count];
    for (size_t at = 0;;) {
        size_t child = 2 * at + 1;
        if (child + 1 < queue->count && is_before(search, queue, child + 1, child))
            child++;
        if (child >= queue->count || !is_before(search, queue, child, at))
            return first;
        exchange(queue, at, child);
        at = child;
    }
}

// --- Which situations are equal. ---

static void add_number(struct rh_text *text, uint64_t number)
{
    rh_text_add_bytes(text, &number, sizeof number);
}

static void add_object(struct rh_text *text, const struct rh__sym_situation *situation,
                       uint32_t number)
{
    const struct rh__sym_object *object =
        number == RH_NONE ? NULL : situation->objects.items[number];
    add_number(text, object ? object->size + 1 : 0);
    for (uint32_t i = 0; object && i < object->count; i++) {
        add_number(text, object->cells[i].offset | (uint64_t)object->cells[i].size << 32);
        add_number(text, object->cells[i].term);
    }
}

static rh_hash128 hash_text(const struct rh_text *text)
{
    return rh_hash128_of(text->bytes, text->length, 0);
}

// A sum does not depend on the order; of one sender to one receiver it counts how many come before.
static rh_hash128 hash_pending(struct search *search, const struct rh__sym_situation *situation)
{
    rh_hash128 sum = 0;
    for (size_t i = 0; i < situation->pending.count; i++) {
        const struct rh__sym_message *message = &situation->pending.items[i];
        uint64_t before = 0;
        for (size_t k = 0; k < i; k++)
            before += situation->pending.items[k].receiver == message->receiver &&
                      situation->pending.items[k].sender == message->sender;
        rh_text_clear(&search->text);
        add_number(&search->text, message->identity);
        add_number(&search->text, message->guard);
        add_number(&search->text, before);
        add_object(&search->text, situation, message->payload);
        sum += hash_text(&search->text);
    }
    return sum;
}

static rh_hash128 hash_conditions(struct search *search, const struct rh__sym_situation *situation)
{
    rh_hash128 sum = 0;
    for (const struct rh__sym_condition *each = situation->conditions; each; each = each->before) {
        rh_text_clear(&search->text);
        add_number(&search->text, each->term);
        sum += hash_text(&search->text);
    }
    return sum;
}

static void add_actors(struct rh_text *text, const struct rh__sym_situation *situation)
{
    for (size_t i = 0; i < situation->actors.count; i++) {
        const struct rh__sym_actor *actor = &situation->actors.items[i];
        add_number(text, actor->identity);
        add_number(text, actor->behaviour);
        add_number(text, actor->is_stopped);
        add_number(text, actor->now);
        add_object(text, situation, actor->state);
    }
    for (size_t i = 0; i < situation->objects.count; i++)
        if (situation->objects.items[i] && situation->objects.items[i]->is_heap)
            add_object(text, situation, (uint32_t)i);
}

static bool has_wait(const struct rh__sym_situation *situation)
{
    for (size_t i = 0; i < situation->actors.count; i++)
        if (situation->actors.items[i].wait)
            return true;
    return false;
}

// Notes the situation; false if an equal one was there. What waiting handlers have on their stacks
// is not looked at: such situations count as new.
static bool is_new(struct search *search, const struct rh__sym_situation *situation)
{
    if (has_wait(situation))
        return true;
    rh_hash128 parts[2] = {hash_pending(search, situation), hash_conditions(search, situation)};
    rh_text_clear(&search->text);
    rh_text_add_bytes(&search->text, parts, sizeof parts);
    add_number(&search->text, situation->arrivals ? situation->arrivals->count : 0);
    add_actors(&search->text, situation);
    rh_hash128 hash = hash_text(&search->text);
    struct rh_probe probe = rh_table_probe(&search->seen, (uint64_t)hash);
    while (rh_probe_next(&probe))
        if (search->hashes.items[probe.number] == hash)
            return false;
    rh_table_add(&search->seen, NULL, (uint64_t)hash, (uint32_t)search->hashes.count);
    *rh_vector_push(&search->hashes) = hash;
    return true;
}

// --- How far a situation is from the place. ---

static bool may_be_written_to(const struct rh__sym_situation *situation, size_t index)
{
    bool has_receptionists = false;
    for (size_t i = 0; i < situation->actors.count; i++)
        has_receptionists = has_receptionists || situation->actors.items[i].is_receptionist;
    const struct rh__sym_actor *actor = &situation->actors.items[index];
    bool is_known = has_receptionists ? actor->is_receptionist : actor->parent == RH_NONE;
    return is_known && !actor->is_sender && !actor->is_stopped && actor->behaviour != RH_NONE;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

// Of a message that is pending. A reply goes on with a handler that may be anywhere.
static uint32_t distance_of(const struct search *search, const struct rh__sym_situation *situation,
                            const struct rh__sym_message *message)
{
    const struct rh__sym_actor *receiver = &situation->actors.items[message->receiver];
    if (message->kind == RH__SYM_REPLY || receiver->wait)
        return 1;
    return rh__sym_target_distance(&search->target, receiver->behaviour, message->type);
}

static uint32_t distance_from_outside(const struct search *search,
                                      const struct rh__sym_situation *situation)
{
    uint32_t distance = RH_NONE;
    for (uint32_t i = 0; i < situation->actors.count; i++)
        for (uint32_t type = 0; may_be_written_to(situation, i) && type < search->sym->types.count;
             type++)
            distance =
                least(distance, rh__sym_target_distance(
                                    &search->target, situation->actors.items[i].behaviour, type));
    return distance == RH_NONE ? RH_NONE : distance + 1;
}

static uint32_t message_count(const struct rh__sym_situation *situation)
{
    return situation->arrivals ? situation->arrivals->count : 0;
}

static uint32_t distance(const struct search *search, const struct rh__sym_situation *situation)
{
    uint32_t nearest = RH_NONE;
    for (size_t i = 0; i < situation->pending.count; i++)
        nearest = least(nearest, distance_of(search, situation, &situation->pending.items[i]));
    if (message_count(situation) < search->options->messages_most)
        nearest = least(nearest, distance_from_outside(search, situation));
    return nearest;
}

// --- What comes next. ---

static void add(struct search *search, struct rh__sym_situation *situation, uint32_t deliveries)
{
    uint32_t nearest = distance(search, situation);
    if (nearest == RH_NONE || !is_new(search, situation)) {
        rh__sym_situation_free(situation);
        return;
    }
    uint32_t index = (uint32_t)search->waiting.count;
    *rh_vector_push(&search->waiting) =
        (struct waiting){situation, deliveries, nearest, message_count(situation)};
    queue_add(search, &search->broad, index);
    queue_add(search, &search->deep, index);
}

static bool fails_check(const struct rh__sym_situation *situation)
{
    static const char check[] = "the check ";
    return situation->end == RH__SYM_BROKEN && !strncmp(situation->reason, check, sizeof check - 1);
}

// Whether the goal is what a situation has ended with.
static bool is_goal(const struct search *search, const struct rh__sym_situation *situation)
{
    if (situation->end != RH__SYM_BROKEN || situation->place.line != search->options->line ||
        !situation->place.file)
        return false;
    return (search->options->goal == RH_REACH_CHECK) == fails_check(situation);
}

static void find(struct search *search, struct rh__sym_situation *situation)
{
    if (!search->found)
        search->found = rh__sym_situation_copy(search->sym, situation);
}

static void take_outcome(struct search *search, struct rh__sym_situation *outcome,
                         uint32_t deliveries)
{
    if (search->options->goal != RH_REACH_LINE && is_goal(search, outcome))
        find(search, outcome);
    if (outcome->end == RH__SYM_UNKNOWN)
        rh__sym_note(search->sym, outcome->reason, outcome->place);
    if (outcome->end == RH__SYM_DONE)
        add(search, outcome, deliveries);
    else
        rh__sym_situation_free(outcome);
}

static void deliver(struct search *search, const struct rh__sym_situation *situation, size_t index,
                    uint32_t deliveries)
{
    struct rh__sym_situations outcomes = {0};
    struct rh__sym_situation *taken = rh__sym_take_out(search->sym, situation, index);
    rh__sym_deliver(search->sym, taken, &outcomes);
    for (size_t i = 0; i < outcomes.count; i++)
        take_outcome(search, outcomes.items[i], deliveries + 1);
    rh_vector_fini(&outcomes);
}

static bool is_used(const struct rh__sym_situation *situation, uint64_t identity)
{
    for (const struct rh__sym_event *each = situation->events; each; each = each->before)
        if (each->identity == identity)
            return true;
    for (size_t i = 0; i < situation->pending.count; i++)
        if (situation->pending.items[i].identity == identity)
            return true;
    return false;
}

// The next identity that a message of the outside has, as if it had been sent after the body.
static void name_arrival(struct rh__sym *sym, struct rh__sym_situation *situation,
                         struct rh__sym_message *message)
{
    struct rh__sym_actor *receiver = &situation->actors.items[message->receiver];
    uint32_t from_creator = receiver->from_creator;
    situation->delivery = rh_identity_body();
    situation->tallies.count = 0;
    do {
        receiver->from_creator = from_creator;
        rh__sym_name_message(sym, situation, message);
    } while (is_used(situation, message->identity));
}

// How many of this type the outside has sent.
static uint32_t count_of(const struct rh__sym_situation *situation, uint32_t type)
{
    uint32_t count = 0;
    for (const struct rh__sym_arrival *each = situation->arrivals; each; each = each->before)
        count += each->type == type;
    return count;
}

// Adds a message of unknown contents from outside to what is pending.
static void arrive(struct search *search, struct rh__sym_situation *situation, uint32_t receiver,
                   uint32_t type)
{
    struct rh__sym *sym = search->sym;
    const struct rh__sym_type it = sym->types.items[type];
    struct rh__sym_arrival *arrival = rh_arena_take(&sym->arena, sizeof *arrival);
    *arrival = (struct rh__sym_arrival){situation->arrivals,         type, receiver, 0, NULL,
                                        message_count(situation) + 1};
    struct rh__sym_message message = {.type = type,
                                      .receiver = receiver,
                                      .sender = RH_NONE,
                                      .payload = RH_NONE,
                                      .number = situation->message_count++};
    if (it.size) {
        struct rh_text prefix = {0};
        rh_text_addf(&prefix, "%s#%u", it.name, (unsigned)count_of(situation, type) + 1);
        message.payload =
            rh__sym_unknown_object(sym, situation, it.name, it.size, rh_text_get(&prefix));
        rh_text_fini(&prefix);
        arrival->payload = situation->objects.items[message.payload];
        arrival->payload->references++;
        *rh_vector_push(&search->payloads) = arrival->payload;
    }
    name_arrival(sym, situation, &message);
    arrival->identity = message.identity;
    situation->arrivals = arrival;
    *rh_vector_push(&situation->pending) = message;
}

// A message from outside that is delivered as soon as it has come.
static void try_arrival(struct search *search, const struct rh__sym_situation *situation,
                        uint32_t receiver, uint32_t type, uint32_t deliveries)
{
    struct rh__sym *sym = search->sym;
    struct rh__sym_situation *copy = rh__sym_situation_copy(sym, situation);
    struct rh__sym_situations answers = {0};
    arrive(search, copy, receiver, type);
    size_t last = copy->pending.count - 1;
    if (rh__sym_first_not_asked(sym, copy) == last)
        rh__sym_ask_guard(sym, copy, (uint32_t)last, &answers);
    else
        *rh_vector_push(&answers) = rh__sym_situation_copy(sym, copy);
    for (size_t i = 0; i < answers.count; i++) {
        struct rh__sym_situation *each = answers.items[i];
        if (each->end == RH__SYM_UNKNOWN)
            rh__sym_note(sym, each->reason, each->place);
        else if (rh__sym_is_deliverable(sym, each, last))
            deliver(search, each, last, deliveries);
        rh__sym_situation_free(each);
    }
    rh_vector_fini(&answers);
    rh__sym_situation_free(copy);
}

static void try_arrivals(struct search *search, const struct rh__sym_situation *situation,
                         uint32_t deliveries)
{
    for (uint32_t i = 0; i < situation->actors.count; i++) {
        if (!may_be_written_to(situation, i) || situation->actors.items[i].wait)
            continue;
        uint32_t behaviour = situation->actors.items[i].behaviour;
        for (uint32_t type = 0; type < search->sym->types.count; type++)
            if (rh__sym_target_distance(&search->target, behaviour, type) != RH_NONE &&
                rh__sym_handling_of(search->sym, behaviour, type)->is_taken)
                try_arrival(search, situation, i, type, deliveries);
    }
}

static void look_at(struct search *search, struct rh__sym_situation *situation, uint32_t deliveries)
{
    struct rh__sym *sym = search->sym;
    uint32_t not_asked = rh__sym_first_not_asked(sym, situation);
    if (not_asked != RH_NONE) {
        struct rh__sym_situations answers = {0};
        rh__sym_ask_guard(sym, situation, not_asked, &answers);
        for (size_t i = 0; i < answers.count; i++)
            take_outcome(search, answers.items[i], deliveries);
        rh_vector_fini(&answers);
        return;
    }
    for (size_t i = 0; i < situation->pending.count; i++)
        if (rh__sym_is_deliverable(sym, situation, i))
            deliver(search, situation, i, deliveries);
    if (message_count(situation) < search->options->messages_most)
        try_arrivals(search, situation, deliveries);
    else
        search->is_cut = true;
}

// --- The search. ---

static bool is_over(const struct search *search)
{
    return search->found || search->sym->reached ||
           search->looked_at >= search->options->situations_most;
}

static void run(struct search *search)
{
    while (!is_over(search)) {
        struct queue *queue = search->looked_at % 2 ? &search->deep : &search->broad;
        if (queue->count == 0)
            return;
        uint32_t index = queue_take(search, queue);
        struct waiting next = search->waiting.items[index];
        if (!next.situation)
            continue; // the other queue had it
        search->waiting.items[index].situation = NULL;
        search->looked_at++;
        look_at(search, next.situation, next.deliveries);
        rh__sym_situation_free(next.situation);
    }
    search->is_cut = true;
}

static void begin(struct search *search, const struct rh__sym_test *test)
{
    struct rh__sym_situations begun = {0};
    rh__sym_set_up(search->sym, test, &begun);
    for (size_t i = 0; i < begun.count; i++) {
        struct rh__sym_situation *situation = begun.items[i];
        if (search->options->without_messages)
            situation->pending.count = 0;
        add(search, situation, 0);
    }
    rh_vector_fini(&begun);
}

static void search_fini(struct search *search)
{
    for (size_t i = 0; i < search->waiting.count; i++)
        if (search->waiting.items[i].situation)
            rh__sym_situation_free(search->waiting.items[i].situation);
    for (size_t i = 0; i < search->payloads.count; i++)
        rh__sym_object_release(search->payloads.items[i]);
    if (search->found)
        rh__sym_situation_free(search->found);
    rh_vector_fini(&search->payloads);
    rh_vector_fini(&search->waiting);
    rh_vector_fini(&search->hashes);
    rh_vector_fini(&search->broad);
    rh_vector_fini(&search->deep);
    rh_table_fini(&search->seen);
    rh_text_fini(&search->text);
}

// --- Handlers alone. ---

// Whether the handler, run with fields that nobody knows, may come to the place. What can't be
// followed may.
static bool may_come_alone(struct rh__sym *sym, uint32_t behaviour, uint32_t type)
{
    struct rh__sym_situation *situation = rh__sym_situation_new();
    struct rh__sym_situations outcomes = {0};
    *rh_vector_push(&situation->actors) = (struct rh__sym_actor){
        .behaviour = RH_NONE, .state = RH_NONE, .parent = RH_NONE, .at_stop = RH_NONE};
    rh__sym_become_initial(sym, situation, 0, behaviour);
    struct rh__sym_message message = {.type = type, .sender = RH_NONE, .payload = RH_NONE};
    const struct rh__sym_type it = sym->types.items[type];
    message.number = situation->message_count++;
    if (it.size)
        message.payload = rh__sym_unknown_object(sym, situation, it.name, it.size, it.name);
    *rh_vector_push(&situation->pending) = message;
    sym->has_read_variable = false;
    rh__sym_deliver(sym, rh__sym_take_out(sym, situation, 0), &outcomes);
    // Where the state is not known, nothing is.
    bool may =
        sym->reached || sym->has_read_variable || sym->behaviours.items[behaviour].state_size == 0;
    for (size_t i = 0; i < outcomes.count; i++) {
        const struct rh__sym_situation *each = outcomes.items[i];
        may = may || (each->end != RH__SYM_DONE && !fails_check(each)) || has_wait(each) ||
              each->bindings.count;
        rh__sym_situation_free(outcomes.items[i]);
    }
    rh_vector_fini(&outcomes);
    rh__sym_situation_free(situation);
    if (sym->reached)
        rh__sym_situation_free(sym->reached);
    sym->reached = NULL;
    return may;
}

static uint32_t behaviour_of(const struct rh__sym *sym, uint32_t function)
{
    for (uint32_t i = 0; i < sym->behaviours.count; i++)
        if (sym->behaviours.items[i].function == function)
            return i;
    return RH_NONE;
}

static bool may_come_at_all(struct rh__sym *sym, const struct rh__sym_target *target)
{
    for (size_t i = 0; i < target->pairs.count; i++) {
        const struct rh__sym_pair *pair = &target->pairs.items[i];
        uint32_t behaviour = behaviour_of(sym, pair->handling->behaviour);
        if (pair->distance == 0 && (sym->behaviours.items[behaviour].guard != RH_NONE ||
                                    may_come_alone(sym, behaviour, pair->handling->type)))
            return true;
    }
    return false;
}

// --- From the options to the result. ---

enum { LOOP_FIRST = 3, LOOP_MOST = 48, NO_LIMIT = 100000 };

static struct rh_status check_target(const struct rh__sym_target *target,
                                     const struct rh_reach_options *options)
{
    if (!target->has_file)
        return rh_bad_input("no code of the program is in %s", options->file);
    if (target->count == 0)
        return rh_bad_input("%s:%u has no code; the nearest lines that have are %u and %u",
                            options->file, (unsigned)options->line, (unsigned)target->line_before,
                            (unsigned)target->line_after);
    for (size_t i = 0; i < target->pairs.count; i++)
        if (target->pairs.items[i].distance == 0)
            return rh_ok();
    return rh_bad_input("%s:%u is in no handler, and in nothing that a handler calls",
                        options->file, (unsigned)options->line);
}

static bool is_asked_for(const struct rh_reach_options *options, const struct rh__sym_test *test)
{
    return !options->test || !strcmp(options->test, test->name);
}

// What the outside sends, first to last.
static void keep_messages(struct rh__sym *sym, const struct rh__sym_situation *situation,
                          struct rh_reach_result *result)
{
    uint32_t count = message_count(situation);
    struct rh_reach_message *messages =
        rh_arena_take(&sym->arena, count * sizeof *messages + sizeof *messages);
    for (const struct rh__sym_arrival *each = situation->arrivals; each; each = each->before)
        messages[each->count - 1] = (struct rh_reach_message){
            .type = sym->types.items[each->type].name,
            .receiver = each->receiver,
            .identity = each->identity,
            .fields = rh__sym_fields_of(sym, situation, each->payload,
                                        sym->types.items[each->type].name)};
    result->messages = messages;
    result->message_count = count;
}

static void keep(struct search *search, const char *test, struct rh_reach_result *result)
{
    struct rh__sym *sym = search->sym;
    struct rh__sym_situation *situation = search->found ? search->found : sym->reached;
    result->situations += search->looked_at;
    if (!situation)
        return;
    result->verdict = RH_REACH_REACHED;
    result->test = rh_arena_text(&sym->arena, test, strlen(test));
    rh__sym_test_add(sym, situation, NULL);
    keep_messages(sym, situation, result);
    if (sym->reached)
        rh__sym_situation_free(sym->reached);
    sym->reached = NULL;
}

static bool try_test(struct rh__sym *sym, const struct rh_reach_options *options,
                     const struct rh__sym_target *target, const struct rh__sym_test *test,
                     struct rh_reach_result *result)
{
    struct search search = {.sym = sym,
                            .options = options,
                            .target = *target,
                            .broad.comes_before = is_broader,
                            .deep.comes_before = is_deeper};
    begin(&search, test);
    run(&search);
    keep(&search, test->name, result);
    search_fini(&search);
    return search.is_cut;
}

// Each test, with more rounds of loops as long as loops were cut. Gives whether anything was left
// out.
static bool try_tests(struct rh__sym *sym, const struct rh_reach_options *options,
                      struct rh_generate_options *limits, const struct rh__sym_target *target,
                      const struct rh__sym_tests *tests, struct rh_reach_result *result)
{
    bool is_cut = false;
    for (limits->loop = LOOP_FIRST; limits->loop <= LOOP_MOST; limits->loop *= 4) {
        is_cut = false;
        sym->result->cuts[RH_CUT_LOOP] = 0;
        for (size_t i = 0; i < tests->count && result->verdict != RH_REACH_REACHED; i++)
            if (is_asked_for(options, &tests->items[i]))
                is_cut |= try_test(sym, options, target, &tests->items[i], result);
        if (result->verdict == RH_REACH_REACHED || !sym->result->cuts[RH_CUT_LOOP])
            break;
    }
    return is_cut;
}

static bool has_test(const struct rh__sym_tests *tests, const struct rh_reach_options *options)
{
    for (size_t i = 0; i < tests->count; i++)
        if (is_asked_for(options, &tests->items[i]))
            return true;
    return false;
}

static void decide(struct rh__sym *sym, const struct rh_reach_options *options,
                   struct rh_generate_options *limits, const struct rh__sym_target *target,
                   const struct rh__sym_tests *tests, struct rh_reach_result *result)
{
    if (options->goal == RH_REACH_LINE && !may_come_at_all(sym, target)) {
        result->verdict = RH_REACH_UNREACHABLE;
        result->reason = "no values of the fields and of the message lead there";
        return;
    }
    bool is_cut = try_tests(sym, options, limits, target, tests, result);
    if (result->verdict == RH_REACH_REACHED)
        return;
    struct rh_solver_counts counts = rh_solver_counts(sym->solver);
    bool is_whole = !is_cut && !sym->result->notes.count && !counts.unknown;
    for (int i = 0; i < RH_CUT_COUNT; i++)
        is_whole = is_whole && !sym->result->cuts[i];
    result->verdict = is_whole ? RH_REACH_UNREACHABLE : RH_REACH_NOT_FOUND;
    result->reason = is_whole ? "no order of deliveries leads there" : NULL;
}

struct rh_status rh_reach(const struct rh_ir_module *module, const struct rh_reach_options *options,
                          struct rh_reach_result *result)
{
    struct rh_generate_options limits = {.loop = LOOP_FIRST,
                                         .deliveries_each = NO_LIMIT,
                                         .actors_each = NO_LIMIT,
                                         .keeps_order = options->keeps_order,
                                         .is_closed = true};
    struct rh__sym sym;
    struct rh__sym_target target = {0};
    struct rh__sym_tests tests = {0};
    *result = (struct rh_reach_result){0};
    struct rh_status status = rh__sym_init(&sym, module, &limits, &result->found);
    if (rh_is_ok(&status)) {
        rh__sym_target_init(&sym, &target, options->file, options->line);
        status = check_target(&target, options);
    }
    if (rh_is_ok(&status)) {
        rh__sym_tests_find(&sym, &tests);
        if (!has_test(&tests, options))
            status = rh_bad_input("the program has no test%s%s", options->test ? " " : "",
                                  options->test ? options->test : "");
    }
    if (rh_is_ok(&status)) {
        result->found.behaviour = "reach";
        result->found.message = "line";
        decide(&sym, options, &limits, &target, &tests, result);
        result->found.queries = rh_solver_counts(sym.solver).queries;
    }
    rh_vector_fini(&tests);
    rh__sym_target_fini(&target);
    rh__sym_fini(&sym);
    return status;
}

void rh_reach_result_fini(struct rh_reach_result *result)
{
    rh_generate_result_fini(&result->found);
}
