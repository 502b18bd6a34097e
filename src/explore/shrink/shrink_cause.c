// SPDX-License-Identifier: MIT
// The cause of a finding, in a sentence: two deliveries, an outcome or a fault. A cause is tried:
// with just this one thing the other way round and everything else as far as it goes, to the end of
// the execution, the finding must not show.
#include <stdlib.h>
#include <string.h>

#include "explore/shrink/shrinker.h"

// What came too late: a later move, or a message that was not delivered.
struct late {
    size_t move;         // 0: the message was not delivered
    struct rh_step step; // strings borrowed
    size_t parent, sent;
    uint64_t receiver;
};

struct search {
    struct rh_shrinker *shrinker;
    const struct rh_moves *moves;
    struct rh_text sentence; // empty: nothing was found
    struct rh_text second;   // a cause without which something else is wrong; empty: none was found
};

// Whether a cause was found, or the budget to look for one is used up.
static bool is_over(const struct search *search)
{
    return search->sentence.length > 0 || search->shrinker->trial.is_stopped;
}

static const struct rh_step *step_of(const struct rh_moves *moves, size_t move)
{
    return &moves->schedule.steps.items[moves->items.items[move].first];
}

static char *comment_of(const struct search *search, const struct rh_execution *execution,
                        const struct rh_event *event)
{
    return rh_confirm_comment(search->shrinker->trial.job->options->debug, execution, event);
}

static struct late late_move(const struct rh_moves *moves, size_t move)
{
    const struct rh_move *item = &moves->items.items[move];
    return (struct late){.move = move,
                         .step = *step_of(moves, move),
                         .parent = item->parent,
                         .sent = item->sent,
                         .receiver = item->receiver};
}

// The comment in `step` is owned.
static struct late late_message(const struct search *search, const struct rh_waiting *waiting)
{
    struct rh_step step = rh_waiting_step(waiting);
    step.comment = comment_of(search, &search->shrinker->best.execution, waiting->event);
    return (struct late){.step = step,
                         .parent = waiting->parent,
                         .sent = waiting->sent,
                         .receiver = waiting->receiver};
}

// Sentences.

static bool sounds_same(const struct rh_step *one, const struct rh_step *other)
{
    return one->kind == other->kind && one->type && strcmp(one->type, other->type) == 0 &&
           strcmp(one->sender, other->sender) == 0 && strcmp(one->receiver, other->receiver) == 0;
}

// Adds the step's message, with its values and its place if it would be confused with the other
// one.
static void add_step(struct rh_text *text, const struct rh_step *step, const struct rh_step *other)
{
    if (rh_step_is_crash(step->kind))
        rh_text_addf(text, "the crash of %s", step->receiver);
    else
        rh_text_addf(text, "%s from %s", step->type, step->sender);
    if (sounds_same(step, other) && step->comment)
        rh_text_addf(text, " (%s)", step->comment);
}

static void describe_pair(const struct rh_moves *moves, struct rh_text *text, size_t first,
                          const struct late *late)
{
    const struct rh_step *early = step_of(moves, first);
    add_step(text, early, &late->step);
    if (rh_step_is_crash(early->kind))
        rh_text_add(text, " came before ");
    else
        rh_text_addf(text, " reached %s before ", early->receiver);
    add_step(text, &late->step, early);
    if (late->receiver != moves->items.items[first].receiver)
        rh_text_addf(text, " reached %s", late->step.receiver);
}

// Two deliveries.

// Whether the first message was delivered, and before the other one, if that one was delivered at
// all.
static bool comes_first(const struct rh_execution *execution, uint64_t identity, uint64_t other)
{
    for (size_t i = 0; i < execution->events.count; i++) {
        const struct rh_event *event = &execution->events.items[i];
        if (!rh_event_is_step(event->kind))
            continue;
        if (event->identity == identity || event->identity == other)
            return event->identity == identity;
    }
    return false;
}

// How many moves there are up to a lap: a trial is to show whether the program goes round by
// itself.
static size_t count_moves(const struct rh_moves *moves)
{
    return moves->has_lap ? moves->lap + 1 : moves->items.count;
}

