// SPDX-License-Identifier: MIT
// Eight programs of Savina for CAF, with the messages that those of subjects/savina send. Prints seconds and processor
// seconds.
//
//     savina PROGRAM SIZE THREADS
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <time.h>

#include <caf/all.hpp>

using namespace caf;

using start_atom = atom_constant<atom("start")>;
using again_atom = atom_constant<atom("again")>;
using ping_atom = atom_constant<atom("ping")>;
using pong_atom = atom_constant<atom("pong")>;
using stop_atom = atom_constant<atom("stop")>;
using increment_atom = atom_constant<atom("increment")>;
using retrieve_atom = atom_constant<atom("retrieve")>;
using result_atom = atom_constant<atom("result")>;
using work_atom = atom_constant<atom("work")>;
using successor_atom = atom_constant<atom("successor")>;
using trip_atom = atom_constant<atom("trip")>;
using leave_atom = atom_constant<atom("leave")>;
using meet_atom = atom_constant<atom("meet")>;
using change_atom = atom_constant<atom("change")>;
using met_atom = atom_constant<atom("met")>;
using others_atom = atom_constant<atom("others")>;
using request_atom = atom_constant<atom("request")>;
using response_atom = atom_constant<atom("response")>;

static void check(bool holds)
{
    if (!holds)
        abort();
}

// The generator of the originals.
struct random_state {
    unsigned value = 0;

    int next(size_t limit)
    {
        value = (value * 1309 + 13849) & 65535;
        return static_cast<int>(value % limit);
    }
};

// PingPong

struct pinger_state {
    long left = 0;
};

static behavior pinger(stateful_actor<pinger_state> *self, actor ponger, long rounds)
{
    self->state.left = rounds;
    auto send_ping = [=] {
        self->send(ponger, ping_atom::value);
        self->state.left--;
    };
    return {
        [=](start_atom) { send_ping(); },
        [=](again_atom) { send_ping(); },
        [=](pong_atom) {
            if (self->state.left > 0) {
                self->send(self, again_atom::value);
            } else {
                self->send(ponger, stop_atom::value);
                self->quit();
            }
        },
    };
}

struct ponger_state {
    long count = 0;
};

static behavior ponger(stateful_actor<ponger_state> *self, long expected)
{
    return {
        [=](ping_atom) {
            self->state.count++;
            return pong_atom::value;
        },
        [=](stop_atom) {
            check(self->state.count == expected);
            self->quit();
        },
    };
}

static void ping_pong(actor_system &system, long rounds)
{
    auto pong = system.spawn(ponger, rounds);
    anon_send(system.spawn(pinger, pong, rounds), start_atom::value);
}

// Counting

struct counter_state {
    long count = 0;
};

static behavior counter(stateful_actor<counter_state> *self)
{
    return {
        [=](increment_atom) { self->state.count++; },
        [=](retrieve_atom, const actor &producer) {
            self->send(producer, result_atom::value, self->state.count);
            self->quit();
        },
    };
}

static behavior producer(event_based_actor *self, actor to, long increments)
{
    return {
        [=](start_atom) {
            for (long i = 0; i < increments; i++)
                self->send(to, increment_atom::value);
            self->send(to, retrieve_atom::value, actor_cast<actor>(self));
        },
        [=](result_atom, long count) {
            check(count == increments);
            self->quit();
        },
    };
}

static void counting(actor_system &system, long increments)
{
    auto to = system.spawn(counter);
    anon_send(system.spawn(producer, to, increments), start_atom::value);
}

// ForkJoin

struct worker_state {
    long left = 0;
};

static behavior worker(stateful_actor<worker_state> *self, long messages)
{
    self->state.left = messages;
    return {
        [=](work_atom) {
            double sine = std::sin(37.2);
            check(sine * sine <= 1);
            if (--self->state.left == 0)
                self->quit();
        },
    };
}

static void fork_join_throughput(actor_system &system, long rounds)
{
    std::vector<actor> workers;

    for (int i = 0; i < 60; i++)
        workers.push_back(system.spawn(worker, rounds));
    for (long i = 0; i < rounds; i++)
        for (auto &to : workers)
            anon_send(to, work_atom::value);
}

static void fork_join_creation(actor_system &system, long workers)
{
    for (long i = 0; i < workers; i++)
        anon_send(system.spawn(worker, 1L), work_atom::value);
}

// ThreadRing

struct link_state {
    actor next;
};

static behavior ring_link(stateful_actor<link_state> *self, int after)
{
    auto linked = behavior{
        [=](trip_atom, long left) {
            if (left > 0)
                self->send(self->state.next, trip_atom::value, left - 1);
            else
                self->send(self->state.next, leave_atom::value, after);
        },
        [=](leave_atom, int left) {
            if (left > 0)
                self->send(self->state.next, leave_atom::value, left - 1);
            self->state.next = nullptr;
            self->quit();
        },
    };
    return {
        [=](successor_atom, const actor &next) {
            self->state.next = next;
            self->become(linked);
        },
    };
}

static void thread_ring(actor_system &system, long length)
{
    std::vector<actor> ring;
    size_t links = 100;

    for (size_t i = 0; i < links; i++)
        ring.push_back(system.spawn(ring_link, static_cast<int>(links) - 1));
    for (size_t i = 0; i < links; i++)
        anon_send(ring[i], successor_atom::value, ring[(i + 1) % links]);
    anon_send(ring[0], trip_atom::value, length);
}

// Chameneos

struct mall_state {
    actor waiting;
    long left = 0;
    long met = 0;
    int creatures = 0;
};

