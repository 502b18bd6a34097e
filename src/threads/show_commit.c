// SPDX-License-Identifier: MIT
#include "threads/show_commit.h"

#include "threads/commit.h"
#include "threads/run.h"

void rh_threads_pad(struct rh_text *text, size_t start, size_t column)
{
    do
        rh_text_add(text, " ");
    while (text->length - start < column);
}

const char *rh_threads_component_name(void)
{
    const struct rh__component_entry *entry = rh_threads_component();
    return entry ? entry->name : "component";
}

// What an operation that has committed, or only observes, should have given.
static void add_right(const struct rh_operation *operations,
                      const struct rh_commit_verdict *verdict, struct rh_text *text)
{
    struct rh_operation operation = operations[verdict->operation];
    int count = verdict->wrong == RH_WRONG_SEEN ? verdict->seen_count : 1;
    for (int i = 0; i < count; i++) {
        operation.result =
            verdict->wrong == RH_WRONG_SEEN ? verdict->seen[i] : verdict->answer.result;
        rh_text_add(text, i ? i + 1 < count ? ", " : " or " : "");
        rh__result_print(&operation, text);
    }
}

void rh_threads_show_wrong(const struct rh_operation *operations,
                           const struct rh_commit_verdict *verdict, struct rh_text *text)
{
    const struct rh_operation *operation = &operations[verdict->operation];
    switch (verdict->wrong) {
    case RH_WRONG_RESULT:
        rh__operation_print(operation, text);
        rh_text_add(text, ", but alone, in the order of commits, it gives ");
        add_right(operations, verdict, text);
        break;
    case RH_WRONG_SEEN:
        rh__operation_print(operation, text);
        rh_text_add(text, ", but at no time between its call and its return was that right: alone "
                          "it gives ");
        add_right(operations, verdict, text);
        break;
    case RH_WRONG_VIEW:
        rh_text_add(text, "when ");
        rh__call_print(operation, text);
        rh_text_addf(text,
                     " commits, the %s is not what whole operations in the order of commits "
                     "make of it",
                     rh_threads_component_name());
        break;
    case RH_WRONG_AT_REST:
        rh_text_add(text, "after ");
        rh__operation_print(operation, text);
        rh_text_addf(text,
                     ", when no operation is open, the %s is not what whole operations in "
                     "the order of commits make of it",
                     rh_threads_component_name());
        break;
    case RH_WRONG_OBSERVER:
        rh__operation_print(operation, text);
        rh_text_addf(text, " says that it only observes, but alone it changes the %s",
                     rh_threads_component_name());
        break;
    case RH_WRONG_INTERNAL:
        rh__call_print(operation, text);
        rh_text_addf(text, " says that it is internal, but alone it changes the %s",
                     rh_threads_component_name());
        break;
    default:
        rh__call_print(operation, text);
        rh_text_addf(text, " %s when it runs alone, in the order of commits",
                     verdict->answer.kind == RH_ANSWER_BLOCKED ? "waits for ever" : "fails");
    }
}

void rh_threads_show_sides(const struct rh_view *view, const struct rh_view *right,
                           bool has_difference, struct rh_text *text)
{
    size_t start = text->length;
    rh_text_add(text, "                   implementation");
    rh_threads_pad(text, start, RH_TEXT_COLUMN);
    rh_text_add(text, " specification\n");
    start = text->length;
    rh_text_add(text, "       view        ");
    rh__view_print(view, text);
    rh_threads_pad(text, start, RH_TEXT_COLUMN);
    rh_text_add(text, " ");
    rh__view_print(right, text);
    rh_text_add(text, "\n");
    if (!has_difference)
        return;
    rh_text_add(text, "       difference  ");
    rh__view_print_difference(view, right, text);
    rh_text_add(text, "\n");
}
