// SPDX-License-Identifier: MIT
// Writes a random actor program: generate SEED. The same seed gives the same program. generate SEED COUNT writes those
// of COUNT seeds from SEED on into one file, where each has names of its own, as pSEED_random. With a third argument,
// unguarded, none of them has a guard: the engine looks at a whole file's, and can do more where there is none. With wide,
// each has several timers, most behaviours a guard, judges look at waiting messages by index, and wild ones keep files.
//
// Every actor has the same kind of state (random/prelude.h), whose fuel bounds what it sends, spawns
// and chooses, so every program ends. What differs is the topology, the first messages, what the
// handlers do under which conditions, guards, invariants and final checks.
//
// The first line of a program says what it holds beyond the rules of actors:
//     // random program SEED: plain      nothing: the oracle can judge it
//     // random program SEED: wild       crashes, exits, globals, the process's own lists, rand in
//                                        decisions, bytes that nobody has set: only the engine can
//                                        judge it
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
    bool is_wide;
    bool is_wild;
    int actor_count;
    int behaviour_count;
    int depth;     // of nested conditions
    bool may_wait; // the statement stands where rh_ask is allowed
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

static void line(const struct program *program, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void line(const struct program *program, const char *format, ...)
{
    va_list arguments;

    printf("%*s", 4 * (program->depth + 1), "");
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
}

// --- Expressions. Each gives a string that stays valid until the program ends. ---

static const char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));

static const char *text(const char *format, ...)
{
    va_list arguments;
    char *result = NULL;

    va_start(arguments, format);
    if (vasprintf(&result, format, arguments) < 0)
        abort();
    va_end(arguments);
    return result;
}

static const char *acquaintance(struct program *program)
{
    switch (below(program, 12)) {
    case 0:
        return "rh_self()";
    case 1:
        return "(who ? who : friend_of(s, 0))";
    case 2:
        return "friend_of(s, s->hash)";
    default:
        return text("friend_of(s, %u)", below(program, 3));
    }
}

static const char *number(struct program *program)
{
    switch (below(program, 8)) {
    case 0:
        return text("%u", below(program, 10));
    case 1:
        return "s->count";
    case 2:
        return "(int)(s->hash % 7)";
    case 3:
        return "(int)rh_now()";
    case 4:
        return "value + 1";
    case 5:
        return "list_sum(s) % 11";
    default:
        return "value";
    }
}

static const char *condition(struct program *program)
{
    if (program->is_wild && one_in(program, 8))
        return text("s->noise %% 3 == %u", below(program, 3));
    switch (below(program, 7)) {
    case 0:
        return text("s->hash %% 2 == %u", below(program, 2));
    case 1:
        return text("s->count %s %u", one_in(program, 2) ? ">" : "<=", 1 + below(program, 3));
    case 2:
        return "value & 1";
    case 3:
        return text("rh_now() >= %u", 1 + below(program, 10));
    case 4:
        return text("s->phase == %u", below(program, 3));
    case 5:
        return "s->list";
    default:
        return text("s->sum %% 3 != %u", below(program, 3));
    }
}

static unsigned delay(struct program *program)
{
    static const unsigned delays[] = {0, 1, 5, 5, 5, 10};

    return delays[below(program, sizeof delays / sizeof *delays)];
}

// --- Statements. ---

// Timers of one handler at one actor, the later one often set first.
static void statement_timers(struct program *program)
{
    const char *to = acquaintance(program);

    line(program, "if (spend(s) && spend(s)) {");
    line(program, "    rh_after(%u, %s, number, {%s, 0});", 1 + delay(program), to,
         number(program));
    line(program, "    rh_after(%u, %s, %s);", delay(program), to,
         one_in(program, 2) ? "tick" : text("number, {%s, 0}", number(program)));
    line(program, "}");
}

