// SPDX-License-Identifier: MIT
// Writes coverage files. Events are numbered actor by actor, so the events of one actor have
// consecutive numbers and lists of them are short.
#include <stdlib.h>

#include "base/line.h"
#include "cover/coverage_file.h"

enum { LIST_LENGTH = 100 };

struct printing {
    struct rh_text *text;
    const struct rh_coverage *coverage;
    uint32_t *numbers; // by event: its number in the file
};

static void add_head(struct rh_text *text, const struct rh_coverage_head *head, uint64_t executions)
{
    rh_text_add(text, "program");
    for (size_t i = 0; i < head->programs.count; i++) {
        rh_text_add(text, " ");
        rh_text_add_word(text, head->programs.items[i]);
    }
    rh_text_add(text, "\ntest ");
    rh_text_add_word(text, head->test);
    rh_text_addf(text, "\norder %s\ntime %s\nenvironment %s\nexecutions %llu\n",
                 rh_order_rule_name(head->order_rule), rh_time_name(head->time),
                 rh_environment_name(head->environment), (unsigned long long)executions);
}

void rh__coverage_print_place(struct rh_text *text, const char *file, int line)
{
    if (!*file)
        return;
    struct rh_text place = {0};
    rh_text_addf(&place, "%s:%d", file, line);
    rh_text_add(text, " at ");
    rh_text_add_word(text, rh_text_get(&place));
    rh_text_fini(&place);
}

static void add_objects(struct rh_text *text, const struct rh_coverage *coverage)
{
    for (uint32_t i = 0; i < coverage->object_count; i++) {
        rh_text_add(text, "object ");
        rh_text_add_word(text, coverage->objects[i].name);
        rh_text_addf(text, " @%016llx%s\n", (unsigned long long)coverage->objects[i].number,
                     coverage->objects[i].carries ? " carries" : "");
    }
}

static void add_touched(struct rh_text *text, const struct rh_coverage *coverage,
                        const struct rh_cover_event *event)
{
    for (uint32_t i = 0; event->touched && i < event->touched->count; i++) {
        const struct rh_touch *touch = &event->touched->touches[i];
        uint32_t object = rh_coverage_find_object(coverage, touch->object.first);
        if (touch->object.first != coverage->actors[event->actor].identity)
            rh_text_addf(text, " %s %u", touch->writes ? "writes" : "reads", object);
    }
}

static void add_event(struct rh_text *text, const struct rh_coverage *coverage,
                      const struct rh_cover_event *event)
{
    rh_text_add(text, "event ");
    rh_text_add_word(text, event->type);
    rh_text_add(text, " from ");
    rh_text_add_word(text, event->sender);
    rh_text_addf(text, " @%016llx", (unsigned long long)event->identity);
    rh__coverage_print_place(text, event->file, event->line);
    rh_text_addf(text, "%s%s", event->is_synchronous ? " reply" : "",
                 event->changes ? " changes" : "");
    add_touched(text, coverage, event);
    rh_text_add(text, "\n");
}

static void add_actors(struct printing *printing)
{
    const struct rh_coverage *coverage = printing->coverage;
    uint32_t number = 0;
    for (uint32_t i = 0; i < coverage->actor_count; i++) {
        const struct rh_cover_actor *actor = &coverage->actors[i];
        rh_text_add(printing->text, "actor ");
        rh_text_add_word(printing->text, actor->name);
        rh_text_addf(printing->text, " @%016llx\n", (unsigned long long)actor->identity);
        for (uint32_t k = 0; k < actor->event_count; k++) {
            printing->numbers[actor->events[k]] = number++;
            add_event(printing->text, coverage, &coverage->events[actor->events[k]]);
        }
    }
}

// Events in the order of their numbers in the file.
struct events {
    const uint32_t *items;
    uint32_t count;
    bool is_across; // of pairs of them only those of different actors are listed
};

// The end of the range of events, from the one at `start` on, that are listed with `event`: whose
// bits are set, and whose numbers follow each other.
static uint32_t find_end(const struct printing *printing, const struct events *events,
                         enum rh_bits bits, uint32_t event, uint32_t start)
{
    const struct rh_cover_event *known = printing->coverage->events;
    uint32_t end = start;
    for (; end < events->count; end++) {
        uint32_t other = events->items[end];
        if (!rh_coverage_has(printing->coverage, bits, event, other) ||
            (events->is_across && known[event].actor == known[other].actor) ||
            printing->numbers[other] != printing->numbers[events->items[start]] + end - start)
            break;
    }
    return end;
}

