// SPDX-License-Identifier: MIT
// Generated tests as a file of C. Each test creates the actors with the fields that the class's
// values give them, sends the message, carries its order, and says what all fields are at the end.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbolic/write.h"

// More fields than this do not fit between the braces of a macro's argument.
enum { FIELDS_MOST = 60 };

struct file {
    struct rh_text *text;
    const struct rh_generate_result *result;
};

// --- What C has words for. ---

static bool has_words(const struct rh_generate_fields *fields)
{
    for (uint32_t i = 0; i < fields->word_count; i++)
        if (strchr(fields->words[i].path, '<') || fields->words[i].is_disguised ||
            rh_generate_is_nameless(&fields->words[i]))
            return false;
    return true;
}

// Whether C can't assign to all of it.
static bool has_constant(const struct rh_generate_fields *fields)
{
    for (uint32_t i = 0; i < fields->word_count; i++)
        if (fields->words[i].is_constant)
            return true;
    return false;
}

static bool is_written(const struct rh_generate_block *block)
{
    return (block->type || block->element) && has_words(&block->initial) &&
           !(block->has_tail && has_constant(&block->initial));
}

// At the end an address without a name is not looked at.
static bool has_final_words(const struct rh_generate_fields *fields)
{
    for (uint32_t i = 0; i < fields->word_count; i++)
        if (strchr(fields->words[i].path, '<'))
            return false;
    return true;
}

static bool can_be_written(const struct rh_generate_test *test)
{
    if (test->is_undefined || test->message.word_count > FIELDS_MOST || !has_words(&test->message))
        return false;
    for (uint32_t i = 0; i < test->input_count; i++)
        if (!test->inputs[i].value)
            return false;
    for (uint32_t i = 0; i < test->block_count; i++)
        if (test->blocks[i].is_initial && !is_written(&test->blocks[i]))
            return false;
    for (uint32_t i = 0; i < test->actor_count; i++) {
        const struct rh_generate_actor *actor = &test->actors[i];
        bool has_state = actor->initial.word_count || actor->final.word_count;
        if (!actor->behaviour || (has_state && !actor->type) || !has_words(&actor->initial) ||
            (!test->broken && !has_final_words(&actor->final)))
            return false;
    }
    return true;
}

// --- A test. ---

// The variable of the test's body that holds an initial actor's address: `actor_1`.
static void add_variable(const struct file *file, uint32_t actor)
{
    rh_text_addf(file->text, "actor_%u", (unsigned)actor + 1);
}

// What a field of a state is while the actor has no blocks yet is NULL.
static void add_value(const struct file *file, const struct rh_generate_field *field,
                      bool has_blocks)
{
    if (field->actor != RH_NONE)
        add_variable(file, field->actor);
    else if (field->block != RH_NONE)
        rh_text_addf(file->text, has_blocks ? "block_%u" : "NULL", field->block + 1);
    else
        rh_text_add(file->text, field->value);
}

static void add_fields(const struct file *file, const struct rh_generate_fields *fields,
                       bool has_blocks)
{
    rh_text_add(file->text, "{");
    for (uint32_t i = 0; i < fields->word_count; i++) {
        const char *path = fields->words[i].path;
        rh_text_addf(file->text, "%s%s%s = ", i ? ", " : "", *path == '[' ? "" : ".", path);
        add_value(file, &fields->words[i], has_blocks);
    }
    rh_text_add(file->text, "}");
}

// A judge of a test, which walks over what states lead to.
struct judging {
    const struct file *file;
    const struct rh_generate_test *test;
    bool *is_met;    // by block: its variable is set
    uint32_t *leads; // by block: how many fields lead there
    // Fields that lead into blocks whose start was not met before them.
    RH_VECTOR(struct rh_generate_inside {
        char *place; // owned
        const struct rh_generate_field *field;
    })
    later;
};

static bool can_be_checked(const struct rh_generate_field *field)
{
    return !strchr(field->path, '<') && !field->is_disguised && !rh_generate_is_nameless(field);
}

static bool has_any_to_check(const struct rh_generate_fields *fields)
{
    for (uint32_t i = 0; i < fields->word_count; i++)
        if (can_be_checked(&fields->words[i]))
            return true;
    return false;
}

static void count_leads(struct judging *judging, const struct rh_generate_fields *fields)
{
    for (uint32_t i = 0; i < fields->word_count; i++)
        if (fields->words[i].block != RH_NONE && can_be_checked(&fields->words[i]))
            judging->leads[fields->words[i].block]++;
}

static void add_final_fields(struct judging *judging, const struct rh_generate_fields *fields,
                             const char *owner);

