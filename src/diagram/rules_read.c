// SPDX-License-Identifier: MIT
#include "diagram/rules_read.h"

#include <stdlib.h>
#include <string.h>

#include "base/index.h"

struct reader {
    struct rh_rules *rules;
    uint32_t view;
    const struct rh_journal *journal;
    struct rh_automaton *automaton;
    struct rh_numbers_of actors;
};

static const struct rh_named_actor *named(const struct reader *reader, uint32_t actor)
{
    return &reader->automaton->names.actors.items[actor];
}

static struct rh_label label_of(struct reader *reader, uint32_t message)
{
    return rh_automaton_label(reader->automaton, reader->journal, &reader->actors,
                              &reader->journal->messages[message]);
}

static uint32_t rule_of(struct reader *reader, const struct rh_label *label)
{
    const char *from = named(reader, label->from)->class, *to = named(reader, label->to)->class;
    const char *type = reader->automaton->names.types.items[label->type];
    for (uint32_t i = 0; i < reader->rules->items.count; i++) {
        const struct rh_rule *rule = &reader->rules->items.items[i];
        if (rule->kind == label->kind && !strcmp(rule->type, type) && !strcmp(rule->from, from) &&
            !strcmp(rule->to, to))
            return i;
    }
    *rh_vector_push(&reader->rules->items) =
        (struct rh_rule){.from = from, .to = to, .type = type, .kind = label->kind};
    return (uint32_t)reader->rules->items.count - 1;
}

static int compare_sends(const void *one, const void *other)
{
    const struct rh_deed_send *left = one, *right = other;
    return left->rule != right->rule ? (left->rule > right->rule) - (left->rule < right->rule)
                                     : (left->to > right->to) - (left->to < right->to);
}

static bool is_same_deed(const struct rh_deed *one, const struct rh_deed *other)
{
    bool is_same = one->rule == other->rule && one->view == other->view &&
                   one->from == other->from && one->to == other->to &&
                   one->sends.count == other->sends.count;
    for (size_t i = 0; i < one->sends.count && is_same; i++)
        is_same = one->sends.items[i].rule == other->sends.items[i].rule &&
                  one->sends.items[i].from == other->sends.items[i].from &&
                  one->sends.items[i].to == other->sends.items[i].to;
    return is_same;
}

// Takes the deed.
static void add_deed(struct rh_rules *rules, struct rh_deed *deed)
{
    uint64_t hash = rh_hash64_pair((uint64_t)deed->rule << 32 | (uint32_t)deed->from,
                                   (uint64_t)deed->to << 32 | deed->sends.count);
    hash = rh_hash64_pair(hash, deed->view);
    for (size_t i = 0; i < deed->sends.count; i++)
        hash = rh_hash64_pair(hash, (uint64_t)deed->sends.items[i].rule << 32 |
                                        (uint32_t)deed->sends.items[i].to);
    struct rh_probe probe = rh_table_probe(&rules->deed_table, hash);
    while (rh_probe_next(&probe))
        if (is_same_deed(&rules->deeds.items[probe.number], deed)) {
            rh_vector_fini(&deed->sends);
            return;
        }
    rh_table_add(&rules->deed_table, NULL, hash, (uint32_t)rules->deeds.count);
    *rh_vector_push(&rules->deeds) = *deed;
}

static void read_step(struct reader *reader, const struct rh_journal_step *step)
{
    struct rh_deed deed = {.rule = RH_NONE, .view = reader->view};
    if (step->received != RH_NONE) {
        struct rh_label label = label_of(reader, step->received);
        deed.rule = rule_of(reader, &label);
        deed.from = named(reader, label.from)->index;
        deed.to = named(reader, label.to)->index;
        reader->rules->items.items[deed.rule].is_received = true;
    }
    for (uint32_t i = 0; i < step->sent_count; i++) {
        struct rh_label label = label_of(reader, step->first_sent + i);
        *rh_vector_push(&deed.sends) =
            (struct rh_deed_send){.rule = rule_of(reader, &label),
                                  .from = named(reader, label.from)->index,
                                  .to = named(reader, label.to)->index};
    }
    if (deed.sends.count)
        qsort(deed.sends.items, deed.sends.count, sizeof *deed.sends.items, compare_sends);
    add_deed(reader->rules, &deed);
}

// Which messages nobody receives before the execution ends.
static void note_lost(struct reader *reader, uint32_t last)
{
    struct rh_index received = {0};
    for (uint32_t at = last; at != RH_NONE; at = reader->journal->steps[at].parent) {
        const struct rh_journal_step *step = &reader->journal->steps[at];
        for (uint32_t i = 0; i < step->sent_count; i++) {
            uint32_t message = step->first_sent + i;
            struct rh_label label = label_of(reader, message);
            if (rh_index_find(&received, reader->journal->messages[message].identity) == RH_NONE)
                reader->rules->items.items[rule_of(reader, &label)].is_lost = true;
        }
        if (step->received != RH_NONE) {
            uint64_t identity = reader->journal->messages[step->received].identity;
            if (rh_index_find(&received, identity) == RH_NONE)
                rh_index_add(&received, identity, 1);
        }
    }
    rh_index_fini(&received);
}

// Whether any execution comes to its end.
static bool read_view(struct reader *reader)
{
    const struct rh_journal *journal = reader->journal;
    bool is_end = false;
    rh_automaton_map(reader->automaton, journal, &reader->actors);
    for (uint32_t i = 0; i < journal->step_count; i++)
        read_step(reader, &journal->steps[i]);
    for (uint32_t i = 0; i < journal->step_count; i++) {
        is_end |= journal->steps[i].is_end;
        if (journal->steps[i].is_end)
            note_lost(reader, i);
    }
    rh_vector_fini(&reader->actors);
    return is_end;
}

bool rh__rules_read(struct rh_rules *rules, const struct rh_rules_view *views, size_t count)
{
    bool is_end = true;
    *rules = (struct rh_rules){.views = views, .view_count = count};
    for (uint32_t i = 0; i < count; i++) {
        struct reader reader = {.rules = rules,
                                .view = i,
                                .journal = views[i].classes,
                                .automaton = views[i].automaton};
        is_end = read_view(&reader) && is_end;
    }
    return is_end;
}

void rh__rules_fini(struct rh_rules *rules)
{
    for (size_t i = 0; i < rules->deeds.count; i++)
        rh_vector_fini(&rules->deeds.items[i].sends);
    rh_vector_fini(&rules->deeds);
    rh_vector_fini(&rules->items);
    rh_table_fini(&rules->deed_table);
}
