// SPDX-License-Identifier: MIT
// Why a search has stopped before it was done. Names are part of the contract and never change.
#ifndef REHEARSE_RESULT_STOP_H
#define REHEARSE_RESULT_STOP_H

#define RH_STOPS(X)                                                                                \
    X(NOTHING, "") /* it has not */                                                                \
    X(FINDING, "finding")                                                                          \
    X(EXECUTIONS, "executions")                                                                    \
    X(DELIVERIES, "deliveries")                                                                    \
    X(SECONDS, "seconds")                                                                          \
    X(INTERRUPT, "interrupt")                                                                      \
    X(STATES, "states") /* there is no room for more */                                            \
    X(MEMORY, "memory")                                                                            \
    X(FAILURE, "failure")      /* of the tool */                                                   \
    X(FOR_STATES, "reduction") /* an automatic search begins again, with states */

enum rh_stop {
#define X(name, text) RH_STOP_##name,
    RH_STOPS(X)
#undef X
};

const char *rh_stop_name(enum rh_stop stop);

#endif
