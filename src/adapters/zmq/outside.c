// SPDX-License-Identifier: MIT
#include "adapters/zmq/outside.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "adapters/zmq/anew.h"
#include "adapters/zmq/engine.h"
#include "base/text.h"
#include "world/files.h"
#include "world/world.h"

enum { CALLS_SIZE = 256, WHERE_SIZE = 96 };

// What was noted. The keeper shares it with all its executions. NULL: there is no memory for it.
static struct notes {
    // Calls that are not under control.
    char calls[CALLS_SIZE];
    // Where each difference was met; empty: nowhere.
    char where[RH_ZMQ_DIFFERENCE_COUNT][WHERE_SIZE];
} * notes;

void rh__zmq_outside_open(void)
{
    if (notes)
        return;
    void *memory =
        mmap(NULL, sizeof *notes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    notes = memory != MAP_FAILED ? memory : NULL;
}

const char *rh__zmq_outside_use(const char *path, bool changes)
{
    if (!rh__zmq_self())
        return path;
    struct rh_status status = changes ? rh_files_prepare(AT_FDCWD, path) : rh_ok();
    if (!rh_is_ok(&status))
        rh__zmq_give_up("%s", status.text);
    return rh_files_name(AT_FDCWD, path);
}

static bool is_noted(const char *what)
{
    size_t length = strlen(what);
    for (const char *at = notes->calls; (at = strstr(at, what)); at += length)
        if ((at == notes->calls || at[-1] == ' ') && (at[length] == '\0' || at[length] == ','))
            return true;
    return false;
}

void rh__zmq_outside_note(const char *what)
{
    if (!notes || !rh__zmq_self() || is_noted(what))
        return;
    size_t used = strlen(notes->calls);
    if (used + strlen(what) + 3 < CALLS_SIZE)
        snprintf(notes->calls + used, CALLS_SIZE - used, "%s%s", used > 0 ? ", " : "", what);
}

void rh__zmq_outside_differs(enum rh_zmq_difference difference, const char *where)
{
    if (notes && notes->where[difference][0] == '\0')
        snprintf(notes->where[difference], WHERE_SIZE, "%s", where);
}

// Each of these adds its sentence, if there is something to say.
static void add_anew(struct rh_text *text)
{
    if (rh__zmq_is_anew())
        rh_text_add(text, "its libraries start threads before main: each execution starts the "
                          "program anew, constructors too, instead of forking it");
}

static void add_calls(struct rh_text *text)
{
    if (notes && notes->calls[0] != '\0')
        rh_text_addf(text,
                     "the program uses what is not under control, so that two executions may see "
                     "different things: %s",
                     notes->calls);
}

static void add_difference(struct rh_text *text, unsigned difference)
{
#define X(name, sentence) sentence,
    static const char *const sentences[] = {RH_ZMQ_DIFFERENCES(X)};
#undef X
    if (notes && notes->where[difference][0] != '\0')
        rh_text_addf(text, "%s (%s)", sentences[difference], notes->where[difference]);
}

bool rh__zmq_outside_omits(void)
{
    bool omits = false;
    for (unsigned i = 0; notes && i < RH_ZMQ_DIFFERENCE_COUNT; i++)
        omits |= notes->where[i][0] != '\0';
    return omits;
}

char *rh__zmq_outside_say(unsigned index)
{
    unsigned said = 0;
    for (unsigned kind = 0; kind < 2 + RH_ZMQ_DIFFERENCE_COUNT; kind++) {
        struct rh_text text = {0};
        if (kind == 0)
            add_anew(&text);
        else if (kind == 1)
            add_calls(&text);
        else
            add_difference(&text, kind - 2);
        if (text.length > 0 && said++ == index)
            return rh_text_take(&text);
        rh_text_fini(&text);
    }
    return NULL;
}
