// SPDX-License-Identifier: MIT
#include "report/json.h"

#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "report/coverage.h"
#include "report/generated.h"
#include "report/graph.h"
#include "report/reached.h"

// Gives how many bytes at `bytes` are one well-formed UTF-8 character; 0 if none is.
static size_t utf8_length(const unsigned char *bytes, size_t count)
{
    unsigned char first = bytes[0];
    if (first < 0x80)
        return 1;
    size_t length = first >= 0xc2 && first < 0xe0   ? 2
                    : first >= 0xe0 && first < 0xf0 ? 3
                    : first >= 0xf0 && first < 0xf5 ? 4
                                                    : 0;
    if (!length || length > count)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((bytes[i] & 0xc0) != 0x80)
            return 0;
    // Overlong forms, surrogates, and what lies above U+10FFFF.
    bool is_wrong = (first == 0xe0 && bytes[1] < 0xa0) || (first == 0xed && bytes[1] > 0x9f) ||
                    (first == 0xf0 && bytes[1] < 0x90) || (first == 0xf4 && bytes[1] > 0x8f);
    return is_wrong ? 0 : length;
}

// JSON is UTF-8, but texts of a program may be any bytes. Bytes that are no character become
// U+FFFD.
static json_t *string_or_null(const char *string)
{
    if (!string)
        return json_null();
    struct rh_text clean = {0};
    const unsigned char *bytes = (const unsigned char *)string;
    for (size_t left = strlen(string); left;) {
        size_t length = utf8_length(bytes, left);
        if (length)
            rh_text_add_bytes(&clean, bytes, length);
        else
            rh_text_add(&clean, "\xef\xbf\xbd");
        bytes += length ? length : 1;
        left -= length ? length : 1;
    }
    json_t *value = json_stringn(rh_text_get(&clean), clean.length);
    rh_text_fini(&clean);
    return value;
}

static json_t *integer(uint64_t number)
{
    return json_integer((json_int_t)(number > INT64_MAX ? INT64_MAX : number));
}

// Takes `value`. Fails only when memory is out, and then nothing could be reported either.
static void set(json_t *object, const char *key, json_t *value)
{
    int error = json_object_set_new(object, key, value);
    rh_assert(!error);
}

static json_t *lap_object(const struct rh_finding *finding)
{
    json_t *object = json_object();
    set(object, "start", integer(finding->lap.start));
    set(object, "length", integer(finding->lap.length));
    set(object, "fair", json_boolean(!finding->lap.unfair));
    return object;
}

static json_t *shrunk_object(const struct rh_shown *shown)
{
    json_t *object = json_object();
    set(object, "from", integer(shown->shrunk.from));
    set(object, "executions", integer(shown->shrunk.executions));
    set(object, "done", json_boolean(shown->shrunk.is_done));
    set(object, "least", json_boolean(shown->shrunk.is_least));
    set(object, "cause", string_or_null(shown->shrunk.cause));
    return object;
}

// Of a text that is "" where there is nothing to say.
static json_t *string_unless_empty(const char *string)
{
    return string_or_null(*string ? string : NULL);
}

static json_t *finding_object(const struct rh_shown *shown)
{
    const struct rh_finding *finding = &shown->finding;
    json_t *object = json_object();
    set(object, "kind", string_or_null(rh_finding_kind_name(finding->kind)));
    set(object, "severity",
        string_or_null(finding->severity == RH_SEVERITY_ERROR ? "error" : "warning"));
    set(object, "message", string_or_null(finding->message));
    set(object, "file", string_unless_empty(finding->file));
    set(object, "line", *finding->file ? json_integer(finding->line) : json_null());
    set(object, "actor", string_unless_empty(finding->actor));
    set(object, "behaviour", string_unless_empty(finding->behaviour));
    set(object, "schedule", string_or_null(shown->schedule_path));
    set(object, "steps", integer(shown->steps));
    set(object, "count", integer(finding->count));
    if (finding->lap.length > 0)
        set(object, "lap", lap_object(finding));
    if (shown->shrunk.cause)
        set(object, "shrunk", shrunk_object(shown));
    return object;
}

// A whole number, as long as doubles can tell each whole number from the next.
static json_t *rounded(double number)
{
    return number < 1e15 ? integer((uint64_t)(number + 0.5)) : json_real(number);
}