// That the field leads to a block whose variable is set.
static void add_address_check(struct rh_text *text, const char *place,
                              const struct rh_generate_field *field)
{
    unsigned number = field->block + 1;
    rh_text_addf(text, "    rh_check(%s == (const void *)%sblock_%u", place,
                 field->inside ? "((const char *)" : "", number);
    if (field->inside)
        rh_text_addf(text, " + %" PRIu64 ")", field->inside);
    rh_text_add(text, ");\n");
}

// `const struct node *block_1`, `void *const *block_2`.
static void add_declaration(struct rh_text *text, const struct rh_generate_block *block,
                            const char *name)
{
    const char *type = block->type ? block->type : block->element;
    bool is_pointer = type[strlen(type) - 1] == '*';
    rh_text_addf(text, is_pointer ? "    %sconst *%s" : "    const %s *%s", type, name);
}

// The first field that leads to the block's start gives its address.
static void add_final_block(struct judging *judging, const char *place,
                            const struct rh_generate_field *field)
{
    struct rh_text *text = judging->file->text;
    const struct rh_generate_block *block = &judging->test->blocks[field->block];
    if (!block->type && !block->element)
        return;
    if (!judging->is_met[field->block] && field->inside) {
        *rh_vector_push(&judging->later) = (struct rh_generate_inside){rh_strdup(place), field};
        return;
    }
    if (judging->is_met[field->block]) {
        add_address_check(text, place, field);
        return;
    }
    rh_text_addf(text, "    rh_check(%s);\n", place);
    judging->is_met[field->block] = true;
    if (judging->leads[field->block] < 2 && !has_any_to_check(&block->final))
        return; // nobody asks for its address
    char owner[24];
    snprintf(owner, sizeof owner, "block_%u", (unsigned)field->block + 1);
    add_declaration(text, block, owner);
    rh_text_addf(text, " = (const void *)%s;\n", place);
    add_final_fields(judging, &block->final, owner);
}

static void add_final_field(struct judging *judging, const struct rh_generate_field *field,
                            const char *owner)
{
    struct rh_text *text = judging->file->text, place = {0};
    if (!can_be_checked(field))
        return;
    rh_text_addf(&place, "%s%s%s", owner, *field->path == '[' ? "" : "->", field->path);
    if (field->block != RH_NONE)
        add_final_block(judging, rh_text_get(&place), field);
    else if (field->actor != RH_NONE)
        rh_text_addf(text, "    rh_check(%s == rh_view_named(\"%s\"));\n", rh_text_get(&place),
                     judging->test->actors[field->actor].name);
    else
        rh_text_addf(text, "    rh_check(%s == %s);\n", rh_text_get(&place), field->value);
    rh_text_fini(&place);
}

static void add_final_fields(struct judging *judging, const struct rh_generate_fields *fields,
                             const char *owner)
{
    for (uint32_t i = 0; i < fields->word_count; i++)
        add_final_field(judging, &fields->words[i], owner);
}

static void add_final_actor(struct judging *judging, uint32_t index)
{
    struct rh_text *text = judging->file->text;
    const struct rh_generate_actor *actor = &judging->test->actors[index];
    if (actor->is_stopped) {
        rh_text_addf(text, "    rh_check(!rh_view_alive(rh_view_named(\"%s\")));\n", actor->name);
    } else if (has_any_to_check(&actor->final)) {
        char owner[24];
        snprintf(owner, sizeof owner, "state_%u", (unsigned)index + 1);
        rh_text_addf(text, "    const %s *%s = rh_view_state(rh_view_named(\"%s\"));\n",
                     actor->type, owner, actor->name);
        add_final_fields(judging, &actor->final, owner);
    }
}

static void add_judge(const struct file *file, const struct rh_generate_test *test)
{
    rh_text_addf(file->text, "static void %s_ends(const void *context)\n{\n    (void)context;\n",
                 test->name);
    struct judging judging = {
        .file = file,
        .test = test,
        .is_met = rh_alloc(test->block_count + 1),
        .leads = rh_alloc((test->block_count + 1) * sizeof *judging.leads),
    };
    for (uint32_t i = 0; i < test->actor_count; i++)
        if (!test->actors[i].is_stopped)
            count_leads(&judging, &test->actors[i].final);
    for (uint32_t i = 0; i < test->block_count; i++)
        count_leads(&judging, &test->blocks[i].final);
    for (uint32_t i = 0; i < test->actor_count; i++)
        add_final_actor(&judging, i);
    for (size_t i = 0; i < judging.later.count; i++) {
        const struct rh_generate_inside *it = &judging.later.items[i];
        if (judging.is_met[it->field->block])
            add_address_check(file->text, it->place, it->field);
        free(it->place);
    }
    rh_text_add(file->text, "}\n\n");
    rh_vector_fini(&judging.later);
    free(judging.is_met);
    free(judging.leads);
}