// Adds messages that were left out and could have come to the move's receiver before the move, in
// sending order: of these, the ones that were sent from `from` on and before `end`.
static void add_left_out(const struct rh_moves *moves, struct rh_schedule *draft, size_t move,
                         size_t from, size_t end)
{
    for (size_t i = 0; i < moves->waiting.count; i++) {
        const struct rh_waiting *waiting = &moves->waiting.items[i];
        if (waiting->receiver == moves->items.items[move].receiver && waiting->parent < move &&
            waiting->sent >= from && waiting->sent < end)
            *rh_vector_push(&draft->steps) = rh_waiting_step(waiting);
    }
}

// The moves with the late one before the first. A message that is not among the moves may come at
// any time. If it can, it comes where it was sent; otherwise it might show the finding in the place
// of the late one.
static void draft_flipped(const struct rh_moves *moves, struct rh_schedule *draft, size_t first,
                          const struct late *late)
{
    rh_draft_init(draft, moves);
    for (size_t i = 0; i < count_moves(moves); i++) {
        if (i == first)
            add_left_out(moves, draft, first, 0, late->sent);
        if (i == first && late->move > 0)
            rh_draft_add(draft, moves, late->move);
        else if (i == first)
            *rh_vector_push(&draft->steps) = late->step;
        if (i == first)
            add_left_out(moves, draft, first, late->sent + 1, moves->items.items[first].sent);
        if (i == 0 || i != late->move)
            rh_draft_add(draft, moves, i);
    }
}

static void note_pair(struct search *search, const struct rh_outcome *outcome, size_t first,
                      const struct late *late)
{
    if (!outcome->has_error)
        describe_pair(search->moves, &search->sentence, first, late);
    else if (search->second.length == 0)
        describe_pair(search->moves, &search->second, first, late);
}

// If the finding vanishes the pair is noted, as a second choice if something else is wrong instead.
static void try_pair(struct search *search, size_t first, const struct late *late)
{
    struct rh_schedule draft;
    draft_flipped(search->moves, &draft, first, late);
    struct rh_trial *trial = &search->shrinker->trial;
    struct rh_outcome outcome = rh_trial_run(trial, &draft, true, RH_WANT_EVENTS);
    rh_draft_fini(&draft);
    if (!trial->is_stopped && !outcome.shows && !outcome.is_refused &&
        comes_first(&outcome.execution, late->step.identity,
                    search->moves->items.items[first].identity))
        note_pair(search, &outcome, first, late);
    rh_outcome_fini(&outcome);
}

enum kind_of_pair { AGAINST_ORDER, AGAINST_ORDER_ELSEWHERE, IN_ORDER };

static bool is_candidate(const struct rh_moves *moves, size_t first, const struct late *late,
                         enum kind_of_pair kind)
{
    const struct rh_move *move = &moves->items.items[first];
    bool is_against = late->sent < move->sent;
    bool is_elsewhere = late->receiver != move->receiver;
    return late->parent < first && late->sent != SIZE_MAX && is_against == (kind != IN_ORDER) &&
           is_elsewhere == (kind == AGAINST_ORDER_ELSEWHERE);
}

static void try_pairs_of(struct search *search, size_t first, enum kind_of_pair kind)
{
    const struct rh_moves *moves = search->moves;
    for (size_t i = first + 1; i < count_moves(moves) && !is_over(search); i++) {
        struct late late = late_move(moves, i);
        if (is_candidate(moves, first, &late, kind))
            try_pair(search, first, &late);
    }
    for (size_t i = 0; i < moves->waiting.count && !is_over(search); i++) {
        struct late late = late_message(search, &moves->waiting.items[i]);
        if (is_candidate(moves, first, &late, kind))
            try_pair(search, first, &late);
        free(late.step.comment);
    }
}

// The move in which the finding shows may itself have come too late.
static void try_last_move(struct search *search, enum kind_of_pair kind)
{
    const struct rh_moves *moves = search->moves;
    size_t last = count_moves(moves) - 1;
    struct late late = late_move(moves, last);
    for (size_t i = last; i-- > 1 && !is_over(search);)
        if (is_candidate(moves, i, &late, kind))
            try_pair(search, i, &late);
}