static json_t *census_object(const struct rh_result *result)
{
    json_t *object = json_object();
    set(object, "final_states", integer(result->census.final_states));
    set(object, "final_states_digest", string_or_null(result->census.digest));
    set(object, "final_forms_digest",
        *result->census.forms_digest ? string_or_null(result->census.forms_digest) : json_null());
    set(object, "classes", integer(result->census.classes));
    set(object, "given_up", integer(result->census.given_up));
    return object;
}

static json_t *faults_object(const struct rh_faults *faults)
{
    json_t *object = json_object();
    set(object, "drop", integer(faults->drops));
    set(object, "duplicate", integer(faults->duplicates));
    set(object, "crash", integer(faults->crashes));
    set(object, "restart", json_boolean(faults->restarts));
    static const char *const names[] = {NULL, "drop_aim", "duplicate_aim", "crash_aim"};
    for (int fault = RH_FAULT_DROP; fault <= RH_FAULT_CRASH; fault++)
        if (faults->aims[fault])
            set(object, names[fault], string_or_null(faults->aims[fault]));
    return object;
}

// Goals that are no orders, if there are any.
static void set_other_goals(json_t *object, const char *name,
                            const struct rh_criterion_figures *figures)
{
    if (figures->known == 0)
        return;
    json_t *goals = json_object();
    set(goals, "covered", integer(figures->covered));
    set(goals, "known", integer(figures->known));
    set(object, name, goals);
}

static json_t *coverage_object(const struct rh_coverage_figures *figures)
{
    json_t *object = json_object();
    if (!figures->on)
        return object;
    json_t *criteria = json_array();
    for (int i = 0; i < figures->count; i++) {
        const struct rh_criterion_figures *one = &figures->criteria[i];
        json_t *criterion = json_object();
        set(criterion, "criterion", string_or_null(one->name));
        set(criterion, "covered", integer(one->covered));
        set(criterion, "known", integer(one->known));
        set(criterion, "single_pass", integer(one->single_pass));
        json_array_append_new(criteria, criterion);
    }
    set(object, "criteria", criteria);
    set_other_goals(object, "outcomes", &figures->outcomes);
    set_other_goals(object, "faults", &figures->faults);
    set(object, "sweeps", integer(figures->sweeps));
    set(object, "schedules", integer(figures->schedules));
    set(object, "single_pass_schedules", integer(figures->single_pass_schedules));
    set(object, "infeasible", integer(figures->infeasible));
    set(object, "useless", integer(figures->useless));
    set(object, "broken_off", integer(figures->broken_off));
    return object;
}

static json_t *pair_line_object(const struct rh_pair_line *line)
{
    json_t *object = json_object();
    set(object, "operation", string_or_null(line->operation));
    set(object, "file", string_or_null(line->file));
    set(object, "line", line->file ? integer((uint64_t)line->line) : json_null());
    set(object, "access", json_string(line->writes ? "write" : "read"));
    return object;
}

static json_t *pair_row_object(const struct rh_pair_row *row)
{
    json_t *object = json_object();
    set(object, "state", string_or_null(rh_pair_state_name(row->state)));
    set(object, "first", pair_line_object(&row->first));
    set(object, "second", pair_line_object(&row->second));
    set(object, "memory", string_or_null(row->variable));
    set(object, "why", string_or_null(row->why));
    set(object, "ways", integer((uint64_t)row->ways));
    set(object, "ways_open", integer((uint64_t)row->open));
    return object;
}

static json_t *location_pairs_object(const struct rh_pair_rows *rows)
{
    json_t *object = json_object(), *list = json_array();
    set(object, "open", integer(rows->counts[RH_PAIR_OPEN]));
    set(object, "covered", integer(rows->counts[RH_PAIR_COVERED]));
    set(object, "ruled_out", integer(rows->counts[RH_PAIR_RULED_OUT]));
    set(object, "executions_for_pairs", integer(rows->followed));
    set(object, "last_covered_in", integer(rows->last_news));
    for (size_t i = 0; i < rows->rows.count; i++)
        json_array_append_new(list, pair_row_object(&rows->rows.items[i]));
    set(object, "list", list);
    return object;
}

static json_t *parts_of(const struct rh_parts *parts)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < parts->count; i++) {
        json_t *part = json_object();
        set(part, "part", string_or_null(parts->items[i].name));
        set(part, "executions", integer(parts->items[i].executions));
        set(part, "deliveries", integer(parts->items[i].deliveries));
        json_array_append_new(array, part);
    }
    return array;
}

