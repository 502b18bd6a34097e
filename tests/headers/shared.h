// SPDX-License-Identifier: MIT
// Message types that two files share.
#ifndef REHEARSE_TESTS_SHARED_H
#define REHEARSE_TESTS_SHARED_H

#include <rehearse/actor.h>

RH_MESSAGE(deposit, { int amount; });
RH_MESSAGE(transfer, {
    int amount, fee;
    rh_actor *to;
    const char *reason;
});
RH_MESSAGE(job, {
    char *buffer;
    size_t length;
});
RH_MESSAGE(packet, {
    size_t length;
    char bytes[8];
});
RH_SIGNAL(get);
RH_SIGNAL(quit);

rh_behaviour other_behaviour;

#endif
