// SPDX-License-Identifier: MIT
#include "diagram/form.h"

#include <stdlib.h>
#include <string.h>

// --- Names. ---

uint32_t rh_names_actor(struct rh_names *names, const char *class, int64_t index)
{
    for (size_t i = 0; i < names->actors.count; i++)
        if (names->actors.items[i].index == index && !strcmp(names->actors.items[i].class, class))
            return (uint32_t)i;
    *rh_vector_push(&names->actors) = (struct rh_named_actor){class, index};
    return (uint32_t)names->actors.count - 1;
}

uint32_t rh_names_type(struct rh_names *names, const char *type)
{
    for (size_t i = 0; i < names->types.count; i++)
        if (!strcmp(names->types.items[i], type))
            return (uint32_t)i;
    *rh_vector_push(&names->types) = type;
    return (uint32_t)names->types.count - 1;
}

bool rh_names_has_several(const struct rh_names *names, const char *class)
{
    for (size_t i = 0; i < names->actors.count; i++)
        if (names->actors.items[i].index == 0 && !strcmp(names->actors.items[i].class, class))
            return true;
    return false;
}

int64_t rh_names_count(const struct rh_names *names, const char *class)
{
    int64_t count = 0;
    size_t actors = names->program_actors ? names->program_actors : names->actors.count;
    for (size_t i = 0; i < actors; i++)
        count += !strcmp(names->actors.items[i].class, class);
    return count;
}

void rh_names_close(struct rh_names *names)
{
    names->program_actors = names->actors.count;
    names->program_types = names->types.count;
}

void rh_names_restore(struct rh_names *names)
{
    names->actors.count = names->program_actors;
    names->types.count = names->program_types;
}

void rh_names_fini(struct rh_names *names)
{
    rh_vector_fini(&names->actors);
    rh_vector_fini(&names->types);
}

void rh_names_print_actor(const struct rh_names *names, struct rh_text *text, uint32_t actor)
{
    const struct rh_named_actor *named = &names->actors.items[actor];
    rh_text_add(text, named->class);
    if (named->index > 1 || named->index < 0 ||
        (named->index == 1 && rh_names_count(names, named->class) > 1))
        rh_text_addf(text, "[%lld]", (long long)named->index);
}

void rh_names_print(const struct rh_names *names, struct rh_text *text,
                    const struct rh_label *label)
{
    rh_names_print_actor(names, text, label->from);
    rh_text_addf(text, " %s ", label->is_lost ? "loses" : rh_sending_word(label->kind));
    rh_names_print_actor(names, text, label->to);
    rh_text_addf(text, ": %s", names->types.items[label->type]);
}

bool rh_label_equals(const struct rh_label *one, const struct rh_label *other)
{
    return one->from == other->from && one->to == other->to && one->type == other->type &&
           one->kind == other->kind;
}

// --- Forms. ---

static uint64_t hash_of(const struct rh_form *form)
{
    const uint64_t words[] = {
        (uint64_t)form->kind << 32 | form->site,
        (uint64_t)form->left << 32 | form->right,
        (uint64_t)form->label.from << 32 | form->label.to,
        (uint64_t)form->label.type << 32 | (uint64_t)form->label.kind << 1 | form->label.is_lost,
        (uint64_t)form->least << 32 | form->most,
        (uint64_t)form->place << 2 | (uint64_t)form->is_parallel << 1 | form->is_weak};
    return rh_hash64(words, sizeof words, 0);
}

static bool is_same(const struct rh_form *one, const struct rh_form *other)
{
    return one->kind == other->kind && one->site == other->site && one->left == other->left &&
           one->right == other->right && rh_label_equals(&one->label, &other->label) &&
           one->label.is_lost == other->label.is_lost && one->least == other->least &&
           one->most == other->most && one->place == other->place &&
           one->is_weak == other->is_weak && one->is_parallel == other->is_parallel;
}

static void complete_leaf(struct rh_form *form)
{
    form->can_end = form->kind == RH_FORM_SKIP || form->kind == RH_FORM_MARK;
    form->has_mark = form->kind == RH_FORM_MARK;
    form->has_pending = form->kind == RH_FORM_PENDING;
    if (form->kind == RH_FORM_ARROW)
        form->sends = rh_actor_bit(form->label.from);
    if ((form->kind == RH_FORM_ARROW && !form->label.is_lost) || form->kind == RH_FORM_PENDING)
        form->receives = rh_actor_bit(form->label.to);
    form->can_lose = form->kind == RH_FORM_PENDING;
}