static json_t *result_object(const struct rh_result *result, bool times)
{
    json_t *object = json_object();
    set(object, "program", string_or_null(result->program));
    set(object, "test", string_or_null(result->test));
    set(object, "verb", string_or_null(result->verb));
    set(object, "strategy", string_or_null(result->strategy));
    set(object, "reduction", string_or_null(result->reduction));
    set(object, "delivery", string_or_null(rh_order_rule_name(result->delivery)));
    set(object, "environment", string_or_null(rh_environment_name(result->environment)));
    if (rh_faults_any(&result->faults))
        set(object, "faults", faults_object(&result->faults));
    set(object, "seed", integer(result->seed));
    set(object, "complete", json_boolean(result->complete));
    set(object, "stopped_by", string_or_null(rh_stop_name(result->stopped_by)));
    if (result->parts.count > 1)
        set(object, "parts", parts_of(&result->parts));
    set(object, "executions", integer(result->executions));
    set(object, "deliveries", integer(result->deliveries));
    if (result->earlier.deliveries > 0) {
        set(object, "earlier_executions", integer(result->earlier.executions));
        set(object, "earlier_deliveries", integer(result->earlier.deliveries));
    }
    if (result->expected_executions > 0)
        set(object, "expected_executions", rounded(result->expected_executions));
    set(object, "states", integer(result->states));
    if (result->census.on)
        set(object, "census", census_object(result));
    if (times)
        set(object, "seconds", json_real(round(result->seconds * 1e3) / 1e3));
    json_t *findings = json_array();
    for (size_t i = 0; i < result->findings.count; i++)
        json_array_append_new(findings, finding_object(&result->findings.items[i]));
    set(object, "findings", findings);
    set(object, "coverage", coverage_object(&result->coverage));
    if (result->refusal)
        set(object, "refusal", string_or_null(result->refusal));
    json_t *notes = json_array();
    for (size_t i = 0; i < result->notes.count; i++)
        json_array_append_new(notes, string_or_null(result->notes.items[i]));
    set(object, "notes", notes);
    if (result->pairs)
        set(object, "pairs", location_pairs_object(result->pairs));
    return object;
}

