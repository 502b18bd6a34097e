// SPDX-License-Identifier: MIT
#include "cli/restart.h"

#include <stdlib.h>
#include <sys/personality.h>
#include <unistd.h>

#include "base/valgrind.h"
#include "cli/request.h"
#include "explore/run.h"

// Set while the program is executed again: "1" if BIND_NOW was set by rh_restart, otherwise "0".
#define RESTARTED "REHEARSE_RESTARTED"
// Makes the dynamic linker look up every symbol at the start. Otherwise it would do so when a
// function is first called, on the caller's stack, and leave bytes there that a second call does
// not.
#define BIND_NOW "LD_BIND_NOW"

void rh_restart_finish(void)
{
    const char *restarted = getenv(RESTARTED);
    if (restarted && *restarted == '1')
        unsetenv(BIND_NOW);
}

static void forget(void)
{
    rh_restart_finish();
    unsetenv(RESTARTED);
    unsetenv(RH_REQUEST_VARIABLE);
}

void rh_restart(char **arguments, const char *request)
{
    bool is_second = getenv(RESTARTED) != NULL;
    unsetenv(RESTARTED);
    // Valgrind would not follow the program through exec.
    if (is_second || rh_valgrind_is_running())
        return;
    int before = personality(0xffffffff);
    if (before == -1)
        return;
    if (!(before & ADDR_NO_RANDOMIZE) && personality((unsigned)before | ADDR_NO_RANDOMIZE) == -1)
        return;
    setenv(RESTARTED, getenv(BIND_NOW) ? "0" : "1", 1);
    setenv(BIND_NOW, "1", 0);
    if (request)
        setenv(RH_REQUEST_VARIABLE, request, 1);
    execv("/proc/self/exe", arguments);
    forget();
    personality((unsigned)before);
}
