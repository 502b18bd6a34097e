// SPDX-License-Identifier: MIT
#include "cli/restart.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/personality.h>
#include <unistd.h>

#include "base/valgrind.h"

// Set for the program that is executed: "1" if BIND_NOW was set by us, otherwise "0".
#define RESTARTED "REHEARSE_RESTARTED"
// Makes the dynamic linker look up every symbol at the start. Otherwise it would do so when a
// function is first called, on the caller's stack, and leave bytes there that a second call does
// not.
#define BIND_NOW "LD_BIND_NOW"

void rh_restart_prepare(void)
{
    int before = personality(0xffffffff);
    if (before == -1)
        return;
    if (!(before & ADDR_NO_RANDOMIZE) && personality((unsigned)before | ADDR_NO_RANDOMIZE) == -1)
        return;
    setenv(RESTARTED, getenv(BIND_NOW) ? "0" : "1", 1);
    setenv(BIND_NOW, "1", 0);
}

// Whether rh_restart_prepare was called; takes back what it has changed in the environment.
static bool take_back(void)
{
    const char *restarted = getenv(RESTARTED);
    if (!restarted)
        return false;
    if (*restarted == '1')
        unsetenv(BIND_NOW);
    unsetenv(RESTARTED);
    return true;
}

void rh_restart(char **arguments)
{
    // Valgrind would not follow the program through exec.
    if (take_back() || rh_valgrind_is_running())
        return;
    int before = personality(0xffffffff);
    rh_restart_prepare();
    if (!getenv(RESTARTED))
        return;
    execv("/proc/self/exe", arguments);
    take_back();
    personality((unsigned)before);
}