// Takes `object`.
static void add_object(struct rh_text *text, json_t *object)
{
    char *printed = json_dumps(object, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
    rh_assert(printed);
    rh_text_addf(text, "%s\n", printed);
    free(printed);
    json_decref(object);
}

void rh_report_json_string(struct rh_text *text, const char *string)
{
    json_t *value = string_or_null(string);
    char *printed = json_dumps(value, JSON_ENCODE_ANY);
    rh_assert(printed);
    rh_text_add(text, printed);
    free(printed);
    json_decref(value);
}

void rh_report_json(struct rh_text *text, const struct rh_report_run *run, bool is_flat, bool times)
{
    rh_assert(run->count > 0);
    if (is_flat) {
        add_object(text, result_object(&run->results[0], times));
        return;
    }
    json_t *object = json_object();
    json_t *tests = json_array();
    json_t *not_run = json_array();
    set(object, "program", string_or_null(run->results[0].program));
    set(object, "verb", string_or_null(run->results[0].verb));
    for (size_t i = 0; i < run->count; i++)
        json_array_append_new(tests, result_object(&run->results[i], times));
    set(object, "tests", tests);
    for (size_t i = 0; i < run->not_run_count; i++)
        json_array_append_new(not_run, string_or_null(run->not_run[i].name));
    set(object, "not_run", not_run);
    add_object(text, object);
}

void rh_report_json_list(struct rh_text *text, const char *program, const struct rh_test *tests,
                         size_t count)
{
    json_t *object = json_object();
    json_t *list = json_array();
    set(object, "program", string_or_null(program));
    set(object, "verb", string_or_null("list"));
    for (size_t i = 0; i < count; i++) {
        json_t *test = json_object();
        set(test, "test", string_or_null(tests[i].name));
        set(test, "file", string_or_null(tests[i].file));
        set(test, "line", json_integer(tests[i].line));
        json_array_append_new(list, test);
    }
    set(object, "tests", list);
    add_object(text, object);
}

static json_t *criteria_object(const struct rh_criterion_figures *criteria)
{
    json_t *object = json_object();
    for (int i = 0; i < RH_CRITERIA_MOST; i++) {
        json_t *criterion = json_object();
        set(criterion, "covered", integer(criteria[i].covered));
        set(criterion, "known", integer(criteria[i].known));
        set(object, criteria[i].name, criterion);
    }
    return object;
}

static json_t *pair_object(const struct rh_pair_review *pair, enum rh_pair_kind kind)
{
    json_t *object = json_object();
    set(object, "first", string_or_null(pair->first));
    set(object, "second", string_or_null(pair->second));
    if (kind == RH_PAIR_MISSING)
        set(object, "schedule", string_or_null(pair->schedule_path));
    else
        set(object, "reason", string_or_null(pair->reason));
    return object;
}

static json_t *actor_object(const struct rh_actor_review *actor)
{
    static const char *const counts[] = {"pairs_in_one_order", "pairs_impossible", "pairs_unknown"};
    static const char *const lists[] = {"in_one_order", "impossible", "unknown"};
    json_t *object = json_object();
    set(object, actor->is_object ? "object" : "actor", string_or_null(actor->name));
    set(object, "criteria", criteria_object(actor->criteria));
    set(object, "pairs_in_both_orders", integer(actor->both));
    for (int kind = 0; kind < RH_PAIR_KINDS; kind++)
        set(object, counts[kind], integer(actor->pairs[kind].count));
    for (int kind = 0; kind < RH_PAIR_KINDS; kind++) {
        const struct rh_pair_list *list = &actor->pairs[kind];
        json_t *array = json_array();
        for (size_t i = 0; i < list->listed.count; i++)
            json_array_append_new(array,
                                  pair_object(&list->listed.items[i], (enum rh_pair_kind)kind));
        set(object, lists[kind], array);
    }
    return object;
}

static json_t *test_object(const struct rh_test_review *test)
{
    json_t *object = json_object(), *actors = json_array();
    set(object, "program", string_or_null(test->program));
    set(object, "test", string_or_null(test->test));
    set(object, "executions", integer(test->executions));
    set(object, "criteria", criteria_object(test->criteria));
    for (size_t i = 0; i < test->actors.count; i++)
        json_array_append_new(actors, actor_object(&test->actors.items[i]));
    set(object, "actors", actors);
    return object;
}

static json_t *way_object(const struct rh_covered_way *way)
{
    json_t *object = json_object();
    set(object, "to", way->to > 0 ? integer(way->to) : json_null());
    set(object, "taken", json_boolean(way->is_taken));
    return object;
}

static json_t *branch_object(const struct rh_covered_branch *branch)
{
    json_t *object = json_object(), *ways = json_array();
    set(object, "line", integer(branch->line));
    for (size_t i = 0; i < branch->ways.count; i++)
        json_array_append_new(ways, way_object(&branch->ways.items[i]));
    set(object, "ways", ways);
    return object;
}

static json_t *source_object(const char *program, const struct rh_covered_source *source)
{
    json_t *object = json_object(), *reached = json_array(), *never = json_array();
    json_t *branches = json_array();
    for (size_t i = 0; i < source->lines.count; i++)
        json_array_append_new(source->lines.items[i].is_reached ? reached : never,
                              integer(source->lines.items[i].number));
    for (size_t i = 0; i < source->branches.count; i++)
        json_array_append_new(branches, branch_object(&source->branches.items[i]));
    set(object, "program", string_or_null(program));
    set(object, "file", string_or_null(source->file));
    set(object, "reached", reached);
    set(object, "never", never);
    set(object, "branches", branches);
    return object;
}

static json_t *sources_array(const struct rh_coverage_review *review)
{
    json_t *sources = json_array();
    for (size_t i = 0; i < review->programs.count; i++) {
        const struct rh_program_review *program = &review->programs.items[i];
        for (size_t k = 0; k < program->reached.sources.count; k++)
            json_array_append_new(
                sources, source_object(program->program, &program->reached.sources.items[k]));
    }
    return sources;
}

void rh_report_coverage_json(struct rh_text *text, const struct rh_coverage_review *review,
                             double demanded)
{
    json_t *object = json_object(), *tests = json_array();
    set(object, "verb", string_or_null("coverage"));
    set(object, "percent", json_real(round(rh_coverage_review_percent(review) * 10) / 10));
    set(object, "fail_under", demanded >= 0 ? json_real(demanded) : json_null());
    for (size_t i = 0; i < review->tests.count; i++)
        json_array_append_new(tests, test_object(&review->tests.items[i]));
    set(object, "tests", tests);
    set(object, "sources", sources_array(review));
    add_object(text, object);
}

// --- A message flow graph. ---

static json_t *node_object(const struct rh_flow_graph *graph, size_t number)
{
    const struct rh_flow_node *node = &graph->nodes.items[number];
    json_t *object = json_object();
    set(object, "name", string_or_null(node->name));
    set(object, "function", string_or_null(node->function));
    set(object, "file", string_or_null(node->file));
    set(object, "line", node->file ? json_integer(node->line) : json_null());
    set(object, "receptionist", json_boolean(node->is_receptionist));
    if (graph->has_coverage)
        set(object, "ran", json_boolean(node->has_run));
    return object;
}

static json_t *text_array(char *const *items, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, string_or_null(items[i]));
    return array;
}

