// SPDX-License-Identifier: MIT
// Which behaviours an unknown address in a state or a message may have: those of the actors that
// the program's tests ever put there, by the flow graph's analysis (flow/kept.h).
#include <stdlib.h>
#include <string.h>

#include "flow/kept.h"
#include "symbolic/internal.h"

struct rh_generate_kept {
    RH_VECTOR(struct rh_flow_kept) items;
};

// Asks about each address of an actor in a struct.
static void ask(struct rh_generate_kept *kept, struct rh__sym *sym, uint32_t behaviour,
                const char *type, const char *record, uint64_t size)
{
    struct rh__sym_leaves leaves = rh__sym_leaves_of(sym, record, size);
    for (uint32_t i = 0; i < leaves.count; i++)
        if (rh__sym_is_actor(leaves.items[i].field))
            *rh_vector_push(&kept->items) = (struct rh_flow_kept){
                .behaviour = behaviour, .type = type, .offset = leaves.items[i].offset};
}

static void ask_all(struct rh_generate_kept *kept, struct rh__sym *sym)
{
    for (size_t i = 0; i < sym->behaviours.count; i++) {
        const struct rh__sym_behaviour *it = &sym->behaviours.items[i];
        if (it->state_size)
            ask(kept, sym, it->function, NULL, it->record, it->state_size);
    }
    for (size_t i = 0; i < sym->types.count; i++) {
        const char *name = sym->types.items[i].name;
        ask(kept, sym, RH_NONE, name, name, sym->types.items[i].size);
    }
}

struct rh_status rh_generate_kept_find(const struct rh_ir_module *module,
                                       struct rh_generate_kept **kept)
{
    struct rh_generate_options options = {0};
    struct rh_generate_result result;
    struct rh__sym sym;
    *kept = NULL;
    struct rh_status status = rh__sym_init(&sym, module, &options, &result);
    if (rh_is_ok(&status)) {
        *kept = rh_alloc(sizeof **kept);
        ask_all(*kept, &sym);
        rh_flow_kept_find(module, (*kept)->items.items, (*kept)->items.count);
        for (size_t i = 0; i < (*kept)->items.count; i++) {
            // The names go with the engine; the module's stay.
            struct rh_flow_kept *each = &(*kept)->items.items[i];
            each->type = each->type ? rh_strdup(each->type) : NULL;
        }
    }
    rh__sym_fini(&sym);
    rh_generate_result_fini(&result);
    return status;
}

void rh_generate_kept_free(struct rh_generate_kept *kept)
{
    if (!kept)
        return;
    for (size_t i = 0; i < kept->items.count; i++) {
        free((char *)kept->items.items[i].type);
        rh_vector_fini(&kept->items.items[i].behaviours);
    }
    rh_vector_fini(&kept->items);
    free(kept);
}

uint32_t rh__sym_kept_find(const struct rh__sym *sym, struct rh__sym_owner owner, uint64_t offset)
{
    const struct rh_generate_kept *kept = sym->options->kept;
    bool is_state = owner.behaviour != RH_NONE;
    if (!kept || (!is_state && !owner.type))
        return RH_NONE;
    for (uint32_t i = 0; i < kept->items.count; i++) {
        const struct rh_flow_kept *each = &kept->items.items[i];
        bool is_meant = is_state ? each->behaviour == owner.behaviour
                                 : each->type && !strcmp(each->type, owner.type);
        if (is_meant && each->offset == offset)
            return each->is_anything || each->behaviours.count == 0 ? RH_NONE : i;
    }
    return RH_NONE;
}

bool rh__sym_kept_has(const struct rh__sym *sym, uint32_t kept, uint32_t behaviour)
{
    if (kept == RH_NONE || behaviour == RH_NONE)
        return true;
    const struct rh_flow_kept *it = &sym->options->kept->items.items[kept];
    for (size_t i = 0; i < it->behaviours.count; i++)
        if (it->behaviours.items[i] == behaviour)
            return true;
    return false;
}
