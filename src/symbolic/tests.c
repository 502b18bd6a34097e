// SPDX-License-Identifier: MIT
// What is kept of a situation in which a test ends: one set of values for what nobody knew, and
// what follows from it.
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "symbolic/internal.h"

static const char *keep(struct rh__sym *sym, struct rh_text *text)
{
    const char *kept = rh_arena_text(&sym->arena, rh_text_get(text), text->length);
    rh_text_fini(text);
    return kept;
}

// --- Fields. ---

static const char *number_text(struct rh__sym *sym, const struct rh__sym_leaf *leaf,
                               uint64_t number)
{
    struct rh_text text = {0};
    bool is_short = leaf->size > 0 && leaf->size < sizeof number;
    unsigned shift = is_short ? 64 - leaf->size * 8 : 0;
    if (leaf->field && leaf->field->is_real) {
        double real = 0;
        float small = 0;
        if (leaf->size == 4) {
            memcpy(&small, &number, sizeof small);
            real = (double)small;
        } else {
            memcpy(&real, &number, sizeof real);
        }
        if (isnan(real))
            return NULL; // it is equal to nothing
        if (isinf(real))
            rh_text_addf(&text, "%s__builtin_inf()", real < 0 ? "-" : "");
        else
            rh_text_addf(&text, "%a", real);
    } else if (leaf->field && leaf->field->is_signed) {
        int64_t value = (int64_t)(number << shift) >> shift;
        if (value == INT64_MIN)
            rh_text_add(&text, "INT64_MIN");
        else
            rh_text_addf(&text, value == INT32_MIN ? "(-2147483647 - 1)" : "%" PRId64, value);
    } else {
        rh_text_addf(&text, leaf->size == 8 ? "%" PRIu64 "u" : "%" PRIu64, number);
    }
    return keep(sym, &text);
}

// Names what the number is the address of. false: of nothing that there is.
static bool name_address(struct rh__sym *sym, const struct rh__sym_situation *situation,
                         const struct rh__sym_leaf *leaf, struct rh_generate_field *field)
{
    uint64_t actor = (field->number - RH__SYM_ACTORS) >> RH__SYM_ACTOR_BITS;
    if (field->number >= RH__SYM_ACTORS &&
        field->number == rh__sym_actor_address((uint32_t)actor) &&
        actor < situation->actors.count) {
        field->actor = (uint32_t)actor;
        return true;
    }
    return rh__sym_block_name(sym, leaf->field, field) ||
           rh__sym_is_address(sym, situation, field->number);
}

static struct rh_generate_field field_of(struct rh__sym *sym,
                                         const struct rh__sym_situation *situation,
                                         const struct rh__sym_leaf *leaf, uint64_t number)
{
    struct rh_generate_field field = {.path = leaf->path,
                                      .actor = RH_NONE,
                                      .block = RH_NONE,
                                      .is_constant = leaf->is_constant,
                                      .offset = leaf->offset,
                                      .size = leaf->size,
                                      .number = number};
    bool is_pointer = leaf->field && leaf->field->is_pointer;
    if (is_pointer && number == 0) {
        field.value = "NULL";
    } else if (is_pointer || (leaf->size == 8 && !leaf->bits)) {
        bool is_address = name_address(sym, situation, leaf, &field) || is_pointer;
        field.is_disguised = is_address && !is_pointer;
        field.value = is_address ? NULL : number_text(sym, leaf, number);
    } else {
        field.value = number_text(sym, leaf, number);
    }
    return field;
}

static uint64_t byte_at(struct rh__sym *sym, const struct rh__sym_object *object, uint64_t offset,
                        struct rh_assignment values)
{
    bool is_unset = false;
    return rh_term_value(&sym->terms, rh__sym_object_read(sym, object, offset, 1, &is_unset),
                         values);
}

// The bits of a bit field, as a number of 32 or 64 bits.
static struct rh_generate_field bit_field_of(struct rh__sym *sym,
                                             const struct rh__sym_situation *situation,
                                             const struct rh__sym_object *object,
                                             const struct rh__sym_leaf *leaf,
                                             struct rh_assignment values)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < leaf->size; i++) {
        uint64_t byte = byte_at(sym, object, leaf->offset + i, values);
        bits |= i == 0 ? byte >> leaf->first_bit : byte << (8 * i - leaf->first_bit);
    }
    unsigned shift = 64 - leaf->bits;
    uint64_t number = bits << shift;
    number = leaf->field->is_signed ? (uint64_t)((int64_t)number >> shift) : number >> shift;
    struct rh__sym_leaf whole = *leaf;
    whole.size = leaf->bits <= 32 ? 4 : 8;
    return field_of(sym, situation, &whole, number);
}

