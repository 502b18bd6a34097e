// SPDX-License-Identifier: MIT
// Writes down, while executions run, what goes along the edges of the program's message flow graph.
// The record is in memory that outlives the workers: what a handler does before it crashes counts
// too.
#ifndef REHEARSE_EXPLORE_MEASURE_TRAFFIC_H
#define REHEARSE_EXPLORE_MEASURE_TRAFFIC_H

#include "debug/debug.h"
#include "result/traffic.h"
#include "world/world.h"

struct rh_traffic_record;

// NULL if there is no address space. A record lives as long as one run of one test.
struct rh_traffic_record *rh_traffic_record_new(void);
void rh_traffic_record_free(struct rh_traffic_record *record);

// What a worker keeps for a record: the deliveries of the present execution.
struct rh_traffic_trail {
    struct rh_traffic_record *record; // borrowed; NULL: nothing is written down
    struct rh_traffic_step {
        uint32_t behaviour; // number in the record of the behaviour that ran
        uint32_t receiver;  // slot
        uint32_t passage;
        bool is_reply;
    } * steps; // owned; by number of the delivery, from 1. The first stands for the test's body
    uint32_t capacity;
};

// A message is about to be delivered, for the first time unless `is_known`. Only if there is a
// record.
void rh_traffic_deliver(struct rh_traffic_trail *trail, const struct rh_world *world,
                        uint32_t message, bool is_known);
// The running behaviour creates an actor with the behaviour of `turn`, or is to be succeeded by
// that one.
void rh_traffic_turn(struct rh_traffic_trail *trail, const struct rh_world *world,
                     const struct rh_turn *turn);

// Gives what was written down, with the names of functions. false if there was no room for all of
// it.
bool rh_traffic_take(const struct rh_traffic_record *record, struct rh_debug *debug,
                     struct rh_traffic *traffic);

#endif
