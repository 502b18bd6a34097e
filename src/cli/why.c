// SPDX-License-Identifier: MIT
#include "cli/why.h"

#include <stdlib.h>
#include <string.h>

#include "cli/output.h"
#include "cli/route.h"
#include "diagram/route.h"

// Deliveries of a route that are shown: the last ones.
enum { SHOWN_MOST = 12 };

// The question: one arrow, or two.
struct question {
    const struct rh_options *options;
    struct rh_subject subject;
    struct rh_arena arena;
    const struct rh_node *arrows[2];
    size_t count;
    struct rh_text text;
    bool is_refuted; // replaying a route did not show what it should
};

static void add_arrow(struct rh_text *text, const struct rh_node *arrow)
{
    rh_text_addf(text, "`");
    rh_node_print(text, arrow);
    rh_text_add(text, "`");
}

// --- Which arrows. ---

static struct rh_status read_arrows(struct question *question, struct rh_diagram_file *file)
{
    const char *why = question->options->why;
    const struct rh_node *node;
    struct rh_status status = rh_node_parse(file, "--why", why, strlen(why), &node);
    if (!rh_is_ok(&status))
        return status;
    bool is_pair = node->kind >= RH_NODE_SEQUENCE && node->kind <= RH_NODE_CHOICE &&
                   node->count == 2 && node->parts[0]->kind == RH_NODE_ARROW &&
                   node->parts[1]->kind == RH_NODE_ARROW;
    if (node->kind != RH_NODE_ARROW && !is_pair)
        return rh_bad_input("--why takes one arrow, 'a -> b: ping', or two with an operator "
                            "between them, 'a -> b: ping ; b -> a: pong'");
    question->count = is_pair ? 2 : 1;
    question->arrows[0] = is_pair ? node->parts[0] : node;
    question->arrows[1] = is_pair ? node->parts[1] : NULL;
    return rh_ok();
}

static struct rh_status check_party(const struct question *question, const struct rh_party *party)
{
    const struct rh_names *names = &question->subject.automaton.names;
    if (rh_names_count(names, party->class) > 0)
        return rh_ok();
    return rh_bad_input("--why: test %s has no actor %s", question->subject.test->name,
                        party->class);
}

static struct rh_status check_arrow(const struct question *question, const struct rh_node *arrow)
{
    const struct rh_names *names = &question->subject.automaton.names;
    struct rh_status status = check_party(question, &arrow->from);
    if (rh_is_ok(&status))
        status = check_party(question, &arrow->to);
    for (size_t i = 0; i < names->types.count && rh_is_ok(&status); i++)
        if (!strcmp(names->types.items[i], arrow->type))
            return status;
    return rh_is_ok(&status) ? rh_bad_input("--why: test %s has no message %s",
                                            question->subject.test->name, arrow->type)
                             : status;
}

// --- Routes. ---

static void add_route(struct question *question, const struct rh_route *route)
{
    const struct rh_automaton *automaton = &question->subject.automaton;
    size_t first = route->count > SHOWN_MOST + 1 ? route->count - SHOWN_MOST : 1;
    if (first > 1)
        rh_text_addf(&question->text, "    ... %zu deliveries\n", first - 1);
    for (size_t i = first; i < route->count; i++) {
        rh_text_addf(&question->text, "    %zu  ", i);
        rh_names_print(&automaton->names, &question->text,
                       &automaton->edges.items[route->items[i]].received);
        rh_text_add(&question->text, "\n");
    }
    if (route->count == 1)
        rh_text_add(&question->text, "    the test itself, before any delivery\n");
}

