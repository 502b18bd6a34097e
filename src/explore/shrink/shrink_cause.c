// SPDX-License-Identifier: MIT
// The cause of a finding, in a sentence: faults, two deliveries, outcomes. A cause is tried: with
// just this one thing the other way round and everything else as far as it goes, to the end of the
// execution, the finding must not show.
#include <stdlib.h>
#include <string.h>

#include "explore/shrink/shrink_sentence.h"

// How many things are named.
enum { NAMED_MOST = 4 };

// How many hundredths of the executions for the cause each kind of pair may take; the last kinds
// have what is left.
enum { SHARE_NEIGHBOURS = 30, SHARE_AGAINST = 15, SHARE_IN_ORDER = 20, SHARE_WAITING = 10 };

struct candidate {
    struct rh_exchange exchange;
    char *sentence; // owned
};

struct search {
    struct rh_shrinker *shrinker;
    const struct rh_moves *moves;
    size_t *previous;      // of each move, the one before it to the same actor; 0: none. Owned
    bool shows_by_default; // the finding shows in sending order
    uint64_t budget;       // executions for pairs; 0: no bound
    uint64_t end;          // cost of the trial at which the present kind of pair ends
    bool is_cut;           // there were more pairs to try
    RH_VECTOR(struct candidate) candidates;
    size_t best;                // of the candidates
    RH_VECTOR(char *) faults;   // owned sentences: without any one of them it does not show
    RH_VECTOR(char *) outcomes; // owned sentences, likewise
};

// Candidates.

static const struct rh_exchange *best_of(const struct search *search)
{
    return search->candidates.count > 0 ? &search->candidates.items[search->best].exchange : NULL;
}

// Whether the one is the better explanation. What comes closest to the execution that was found
// says most: nothing else is wrong, and all other deliveries are made, in the same order. Of such
// pairs, one that can be seen in the trace is better, then one that lets no others of the trace
// past, and messages are better than timers.
static bool is_better(const struct rh_exchange *one, const struct rh_exchange *other)
{
    bool is_seen = one->late > 0;
    if (one->is_clean != other->is_clean)
        return one->is_clean;
    if (one->lost != other->lost)
        return one->lost < other->lost;
    if (is_seen != (other->late > 0))
        return is_seen;
    if (!is_seen && one->crossed != other->crossed)
        return one->crossed < other->crossed;
    if (one->has_timer != other->has_timer)
        return other->has_timer;
    if (one->is_elsewhere != other->is_elsewhere)
        return other->is_elsewhere;
    if (one->added != other->added)
        return one->added < other->added;
    return one->crossed < other->crossed;
}

static void add_candidate(struct search *search, const struct rh_exchange *exchange,
                          const struct rh_late *late)
{
    struct rh_text sentence = {0};
    rh_sentence_add_pair(&sentence, search->moves, exchange->first, late);
    *rh_vector_push(&search->candidates) = (struct candidate){*exchange, rh_text_take(&sentence)};
    if (is_better(exchange, best_of(search)))
        search->best = search->candidates.count - 1;
}

// Whether there is a pair without which everything else is as it was.
static bool has_close(const struct search *search)
{
    const struct rh_exchange *best = best_of(search);
    return best && best->is_clean && best->lost == 0;
}

static bool has_close_message(const struct search *search)
{
    return has_close(search) && !best_of(search)->has_timer;
}

// Pairs.

static void begin_pairs(struct search *search, unsigned hundredths)
{
    search->end = search->shrinker->trial.cost + search->budget * hundredths / 100;
}

static bool is_over(struct search *search)
{
    const struct rh_trial *trial = &search->shrinker->trial;
    bool is_over = trial->is_stopped || (search->budget > 0 && trial->cost >= search->end);
    search->is_cut |= is_over;
    return is_over;
}

static void try_pair(struct search *search, size_t first, const struct rh_late *late)
{
    struct rh_exchange exchange;
    if (rh_exchange_is_possible(search->shrinker, first, late) && !is_over(search) &&
        rh_exchange_try(search->shrinker, first, late, &exchange))
        add_candidate(search, &exchange, late);
}

static bool is_against(const struct search *search, size_t first, const struct rh_late *late)
{
    return late->sent < search->moves->items.items[first].sent;
}

