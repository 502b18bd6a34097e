// SPDX-License-Identifier: MIT
// A registry that gives processes names, after Erlang's proc_reg and the race in it that PULSE
// found (K. Claessen and others, ICFP 2009), which Bita's authors took over.
//
// The table holds which process has a name (forward) and which processes are watched (reverse).
// Clients enter a name themselves and let the server know, which has a monitor tell it when that
// process dies and then deletes what the table has about it. If the name is taken the client asks
// the server whether its process is alive: then the name can't be had. If it is dead, the client
// has the server delete it, and tries again. If it is still taken then, and the server still says
// that nobody alive has it, something is wrong.
//
// The server deletes only what is watched. Under any order rule: a client has entered a name, its
// process dies, and before the server hears of the entry a second client has it deleted, in vain.
// In the fixed twin a process is watched, if only by nobody, from the moment its name is entered.
//
// bug:     --test buggy : check
// cause:   audit from client reached server before process_added from client
#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { MOST_NAMES = 6, CLIENTS_OF_NAME = 3, MOST_PROCESSES = MOST_NAMES * CLIENTS_OF_NAME };

enum { NO_PROCESS = -1 };

RH_MESSAGE(kill, { int process; });
RH_MESSAGE(is_alive, { int process; });
RH_MESSAGE(watch, { int process; });
RH_MESSAGE(died, { int process; });
RH_MESSAGE(insert_forward, {
    int name;
    int process;
});
RH_MESSAGE(insert_reverse, { int process; });
RH_MESSAGE(lookup, { int name; });
RH_MESSAGE(delete_process, { int process; });
RH_MESSAGE(process_added, { int process; });
RH_MESSAGE(where_is, { int name; });
RH_MESSAGE(audit, { int name; });
RH_MESSAGE(down, { int process; });
RH_MESSAGE(yes_or_no, { bool yes; });
RH_MESSAGE(found, { int process; });
RH_SIGNAL(ok);
RH_SIGNAL(register_name);

// Set by the test's body, and only read afterwards.
static struct {
    bool inserts_both; // the fix
    int names;
    rh_actor *runtime;
    rh_actor *table;
    rh_actor *server;
} registry;

struct runtime {
    bool is_dead[MOST_PROCESSES];
    rh_actor *watcher[MOST_PROCESSES];
};

static void runtime_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct runtime *runtime = state;
    const struct kill *kill;
    const struct is_alive *is_alive;
    const struct watch *watch;
    (void)self;

    if ((kill = rh_as(message, kill))) {
        runtime->is_dead[kill->process] = true;
        if (runtime->watcher[kill->process])
            rh_send(runtime->watcher[kill->process], died, {.process = kill->process});
    } else if ((is_alive = rh_as(message, is_alive))) {
        rh_reply(message, yes_or_no, {.yes = !runtime->is_dead[is_alive->process]});
    } else if ((watch = rh_as(message, watch))) {
        runtime->watcher[watch->process] = rh_sender(message);
        if (runtime->is_dead[watch->process])
            rh_reply(message, died, {.process = watch->process});
    }
}

struct table {
    int forward[MOST_NAMES]; // which process has the name, or NO_PROCESS
    bool reverse[MOST_PROCESSES];
};

static bool enter(struct table *table, const struct insert_forward *insert)
{
    if (table->forward[insert->name] != NO_PROCESS)
        return false;
    table->forward[insert->name] = insert->process;
    if (registry.inserts_both)
        table->reverse[insert->process] = true;
    return true;
}

static void delete_watched(struct table *table, int process)
{
    if (!table->reverse[process])
        return;
    table->reverse[process] = false;
    for (int i = 0; i < registry.names; i++) {
        if (table->forward[i] == process)
            table->forward[i] = NO_PROCESS;
    }
}

static void table_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct table *table = state;
    const struct insert_forward *forward;
    const struct insert_reverse *reverse;
    const struct lookup *lookup;
    const struct delete_process *delete_process;
    (void)self;

    if ((forward = rh_as(message, insert_forward))) {
        rh_reply(message, yes_or_no, {.yes = enter(table, forward)});
    } else if ((reverse = rh_as(message, insert_reverse))) {
        table->reverse[reverse->process] = true;
        rh_reply(message, ok);
    } else if ((lookup = rh_as(message, lookup))) {
        rh_reply(message, found, {.process = table->forward[lookup->name]});
    } else if ((delete_process = rh_as(message, delete_process))) {
        delete_watched(table, delete_process->process);
        rh_reply(message, ok);
    }
}

struct monitor {
    int process;
};

static void monitor_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct monitor *monitor = state;
    (void)self;

    if (rh_as(message, ok)) // from the server: begin
        rh_send(registry.runtime, watch, {.process = monitor->process});
    else if (rh_as(message, died))
        rh_send(registry.server, down, {.process = monitor->process});
}

