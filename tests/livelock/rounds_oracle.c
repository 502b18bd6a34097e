// SPDX-License-Identifier: MIT
// Explores the programs of machine.h in the plainest way, and says of each whether it can go round for ever:
//
//     rounds_oracle FIRST LAST [watched]
//
// prints a line `SEED ORDER VERDICT STATES` for each seed and order of delivery whose states are not too many. VERDICT is
// `fair` (there is a state to which a way without progress leads back, such that no message could be delivered in all
// states of the way without being delivered), `unfair` (there is such a way, but only at the expense of a message) or
// `none`. The search for a fair way is by definition: from each state, over pairs of a state and the messages that
// could be delivered all along so far, to the pair of the same state and no message. With `watched`, deliveries after
// which the invariant does not hold lead nowhere, and only programs that have some count.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"

enum {
    SENDERS = 2 * MACHINES, // machines, and for each the one outside who sends the first note
    PENDING_MOST = 6,
    NODES_MOST = 400,
    EDGES_MOST = 4096,
    TOKENS_MOST = PENDING_MOST,
};

// Notes in a channel: in their order, or, where none is kept, sorted.
struct state {
    signed char machine[MACHINES];
    signed char count[SENDERS][MACHINES];
    signed char notes[SENDERS][MACHINES][PENDING_MOST];
};

// A message that could be delivered: a place in a channel or, where no order is kept, a note in it. As long as one of
// them stays deliverable it is the same message, or one that is the same in all.
struct token {
    int sender, receiver, place, note;
};

struct edge {
    int from, to, token; // index among those of `from`
    bool progress;
};

struct program {
    int seed;
    bool keeps_order;
    struct state nodes[NODES_MOST];
    int node_count;
    struct token tokens[NODES_MOST][TOKENS_MOST];
    int token_count[NODES_MOST];
    struct edge edges[EDGES_MOST];
    int edge_count;
    bool is_too_large;
    bool is_watched, has_failed; // with an invariant; a delivery has led to where it does not hold
};

static int pending_of(const struct state *state)
{
    int sum = 0;
    for (int s = 0; s < SENDERS; s++)
        for (int r = 0; r < MACHINES; r++)
            sum += state->count[s][r];
    return sum;
}

static void add_note(struct program *program, struct state *state, int sender, int receiver,
                     int note)
{
    signed char *notes = state->notes[sender][receiver];
    if (pending_of(state) == PENDING_MOST) {
        program->is_too_large = true;
        return;
    }
    int at = state->count[sender][receiver]++;
    for (; !program->keeps_order && at > 0 && notes[at - 1] > note; at--)
        notes[at] = notes[at - 1];
    notes[at] = (signed char)note;
}

static void take_note(struct state *state, const struct token *token)
{
    signed char *notes = state->notes[token->sender][token->receiver];
    int count = --state->count[token->sender][token->receiver];
    for (int i = token->place; i < count; i++)
        notes[i] = notes[i + 1];
    notes[count] = 0;
}

// With order: the first note of a channel that its receiver accepts. Without: each that it accepts, once.
static int list_tokens(const struct program *program, const struct state *state,
                       struct token *tokens)
{
    int count = 0;
    for (int s = 0; s < SENDERS; s++)
        for (int r = 0; r < MACHINES; r++) {
            const signed char *notes = state->notes[s][r];
            for (int i = 0; i < state->count[s][r]; i++) {
                bool is_repeated = !program->keeps_order && i > 0 && notes[i] == notes[i - 1];
                if (is_repeated || !accepts(program->seed, r, state->machine[r], notes[i]))
                    continue;
                tokens[count++] = (struct token){s, r, i, notes[i]};
                if (program->keeps_order)
                    break;
            }
        }
    return count;
}

static bool is_same(const struct program *program, const struct token *one,
                    const struct token *other)
{
    return one->sender == other->sender && one->receiver == other->receiver &&
           (program->keeps_order ? one->place == other->place : one->note == other->note);
}

static int node_of(struct program *program, const struct state *state)
{
    for (int i = 0; i < program->node_count; i++)
        if (memcmp(&program->nodes[i], state, sizeof *state) == 0)
            return i;
    if (program->node_count == NODES_MOST) {
        program->is_too_large = true;
        return 0;
    }
    program->nodes[program->node_count] = *state;
    program->token_count[program->node_count] =
        list_tokens(program, state, program->tokens[program->node_count]);
    return program->node_count++;
}