// Pairs of moves to one actor, from neighbours (distance 1) on, the last ones first. The nearest
// pair that makes the finding vanish says which order matters: those that are farther apart are not
// tried then.
static void try_moves(struct search *search, bool against, size_t least, size_t most)
{
    size_t count = rh_moves_tried(search->moves);
    size_t *firsts = rh_alloc(count * sizeof *firsts);
    for (size_t i = 0; i < count; i++)
        firsts[i] = i;
    for (size_t distance = 1; distance <= most && distance < count; distance++) {
        if (distance > 1 && (has_close_message(search) || is_over(search)))
            break;
        for (size_t i = count; i-- > 1;) {
            size_t first = firsts[i] = search->previous[firsts[i]];
            struct rh_late late = rh_late_move(search->shrinker, i);
            if (first > 0 && distance >= least && is_against(search, first, &late) == against)
                try_pair(search, first, &late);
        }
    }
    free(firsts);
}

static void try_waiting(struct search *search)
{
    const struct rh_moves *moves = search->moves;
    for (size_t i = rh_moves_tried(moves); i-- > 1;)
        for (size_t k = 0; k < moves->waiting.count; k++) {
            if (moves->waiting.items[k].receiver != moves->items.items[i].receiver)
                continue;
            struct rh_late late = rh_late_waiting(search->shrinker, &moves->waiting.items[k]);
            try_pair(search, i, &late);
            rh_late_fini(&late);
        }
}

// Whether the message is no move, and had not been sent when the move was made.
static bool is_unsent(const struct rh_moves *moves, size_t move, uint64_t identity)
{
    for (size_t i = 1; i < moves->items.count; i++)
        if (moves->items.items[i].identity == identity)
            return false;
    for (size_t i = 0; i < moves->waiting.count; i++)
        if (moves->waiting.items[i].identity == identity)
            return moves->waiting.items[i].parent >= move;
    return true;
}

static bool try_unsent(struct search *search, size_t first, const struct rh_execution *execution,
                       const struct rh_event *event)
{
    struct rh_exchange exchange;
    struct rh_late late = rh_late_elsewhere(search->shrinker, execution, event);
    bool vanishes = rh_exchange_try_held(search->shrinker, first, &late, &exchange);
    if (vanishes)
        add_candidate(search, &exchange, &late);
    rh_late_fini(&late);
    return vanishes;
}

// A message that the receiver gets if this move does not come first may be the one that the move
// came too early for: the first one that makes the finding vanish.
static void try_unsent_before(struct search *search, size_t first)
{
    struct rh_outcome outcome = rh_exchange_run_without(search->shrinker, first);
    bool is_found = false;
    for (size_t i = 0; i < outcome.execution.events.count && !is_found && !is_over(search); i++) {
        const struct rh_event *event = &outcome.execution.events.items[i];
        if (event->kind == RH_EVENT_DELIVER &&
            event->actor_address == search->moves->items.items[first].receiver &&
            is_unsent(search->moves, first, event->identity))
            is_found = try_unsent(search, first, &outcome.execution, event);
    }
    rh_outcome_fini(&outcome);
}

static void try_all_unsent(struct search *search)
{
    for (size_t i = rh_moves_tried(search->moves); i-- > 1;)
        if (search->moves->items.items[i].sent != SIZE_MAX && !has_close_message(search) &&
            !is_over(search))
            try_unsent_before(search, i);
}

// Deliveries to different actors, which an invariant may see.
static void try_elsewhere(struct search *search)
{
    const struct rh_moves *moves = search->moves;
    size_t count = rh_moves_tried(moves);
    for (size_t i = count; i-- > 1 && !has_close(search);) {
        for (size_t k = i + 1; k < count; k++) {
            struct rh_late late = rh_late_move(search->shrinker, k);
            if (late.receiver != moves->items.items[i].receiver && is_against(search, i, &late))
                try_pair(search, i, &late);
        }
        for (size_t k = 0; k < moves->waiting.count; k++) {
            struct rh_late late = rh_late_waiting(search->shrinker, &moves->waiting.items[k]);
            if (late.receiver != moves->items.items[i].receiver && is_against(search, i, &late))
                try_pair(search, i, &late);
            rh_late_fini(&late);
        }
    }
}

