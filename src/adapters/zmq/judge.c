// SPDX-License-Identifier: MIT
// What is said of an execution in which nothing can happen any more, or that was cut off.
#include <string.h>

#include "adapters/zmq/director.h"

static void add_waiting(struct rh_text *text, const struct rh_zmq_thread *thread, const char *how)
{
    rh_text_add(text, text->length > 0 ? "; " : "");
    rh_world_add_name(rh__process.world, text, thread->slot);
    rh_text_addf(text, "%s in %s", how, thread->wait->call);
    if (*thread->wait->object)
        rh_text_addf(text, " on %s", thread->wait->object);
}

// In a long execution, a thread that has had no delivery among the last LATELY only waits.
enum { LATELY = 1000 };

char *rh__zmq_describe(void)
{
    struct rh_text text = {0};
    uint32_t now = rh__process.world->number;
    for (int goes_on = 1; goes_on >= 0; goes_on--)
        for (uint32_t i = 0; i < rh__zmq_engine.thread_count; i++) {
            const struct rh_zmq_thread *thread = &rh__zmq_engine.threads[i];
            bool is_late = now - thread->delivered < LATELY && now >= LATELY;
            if (thread->wait && is_late == (goes_on == 1))
                add_waiting(&text, thread, is_late ? " does not stop," : " waits");
        }
    return rh_text_take(&text);
}

bool rh__zmq_waits_for_outside(void)
{
    bool waits = false;
    for (uint32_t i = 0; i < rh__zmq_engine.thread_count; i++)
        waits |= rh__zmq_engine.threads[i].wait && rh__zmq_engine.threads[i].wait->is_outside;
    return waits;
}

// The endpoint at which a peer in another process could let the thread go on; NULL: there is none.
static const char *lacks_peer(const struct rh_zmq_thread *thread)
{
    const struct rh_zmq_wait *wait = thread->wait;
    return wait && wait->lacks_peer ? wait->lacks_peer(wait->context) : NULL;
}

static const char *find_lacking(void)
{
    const char *endpoint = NULL;
    for (uint32_t i = 0; i < rh__zmq_engine.thread_count && !endpoint; i++)
        endpoint = lacks_peer(&rh__zmq_engine.threads[i]);
    return endpoint;
}

// Whether the thread would go on if what is outside of the program let others go on: it waits for
// that itself, or for anybody, or for one thread of which the same holds. Threads that wait for
// each other in a circle use up all `steps`.
static bool may_go_on(const struct rh_zmq_thread *thread, uint32_t steps)
{
    const struct rh_zmq_wait *wait = thread->wait;
    if (!wait || steps == 0)
        return false;
    return wait->is_outside || lacks_peer(thread) || !wait->holder ||
           (*wait->holder && may_go_on(*wait->holder, steps - 1));
}

static bool may_all_go_on(void)
{
    bool may = true;
    for (uint32_t i = 0; i < rh__zmq_engine.thread_count; i++)
        if (rh__zmq_engine.threads[i].wait)
            may &= may_go_on(&rh__zmq_engine.threads[i], rh__zmq_engine.thread_count);
    return may;
}

// All threads wait: what is not under control may be late, or not there, which is no error of the
// program; otherwise nothing ever ends the waits.
static void judge_waiting(const char *who)
{
    struct rh_world *world = rh__process.world;
    const char *endpoint = find_lacking();
    if (rh__zmq_waits_for_outside() && may_all_go_on())
        rh_world_report(world, RH_FINDING_BOUND, NULL, 0,
                        "nothing has come from outside for half a second, and all threads wait: %s",
                        who);
    else if (endpoint && may_all_go_on())
        rh_world_report(world, RH_FINDING_BOUND, NULL, 0,
                        "nobody else in this program uses %s, peers in other processes are not "
                        "there, and all threads wait: %s",
                        endpoint, who);
    else
        rh_world_fail(world, RH_FINDING_DEADLOCK, NULL, 0, "%s%s",
                      *who ? "all threads wait: "
                           : "all threads have ended, and a context that is not terminated keeps "
                             "the process",
                      who);
}

void rh__zmq_judge(void)
{
    struct rh_text text = {0};
    if (rh__zmq_engine.has_left) {
        rh__zmq_sockets_judge();
        return;
    }
    for (uint32_t i = 0; i < rh__zmq_engine.thread_count; i++)
        if (rh__zmq_engine.threads[i].wait)
            add_waiting(&text, &rh__zmq_engine.threads[i], "");
    judge_waiting(rh_text_get(&text));
    rh_text_fini(&text);
}
