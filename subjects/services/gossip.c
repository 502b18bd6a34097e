// SPDX-License-Identifier: MIT
// Membership by gossip with suspicion, after SWIM (A. Das, I. Gupta and A. Motivala, "SWIM: Scalable
// weakly-consistent infection-style process group membership protocol", 2002).
//
// In each period a member pings another one. If no answer comes in time it asks a third one to ping it, and if that
// brings nothing either, it suspects the member and tells all. A suspicion that lasts for a while becomes a burial. A
// member that hears that it is suspected raises its incarnation, a number that only it raises, and tells all that it
// is alive in that one: news of an older incarnation is over then. What is here sent to all at once travels on pings
// and answers in the original.
//
// What goes wrong: a suspicion is believed without a look at its incarnation. One that was on a slow way reaches a
// member that has heard the refutation already, and nobody will refute it again, since who is meant has done so; the
// member is buried for something that was refuted. In the fixed twin a suspicion counts only if its incarnation is
// not older than what is known.
//
// bug:     --test broken : invariant
// cause:   alive from member reached member before suspect from member
// twin:    --test fixed --thorough
#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { MEMBERS = 3, PERIOD_MS = 1000, ANSWER_MS = 200, INDIRECT_MS = 400, SUSPICION_MS = 3000 };

RH_SIGNAL(period);
RH_MESSAGE(ping, {
    int sequence;
    rh_actor *answer_to;
});
RH_MESSAGE(ping_for_me, {
    int sequence;
    int target;
});
RH_MESSAGE(answer, { int sequence; });
RH_MESSAGE(no_answer, { int sequence; });
RH_MESSAGE(unreachable, { int sequence; });

// News of members.
RH_MESSAGE(suspect, {
    int about;
    int incarnation;
});
RH_MESSAGE(alive, {
    int about;
    int incarnation;
});
RH_MESSAGE(buried, {
    int about;
    int incarnation;
});
RH_MESSAGE(suspicion_over, {
    int about;
    int incarnation;
});

enum status { ALIVE, SUSPECTED, BURIED };

struct known {
    enum status status;
    int incarnation;
    int refuted; // the highest incarnation that this member was told to be alive in
};

struct member {
    rh_actor *members[MEMBERS];
    struct known known[MEMBERS];
    int number;
    bool compares; // the fix
    int incarnation;
    int periods; // still to come
    int sequence;
    int target;
    bool is_answered;
};

static rh_actor *address(const struct member *member, int number)
{
    return member->members[number];
}

// The next after this one that can be asked, other than itself.
static int next_member(const struct member *member, int number)
{
    do
        number = (number + 1) % MEMBERS;
    while (number == member->number);
    return number;
}

static void tell_suspicion(const struct member *member, int about, int incarnation)
{
    for (int i = 0; i < MEMBERS; i++)
        if (i != member->number)
            rh_send(address(member, i), suspect, {.about = about, .incarnation = incarnation});
}

static void tell_life(const struct member *member)
{
    for (int i = 0; i < MEMBERS; i++)
        if (i != member->number)
            rh_send(address(member, i), alive,
                    {.about = member->number, .incarnation = member->incarnation});
}

static void tell_burial(const struct member *member, int about, int incarnation)
{
    for (int i = 0; i < MEMBERS; i++)
        if (i != member->number)
            rh_send(address(member, i), buried, {.about = about, .incarnation = incarnation});
}

static void begin_period(struct member *member)
{
    if (member->periods == 0)
        return;
    member->periods--;
    member->sequence++;
    member->is_answered = false;
    member->target = next_member(member, member->target);
    rh_send(address(member, member->target), ping,
            {.sequence = member->sequence, .answer_to = rh_self()});
    rh_after(ANSWER_MS, rh_self(), no_answer, {.sequence = member->sequence});
    if (member->periods > 0)
        rh_after(PERIOD_MS, rh_self(), period);
}

static void ask_another(const struct member *member)
{
    int third = next_member(member, member->target);
    if (third != member->target)
        rh_send(address(member, third), ping_for_me,
                {.sequence = member->sequence, .target = member->target});
    rh_after(INDIRECT_MS, rh_self(), unreachable, {.sequence = member->sequence});
}

static void believe_suspicion(struct member *member, int about, int incarnation)
{
    member->known[about].status = SUSPECTED;
    member->known[about].incarnation = incarnation;
    rh_after(SUSPICION_MS, rh_self(), suspicion_over, {.about = about, .incarnation = incarnation});
}

static void give_up_waiting(struct member *member)
{
    struct known *known = &member->known[member->target];
    if (known->status != ALIVE)
        return;
    believe_suspicion(member, member->target, known->incarnation);
    tell_suspicion(member, member->target, known->incarnation);
}

