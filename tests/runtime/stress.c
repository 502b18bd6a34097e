// SPDX-License-Identifier: MIT
// Random topologies on threads. Every message carries its number in its channel, so that a receiver notices one that is
// lost, comes twice or comes out of order; at the end what was sent must have been received. A wake-up that is lost
// leaves messages behind, or the run does not end.
//
//     stress SECONDS [SEED]
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <rehearse/actor.h>
#include <rehearse/run.h>
#include <rehearse/test.h>

enum { NODES = 24, OUTSIDERS = 2, CHANNELS = NODES + OUTSIDERS, SERVERS = 3 };

struct net {
    int nodes;
    int outsiders;
    int budget; // tokens that a node may send on
    rh_actor *node[NODES];
    rh_actor *server[SERVERS];
    rh_actor *gate;
};

RH_MESSAGE(meet, { struct net net; });
RH_MESSAGE(token, {
    int channel;
    unsigned number;
    char ballast[];
});
RH_SIGNAL(tick);
RH_MESSAGE(question, { int number; });
RH_MESSAGE(answer, { int number; });
RH_SIGNAL(take);
RH_SIGNAL(put);
RH_MESSAGE(work, {
    int number;
    char *block;
});
RH_SIGNAL(done);
RH_MESSAGE(result, { int sum; });

struct node {
    struct net net;
    int index;
    int left; // of the budget
    unsigned sent[NODES];
    unsigned received[CHANNELS];
    int ticks_set, ticks_got;
    int children;
    int late; // messages that came too late for a child
};

static void send_token(struct node *node, rh_actor *to, int receiver)
{
    char bytes[sizeof(struct token) + 2000];
    struct token *token = (struct token *)bytes;
    memset(bytes, 0, sizeof bytes);
    token->channel = node->index;
    token->number = node->sent[receiver]++;
    size_t ballast = rh_choose(8) == 0 ? (size_t)rh_choose(2000) : (size_t)rh_choose(20);
    memset(token->ballast, (int)(token->number % 100), ballast);
    rh_send_sized(to, token, token, sizeof *token + ballast);
}

static void check_ballast(const struct token *token, const rh_message *message)
{
    for (size_t i = 0; i < rh_size(message) - sizeof *token; i++)
        rh_check(token->ballast[i] == (char)(token->number % 100));
}

static void server_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor *next = *(rh_actor **)state;
    const struct question *question = rh_as(message, question);
    int number = question->number;
    (void)self;
    if (next && number % 3 == 0)
        number = rh_as(rh_ask(next, question, {.number = number + 1}), answer)->number - 2;
    rh_reply(message, answer, {.number = number + 1});
}

// As many may take as have put.
static void gate_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    int *tickets = state;
    (void)self;
    if (rh_as(message, put))
        ++*tickets;
    else if (rh_as(message, take))
        --*tickets;
    rh_check(*tickets >= 0);
}

static bool gate_guard(const void *state, const rh_message *message)
{
    return *(const int *)state > 0 || !rh_as(message, take);
}
RH_GUARD(gate_behaviour, gate_guard);

struct child {
    rh_actor *parent;
    int next;
    int sum;
};

static void last_words(rh_actor *self, void *state)
{
    struct child *child = state;
    (void)self;
    rh_send(child->parent, result, {.sum = child->sum});
}

static void finished_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (rh_as(message, done)) {
        rh_at_stop(last_words);
        rh_stop();
    }
}

static void child_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct child *child = state;
    const struct work *work;
    (void)self;
    if ((work = rh_as(message, work))) {
        rh_check(work->number == child->next++);
        rh_check(strcmp(work->block, "given") == 0);
        free(work->block);
        child->sum += work->number;
        if (child->next == 3)
            rh_become(finished_behaviour);
    }
}

static void spawn_child(rh_actor *self, struct node *node)
{
    rh_actor *child = rh_spawn(child_behaviour, struct child, {.parent = self});
    for (int i = 0; i < 3; i++)
        rh_send(child, work, {.number = i, .block = (char *)rh_give(strdup("given"))});
    rh_send(child, done);
    if (rh_choose(4) == 0) {
        rh_send(child, done);
        node->late++;
    }
    node->children++;
}

static void ask_server(struct node *node)
{
    int number = rh_choose(1000);
    const rh_message *reply =
        rh_ask(node->net.server[rh_choose(SERVERS)], question, {.number = number});
    rh_check(rh_as(reply, answer)->number == number + 1);
}

static void go_on(rh_actor *self, struct node *node)
{
    if (node->left <= 0)
        return;
    int sends = rh_choose(3);
    for (int i = 0; i < sends && node->left > 0; i++, node->left--) {
        int receiver = rh_choose(node->net.nodes);
        send_token(node, node->net.node[receiver], receiver);
    }
    switch (rh_choose(16)) {
    case 0:
        ask_server(node);
        break;
    case 1:
        rh_after((uint64_t)rh_choose(3), node->net.node[rh_choose(node->net.nodes)], tick);
        node->ticks_set++;
        break;
    case 2:
        spawn_child(self, node);
        break;
    case 3:
        rh_send(node->net.gate, take);
        rh_send(node->net.gate, put);
        break;
    default:
        // Keeps itself going, so that a run is long enough.
        send_token(node, self, node->index);
        node->left--;
    }
}