static void statement_send(struct program *program)
{
    if (program->is_wide && one_in(program, 3)) {
        statement_timers(program);
        return;
    }
    const char *to = acquaintance(program);

    line(program, "if (spend(s))");
    switch (below(program, 10)) {
    case 0:
        line(program, "    rh_send(%s, tick);", to);
        break;
    case 7:
        line(program, "    rh_send(%s, question, {%s});", to, number(program));
        break;
    case 1:
        line(program, "    rh_send(%s, contact, {%s, %s});", to, acquaintance(program),
             number(program));
        break;
    case 2:
        line(program, "    send_letters(%s, 1 + (unsigned)(%s) %% %u);", to, number(program),
             1 + below(program, 60));
        break;
    case 3:
        line(program, "    send_parcel(s, %s, %u, %s);", to, below(program, 5), number(program));
        break;
    case 4:
    case 5:
        line(program, "    rh_after(%u, %s, number, {%s, 0});", delay(program), to,
             number(program));
        break;
    case 6:
        line(program, "    rh_after(%u, %s, tick);", delay(program), to);
        break;
    default:
        line(program, "    rh_send(%s, number, {%s, 0});", to, number(program));
    }
}

// A request, with something alive on the stack and in the heap across the wait.
static void statement_ask(struct program *program)
{
    const char *to = acquaintance(program);

    if (!program->may_wait) {
        statement_send(program);
        return;
    }
    line(program, "if (spend(s))");
    switch (below(program, 4)) {
    case 0:
        line(program, "    ask_deep(s, %s, %s, %u);", to, number(program), below(program, 4));
        break;
    case 1:
        line(program, "    ask_with_block(s, %s, %s, %u);", to, number(program),
             1 + below(program, 3000));
        break;
    case 2:
        line(program, "    ask_wide(s, %s, %s);", to, number(program));
        break;
    default:
        line(program, "    ask(s, %s, %s);", to, number(program));
    }
}

static void statement_memory(struct program *program)
{
    switch (below(program, 8)) {
    case 0:
        line(program, "list_push(s, %s);", number(program));
        break;
    case 1:
        line(program, "list_push(s, %s);", number(program));
        break;
    case 2:
        line(program, "mix(s, list_pop(s));");
        break;
    case 3:
        line(program, "items_resize(s, %u);", below(program, 6));
        break;
    case 4:
        line(program, "items_resize(s, %u);", 100 * below(program, 20));
        break;
    case 5:
        line(program, "label(s, %s);", number(program));
        break;
    case 6:
        line(program, "list_clear(s);");
        break;
    default:
        line(program, "items_aligned(s, %u);", 16u << below(program, 8));
    }
}

static void statement_self(struct program *program)
{
    switch (below(program, 10)) {
    case 0:
        line(program, "rh_become(%sbehaviour_%u);", program->prefix,
             below(program, (unsigned)program->behaviour_count));
        break;
    case 1:
        line(program, "rh_at_stop(%s);", one_in(program, 3) ? "farewell" : "release");
        break;
    case 2:
        line(program, "if (spend(s))");
        line(program, "    mix(s, 100 + rh_choose(%u));", 2 + below(program, 2));
        break;
    case 3:
        line(program, "s->friends[%u] = who ? who : rh_self();", below(program, 3));
        break;
    case 4:
        line(program, "s->phase = (char)((s->phase + 1) %% 3);");
        break;
    case 5:
        line(program, "s->when = rh_now();");
        break;
    case 6:
        line(program, "s->noise += (unsigned)rand() ^ (unsigned)time(NULL);");
        break;
    case 7:
        line(program, "printf(\"%%u %%d\\n\", s->hash, value);");
        break;
    case 8:
        line(program, "rh_check(s->hash %% %u != %u);", 11 + below(program, 50),
             below(program, 11));
        break;
    default:
        if (one_in(program, 2))
            line(program, "rh_stop();");
        else
            line(program, "rh_check(s->count < %u);", 3 + below(program, 4));
    }
}

