// SPDX-License-Identifier: MIT
// Long executions leave many forms behind that nobody asks for any more.
#include <stdlib.h>
#include <string.h>

#include "diagram/judge_search.h"

struct copier {
    const struct rh_forms *from;
    struct rh_forms *to;
    uint32_t *copies; // by form; RH_NONE: not copied yet
};

static uint32_t copy(struct copier *copier, uint32_t number);

static uint32_t copy_form(struct copier *copier, const struct rh_form *form)
{
    struct rh_forms *to = copier->to;
    switch (form->kind) {
    case RH_FORM_FAIL:
        return RH_FAIL;
    case RH_FORM_SKIP:
        return RH_SKIP;
    case RH_FORM_MARK:
        return rh_form_mark(to, form->label.from);
    case RH_FORM_ARROW:
        return rh_form_arrow(to, &form->label, form->site);
    case RH_FORM_PENDING:
        return rh_form_pending(to, rh_form_arrow(to, &form->label, form->site), form->place);
    case RH_FORM_CALL:
        return rh_form_call(to, form->left);
    case RH_FORM_SEQUENCE:
        return rh_form_sequence(to, copy(copier, form->left), copy(copier, form->right));
    case RH_FORM_WEAK:
        return rh_form_weak(to, copy(copier, form->left), copy(copier, form->right));
    case RH_FORM_PARALLEL:
        return rh_form_parallel(to, copy(copier, form->left), copy(copier, form->right));
    case RH_FORM_CHOICE:
        return rh_form_choice(to, copy(copier, form->left), copy(copier, form->right));
    default:
        return rh_form_loop(to, copy(copier, form->left), form->least, form->most,
                            rh_form_rounds(form));
    }
}

static uint32_t copy(struct copier *copier, uint32_t number)
{
    if (copier->copies[number] == RH_NONE)
        copier->copies[number] = copy_form(copier, rh_form_get(copier->from, number));
    return copier->copies[number];
}

void rh__judge_compact(struct rh_judge *judge, uint32_t pair)
{
    struct rh_forms old = judge->forms;
    struct rh_form_list *kept = &judge->sets.items[judge->pairs.items[pair].set].forms;
    struct copier copier = {.from = &old, .to = &judge->forms};
    copier.copies = rh_alloc(old.items.count * sizeof *copier.copies);
    memset(copier.copies, 0xff, old.items.count * sizeof *copier.copies);
    rh_forms_init(&judge->forms);
    for (size_t i = 0; i < old.definitions.count; i++)
        *rh_vector_push(&judge->forms.definitions) = old.definitions.items[i];
    for (size_t i = 0; i < old.definitions.count; i++)
        judge->forms.definitions.items[i].form = copy(&copier, old.definitions.items[i].form);
    for (size_t i = 0; i < kept->count; i++)
        kept->items[i] = copy(&copier, kept->items[i]);
    rh_form_list_sort(kept);
    rh_residuals_clear(&judge->residuals);
    rh_table_fini(&judge->set_table);
    judge->set_table = (struct rh_table){0};
    rh_forms_fini(&old);
    free(copier.copies);
}