// The last moves are nearest to what went wrong.
static void try_pairs(struct search *search, enum kind_of_pair kind)
{
    if (!search->shrinker->shows_at_end && count_moves(search->moves) > 1)
        try_last_move(search, kind);
    for (size_t i = count_moves(search->moves); i-- > 1 && !is_over(search);)
        try_pairs_of(search, i, kind);
}

// A message that had not even been sent.

// For each move whether it is this one or came of it.
static bool *find_offspring(const struct rh_moves *moves, size_t move)
{
    bool *is_offspring = rh_alloc(moves->items.count);
    for (size_t i = 1; i < count_moves(moves); i++)
        is_offspring[i] = i == move || is_offspring[moves->items.items[i].parent];
    return is_offspring;
}

// A draft of all moves but this one and those that came of it. Its message is held until the
// message of `until`; if `until` is NULL, for ever.
static void draft_held(const struct rh_moves *moves, struct rh_schedule *draft, size_t move,
                       const struct rh_step *until)
{
    bool *is_gone = find_offspring(moves, move);
    rh_draft_init(draft, moves);
    for (size_t i = 0; i < count_moves(moves); i++)
        if (!is_gone[i])
            rh_draft_add(draft, moves, i);
    free(is_gone);
    struct rh_step never = {.has_identity = true};
    *rh_vector_push(&draft->holds) =
        (struct rh_hold){*step_of(moves, move), until ? *until : never};
}

// A draft of all moves, with this one and those that came of it as late as in draft_held, but
// before the move of `until`. Gives whether the order is another one.
static bool draft_delayed(const struct rh_moves *moves, struct rh_schedule *draft, size_t move,
                          const struct rh_step *until)
{
    bool *is_delayed = find_offspring(moves, move), is_other = false;
    size_t count = count_moves(moves), end = 0;
    while (end < count && moves->items.items[end].identity != until->identity)
        end++;
    rh_draft_init(draft, moves);
    for (size_t i = 0; i < end; i++) {
        is_other |= i > move && !is_delayed[i];
        if (!is_delayed[i])
            rh_draft_add(draft, moves, i);
    }
    for (size_t i = 0; i < count; i++)
        if (is_delayed[i])
            rh_draft_add(draft, moves, i);
    for (size_t i = end; i < count; i++)
        if (!is_delayed[i])
            rh_draft_add(draft, moves, i);
    free(is_delayed);
    return is_other;
}

// A message that is held lets other moves past, too. Whether the finding shows nevertheless if the
// message comes just before `until`, which it was held for: then `until` is what matters.
static bool shows_if_delayed(struct search *search, size_t move, const struct rh_step *until)
{
    struct rh_schedule draft;
    struct rh_outcome outcome = {.shows = true};
    if (draft_delayed(search->moves, &draft, move, until))
        outcome = rh_trial_run(&search->shrinker->trial, &draft, true, RH_WANT_NOTHING);
    rh_draft_fini(&draft);
    rh_outcome_fini(&outcome);
    return outcome.shows;
}

static void try_hold(struct search *search, size_t move, const struct rh_execution *execution,
                     const struct rh_event *event)
{
    struct late late = {.step = rh_event_step(event), .receiver = event->actor_address};
    late.step.comment = comment_of(search, execution, event);
    struct rh_schedule draft;
    draft_held(search->moves, &draft, move, &late.step);
    struct rh_trial *trial = &search->shrinker->trial;
    struct rh_outcome outcome = rh_trial_run(trial, &draft, true, RH_WANT_NOTHING);
    rh_draft_fini(&draft);
    if (!trial->is_stopped && !outcome.shows && !outcome.is_refused &&
        shows_if_delayed(search, move, &late.step))
        note_pair(search, &outcome, move, &late);
    free(late.step.comment);
    rh_outcome_fini(&outcome);
}