static void handle_suspect(struct member *member, const struct suspect *suspect)
{
    struct known *known = &member->known[suspect->about];
    if (suspect->about == member->number) {
        if (suspect->incarnation < member->incarnation)
            return;
        member->incarnation = suspect->incarnation + 1;
        tell_life(member);
        return;
    }
    if (member->compares && suspect->incarnation < known->incarnation)
        return;
    if (known->status == ALIVE)
        believe_suspicion(member, suspect->about, suspect->incarnation);
}

static void handle_alive(struct member *member, const struct alive *alive)
{
    struct known *known = &member->known[alive->about];
    if (known->status == BURIED)
        return;
    if (alive->incarnation > known->refuted)
        known->refuted = alive->incarnation;
    if (alive->incarnation <= known->incarnation)
        return;
    known->status = ALIVE;
    known->incarnation = alive->incarnation;
}

static void handle_suspicion_over(struct member *member, const struct suspicion_over *over)
{
    struct known *known = &member->known[over->about];
    if (known->status != SUSPECTED || known->incarnation != over->incarnation)
        return;
    known->status = BURIED;
    tell_burial(member, over->about, over->incarnation);
}

static void handle_buried(struct member *member, const struct buried *buried)
{
    struct known *known = &member->known[buried->about];
    if (buried->about == member->number || buried->incarnation < known->incarnation)
        return;
    known->status = BURIED;
    known->incarnation = buried->incarnation;
}

static bool handle_news(struct member *member, const rh_message *message)
{
    const struct suspect *suspect;
    const struct alive *alive;
    const struct buried *buried;
    const struct suspicion_over *over;

    if ((suspect = rh_as(message, suspect)))
        handle_suspect(member, suspect);
    else if ((alive = rh_as(message, alive)))
        handle_alive(member, alive);
    else if ((over = rh_as(message, suspicion_over)))
        handle_suspicion_over(member, over);
    else if ((buried = rh_as(message, buried)))
        handle_buried(member, buried);
    return suspect || alive || over || buried;
}

static void member_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct member *member = state;
    const struct ping *ping;
    const struct ping_for_me *for_another;
    const struct answer *answer;
    const struct no_answer *none;
    const struct unreachable *unreachable;
    (void)self;

    if (rh_as(message, period)) {
        begin_period(member);
    } else if ((ping = rh_as(message, ping))) {
        rh_send(ping->answer_to, answer, {.sequence = ping->sequence});
    } else if ((for_another = rh_as(message, ping_for_me))) {
        rh_send(address(member, for_another->target), ping,
                {.sequence = for_another->sequence, .answer_to = rh_sender(message)});
    } else if ((answer = rh_as(message, answer))) {
        if (answer->sequence == member->sequence)
            member->is_answered = true;
    } else if ((none = rh_as(message, no_answer))) {
        if (none->sequence == member->sequence && !member->is_answered)
            ask_another(member);
    } else if ((unreachable = rh_as(message, unreachable))) {
        if (unreachable->sequence == member->sequence && !member->is_answered)
            give_up_waiting(member);
    } else {
        handle_news(member, message);
    }
}

struct watched {
    rh_actor *members[MEMBERS];
};

static void nobody_is_buried_for_what_was_refuted(const void *context)
{
    const struct watched *watched = context;

    for (int i = 0; i < MEMBERS; i++) {
        const struct member *member = rh_view_state(watched->members[i]);
        for (int about = 0; member && about < MEMBERS; about++) {
            const struct known *known = &member->known[about];
            rh_check(known->status != BURIED || known->incarnation >= known->refuted);
        }
    }
}

static void set_up(bool compares)
{
    struct watched watched;

    for (int i = 0; i < MEMBERS; i++)
        watched.members[i] = rh_reserve(member_behaviour);
    for (int i = 0; i < MEMBERS; i++) {
        struct member member = {.number = i,
                                .compares = compares,
                                .periods = i == 0 ? rh_parameter(int, periods, 1) : 0,
                                .target = i};
        for (int k = 0; k < MEMBERS; k++)
            member.members[k] = watched.members[k];
        rh_spawn_at_sized(watched.members[i], &member, sizeof member);
    }
    for (int i = 0; i < MEMBERS; i++)
        rh_send(watched.members[i], period);
    rh_invariant(nobody_is_buried_for_what_was_refuted, struct watched,
                 {.members = {watched.members[0], watched.members[1], watched.members[2]}});
}

RH_TEST(broken)
{
    set_up(false);
}

RH_TEST(fixed)
{
    set_up(true);
}