// Repeats the route under control, and looks whether the arrows show.
static struct rh_status replay(struct question *question, const struct rh_schedule *schedule,
                               const struct rh_node *const *arrows, bool *does_show)
{
    struct rh_journal *journal = rh_journal_new();
    if (!journal)
        return rh_failed("cannot reserve the address space for executions");
    struct rh_run_options run = question->options->run;
    struct rh_result result = {0};
    run.strategy = "replay";
    run.automatic = run.shrink = false;
    run.journal = journal;
    run.schedule = schedule;
    struct rh_status status = rh_run_test(&run, question->subject.test, &result);
    *does_show = rh_route_is_run(&question->subject.automaton, question->subject.bindings, arrows,
                                 question->count, journal);
    rh_result_fini(&result);
    rh_journal_free(journal);
    // A schedule that can't be followed shows nothing, which is an answer.
    if (status.code == RH_BAD_INPUT)
        status = rh_ok();
    return status;
}

static struct rh_status save(struct question *question, const struct rh_schedule *schedule,
                             int number)
{
    static const char *const extensions[] = {"why.schedule", "why-1.schedule", "why-2.schedule"};
    char *path = rh_subject_path(question->options, question->subject.test, extensions[number]);
    struct rh_status status = rh_schedule_write(schedule, path);
    rh_text_addf(&question->text, "    saved: %s\n", path);
    free(path);
    return status;
}

static struct rh_status show_route(struct question *question, const struct rh_route *route,
                                   const struct rh_node *const *arrows, int number)
{
    struct rh_schedule schedule;
    bool does_show = false;
    rh_route_schedule(&question->subject, &question->subject.automaton, route->items, route->count,
                      &schedule);
    struct rh_status status = replay(question, &schedule, arrows, &does_show);
    add_route(question, route);
    if (rh_is_ok(&status) && does_show)
        status = save(question, &schedule, number);
    if (!does_show) {
        question->is_refuted = true;
        rh_text_add(&question->text, "    replaying these does not show it: nothing is saved\n");
    }
    rh_schedule_fini(&schedule);
    return status;
}

// --- Answers. ---

static const char *tried(const struct question *question)
{
    return question->subject.is_whole ? "" : " that were tried";
}

static void add_share(struct question *question, const struct rh_node *arrow,
                      const struct rh_shows *shows)
{
    struct rh_text *text = &question->text;
    rh_text_add(text, "  ");
    if (question->count == 2) {
        add_arrow(text, arrow);
        rh_text_add(text, " ");
    }
    rh_text_addf(text, "in %zu of %zu executions%s", shows->some, shows->all, tried(question));
    if (shows->most == 1)
        rh_text_add(text, ", once each");
    else if (shows->some > 0 && shows->least == shows->most)
        rh_text_addf(text, ", %zu times each", shows->least);
    else if (shows->some > 0)
        rh_text_addf(text, ", %zu to %zu times each", shows->least, shows->most);
    if (question->count == 2 && shows->some > 0)
        rh_text_addf(text, ", in %zu together with the other", shows->with_other);
    rh_text_add(text, "\n");
}

static void add_note(struct question *question, const struct rh_node *arrow)
{
    struct rh_notes notes = {0};
    rh_notes_add(&notes, &question->arena, &question->subject.automaton, question->subject.classes,
                 question->subject.bindings, arrow);
    const struct rh_note *note = &notes.items[0];
    if (*note->where)
        rh_text_addf(&question->text, "  sent at %s %s\n", note->where, note->when);
    rh_vector_fini(&notes);
}

static struct rh_status answer_one(struct question *question, bool *is_shown)
{
    struct rh_route route = {0};
    struct rh_status status = rh_ok();
    *is_shown = rh_route_find(&question->subject.automaton, question->subject.bindings,
                              question->arrows, 1, &route);
    if (*is_shown) {
        rh_text_add(&question->text, "  for example\n");
        status = show_route(question, &route, question->arrows, 0);
    }
    rh_vector_fini(&route);
    return status;
}