static json_t *label_object(const struct rh_flow_graph *graph, const struct rh_flow_label *label)
{
    json_t *object = json_object();
    json_t *fields = json_object();
    set(object, "operation", string_or_null(rh_flow_operation_name(label->operation)));
    set(object, "type", string_or_null(label->type));
    set(object, "file", string_or_null(label->file));
    set(object, "line", json_integer(label->line));
    for (size_t i = 0; i < label->fields.count; i++) {
        const struct rh_flow_field *field = &label->fields.items[i];
        set(fields, field->name, text_array(field->values.items, field->values.count));
    }
    set(object, "fields", fields);
    if (graph->has_coverage)
        set(object, "taken", json_boolean(label->is_taken));
    return object;
}

static json_t *edge_object(const struct rh_flow_graph *graph, const struct rh_flow_edge *edge)
{
    static const char *const kinds[] = {"creates", "becomes", "sends"};
    json_t *object = json_object();
    json_t *labels = json_array();
    set(object, "from", string_or_null(graph->nodes.items[edge->from].name));
    set(object, "to", string_or_null(graph->nodes.items[edge->to].name));
    set(object, "kind", string_or_null(kinds[edge->kind]));
    for (size_t i = 0; i < edge->labels.count; i++)
        json_array_append_new(labels, label_object(graph, &edge->labels.items[i]));
    set(object, "labels", labels);
    return object;
}

// A message that goes along a label.
static json_t *message_object(const struct rh_flow_graph *graph, struct rh_flow_place place)
{
    const struct rh_flow_edge *edge = &graph->edges.items[place.edge];
    const struct rh_flow_label *label = rh_flow_label_at(graph, place);
    json_t *object = json_object();
    set(object, "from", string_or_null(graph->nodes.items[edge->from].name));
    set(object, "to", string_or_null(graph->nodes.items[edge->to].name));
    set(object, "type", string_or_null(label->type));
    set(object, "file", string_or_null(label->file));
    set(object, "line", json_integer(label->line));
    return object;
}

static json_t *pair_of_messages(const struct rh_flow_graph *graph, const struct rh_flow_pair *pair)
{
    json_t *object = json_object();
    set(object, "first", message_object(graph, pair->first));
    set(object, "second", message_object(graph, pair->second));
    set(object, "first_came_first", json_boolean(pair->is_forth));
    set(object, "second_came_first", json_boolean(pair->is_back));
    return object;
}

static json_t *graph_coverage_object(const struct rh_flow_graph *graph)
{
    json_t *object = json_object(), *pairs = json_array();
    set(object, "executions", integer(graph->executions));
    set(object, "labels", integer(rh_flow_graph_label_count(graph)));
    set(object, "taken", integer(rh_flow_graph_taken_count(graph)));
    for (size_t i = 0; i < graph->pairs.count; i++)
        json_array_append_new(pairs, pair_of_messages(graph, &graph->pairs.items[i]));
    set(object, "pairs", pairs);
    set(object, "strange", text_array(graph->strange.items, graph->strange.count));
    return object;
}

