// SPDX-License-Identifier: MIT
// An election among three: two candidates vote for themselves, the third node's vote decides.
//
// At most one leader a term may be chosen. A voter that loses its memory in a restart breaks that:
// it gives its vote twice. The candidates wake up by timer; the rule is an invariant over both.
//
//     rehearse explore examples/leader.c --test forgetful_voter
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(election_timeout);
RH_MESSAGE(request_vote, { int term; });
RH_MESSAGE(vote, { int term; });
RH_SIGNAL(restart);

struct voter {
    bool durable;  // whether its memory of the last vote is on disk
    int last_vote; // the latest term it voted in
};

static void voter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct voter *voter = state;
    const struct request_vote *request;
    (void)self;

    if ((request = rh_as(message, request_vote))) {
        if (request->term > voter->last_vote) {
            voter->last_vote = request->term;
            rh_reply(message, vote, {.term = request->term});
        }
    } else if (rh_as(message, restart)) {
        if (!voter->durable)
            voter->last_vote = 0;
    }
}

struct candidate {
    rh_actor *voter;
    int term;
    int votes;
};

static void candidate_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct candidate *candidate = state;
    const struct vote *vote;
    (void)self;

    if (rh_as(message, election_timeout)) {
        candidate->term++;
        candidate->votes = 1;
        rh_send(candidate->voter, request_vote, {.term = candidate->term});
    } else if ((vote = rh_as(message, vote))) {
        if (vote->term == candidate->term)
            candidate->votes++;
    }
}

struct election {
    rh_actor *first;
    rh_actor *second;
};

static bool is_leader(const struct candidate *candidate)
{
    return candidate->votes >= 2;
}

static void one_leader_per_term(const void *context)
{
    const struct election *election = context;
    const struct candidate *first = rh_view_state(election->first);
    const struct candidate *second = rh_view_state(election->second);

    rh_check(!(is_leader(first) && is_leader(second) && first->term == second->term));
}

static void hold_election(bool durable)
{
    rh_actor *voter = rh_spawn(voter_behaviour, struct voter, {.durable = durable});
    rh_actor *first = rh_spawn(candidate_behaviour, struct candidate, {.voter = voter});
    rh_actor *second = rh_spawn(candidate_behaviour, struct candidate, {.voter = voter});

    rh_invariant(one_leader_per_term, struct election, {.first = first, .second = second});
    rh_after(150, first, election_timeout);
    rh_after(200, second, election_timeout);
    rh_send(voter, restart);
}

RH_TEST(forgetful_voter)
{
    hold_election(false);
}

RH_TEST(durable_voter)
{
    hold_election(true);
}