// Whether an address lies in eight bytes of which nobody knows what they are, from this leaf on.
static bool is_address_in_bytes(struct rh__sym *sym, const struct rh__sym_situation *situation,
                                const struct rh__sym_object *object,
                                const struct rh__sym_leaf *leaves, uint32_t count)
{
    struct rh_assignment values = {situation->values.items, situation->values.count};
    bool is_unset = false;
    for (uint32_t i = 0; i < 8; i++)
        if (i >= count || leaves[i].field || leaves[i].size != 1 ||
            leaves[i].offset != leaves[0].offset + i)
            return false;
    rh_term term = rh__sym_object_read(sym, object, leaves[0].offset, 8, &is_unset);
    return !is_unset &&
           rh__sym_is_address(sym, situation, rh_term_value(&sym->terms, term, values));
}

// Leaves of an object with their values; `count` becomes how many fields that gives.
static const struct rh_generate_field *values_of(struct rh__sym *sym,
                                                 const struct rh__sym_situation *situation,
                                                 const struct rh__sym_object *object,
                                                 const struct rh__sym_leaf *leaves, uint32_t *count)
{
    struct rh_generate_field *fields = rh_arena_take(&sym->arena, *count * sizeof *fields + 1);
    struct rh_assignment values = {situation->values.items, situation->values.count};
    uint32_t made = 0;
    for (uint32_t i = 0; i < *count; i++) {
        struct rh__sym_leaf leaf = leaves[i];
        bool is_unset = false;
        if (is_address_in_bytes(sym, situation, object, &leaves[i], *count - i)) {
            leaf.size = 8;
            i += 7;
        }
        rh_term term = rh__sym_object_read(sym, object, leaf.offset, leaf.size, &is_unset);
        fields[made] =
            leaf.bits ? bit_field_of(sym, situation, object, &leaf, values)
                      : field_of(sym, situation, &leaf, rh_term_value(&sym->terms, term, values));
        if (is_unset)
            fields[made].value = NULL;
        made++;
    }
    *count = made;
    return fields;
}

struct rh_generate_fields rh__sym_fields_of(struct rh__sym *sym,
                                            const struct rh__sym_situation *situation,
                                            const struct rh__sym_object *object, const char *record)
{
    if (!object)
        return (struct rh_generate_fields){0};
    return rh__sym_fields_at(sym, situation, object, rh__sym_leaves_of(sym, record, object->size));
}

struct rh_generate_fields rh__sym_fields_at(struct rh__sym *sym,
                                            const struct rh__sym_situation *situation,
                                            const struct rh__sym_object *object,
                                            struct rh__sym_leaves leaves)
{
    struct rh_generate_fields fields = {
        .count = leaves.count, .word_count = leaves.word_count, .size = object->size};
    fields.items = values_of(sym, situation, object, leaves.items, &fields.count);
    fields.words = values_of(sym, situation, object, leaves.words, &fields.word_count);
    return fields;
}

// --- Values that tell more. ---

static bool all_hold(struct rh__sym *sym, const struct rh__sym_condition *condition,
                     struct rh_assignment values)
{
    for (; condition; condition = condition->before)
        if (!rh_term_value(&sym->terms, condition->term, values))
            return false;
    return true;
}

// Whether people would call the number plain: not zero, which hides what is multiplied by it, and
// not large.
static bool is_plain(const struct rh__sym *sym, uint32_t variable, uint64_t value)
{
    enum { LARGE = 100 };
    unsigned shift = 64 - rh_term_width(&sym->terms, sym->terms.variables.items[variable].term);
    int64_t number = (int64_t)(value << shift) >> shift;
    return number && number > -LARGE && number < LARGE;
}