static void try_pairs(struct search *search)
{
    begin_pairs(search, SHARE_NEIGHBOURS);
    try_moves(search, true, 1, 1);
    try_moves(search, false, 1, 1);
    begin_pairs(search, SHARE_AGAINST);
    try_moves(search, true, 2, SIZE_MAX);
    begin_pairs(search, SHARE_IN_ORDER);
    try_moves(search, false, 2, SIZE_MAX);
    if (search->faults.count + search->outcomes.count > 0)
        return;
    begin_pairs(search, SHARE_WAITING);
    if (!has_close(search))
        try_waiting(search);
    begin_pairs(search, 100);
    if (!has_close(search))
        try_all_unsent(search);
    if (!best_of(search) || !best_of(search)->is_clean)
        try_elsewhere(search);
}

// Outcomes and faults.

static bool is_fault(const struct rh_step *step)
{
    return step->kind == RH_STEP_DROP || step->kind == RH_STEP_DUPLICATE ||
           rh_step_is_crash(step->kind);
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

// Whether the finding vanishes without the fault, or with the first outcome.
static bool is_needed(struct search *search, size_t step)
{
    struct rh_schedule draft;
    draft_other(search->moves, &draft, step);
    struct rh_trial *trial = &search->shrinker->trial;
    struct rh_outcome outcome = rh_trial_run(trial, &draft, true, RH_WANT_NOTHING);
    rh_draft_fini(&draft);
    rh_outcome_fini(&outcome);
    return !trial->is_stopped && !outcome.shows && !outcome.is_refused;
}

static void try_steps(struct search *search)
{
    const struct rh_moves *moves = search->moves;
    for (size_t i = moves->items.count; i-- > 0;)
        for (size_t k = moves->items.items[i].first; k < moves->items.items[i].end; k++) {
            const struct rh_step *step = &moves->schedule.steps.items[k];
            bool is_outcome = step->kind == RH_STEP_CHOOSE && step->outcome > 0;
            if ((!is_fault(step) && !is_outcome) || !is_needed(search, k))
                continue;
            struct rh_text sentence = {0};
            rh_sentence_add_step(&sentence, moves, i, step);
            if (is_outcome)
                *rh_vector_push(&search->outcomes) = rh_text_take(&sentence);
            else
                *rh_vector_push(&search->faults) = rh_text_take(&sentence);
        }
}

// Several that are needed.

static bool contains(const struct rh_exchange *exchange, const struct rh_exchange *other)
{
    return other->late > 0 && exchange->places[other->late] > 0 &&
           exchange->places[other->late] < exchange->places[other->first];
}

// Whether the pair is needed besides those that are named: everything else is as it was without it,
// the order of the named pairs too.
static bool is_another(const struct search *search, const bool *is_named, size_t candidate)
{
    rh_assert(candidate < search->candidates.count && search->candidates.items);
    const struct rh_exchange *exchange = &search->candidates.items[candidate].exchange;
    if (is_named[candidate] || !exchange->is_clean || exchange->lost > 0 || exchange->late == 0)
        return false;
    for (size_t i = 0; i < search->candidates.count; i++)
        if (is_named[i] && contains(exchange, &search->candidates.items[i].exchange))
            return false;
    return true;
}

static void name(struct rh_text *text, size_t *count, const char *sentence)
{
    if (*count < NAMED_MOST)
        rh_text_addf(text, "%s%s", *count > 0 ? "; and " : "", sentence);
    ++*count;
}

// Adds what is needed: faults, the best pair and those that are needed besides, outcomes.
static size_t name_all(const struct search *search, struct rh_text *text)
{
    size_t count = 0;
    bool *is_named = rh_alloc(search->candidates.count + 1);
    const struct rh_exchange *best = best_of(search);
    for (size_t i = 0; i < search->faults.count; i++)
        name(text, &count, search->faults.items[i]);
    if (best && best->is_clean && (count == 0 || is_another(search, is_named, search->best))) {
        is_named[search->best] = true;
        name(text, &count, search->candidates.items[search->best].sentence);
    }
    for (size_t i = 0; i < search->candidates.count; i++)
        if (count > 0 && is_another(search, is_named, i)) {
            rh_assert(search->candidates.items);
            is_named[i] = true;
            name(text, &count, search->candidates.items[i].sentence);
        }
    for (size_t i = 0; i < search->outcomes.count; i++)
        name(text, &count, search->outcomes.items[i]);
    if (count > NAMED_MOST)
        rh_text_addf(text, "; and %zu more", count - NAMED_MOST);
    free(is_named);
    return count;
}

// No single cause.

// Adds neighbours that came against sending order.
static size_t add_inversions(const struct rh_shrinker *shrinker, struct rh_text *text)
{
    const struct rh_moves *moves = &shrinker->moves;
    size_t count = 0;
    for (size_t i = 1; i + 1 < moves->items.count; i++) {
        struct rh_late late = rh_late_move(shrinker, i + 1);
        if (!rh_moves_are_inverted(moves, i, i + 1) || count++ >= NAMED_MOST)
            continue;
        rh_text_add(text, count > 1 ? "; " : "");
        rh_sentence_add_pair(text, moves, i, &late);
    }
    if (count > NAMED_MOST)
        rh_text_addf(text, "; and %zu more", count - NAMED_MOST);
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

static void add_no_order(const struct search *search, struct rh_text *text)
{
    const struct rh_moves *moves = search->moves;
    rh_text_add(text, search->is_cut ? "not found within the budget: " : "not an ordering bug: ");
    if (moves->items.count == 1)
        rh_text_add(text, "it shows without a delivery");
    else if (moves->items.count == 2 && moves->waiting.count == 0)
        rh_text_add(text, "there is only one delivery");
    else if (best_of(search))
        rh_text_add(text, "it fails in the default order too, and where it does not something "
                          "else is wrong");
    else
        rh_text_add(text, "it fails in the default order too");
}

static void give_up(const struct search *search, struct rh_text *text)
{
    const struct rh_trial *trial = &search->shrinker->trial;
    struct rh_text pairs = {0};
    if (search->shows_by_default)
        add_no_order(search, text);
    else if (best_of(search))
        rh_text_addf(text, "%s; the other way round something else is wrong",
                     search->candidates.items[search->best].sentence);
    else if (trial->is_stopped)
        rh_text_add(text, rh_trial_is_interrupted(trial) ? "not looked for to the end: interrupted"
                                                         : "not found within the budget");
    else {
        rh_text_add(text, "no single pair of deliveries: it shows whichever two are exchanged, but "
                          "not in sending order");
        if (add_inversions(search->shrinker, &pairs) > 0)
            rh_text_addf(text, "; against it came: %s", rh_text_get(&pairs));
    }
    rh_text_fini(&pairs);
}

static void find_previous(struct search *search)
{
    const struct rh_moves *moves = search->moves;
    size_t count = rh_moves_tried(moves), actors = 0;
    size_t *last = rh_alloc(count * sizeof *last);
    struct rh_index known = {0};
    search->previous = rh_alloc(count * sizeof *search->previous);
    for (size_t i = 1; i < count; i++) {
        uint64_t receiver = moves->items.items[i].receiver;
        uint32_t actor = rh_index_find(&known, receiver);
        if (actor == RH_NONE) {
            actor = (uint32_t)actors++;
            rh_index_add(&known, receiver, actor);
        }
        search->previous[i] = last[actor];
        last[actor] = i;
    }
    rh_index_fini(&known);
    free(last);
}

static void fini(struct search *search)
{
    for (size_t i = 0; i < search->candidates.count; i++) {
        rh_exchange_fini(&search->candidates.items[i].exchange);
        free(search->candidates.items[i].sentence);
    }
    rh_vector_fini(&search->candidates);
    for (size_t i = 0; i < search->faults.count; i++)
        free(search->faults.items[i]);
    rh_vector_fini(&search->faults);
    for (size_t i = 0; i < search->outcomes.count; i++)
        free(search->outcomes.items[i]);
    rh_vector_fini(&search->outcomes);
    free(search->previous);
}

char *rh_shrink_cause(struct rh_shrinker *shrinker)
{
    const struct rh_trial *trial = &shrinker->trial;
    struct rh_text text = {0};
    struct search search = {.shrinker = shrinker, .moves = &shrinker->moves};
    // An execution that never ends has too many deliveries to exchange.
    if (shrinker->shown->finding.kind == RH_FINDING_BOUND)
        return rh_strdup("not looked for: the execution has no end");
    find_previous(&search);
    search.shows_by_default = shows_in_sending_order(&search);
    try_steps(&search);
    if (trial->max_executions > trial->cost)
        search.budget = trial->max_executions - trial->cost;
    // What fails in the default order too is seldom a matter of order.
    if (search.shows_by_default)
        search.budget /= 2;
    try_pairs(&search);
    if (name_all(&search, &text) == 0)
        give_up(&search, &text);
    fini(&search);
    return rh_text_take(&text);
}
