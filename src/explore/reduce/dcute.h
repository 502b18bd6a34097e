// SPDX-License-Identifier: MIT
// The reduction of dCUTE (K. Sen and G. Agha, "Automated Systematic Testing of Open Distributed
// Programs", FASE 2006), as Basset took it over (S. Lauterburg, M. Dotta, D. Marinov and G. Agha,
// "A Framework for State-Space Exploration of Java-based Actor Programs", ASE 2009).
//
// At each point of an execution the search picks one actor and tries all messages that are
// deliverable to it, and none to other actors. One actor is enough unless another message could
// have reached it before any of these: a message that is sent later in some execution which goes on
// from here, by a delivery that does not depend on the one made here. Then the point needs delay:
// the search picks the next actor there, on the same terms. It stops at the first actor that needs
// no delay.
//
// Why nothing is lost: take an execution from this point, and its first delivery to an actor that
// needed no delay. If its message was deliverable here, the delivery may as well come first, and
// that order has been tried. If its message was sent since, then the delivery that sent it does not
// depend on this actor and happens too if one of the tried messages comes first; the search has run
// that execution, by the same argument further down, and would have seen the message. If there is
// no such delivery, a tried message does not depend on anything in the execution and may come
// first.
//
// Invariants:
//  1. points[0 .. length) are those of the present execution; point d is the state before its
//     delivery d + 1.
//  2. An actor stands for all actors whose deliveries depend on deliveries to it, directly or by
//     way of others, and these are tried together.
//  3. Whether a message is deliverable changes only with deliveries that depend on deliveries to
//     its receiver. A message that is pending at a point and not deliverable stays so until one of
//     them is made.
//  4. All memory is shared and survives the worker that runs the executions.
#ifndef REHEARSE_EXPLORE_REDUCE_DCUTE_H
#define REHEARSE_EXPLORE_REDUCE_DCUTE_H

#include "explore/strategy/strategy.h"

extern const struct rh_strategy_ops rh_strategy_dcute;

#endif