static void statement_spawn(struct program *program)
{
    unsigned behaviour = below(program, (unsigned)program->behaviour_count);

    line(program, "if (spend(s))");
    switch (below(program, 4)) {
    case 0:
        line(program, "    s->friends[%u] = rh_spawn(relay_behaviour);", below(program, 3));
        break;
    case 1:
        line(program, "    spawn_sized(s, %sbehaviour_%u);", program->prefix, behaviour);
        break;
    default:
        line(program, "    spawn_child(s, %sbehaviour_%u, %u, %s);", program->prefix, behaviour,
             below(program, 3), number(program));
    }
}

static void statement_wild(struct program *program)
{
    if (program->is_wide && one_in(program, 4)) {
        line(program, "count_in_file(s);");
        return;
    }
    switch (below(program, 13)) {
    case 0:
        line(program, "shared_counter += 1 + value;");
        break;
    case 1:
        line(program, "mix(s, ++shared_counter);");
        break;
    case 2:
        line(program, "mix(s, rand() %% 5);");
        break;
    case 3:
        line(program, "if (s->hash %% 13 == %u)", below(program, 13));
        line(program, "    *(volatile int *)nowhere(s) = 1;");
        break;
    case 4:
        line(program, "if (s->hash %% 13 == %u)", below(program, 13));
        line(program, "    exit(%u);", below(program, 3));
        break;
    case 5:
        line(program, "if (s->hash %% 17 == %u)", below(program, 17));
        line(program, "    abort();");
        break;
    case 6:
        line(program, "if (s->hash %% 17 == %u)", below(program, 17));
        line(program, "    list_break(s);");
        break;
    case 7:
        line(program, "touch_file(s);");
        break;
    case 8:
        line(program, "memory_stream(s);");
        break;
    case 9:
        line(program, "touch_given(s, %s);", acquaintance(program));
        break;
    case 10:
        line(program, "library_state(s, value);");
        break;
    case 11:
        line(program, "leave_bytes(%s);", number(program));
        line(program, "if (spend(s))");
        line(program, "    send_unset(%s);", acquaintance(program));
        break;
    default:
        line(program, "shared_array[s->hash %% 3000] ^= (char)value;");
    }
}

static void statement(struct program *program);

static void statement_if(struct program *program)
{
    unsigned count = 1 + below(program, 2);

    line(program, "if (%s) {", condition(program));
    program->depth++;
    while (count-- > 0)
        statement(program);
    program->depth--;
    if (one_in(program, 2)) {
        line(program, "} else {");
        program->depth++;
        statement(program);
        program->depth--;
    }
    line(program, "}");
}

static void statement(struct program *program)
{
    unsigned kind = below(program, program->is_wild ? 25 : 22);

    if (kind < 3)
        line(program, "mix(s, %s);", number(program));
    else if (kind < 8)
        statement_send(program);
    else if (kind < 10)
        statement_ask(program);
    else if (kind < 13)
        statement_memory(program);
    else if (kind < 16)
        statement_self(program);
    else if (kind < 17)
        statement_spawn(program);
    else if (kind < 22)
        program->depth < 2 ? statement_if(program)
                           : line(program, "s->sum += %s;", number(program));
    else
        statement_wild(program);
}

static void statements(struct program *program, unsigned count)
{
    while (count-- > 0)
        statement(program);
}

// --- Behaviours. ---

static void write_handler(struct program *program, int behaviour, const char *type)
{
    printf("static void %son_%s_%d(struct state *s, const rh_message *message, int value, "
           "rh_actor *who)\n{\n",
           program->prefix, type, behaviour);
    line(program, "(void)message, (void)value, (void)who;");
    // A handler that changes nothing is one that invariants can't tell.
    if (one_in(program, 4)) {
        line(program, "(void)s;");
        while (one_in(program, 2))
            statement_send(program);
        printf("}\n\n");
        return;
    }
    line(program, "s->count++;");
    if (!one_in(program, 4))
        line(program, "mix(s, %u + value);", below(program, 50));
    statements(program, 1 + below(program, 4));
    printf("}\n\n");
}

