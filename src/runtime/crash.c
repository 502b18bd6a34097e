// SPDX-License-Identifier: MIT
// The last words of a program: what was wrong, and which actor was handling which message. Code
// here that runs in a signal handler allocates nothing and takes no locks.
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "entry/process.h"
#include "runtime/runtime.h"

enum { SIGNAL_STACK = 64 << 10, LINE_SIZE = 1024 };

static const struct {
    int number;
    const char *name;
} fatal[] = {
    {SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},
    {SIGILL, "SIGILL"},   {SIGABRT, "SIGABRT"}, {SIGTRAP, "SIGTRAP"},
};

// A line of text, which is cut where it does not fit.
struct line {
    char bytes[LINE_SIZE];
    size_t length;
};

static void add(struct line *line, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add_arguments(struct line *line, const char *format, va_list arguments)
{
    size_t room = sizeof line->bytes - 1 - line->length;
    int count = vsnprintf(line->bytes + line->length, room, format, arguments);
    if (count > 0)
        line->length += (size_t)count < room ? (size_t)count : room - 1;
}

static void add(struct line *line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_arguments(line, format, arguments);
    va_end(arguments);
}

static void print(struct line *line)
{
    const struct rh_runtime *runtime = rh__process.runtime;
    if (runtime && runtime->recorder)
        rh_recorder_last_words(runtime->recorder, line->bytes, line->length);
    line->bytes[line->length++] = '\n';
    size_t done = 0;
    while (done < line->length) {
        ssize_t count = write(STDERR_FILENO, line->bytes + done, line->length - done);
        if (count <= 0)
            break;
        done += (size_t)count;
    }
}

static void add_sender(struct line *line, const struct rh_runtime *runtime,
                       const struct rh_mail *mail)
{
    const struct rh_cell *cell = rh_address_cell(&runtime->cells, mail->sender);
    if (!mail->sender) {
        add(line, " from outside");
    } else if (cell && cell->life == rh_address_life(mail->sender)) {
        char name[RH_NAME_SIZE];
        rh_cell_name(runtime, cell, name);
        add(line, " from %s", name);
    }
}

// "while account#3 (account_behaviour, spawned at bank.c:30) handled withdraw from outside"
static void add_situation(struct line *line)
{
    static const char *const doing[] = {[RH_AT_HANDLER] = "handled",
                                        [RH_AT_GUARD] = "looked in its guard at",
                                        [RH_AT_STOP] = "stopped after"};
    const struct rh_delivery *delivery = rh__local.carrier ? rh__local.carrier->delivery : NULL;
    if (!delivery) {
        add(line, ", outside of any actor");
        return;
    }
    const struct rh_runtime *runtime = rh__local.carrier->runtime;
    char name[RH_NAME_SIZE];
    rh_cell_name(runtime, delivery->cell, name);
    add(line, ", while %s (%s, spawned at %s:%d) %s %s", name, delivery->cell->behaviour_name,
        delivery->cell->file, delivery->cell->line, doing[delivery->stage],
        delivery->mail->type->name);
    add_sender(line, runtime, delivery->mail);
}

_Noreturn void rh_runtime_fail(const char *file, int line_number, const char *format, ...)
{
    struct line line = {.length = 0};
    va_list arguments;
    add(&line, "rehearse: ");
    if (file)
        add(&line, "%s:%d: ", file, line_number);
    va_start(arguments, format);
    add_arguments(&line, format, arguments);
    va_end(arguments);
    add_situation(&line);
    print(&line);
    signal(SIGABRT, SIG_DFL);
    abort();
}

// Returning from here tries the instruction again, or the signal is raised again, with the default
// action: the process dies by the signal, and a core dump shows the place.
static void say_and_die(int number, siginfo_t *information, void *context)
{
    (void)context;
    struct line line = {.length = 0};
    const char *name = "a signal";
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        if (fatal[i].number == number)
            name = fatal[i].name;
    add(&line, "rehearse: %s", name);
    if (number == SIGSEGV || number == SIGBUS)
        add(&line, " at address %p", information->si_addr);
    add_situation(&line);
    print(&line);
    signal(number, SIG_DFL);
    if (information->si_code <= 0)
        raise(number);
}

// Leaves signals alone that the program, or a sanitizer, handles itself.
static void watch(int number, bool on)
{
    struct sigaction now, ours = {.sa_sigaction = say_and_die, .sa_flags = SA_SIGINFO | SA_ONSTACK},
                          none = {.sa_handler = SIG_DFL};
    if (sigaction(number, NULL, &now) != 0)
        return;
    bool has_information = now.sa_flags & SA_SIGINFO;
    if (on && !has_information && now.sa_handler == SIG_DFL)
        sigaction(number, &ours, NULL);
    if (!on && has_information && now.sa_sigaction == say_and_die)
        sigaction(number, &none, NULL);
}

void rh_crash_watch(bool on)
{
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        watch(fatal[i].number, on);
}

void rh_crash_prepare(struct rh_carrier *carrier)
{
    carrier->signal_stack = rh_alloc(SIGNAL_STACK);
    stack_t stack = {.ss_sp = carrier->signal_stack, .ss_size = SIGNAL_STACK};
    sigaltstack(&stack, NULL);
}

void rh_crash_release(struct rh_carrier *carrier)
{
    stack_t none = {.ss_flags = SS_DISABLE};
    sigaltstack(&none, NULL);
    free(carrier->signal_stack);
}
