// SPDX-License-Identifier: MIT
// The search for a situation that comes to a place. Situations wait in two queues: one gives the
// nearest to the place after the fewest deliveries, the other goes on with the newest of those that
// are nearest, so that long ways are found as well as short ones. Situations that are equal but for
// the order of independent deliveries are looked at once.
#include "symbolic/forward.h"

#include <string.h>

#include "base/file_name.h"
#include "symbolic/nearest.h"

// --- Queues. ---

static bool is_broader(const struct rh__sym_waiting *a, uint32_t a_index,
                       const struct rh__sym_waiting *b, uint32_t b_index)
{
    uint64_t one = a->deliveries + 2 * (uint64_t)a->distance + 2 * (uint64_t)a->messages;
    uint64_t other = b->deliveries + 2 * (uint64_t)b->distance + 2 * (uint64_t)b->messages;
    return one != other ? one < other : a_index < b_index;
}

static bool is_deeper(const struct rh__sym_waiting *a, uint32_t a_index,
                      const struct rh__sym_waiting *b, uint32_t b_index)
{
    if (a->distance != b->distance)
        return a->distance < b->distance;
    if (a->messages != b->messages)
        return a->messages < b->messages;
    return a->deliveries != b->deliveries ? a->deliveries > b->deliveries : a_index < b_index;
}

static bool is_before(const struct rh__sym_forward *search, const struct rh__sym_queue *queue,
                      size_t a, size_t b)
{
    uint32_t one = queue->items[a], other = queue->items[b];
    return queue->comes_before(&search->waiting.items[one], one, &search->waiting.items[other],
                               other);
}

static void exchange(struct rh__sym_queue *queue, size_t a, size_t b)
{
    uint32_t one = queue->items[a];
    queue->items[a] = queue->items[b];
    queue->items[b] = one;
}

static void queue_add(const struct rh__sym_forward *search, struct rh__sym_queue *queue,
                      uint32_t index)
{
    size_t at = queue->count;
    *(uint32_t *)rh_vector_push(queue) = index;
    for (; at && is_before(search, queue, at, (at - 1) / 2); at = (at - 1) / 2)
        exchange(queue, at, (at - 1) / 2);
}

static uint32_t queue_take(const struct rh__sym_forward *search, struct rh__sym_queue *queue)
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

// --- How far a situation is from the place. ---

static bool may_come(const struct rh__sym_coming *coming, size_t receiver, uint32_t type)
{
    return coming->receiver == receiver && (type == RH_NONE || coming->type == type) &&
           coming->came < coming->most;
}

bool rh__sym_may_be_sent(const struct rh__sym_situation *situation, size_t index, uint32_t type)
{
    bool may = situation->comings.count == 0;
    for (size_t i = 0; i < situation->comings.count; i++)
        may = may || may_come(&situation->comings.items[i], index, type);
    return may && rh__sym_may_be_written_to(situation, index);
}

