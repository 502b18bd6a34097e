// SPDX-License-Identifier: MIT
// Messages most of whose bytes nobody sets, sent from where calls of libc and of the tool had their frames before: what
// is in them is whatever those calls left behind. For leavings.sh and deep/toolchains.sh, which compile it without -g.
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { WORDS = 48 };

RH_MESSAGE(go, { int which; });
RH_MESSAGE(litter, {
    char letter;
    long number;
    long words[WORDS];
    char last;
});
RH_SIGNAL(question);
RH_MESSAGE(answer, {
    char letter;
    long number;
});

struct caller {
    rh_actor *keeper;
    rh_actor *oracle;
    void *block;
};

struct keeper {
    int count;
};

#define APART __attribute__((noinline))

APART static void hide(void *bytes)
{
    __asm__ volatile("" : : "r"(bytes) : "memory");
}

APART static void send_litter(rh_actor *to, char letter)
{
    struct litter litter;

    hide(&litter);
    litter.letter = letter;
    litter.number = 1;
    rh_send_sized(to, litter, &litter, sizeof litter);
}

// Registers that are free go to the stack with the others when a function takes variable arguments.
APART static long take_any(int count, ...)
{
    hide(&count);
    return count;
}

static int compare_numbers(const void *one, const void *other)
{
    void *block = malloc(24);
    int result = *(const int *)one - *(const int *)other;

    free(block);
    return result;
}

APART static void use_memory(struct caller *caller)
{
    char *copy = strdup("a text of some length");
    void *aligned = NULL;

    caller->block = realloc(caller->block, 100);
    if (posix_memalign(&aligned, 64, 10) == 0)
        free(aligned);
    free(calloc(3, 7));
    free(copy);
}

APART static void sort(void)
{
    int numbers[200];

    for (int i = 0; i < 200; i++)
        numbers[i] = rand() % 1000;
    qsort(numbers, 200, sizeof *numbers, compare_numbers);
}

APART static void read_files(void)
{
    char line[100];
    struct stat status;
    FILE *file = fopen("/etc/passwd", "r");
    int descriptor = open("/etc/passwd", O_RDONLY);

    if (file && fgets(line, sizeof line, file) && fgetc(file) != EOF)
        fclose(file);
    if (fstat(descriptor, &status) == 0 && read(descriptor, line, 10) == 10)
        close(descriptor);
    hide(line);
    memset(&status, 0, sizeof status);
    hide(&status);
}

APART static void print(void)
{
    char text[60];

    snprintf(text, sizeof text, "%d %s %.3f", 5, getenv("HOME") ? "home" : "none", sqrt(2));
    printf("%s %g\n", text, drand48());
    fprintf(stderr, "%s\n", text);
}

APART static void tell_time(void)
{
    time_t now = time(NULL);
    struct tm local;
    struct timespec exact;
    char text[40];

    localtime_r(&now, &local);
    strftime(text, sizeof text, "%H:%M", &local);
    clock_gettime(CLOCK_MONOTONIC, &exact);
    printf("%s %d\n", text, (int)getpid());
}

APART static void ask(struct caller *caller)
{
    const rh_message *reply = rh_ask(caller->oracle, question);

    printf("%ld\n", rh_as(reply, answer)->number);
}

static void call(struct caller *caller, int which)
{
    switch (which) {
    case 0:
        use_memory(caller);
        break;
    case 1:
        sort();
        break;
    case 2:
        read_files();
        break;
    case 3:
        print();
        break;
    case 4:
        tell_time();
        break;
    case 5:
        ask(caller);
        break;
    default:
        take_any((int)rh_now(), rh_self());
        break;
    }
}

static void caller_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct caller *caller = state;
    const struct go *go = rh_as(message, go);
    (void)self;

    if (go) {
        send_litter(caller->keeper, 'a');
        call(caller, go->which);
        send_litter(caller->keeper, 'b');
        take_any(1);
        send_litter(caller->keeper, 'c');
        if (caller->block)
            free(caller->block);
        caller->block = NULL;
    }
}

static void oracle_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct answer answer;
    (void)self, (void)state;

    if (rh_as(message, question)) {
        free(malloc(10));
        answer.letter = 'o';
        answer.number = 7;
        rh_reply(message, answer, {.letter = answer.letter, .number = answer.number});
    }
}

// Where the program's constants and what libc allocates lie depends on how large the library is; that its code does not
// is what the script sees to.
static bool is_elsewhere(const char *address)
{
    extern const char __executable_start[], __start_program_text[], __stop_program_text[];
    bool is_code = address >= __start_program_text && address < __stop_program_text;

    return address >= __executable_start && address < (const char *)sbrk(0) && !is_code;
}

static void print_words(const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        printf("%p ", is_elsewhere(words[i]) ? NULL : (const void *)words[i]);
    printf("\n");
}

static void keeper_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct litter *litter = rh_as(message, litter);
    struct keeper *keeper = state;
    (void)self;

    if (litter) {
        print_words((const char *const *)litter, sizeof *litter / sizeof(char *));
        rh_check(++keeper->count < 6);
    }
}

static void set_up(int first, int second)
{
    rh_actor *keeper = rh_spawn(keeper_behaviour, struct keeper, {0});
    rh_actor *oracle = rh_spawn(oracle_behaviour);
    rh_actor *one = rh_spawn(caller_behaviour, struct caller, {.keeper = keeper, .oracle = oracle});
    rh_actor *two = rh_spawn(caller_behaviour, struct caller, {.keeper = keeper, .oracle = oracle});

    rh_send(one, go, {.which = first});
    rh_send(two, go, {.which = second});
}

RH_TEST(memory_and_sorting)
{
    set_up(0, 1);
}

RH_TEST(files_and_printing)
{
    set_up(2, 3);
}

RH_TEST(time_and_asking)
{
    set_up(4, 5);
}

RH_TEST(asking_and_registers)
{
    set_up(5, 6);
}