// Adds the events whose bits are set in the row of `event`, consecutive ones as "3-5". A long list
// goes on in further lines.
static void add_list(struct printing *printing, const struct events *events, enum rh_bits bits,
                     uint32_t event)
{
    static const char *const names[] = {"pr", "pbr", "pcr", "free"};
    struct rh_text *text = printing->text;
    size_t length = LIST_LENGTH;
    for (uint32_t start = 0, end = 0; start < events->count; start = end + (end == start)) {
        end = find_end(printing, events, bits, event, start);
        if (end == start)
            continue;
        if (length >= LIST_LENGTH) {
            rh_text_addf(text, "%s%s %u:", text->bytes[text->length - 1] == '\n' ? "" : "\n",
                         names[bits], printing->numbers[event]);
            length = 0;
        }
        size_t before = text->length;
        uint32_t first = printing->numbers[events->items[start]];
        rh_text_addf(text, end - start > 1 ? " %u-%u" : " %u", first, first + end - start - 1);
        length += text->length - before;
    }
    if (text->bytes[text->length - 1] != '\n')
        rh_text_add(text, "\n");
}

static void add_lists_of(struct printing *printing, const struct events *events, enum rh_bits bits)
{
    for (uint32_t i = 0; i < events->count; i++)
        add_list(printing, events, bits, events->items[i]);
}

// Gives the events that touch more than their actor. The caller frees them.
static struct events list_across(const struct rh_coverage *coverage)
{
    uint32_t count = 0;
    uint32_t *items = rh_alloc(sizeof *items * (coverage->across->event_count + (size_t)1));
    for (uint32_t i = 0; i < coverage->actor_count; i++)
        for (uint32_t k = 0; k < coverage->actors[i].event_count; k++)
            if (coverage->events[coverage->actors[i].events[k]].shared != RH_NONE)
                items[count++] = coverage->actors[i].events[k];
    return (struct events){items, count, true};
}

static void add_lists(struct printing *printing)
{
    const struct rh_coverage *coverage = printing->coverage;
    struct events across = list_across(coverage);
    for (int bits = 0; bits <= RH_BITS_FREE; bits++) {
        for (uint32_t i = 0; i < coverage->actor_count; i++)
            add_lists_of(printing,
                         &(struct events){coverage->actors[i].events,
                                          coverage->actors[i].event_count, false},
                         (enum rh_bits)bits);
        add_lists_of(printing, &across, (enum rh_bits)bits);
    }
    free((void *)across.items);
}

static void add_place(struct rh_text *text, const char *name, uint32_t place)
{
    if (place != RH_NONE)
        rh_text_addf(text, " %s %u", name, place);
}

static void add_execution(struct printing *printing, const struct rh_receives *execution)
{
    static const char *const flags[] = {" reply", " changes", " waits", " lost", " timer"};
    rh_text_add(printing->text, "run\n");
    for (uint32_t i = 0; i < execution->count; i++) {
        const struct rh_receive *receive = &execution->items[i];
        rh_text_addf(printing->text, "receive %u", printing->numbers[receive->event]);
        add_place(printing->text, "sent", receive->sent_at);
        add_place(printing->text, "also", receive->also_sent_at);
        add_place(printing->text, "created", receive->created_at);
        add_place(printing->text, "behind", receive->behind);
        add_place(printing->text, "enabled", receive->enabled_at);
        add_place(printing->text, "disabled", receive->disabled_at);
        if (receive->due > 0)
            rh_text_addf(printing->text, " due %llu", (unsigned long long)receive->due);
        for (int flag = 0; flag < 5; flag++)
            rh_text_add(printing->text, receive->flags >> flag & 1 ? flags[flag] : "");
        rh_text_add(printing->text, "\n");
    }
}

static void add_goals(struct rh_text *text, const struct rh_coverage_part *part)
{
    struct printing printing = {.text = text, .coverage = part->coverage};
    printing.numbers =
        rh_alloc(sizeof *printing.numbers * (part->coverage->event_count + (size_t)1));
    rh_text_add(text, part->coverage->has_guards ? "guards\n" : "");
    add_objects(text, part->coverage);
    add_actors(&printing);
    add_lists(&printing);
    for (uint32_t i = 0; i < part->kept_count; i++)
        add_execution(&printing, &part->kept[i]);
    free(printing.numbers);
}

void rh_coverage_print(struct rh_text *text, const struct rh_coverage_part *part)
{
    add_head(text, part->head, part->executions);
    if (part->coverage)
        add_goals(text, part);
    rh__coverage_print_traffic(text, part->traffic);
    rh__coverage_print_reached(text, part->reached);
    rh_text_add(text, "end\n");
}