// Looks for plainer values, different ones for different variables, where the class leaves it open.
static void choose_values(struct rh__sym *sym, struct rh__sym_situation *situation)
{
    static const int64_t numbers[] = {3, 5, 7, 11, 13, 2, 1, -1, -2, -3};
    enum { COUNT = sizeof numbers / sizeof numbers[0], POSITIVE = 7 };
    struct rh_assignment values = {situation->values.items, situation->values.count};
    for (uint32_t i = 0; i < situation->values.count; i++) {
        uint64_t value = situation->values.items[i];
        if (sym->unknowns.items[i].is_pointer || is_plain(sym, i, value))
            continue;
        rh_term variable = sym->terms.variables.items[i].term;
        unsigned width = rh_term_width(&sym->terms, variable);
        bool is_found = false;
        for (size_t k = 0; k < COUNT && !is_found; k++) {
            int64_t number = numbers[k < POSITIVE ? (k + i) % POSITIVE : k];
            rh_term constant = rh_term_constant(&sym->terms, width, (uint64_t)number);
            rh_term_is_constant(&sym->terms, constant, &situation->values.items[i]);
            is_found = all_hold(sym, situation->conditions, values);
        }
        if (!is_found)
            situation->values.items[i] = value;
    }
}

// --- Conditions, steps and actors. ---

static void add_condition(struct rh__sym *sym, const struct rh__sym_condition *condition,
                          struct rh_text *text)
{
    if (!condition)
        return;
    add_condition(sym, condition->before, text);
    if (condition->is_silent)
        return;
    rh_text_add(text, text->length ? " && " : "");
    rh_term_print(&sym->terms, condition->term, text);
}

// Addresses that were decided are conditions, too.
static void add_bindings(struct rh__sym *sym, const struct rh__sym_situation *situation,
                         struct rh_text *text)
{
    for (size_t i = 0; i < situation->bindings.count; i++) {
        const struct rh__sym_binding *binding = &situation->bindings.items[i];
        uint64_t number;
        rh_term_is_constant(&sym->terms, binding->value, &number);
        if (!sym->unknowns.items[binding->variable].is_pointer)
            continue;
        uint64_t actor = (number - RH__SYM_ACTORS) >> RH__SYM_ACTOR_BITS;
        rh_text_addf(text, "%s%s == %s", text->length ? " && " : "",
                     sym->terms.variables.items[binding->variable].name,
                     number == 0 ? "NULL"
                     : number >= RH__SYM_ACTORS && number < RH__SYM_MESSAGES
                         ? situation->actors.items[actor].name
                         : "");
        const struct rh__sym_block *block = rh__sym_block_at(situation, number);
        if (block)
            rh_text_addf(text, "&%u", (unsigned)(block - situation->blocks.items) + 1);
    }
}

static struct rh_generate_step step_of(struct rh__sym *sym,
                                       const struct rh__sym_situation *situation,
                                       const struct rh__sym_event *event)
{
    struct rh_assignment values = {situation->values.items, situation->values.count};
    struct rh_generate_step step = {.receiver = event->receiver,
                                    .sender = event->sender,
                                    .identity = event->identity,
                                    .outcomes = event->choices};
    if (event->choices)
        step.outcome = (uint32_t)rh_term_value(&sym->terms, event->choice, values);
    else
        step.type = sym->types.items[event->type].name;
    return step;
}

static const struct rh_generate_step *
steps_of(struct rh__sym *sym, const struct rh__sym_situation *situation, uint32_t *count)
{
    *count = 0;
    for (const struct rh__sym_event *each = situation->events; each; each = each->before)
        ++*count;
    struct rh_generate_step *steps = rh_arena_take(&sym->arena, *count * sizeof *steps + 1);
    uint32_t at = *count;
    for (const struct rh__sym_event *each = situation->events; each; each = each->before)
        steps[--at] = step_of(sym, situation, each);
    return steps;
}

const char *rh__sym_type_of(struct rh__sym *sym, const char *record, uint64_t size)
{
    if (!record || *record == '<')
        return NULL; // C has no name for it
    const struct rh_ir_record *found = rh_ir_record_find(sym->module, record, size);
    struct rh_text text = {0};
    rh_text_addf(&text, "%s%s",
                 found && found->is_typedef ? ""
                 : found && found->is_union ? "union "
                                            : "struct ",
                 record);
    return keep(sym, &text);
}

static const char *record_of(const struct rh__sym_actor *actor)
{
    return actor->record && !strncmp(actor->record, "struct ", 7) ? actor->record + 7
                                                                  : actor->record;
}