static void deliver(struct program *program, int from, int index, int outcome)
{
    const struct token *token = &program->tokens[from][index];
    struct state state = program->nodes[from];
    int receiver = token->receiver;
    struct action action =
        action_of(program->seed, receiver, state.machine[receiver], token->note, outcome);
    take_note(&state, token);
    state.machine[receiver] = (signed char)action.state;
    for (int i = 0; i < action.send_count; i++)
        add_note(program, &state, receiver, action.to[i], action.note[i]);
    if (program->is_watched && !may_both_be(state.machine[0], state.machine[1])) {
        program->has_failed = true;
        return;
    }
    if (program->edge_count == EDGES_MOST)
        program->is_too_large = true;
    if (program->is_too_large)
        return;
    int to = node_of(program, &state);
    program->edges[program->edge_count++] = (struct edge){from, to, index, action.progress};
}

static void explore(struct program *program)
{
    struct state start;
    memset(&start, 0, sizeof start);
    for (int i = 0; i < first_notes(program->seed); i++)
        add_note(program, &start, MACHINES + i, i, first_note(program->seed, i));
    node_of(program, &start);
    for (int n = 0; n < program->node_count; n++)
        for (int t = 0; t < program->token_count[n] && !program->is_too_large; t++) {
            const struct token *token = &program->tokens[n][t];
            int machine_state = program->nodes[n].machine[token->receiver];
            int count = choices_of(program->seed, token->receiver, machine_state, token->note);
            for (int outcome = 0; outcome < count && !program->is_too_large; outcome++)
                deliver(program, n, t, outcome);
        }
}

// Of the start's messages in `mask`, those that could be delivered before and after this edge and are not by it.
static unsigned follow(const struct program *program, int start, unsigned mask,
                       const struct edge *edge)
{
    unsigned kept = 0;
    for (int i = 0; i < program->token_count[start]; i++) {
        const struct token *token = &program->tokens[start][i];
        if (!(mask & 1u << i) || is_same(program, token, &program->tokens[edge->from][edge->token]))
            continue;
        for (int k = 0; k < program->token_count[edge->to]; k++)
            if (is_same(program, token, &program->tokens[edge->to][k]))
                kept |= 1u << i;
    }
    return kept;
}

enum verdict { NONE, UNFAIR, FAIR };

// Whether a way leads from the node back to it; the best there is.
static enum verdict go_round(const struct program *program, int start)
{
    static bool seen[NODES_MOST][1 << TOKENS_MOST];
    static struct {
        int node;
        unsigned mask;
    } queue[NODES_MOST << TOKENS_MOST];
    enum verdict best = NONE;
    int end = 0;
    memset(seen, 0, sizeof seen);
    queue[end].node = start;
    queue[end++].mask = (1u << program->token_count[start]) - 1;
    for (int at = 0; at < end && best != FAIR; at++)
        for (int e = 0; e < program->edge_count; e++) {
            const struct edge *edge = &program->edges[e];
            if (edge->from != queue[at].node || edge->progress)
                continue;
            unsigned mask = follow(program, start, queue[at].mask, edge);
            if (edge->to == start && best != FAIR)
                best = mask == 0 ? FAIR : UNFAIR;
            if (seen[edge->to][mask])
                continue;
            seen[edge->to][mask] = true;
            queue[end].node = edge->to;
            queue[end++].mask = mask;
        }
    return best;
}

static void judge(int seed, bool keeps_order, bool is_watched)
{
    static const char *const words[] = {"none", "unfair", "fair"};
    static struct program program;
    memset(&program, 0, sizeof program);
    program.seed = seed;
    program.keeps_order = keeps_order;
    program.is_watched = is_watched;
    explore(&program);
    if (program.is_too_large || program.has_failed != is_watched)
        return;
    enum verdict best = NONE;
    for (int n = 0; n < program.node_count && best != FAIR; n++) {
        enum verdict verdict = go_round(&program, n);
        best = verdict > best ? verdict : best;
    }
    printf("%d %s %s %d\n", seed, keeps_order ? "fifo" : "any", words[best], program.node_count);
}

int main(int argc, char **argv)
{
    bool is_watched = argc > 3 && strcmp(argv[3], "watched") == 0;
    int first = argc > 2 ? atoi(argv[1]) : 0, last = argc > 2 ? atoi(argv[2]) : 99;
    for (int seed = first; seed <= last; seed++) {
        judge(seed, true, is_watched);
        judge(seed, false, is_watched);
    }
    return 0;
}
