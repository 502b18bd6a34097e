// SPDX-License-Identifier: MIT
// A trace as a table: one line a delivery, and under it what its handler did.
#include <stdlib.h>
#include <string.h>

#include "report/execution_view.h"
#include "report/text.h"

enum {
    WIDEST_MESSAGE = 56, // a longer message pushes its place to the right
    ABRIDGE_ABOVE = 60,
    KEPT_AT_START = 20,
    KEPT_AT_END = 30,
};

// A delivery, ready for its line.
struct row {
    uint32_t number;
    size_t event;       // index in the trace
    const char *sender; // "" for a crash
    const char *receiver;
    char *message; // owned
    char *place;   // owned
};

struct table {
    struct rh_execution_view view;
    const struct rh_report_style *style;
    unsigned failing;
    unsigned lap; // number of the delivery with which the lap begins; 0: there is none
    RH_VECTOR(struct row) rows;
    int sender_width;
    int receiver_width;
    int message_width;
};

static const char *manner(const struct rh_event *send)
{
    switch (send ? send->kind : RH_EVENT_SEND) {
    case RH_EVENT_ASK:
        return " (ask)";
    case RH_EVENT_REPLY:
        return " (reply)";
    case RH_EVENT_TIMER:
        return " (timer)";
    case RH_EVENT_DUPLICATE:
        return " (duplicate)";
    default:
        return "";
    }
}

static void add_message(struct table *table, struct rh_text *text, const struct rh_event *event)
{
    rh_text_add(text, event->type);
    if ((event->payload_size || *event->text) && *event->type)
        rh_text_add(text, " ");
    rh_execution_add_payload(&table->view, text, event);
}

static void widen(int *width, size_t length, size_t most)
{
    size_t wanted = length < most ? length : most;
    if (wanted > (size_t)*width)
        *width = (int)wanted;
}

static void add_row(struct table *table, size_t event_index)
{
    const struct rh_event *event = &table->view.execution->events.items[event_index];
    const struct rh_event *send = rh_execution_sending(table->view.execution, event->identity);
    struct rh_text message = {0}, place = {0};
    add_message(table, &message, event);
    rh_text_add(&message, manner(send));
    if (send)
        rh_report_add_place(&place, rh_execution_short_file(&table->view, send->file), send->line);
    widen(&table->sender_width, strlen(event->peer), 24);
    widen(&table->receiver_width, strlen(event->actor), 24);
    widen(&table->message_width, message.length, WIDEST_MESSAGE);
    *rh_vector_push(&table->rows) = (struct row){
        .number = event->delivery,
        .event = event_index,
        .sender = event->peer,
        .receiver = event->actor,
        .message = rh_text_take(&message),
        .place = rh_text_take(&place),
    };
}

static void add_crash_row(struct table *table, size_t event_index)
{
    const struct rh_event *event = &table->view.execution->events.items[event_index];
    *rh_vector_push(&table->rows) = (struct row){
        .number = event->delivery,
        .event = event_index,
        .sender = "",
        .receiver = event->actor,
        .message = rh_strdup(event->number ? ", which begins anew" : ""),
        .place = rh_strdup(""),
    };
}

static void table_init(struct table *table, const struct rh_execution *execution,
                       const struct rh_finding *finding, const struct rh_report_style *style)
{
    *table = (struct table){.style = style};
    table->failing = finding ? finding->delivery : 0;
    rh_execution_view_init(&table->view, execution, style->debug);
    for (size_t i = 0; i < execution->events.count; i++) {
        if (execution->events.items[i].kind == RH_EVENT_DELIVER)
            add_row(table, i);
        else if (execution->events.items[i].kind == RH_EVENT_CRASH)
            add_crash_row(table, i);
        else if (execution->events.items[i].kind == RH_EVENT_LAP)
            table->lap = execution->events.items[i].delivery + 1;
    }
}

static void table_fini(struct table *table)
{
    for (size_t i = 0; i < table->rows.count; i++) {
        free(table->rows.items[i].message);
        free(table->rows.items[i].place);
    }
    rh_vector_fini(&table->rows);
    rh_execution_view_fini(&table->view);
}

// Adds what the program printed, a line of ours for each of its lines. Control characters are shown
// as escapes, since they could move the cursor of the reader's terminal.
static void add_printed(struct rh_text *text, const struct rh_event *event)
{
    const uint8_t *bytes = event->payload;
    for (size_t i = 0; i < event->payload_size;) {
        rh_text_add(text, "            prints   | ");
        for (; i < event->payload_size && bytes[i] != '\n'; i++) {
            if ((bytes[i] < ' ' && bytes[i] != '\t') || bytes[i] == 127)
                rh_text_addf(text, "\\x%02x", bytes[i]);
            else
                rh_text_add_bytes(text, &bytes[i], 1);
        }
        i++;
        rh_text_add(text, "\n");
    }
}

// Adds a line like "            sends    withdraw {amount = 70} to account#1   bank.c:41".
static void add_detail(struct table *table, struct rh_text *text, const struct rh_event *event,
                       const char *verb, const char *link)
{
    struct rh_text line = {0};
    rh_text_addf(&line, "            %-8s ", verb);
    if (event->kind == RH_EVENT_SPAWN) {
        rh_text_addf(&line, "%s%s", event->peer, event->payload_size ? " " : "");
        rh_execution_add_payload(&table->view, &line, event);
    } else {
        add_message(table, &line, event);
        if (*event->peer)
            rh_text_addf(&line, " %s %s", link, event->peer);
    }
    int width = 15 + table->sender_width + table->receiver_width + table->message_width;
    rh_text_addf(text, "%-*s", width, rh_text_get(&line));
    if (*event->file) {
        rh_text_add(text, "  ");
        rh_report_add_place(text, rh_execution_short_file(&table->view, event->file), event->line);
    }
    rh_text_add(text, "\n");
    rh_text_fini(&line);
}

