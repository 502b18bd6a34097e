// SPDX-License-Identifier: MIT
#include "world/behaviour.h"

#include <pthread.h>
#include <string.h>

#include "base/text.h"
#include "entry/process.h"

// Names that were looked up, by the function's address. A program with more behaviours that it
// holds in variables looks the others up each time.
enum { MOST = 128 };

static struct {
    pthread_mutex_t lock;
    struct rh_debug *debug; // of the process itself, where the caller has none
    struct {
        rh_behaviour *behaviour; // NULL: free. Set when the name is.
        const char *name;
    } known[MOST];
} own RH__OWN = {.lock = PTHREAD_MUTEX_INITIALIZER};

static const char *find_known(rh_behaviour *behaviour)
{
    for (int i = 0; i < MOST; i++) {
        rh_behaviour *known = __atomic_load_n(&own.known[i].behaviour, __ATOMIC_ACQUIRE);
        if (known == behaviour || !known)
            return known ? own.known[i].name : NULL;
    }
    return NULL;
}

static void remember(rh_behaviour *behaviour, const char *name)
{
    int i = 0;
    while (i < MOST && own.known[i].behaviour)
        i++;
    if (i == MOST)
        return;
    own.known[i].name = name;
    __atomic_store_n(&own.known[i].behaviour, behaviour, __ATOMIC_RELEASE);
}

// A compiler may add a part to a function's name: "account_behaviour.lto_priv.0".
static const char *take_symbol(const char *symbol)
{
    struct rh_text name = {0};
    rh_text_add_bytes(&name, symbol, strcspn(symbol, "."));
    return rh_text_take(&name);
}

static const char *look_up(rh_behaviour *behaviour, const char *written, struct rh_debug *debug)
{
    pthread_mutex_lock(&own.lock);
    const char *name = find_known(behaviour);
    if (!name) {
        if (!debug && !own.debug)
            own.debug = rh_debug_open_self();
        const char *symbol =
            rh_debug_function_name(debug ? debug : own.debug, (uintptr_t)behaviour);
        name = symbol ? take_symbol(symbol) : written;
        remember(behaviour, name);
    }
    pthread_mutex_unlock(&own.lock);
    return name;
}

const char *rh_behaviour_name(rh_behaviour *behaviour, const char *written, struct rh_debug *debug)
{
    bool is_held = *written == '=';
    written += is_held;
    if (*written == '&') {
        written++;
        is_held = false;
    }
    if (!is_held)
        return written;
    const char *name = find_known(behaviour);
    return name ? name : look_up(behaviour, written, debug);
}
