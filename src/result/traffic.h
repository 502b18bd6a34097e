// SPDX-License-Identifier: MIT
// What went along the edges of a message flow graph in executions: who created whom, who became
// what, who received what from whom, by behaviours and lines of the source; and which of two
// messages an actor received first.
#ifndef REHEARSE_RESULT_TRAFFIC_H
#define REHEARSE_RESULT_TRAFFIC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vector.h"
#include "result/flow_graph.h"

// Of one test.
enum { RH_BEHAVIOURS_MOST = 1 << 12, RH_PASSAGES_MOST = 1 << 14 };

struct rh_traffic_behaviour {
    char *function; // owned; if it is not known, what the program has written in its place
    char *file;     // owned; "" if unknown
};

// Something that has happened at least once.
struct rh_passage {
    enum rh_flow_edge_kind kind;
    uint32_t from, to; // behaviours: 0 is the outside, others their index plus 1
    char *type;        // owned; of the message; "" if there is none
    char *file;        // owned
    int line;
    // The passage is a reply to an rh_ask: its place among what comes in was not free.
    bool is_reply;
    RH_VECTOR(uint64_t) earlier; // bits: passages that this one has come before, at one actor
};

struct rh_traffic {
    RH_VECTOR(struct rh_traffic_behaviour) behaviours;
    RH_VECTOR(struct rh_passage) passages;
};

void rh_traffic_fini(struct rh_traffic *traffic);

// Each function gives the number of the item that is there already, or adds one with copies of the
// texts.
uint32_t rh_traffic_add_behaviour(struct rh_traffic *traffic, const char *function,
                                  const char *file);
uint32_t rh_traffic_add_passage(struct rh_traffic *traffic, const struct rh_passage *passage);

// Notes, and asks, that the first of two passages has come before the second at some actor.
void rh_traffic_set_before(struct rh_traffic *traffic, uint32_t first, uint32_t second);
bool rh_traffic_has_before(const struct rh_traffic *traffic, uint32_t first, uint32_t second);

#endif
