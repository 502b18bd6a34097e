// SPDX-License-Identifier: MIT
// Santa Claus, after a sample program of Bita.
//
// Reindeer and elves come to a secretary, who collects groups of them. When all reindeer are there
// the secretary lets Santa know that they wait, so that he takes no more elves, and then sends them
// to him; elves are sent to him in groups of three. He goes out with one group at a time, and is
// back when all of it have left him. Reindeer come to the secretary again, elves once.
//
// While he is out, or reindeer wait, Santa does not hear of groups that are sent to him, which then
// wait for ever, under any order rule. In the fixed twin a guard makes their message wait.
//
// bug:     --test buggy : final
// cause:   visit from secretary reached santa before leave from member
#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { MOST_OF_GROUP = 9, MOST_MEMBERS = 39 };

enum kind { REINDEER, ELVES, KINDS };

struct group {
    int count;
    rh_actor *member[MOST_OF_GROUP];
};

RH_SIGNAL(work);
RH_MESSAGE(come, { enum kind kind; });
RH_SIGNAL(reindeer_wait);
RH_SIGNAL(noted);
RH_MESSAGE(visit, {
    enum kind kind;
    struct group group;
});
RH_SIGNAL(go);
RH_SIGNAL(leave);

// Set by the test's body, and only read afterwards.
static struct {
    bool patient; // the fix
    int size[KINDS];
    int rounds[KINDS]; // how often each of them comes
    rh_actor *santa;
    rh_actor *secretary;
} north_pole;

struct santa {
    int reindeer_waiting; // groups
    int out_with;         // members who have not left yet
};

static bool has_time_for(const struct santa *santa, enum kind kind)
{
    return santa->out_with == 0 && (kind == REINDEER || santa->reindeer_waiting == 0);
}

static void take_out(struct santa *santa, const struct visit *visit)
{
    if (visit->kind == REINDEER)
        santa->reindeer_waiting--;
    santa->out_with = visit->group.count;
    for (int i = 0; i < visit->group.count; i++)
        rh_send(visit->group.member[i], go);
}

static void santa_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct santa *santa = state;
    const struct visit *visit;
    (void)self;

    if ((visit = rh_as(message, visit))) {
        if (has_time_for(santa, visit->kind))
            take_out(santa, visit);
    } else if (rh_as(message, reindeer_wait)) {
        santa->reindeer_waiting++;
        rh_reply(message, noted);
    } else if (rh_as(message, leave)) {
        santa->out_with--;
    }
}

static bool santa_guard(const void *state, const rh_message *message)
{
    const struct visit *visit = rh_as(message, visit);

    return !north_pole.patient || !visit || has_time_for(state, visit->kind);
}
RH_GUARD(santa_behaviour, santa_guard);

struct secretary {
    struct group group[KINDS];
};

static void secretary_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct secretary *secretary = state;
    const struct come *come = rh_as(message, come);
    (void)self;

    if (!come)
        return;
    struct group *group = &secretary->group[come->kind];
    group->member[group->count++] = rh_sender(message);
    if (group->count < north_pole.size[come->kind])
        return;
    if (come->kind == REINDEER)
        rh_ask(north_pole.santa, reindeer_wait);
    rh_send(north_pole.santa, visit, {.kind = come->kind, .group = *group});
    *group = (struct group){.count = 0};
}

struct member {
    enum kind kind;
    int visits;
};

static void member_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct member *member = state;
    (void)self;

    if (rh_as(message, go)) {
        member->visits++;
        rh_send(north_pole.santa, leave);
    } else if (!rh_as(message, work)) {
        return;
    }
    if (member->visits < north_pole.rounds[member->kind])
        rh_send(north_pole.secretary, come, {.kind = member->kind});
}

struct all_members {
    int count;
    rh_actor *member[MOST_MEMBERS];
};

struct watched {
    struct all_members all;
};

static void all_have_seen_santa(const void *context)
{
    const struct watched *watched = context;

    for (int i = 0; i < watched->all.count; i++) {
        const struct member *member = rh_view_state(watched->all.member[i]);
        rh_check(member->visits == north_pole.rounds[member->kind]);
    }
}

static void add_members(struct all_members *all, enum kind kind, int count)
{
    for (int i = 0; i < count; i++) {
        rh_actor *member = rh_spawn(member_behaviour, struct member, {.kind = kind});
        rh_send(member, work);
        all->member[all->count++] = member;
    }
}

static void have_winter(int reindeer, int elves)
{
    struct all_members all = {.count = 0};

    north_pole.santa = rh_spawn(santa_behaviour, struct santa, {.out_with = 0});
    north_pole.secretary = rh_spawn(secretary_behaviour, struct secretary, {.group = {{0}}});
    add_members(&all, REINDEER, reindeer);
    add_members(&all, ELVES, elves);
    rh_finally(all_have_seen_santa, struct watched, {.all = all});
}

// Two reindeer, and one elf, who is a group.
static void run_small(bool patient)
{
    north_pole.patient = patient;
    north_pole.size[REINDEER] = 2;
    north_pole.size[ELVES] = 1;
    north_pole.rounds[REINDEER] = 1;
    north_pole.rounds[ELVES] = 1;
    have_winter(2, 1);
}

// Elves come once each: of those who come again the last could be too few for a group.
static void run_full(bool patient)
{
    north_pole.patient = patient;
    north_pole.size[REINDEER] = 9;
    north_pole.size[ELVES] = 3;
    north_pole.rounds[REINDEER] = 4;
    north_pole.rounds[ELVES] = 1;
    have_winter(9, 30);
}

RH_TEST(buggy)
{
    run_small(false);
}

RH_TEST(fixed)
{
    run_small(true);
}

RH_TEST(buggy_full)
{
    run_full(false);
}

RH_TEST(fixed_full)
{
    run_full(true);
}