bool rh__sym_may_be_written_to(const struct rh__sym_situation *situation, size_t index)
{
    bool has_receptionists = false;
    for (size_t i = 0; i < situation->actors.count; i++)
        has_receptionists = has_receptionists || situation->actors.items[i].is_receptionist;
    const struct rh__sym_actor *actor = &situation->actors.items[index];
    bool is_known = has_receptionists ? actor->is_receptionist : actor->parent == RH_NONE;
    return is_known && !actor->is_outside && !actor->is_stopped && actor->behaviour != RH_NONE;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

// Of a message that is pending. A reply goes on with a handler that may be anywhere.
static uint32_t distance_of(const struct rh__sym_forward *search,
                            const struct rh__sym_situation *situation,
                            const struct rh__sym_message *message)
{
    const struct rh__sym_actor *receiver = &situation->actors.items[message->receiver];
    if (message->kind == RH__SYM_REPLY || receiver->wait)
        return 1;
    return rh__sym_target_distance(search->target, receiver->behaviour, message->type);
}

static uint32_t distance_from_outside(const struct rh__sym_forward *search,
                                      const struct rh__sym_situation *situation)
{
    uint32_t distance = RH_NONE;
    for (uint32_t i = 0; i < situation->actors.count; i++)
        for (uint32_t type = 0; type < search->sym->types.count; type++)
            if (rh__sym_may_be_sent(situation, i, type))
                distance = least(
                    distance, rh__sym_target_distance(search->target,
                                                      situation->actors.items[i].behaviour, type));
    return distance == RH_NONE ? RH_NONE : distance + 1;
}

static uint32_t message_count(const struct rh__sym_situation *situation)
{
    return situation->arrivals ? situation->arrivals->count : 0;
}

bool rh__sym_forward_may_come(const struct rh__sym_forward *search,
                              const struct rh__sym_situation *situation)
{
    bool is_listed = situation->comings.count && !search->options->messages_are_said;
    return is_listed || message_count(situation) < search->options->messages_most;
}

// That more messages from outside than are asked for might lead on is noted.
static uint32_t distance(struct rh__sym_forward *search, const struct rh__sym_situation *situation)
{
    uint32_t nearest = RH_NONE, from_outside = distance_from_outside(search, situation);
    for (size_t i = 0; i < situation->pending.count; i++)
        nearest = least(nearest, distance_of(search, situation, &situation->pending.items[i]));
    if (rh__sym_forward_may_come(search, situation))
        nearest = least(nearest, from_outside);
    else if (from_outside != RH_NONE)
        search->is_bounded = true;
    // Whatever ends the waiting, a handler goes on then; and a judge looks at the end, too.
    bool goes_on = rh__sym_has_wait(situation) || search->target->is_judged;
    return goes_on ? least(nearest, 1) : nearest;
}

// --- What comes next. ---

static void add(struct rh__sym_forward *search, struct rh__sym_situation *situation,
                uint32_t deliveries)
{
    uint32_t nearest = distance(search, situation);
    search->sym->situations++;
    if (nearest == RH_NONE || !rh__sym_is_new(&search->seen, situation)) {
        rh__sym_situation_free(situation);
        return;
    }
    uint32_t index = (uint32_t)search->waiting.count;
    *rh_vector_push(&search->waiting) =
        (struct rh__sym_waiting){situation, deliveries, nearest, message_count(situation)};
    queue_add(search, &search->broad, index);
    queue_add(search, &search->deep, index);
}

bool rh__sym_fails_check(const struct rh__sym_situation *situation)
{
    static const char check[] = "the check ";
    return situation->end == RH__SYM_BROKEN && !strncmp(situation->reason, check, sizeof check - 1);
}

// Whether the goal is what a situation has ended with.
static bool is_goal(const struct rh__sym_forward *search, const struct rh__sym_situation *situation)
{
    if (situation->end != RH__SYM_BROKEN || situation->place.line != search->options->line ||
        !situation->place.file || !rh_is_named(situation->place.file, search->options->file))
        return false;
    return (search->options->goal == RH_REACH_CHECK) == rh__sym_fails_check(situation);
}

static void find(struct rh__sym_forward *search, const struct rh__sym_situation *situation)
{
    if (!search->found)
        search->found = rh__sym_situation_copy(search->sym, situation);
}

// What a situation that does not go on says about the search.
static void note_end(struct rh__sym_forward *search, const struct rh__sym_situation *outcome)
{
    if (search->options->goal != RH_REACH_LINE && is_goal(search, outcome))
        find(search, outcome);
    if (outcome->end == RH__SYM_UNKNOWN)
        rh__sym_note(search->sym, outcome->reason, outcome->place);
    if (outcome->end == RH__SYM_BROKEN && outcome->is_undefined)
        search->is_cut = true; // C does not say what comes after this
}

// Takes what the judges leave of the situation, where what one of them says is looked for. Takes
// the situation.
static void judge(struct rh__sym_forward *search, struct rh__sym_situation *situation, bool at_end,
                  struct rh__sym_situations *outcomes)
{
    if (search->target->is_judged && situation->end == RH__SYM_DONE && !search->collected)
        rh__sym_judge(search->sym, situation, at_end, outcomes);
    else
        *rh_vector_push(outcomes) = situation;
}

static void take_judged(struct rh__sym_forward *search, struct rh__sym_situation *outcome,
                        uint32_t deliveries)
{
    note_end(search, outcome);
    if (outcome->end == RH__SYM_DONE && search->collected)
        *rh_vector_push(search->collected) = outcome;
    else if (outcome->end == RH__SYM_DONE)
        add(search, outcome, deliveries);
    else
        rh__sym_situation_free(outcome);
}

static void take_outcome(struct rh__sym_forward *search, struct rh__sym_situation *outcome,
                         uint32_t deliveries)
{
    struct rh__sym_situations outcomes = {0};
    judge(search, outcome, false, &outcomes);
    for (size_t i = 0; i < outcomes.count; i++)
        take_judged(search, outcomes.items[i], deliveries);
    rh_vector_fini(&outcomes);
}

// Nothing can be delivered: what must hold at the end is asked.
static void judge_end(struct rh__sym_forward *search, const struct rh__sym_situation *situation)
{
    struct rh__sym_situations outcomes = {0};
    struct rh__sym_situation *copy = rh__sym_situation_copy(search->sym, situation);
    copy->end = RH__SYM_DONE;
    judge(search, copy, true, &outcomes);
    for (size_t i = 0; i < outcomes.count; i++) {
        note_end(search, outcomes.items[i]);
        rh__sym_situation_free(outcomes.items[i]);
    }
    rh_vector_fini(&outcomes);
}

void rh__sym_forward_deliver(struct rh__sym_forward *search,
                             const struct rh__sym_situation *situation, size_t index,
                             uint32_t deliveries)
{
    struct rh__sym_situations outcomes = {0};
    struct rh__sym_situation *taken = rh__sym_take_out(search->sym, situation, index);
    if (distance_of(search, situation, &situation->pending.items[index]) == 0)
        search->sym->nearest->has_begun = true;
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

// What the test says of the fields of a message that may come.
static void take_coming(struct rh__sym_situation *situation, uint32_t index,
                        struct rh__sym_message *message)
{
    struct rh__sym_coming *coming = &situation->comings.items[index];
    coming->came++;
    if (coming->object == RH_NONE)
        return;
    situation->objects.items[coming->object]->references++;
    message->payload = rh__sym_object_add(situation, situation->objects.items[coming->object]);
}

// Adds a message from outside to what is pending: one that the test lists, or one of unknown
// contents if `coming` is RH_NONE.
static void arrive(struct rh__sym_forward *search, struct rh__sym_situation *situation,
                   uint32_t receiver, uint32_t type, uint32_t coming)
{
    struct rh__sym *sym = search->sym;
    const struct rh__sym_type it = sym->types.items[type];
    struct rh__sym_arrival *arrival = rh_arena_take(&sym->arena, sizeof *arrival);
    *arrival = (struct rh__sym_arrival){.before = situation->arrivals,
                                        .type = type,
                                        .receiver = receiver,
                                        .sender = rh__sym_outside(situation, RH_REACH_SENDER),
                                        .count = message_count(situation) + 1};
    struct rh__sym_message message = {.type = type,
                                      .receiver = receiver,
                                      .sender = arrival->sender,
                                      .payload = RH_NONE,
                                      .number = situation->message_count++};
    if (coming != RH_NONE)
        take_coming(situation, coming, &message);
    else if (it.size) {
        struct rh_text prefix = {0};
        rh_text_addf(&prefix, "%s#%u", it.name, (unsigned)count_of(situation, type) + 1);
        message.payload =
            rh__sym_unknown_object(sym, situation, it.name, it.size, rh_text_get(&prefix),
                                   (struct rh__sym_owner){RH_NONE, NULL});
        rh_text_fini(&prefix);
        if (search->draws)
            rh__sym_random_fill(search, situation, type,
                                &situation->objects.items[message.payload]);
    }
    if (message.payload != RH_NONE) {
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
static void arrive_as(struct rh__sym_forward *search, const struct rh__sym_situation *situation,
                      uint32_t receiver, uint32_t type, uint32_t coming, uint32_t deliveries)
{
    struct rh__sym *sym = search->sym;
    struct rh__sym_situation *copy = rh__sym_situation_copy(sym, situation);
    struct rh__sym_situations answers = {0};
    arrive(search, copy, receiver, type, coming);
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
            rh__sym_forward_deliver(search, each, last, deliveries);
        rh__sym_situation_free(each);
    }
    rh_vector_fini(&answers);
    rh__sym_situation_free(copy);
}

void rh__sym_forward_arrive(struct rh__sym_forward *search,
                            const struct rh__sym_situation *situation, uint32_t receiver,
                            uint32_t type, uint32_t deliveries)
{
    if (situation->comings.count == 0)
        arrive_as(search, situation, receiver, type, RH_NONE, deliveries);
    for (uint32_t i = 0; i < situation->comings.count; i++)
        if (may_come(&situation->comings.items[i], receiver, type))
            arrive_as(search, situation, receiver, type, i, deliveries);
}

// Whether a message may be of use that the handler does not look for. Of a behaviour that only
// rh_become names nothing is known but its code.
bool rh__sym_forward_is_of_interest(struct rh__sym_forward *search, uint32_t behaviour,
                                    uint32_t type)
{
    const struct rh__sym_handling *handling = rh__sym_handling_of(search->sym, behaviour, type);
    return rh__sym_target_distance(search->target, behaviour, type) != RH_NONE &&
           (handling->is_taken || handling->is_near ||
            rh__sym_target_has(search->target, behaviour, type));
}

// Each message from outside that may be of use here.
static void try_arrivals(struct rh__sym_forward *search, const struct rh__sym_situation *situation,
                         uint32_t deliveries)
{
    for (uint32_t i = 0; i < situation->actors.count; i++) {
        if (situation->actors.items[i].wait)
            continue;
        uint32_t behaviour = situation->actors.items[i].behaviour;
        for (uint32_t type = 0; type < search->sym->types.count; type++)
            if (rh__sym_may_be_sent(situation, i, type) &&
                rh__sym_forward_is_of_interest(search, behaviour, type))
                rh__sym_forward_arrive(search, situation, i, type, deliveries);
    }
}

static void look_at(struct rh__sym_forward *search, struct rh__sym_situation *situation,
                    uint32_t deliveries)
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
    bool is_end = true;
    for (size_t i = 0; i < situation->pending.count; i++)
        if (rh__sym_is_deliverable(sym, situation, i)) {
            rh__sym_forward_deliver(search, situation, i, deliveries);
            is_end = false;
        }
    if (is_end && search->target->is_judged)
        judge_end(search, situation);
    if (rh__sym_forward_may_come(search, situation))
        try_arrivals(search, situation, deliveries);
}

// --- The search. ---

// The place is not to be reached by this instruction, where the program that runs has other code.
static void unmark(struct rh__sym *sym, const struct rh__sym_situation *situation)
{
    const struct rh__sym_frame *frame = &situation->frames.items[situation->frames.count - 1];
    sym->marks[frame->function - sym->module->functions.items][frame->next] = false;
}

// Whether the way that was found is one that a run goes, too.
static bool is_accepted(struct rh__sym_forward *search)
{
    struct rh__sym_situation *reached = search->sym->reached;
    struct rh__sym_situation **way = search->found ? &search->found : &search->sym->reached;
    if (!*way || (*way == reached && search->options->goal != RH_REACH_LINE))
        return false;
    bool is_accepted = search->accept(search, *way);
    if (!is_accepted && *way == reached)
        unmark(search->sym, reached);
    rh__sym_situation_free(*way);
    *way = NULL;
    return is_accepted;
}

bool rh__sym_forward_is_over(struct rh__sym_forward *search)
{
    search->is_found = search->is_found || is_accepted(search);
    return search->is_found || rh__sym_is_over(search->sym);
}

// The next situation that nobody has looked at; NULL: there is none.
static struct rh__sym_situation *next_of(struct rh__sym_forward *search,
                                         struct rh__sym_queue *queue, uint32_t *deliveries)
{
    while (queue->count) {
        struct rh__sym_waiting *next = &search->waiting.items[queue_take(search, queue)];
        struct rh__sym_situation *situation = next->situation;
        next->situation = NULL;
        *deliveries = next->deliveries;
        if (situation)
            return situation;
    }
    return NULL;
}

// Whether loops that were cut are to be followed further, instead of more with these few rounds.
static bool is_share_over(const struct rh__sym_forward *search)
{
    return search->share_end && search->sym->result->cuts[RH_CUT_LOOP] &&
           rh__sym_spent(search->sym) >= search->share_end;
}

static void run(struct rh__sym_forward *search)
{
    while (!rh__sym_forward_is_over(search) && !is_share_over(search)) {
        struct rh__sym_queue *queue = search->looked_at % 2 ? &search->deep : &search->broad;
        uint32_t deliveries;
        struct rh__sym_situation *next = next_of(search, queue, &deliveries);
        if (!next)
            return;
        search->looked_at++;
        look_at(search, next, deliveries);
        rh__sym_situation_free(next);
    }
    search->is_cut = true;
}

void rh__sym_forward_begin(struct rh__sym_forward *search, uint32_t body)
{
    search->broad.comes_before = is_broader;
    search->deep.comes_before = is_deeper;
    struct rh__sym_situation *empty = rh__sym_situation_new();
    struct rh__sym_situations begun = {0};
    rh__sym_body_run(search->sym, empty, body, &begun);
    for (size_t i = 0; i < begun.count && search->options->without_messages; i++)
        begun.items[i]->pending.count = 0;
    rh__sym_find_way(search, body, &begun);
    for (size_t i = 0; i < begun.count; i++)
        take_outcome(search, begun.items[i], 0);
    rh_vector_fini(&begun);
    rh__sym_situation_free(empty);
}

void rh__sym_forward_run(struct rh__sym_forward *search, uint32_t body)
{
    rh__sym_forward_begin(search, body);
    if (search->has_way)
        run(search);
}

void rh__sym_forward_fini(struct rh__sym_forward *search)
{
    for (size_t i = 0; i < search->waiting.count; i++)
        if (search->waiting.items[i].situation)
            rh__sym_situation_free(search->waiting.items[i].situation);
    for (size_t i = 0; i < search->payloads.count; i++)
        rh__sym_object_release(search->payloads.items[i]);
    if (search->found)
        rh__sym_situation_free(search->found);
    if (search->sym->reached)
        rh__sym_situation_free(search->sym->reached);
    search->sym->reached = NULL;
    rh_text_fini(&search->why_not);
    rh_vector_fini(&search->payloads);
    rh_vector_fini(&search->waiting);
    rh_vector_fini(&search->broad);
    rh_vector_fini(&search->deep);
    rh__sym_seen_fini(&search->seen);
}