static behavior mall(stateful_actor<mall_state> *self, int creatures, long meetings)
{
    self->state.left = meetings;
    self->state.creatures = creatures;
    return {
        [=](meet_atom, int colour, const actor &creature) {
            auto &state = self->state;
            if (state.left == 0) {
                self->send(creature, leave_atom::value);
            } else if (!state.waiting) {
                state.waiting = creature;
            } else {
                state.left--;
                self->send(state.waiting, meet_atom::value, colour, creature);
                state.waiting = nullptr;
            }
        },
        [=](met_atom, long times) {
            self->state.met += times;
            if (--self->state.creatures == 0) {
                check(self->state.met == 2 * meetings);
                self->quit();
            }
        },
    };
}

struct creature_state {
    int colour = 0;
    long met = 0;
};

static behavior creature(stateful_actor<creature_state> *self, actor to, int colour)
{
    self->state.colour = colour;
    auto meet = [=] {
        self->send(to, meet_atom::value, self->state.colour, actor_cast<actor>(self));
    };
    return {
        [=](start_atom) { meet(); },
        [=](meet_atom, int other, const actor &partner) {
            int own = self->state.colour;
            self->state.colour = own == other ? own : 3 - own - other;
            self->state.met++;
            self->send(partner, change_atom::value, self->state.colour);
            meet();
        },
        [=](change_atom, int changed) {
            self->state.colour = changed;
            self->state.met++;
            meet();
        },
        [=](leave_atom) {
            self->send(to, met_atom::value, self->state.met);
            self->quit();
        },
    };
}

static void chameneos(actor_system &system, long meetings)
{
    int creatures = 100;
    auto place = system.spawn(mall, creatures, meetings);

    for (int i = 0; i < creatures; i++)
        anon_send(system.spawn(creature, place, i % 3), start_atom::value);
}

// Big

struct sink_state {
    size_t done = 0;
};

static behavior sink(stateful_actor<sink_state> *self)
{
    return {
        [=](others_atom, const std::vector<actor> &players) {
            self->become([=](leave_atom) {
                if (++self->state.done < players.size())
                    return;
                for (auto &player : players)
                    self->send(player, leave_atom::value);
                self->quit();
            });
        },
    };
}

struct player_state {
    std::vector<actor> players;
    int expected = -1;
    long left = 0;
    random_state random;
};

static behavior player(stateful_actor<player_state> *self, actor to, int id, long pings)
{
    self->state.left = pings;
    self->state.random.value = static_cast<unsigned>(id);
    auto playing = behavior{
        [=](ping_atom, int sender) {
            self->send(self->state.players[static_cast<size_t>(sender)], pong_atom::value, id);
        },
        [=](pong_atom, int sender) {
            auto &state = self->state;
            check(sender == state.expected);
            if (state.left == 0) {
                self->send(to, leave_atom::value);
                return;
            }
            state.left--;
            state.expected = state.random.next(state.players.size());
            self->send(state.players[static_cast<size_t>(state.expected)], ping_atom::value, id);
        },
        [=](leave_atom) {
            self->state.players.clear();
            self->quit();
        },
    };
    return {
        [=](others_atom, const std::vector<actor> &players) {
            self->state.players = players;
            self->become(playing);
        },
    };
}

static void big(actor_system &system, long pings)
{
    auto to = system.spawn(sink);
    std::vector<actor> players;

    for (int i = 0; i < 120; i++)
        players.push_back(system.spawn(player, to, i, pings));
    anon_send(to, others_atom::value, players);
    for (auto &each : players)
        anon_send(each, others_atom::value, players);
    for (auto &each : players)
        anon_send(each, pong_atom::value, -1);
}

// Fibonacci

struct call_state {
    long sum = 0;
    int responses = 0;
};

static long fibonacci_number(long index)
{
    long last = 0, value = 1;

    for (long i = 1; i < index; i++) {
        long next = last + value;
        last = value;
        value = next;
    }
    return value;
}

static behavior call(stateful_actor<call_state> *self, actor parent, long expected)
{
    auto answer = [=](long value) {
        if (parent)
            self->send(parent, response_atom::value, value);
        else
            check(value == expected);
        self->quit();
    };
    return {
        [=](request_atom, long index) {
            if (index <= 2) {
                answer(1);
                return;
            }
            for (long back = 1; back <= 2; back++)
                self->send(self->spawn(call, actor_cast<actor>(self), 0L), request_atom::value,
                           index - back);
        },
        [=](response_atom, long value) {
            self->state.sum += value;
            if (++self->state.responses == 2)
                answer(self->state.sum);
        },
    };
}

static void fibonacci(actor_system &system, long index)
{
    anon_send(system.spawn(call, actor{}, fibonacci_number(index)), request_atom::value, index);
}

static double wall_seconds()
{
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

static double processor_seconds()
{
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

int main(int count, char **arguments)
{
    static const std::map<std::string, std::function<void(actor_system &, long)>> programs = {
        {"ping_pong", ping_pong},
        {"counting", counting},
        {"fork_join_throughput", fork_join_throughput},
        {"fork_join_creation", fork_join_creation},
        {"thread_ring", thread_ring},
        {"chameneos", chameneos},
        {"big", big},
        {"fibonacci", fibonacci},
    };
    if (count != 4 || programs.count(arguments[1]) == 0)
        return 2;
    actor_system_config config;
    config.set("scheduler.max-threads", static_cast<size_t>(atol(arguments[3])));
    actor_system system{config};
    double wall = wall_seconds(), processor = processor_seconds();
    programs.at(arguments[1])(system, atol(arguments[2]));
    system.await_all_actors_done();
    printf("%.6f s %.6f processor-s\n", wall_seconds() - wall, processor_seconds() - processor);
}
