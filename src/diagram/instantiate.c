// SPDX-License-Identifier: MIT
// From a diagram to its form for one configuration.
#include "diagram/form.h"

#include <stdlib.h>
#include <string.h>

enum { FAMILY_MOST = 100000 };

struct maker {
    struct rh_forms *forms;
    struct rh_names *names;
    const struct rh_diagram *diagram;
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
    return rh_form_arrow(maker->forms, &label, site_of(maker, node));
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

// A definition would have to be opened to know what goes on without an actor.
static const struct rh_node *find_call(const struct rh_node *node)
{
    const struct rh_node *found = node->kind == RH_NODE_CALL ? node : NULL;
    for (size_t i = 0; i < node->count && !found; i++)
        found = find_call(node->parts[i]);
    return found;
}

static void refuse_weak_calls(struct maker *maker, const struct rh_node *node)
{
    bool is_list = node->kind == RH_NODE_WEAK;
    for (size_t i = 0; i + is_list < node->count && (is_list || node->is_weak); i++) {
        const struct rh_node *call = find_call(node->parts[i]);
        if (call)
            refuse(maker, call, "a definition can't stand before a ~");
    }
}

static uint32_t make_call(struct maker *maker, const struct rh_node *node)
{
    for (size_t i = 0; i < maker->diagram->definition_count; i++)
        if (!strcmp(maker->diagram->definitions[i].name, node->variable))
            return rh_form_call(maker->forms, (uint32_t)i);
    refuse(maker, node, "there is no definition %s", node->variable);
    return RH_FAIL;
}

static uint32_t make_list(struct maker *maker, const struct rh_node *node,
                          const struct rh_binding *bindings)
{
    uint32_t form = make(maker, node->parts[node->count - 1], bindings);
    for (size_t i = node->count - 1; i-- > 0;)
        form = join(maker, node->kind, make(maker, node->parts[i], bindings), form);
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
    case RH_NODE_SOME:
        return make_some(maker, node, bindings);
    case RH_NODE_CALL:
        return make_call(maker, node);
    default:
        return make_list(maker, node, bindings);
    }
}

// --- Definitions. ---

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

static bool is_same(const struct rh_form_definition *one, const struct rh_form_definition *other)
{
    return one->can_end == other->can_end && one->sends == other->sends &&
           one->receives == other->receives && one->firsts == other->firsts;
}

// Makes all definitions anew with what is known of calls; gives whether more is known now.
static bool make_definitions(struct maker *maker, const struct rh_binding *bindings)
{
    struct rh_forms *forms = maker->forms;
    size_t count = maker->diagram->definition_count;
    bool *begun = rh_alloc(count + 1), is_new = false;
    rh_forms_clear(forms);
    for (size_t i = 0; i < count && rh_is_ok(&maker->status); i++) {
        uint32_t number = make(maker, maker->diagram->definitions[i].body, bindings);
        const struct rh_form *form = rh_form_get(forms, number);
        struct rh_form_definition found = {number, form->can_end, form->sends, form->receives,
                                           find_firsts(forms, number, begun)};
        is_new |= !is_same(&forms->definitions.items[i], &found);
        forms->definitions.items[i] = found;
    }
    free(begun);
    return is_new && rh_is_ok(&maker->status);
}

// Whether the definition comes to `target` before anything is sent.
static bool begins_with(const struct maker *maker, uint32_t definition, uint32_t target,
                        bool *visited)
{
    size_t count = maker->diagram->definition_count;
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
    for (uint32_t i = 0; i < maker->diagram->definition_count && rh_is_ok(&maker->status); i++) {
        bool *visited = rh_alloc(maker->diagram->definition_count);
        if (begins_with(maker, i, i, visited))
            refuse(maker, maker->diagram->definitions[i].body,
                   "the definition %s comes back to itself before anything is sent",
                   maker->diagram->definitions[i].name);
        free(visited);
    }
}

struct rh_status rh_form_make(struct rh_forms *forms, struct rh_names *names,
                              const struct rh_diagram *diagram, const struct rh_binding *bindings,
                              uint32_t *form)
{
    struct maker maker = {.forms = forms, .names = names, .diagram = diagram, .status = rh_ok()};
    for (size_t i = 0; i < diagram->definition_count; i++)
        rh_vector_push(&forms->definitions)->form = RH_FAIL;
    while (diagram->definition_count && make_definitions(&maker, bindings))
        ;
    refuse_empty_rounds(&maker);
    *form = make(&maker, diagram->body, bindings);
    rh_vector_fini(&maker.sites);
    return maker.status;
}