// Says whether the arrow that is number `first` comes before the other in some execution.
static struct rh_status answer_order(struct question *question, size_t first, bool *is_shown)
{
    const struct rh_node *arrows[] = {question->arrows[first], question->arrows[1 - first]};
    struct rh_route route = {0};
    struct rh_status status = rh_ok();
    *is_shown =
        rh_route_find(&question->subject.automaton, question->subject.bindings, arrows, 2, &route);
    rh_text_add(&question->text, "  ");
    add_arrow(&question->text, arrows[0]);
    rh_text_add(&question->text, *is_shown ? " before " : " never before ");
    add_arrow(&question->text, arrows[1]);
    rh_text_addf(&question->text, "%s\n", *is_shown ? "" : tried(question));
    if (*is_shown)
        status = show_route(question, &route, arrows, (int)first + 1);
    rh_vector_fini(&route);
    return status;
}

static struct rh_status answer(struct question *question, bool *is_shown)
{
    struct rh_shows shows[2] = {{0}, {0}};
    bool is_other = false;
    struct rh_status status = rh_ok();
    rh_shows_count(&question->subject.automaton, question->subject.bindings, question->arrows,
                   question->count, question->subject.classes, shows);
    rh_subject_add_name(question->options, question->subject.test, &question->text);
    rh_text_addf(&question->text, ": %s\n", question->options->why);
    for (size_t i = 0; i < question->count; i++) {
        add_share(question, question->arrows[i], &shows[i]);
        add_note(question, question->arrows[i]);
    }
    if (question->count == 1)
        return answer_one(question, is_shown);
    status = answer_order(question, 0, is_shown);
    if (rh_is_ok(&status))
        status = answer_order(question, 1, &is_other);
    *is_shown |= is_other;
    return status;
}

static int ask(const struct rh_options *options, const struct rh_test *test)
{
    struct question question = {.options = options};
    struct rh_diagram_file file = {0};
    bool is_shown = false;
    struct rh_status status = rh_subject_init(&question.subject, options, test, NULL, 0);
    if (rh_is_ok(&status))
        status = read_arrows(&question, &file);
    for (size_t i = 0; i < question.count && rh_is_ok(&status); i++)
        status = check_arrow(&question, question.arrows[i]);
    if (rh_is_ok(&status))
        status = rh_subject_run_classes(&question.subject);
    if (rh_is_ok(&status))
        status = answer(&question, &is_shown);
    if (rh_is_ok(&status) && !rh_print(&question.text))
        status = rh_failed("standard output");
    bool is_known = question.subject.is_whole && !question.is_refuted;
    rh_subject_fini(&question.subject);
    rh_diagram_file_fini(&file);
    rh_arena_fini(&question.arena);
    rh_text_fini(&question.text);
    if (!rh_is_ok(&status))
        return rh_print_status(&status);
    return is_shown && !question.is_refuted ? RH_EXIT_NOTHING
           : is_known                       ? RH_EXIT_FOUND
                                            : RH_EXIT_INCONCLUSIVE;
}

int rh_why_run(const struct rh_options *options, const struct rh_test *tests, size_t count)
{
    int result = RH_EXIT_NOTHING;
    for (size_t i = 0; i < count && !*options->run.interrupted; i++)
        result = rh_exit_worse(ask(options, &tests[i]), result);
    return *options->run.interrupted ? rh_exit_worse(RH_EXIT_INCONCLUSIVE, result) : result;
}

// --- --where. ---

void rh_notes_print(const struct rh_notes *notes, struct rh_text *text)
{
    struct rh_text *arrows = rh_alloc((notes->count + 1) * sizeof *arrows);
    size_t width = 0;
    for (size_t i = 0; i < notes->count; i++) {
        rh_node_print(&arrows[i], notes->items[i].arrow);
        width = arrows[i].length > width && arrows[i].length <= 60 ? arrows[i].length : width;
    }
    for (size_t i = 0; i < notes->count; i++) {
        const struct rh_note *note = &notes->items[i];
        rh_text_addf(text, "#   %-*s  %s%s%s\n", (int)width, rh_text_get(&arrows[i]), note->where,
                     *note->where && *note->when ? " " : "", note->when);
        rh_text_fini(&arrows[i]);
    }
    free(arrows);
}
