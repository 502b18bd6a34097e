// SPDX-License-Identifier: MIT
// Paxos for one decision: competing proposers, three acceptors, a learner (L. Lamport, "Paxos made simple", 2001).
//
// A proposer takes a ballot, a number that nobody else takes, and asks all acceptors to promise that they take part in
// no lower one. An acceptor that promises says what it has last accepted, and in which ballot. When a majority has
// promised, the proposer asks all to accept a value: that of the highest ballot among the promises, its own only if
// none names any. An acceptor accepts unless it has promised a higher ballot, and tells the learner; what a majority
// accepts in one ballot is chosen. A proposer that is refused tries a higher ballot after a while; the learner tells
// all when a value is chosen, so that they stop.
//
// What goes wrong: the proposer keeps the value of the promise that came last, not of the one with the highest ballot.
// If the last promise of a majority is from an acceptor that has accepted nothing, or something older, a second value
// is chosen. That was found in a Paxos that was in use, by searching its orders of events. In the fixed twin it
// compares ballots.
//
// bug:     --test broken : invariant
// cause:   promise from acceptor reached proposer before promise from acceptor
// twin:    --test fixed --thorough
#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { ACCEPTORS = 3, MAJORITY = 2, MOST_PROPOSERS = 3, MOST_BALLOTS = 16, BACKOFF_MS = 100 };

// To a proposer.
RH_SIGNAL(propose);
RH_MESSAGE(promise, {
    int ballot;
    int acceptor;
    int accepted_ballot; // 0: it has accepted nothing
    int value;
});
RH_MESSAGE(refused, {
    int ballot;
    int promised;
});
RH_MESSAGE(try_again, { int ballot; });
RH_MESSAGE(chosen, { int value; });

// To an acceptor.
RH_MESSAGE(prepare, { int ballot; });
RH_MESSAGE(accept, {
    int ballot;
    int value;
});

// To the learner.
RH_MESSAGE(accepted, {
    int ballot;
    int acceptor;
    int value;
});

struct acceptor {
    rh_actor *learner;
    int number;
    int promised;
    int accepted_ballot;
    int value;
};

static void handle_prepare(struct acceptor *acceptor, rh_actor *proposer, int ballot)
{
    if (ballot <= acceptor->promised) {
        rh_send(proposer, refused, {.ballot = ballot, .promised = acceptor->promised});
        return;
    }
    acceptor->promised = ballot;
    rh_send(proposer, promise,
            {.ballot = ballot,
             .acceptor = acceptor->number,
             .accepted_ballot = acceptor->accepted_ballot,
             .value = acceptor->value});
}

static void handle_accept(struct acceptor *acceptor, rh_actor *proposer,
                          const struct accept *accept)
{
    if (accept->ballot < acceptor->promised) {
        rh_send(proposer, refused, {.ballot = accept->ballot, .promised = acceptor->promised});
        return;
    }
    acceptor->promised = accept->ballot;
    acceptor->accepted_ballot = accept->ballot;
    acceptor->value = accept->value;
    rh_send(acceptor->learner, accepted,
            {.ballot = accept->ballot, .acceptor = acceptor->number, .value = accept->value});
}

static void acceptor_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct acceptor *acceptor = state;
    const struct prepare *prepare = rh_as(message, prepare);
    const struct accept *accept = rh_as(message, accept);
    (void)self;

    if (prepare)
        handle_prepare(acceptor, rh_sender(message), prepare->ballot);
    else if (accept)
        handle_accept(acceptor, rh_sender(message), accept);
}

static bool is_majority(unsigned acceptors)
{
    int count = 0;
    for (; acceptors; acceptors &= acceptors - 1)
        count++;
    return count >= MAJORITY;
}

struct proposer {
    rh_actor *acceptors[ACCEPTORS];
    bool compares; // the fix
    int number;    // from 1 on
    int own_value;
    int tries; // still to be made
    int round;
    int ballot;
    unsigned promised; // the acceptors that have, a bit for each
    int highest;       // ballot among the promises with a value
    int value;         // to be proposed
    bool is_accepting;
    bool is_done;
};

static void begin_ballot(struct proposer *proposer)
{
    if (proposer->is_done || proposer->tries == 0)
        return;
    proposer->tries--;
    proposer->ballot = proposer->round * MOST_PROPOSERS + proposer->number;
    proposer->round++;
    proposer->promised = 0;
    proposer->highest = 0;
    proposer->value = proposer->own_value;
    proposer->is_accepting = false;
    for (int i = 0; i < ACCEPTORS; i++)
        rh_send(proposer->acceptors[i], prepare, {.ballot = proposer->ballot});
}

