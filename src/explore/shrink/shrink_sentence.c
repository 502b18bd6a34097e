// SPDX-License-Identifier: MIT
#include "explore/shrink/shrink_sentence.h"

#include <stdlib.h>
#include <string.h>

enum { FIELDS_NAMED = 3, VALUE_SHOWN = 40 };

// A field in the text of a message's values: "amount = 5".
struct field {
    const char *text;
    size_t length;
};

// Takes the next field from *rest, which stands behind the opening brace or behind a comma. Commas
// within braces, brackets, quotes and parentheses belong to a value. false: there is none.
static bool take_field(const char **rest, struct field *field)
{
    const char *at = *rest;
    while (*at == ' ' || *at == ',')
        at++;
    field->text = at;
    size_t depth = 0;
    char quote = '\0';
    for (; *at && (quote || depth > 0 || (*at != ',' && *at != '}')); at++) {
        if (*at == '\\' && at[1])
            at++;
        else if (quote)
            quote = *at == quote ? '\0' : quote;
        else if (strchr("\"'", *at))
            quote = *at;
        else if (strchr("{[(", *at))
            depth++;
        else if (strchr("}])", *at) && depth > 0)
            depth--;
    }
    field->length = (size_t)(at - field->text);
    *rest = at;
    return field->length > 0;
}

static bool is_same_field(const struct field *one, const struct field *other)
{
    return one->length == other->length && memcmp(one->text, other->text, one->length) == 0;
}

static void add_field(struct rh_text *text, const struct field *field)
{
    bool is_long = field->length > VALUE_SHOWN;
    rh_text_add_bytes(text, field->text, is_long ? VALUE_SHOWN : field->length);
    rh_text_add(text, is_long ? "..." : "");
}

// Adds " {amount = 5}": fields of the one message whose values the other one does not have.
static bool add_differences(struct rh_text *text, const char *one, const char *other)
{
    struct field field, counterpart;
    size_t count = 0;
    if (one[0] != '{' || other[0] != '{')
        return false;
    one++;
    other++;
    while (take_field(&one, &field) && take_field(&other, &counterpart)) {
        if (is_same_field(&field, &counterpart) || count == FIELDS_NAMED)
            continue;
        rh_text_add(text, count++ == 0 ? " {" : ", ");
        add_field(text, &field);
    }
    rh_text_add(text, count > 0 ? "}" : "");
    return count > 0;
}

static bool is_same_text(const char *one, const char *other)
{
    return one && other && strcmp(one, other) == 0;
}

static bool sounds_same(const struct rh_step *one, const struct rh_step *other)
{
    return one->kind == other->kind && is_same_text(one->type, other->type) &&
           is_same_text(one->sender, other->sender) && is_same_text(one->receiver, other->receiver);
}

// Adds the step's message, with what tells it from the other one if that is of the same type.
static void add_step(struct rh_text *text, const struct rh_step *step, const struct rh_step *other)
{
    if (rh_step_is_crash(step->kind)) {
        rh_text_addf(text, "the crash of %s", step->receiver);
        return;
    }
    rh_text_add(text, step->type);
    bool is_told = is_same_text(step->type, other->type) && step->comment && other->comment &&
                   add_differences(text, step->comment, other->comment);
    rh_text_addf(text, " from %s", step->sender);
    if (!is_told && sounds_same(step, other) && step->comment &&
        !is_same_text(step->comment, other->comment))
        rh_text_addf(text, " (%s)", step->comment);
}

void rh_sentence_add_pair(struct rh_text *text, const struct rh_moves *moves, size_t first,
                          const struct rh_late *late)
{
    const struct rh_step *early = rh_moves_step(moves, first);
    add_step(text, early, &late->step);
    if (rh_step_is_crash(early->kind))
        rh_text_add(text, " came before ");
    else
        rh_text_addf(text, " reached %s before ", early->receiver);
    add_step(text, &late->step, early);
    if (late->receiver != moves->items.items[first].receiver)
        rh_text_addf(text, " reached %s", late->step.receiver);
}

void rh_sentence_add_step(struct rh_text *text, const struct rh_moves *moves, size_t move,
                          const struct rh_step *step)
{
    switch (step->kind) {
    case RH_STEP_DROP:
        rh_text_addf(text, "%s from %s to %s was lost", step->type, step->sender, step->receiver);
        return;
    case RH_STEP_DUPLICATE:
        rh_text_addf(text, "%s from %s to %s came once more", step->type, step->sender,
                     step->receiver);
        return;
    case RH_STEP_CRASH:
    case RH_STEP_RESTART:
        rh_text_addf(text, "%s crashed", step->receiver);
        return;
    default:
        break;
    }
    if (step->comment)
        rh_text_addf(text, "%d of %d was chosen (%s) in ", step->outcome, step->count,
                     step->comment);
    else
        rh_text_addf(text, "rh_choose(%d) gave %d in ", step->count, step->outcome);
    if (move == 0)
        rh_text_add(text, "the test's body");
    else
        rh_text_addf(text, "%s to %s", rh_moves_step(moves, move)->type,
                     rh_moves_step(moves, move)->receiver);
}