// More fields than a macro's arguments may have are set in a variable.
static void add_spawn(const struct file *file, const struct rh_generate_test *test, uint32_t index)
{
    const struct rh_generate_actor *actor = &test->actors[index];
    unsigned number = (unsigned)index + 1;
    if (actor->initial.word_count > FIELDS_MOST) {
        rh_text_addf(file->text, "    %s state_%u = ", actor->type, number);
        add_fields(file, &actor->initial, false);
        rh_text_addf(file->text,
                     ";\n    rh_spawn_at_sized(actor_%u, &state_%u, sizeof state_%u);\n", number,
                     number, number);
        return;
    }
    rh_text_addf(file->text, "    rh_spawn_at(actor_%u", number);
    if (actor->initial.word_count) {
        rh_text_addf(file->text, ", %s, ", actor->type);
        add_fields(file, &actor->initial, false);
    }
    rh_text_add(file->text, ");\n");
}

static void add_new_block(const struct file *file, const struct rh_generate_block *block,
                          unsigned number)
{
    unsigned actor = block->actor + 1;
    if (block->type && !block->has_tail && block->count == 1)
        rh_text_addf(file->text, "    %s *block_%u = rh_block_of(actor_%u, sizeof *block_%u);\n",
                     block->type, number, actor, number);
    else if (block->type && !block->has_tail)
        rh_text_addf(file->text,
                     "    %s *block_%u = rh_block_of(actor_%u, %" PRIu64 " * sizeof *block_%u);\n",
                     block->type, number, actor, block->count, number);
    else if (block->type)
        rh_text_addf(file->text, "    %s *block_%u = rh_block_of(actor_%u, %" PRIu64 ");\n",
                     block->type, number, actor, block->initial.size);
    else
        rh_text_addf(file->text, "    void *block_%u = rh_block_of(actor_%u, %" PRIu64 ");\n",
                     number, actor, block->initial.size);
}

// What a block holds. Which of C's types of this size an element has is not known.
static void add_contents(const struct file *file, const struct rh_generate_block *block,
                         unsigned number)
{
    if (block->type && block->has_tail) {
        for (uint32_t i = 0; i < block->initial.word_count; i++) {
            rh_text_addf(file->text, "    block_%u->%s = ", number, block->initial.words[i].path);
            add_value(file, &block->initial.words[i], true);
            rh_text_add(file->text, ";\n");
        }
        return;
    }
    if (block->type && (block->count > 1 || has_constant(&block->initial))) {
        rh_text_addf(file->text, "    memcpy(block_%u, (const %s[])", number, block->type);
        rh_text_add(file->text, block->count > 1 ? "" : "{");
        add_fields(file, &block->initial, true);
        rh_text_add(file->text, block->count > 1 ? ", " : "}, ");
        rh_text_addf(file->text, "%" PRIu64 " * sizeof *block_%u);\n", block->count, number);
        return;
    }
    if (block->type) {
        rh_text_addf(file->text, "    *block_%u = (%s)", number, block->type);
        add_fields(file, &block->initial, true);
        rh_text_add(file->text, ";\n");
        return;
    }
    rh_text_addf(file->text, "    memcpy(block_%u, (const %s[]){", number, block->element);
    for (uint32_t i = 0; i < block->initial.word_count; i++) {
        rh_text_add(file->text, i ? ", " : "");
        add_value(file, &block->initial.words[i], true);
    }
    rh_text_addf(file->text, "}, %" PRIu64 ");\n", block->initial.size);
}

// The fields of a state that lead to blocks.
static void add_links(const struct file *file, const struct rh_generate_actor *actor,
                      unsigned number)
{
    for (uint32_t i = 0; i < actor->initial.word_count; i++) {
        const struct rh_generate_field *field = &actor->initial.words[i];
        if (field->block != RH_NONE)
            rh_text_addf(file->text,
                         field->is_constant
                             ? "    memcpy((void *)&((%s *)rh_state_of(actor_%u))->%s, "
                               "&(void *){block_%u}, sizeof(void *));\n"
                             : "    ((%s *)rh_state_of(actor_%u))->%s = block_%u;\n",
                         actor->type, number, field->path, field->block + 1);
    }
}

static void add_blocks(const struct file *file, const struct rh_generate_test *test)
{
    for (uint32_t i = 0; i < test->block_count; i++)
        if (test->blocks[i].is_initial)
            add_new_block(file, &test->blocks[i], i + 1);
    for (uint32_t i = 0; i < test->block_count; i++)
        if (test->blocks[i].is_initial)
            add_contents(file, &test->blocks[i], i + 1);
    for (uint32_t i = 0; i < test->actor_count; i++)
        if (test->actors[i].is_initial)
            add_links(file, &test->actors[i], i + 1);
}

