// SPDX-License-Identifier: MIT
// Writes a small random actor program: orders SEED. The same seed gives the same program. orders SEED COUNT writes those
// of COUNT seeds from SEED on into one file, where each has names of its own, as pSEED_random. A third argument
// changes them all: with unguarded none has a guard (the engine looks at a whole file's, and can do more where there is
// none); with votes it is so, and what actors do with messages from many senders mostly commutes, until something does not.
//
// Where generate.c has a bit of everything, these programs have what makes the order of deliveries matter, and little
// else, so that searches which leave out orders have much to get wrong: actors that stop with messages on their way,
// guards that refuse for a while, requests that make others wait, timers for oneself and for others, messages in
// somebody else's name, choices, invariants over two actors, and checks that fail in some orders only.
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct program {
    uint64_t random;
    const char *prefix; // of its names
    bool is_unguarded;
    bool has_votes; // much that commutes
    unsigned actor_count;
    unsigned behaviour_count;
    unsigned invariant_count;
    unsigned sender_count;
};

static unsigned below(struct program *program, unsigned count)
{
    uint64_t word = program->random += UINT64_C(0x9E3779B97F4A7C15);
    word = (word ^ (word >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    word = (word ^ (word >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (unsigned)((word ^ (word >> 31)) % count);
}

static bool one_in(struct program *program, unsigned count)
{
    return below(program, count) == 0;
}

static void line(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void line(const char *format, ...)
{
    va_list arguments;
    printf("    ");
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
}

// Statements.

static void write_condition(struct program *program)
{
    unsigned number = below(program, 3);
    switch (below(program, 6)) {
    case 0:
        line("if (s->count > %u)", number);
        break;
    case 1:
        line("if (s->count == %u)", 1 + number);
        break;
    case 2:
        line("if (s->hash %% 2 == %u)", number % 2);
        break;
    case 3:
        line("if (s->phase == %u)", number);
        break;
    case 4:
        line("if (value %% 3 == %u)", number);
        break;
    default:
        line("if (s->sum %% 3 == %u)", number);
    }
}

static unsigned delay(struct program *program)
{
    static const unsigned delays[] = {0, 1, 1, 5};
    return delays[below(program, sizeof delays / sizeof *delays)];
}

static void write_send(struct program *program, unsigned value)
{
    unsigned to = below(program, 3);
    switch (below(program, 8)) {
    case 0:
        line("    spend(s) ? rh_send(friend_of(s, %u), tick) : (void)0;", to);
        break;
    case 1:
        line("    spend(s) ? rh_send(friend_of(s, %u), question, {%u}) : (void)0;", to, value);
        break;
    case 2:
        line("    spend(s) ? rh_send(rh_self(), number, {%u, 0}) : (void)0;", value);
        break;
    case 3:
        line("    s->name && spend(s) ? rh_send_from(s->name, friend_of(s, %u), number, {%u, 0})",
             to, value);
        line("                        : (void)0;");
        break;
    default:
        line("    spend(s) ? rh_send(friend_of(s, %u), number, {%u + value, 0}) : (void)0;", to,
             value);
    }
}

// What commutes with its like, as long as no condition tells the one that comes first.
static void write_vote(struct program *program, unsigned value)
{
    switch (below(program, 5)) {
    case 0:
        line("    s->phase = (char)(s->phase | %u);", 1u << value % 3);
        break;
    case 1:
        line("    s->phase = (char)(s->phase > value ? s->phase : value);");
        break;
    case 2:
        line("    s->sum ^= %uu << (value & 7);", value + 1);
        break;
    default:
        write_send(program, value);
    }
}

static void write_statement(struct program *program)
{
    unsigned value = below(program, 6);
    if (!one_in(program, 3))
        write_condition(program);
    if (program->has_votes && !one_in(program, 4)) {
        write_vote(program, value);
        return;
    }
    switch (below(program, 18)) {
    case 0:
        line("    rh_stop();");
        break;
    case 1:
        line("    rh_become(%sbehaviour_%u);", program->prefix,
             below(program, program->behaviour_count));
        break;
    case 2:
    case 3:
        line("    s->phase = %u;", value % 3);
        break;
    case 4:
        line("    spend(s) ? mix(s, 100 + rh_choose(2)) : (void)0;");
        break;
    case 5:
        line("    rh_check(s->phase != %u || s->count < %u);", value % 3, 2 + below(program, 2));
        break;
    case 6:
        line("    rh_check(s->hash %% %u != %u);", 5 + below(program, 9), value);
        break;
    case 7:
    case 8:
        line("    spend(s) ? ask(s, friend_of(s, %u), %u) : (void)0;", value % 3, value);
        break;
    case 9:
        line("    spend(s) ? rh_after(%u, rh_self(), number, {%u, 0}) : (void)0;", delay(program),
             value);
        break;
    case 10:
        line("    spend(s) ? rh_after(%u, friend_of(s, %u), number, {%u, 0}) : (void)0;",
             delay(program), value % 3, value);
        break;
    case 11:
        line("    spend(s) ? spawn_child(s, %sbehaviour_%u, %u, %u) : (void)0;", program->prefix,
             below(program, program->behaviour_count), below(program, 2), value);
        break;
    case 12:
        line("    rh_at_stop(farewell);");
        break;
    default:
        write_send(program, value);
    }
}

// Behaviours.

static void write_handler(struct program *program, unsigned behaviour, const char *type)
{
    printf("static void %son_%s_%u(struct state *s, const rh_message *message, int value)\n{\n",
           program->prefix, type, behaviour);
    line("(void)message;");
    line("s->count++;");
    bool adds = one_in(program, 3) || (program->has_votes && !one_in(program, 8));
    line(adds ? "s->sum += (unsigned)value;" : "mix(s, value);");
    bool is_question = *type == 'q';
    if (is_question)
        line("s->friends[2] = rh_sender(message);");
    bool is_answered = is_question && !one_in(program, 8);
    if (is_answered && one_in(program, 2)) {
        line("rh_reply(message, answer, {value + s->count});");
        is_answered = false;
    }
    for (unsigned count = below(program, 3) + !is_question; count > 0; count--)
        write_statement(program);
    if (is_answered)
        line("rh_reply(message, answer, {(int)(s->hash %% 5)});");
    printf("}\n\n");
}

static void write_guard(struct program *program, unsigned behaviour)
{
    static const char *const types[] = {"number", "number", "tick", "question"};
    const char *type = types[below(program, 4)];
    unsigned number = below(program, 3);
    printf("static bool %sguard_%u(const void *state, const rh_message *message)\n{\n",
           program->prefix, behaviour);
    line("const struct state *s = state;");
    switch (below(program, 5)) {
    case 0:
        line("return s->count > %u || !rh_as(message, %s);", number, type);
        break;
    case 1:
        line("return s->hash %% 2 == %u || !rh_as(message, %s);", number % 2, type);
        break;
    case 2:
        line("return s->phase == %u || !rh_as(message, %s);", number, type);
        break;
    case 3:
        line("const struct number *number = rh_as(message, number);");
        line("return !number || number->value %% 3 != %u || s->count > 1;", number);
        break;
    default:
        line("const struct number *number = rh_as(message, number);");
        line("return !number || number->value %% 2 != s->count %% 2;");
    }
    printf("}\nRH_GUARD(%sbehaviour_%u, %sguard_%u);\n\n", program->prefix, behaviour,
           program->prefix, behaviour);
}

static void write_behaviour(struct program *program, unsigned behaviour)
{
    static const char *const types[] = {"tick", "number", "question"};
    for (int i = 0; i < 3; i++)
        write_handler(program, behaviour, types[i]);
    printf(
        "static void %sbehaviour_%u(rh_actor *self, void *state, const rh_message *message)\n{\n",
        program->prefix, behaviour);
    line("struct state *s = state;");
    line("const struct number *number;");
    line("const struct question *question;");
    line("(void)self;");
    line("if (rh_as(message, tick))");
    line("    %son_tick_%u(s, message, 3);", program->prefix, behaviour);
    line("else if ((number = rh_as(message, number)))");
    line("    %son_number_%u(s, message, number->value);", program->prefix, behaviour);
    line("else if ((question = rh_as(message, question)))");
    line("    %son_question_%u(s, message, question->value);", program->prefix, behaviour);
    if (!one_in(program, 8))
        line("else\n        rh_ignore(message);");
    printf("}\n\n");
    if (one_in(program, 2) && !program->is_unguarded)
        write_guard(program, behaviour);
}

// The test.

static void write_invariant(struct program *program, unsigned index)
{
    unsigned one = below(program, program->actor_count);
    unsigned other = (one + 1 + below(program, program->actor_count - 1)) % program->actor_count;
    unsigned number = 1 + below(program, 3);
    printf("static void %sinvariant_%u(const void *context)\n{\n", program->prefix, index);
    line("const struct watched *watched = context;");
    line("const struct state *one = rh_view_state(watched->actors[%u]);", one);
    switch (below(program, 8)) {
    case 0:
        line("rh_check(!one || one->count <= %u);", number + 1);
        break;
    case 1:
        line("rh_check(one || rh_view_alive(watched->actors[%u]));", other);
        break;
    case 2:
        line("rh_check(!one || one->count < %u ||", number);
        line("         rh_view_count(watched->actors[%u], number) < 2);", other);
        break;
    case 3:
        line("if (one && one->count == %u) {", number);
        line("    const struct state *other = rh_view_state(watched->actors[%u]);", other);
        line("    rh_check(!other || other->count != %u);", below(program, 3));
        line("}");
        break;
    default:
        line("const struct state *other = rh_view_state(watched->actors[%u]);", other);
        line("rh_check(!one || !other || one->count + %u * other->count != %u);",
             1 + below(program, 3), number + 3);
    }
    printf("}\n\n");
}

static void write_final(struct program *program)
{
    printf("static void %sfinal(const void *context)\n{\n", program->prefix);
    line("const struct watched *watched = context;");
    line("show(\"%s\", watched, %u);", program->prefix, program->actor_count);
    if (one_in(program, 3)) {
        line("const struct state *s = rh_view_state(watched->actors[%u]);",
             below(program, program->actor_count));
        line("rh_check(!s || s->hash %% 5 != %u);", below(program, 5));
    }
    printf("}\n\n");
}

static void write_first_message(struct program *program)
{
    unsigned to = below(program, program->actor_count), value = below(program, 6);
    if (program->has_votes && !one_in(program, 4)) {
        line("rh_send_from(outside[%u], actors[%u], number, {%u, 0});",
             below(program, program->sender_count), to / 2, value);
        return;
    }
    switch (below(program, 6)) {
    case 0:
        line("rh_send(actors[%u], tick);", to);
        break;
    case 1:
        line("rh_after(%u, actors[%u], number, {%u, 0});", delay(program), to, value);
        break;
    case 2:
    case 3:
        if (program->sender_count > 0) {
            line("rh_send_from(outside[%u], actors[%u], number, {%u, 0});",
                 below(program, program->sender_count), to, value);
            break;
        }
        // fall through
    default:
        line("rh_send(actors[%u], number, {%u, 0});", to, value);
    }
}

static void write_actors(struct program *program)
{
    for (unsigned i = 0; i < program->actor_count; i++) {
        line("actors[%u] = rh_spawn(%sbehaviour_%u, struct state, {.fuel = %u, .phase = %u", i,
             program->prefix, below(program, program->behaviour_count), below(program, 3),
             below(program, 2));
        for (unsigned j = 0; i > 0 && j < 2; j++)
            line("    , .friends[%u] = actors[%u]", j, below(program, i));
        if (program->sender_count > 0 && one_in(program, 2))
            line("    , .name = outside[0]");
        line("});");
    }
}

static void write_judge(const struct program *program, const char *kind, const char *name)
{
    printf("    rh_%s(%s%s, struct watched, {{", kind, program->prefix, name);
    for (unsigned i = 0; i < program->actor_count; i++)
        printf("%sactors[%u]", i ? ", " : "", i);
    printf("}});\n");
}

static void write_test(struct program *program)
{
    static const char *const names[] = {"invariant_0", "invariant_1"};
    printf("RH_TEST(%srandom)\n{\n", program->prefix);
    line("rh_actor *actors[%u];", program->actor_count);
    line("rh_actor *outside[%u];", program->sender_count + 1);
    for (unsigned i = 0; i < program->sender_count; i++)
        line("outside[%u] = rh_outside(\"sender %u\");", i, i);
    write_actors(program);
    if (one_in(program, 12))
        line("rh_send(actors[0], number, {rh_choose(2), 0});");
    for (unsigned count = 2 + program->has_votes + below(program, 3); count > 0; count--)
        write_first_message(program);
    write_judge(program, "finally", "final");
    for (unsigned i = 0; i < program->invariant_count; i++)
        write_judge(program, "invariant", names[i]);
    printf("}\n");
}

static void write_program(uint64_t seed, const char *prefix, const char *change)
{
    struct program program = {.random = seed * UINT64_C(0xD1342543DE82EF95),
                              .prefix = prefix,
                              .is_unguarded = *change != '\0',
                              .has_votes = strcmp(change, "votes") == 0};
    program.actor_count = 2 + below(&program, 3);
    program.behaviour_count = 1 + below(&program, 2);
    program.sender_count = below(&program, 3);
    program.invariant_count = one_in(&program, 2) ? 1 + one_in(&program, 3) : 0;
    if (program.has_votes) {
        program.sender_count = 3;
        program.invariant_count = one_in(&program, 6);
    }
    printf("// random program %" PRIu64 ": plain\n#include \"prelude.h\"\n\n", seed);
    for (unsigned i = 0; i < program.behaviour_count; i++)
        printf("static rh_behaviour %sbehaviour_%u;\n", prefix, i);
    putchar('\n');
    for (unsigned i = 0; i < program.behaviour_count; i++)
        write_behaviour(&program, i);
    for (unsigned i = 0; i < program.invariant_count; i++)
        write_invariant(&program, i);
    write_final(&program);
    write_test(&program);
}

int main(int argument_count, char **arguments)
{
    const char *change = argument_count == 4 ? arguments[3] : "";
    if (argument_count < 2 || argument_count > 4)
        return 2;
    uint64_t seed = strtoull(arguments[1], NULL, 10);
    if (argument_count == 2)
        write_program(seed, "", change);
    uint64_t end = seed + (argument_count > 2 ? strtoull(arguments[2], NULL, 10) : 0);
    for (; seed < end; seed++) {
        char prefix[32];
        snprintf(prefix, sizeof prefix, "p%" PRIu64 "_", seed);
        write_program(seed, prefix, change);
    }
    return fflush(stdout) != 0;
}
