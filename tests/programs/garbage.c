// SPDX-License-Identifier: MIT
// Messages and states with padding, filled field by field in functions whose frames lie where earlier calls had
// theirs: what the padding holds is whatever those left behind. For same_plain.sh, which compiles it without -g.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { PAIRS = 16 };

RH_MESSAGE(note, {
    char letter;
    long number;
    struct {
        char digit;
        long value;
    } pairs[PAIRS];
});
RH_MESSAGE(question, {
    char letter;
    long number;
});
RH_MESSAGE(answer, {
    short digits;
    double value;
    char sign;
});
RH_SIGNAL(finish);

struct desk {
    char letter;
    rh_actor *oracle;
    short count;
    long sum;
};

#define APART __attribute__((noinline))

APART static void send_note(rh_actor *to, char letter, long number)
{
    struct note note;

    note.letter = letter;
    note.number = number;
    for (int i = 0; i < PAIRS; i++) {
        note.pairs[i].digit = (char)('0' + i % 10);
        note.pairs[i].value = number * i;
    }
    rh_send_sized(to, note, &note, sizeof note);
}

// Of every byte, padding too.
APART static unsigned sum(const void *bytes, size_t size)
{
    const volatile unsigned char *byte = bytes;
    unsigned total = 0;

    for (size_t i = 0; i < size; i++)
        total = total * 31 + byte[i];
    return total;
}

// Leaves its own addresses and numbers in the frames that come after.
APART static long dig(int depth, char *text)
{
    char buffer[200];
    char *volatile where = buffer;

    snprintf(where, sizeof buffer, "%s %d %p", text, depth, (void *)where);
    return depth == 0 ? (long)strlen(where) : dig(depth - 1, where) + 1;
}

APART static void send_answer(const rh_message *question, double value)
{
    struct answer answer;

    answer.digits = 2;
    answer.value = value;
    answer.sign = '+';
    rh_reply(question, answer, {.digits = answer.digits, .value = answer.value, .sign = '+'});
}

static void oracle_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct question *question = rh_as(message, question);
    char text[40] = "oracle";
    (void)self;
    (void)state;

    if (question) {
        printf("asked %ld %.2f %08x\n", question->number, (double)dig(3, text) / 3,
               sum(question, sizeof *question));
        send_answer(message, 0.5 + (double)question->number);
    }
}

APART static rh_actor *spawn_helper(rh_behaviour *behaviour, rh_actor *oracle)
{
    struct desk desk;

    desk.letter = 'h';
    desk.oracle = oracle;
    desk.count = 0;
    desk.sum = 0;
    return rh_spawn_sized(behaviour, &desk, sizeof desk);
}

static void helper_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct desk *desk = state;
    const struct note *note = rh_as(message, note);
    char *copy;
    (void)self;

    if (note) {
        copy = malloc(100);
        snprintf(copy, 100, "%c %ld", note->letter, note->number);
        printf("%s %08x %08x\n", copy, sum(note, sizeof *note), sum(desk, sizeof *desk));
        desk->sum += (long)strlen(copy);
        free(copy);
        send_note(desk->oracle, 'x', desk->sum);
    }
}

APART static const rh_message *ask_oracle(rh_actor *oracle, long number)
{
    struct question question;

    question.letter = '?';
    question.number = number;
    return rh_ask(oracle, question, {.letter = question.letter, .number = question.number});
}

static void desk_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct desk *desk = state;
    const struct note *note = rh_as(message, note);
    const struct answer *answer;
    char text[20] = "desk";

    if (note)
        printf("%08x %08x\n", sum(note, sizeof *note), sum(desk, sizeof *desk));
    if (note && note->letter != 'x') {
        desk->count++;
        printf("note %c %ld\n", note->letter, note->number + dig(desk->count, text));
        send_note(spawn_helper(helper_behaviour, self), note->letter, desk->sum);
        answer = rh_as(ask_oracle(desk->oracle, note->number), answer);
        desk->sum += (long)answer->value;
        printf("sum %ld %08x\n", desk->sum, sum(answer, sizeof *answer));
        send_note(self, 'x', desk->sum);
    }
    if (rh_as(message, finish))
        rh_check(desk->sum != 3);
}

RH_TEST(garbage)
{
    rh_actor *oracle = rh_spawn(oracle_behaviour);
    char text[10] = "body";
    rh_actor *desk;

    // The program sees nothing of how it was made to lie at the same addresses.
    rh_check(!getenv("LD_BIND_NOW") && !getenv("REHEARSE_RESTARTED") &&
             !getenv("REHEARSE_REQUEST"));
    printf("%ld\n", dig(2, text));
    desk = spawn_helper(desk_behaviour, oracle);
    send_note(desk, 'a', 1);
    printf("between\n");
    send_note(desk, 'b', 2);
    rh_send_from(rh_outside("ann"), desk, finish);
}