static void node_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct node *node = state;
    const struct meet *meet;
    const struct token *token;
    const struct result *result;
    if ((meet = rh_as(message, meet))) {
        node->net = meet->net;
        node->left = meet->net.budget;
    } else if ((token = rh_as(message, token))) {
        rh_check(token->number == node->received[token->channel]++);
        check_ballast(token, message);
        go_on(self, node);
    } else if (rh_as(message, tick)) {
        node->ticks_got++;
        go_on(self, node);
    } else if ((result = rh_as(message, result))) {
        rh_check(result->sum == 3);
        node->children--;
    }
}

// What the judge adds up for the main program.
struct totals {
    int late;
    unsigned outside_sent[OUTSIDERS][NODES];
};

struct judged {
    struct net *net;
    struct totals *totals;
    int starters; // ticks that setup sends
};

static void nothing_lost(const void *context)
{
    const struct judged *judged = context;
    const struct net *net = judged->net;
    int set = judged->starters, got = 0;
    for (int r = 0; r < net->nodes; r++) {
        const struct node *receiver = rh_view_state(net->node[r]);
        for (int s = 0; s < net->nodes; s++) {
            const struct node *sender = rh_view_state(net->node[s]);
            rh_check(receiver->received[s] == sender->sent[r]);
        }
        for (int o = 0; o < net->outsiders; o++)
            rh_check(receiver->received[NODES + o] == judged->totals->outside_sent[o][r]);
        rh_check(receiver->children == 0);
        set += receiver->ticks_set;
        got += receiver->ticks_got;
        judged->totals->late += receiver->late;
    }
    rh_check(set == got);
    rh_check(*(const int *)rh_view_state(net->gate) == 0);
}

struct round {
    struct net net;
    struct totals totals;
    int starters;
};

static void setup(void *context)
{
    struct round *round = context;
    struct net *net = &round->net;
    rh_actor *before = NULL;
    for (int i = 0; i < SERVERS; i++)
        before = net->server[i] = rh_spawn(server_behaviour, rh_actor *, {before});
    net->gate = rh_spawn(gate_behaviour, int, {0});
    for (int i = 0; i < net->nodes; i++)
        net->node[i] = rh_spawn(node_behaviour, struct node, {.index = i});
    for (int i = 0; i < net->nodes; i++)
        rh_send_sized(net->node[i], meet, net, sizeof *net);
    for (int i = 0; i < round->starters; i++)
        rh_send(net->node[rh_choose(net->nodes)], tick);
    rh_finally(nothing_lost, struct judged,
               {.net = net, .totals = &round->totals, .starters = round->starters});
}

struct outsider {
    struct round *round;
    int index;
    unsigned seed;
};

static void *send_from_outside(void *argument)
{
    struct outsider *outsider = argument;
    struct net *net = &outsider->round->net;
    unsigned *sent = outsider->round->totals.outside_sent[outsider->index];
    for (int i = 0; i < net->budget; i++) {
        int receiver = rand_r(&outsider->seed) % net->nodes;
        rh_send(net->node[receiver], token,
                {.channel = NODES + outsider->index, .number = sent[receiver]++});
        if (rand_r(&outsider->seed) % 64 == 0) {
            struct timespec pause = {.tv_nsec = rand_r(&outsider->seed) % 200000};
            nanosleep(&pause, NULL);
        }
    }
    return NULL;
}

static int run_round(unsigned seed, uint64_t *delivered)
{
    unsigned random = seed;
    struct round round = {.net = {.nodes = 1 + rand_r(&random) % NODES,
                                  .outsiders = rand_r(&random) % (OUTSIDERS + 1),
                                  .budget = rand_r(&random) % 2000}};
    round.starters = rand_r(&random) % 4;
    struct rh_summary summary;
    rh_options options = {.threads = 1 + rand_r(&random) % 4,
                          .stay = round.net.outsiders > 0,
                          .seed = seed,
                          .context = &round,
                          .summary = &summary,
                          .quiet = true};
    if (rh_start(&options, setup) != 0)
        return 3;
    pthread_t threads[OUTSIDERS];
    struct outsider outsiders[OUTSIDERS];
    for (int i = 0; i < round.net.outsiders; i++) {
        outsiders[i] = (struct outsider){&round, i, seed + (unsigned)i};
        pthread_create(&threads[i], NULL, send_from_outside, &outsiders[i]);
    }
    for (int i = 0; i < round.net.outsiders; i++)
        pthread_join(threads[i], NULL);
    rh_drain();
    int status = rh_wait();
    *delivered += summary.delivered;
    if (status == 0 && summary.left == 0 && summary.waiting == 0 && summary.unhandled == 0 &&
        summary.undelivered == (uint64_t)round.totals.late)
        return 0;
    printf("seed %u: status %d, %lu left, %lu waiting, %lu unhandled, %lu undelivered of %d late\n",
           seed, status, summary.left, summary.waiting, summary.unhandled, summary.undelivered,
           round.totals.late);
    return 1;
}

int main(int count, char **arguments)
{
    double seconds = count > 1 ? atof(arguments[1]) : 1;
    unsigned seed = count > 2 ? (unsigned)atoi(arguments[2]) : 1;
    struct timespec start, now;
    uint64_t delivered = 0;
    clock_gettime(CLOCK_MONOTONIC, &start);
    unsigned rounds = 0;
    do {
        // A run that crashes or hangs is known by its seed.
        if (count > 3)
            fprintf(stderr, "seed %u\n", seed + rounds);
        int status = run_round(seed + rounds++, &delivered);
        if (status != 0)
            return status;
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((double)(now.tv_sec - start.tv_sec) + (double)(now.tv_nsec - start.tv_nsec) / 1e9 <
             seconds);
    printf("%u rounds, %lu messages\n", rounds, delivered);
    return 0;
}