static struct rh_generate_actor *actors_of(struct rh__sym *sym,
                                           const struct rh__sym_situation *situation)
{
    struct rh_generate_actor *actors =
        rh_arena_take(&sym->arena, situation->actors.count * sizeof *actors + 1);
    for (size_t i = 0; i < situation->actors.count; i++) {
        const struct rh__sym_actor *it = &situation->actors.items[i];
        const struct rh__sym_object *state =
            it->state == RH_NONE ? NULL : situation->objects.items[it->state];
        const char *record = record_of(it);
        actors[i] = (struct rh_generate_actor){
            .name = it->name,
            .behaviour = it->behaviour == RH_NONE ? NULL : it->spawned_as,
            .type = state ? rh__sym_type_of(sym, record, state->size) : NULL,
            .is_initial = it->parent == RH_NONE,
            .is_outside = it->is_outside,
            .is_stopped = it->is_stopped,
            .initial = rh__sym_fields_of(sym, situation, it->initial, record),
        };
    }
    return actors;
}

static void set_final(struct rh__sym *sym, const struct rh__sym_situation *situation,
                      struct rh_generate_actor *actors)
{
    for (size_t i = 0; i < situation->actors.count; i++) {
        const struct rh__sym_actor *it = &situation->actors.items[i];
        if (it->state != RH_NONE)
            actors[i].final = rh__sym_fields_of(sym, situation, situation->objects.items[it->state],
                                                record_of(it));
    }
}

// --- Inputs. ---

// The number as a value of the type; NULL if it is neither an integer nor a real number.
static const char *scalar_text(struct rh__sym *sym, const char *type, unsigned size,
                               uint64_t number)
{
    struct rh_ir_field field = {.is_real = !strcmp(type, "float") || !strcmp(type, "double"),
                                .is_signed = !strstr(type, "unsigned") && !strstr(type, "uint") &&
                                             strcmp(type, "size_t") != 0 &&
                                             strcmp(type, "bool") != 0};
    struct rh__sym_leaf leaf = {.size = size, .field = &field};
    const char *text = number_text(sym, &leaf, number);
    // These are C's words for what no literal of C is.
    return !strcmp(text, "INT64_MIN")           ? "-9223372036854775808"
           : !strcmp(text, "(-2147483647 - 1)") ? "-2147483648"
                                                : text;
}

// As a schedule has it: `5`, or `{amount = 5, limit = 3}`.
static const char *input_text(struct rh__sym *sym, const struct rh__sym_situation *situation,
                              const struct rh__sym_input *input)
{
    const struct rh__sym_object *object = situation->objects.items[input->object];
    struct rh_generate_fields fields = rh__sym_fields_of(sym, situation, object, input->type);
    if (!rh_ir_record_find(sym->module, input->type, object->size)) {
        uint64_t number = 0;
        for (uint32_t i = 0; i < fields.count && i < 8; i++)
            number |= fields.items[i].number << 8 * fields.items[i].offset;
        return fields.count > 8 ? NULL : scalar_text(sym, input->type, fields.count, number);
    }
    struct rh_text text = {0};
    bool has_words = true;
    for (uint32_t i = 0; i < fields.word_count; i++) {
        const struct rh_generate_field *field = &fields.words[i];
        rh_text_addf(&text, "%s%s = %s", i ? ", " : "{", field->path,
                     field->value ? field->value : "NULL");
        has_words = has_words && field->value && !strpbrk(field->path, "[.<");
    }
    rh_text_add(&text, "}");
    const char *kept = keep(sym, &text);
    return has_words ? kept : NULL;
}

static const struct rh_generate_input *inputs_of(struct rh__sym *sym,
                                                 const struct rh__sym_situation *situation)
{
    struct rh_generate_input *inputs =
        rh_arena_take(&sym->arena, situation->inputs.count * sizeof *inputs + 1);
    for (size_t i = 0; i < situation->inputs.count; i++)
        inputs[i] =
            (struct rh_generate_input){situation->inputs.items[i].name,
                                       input_text(sym, situation, &situation->inputs.items[i])};
    return inputs;
}

// --- Messages of the body. ---