static void complete_call(const struct rh_forms *forms, struct rh_form *form)
{
    const struct rh_form_definition *definition = &forms->definitions.items[form->left];
    form->can_end = definition->can_end;
    form->sends = definition->sends;
    form->receives = definition->receives;
}

// What stands behind the receive of a message that gets lost does not happen.
static bool can_lose(const struct rh_form *form, const struct rh_form *left,
                     const struct rh_form *right)
{
    bool is_right_over = right->can_end || right->can_lose;
    switch (form->kind) {
    case RH_FORM_SEQUENCE:
        return left->can_lose || (left->can_end && right->can_lose);
    case RH_FORM_CHOICE:
        return left->can_lose || right->can_lose;
    case RH_FORM_LOOP:
        return false;
    default:
        return (left->can_lose && is_right_over) || (left->can_end && right->can_lose);
    }
}

// Fills in what follows from the parts.
static void complete(const struct rh_forms *forms, struct rh_form *form)
{
    if (form->kind == RH_FORM_CALL) {
        complete_call(forms, form);
        return;
    }
    if (form->kind < RH_FORM_SEQUENCE) {
        complete_leaf(form);
        return;
    }
    const struct rh_form *left = rh_form_get(forms, form->left);
    const struct rh_form *right = rh_form_get(forms, form->right);
    if (form->kind == RH_FORM_LOOP)
        form->can_end = form->least == 0 || left->can_end;
    else if (form->kind == RH_FORM_CHOICE)
        form->can_end = left->can_end || right->can_end;
    else
        form->can_end = left->can_end && right->can_end;
    form->can_lose = can_lose(form, left, right);
    if (form->kind == RH_FORM_LOOP)
        right = left;
    form->has_mark = left->has_mark || right->has_mark;
    form->has_pending = left->has_pending || right->has_pending;
    form->sends = left->sends | right->sends;
    form->receives = left->receives | right->receives;
}

static uint32_t intern(struct rh_forms *forms, struct rh_form form)
{
    uint64_t hash = hash_of(&form);
    struct rh_probe probe = rh_table_probe(&forms->table, hash);
    while (rh_probe_next(&probe))
        if (is_same(&forms->items.items[probe.number], &form))
            return probe.number;
    if (forms->items.count >= forms->most) {
        forms->is_full = true;
        return RH_FAIL;
    }
    complete(forms, &form);
    uint32_t number = (uint32_t)forms->items.count;
    *rh_vector_push(&forms->items) = form;
    rh_table_add(&forms->table, NULL, hash, number);
    return number;
}

void rh_forms_clear(struct rh_forms *forms)
{
    forms->items.count = 0;
    rh_table_fini(&forms->table);
    forms->table = (struct rh_table){0};
    intern(forms, (struct rh_form){.kind = RH_FORM_FAIL});
    intern(forms, (struct rh_form){.kind = RH_FORM_SKIP});
}

void rh_forms_init(struct rh_forms *forms)
{
    *forms = (struct rh_forms){.most = RH_FORMS_MOST};
    rh_forms_clear(forms);
}

void rh_forms_fini(struct rh_forms *forms)
{
    rh_vector_fini(&forms->items);
    rh_vector_fini(&forms->definitions);
    rh_table_fini(&forms->table);
}

uint32_t rh_form_mark(struct rh_forms *forms, uint32_t actor)
{
    return intern(forms, (struct rh_form){.kind = RH_FORM_MARK, .label = {.from = actor}});
}

uint32_t rh_form_arrow(struct rh_forms *forms, const struct rh_label *label, uint32_t site)
{
    return intern(forms, (struct rh_form){.kind = RH_FORM_ARROW, .label = *label, .site = site});
}

uint32_t rh_form_pending(struct rh_forms *forms, uint32_t arrow, uint32_t place)
{
    const struct rh_form *sent = rh_form_get(forms, arrow);
    return intern(forms,
                  (struct rh_form){.kind = RH_FORM_PENDING, .label = sent->label, .place = place});
}

