// SPDX-License-Identifier: MIT
// Generated tests as a file of C. Each test creates the actors with the fields that the class's
// values give them, sends the message, carries its order, and says what all fields are at the end.
#include <inttypes.h>
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
        if (strchr(fields->words[i].path, '<') ||
            (!fields->words[i].value && fields->words[i].actor == RH_NONE))
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
    for (uint32_t i = 0; i < test->actor_count; i++) {
        const struct rh_generate_actor *actor = &test->actors[i];
        bool has_state = actor->initial.word_count || actor->final.word_count;
        if (!actor->behaviour || (has_state && !actor->type) || !has_words(&actor->initial) ||
            (!test->broken && !has_words(&actor->final)))
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

static void add_value(const struct file *file, const struct rh_generate_field *field)
{
    if (field->actor != RH_NONE)
        add_variable(file, field->actor);
    else
        rh_text_add(file->text, field->value);
}

static void add_fields(const struct file *file, const struct rh_generate_fields *fields)
{
    rh_text_add(file->text, "{");
    for (uint32_t i = 0; i < fields->word_count; i++) {
        rh_text_addf(file->text, "%s.%s = ", i ? ", " : "", fields->words[i].path);
        add_value(file, &fields->words[i]);
    }
    rh_text_add(file->text, "}");
}

static void add_final_field(const struct file *file, const struct rh_generate_test *test,
                            const struct rh_generate_field *field)
{
    if (field->actor != RH_NONE)
        rh_text_addf(file->text, "        rh_check(state->%s == rh_view_named(\"%s\"));\n",
                     field->path, test->actors[field->actor].name);
    else
        rh_text_addf(file->text, "        rh_check(state->%s == %s);\n", field->path, field->value);
}

// One block for each actor, since their states differ in type.
static void add_final_actor(const struct file *file, const struct rh_generate_test *test,
                            const struct rh_generate_actor *actor)
{
    rh_text_add(file->text, "    {\n");
    if (actor->is_stopped) {
        rh_text_addf(file->text, "        rh_check(!rh_view_alive(rh_view_named(\"%s\")));\n",
                     actor->name);
    } else if (actor->final.word_count) {
        rh_text_addf(file->text,
                     "        const %s *state = rh_view_state(rh_view_named(\"%s\"));\n",
                     actor->type, actor->name);
        for (uint32_t i = 0; i < actor->final.word_count; i++)
            add_final_field(file, test, &actor->final.words[i]);
    }
    rh_text_add(file->text, "    }\n");
}

static void add_judge(const struct file *file, const struct rh_generate_test *test)
{
    rh_text_addf(file->text, "static void %s_ends(const void *context)\n{\n    (void)context;\n",
                 test->name);
    for (uint32_t i = 0; i < test->actor_count; i++)
        add_final_actor(file, test, &test->actors[i]);
    rh_text_add(file->text, "}\n\n");
}

// More fields than a macro's arguments may have are set in a variable.
static void add_spawn(const struct file *file, const struct rh_generate_test *test, uint32_t index)
{
    const struct rh_generate_actor *actor = &test->actors[index];
    unsigned number = (unsigned)index + 1;
    if (actor->initial.word_count > FIELDS_MOST) {
        rh_text_addf(file->text, "    %s state_%u = ", actor->type, number);
        add_fields(file, &actor->initial);
        rh_text_addf(file->text,
                     ";\n    rh_spawn_at_sized(actor_%u, &state_%u, sizeof state_%u);\n", number,
                     number, number);
        return;
    }
    rh_text_addf(file->text, "    rh_spawn_at(actor_%u", number);
    if (actor->initial.word_count) {
        rh_text_addf(file->text, ", %s, ", actor->type);
        add_fields(file, &actor->initial);
    }
    rh_text_add(file->text, ");\n");
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
    if (!test->broken)
        rh_text_addf(file->text, "    rh_finally(%s_ends, int, {0});\n", test->name);
    rh_text_addf(file->text, "    rh_send(actor_1, %s", file->result->message);
    if (test->message.word_count) {
        rh_text_add(file->text, ", ");
        add_fields(file, &test->message);
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

static void add_head(const struct file *file, const char *const *sources, size_t source_count)
{
    rh_text_addf(
        file->text,
        "// Tests of %s for %s, made by rehearse generate. Run them with\n"
        "//     rehearse explore FILE\n"
        "#include <stdint.h>\n\n"
        "#include <rehearse/actor.h>\n"
        "#include <rehearse/test.h>\n\n"
        "// The tests that the program has itself are left out here.\n"
        "#pragma push_macro(\"RH_TEST\")\n"
        "#undef RH_TEST\n"
        "#define RH_TEST(name) static __attribute__((unused)) void left_out_##name(void)\n",
        file->result->behaviour, file->result->message);
    for (size_t i = 0; i < source_count; i++)
        rh_text_addf(file->text, "#include \"%s\"\n", sources[i]);
    rh_text_add(file->text, "#pragma pop_macro(\"RH_TEST\")\n\n");
}

size_t rh_generate_write_c(struct rh_text *text, const struct rh_generate_result *result,
                           const char *const *sources, size_t source_count)
{
    struct file file = {text, result};
    size_t written = 0;
    add_head(&file, sources, source_count);
    for (size_t i = 0; i < result->tests.count; i++) {
        const struct rh_generate_test *test = &result->tests.items[i];
        if (!can_be_written(test))
            continue;
        if (!test->broken)
            add_judge(&file, test);
        add_body(&file, test);
        add_order(&file, test);
        written++;
    }
    return written;
}