static const struct rh_generate_message *messages_of(struct rh__sym *sym,
                                                     const struct rh__sym_situation *situation)
{
    uint32_t at = situation->arrivals ? situation->arrivals->count : 0;
    struct rh_generate_message *messages = rh_arena_take(&sym->arena, at * sizeof *messages + 1);
    for (const struct rh__sym_arrival *each = situation->arrivals; each; each = each->before) {
        const char *type = sym->types.items[each->type].name;
        messages[--at] = (struct rh_generate_message){
            .type = type,
            .receiver = each->receiver,
            .sender = each->sender,
            .identity = each->identity,
            .fields = rh__sym_fields_of(sym, situation, each->payload, type)};
    }
    return messages;
}

// --- The test. ---

static const char *const *calls_of(struct rh__sym *sym, const struct rh__sym_situation *situation)
{
    uint32_t at = situation->called ? situation->called->count : 0;
    const char **calls = rh_arena_take(&sym->arena, at * sizeof *calls + 1);
    for (const struct rh__sym_called *each = situation->called; each; each = each->before)
        calls[--at] = each->text;
    return calls;
}

static const char *name_of(struct rh__sym *sym, bool is_broken)
{
    struct rh_text name = {0};
    if (sym->result->test)
        rh_text_add(&name, sym->result->test);
    else
        rh_text_addf(&name, "%s_%s", sym->result->behaviour, sym->result->message);
    rh_text_addf(&name, "_%zu%s", sym->result->tests.count + 1, is_broken ? "_breaks" : "");
    return keep(sym, &name);
}

static uint32_t first_of(const struct rh__sym *sym, const struct rh__sym_situation *situation,
                         uint32_t actor)
{
    uint32_t kept = situation->actors.items[actor].kept;
    for (uint32_t i = 0; i < sym->behaviours.count; i++)
        if (rh__sym_kept_has(sym, kept, sym->behaviours.items[i].function))
            return i;
    return 0;
}

// An actor that got nothing but an address can have any behaviour: then the test can be run.
static void decide_rest(struct rh__sym *sym, struct rh__sym_situation *situation)
{
    for (uint32_t i = 0; i < situation->actors.count; i++)
        if (situation->actors.items[i].behaviour == RH_NONE &&
            !situation->actors.items[i].is_outside)
            rh__sym_become_initial(sym, situation, i, first_of(sym, situation, i));
}

void rh__sym_test_add(struct rh__sym *sym, struct rh__sym_situation *situation,
                      const struct rh__sym_object *message)
{
    decide_rest(sym, situation);
    choose_values(sym, situation);
    struct rh_text condition = {0};
    add_condition(sym, situation->conditions, &condition);
    add_bindings(sym, situation, &condition);
    bool is_broken = situation->end == RH__SYM_BROKEN;
    struct rh_generate_test test = {.condition = keep(sym, &condition),
                                    .name = name_of(sym, is_broken),
                                    .number = sym->result->tests.count + 1};
    rh__sym_blocks_begin(sym, situation);
    test.message = rh__sym_fields_of(sym, situation, message, sym->result->message);
    struct rh_generate_actor *actors = actors_of(sym, situation);
    test.actors = actors;
    rh__sym_blocks_turn(sym);
    set_final(sym, situation, actors);
    rh__sym_blocks_end(sym, &test);
    test.actor_count = (uint32_t)situation->actors.count;
    test.steps = steps_of(sym, situation, &test.step_count);
    test.identity = sym->first_identity;
    test.inputs = inputs_of(sym, situation);
    test.input_count = (uint32_t)situation->inputs.count;
    if (sym->options->any_messages) {
        test.messages = messages_of(sym, situation);
        test.message_count = situation->arrivals ? situation->arrivals->count : 0;
    }
    test.calls = calls_of(sym, situation);
    test.call_count = situation->called ? situation->called->count : 0;
    if (is_broken) {
        test.broken = situation->reason;
        test.place = (struct rh_generate_place){situation->place.file, situation->place.line};
        test.is_undefined = situation->is_undefined;
    }
    *rh_vector_push(&sym->result->tests) = test;
}

void rh__sym_note(struct rh__sym *sym, const char *text, struct rh_ir_place place)
{
    for (size_t i = 0; i < sym->result->notes.count; i++) {
        struct rh_generate_note *note = &sym->result->notes.items[i];
        if (!strcmp(note->text, text) && note->place.line == place.line &&
            (!note->place.file || !place.file || !strcmp(note->place.file, place.file))) {
            note->count++;
            return;
        }
    }
    *rh_vector_push(&sym->result->notes) =
        (struct rh_generate_note){text, {place.file, place.line}, 1};
}
