// SPDX-License-Identifier: MIT
// Writes a program of some actors whose states hold numbers that never change: numbers SEED ACTORS. Which of their many
// branches are taken depends on nothing but arithmetic.
#include <stdio.h>
#include <stdlib.h>

enum { BRANCHES = 150 };

static const char *const types[] = {"signed char",    "unsigned char", "short",
                                    "unsigned short", "int",           "unsigned",
                                    "long",           "unsigned long", "_Bool"};
enum { TYPES = sizeof types / sizeof types[0] };

static unsigned long seed;

static int draw(int limit)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (int)(seed >> 33) % limit;
}

static void write_number(void)
{
    static const char *const numbers[] = {
        "0",   "1",     "2",     "3",          "7",           "-1",          "-2",
        "127", "128",   "255",   "-128",       "32767",       "-32768",      "65535",
        "100", "12345", "-4321", "2147483647", "-2147483647", "4294967295u", "123456789012345"};
    printf("%s", numbers[draw(sizeof numbers / sizeof numbers[0])]);
}

static void write_expression(int depth);

static void write_pair(const char *before, const char *between, const char *after, int depth)
{
    printf("%s", before);
    write_expression(depth);
    printf("%s", between);
    write_expression(depth);
    printf("%s", after);
}

// Nothing here has a result that C leaves open, with integers that wrap.
static void write_expression(int depth)
{
    switch (depth ? draw(12) : draw(3)) {
    case 0:
        write_number();
        break;
    case 1:
    case 2:
        printf("numbers->f%d", draw(TYPES));
        break;
    case 3:
        printf("(%s)(", types[draw(TYPES)]);
        write_expression(depth - 1);
        printf(")");
        break;
    case 4:
        write_pair("((", ") + (", "))", depth - 1);
        break;
    case 5:
        write_pair("((", ") - (", "))", depth - 1);
        break;
    case 6:
        write_pair("((", ") * (", "))", depth - 1);
        break;
    case 7:
        write_pair("((", ") & (", "))", depth - 1);
        break;
    case 8:
        write_pair("((", ") | (", "))", depth - 1);
        break;
    case 9:
        write_pair("((", draw(2) ? ") % (2 + (unsigned char)(" : ") / (3u + (unsigned char)(",
                   ")))", depth - 1);
        break;
    case 10:
        printf("((%s)(", draw(2) ? "unsigned" : "long");
        write_expression(depth - 1);
        printf(") %s %d)", draw(2) ? ">>" : "<<", draw(32));
        break;
    default:
        write_pair("((", ") ^ (", ") ? ", depth - 1);
        write_expression(depth - 1);
        write_pair(" : (", ") && (", "))", depth - 1);
    }
}

static void write_actor(void)
{
    printf("    rh_send(rh_spawn(begin_behaviour, struct numbers, {to");
    for (int i = 0; i < TYPES; i++) {
        printf(", (%s)", types[i]);
        write_number();
    }
    printf("}), start);\n");
}

int main(int count, char **arguments)
{
    static const char *const comparisons[] = {"==", "!=", "<", "<=", ">", ">="};
    seed = count > 1 ? strtoul(arguments[1], NULL, 10) : 1;
    printf("#include <rehearse/actor.h>\n#include <rehearse/test.h>\n"
           "RH_SIGNAL(start);\nRH_MESSAGE(taken, { int branch; });\n"
           "static void end_behaviour(rh_actor *self, void *state, const rh_message *message)\n"
           "{\n    (void)self, (void)state;\n    rh_ignore(message);\n}\n"
           "struct numbers {\n    rh_actor *to;\n");
    for (int i = 0; i < TYPES; i++)
        printf("    %s f%d;\n", types[i], i);
    printf("};\n"
           "static void begin_behaviour(rh_actor *self, void *state, const rh_message *message)\n"
           "{\n    const struct numbers *numbers = state;\n    (void)self;\n    "
           "rh_ignore(message);\n");
    for (int i = 0; i < BRANCHES; i++) {
        printf("    if (");
        write_expression(3);
        printf(" %s ", comparisons[draw(6)]);
        write_expression(3);
        printf(")\n        rh_send(numbers->to, taken, {%d});\n", i);
    }
    printf("}\nRH_TEST(arithmetic)\n{\n"
           "    rh_actor *to = rh_spawn(end_behaviour);\n");
    for (int i = 0; i < (count > 2 ? atoi(arguments[2]) : 1); i++)
        write_actor();
    printf("}\n");
}