// A question is answered at once, after more work, or (seldom) not at all or twice.
static void write_question(struct program *program, int behaviour)
{
    printf("static void %son_question_%d(struct state *s, const rh_message *message, int value, "
           "rh_actor *who)\n{\n",
           program->prefix, behaviour);
    line(program, "(void)who;");
    line(program, "s->count++;");
    statements(program, below(program, 2));
    if (!one_in(program, 15))
        line(program, "rh_reply(message, answer, {(int)(s->hash %% 9) + value});");
    statements(program, below(program, 2));
    if (one_in(program, 30))
        line(program, "rh_reply(message, answer, {value});");
    printf("}\n\n");
}

static void write_guard(struct program *program, int behaviour)
{
    static const char *const types[] = {"number", "tick", "contact", "letters", "question"};
    const char *type = types[below(program, 5)];
    const char *other = program->is_wide ? types[below(program, 2)] : type;

    printf("static bool %sguard_%d(const void *state, const rh_message *message)\n{\n",
           program->prefix, behaviour);
    line(program, "const struct state *s = state;");
    line(program, "bool is_other = !rh_as(message, %s) && !rh_as(message, %s);", type, other);
    switch (below(program, 3)) {
    case 0:
        line(program, "return s->count >= %u || is_other;", 1 + below(program, 2));
        break;
    case 1:
        line(program, "return s->hash %% 3 != %u || is_other;", below(program, 3));
        break;
    default:
        line(program, "return s->phase == %u || is_other;", below(program, 2));
    }
    printf("}\nRH_GUARD(%sbehaviour_%d, %sguard_%d);\n\n", program->prefix, behaviour,
           program->prefix, behaviour);
}

static void write_case(struct program *program, int behaviour, const char *type, const char *who)
{
    if (one_in(program, 25))
        return;
    line(program, "else if ((%s = rh_as(message, %s)))", type, type);
    line(program, "    %son_%s_%d(s, message, %s->value, %s);", program->prefix, type, behaviour,
         type, who);
}

static void write_behaviour(struct program *program, int behaviour)
{
    static const char *const simple[] = {"tick", "number", "contact", "letters", "parcel"};

    program->may_wait = true;
    for (int i = 0; i < 5; i++)
        write_handler(program, behaviour, simple[i]);
    write_question(program, behaviour);
    printf(
        "static void %sbehaviour_%d(rh_actor *self, void *state, const rh_message *message)\n{\n",
        program->prefix, behaviour);
    line(program, "struct state *s = state;");
    line(program, "const struct number *number;");
    line(program, "const struct contact *contact;");
    line(program, "const struct question *question;");
    line(program, "const struct letters *letters;");
    line(program, "const struct parcel *parcel;");
    line(program, "const struct answer *answer;");
    line(program, "(void)self, (void)number, (void)contact, (void)question;\n");
    line(program, "if (rh_as(message, tick))");
    line(program, "    %son_tick_%d(s, message, 3, rh_self());", program->prefix, behaviour);
    write_case(program, behaviour, "number", "NULL");
    write_case(program, behaviour, "contact", "contact->who");
    write_case(program, behaviour, "question", "rh_sender(message)");
    line(program, "else if ((letters = rh_as(message, letters)))");
    line(program, "    %son_letters_%d(s, message, letters_sum(message, letters), NULL);",
         program->prefix, behaviour);
    line(program, "else if ((parcel = rh_as(message, parcel)))");
    line(program, "    %son_parcel_%d(s, message, parcel_take(s, parcel), NULL);", program->prefix,
         behaviour);
    line(program, "else if ((answer = rh_as(message, answer)))");
    line(program, "    mix(s, answer->value);");
    if (one_in(program, 2))
        line(program, "else\n        rh_ignore(message);");
    printf("}\n\n");
    if (one_in(program, program->is_wide ? 2 : 3) && !program->is_unguarded)
        write_guard(program, behaviour);
}

// --- The test. ---

// A check of which of the waiting messages a judge sees first.
static void write_order(struct program *program, unsigned actor)
{
    line(program, "const struct number *first = rh_view_pending(watched->actors[%u], number, 0);",
         actor);
    line(program, "const struct number *second = rh_view_pending(watched->actors[%u], number, 1);",
         actor);
    line(program, "rh_check(!second || first->value <= second->value + %u);", below(program, 3));
}