static int look_up(int name)
{
    return rh_as(rh_ask(registry.table, lookup, {.name = name}), found)->process;
}

static bool lives(int process)
{
    return rh_as(rh_ask(registry.runtime, is_alive, {.process = process}), yes_or_no)->yes;
}

static void add_process(int process)
{
    rh_actor *monitor = rh_spawn(monitor_behaviour, struct monitor, {.process = process});

    rh_send(monitor, ok);
    rh_ask(registry.table, insert_reverse, {.process = process});
}

static void server_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct process_added *added;
    const struct where_is *where_is;
    const struct audit *audit;
    const struct down *down;
    (void)self, (void)state;

    if ((added = rh_as(message, process_added))) {
        add_process(added->process);
    } else if ((where_is = rh_as(message, where_is))) {
        int process = look_up(where_is->name);
        bool is_there = process != NO_PROCESS && lives(process);
        rh_reply(message, found, {.process = is_there ? process : NO_PROCESS});
    } else if ((audit = rh_as(message, audit))) {
        int process = look_up(audit->name);
        if (process != NO_PROCESS && !lives(process))
            rh_ask(registry.table, delete_process, {.process = process});
        rh_reply(message, ok);
    } else if ((down = rh_as(message, down))) {
        rh_ask(registry.table, delete_process, {.process = down->process});
    }
}

enum outcome { UNDECIDED, REGISTERED, NAME_IS_TAKEN };

struct client {
    int name;
    int process;
    enum outcome outcome;
};

static bool insert(const struct client *client)
{
    const rh_message *answer =
        rh_ask(registry.table, insert_forward, {.name = client->name, .process = client->process});

    return rh_as(answer, yes_or_no)->yes;
}

static bool has_process(int name)
{
    const rh_message *answer = rh_ask(registry.server, where_is, {.name = name});

    return rh_as(answer, found)->process != NO_PROCESS;
}

static enum outcome register_client(const struct client *client)
{
    bool inserted = insert(client);

    if (!inserted) {
        if (has_process(client->name))
            return NAME_IS_TAKEN;
        rh_ask(registry.server, audit, {.name = client->name});
        inserted = insert(client);
    }
    if (!inserted) {
        bool a_living_one_has_it = has_process(client->name);
        rh_check(a_living_one_has_it);
        return NAME_IS_TAKEN;
    }
    rh_send(registry.server, process_added, {.process = client->process});
    return REGISTERED;
}

static void client_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct client *client = state;
    (void)self;

    if (rh_as(message, register_name))
        client->outcome = register_client(client);
}

struct watched {
    rh_actor *runtime;
    rh_actor *table;
};

static void names_are_of_the_living(const void *context)
{
    const struct watched *watched = context;
    const struct runtime *runtime = rh_view_state(watched->runtime);
    const struct table *table = rh_view_state(watched->table);

    for (int i = 0; i < registry.names; i++)
        rh_check(table->forward[i] == NO_PROCESS || !runtime->is_dead[table->forward[i]]);
}

static rh_actor *new_table(void)
{
    struct table table = {.reverse = {false}};

    for (int i = 0; i < MOST_NAMES; i++)
        table.forward[i] = NO_PROCESS;
    return rh_spawn_sized(table_behaviour, &table, sizeof table);
}

// Every name is wanted for as many processes as there are clients of it. The first one is killed.
static void use_names(bool inserts_both, int names, int clients)
{
    static const char *const killers[MOST_NAMES] = {"killer 1", "killer 2", "killer 3",
                                                    "killer 4", "killer 5", "killer 6"};
    registry.inserts_both = inserts_both;
    registry.names = names;
    registry.runtime = rh_spawn(runtime_behaviour, struct runtime, {.is_dead = {false}});
    registry.table = new_table();
    registry.server = rh_spawn(server_behaviour);
    rh_finally(names_are_of_the_living, struct watched,
               {.runtime = registry.runtime, .table = registry.table});
    for (int name = 0; name < names; name++) {
        for (int i = 0; i < clients; i++) {
            int process = name * clients + i;
            rh_actor *client =
                rh_spawn(client_behaviour, struct client, {.name = name, .process = process});
            rh_send(client, register_name);
        }
        rh_send_from(rh_outside(killers[name]), registry.runtime, kill,
                     {.process = name * clients});
    }
}

RH_TEST(buggy)
{
    use_names(false, 1, 2);
}

RH_TEST(fixed)
{
    use_names(true, 1, 2);
}

RH_TEST(buggy_full)
{
    use_names(false, MOST_NAMES, CLIENTS_OF_NAME);
}

RH_TEST(fixed_full)
{
    use_names(true, MOST_NAMES, CLIENTS_OF_NAME);
}