static void add_state(struct table *table, struct rh_text *text, const struct rh_event *event)
{
    rh_text_addf(text, "            %-8s ", event->number ? "after" : "before");
    rh_execution_add_payload(&table->view, text, event);
    rh_text_add(text, "\n");
}

// One marked dispatch: how each kind of event reads.
static void add_event(struct table *table, struct rh_text *text, const struct rh_event *event)
{
    bool full = table->style->full;
    switch (event->kind) {
    case RH_EVENT_SEND:
        if (full)
            add_detail(table, text, event, "sends", "to");
        break;
    case RH_EVENT_ASK:
        if (full)
            add_detail(table, text, event, "asks", "of");
        break;
    case RH_EVENT_REPLY:
        if (full)
            add_detail(table, text, event, "replies", "to");
        break;
    case RH_EVENT_TIMER:
        if (full)
            add_detail(table, text, event, "sets", "for");
        break;
    case RH_EVENT_SPAWN:
        if (full)
            add_detail(table, text, event, "spawns", "");
        break;
    case RH_EVENT_BECOME:
        if (full)
            rh_text_addf(text, "            becomes  %s\n", event->type);
        break;
    case RH_EVENT_STOP:
        if (full)
            rh_text_add(text, "            stops\n");
        break;
    case RH_EVENT_CHOOSE:
        rh_text_addf(text, "            chooses  %lld%s%s\n", (long long)event->number,
                     *event->text ? "  " : "", event->text);
        break;
    case RH_EVENT_ANSWER:
        if (full)
            rh_text_addf(text, "            gets     %llu from %s\n",
                         (unsigned long long)event->number, event->type);
        break;
    case RH_EVENT_DROP:
        add_detail(table, text, event, "dropped", "to");
        break;
    case RH_EVENT_DUPLICATE:
        add_detail(table, text, event, "duplicated", "to");
        break;
    case RH_EVENT_STATE:
        add_state(table, text, event);
        break;
    case RH_EVENT_PRINT:
        add_printed(text, event);
        break;
    case RH_EVENT_FINDING:
        rh_text_addf(text, "            finding  %s\n", event->text);
        break;
    case RH_EVENT_DELIVER:
    case RH_EVENT_LAP:
    case RH_EVENT_CRASH:
        break;
    }
}

// Adds the events from `from` up to the next delivery.
static void add_events_after(struct table *table, struct rh_text *text, size_t from)
{
    const struct rh_execution *execution = table->view.execution;
    for (size_t i = from; i < execution->events.count; i++) {
        const struct rh_event *event = &execution->events.items[i];
        if (rh_event_is_step(event->kind))
            return;
        // The finding itself heads the report; a full trace shows where it came in.
        if (event->kind != RH_EVENT_FINDING || table->style->full)
            add_event(table, text, event);
    }
}

static void add_setup(struct table *table, struct rh_text *text)
{
    struct rh_text events = {0};
    add_events_after(table, &events, 0);
    if (events.length)
        rh_text_addf(text, "        setup\n%s", rh_text_get(&events));
    rh_text_fini(&events);
}

static void add_line(struct table *table, struct rh_text *text, const struct row *row)
{
    bool is_failing = table->failing && row->number == table->failing;
    bool is_marked = is_failing && table->style->color;
    struct rh_text line = {0};
    if (table->lap == row->number)
        rh_text_add(text, "         round and round from here:\n");
    rh_text_addf(&line, " %c %4u  ", is_failing ? '*' : ' ', row->number);
    if (!*row->sender)
        rh_text_addf(&line, "crash  %s", row->receiver);
    else
        rh_text_addf(&line, "%-*s -> %-*s  ", table->sender_width, row->sender,
                     table->receiver_width, row->receiver);
    if (*row->place)
        rh_text_addf(&line, "%-*s  %s", table->message_width, row->message, row->place);
    else
        rh_text_add(&line, row->message);
    rh_text_addf(text, "%s%s%s\n", is_marked ? "\033[1;31m" : "", rh_text_get(&line),
                 is_marked ? "\033[0m" : "");
    rh_text_fini(&line);
    add_events_after(table, text, row->event + 1);
}

static void add_rows(struct table *table, struct rh_text *text)
{
    size_t count = table->rows.count;
    bool is_abridged = !table->style->full && count > ABRIDGE_ABOVE;
    for (size_t i = 0; i < count; i++) {
        if (is_abridged && i == KEPT_AT_START) {
            size_t left_out = count - KEPT_AT_START - KEPT_AT_END;
            rh_text_addf(text, "         ... %zu deliveries, which replay shows ...\n", left_out);
            i += left_out;
        }
        add_line(table, text, &table->rows.items[i]);
    }
}

void rh_report_trace(struct rh_text *text, const struct rh_execution *execution,
                     const struct rh_finding *finding, const struct rh_report_style *style)
{
    struct table table;
    table_init(&table, execution, finding, style);
    add_setup(&table, text);
    add_rows(&table, text);
    if (table.view.misses_types)
        rh_text_add(text, "        (compile the program with -g to see fields instead of bytes)\n");
    if (table.view.has_untyped)
        rh_text_add(text,
                    "        (the state of rh_spawn_sized has no type: it is shown as bytes)\n");
    table_fini(&table);
}