// Which value this promise leaves to the proposer.
static void take_value(struct proposer *proposer, const struct promise *promise)
{
    if (proposer->compares && promise->accepted_ballot <= proposer->highest)
        return;
    proposer->highest = promise->accepted_ballot;
    proposer->value = promise->accepted_ballot > 0 ? promise->value : proposer->own_value;
}

static void handle_promise(struct proposer *proposer, const struct promise *promise)
{
    if (promise->ballot != proposer->ballot || proposer->is_accepting)
        return;
    take_value(proposer, promise);
    proposer->promised |= 1U << promise->acceptor;
    if (!is_majority(proposer->promised))
        return;
    proposer->is_accepting = true;
    for (int i = 0; i < ACCEPTORS; i++)
        rh_send(proposer->acceptors[i], accept,
                {.ballot = proposer->ballot, .value = proposer->value});
}

static void handle_refused(struct proposer *proposer, const struct refused *refused)
{
    if (refused->ballot != proposer->ballot)
        return;
    while (proposer->round * MOST_PROPOSERS + proposer->number <= refused->promised)
        proposer->round++;
    rh_after(BACKOFF_MS, rh_self(), try_again, {.ballot = proposer->ballot});
}

static void proposer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct proposer *proposer = state;
    const struct promise *promise;
    const struct refused *refused;
    const struct try_again *again;
    (void)self;

    if (rh_as(message, propose)) {
        begin_ballot(proposer);
    } else if ((promise = rh_as(message, promise))) {
        handle_promise(proposer, promise);
    } else if ((refused = rh_as(message, refused))) {
        handle_refused(proposer, refused);
    } else if ((again = rh_as(message, try_again))) {
        if (again->ballot == proposer->ballot)
            begin_ballot(proposer);
    } else if (rh_as(message, chosen)) {
        proposer->is_done = true;
    }
}

struct learner {
    rh_actor *proposers[MOST_PROPOSERS];
    unsigned votes[MOST_BALLOTS]; // the acceptors that have accepted, a bit for each
    int values[MOST_BALLOTS];
    int decided; // how often a value was chosen
    int first;   // value that was chosen
    int last;
};

static void learner_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct learner *learner = state;
    const struct accepted *accepted = rh_as(message, accepted);
    (void)self;

    if (!accepted)
        return;
    rh_check(accepted->ballot < MOST_BALLOTS);
    learner->values[accepted->ballot] = accepted->value;
    bool was_chosen = is_majority(learner->votes[accepted->ballot]);
    learner->votes[accepted->ballot] |= 1U << accepted->acceptor;
    if (was_chosen || !is_majority(learner->votes[accepted->ballot]))
        return;
    if (learner->decided++ == 0)
        learner->first = accepted->value;
    learner->last = accepted->value;
    for (int i = 0; i < MOST_PROPOSERS; i++)
        if (learner->proposers[i])
            rh_send(learner->proposers[i], chosen, {.value = accepted->value});
}

struct watched {
    rh_actor *learner;
};

static void one_value_is_chosen(const void *context)
{
    const struct watched *watched = context;
    const struct learner *learner = rh_view_state(watched->learner);

    rh_check(!learner || learner->first == learner->last);
}

static void set_up(bool compares)
{
    int proposers = rh_parameter(int, proposers, 2), tries = rh_parameter(int, tries, 1);
    struct learner names = {.decided = 0};
    struct proposer first = {.compares = compares, .tries = tries};
    rh_actor *learner = rh_reserve(learner_behaviour);

    for (int i = 0; i < ACCEPTORS; i++)
        first.acceptors[i] =
            rh_spawn(acceptor_behaviour, struct acceptor, {.learner = learner, .number = i});
    for (int i = 0; i < proposers && i < MOST_PROPOSERS; i++) {
        struct proposer proposer = first;
        proposer.number = i + 1;
        proposer.own_value = 10 * (i + 1);
        names.proposers[i] = rh_spawn_sized(proposer_behaviour, &proposer, sizeof proposer);
    }
    rh_spawn_at_sized(learner, &names, sizeof names);
    for (int i = 0; i < proposers && i < MOST_PROPOSERS; i++)
        rh_send(names.proposers[i], propose);
    rh_invariant(one_value_is_chosen, struct watched, {.learner = learner});
}

RH_TEST(broken)
{
    set_up(false);
}

RH_TEST(fixed)
{
    set_up(true);
}