void rh_report_graph_json(struct rh_text *text, const struct rh_flow_graph *graph,
                          const char *program)
{
    json_t *object = json_object();
    json_t *nodes = json_array(), *edges = json_array(), *unhandled = json_array();
    for (size_t i = 0; i < graph->nodes.count; i++)
        json_array_append_new(nodes, node_object(graph, i));
    for (size_t i = 0; i < graph->edges.count; i++)
        json_array_append_new(edges, edge_object(graph, &graph->edges.items[i]));
    for (size_t i = 0; i < graph->unhandled.count; i++)
        json_array_append_new(unhandled, message_object(graph, graph->unhandled.items[i]));
    set(object, "program", string_or_null(program));
    set(object, "verb", string_or_null("graph"));
    set(object, "tests", text_array(graph->tests.items, graph->tests.count));
    set(object, "nodes", nodes);
    set(object, "edges", edges);
    set(object, "unhandled", unhandled);
    set(object, "unresolved", text_array(graph->unresolved.items, graph->unresolved.count));
    set(object, "unknown", text_array(graph->unknown.items, graph->unknown.count));
    set(object, "coverage", graph->has_coverage ? graph_coverage_object(graph) : json_null());
    add_object(text, object);
}

// Generated tests.

static json_t *field_value(const struct rh_generate_test *test,
                           const struct rh_generate_field *field)
{
    if (field->block == RH_NONE)
        return string_or_null(field->actor == RH_NONE ? field->value
                                                      : test->actors[field->actor].name);
    return field->inside ? json_sprintf("&%d+%d", (int)field->block + 1, (int)field->inside)
                         : json_sprintf("&%d", (int)field->block + 1);
}

static json_t *fields_object(const struct rh_generate_test *test,
                             const struct rh_generate_fields *fields)
{
    json_t *object = json_object();
    for (uint32_t i = 0; i < fields->word_count; i++)
        set(object, fields->words[i].path, field_value(test, &fields->words[i]));
    return object;
}

static json_t *generated_actor(const struct rh_generate_test *test, uint32_t index)
{
    const struct rh_generate_actor *actor = &test->actors[index];
    json_t *object = json_object();
    set(object, "actor", string_or_null(actor->name));
    set(object, "behaviour", string_or_null(actor->behaviour));
    set(object, "initial", actor->is_initial ? fields_object(test, &actor->initial) : json_null());
    set(object, "final", fields_object(test, &actor->final));
    set(object, "stopped", json_boolean(actor->is_stopped));
    return object;
}

static json_t *generated_block(const struct rh_generate_test *test, uint32_t index)
{
    const struct rh_generate_block *block = &test->blocks[index];
    json_t *object = json_object();
    set(object, "block", json_sprintf("&%d", (int)index + 1));
    set(object, "actor", string_or_null(test->actors[block->actor].name));
    set(object, "initial", block->is_initial ? fields_object(test, &block->initial) : json_null());
    set(object, "final", block->is_met ? fields_object(test, &block->final) : json_null());
    set(object, "freed", json_boolean(block->is_freed));
    return object;
}

static json_t *generated_step(const struct rh_generate_test *test,
                              const struct rh_generate_step *step)
{
    json_t *object = json_object();
    if (!step->type) {
        set(object, "choose", integer(step->outcome));
        set(object, "of", integer(step->outcomes));
        return object;
    }
    set(object, "type", string_or_null(step->type));
    set(object, "to", string_or_null(test->actors[step->receiver].name));
    set(object, "from",
        string_or_null(step->sender == RH_NONE ? "outside" : test->actors[step->sender].name));
    return object;
}

static void set_place(json_t *object, const struct rh_generate_place *place)
{
    set(object, "file", string_or_null(place->file));
    set(object, "line", place->file ? integer(place->line) : json_null());
}

static json_t *broken_object(const struct rh_generate_test *test)
{
    if (!test->broken)
        return json_null();
    json_t *object = json_object();
    set(object, "message", string_or_null(test->broken));
    set_place(object, &test->place);
    set(object, "undefined", json_boolean(test->is_undefined));
    return object;
}

