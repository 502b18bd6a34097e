// SPDX-License-Identifier: MIT
#include "cli/interrupt.h"

#include <string.h>
#include <time.h>

// A signal handler can reach nothing but a global.
static struct {
    volatile sig_atomic_t number;
    volatile time_t seconds; // when the first signal came
} interrupt;

// The same signal often comes twice at once, to the process and to its group. Only a signal that
// comes later says that the user has lost patience.
static void note_signal(int number)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (interrupt.number && now.tv_sec > interrupt.seconds + 1) {
        signal(number, SIG_DFL);
        raise(number);
    }
    if (!interrupt.number)
        interrupt.seconds = now.tv_sec;
    interrupt.number = number;
}

void rh_interrupt_catch(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction old, action;
        memset(&action, 0, sizeof action);
        action.sa_handler = note_signal;
        sigemptyset(&action.sa_mask);
        // A signal that was ignored from the start (nohup) stays ignored.
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
}

const volatile sig_atomic_t *rh_interrupt_flag(void)
{
    return &interrupt.number;
}