// Whether the message had not been sent when the move was made.
static bool is_unsent(const struct rh_moves *moves, size_t move, uint64_t identity)
{
    for (size_t i = 1; i < moves->items.count; i++)
        if (moves->items.items[i].identity == identity)
            return moves->items.items[i].parent >= move;
    for (size_t i = 0; i < moves->waiting.count; i++)
        if (moves->waiting.items[i].identity == identity)
            return moves->waiting.items[i].parent >= move;
    return true;
}

// A message that the receiver gets if this move does not come first may be the one that the move
// came too early for.
static void try_holds_of(struct search *search, size_t move)
{
    const struct rh_moves *moves = search->moves;
    struct rh_schedule draft;
    draft_held(moves, &draft, move, NULL);
    struct rh_outcome outcome =
        rh_trial_run(&search->shrinker->trial, &draft, true, RH_WANT_EVENTS);
    rh_draft_fini(&draft);
    for (size_t i = 0; i < outcome.execution.events.count && !is_over(search); i++) {
        const struct rh_event *event = &outcome.execution.events.items[i];
        if (event->kind == RH_EVENT_DELIVER &&
            event->actor_address == moves->items.items[move].receiver &&
            is_unsent(moves, move, event->identity))
            try_hold(search, move, &outcome.execution, event);
    }
    rh_outcome_fini(&outcome);
}

static void try_holds(struct search *search)
{
    for (size_t i = count_moves(search->moves); i-- > 1 && !is_over(search);)
        if (search->moves->items.items[i].sent != SIZE_MAX)
            try_holds_of(search, i);
}

// Outcomes and faults.

static bool is_fault(const struct rh_step *step)
{
    return step->kind == RH_STEP_DROP || step->kind == RH_STEP_DUPLICATE ||
           rh_step_is_crash(step->kind);
}

static void describe_step(struct search *search, size_t move, const struct rh_step *step)
{
    struct rh_text *text = &search->sentence;
    switch (step->kind) {
    case RH_STEP_DROP:
        rh_text_addf(text, "%s from %s to %s was lost", step->type, step->sender, step->receiver);
        break;
    case RH_STEP_DUPLICATE:
        rh_text_addf(text, "%s from %s to %s came once more", step->type, step->sender,
                     step->receiver);
        break;
    case RH_STEP_CRASH:
    case RH_STEP_RESTART:
        rh_text_addf(text, "%s crashed", step->receiver);
        break;
    default:
        if (step->comment)
            rh_text_addf(text, "%d of %d was chosen (%s) in ", step->outcome, step->count,
                         step->comment);
        else
            rh_text_addf(text, "rh_choose(%d) gave %d in ", step->count, step->outcome);
        if (move == 0)
            rh_text_add(text, "the test's body");
        else
            rh_text_addf(text, "%s to %s", step_of(search->moves, move)->type,
                         step_of(search->moves, move)->receiver);
    }
}

// A draft of all moves without this step, or with its first outcome.
static void draft_other(const struct rh_moves *moves, struct rh_schedule *draft, size_t step)
{
    rh_draft_init(draft, moves);
    for (size_t i = 0; i < moves->schedule.steps.count; i++) {
        struct rh_step copy = moves->schedule.steps.items[i];
        if (copy.kind == RH_STEP_LAP)
            break;
        if (i == step)
            copy.outcome = 0;
        if (i != step || copy.kind == RH_STEP_CHOOSE)
            *rh_vector_push(&draft->steps) = copy;
    }
}

static void try_step(struct search *search, size_t move, size_t step)
{
    struct rh_schedule draft;
    draft_other(search->moves, &draft, step);
    struct rh_trial *trial = &search->shrinker->trial;
    struct rh_outcome outcome = rh_trial_run(trial, &draft, true, RH_WANT_NOTHING);
    rh_draft_fini(&draft);
    if (!trial->is_stopped && !outcome.shows && !outcome.is_refused)
        describe_step(search, move, &search->moves->schedule.steps.items[step]);
    rh_outcome_fini(&outcome);
}

