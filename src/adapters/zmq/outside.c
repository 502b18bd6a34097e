// SPDX-License-Identifier: MIT
#include "adapters/zmq/outside.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adapters/zmq/anew.h"
#include "adapters/zmq/engine.h"
#include "base/text.h"
#include "world/world.h"

enum { NOTES_SIZE = 256 };

// What was noted: shared by the keeper with all its executions.
static char *notes;

void rh__zmq_outside_open(void)
{
    if (notes)
        return;
    void *memory =
        mmap(NULL, NOTES_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    notes = memory != MAP_FAILED ? memory : NULL;
}

// In a debugger the program stays with the terminal.
void rh__zmq_outside_begin(void)
{
    if (!rh__process.world->options.before_delivery)
        setpgid(0, 0);
    rh__zmq_files_begin();
}

void rh__zmq_outside_tidy(int process)
{
    char path[RH_ZMQ_PATH_MOST];
    struct stat found;
    kill(-process, SIGKILL);
    rh__zmq_files_place(process, path, sizeof path);
    if (lstat(path, &found) == 0 && S_ISDIR(found.st_mode))
        rh__zmq_files_remove(path);
}

static bool is_noted(const char *what)
{
    size_t length = strlen(what);
    for (const char *at = notes; (at = strstr(at, what)); at += length)
        if ((at == notes || at[-1] == ' ') && (at[length] == '\0' || at[length] == ','))
            return true;
    return false;
}

void rh__zmq_outside_note(const char *what)
{
    if (!notes || !rh__zmq_self() || is_noted(what))
        return;
    size_t used = strlen(notes);
    if (used + strlen(what) + 3 < NOTES_SIZE)
        snprintf(notes + used, NOTES_SIZE - used, "%s%s", used > 0 ? ", " : "", what);
}

char *rh__zmq_outside_say(unsigned index)
{
    struct rh_text text = {0};
    if (index == 0 && rh__zmq_is_anew())
        return rh_strdup("its libraries start threads before main: each execution starts the "
                         "program anew, constructors too, instead of forking it");
    if (index > (unsigned)rh__zmq_is_anew() || !notes || notes[0] == '\0')
        return NULL;
    rh_text_addf(&text,
                 "the program uses what is not under control, so that two executions may see "
                 "different things: %s",
                 notes);
    return rh_text_take(&text);
}