static void add_body(const struct file *file, const struct rh_generate_test *test)
{
    if (test->broken) {
        rh_text_addf(file->text, "// Breaks: %s", test->broken);
        if (test->place.file)
            rh_text_addf(file->text, ", %s:%u", test->place.file, test->place.line);
        rh_text_add(file->text, ".\n");
    }
    for (uint32_t i = 0; i < test->call_count; i++)
        rh_text_addf(file->text, "// Called for this test, with these values only: %s.\n",
                     test->calls[i]);
    rh_text_addf(file->text, "// %s\nRH_TEST(%s)\n{\n",
                 *test->condition ? test->condition : "Always.", test->name);
    for (uint32_t i = 0; i < test->actor_count; i++)
        if (test->actors[i].is_initial) {
            rh_text_add(file->text, "    rh_actor *");
            add_variable(file, i);
            rh_text_addf(file->text, " = rh_reserve(%s);\n", test->actors[i].behaviour);
        }
    for (uint32_t i = 0; i < test->actor_count; i++)
        if (test->actors[i].is_initial)
            add_spawn(file, test, i);
    add_blocks(file, test);
    if (!test->broken)
        rh_text_addf(file->text, "    rh_finally(%s_ends, int, {0});\n", test->name);
    rh_text_addf(file->text, "    rh_send(actor_1, %s", file->result->message);
    if (test->message.word_count) {
        rh_text_add(file->text, ", ");
        add_fields(file, &test->message, true);
    }
    rh_text_add(file->text, ");\n}\n\n");
}

static void add_order(const struct file *file, const struct rh_generate_test *test)
{
    rh_text_addf(file->text, "RH_TEST_ORDER(%s,\n    \"order %s\\n\"", test->name,
                 file->result->keeps_order ? "fifo" : "any");
    for (uint32_t i = 0; i < test->input_count; i++)
        rh_text_addf(file->text, "\n    \"input %s = %s\\n\"", test->inputs[i].name,
                     test->inputs[i].value);
    for (uint32_t i = 0; i < test->step_count; i++) {
        const struct rh_generate_step *it = &test->steps[i];
        if (!it->type) {
            rh_text_addf(file->text, "\n    \"choose %u of %u\\n\"", it->outcome, it->outcomes);
            continue;
        }
        rh_text_addf(file->text, "\n    \"deliver %s to %s from %s @%016" PRIx64 "\\n\"", it->type,
                     test->actors[it->receiver].name,
                     it->sender == RH_NONE ? "outside" : test->actors[it->sender].name,
                     it->identity);
    }
    rh_text_add(file->text, ");\n\n");
}

#define NOT_USED "static __attribute__((unused)) void "

// What a program's own tests are made of, and what stands there instead.
static const struct {
    const char *macro, *is;
} left_out[] = {
    {"RH_TEST", "(name) " NOT_USED "left_out_##name(void)"},
    {"RH_FINALLY", "(name) " NOT_USED "left_out_finally_##name(void)"},
    {"RH_INVARIANT", "(name) " NOT_USED "left_out_invariant_##name(void)"},
    {"RH_TEST_ORDER", "(name, steps) _Static_assert(1, \"\")"},
};

static void add_head(struct rh_text *text, const char *const *sources, size_t source_count)
{
    rh_text_add(text, " by rehearse generate. Run them with\n"
                      "//     rehearse explore FILE\n"
                      "#include <stdint.h>\n"
                      "#include <string.h>\n\n"
                      "#include <rehearse/actor.h>\n"
                      "#include <rehearse/test.h>\n\n"
                      "// The tests that the program has itself are left out here.\n");
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        rh_text_addf(text, "#pragma push_macro(\"%s\")\n#undef %s\n#define %s%s\n",
                     left_out[i].macro, left_out[i].macro, left_out[i].macro, left_out[i].is);
    for (size_t i = 0; i < source_count; i++)
        rh_text_addf(text, "#include \"%s\"\n", sources[i]);
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        rh_text_addf(text, "#pragma pop_macro(\"%s\")\n", left_out[i].macro);
    rh_text_add(text, "\n");
}

// Gives how many of the result's tests were written.
static size_t add_tests(const struct file *file)
{
    size_t written = 0;
    for (size_t i = 0; i < file->result->tests.count; i++) {
        const struct rh_generate_test *test = &file->result->tests.items[i];
        if (!can_be_written(test))
            continue;
        if (!test->broken)
            add_judge(file, test);
        add_body(file, test);
        add_order(file, test);
        written++;
    }
    return written;
}

size_t rh_generate_write_c(struct rh_text *text, const struct rh_generate_result *results,
                           size_t count, const char *const *sources, size_t source_count)
{
    size_t written = 0;
    if (count == 1)
        rh_text_addf(text, "// Tests of %s for %s, made", results->behaviour, results->message);
    else
        rh_text_add(text, "// Tests made");
    add_head(text, sources, source_count);
    for (size_t i = 0; i < count; i++)
        written += add_tests(&(struct file){text, &results[i]});
    return written;
}
