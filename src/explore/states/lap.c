// SPDX-License-Identifier: MIT
#include "explore/states/lap.h"

#include "world/state/canonical.h"

static rh_hash128 form_of(struct rh_world *world, unsigned looks)
{
    struct rh_form_bytes form = rh_world_form(world, RH_FORM_ACTORS, looks);
    return rh_hash128_of(form.bytes, form.size, 0);
}

void rh_lap_begin(struct rh_lap *lap, struct rh_world *world, uint32_t count)
{
    lap->on = true;
    lap->start = world->number;
    lap->fingerprint = world->fingerprint;
    lap->looks = 0;
    lap->progress = false;
    for (unsigned looks = 0; looks < RH_LAP_LOOKS; looks++)
        lap->forms[looks] = form_of(world, looks);
    lap->waiting.count = 0;
    for (uint32_t i = 0; i < count; i++)
        *rh_vector_push(&lap->waiting) = world->deliverable[i];
    rh_trace_lap(world);
}

static bool is_deliverable(const struct rh_world *world, uint32_t count, uint32_t message)
{
    for (uint32_t i = 0; i < count; i++)
        if (world->deliverable[i] == message)
            return true;
    return false;
}

void rh_lap_note(struct rh_lap *lap, const struct rh_world *world, uint32_t count)
{
    size_t kept = 0;
    lap->progress |= world->progressed;
    for (size_t i = 0; i < lap->waiting.count; i++)
        if (is_deliverable(world, count, lap->waiting.items[i]))
            lap->waiting.items[kept++] = lap->waiting.items[i];
    lap->waiting.count = kept;
}

enum rh_lap_end rh_lap_finish(struct rh_lap *lap, struct rh_world *world)
{
    lap->on = false;
    if (lap->progress || world->number == lap->start)
        return RH_LAP_NONE;
    if (world->fingerprint == lap->fingerprint)
        return RH_LAP_SAME;
    if (lap->looks >= RH_LAP_LOOKS)
        return RH_LAP_NONE;
    return form_of(world, lap->looks) == lap->forms[lap->looks] ? RH_LAP_RENAMED : RH_LAP_NONE;
}

struct rh_lap_claim rh_lap_claim(const struct rh_lap *lap, const struct rh_world *world,
                                 enum rh_lap_end end)
{
    return (struct rh_lap_claim){.start = lap->start,
                                 .length = world->number - lap->start,
                                 .renamed = end == RH_LAP_RENAMED,
                                 .never = lap->waiting.count > 0 ? lap->waiting.items[0] : RH_NONE};
}

void rh_lap_report(const struct rh_lap_claim *claim, struct rh_world *world)
{
    struct rh_text never = {0};
    if (claim->never != RH_NONE) {
        const struct rh_message *message = &world->messages[claim->never];
        rh_text_addf(&never, ", if %s to ", message->type->name);
        rh_world_add_name(world, &never, message->receiver);
        rh_text_add(&never, " is never delivered");
    }
    rh_world_report(world, RH_FINDING_LIVELOCK, NULL, 0,
                    "the program %s round for ever: the state before delivery %u comes back%s "
                    "after every %u deliver%s%s",
                    claim->never == RH_NONE ? "goes" : "can go", claim->start + 1,
                    claim->renamed ? ", but for names and times," : "", claim->length,
                    claim->length == 1 ? "y" : "ies", rh_text_get(&never));
    rh_text_fini(&never);
}