static void try_steps(struct search *search, bool faults)
{
    const struct rh_moves *moves = search->moves;
    for (size_t i = moves->items.count; i-- > 0;)
        for (size_t k = moves->items.items[i].first; k < moves->items.items[i].end; k++) {
            const struct rh_step *step = &moves->schedule.steps.items[k];
            bool is_wanted =
                faults ? is_fault(step) : step->kind == RH_STEP_CHOOSE && step->outcome > 0;
            if (is_wanted && !is_over(search))
                try_step(search, i, k);
        }
}

// No single cause.

enum { PAIRS_NAMED = 4 };

// Adds neighbours that came against sending order.
static size_t add_inversions(const struct rh_moves *moves, struct rh_text *text)
{
    size_t count = 0;
    for (size_t i = 1; i + 1 < moves->items.count; i++) {
        struct late late = late_move(moves, i + 1);
        if (!rh_moves_are_inverted(moves, i, i + 1) || count++ >= PAIRS_NAMED)
            continue;
        rh_text_add(text, count > 1 ? "; " : "");
        describe_pair(moves, text, i, &late);
    }
    if (count > PAIRS_NAMED)
        rh_text_addf(text, "; and %zu more", count - PAIRS_NAMED);
    return count;
}

static bool shows_in_sending_order(struct search *search)
{
    struct rh_schedule draft;
    rh_draft_init(&draft, search->moves);
    struct rh_outcome outcome =
        rh_trial_run(&search->shrinker->trial, &draft, true, RH_WANT_NOTHING);
    rh_draft_fini(&draft);
    rh_outcome_fini(&outcome);
    return outcome.shows;
}

static void add_no_order(struct search *search, bool has_second)
{
    const struct rh_moves *moves = search->moves;
    struct rh_text *text = &search->sentence;
    if (moves->items.count == 1)
        rh_text_add(text, "no order: it shows without a delivery");
    else if (moves->items.count == 2 && moves->waiting.count == 0)
        rh_text_add(text, "no order: there is only one delivery");
    else
        rh_text_addf(text,
                     "no order: it shows in sending order, and%s whichever two deliveries "
                     "are exchanged",
                     has_second ? " it or something else is wrong" : "");
}

static void give_up(struct search *search)
{
    const struct rh_trial *trial = &search->shrinker->trial;
    struct rh_text *text = &search->sentence, pairs = {0};
    bool has_second = search->second.length > 0;
    if (shows_in_sending_order(search))
        add_no_order(search, has_second);
    else if (has_second)
        rh_text_addf(text, "%s; the other way round something else is wrong",
                     rh_text_get(&search->second));
    else if (trial->is_stopped)
        rh_text_add(text, rh_trial_is_interrupted(trial) ? "not looked for to the end: interrupted"
                                                         : "not found within the budget");
    else {
        rh_text_add(text, "no single pair of deliveries: it shows whichever two are exchanged, but "
                          "not in sending order");
        if (add_inversions(search->moves, &pairs) > 0)
            rh_text_addf(text, "; against it came: %s", rh_text_get(&pairs));
    }
    rh_text_fini(&pairs);
}

// In the order in which causes explain most.
static void try_all(struct search *search)
{
    try_steps(search, true);
    if (!is_over(search))
        try_pairs(search, AGAINST_ORDER);
    if (!is_over(search))
        try_steps(search, false);
    if (!is_over(search))
        try_pairs(search, IN_ORDER);
    if (!is_over(search))
        try_holds(search);
    if (!is_over(search))
        try_pairs(search, AGAINST_ORDER_ELSEWHERE);
}

char *rh_shrink_cause(struct rh_shrinker *shrinker)
{
    struct search search = {.shrinker = shrinker, .moves = &shrinker->moves};
    // An execution that never ends has too many deliveries to exchange.
    if (shrinker->shown->finding.kind == RH_FINDING_BOUND)
        return rh_strdup("not looked for: the execution has no end");
    try_all(&search);
    if (search.sentence.length == 0)
        give_up(&search);
    rh_text_fini(&search.second);
    return rh_text_take(&search.sentence);
}
