// SPDX-License-Identifier: MIT
// Writes a large actor program: big BEHAVIOURS LINES. Each behaviour has a state, message types and functions of its own,
// knows some others by state, by message and through a registry that all share, and uses functions that all share.
#include <stdio.h>
#include <stdlib.h>

static long lines;

#define LINE(...) (printf(__VA_ARGS__), putchar('\n'), lines++)

static void write_shared(void)
{
    LINE("#include <rehearse/actor.h>");
    LINE("#include <rehearse/test.h>");
    LINE("#include <stdlib.h>");
    LINE("#include <string.h>");
    LINE("RH_SIGNAL(start);");
    LINE("RH_SIGNAL(done);");
    LINE("RH_MESSAGE(introduce, { rh_actor *who; int hops; });");
    LINE("struct node { struct node *next; rh_actor *who; int weight; };");
    LINE("static void remember(struct node **list, rh_actor *who, int weight)");
    LINE("{");
    LINE("    struct node *node = malloc(sizeof *node);");
    LINE("    *node = (struct node){*list, who, weight};");
    LINE("    *list = node;");
    LINE("}");
    LINE("static rh_actor *recall(const struct node *list, int weight)");
    LINE("{");
    LINE("    for (; list; list = list->next)");
    LINE("        if (list->weight >= weight)");
    LINE("            return list->who;");
    LINE("    return NULL;");
    LINE("}");
    LINE("static int mix(int a, int b) { return (a * 31) ^ (b >> 3); }");
}

// Work that has nothing to do with messages: what most of a program is.
static void write_work(int number, int length)
{
    LINE("static int work_%d(int *cells, int count, int value)", number);
    LINE("{");
    for (int i = 0; i < length; i++) {
        switch (i % 5) {
        case 0:
            LINE("    for (int i%d = 0; i%d < count; i%d++)", i, i, i);
            LINE("        cells[i%d] = mix(cells[i%d], value + %d);", i, i, number);
            break;
        case 1:
            LINE("    if (value %% %d == 1)", i + 2);
            LINE("        value += cells[%d];", i % 8);
            break;
        case 2:
            LINE("    cells[%d] ^= value << %d;", i % 8, i % 7);
            break;
        case 3:
            LINE("    value = mix(value, cells[value & 7]);");
            break;
        default:
            LINE("    value -= %d;", i * number % 1000);
        }
    }
    LINE("    return value;");
    LINE("}");
}

static void write_behaviour(int number, int count, int length)
{
    LINE("struct actor_%d { rh_actor *next; rh_actor *peer; struct node *known; int cells[8]; };",
         number);
    LINE("static void actor_%d_behaviour(rh_actor *, void *, const rh_message *);", number);
    write_work(number, length);
    LINE("static void actor_%d_behaviour(rh_actor *self, void *state, const rh_message *message)",
         number);
    LINE("{");
    LINE("    struct actor_%d *actor = state;", number);
    LINE("    const struct introduce *introduce;");
    LINE("    const struct job_%d *job;", number);
    LINE("    const struct result_%d *result;", number);
    LINE("    if (rh_as(message, start)) {");
    if (number + 1 < count) {
        LINE("        rh_send(actor->next, job_%d, {.value = %d, .back = self});", number + 1,
             number);
        LINE("        rh_send(actor->next, introduce, {.who = actor->peer, .hops = 2});");
    }
    LINE("    } else if ((introduce = rh_as(message, introduce))) {");
    LINE("        remember(&actor->known, introduce->who, introduce->hops);");
    LINE("        if (introduce->hops > 0 && actor->next)");
    LINE(
        "            rh_send(actor->next, introduce, {.who = self, .hops = introduce->hops - 1});");
    LINE("    } else if ((job = rh_as(message, job_%d))) {", number);
    LINE("        rh_send(job->back, result_%d, {work_%d(actor->cells, 8, job->value)});",
         number ? number - 1 : 0, number);
    LINE("        rh_actor *friend = recall(actor->known, job->value);");
    LINE("        if (friend)");
    LINE("            rh_send(friend, done);");
    LINE("    } else if ((result = rh_as(message, result_%d))) {", number);
    LINE("        actor->cells[0] = result->value;");
    LINE("        rh_reply(message, done);");
    LINE("    } else {");
    LINE("        rh_ignore(message);");
    LINE("    }");
    LINE("}");
}

static void write_test(int count)
{
    LINE("RH_TEST(all)");
    LINE("{");
    LINE("    rh_actor *actors[%d] = {NULL};", count);
    for (int i = count - 1; i >= 0; i--) {
        char next[64] = "NULL", peer[64] = "NULL";
        if (i + 1 < count)
            snprintf(next, sizeof next, "actor_%d", i + 1);
        if (i + 7 < count)
            snprintf(peer, sizeof peer, "actor_%d", i + 7);
        LINE("    rh_actor *actor_%d = rh_spawn(actor_%d_behaviour, struct actor_%d, {.next = %s, "
             ".peer = %s});",
             i, i, i, next, peer);
        LINE("    actors[%d] = actor_%d;", i, i);
    }
    LINE("    for (int i = 0; i < %d; i++)", count);
    LINE("        rh_send(actors[i], start);");
    LINE("}");
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 0;
    long most = argc > 2 ? atol(argv[2]) : 0;
    if (count < 1 || most < 40L * count) {
        fprintf(stderr, "usage: big BEHAVIOURS LINES, at least 40 lines for each behaviour\n");
        return 2;
    }
    write_shared();
    for (int i = 0; i < count; i++) {
        LINE("RH_MESSAGE(job_%d, { int value; rh_actor *back; });", i);
        LINE("RH_MESSAGE(result_%d, { int value; });", i);
    }
    for (int i = 0; i < count; i++)
        write_behaviour(i, count, (int)((most - lines) / (count - i) - 36) * 5 / 7);
    write_test(count);
    return 0;
}