uint32_t rh_form_call(struct rh_forms *forms, uint32_t definition)
{
    return intern(forms, (struct rh_form){.kind = RH_FORM_CALL, .left = definition});
}

static uint32_t make_pair(struct rh_forms *forms, enum rh_form_kind kind, uint32_t left,
                          uint32_t right)
{
    return intern(forms, (struct rh_form){.kind = kind, .left = left, .right = right});
}

// Sequences lean to the right.
static uint32_t make_sequence(struct rh_forms *forms, enum rh_form_kind kind, uint32_t left,
                              uint32_t right)
{
    if (left == RH_FAIL || right == RH_FAIL)
        return RH_FAIL;
    if (left == RH_SKIP || right == RH_SKIP)
        return left == RH_SKIP ? right : left;
    struct rh_form first = *rh_form_get(forms, left);
    if (first.kind == kind)
        return make_pair(forms, kind, first.left, make_sequence(forms, kind, first.right, right));
    return make_pair(forms, kind, left, right);
}

uint32_t rh_form_sequence(struct rh_forms *forms, uint32_t left, uint32_t right)
{
    return make_sequence(forms, RH_FORM_SEQUENCE, left, right);
}

uint32_t rh_form_weak(struct rh_forms *forms, uint32_t left, uint32_t right)
{
    return make_sequence(forms, RH_FORM_WEAK, left, right);
}

// The first part of a parallel or a choice, and the rest; RH_NONE: there is no rest.
static uint32_t head_of(const struct rh_forms *forms, enum rh_form_kind kind, uint32_t form,
                        uint32_t *rest)
{
    const struct rh_form *list = rh_form_get(forms, form);
    *rest = list->kind == kind ? list->right : RH_NONE;
    return list->kind == kind ? list->left : form;
}

// Merges two lists in ascending order; a choice has each part once.
static uint32_t merge(struct rh_forms *forms, enum rh_form_kind kind, uint32_t left, uint32_t right)
{
    if (left == RH_NONE || right == RH_NONE)
        return left == RH_NONE ? right : left;
    uint32_t left_rest, right_rest;
    uint32_t one = head_of(forms, kind, left, &left_rest);
    uint32_t other = head_of(forms, kind, right, &right_rest);
    if (one == other && kind == RH_FORM_CHOICE)
        return merge(forms, kind, left, right_rest);
    bool is_left = one <= other;
    uint32_t rest =
        is_left ? merge(forms, kind, left_rest, right) : merge(forms, kind, left, right_rest);
    uint32_t first = is_left ? one : other;
    return rest == RH_NONE ? first : make_pair(forms, kind, first, rest);
}

uint32_t rh_form_parallel(struct rh_forms *forms, uint32_t left, uint32_t right)
{
    if (left == RH_FAIL || right == RH_FAIL)
        return RH_FAIL;
    if (left == RH_SKIP || right == RH_SKIP)
        return left == RH_SKIP ? right : left;
    return merge(forms, RH_FORM_PARALLEL, left, right);
}

uint32_t rh_form_choice(struct rh_forms *forms, uint32_t left, uint32_t right)
{
    if (left == RH_FAIL || right == RH_FAIL)
        return left == RH_FAIL ? right : left;
    return merge(forms, RH_FORM_CHOICE, left, right);
}

uint32_t rh_form_loop(struct rh_forms *forms, uint32_t body, uint32_t least, uint32_t most,
                      enum rh_rounds rounds)
{
    if (most == 0 || body == RH_SKIP)
        return RH_SKIP;
    if (body == RH_FAIL)
        return least == 0 ? RH_SKIP : RH_FAIL;
    if (least == 1 && most == 1)
        return body;
    if (rh_form_get(forms, body)->can_end)
        least = 0;
    return intern(forms, (struct rh_form){.kind = RH_FORM_LOOP,
                                          .left = body,
                                          .least = least,
                                          .most = most,
                                          .is_weak = rounds == RH_ROUNDS_WEAK,
                                          .is_parallel = rounds == RH_ROUNDS_PARALLEL});
}

uint32_t rh_form_sites(const struct rh_forms *forms)
{
    uint32_t count = 0;
    for (size_t i = 0; i < forms->items.count; i++)
        if (forms->items.items[i].kind == RH_FORM_ARROW && forms->items.items[i].site >= count)
            count = forms->items.items[i].site + 1;
    return count;
}