static void write_invariant(struct program *program, unsigned number)
{
    unsigned one = below(program, (unsigned)program->actor_count);
    unsigned other = below(program, (unsigned)program->actor_count);

    printf("static void %sinvariant_%u(const void *context)\n{\n", program->prefix, number);
    line(program, "const struct watched *watched = context;");
    line(program, "const struct state *one = rh_view_state(watched->actors[%u]);", one);
    line(program, "const struct state *other = rh_view_state(watched->actors[%u]);\n", other);
    switch (below(program, program->is_wide ? 9 : 7)) {
    case 0:
        line(program, "rh_check(!one || !other || (one->hash ^ other->hash) %% %u != 3);",
             20 + below(program, 80));
        break;
    case 1:
        line(program, "(void)other;");
        line(program, "rh_check(!one || one->count < %u);", 3 + below(program, 4));
        break;
    case 2:
        line(program, "(void)one, (void)other;");
        line(program, "rh_check(rh_view_count(watched->actors[%u], number) < %u);", one,
             2 + below(program, 3));
        break;
    case 3:
        line(program, "(void)one, (void)other;");
        line(program, "rh_check(counts_of(watched, %d) < %u);", program->actor_count,
             6 + below(program, 8));
        break;
    case 4:
        line(program, "(void)one, (void)other;");
        line(program, "rh_check(rh_view_alive(watched->actors[%u]) ||", one);
        line(program, "         rh_view_alive(watched->actors[%u]));", other);
        break;
    case 5:
        line(program, "(void)other;");
        line(program, "rh_check(!one || one->count < 2 || counts_of(watched, %d) < %u);",
             program->actor_count, 5 + below(program, 8));
        break;
    case 6:
        line(program, "(void)one, (void)other;");
        write_order(program, other);
        break;
    default:
        line(program, "(void)one, (void)other;");
        line(program,
             "const struct number *waiting = "
             "rh_view_pending(watched->actors[%u], number, %u);",
             other, below(program, 2));
        line(program, "rh_check(!waiting || waiting->value != %u);", below(program, 10));
    }
    printf("}\n\n");
}

static void write_final(struct program *program)
{
    printf("static void %sfinal(const void *context)\n{\n", program->prefix);
    line(program, "const struct watched *watched = context;\n");
    line(program, "show(\"%s\", watched, %d);", program->prefix, program->actor_count);
    if (one_in(program, 2)) {
        unsigned one = below(program, (unsigned)program->actor_count);
        line(program, "const struct state *s = rh_view_state(watched->actors[%u]);", one);
        line(program, "rh_check(!s || s->hash %% %u != %u);", 3 + below(program, 20),
             below(program, 3));
    }
    if (one_in(program, program->is_wide ? 2 : 3))
        write_order(program, below(program, (unsigned)program->actor_count));
    printf("}\n\n");
}

static void write_first_message(struct program *program, int senders)
{
    unsigned to = below(program, (unsigned)program->actor_count);
    unsigned who = below(program, (unsigned)program->actor_count);
    unsigned value = below(program, 10);

    if (senders > 0 && one_in(program, 2))
        line(program, "rh_send_from(outside[%u], actors[%u], number, {%u, 0});",
             below(program, (unsigned)senders), to, value);
    else if (one_in(program, 3))
        line(program, "rh_send(actors[%u], contact, {actors[%u], %u});", to, who, value);
    else if (one_in(program, 5))
        line(program, "rh_after(%u, actors[%u], number, {%u, 0});", delay(program), to, value);
    else if (one_in(program, 6))
        line(program, "send_letters(actors[%u], %u);", to, 1 + below(program, 20));
    else if (one_in(program, 4))
        line(program, "rh_send(actors[%u], tick);", to);
    else
        line(program, "rh_send(actors[%u], number, {%u, 0});", to, value);
}

