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

static void add_event(struct rh_text *text, const struct rh_cover_event *event)
{
    rh_text_add(text, "event ");
    rh_text_add_word(text, event->type);
    rh_text_add(text, " from ");
    rh_text_add_word(text, event->sender);
    rh_text_addf(text, " @%016llx", (unsigned long long)event->identity);
    rh__coverage_print_place(text, event->file, event->line);
    rh_text_addf(text, "%s%s\n", event->is_synchronous ? " reply" : "",
                 event->changes ? " changes" : "");
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
            add_event(printing->text, &coverage->events[actor->events[k]]);
        }
    }
}

// Adds the events whose bits are set in the row of `local`, consecutive ones as "3-5". A long list
// goes on in further lines.
static void add_list(struct printing *printing, const struct rh_cover_actor *actor,
                     enum rh_bits bits, const char *name, uint32_t local)
{
    const struct rh_coverage *coverage = printing->coverage;
    struct rh_text *text = printing->text;
    uint32_t first = printing->numbers[actor->events[0]], event = actor->events[local];
    size_t length = LIST_LENGTH;
    for (uint32_t i = 0; i < actor->event_count; i++) {
        uint32_t start = i;
        while (i < actor->event_count && rh_coverage_has(coverage, bits, event, actor->events[i]))
            i++;
        if (i == start)
            continue;
        if (length >= LIST_LENGTH) {
            rh_text_addf(text, "%s%s %u:", text->bytes[text->length - 1] == '\n' ? "" : "\n", name,
                         first + local);
            length = 0;
        }
        size_t before = text->length;
        rh_text_addf(text, i - start > 1 ? " %u-%u" : " %u", first + start, first + i - 1);
        length += text->length - before;
    }
    if (text->bytes[text->length - 1] != '\n')
        rh_text_add(text, "\n");
}

static void add_lists(struct printing *printing)
{
    static const char *const names[] = {"pr", "pbr", "pcr", "free"};
    for (int bits = 0; bits <= RH_BITS_FREE; bits++)
        for (uint32_t i = 0; i < printing->coverage->actor_count; i++) {
            const struct rh_cover_actor *actor = &printing->coverage->actors[i];
            for (uint32_t local = 0; local < actor->event_count; local++)
                add_list(printing, actor, (enum rh_bits)bits, names[bits], local);
        }
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
    rh_text_add(text, "end\n");
}
