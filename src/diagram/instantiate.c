// SPDX-License-Identifier: MIT
// From a diagram to its form for one configuration.
#include "diagram/form.h"

#include <stdlib.h>
#include <string.h>

#include "diagram/part.h"

enum { FAMILY_MOST = 100000, PARTS_MOST = 5000 };

// A part that calls itself, by number of rh_forms.definitions.
struct called {
    const struct rh_definition *definition;
    int64_t values[RH_PARAMETERS_MOST];
    const struct rh_node *call; // the first
};

struct maker {
    struct rh_forms *forms;
    struct rh_names *names;
    const struct rh_diagram *diagram;
    const struct rh_binding *parameters; // of the test
    struct rh_definitions definitions;
    bool *is_recursive; // owned; by definition
    RH_VECTOR(struct called) called;
    bool is_in_called;                       // what is made belongs to one of them
    RH_VECTOR(const struct rh_node *) sites; // arrows, in the order in which they were met
    struct rh_status status;
};

static void refuse(struct maker *maker, const struct rh_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void refuse(struct maker *maker, const struct rh_node *node, const char *format, ...)
{
    if (!rh_is_ok(&maker->status))
        return;
    struct rh_text text = {0};
    va_list arguments;
    va_start(arguments, format);
    rh_text_addv(&text, format, arguments);
    va_end(arguments);
    const char *path = maker->diagram->path ? maker->diagram->path : "diagram";
    maker->status =
        rh_bad_input("%s:%d:%d: %s", path, node->line, node->column, rh_text_get(&text));
    rh_text_fini(&text);
}

static int64_t evaluate(struct maker *maker, const struct rh_node *node,
                        const struct rh_expression *expression, const struct rh_binding *bindings)
{
    int64_t value = 0;
    const char *unknown;
    if (rh_expression_evaluate(expression, bindings, &value, &unknown))
        return value;
    if (unknown)
        refuse(maker, node, "%s has no value: it is neither an index nor a parameter of the test",
               unknown);
    else
        refuse(maker, node, "this number can't be computed");
    return 0;
}

static uint32_t actor_of(struct maker *maker, const struct rh_node *node,
                         const struct rh_party *party, const struct rh_binding *bindings)
{
    const struct rh_binding *bound = rh_binding_find(bindings, party->class);
    if (bound && bound->class && !party->index)
        return rh_names_actor(maker->names, bound->class, bound->value);
    if (party->index)
        return rh_names_actor(maker->names, party->class,
                              evaluate(maker, node, party->index, bindings));
    int64_t count = rh_names_count(maker->names, party->class);
    if (maker->diagram->is_sketch && rh_names_has_several(maker->names, party->class))
        return rh_names_actor(maker->names, party->class, 0);
    if (count > 1)
        refuse(maker, node, "there are %lld actors %s: say which, as %s[1]", (long long)count,
               party->class, party->class);
    return rh_names_actor(maker->names, party->class, 1);
}

static uint32_t site_of(struct maker *maker, const struct rh_node *node)
{
    for (size_t i = 0; i < maker->sites.count; i++)
        if (maker->sites.items[i] == node)
            return (uint32_t)i;
    *rh_vector_push(&maker->sites) = node;
    return (uint32_t)maker->sites.count - 1;
}

static uint32_t make(struct maker *maker, const struct rh_node *node,
                     const struct rh_binding *bindings);

static uint32_t make_arrow(struct maker *maker, const struct rh_node *node,
                           const struct rh_binding *bindings)
{
    struct rh_label label = {.from = actor_of(maker, node, &node->from, bindings),
                             .to = actor_of(maker, node, &node->to, bindings),
                             .type = rh_names_type(maker->names, node->type),
                             .kind = node->sending,
                             .is_lost = node->is_lost};
    label.is_loose =
        rh_names_is_class(maker->names, label.from) || rh_names_is_class(maker->names, label.to);
    uint32_t site = site_of(maker, node);
    // A part that calls itself ends where there are no more actors.
    size_t known = maker->names->program_actors;
    bool is_beyond = known && (label.from >= known || label.to >= known);
    return maker->is_in_called && is_beyond ? (uint32_t)RH_FAIL
                                            : rh_form_arrow(maker->forms, &label, site);
}

static uint32_t join(struct maker *maker, enum rh_node_kind kind, uint32_t left, uint32_t right)
{
    switch (kind) {
    case RH_NODE_SEQUENCE:
        return rh_form_sequence(maker->forms, left, right);
    case RH_NODE_WEAK:
        return rh_form_weak(maker->forms, left, right);
    case RH_NODE_PARALLEL:
        return rh_form_parallel(maker->forms, left, right);
    default:
        return rh_form_choice(maker->forms, left, right);
    }
}

static uint32_t make_list(struct maker *maker, const struct rh_node *node,
                          const struct rh_binding *bindings)
{
    uint32_t *forms = rh_alloc(node->count * sizeof *forms);
    size_t count = 0;
    // What can't begin need not be made to its end, which might be nowhere.
    bool goes_on = true;
    while (count < node->count && goes_on) {
        forms[count] = make(maker, node->parts[count], bindings);
        goes_on = forms[count++] != RH_FAIL || node->kind == RH_NODE_CHOICE;
    }
    uint32_t form = forms[count - 1];
    for (size_t i = count - 1; i-- > 0;)
        form = join(maker, node->kind, forms[i], form);
    free(forms);
    return form;
}

static uint32_t make_loop(struct maker *maker, const struct rh_node *node,
                          const struct rh_binding *bindings)
{
    int64_t least = evaluate(maker, node, node->first, bindings);
    int64_t most = node->last ? evaluate(maker, node, node->last, bindings) : RH_LOOP_ANY;
    if (least < 0 || most < least || (node->last && most > INT32_MAX)) {
        refuse(maker, node, "a loop can't go round %lld times",
               (long long)(least < 0 ? least : most));
        return RH_FAIL;
    }
    uint32_t body = make(maker, node->parts[0], bindings);
    return rh_form_loop(maker->forms, body, (uint32_t)least, (uint32_t)most,
                        node->is_weak       ? RH_ROUNDS_WEAK
                        : node->is_parallel ? RH_ROUNDS_PARALLEL
                                            : RH_ROUNDS_STRONG);
}

static uint32_t make_family(struct maker *maker, const struct rh_node *node,
                            const struct rh_binding *bindings)
{
    int64_t first = evaluate(maker, node, node->first, bindings);
    int64_t last = evaluate(maker, node, node->last, bindings);
    enum rh_node_kind kind = node->kind == RH_NODE_ALL ? RH_NODE_PARALLEL
                             : node->is_weak           ? RH_NODE_WEAK
                                                       : RH_NODE_SEQUENCE;
    if (last - first > FAMILY_MOST) {
        refuse(maker, node, "a family of %lld is too large", (long long)last - first + 1);
        return RH_FAIL;
    }
    uint32_t form = RH_SKIP;
    for (int64_t i = last; i >= first && rh_is_ok(&maker->status); i--) {
        struct rh_binding inner = {.variable = node->variable, .value = i, .outer = bindings};
        form = join(maker, kind, make(maker, node->parts[0], &inner), form);
    }
    return form;
}

static uint32_t make_some(struct maker *maker, const struct rh_node *node,
                          const struct rh_binding *bindings)
{
    uint32_t form = RH_FAIL;
    size_t count = maker->names->actors.count;
    for (size_t i = 0; i < count; i++) {
        struct rh_named_actor actor = maker->names->actors.items[i];
        if (strcmp(actor.class, node->class) != 0)
            continue;
        struct rh_binding inner = {.variable = node->variable,
                                   .value = actor.index,
                                   .class = actor.class,
                                   .outer = bindings};
        form = rh_form_choice(maker->forms, make(maker, node->parts[0], &inner), form);
    }
    return form;
}

static bool is_recursive(const struct maker *maker, const struct rh_definition *definition)
{
    for (size_t i = 0; i < maker->definitions.count; i++)
        if (maker->definitions.items[i] == definition)
            return maker->is_recursive[i];
    return true;
}

// A definition that says itself again would have to be opened to know what goes on without an
// actor.
static const struct rh_node *find_call(const struct maker *maker, const struct rh_node *node)
{
    const struct rh_node *found = NULL;
    if (node->kind == RH_NODE_CALL)
        found =
            is_recursive(maker, node->definition) ? node : find_call(maker, node->definition->body);
    for (size_t i = 0; i < node->count && !found; i++)
        found = find_call(maker, node->parts[i]);
    return found;
}

static void refuse_weak_calls(struct maker *maker, const struct rh_node *node)
{
    bool is_list = node->kind == RH_NODE_WEAK;
    for (size_t i = 0; i + is_list < node->count && (is_list || node->is_weak); i++) {
        const struct rh_node *call = find_call(maker, node->parts[i]);
        if (call)
            refuse(maker, call, "a definition that says itself again can't stand before a ~");
    }
}

// What a part says for these values.
static uint32_t make_part(struct maker *maker, const struct rh_definition *definition,
                          const int64_t *values)
{
    struct rh_binding own[RH_PARAMETERS_MOST];
    const struct rh_binding *bindings = maker->parameters;
    for (size_t i = 0; i < definition->count; i++) {
        own[i] = (struct rh_binding){
            .variable = definition->parameters[i], .value = values[i], .outer = bindings};
        bindings = &own[i];
    }
    return make(maker, definition->body, bindings);
}

static uint32_t number_of_part(struct maker *maker, const struct rh_node *call,
                               const int64_t *values)
{
    size_t size = call->argument_count * sizeof *values;
    for (uint32_t i = 0; i < maker->called.count; i++)
        if (maker->called.items[i].definition == call->definition &&
            !memcmp(maker->called.items[i].values, values, size))
            return i;
    struct called *called = rh_vector_push(&maker->called);
    *called = (struct called){.definition = call->definition, .call = call};
    memcpy(called->values, values, size);
    *rh_vector_push(&maker->forms->definitions) = (struct rh_form_definition){.form = RH_FAIL};
    if (maker->called.count > PARTS_MOST)
        refuse(maker, call, "%s calls itself with more than %d different numbers",
               call->definition->name, PARTS_MOST);
    return (uint32_t)maker->called.count - 1;
}

static uint32_t make_call(struct maker *maker, const struct rh_node *node,
                          const struct rh_binding *bindings)
{
    int64_t values[RH_PARAMETERS_MOST] = {0};
    for (size_t i = 0; i < node->argument_count; i++)
        values[i] = evaluate(maker, node, node->arguments[i], bindings);
    if (!rh_is_ok(&maker->status))
        return RH_FAIL;
    if (!is_recursive(maker, node->definition))
        return make_part(maker, node->definition, values);
    return rh_form_call(maker->forms, number_of_part(maker, node, values));
}

static uint32_t make(struct maker *maker, const struct rh_node *node,
                     const struct rh_binding *bindings)
{
    refuse_weak_calls(maker, node);
    if (!rh_is_ok(&maker->status))
        return RH_FAIL;
    switch (node->kind) {
    case RH_NODE_SKIP:
        return RH_SKIP;
    case RH_NODE_ARROW:
        return make_arrow(maker, node, bindings);
    case RH_NODE_LOOP:
        return make_loop(maker, node, bindings);
    case RH_NODE_ALL:
    case RH_NODE_EACH:
        return make_family(maker, node, bindings);
    case RH_NODE_CALL:
        return make_call(maker, node, bindings);
    case RH_NODE_SOME:
        return make_some(maker, node, bindings);
    default:
        return make_list(maker, node, bindings);
    }
}

// --- Parts that call themselves. ---

// What a form may begin with: actors that send first, and definitions, which are marked.
static uint64_t find_firsts(const struct rh_forms *forms, uint32_t number, bool *definitions)
{
    const struct rh_form *form = rh_form_get(forms, number);
    switch (form->kind) {
    case RH_FORM_ARROW:
        return form->sends;
    case RH_FORM_CALL:
        definitions[form->left] = true;
        return forms->definitions.items[form->left].firsts;
    case RH_FORM_LOOP:
        return find_firsts(forms, form->left, definitions);
    case RH_FORM_SEQUENCE:
    case RH_FORM_WEAK:
    case RH_FORM_PARALLEL:
    case RH_FORM_CHOICE: {
        uint64_t first = find_firsts(forms, form->left, definitions);
        bool stops = form->kind == RH_FORM_SEQUENCE && !rh_form_get(forms, form->left)->can_end;
        return stops ? first : first | find_firsts(forms, form->right, definitions);
    }
    default:
        return 0;
    }
}

// Notes what is known of a part; whether that is new.
static bool update(struct rh_forms *forms, size_t number, uint32_t form)
{
    const struct rh_form *made = rh_form_get(forms, form);
    bool *begun = rh_alloc(forms->definitions.count + 1);
    struct rh_form_definition now = {form, made->can_end, made->sends, made->receives,
                                     find_firsts(forms, form, begun)};
    struct rh_form_definition *known = &forms->definitions.items[number];
    bool is_new = known->can_end != now.can_end || known->sends != now.sends ||
                  known->receives != now.receives || known->firsts != now.firsts;
    *known = now;
    free(begun);
    return is_new;
}

// Definitions that nobody calls are made too, so that what is wrong with them is found.
static void call_all(struct maker *maker)
{
    for (size_t i = 0; i < maker->diagram->definition_count; i++) {
        const struct rh_definition *definition = maker->diagram->definitions[i];
        struct rh_node call = {.kind = RH_NODE_CALL,
                               .definition = maker->diagram->definitions[i],
                               .line = definition->line,
                               .column = definition->column};
        if (definition->count == 0)
            make(maker, &call, maker->parameters);
    }
}

// Makes everything once; whether something new has become known of parts.
static bool make_all(struct maker *maker, uint32_t *form)
{
    size_t known = maker->called.count;
    rh_forms_clear(maker->forms);
    maker->sites.count = 0;
    *form = make(maker, maker->diagram->body, maker->parameters);
    call_all(maker);
    bool is_new = false;
    for (size_t i = 0; i < maker->called.count && rh_is_ok(&maker->status); i++) {
        struct called called = maker->called.items[i];
        maker->is_in_called = true;
        uint32_t part = make_part(maker, called.definition, called.values);
        maker->is_in_called = false;
        is_new |= update(maker->forms, i, part);
    }
    return is_new || maker->called.count > known;
}

// Whether the definition comes to `target` before anything is sent.
static bool begins_with(const struct maker *maker, uint32_t definition, uint32_t target,
                        bool *visited)
{
    size_t count = maker->called.count;
    bool *begun = rh_alloc(count + 1), is_found = false;
    visited[definition] = true;
    find_firsts(maker->forms, maker->forms->definitions.items[definition].form, begun);
    for (uint32_t i = 0; i < count && !is_found; i++)
        is_found =
            begun[i] && (i == target || (!visited[i] && begins_with(maker, i, target, visited)));
    free(begun);
    return is_found;
}

static void refuse_empty_rounds(struct maker *maker)
{
    for (uint32_t i = 0; i < maker->called.count && rh_is_ok(&maker->status); i++) {
        bool *visited = rh_alloc(maker->called.count);
        if (begins_with(maker, i, i, visited))
            refuse(maker, maker->called.items[i].definition->body,
                   "the definition %s comes back to itself before anything is sent",
                   maker->called.items[i].definition->name);
        free(visited);
    }
}

struct rh_status rh_form_make(struct rh_forms *forms, struct rh_names *names,
                              const struct rh_diagram *diagram, const struct rh_binding *bindings,
                              uint32_t *form)
{
    struct maker maker = {.forms = forms,
                          .names = names,
                          .diagram = diagram,
                          .parameters = bindings,
                          .status = rh_ok()};
    rh_definitions_add(&maker.definitions, diagram->body);
    for (size_t i = 0; i < diagram->definition_count; i++) {
        struct rh_node call = {.kind = RH_NODE_CALL, .definition = diagram->definitions[i]};
        rh_definitions_add(&maker.definitions, &call);
    }
    maker.is_recursive = rh_alloc(maker.definitions.count + 1);
    for (size_t i = 0; i < maker.definitions.count; i++)
        maker.is_recursive[i] = rh_definition_is_recursive(maker.definitions.items[i]);
    while (make_all(&maker, form) && rh_is_ok(&maker.status))
        ;
    refuse_empty_rounds(&maker);
    rh_vector_fini(&maker.sites);
    rh_vector_fini(&maker.called);
    rh_vector_fini(&maker.definitions);
    free(maker.is_recursive);
    return maker.status;
}