// What the test's body sends, where that is the test's own.
static json_t *generated_sends(const struct rh_generate_test *test)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < test->message_count; i++) {
        const struct rh_generate_message *message = &test->messages[i];
        json_t *object = json_object();
        set(object, "type", string_or_null(message->type));
        set(object, "fields", fields_object(test, &message->fields));
        set(object, "to", string_or_null(test->actors[message->receiver].name));
        set(object, "from",
            string_or_null(message->sender == RH_NONE ? "outside"
                                                      : test->actors[message->sender].name));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *generated_test(const struct rh_generate_test *test)
{
    static const char *const runs[] = {"not run", "confirmed", "refuted"};
    json_t *object = json_object();
    json_t *actors = json_array(), *blocks = json_array();
    json_t *inputs = json_object(), *steps = json_array();
    for (uint32_t i = 0; i < test->actor_count; i++)
        if (!test->actors[i].is_outside)
            json_array_append_new(actors, generated_actor(test, i));
    for (uint32_t i = 0; i < test->block_count; i++)
        json_array_append_new(blocks, generated_block(test, i));
    for (uint32_t i = 0; i < test->input_count; i++)
        set(inputs, test->inputs[i].name, string_or_null(test->inputs[i].value));
    for (uint32_t i = 0; i < test->step_count; i++)
        json_array_append_new(steps, generated_step(test, &test->steps[i]));
    set(object, "test", string_or_null(test->name));
    set(object, "condition", string_or_null(test->condition));
    set(object, "message", fields_object(test, &test->message));
    set(object, "inputs", inputs);
    set(object, "sends", generated_sends(test));
    json_t *called = json_array();
    for (uint32_t i = 0; i < test->call_count; i++)
        json_array_append_new(called, json_string(test->calls[i]));
    set(object, "called", called);
    set(object, "actors", actors);
    set(object, "blocks", blocks);
    set(object, "steps", steps);
    set(object, "broken", broken_object(test));
    set(object, "run", string_or_null(runs[test->run]));
    set(object, "schedule", string_or_null(test->schedule));
    return object;
}

static json_t *cut_object(const struct rh_generate_result *result)
{
    static const char *const names[RH_CUT_COUNT] = {"loop", "deliveries_each", "actors_each"};
    json_t *object = json_object();
    for (int i = 0; i < RH_CUT_COUNT; i++)
        set(object, names[i], integer(result->cuts[i]));
    return object;
}

static json_t *not_followed(const struct rh_generate_result *result)
{
    json_t *notes = json_array();
    for (size_t i = 0; i < result->notes.count; i++) {
        json_t *note = json_object();
        set(note, "what", string_or_null(result->notes.items[i].text));
        set_place(note, &result->notes.items[i].place);
        set(note, "count", integer(result->notes.items[i].count));
        json_array_append_new(notes, note);
    }
    return notes;
}

static json_t *fewest_object(const struct rh_generate_fewest *fewest)
{
    if (!fewest->is_on)
        return json_null();
    json_t *object = json_object();
    set(object, "of", integer(fewest->of));
    set(object, "lines", integer(fewest->lines));
    set(object, "ways", integer(fewest->ways));
    set(object, "proved", json_boolean(fewest->is_proved));
    return object;
}

static json_t *generated_object(const struct rh_generate_result *result)
{
    json_t *object = json_object(), *tests = json_array();
    for (size_t i = 0; i < result->tests.count; i++)
        json_array_append_new(tests, generated_test(&result->tests.items[i]));
    set(object, "behaviour", string_or_null(result->behaviour));
    set(object, "message", string_or_null(result->message));
    set(object, "of_test", string_or_null(result->test));
    set(object, "delivery", string_or_null(result->keeps_order ? "fifo" : "any"));
    set(object, "complete", json_boolean(rh_generate_is_complete(result)));
    set(object, "states", integer(result->states));
    set(object, "stable", integer(result->stable));
    set(object, "cut", cut_object(result));
    set(object, "not_followed", not_followed(result));
    set(object, "queries", integer(result->queries));
    set(object, "fewest", fewest_object(&result->fewest));
    set(object, "queries_unknown", integer(result->queries_unknown));
    set(object, "tests", tests);
    return object;
}

void rh_report_generated_json(struct rh_text *text, const struct rh_generate_result *results,
                              size_t count, const char *program)
{
    json_t *object = json_object(), *pairs = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(pairs, generated_object(&results[i]));
    set(object, "program", string_or_null(program));
    set(object, "verb", string_or_null("generate"));
    set(object, "pairs", pairs);
    add_object(text, object);
}

// A line that was looked for.

static json_t *reached_messages(const struct rh_schedule *schedule)
{
    json_t *messages = json_array();
    for (size_t i = 0; i < schedule->sends.count; i++) {
        const struct rh_schedule_send *send = &schedule->sends.items[i];
        json_t *object = json_object();
        set(object, "type", string_or_null(send->type));
        set(object, "fields", string_or_null(send->fields));
        set(object, "to", string_or_null(send->receiver));
        set(object, "from", string_or_null(send->sender ? send->sender : "outside"));
        json_array_append_new(messages, object);
    }
    return messages;
}

static json_t *reached_step(const struct rh_step *step)
{
    json_t *object = json_object();
    if (step->kind == RH_STEP_CHOOSE) {
        set(object, "choose", json_integer(step->outcome));
        set(object, "of", json_integer(step->count));
        return object;
    }
    set(object, "type", string_or_null(step->type));
    set(object, "to", string_or_null(step->receiver));
    set(object, "from", string_or_null(step->sender));
    return object;
}

static json_t *reached_path(const struct rh_schedule *schedule)
{
    json_t *object = json_object(), *inputs = json_object(), *steps = json_array();
    for (size_t i = 0; i < schedule->inputs.count; i++)
        set(inputs, schedule->inputs.items[i].name,
            string_or_null(schedule->inputs.items[i].value));
    for (size_t i = 0; i < schedule->steps.count; i++)
        json_array_append_new(steps, reached_step(&schedule->steps.items[i]));
    set(object, "inputs", inputs);
    set(object, "messages", reached_messages(schedule));
    set(object, "steps", steps);
    return object;
}

static json_t *reached_nearest(const struct rh_reached_nearest *nearest)
{
    json_t *object = json_object(), *seen = json_array(), *against = json_array();
    for (uint32_t i = 0; i < nearest->seen_count; i++)
        json_array_append_new(seen, string_or_null(nearest->seen[i]));
    for (uint32_t i = 0; i < nearest->against_count; i++) {
        json_t *condition = json_object();
        set(condition, "file", string_or_null(nearest->against[i].file));
        set(condition, "line", integer(nearest->against[i].line));
        set(condition, "condition", string_or_null(nearest->against[i].text));
        json_array_append_new(against, condition);
    }
    set(object, "missing", string_or_null(nearest->missing));
    set(object, "test", string_or_null(nearest->test));
    set(object, "file", string_or_null(nearest->file));
    set(object, "line", nearest->file ? integer(nearest->line) : json_null());
    set(object, "deliveries", integer(nearest->deliveries));
    set(object, "needs", seen);
    set(object, "but", against);
    return object;
}

static json_t *reached_object(const struct rh_reached *reached)
{
    static const char *const goals[] = {"line", "check", "dereference"};
    static const char *const verdicts[] = {"not found", "reached", "unreachable"};
    static const char *const steps[] = {"coverage", "sample", "forward", "backward", "random"};
    static const char *const proofs[] = {"state", "graph", "past", "search"};
    bool is_reached = reached->verdict == RH_REACHED_YES;
    const struct rh_generate_result notes = {
        .notes = {(struct rh_generate_note *)(uintptr_t)reached->notes, reached->note_count, 0}};
    json_t *object = json_object();
    set(object, "file", string_or_null(reached->file));
    set(object, "line", integer(reached->line));
    set(object, "goal", string_or_null(goals[reached->goal]));
    set(object, "verdict", string_or_null(verdicts[reached->verdict]));
    set(object, "found_by", string_or_null(is_reached ? steps[reached->step] : NULL));
    set(object, "test", string_or_null(reached->test));
    bool is_unreachable = reached->verdict == RH_REACHED_UNREACHABLE;
    set(object, "proof", string_or_null(is_unreachable ? proofs[reached->proof] : NULL));
    set(object, "reason", string_or_null(reached->reason));
    set(object, "messages_most", reached->is_tried ? integer(reached->messages) : json_null());
    bool has_nearest = !is_reached && (reached->nearest.file || reached->nearest.missing);
    set(object, "nearest", has_nearest ? reached_nearest(&reached->nearest) : json_null());
    set(object, "path", reached->schedule ? reached_path(reached->schedule) : json_null());
    set(object, "schedule", string_or_null(reached->saved));
    set(object, "samples", integer(reached->runs));
    set(object, "situations", integer(reached->situations));
    set(object, "queries", integer(reached->queries));
    set(object, "refuted", integer(reached->refuted));
    set(object, "not_followed", not_followed(&notes));
    return object;
}

void rh_report_reached_json(struct rh_text *text, const struct rh_reached *const *all, size_t count,
                            const char *program)
{
    json_t *object = json_object(), *places = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(places, reached_object(all[i]));
    set(object, "program", string_or_null(program));
    set(object, "verb", string_or_null("reach"));
    set(object, "places", places);
    add_object(text, object);
}
