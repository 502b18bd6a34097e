// SPDX-License-Identifier: MIT
// Stale notification: the death of an earlier life is taken for that of the present one.
//
// A node that dies is noticed by a detector, which tells the monitor; born again, the node tells
// the monitor itself. These are two ways to the monitor, so under `--delivery fifo` already the news
// of the death may come last: the monitor believes that a living node is dead. In the fixed twin
// the news carries the number of the life it is about.
//
// bug:     --test broken : final
// cause:   up from node reached monitor before down from detector
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(die);
RH_SIGNAL(be_born);
RH_MESSAGE(died, { int life; });
RH_MESSAGE(down, { int life; });
RH_MESSAGE(up, { int life; });

struct monitor {
    bool believes_alive;
    int life;          // of the latest news
    bool counts_lives; // the fix
};

static void monitor_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct monitor *monitor = state;
    const struct down *down = rh_as(message, down);
    const struct up *up = rh_as(message, up);
    (void)self;

    if (!down && !up)
        return;
    int life = down ? down->life : up->life;
    if (monitor->counts_lives && life < monitor->life)
        return;
    monitor->life = life;
    monitor->believes_alive = up;
}

struct detector {
    rh_actor *monitor;
};

static void detector_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct detector *detector = state;
    const struct died *died = rh_as(message, died);
    (void)self;

    if (died)
        rh_send(detector->monitor, down, {.life = died->life});
}

struct node {
    rh_actor *detector;
    rh_actor *monitor;
    int life;
    bool alive;
};

static void node_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct node *node = state;
    (void)self;

    if (rh_as(message, die)) {
        node->alive = false;
        rh_send(node->detector, died, {.life = node->life});
    } else if (rh_as(message, be_born)) {
        node->alive = true;
        node->life++;
        rh_send(node->monitor, up, {.life = node->life});
    }
}

// Only a dead node can be born.
static bool node_guard(const void *state, const rh_message *message)
{
    const struct node *node = state;

    return !node->alive || !rh_as(message, be_born);
}
RH_GUARD(node_behaviour, node_guard);

struct watched {
    rh_actor *monitor;
    rh_actor *node;
};

static void monitor_is_right(const void *context)
{
    const struct watched *watched = context;
    const struct monitor *monitor = rh_view_state(watched->monitor);
    const struct node *node = rh_view_state(watched->node);

    rh_check(monitor->believes_alive == node->alive);
}

static void set_up(bool counts_lives)
{
    rh_actor *monitor = rh_spawn(monitor_behaviour, struct monitor,
                                 {.believes_alive = true, .counts_lives = counts_lives});
    rh_actor *detector = rh_spawn(detector_behaviour, struct detector, {.monitor = monitor});
    rh_actor *node = rh_spawn(node_behaviour, struct node,
                              {.detector = detector, .monitor = monitor, .alive = true});

    rh_finally(monitor_is_right, struct watched, {.monitor = monitor, .node = node});
    rh_send(node, die);
    rh_send(node, be_born);
}

RH_TEST(broken)
{
    set_up(false);
}

RH_TEST(fixed)
{
    set_up(true);
}