static void write_actor(struct program *program, int index)
{
    unsigned behaviour = below(program, (unsigned)program->behaviour_count);

    line(program, "actors[%d] = rh_spawn(%sbehaviour_%u, struct state,", index, program->prefix,
         behaviour);
    line(program, "                     {.fuel = %u, .hash = %u%s%s});",
         below(program, 100) < 20 ? 0 : 1 + below(program, program->actor_count > 3 ? 3 : 4),
         below(program, 50),
         index > 0 ? text(", .friends[%u] = actors[%u]", below(program, 3),
                          below(program, (unsigned)index))
                   : "",
         index > 1 ? text(", .friends[%u] = actors[%u]", below(program, 3),
                          below(program, (unsigned)index))
                   : "");
}

static void write_judge(struct program *program, const char *kind, const char *name)
{
    printf("    rh_%s(%s%s, struct watched, {{", kind, program->prefix, name);
    for (int i = 0; i < program->actor_count; i++)
        printf("%sactors[%d]", i ? ", " : "", i);
    printf("}});\n");
}

static void write_test(struct program *program, unsigned invariants)
{
    unsigned senders = below(program, 3);
    unsigned messages = 2 + below(program, 3);

    printf("RH_TEST(%srandom)\n{\n", program->prefix);
    line(program, "rh_actor *actors[%d];", program->actor_count);
    if (senders > 0)
        line(program, "rh_actor *outside[%u];", senders);
    putchar('\n');
    for (unsigned i = 0; i < senders; i++)
        line(program, "outside[%u] = rh_outside(\"sender %u\");", i, i);
    for (int i = 0; i < program->actor_count; i++)
        write_actor(program, i);
    if (one_in(program, 12))
        line(program, "rh_send(actors[0], number, {rh_choose(2), 0});");
    if (one_in(program, 3))
        line(program, "rh_send(actors[0], contact, {actors[%d], 1});", program->actor_count - 1);
    while (messages-- > 0)
        write_first_message(program, (int)senders);
    write_judge(program, "finally", "final");
    for (unsigned i = 0; i < invariants; i++)
        write_judge(program, "invariant", text("invariant_%u", i));
    printf("}\n");
}

static void write_program(uint64_t seed, const char *prefix, const char *change)
{
    struct program program = {.random = seed * UINT64_C(0xD1342543DE82EF95),
                              .prefix = prefix,
                              .is_unguarded = strcmp(change, "unguarded") == 0,
                              .is_wide = strcmp(change, "wide") == 0};
    program.is_wild = one_in(&program, 3);
    program.actor_count = 2 + (int)below(&program, 4);
    program.behaviour_count = 1 + (int)below(&program, 3);
    unsigned invariants = one_in(&program, 2) ? 0 : 1 + below(&program, 3);

    printf("// random program %" PRIu64 ": %s\n#include \"prelude.h\"\n\n", seed,
           program.is_wild ? "wild" : "plain");
    for (int i = 0; i < program.behaviour_count; i++)
        printf("static rh_behaviour %sbehaviour_%d;\n", prefix, i);
    putchar('\n');
    for (int i = 0; i < program.behaviour_count; i++)
        write_behaviour(&program, i);
    for (unsigned i = 0; i < invariants; i++)
        write_invariant(&program, i);
    write_final(&program);
    write_test(&program, invariants);
}

int main(int argument_count, char **arguments)
{
    if (argument_count < 2 || argument_count > 4)
        return 2;
    const char *change = argument_count == 4 ? arguments[3] : "";
    uint64_t seed = strtoull(arguments[1], NULL, 10);
    if (argument_count == 2)
        write_program(seed, "", "");
    uint64_t end = seed + (argument_count > 2 ? strtoull(arguments[2], NULL, 10) : 0);
    for (; seed < end; seed++) {
        char prefix[32];
        snprintf(prefix, sizeof prefix, "p%" PRIu64 "_", seed);
        write_program(seed, prefix, change);
    }
    return fflush(stdout) != 0;
}
