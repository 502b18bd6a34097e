// SPDX-License-Identifier: MIT
// What threads use without sending: who has used it in no order with whom.
#include "adapters/zmq/director.h"

void rh__zmq_tie(const struct rh_zmq_thread *one, const struct rh_zmq_thread *other)
{
    const struct rh_world_driver *driver = &rh__process.world->options.driver;
    if (one == other || !driver->touches)
        return;
    const struct rh_actor_record *actors = rh__process.world->actors;
    uint64_t object =
        rh_hash64_pair(RH_OBJECT_SHARED, actors[one->slot].identity + actors[other->slot].identity);
    driver->touches(driver->context, &(struct rh_touching){one->slot, true, true, object});
    driver->touches(driver->context, &(struct rh_touching){other->slot, true, true, object});
}

void rh__zmq_expect(const struct rh_zmq_shared *shared)
{
    *rh_vector_push(&rh__zmq_self()->expected) = shared->number;
}

void rh__zmq_expect_no_more(const struct rh_zmq_shared *shared)
{
    struct rh_zmq_thread *thread = rh__zmq_self();
    for (size_t i = thread->expected.count; i > 0; i--)
        if (thread->expected.items[i - 1] == shared->number) {
            thread->expected.items[i - 1] = thread->expected.items[--thread->expected.count];
            return;
        }
}

bool rh__zmq_is_declared(const struct rh_zmq_shared *shared)
{
    const struct rh_zmq_sent *sent = &rh__zmq_engine.parcels.items[rh__zmq_engine.delivering];
    for (uint32_t i = 0; i < sent->object_count; i++)
        if (sent->objects[i] == shared->number)
            return true;
    return false;
}

// All deliveries to the thread touch the object.
static void add_use(const struct rh_zmq_thread *thread, const struct rh_zmq_shared *shared)
{
    const struct rh_world_driver *driver = &rh__process.world->options.driver;
    if (driver->touches)
        driver->touches(driver->context,
                        &(struct rh_touching){thread->slot, true, true, shared->number});
}

void rh__zmq_note(struct rh_zmq_shared *shared)
{
    const struct rh_zmq_thread *thread = rh__zmq_acting();
    uint32_t now = thread->clock.at[thread->number];
    shared->used.at[thread->number] = now;
    if (!rh__zmq_is_declared(shared))
        shared->undeclared.at[thread->number] = now;
}

// The acting thread's use of the object and that of the other thread have no order.
static void relate(const struct rh_zmq_shared *shared, const struct rh_zmq_thread *thread,
                   const struct rh_zmq_thread *other)
{
    if (shared->number == 0) {
        rh__zmq_tie(thread, other);
        return;
    }
    if (!rh__zmq_is_declared(shared))
        add_use(thread, shared);
    if (shared->undeclared.at[other->number] > thread->clock.at[other->number])
        add_use(other, shared);
}

void rh__zmq_check(const struct rh_zmq_shared *shared)
{
    const struct rh_zmq_thread *thread = rh__zmq_acting();
    for (uint32_t i = 0; i < rh__zmq_engine.thread_count; i++)
        if (shared->used.at[i] > thread->clock.at[i])
            relate(shared, thread, &rh__zmq_engine.threads[i]);
}

bool rh__zmq_knows_all(const struct rh_zmq_shared *shared)
{
    const struct rh_zmq_thread *thread = rh__zmq_acting();
    for (uint32_t i = 0; i < rh__zmq_engine.thread_count; i++)
        if (shared->used.at[i] > thread->clock.at[i])
            return false;
    return true;
}

void rh__zmq_learn(struct rh_zmq_clock *clock, const struct rh_zmq_clock *from)
{
    for (uint32_t i = 0; i < rh__zmq_engine.thread_count; i++)
        if (clock->at[i] < from->at[i])
            clock->at[i] = from->at[i];
}

void rh__zmq_release(struct rh_zmq_shared *shared)
{
    rh__zmq_note(shared);
    rh__zmq_learn(&shared->past, &rh__zmq_acting()->past);
}

void rh__zmq_acquire(const struct rh_zmq_shared *shared)
{
    struct rh_zmq_thread *thread = rh__zmq_acting();
    rh__zmq_check(shared);
    rh__zmq_learn(&thread->past, &shared->past);
}

void rh__zmq_see_all(void)
{
    struct rh_zmq_thread *thread = rh__zmq_caller(__func__);
    for (size_t i = 0; i < thread->unapplied.count; i++) {
        const struct rh_zmq_sent *sent = &rh__zmq_engine.parcels.items[thread->unapplied.items[i]];
        rh__zmq_tie(thread, &rh__zmq_engine.threads[sent->sender]);
        rh__zmq_learn(&thread->past, &sent->past);
    }
}

void rh__zmq_touch(struct rh_zmq_shared *shared)
{
    rh__zmq_acquire(shared);
    rh__zmq_release(shared);
}
