// SPDX-License-Identifier: MIT
// The second file that sees the message types of shared.h.
#include "shared.h"

void other_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)state;
    const struct transfer *transfer = rh_as(message, transfer);
    if (transfer)
        rh_send(transfer->to, transfer, {.amount = 1, .fee = 0, .to = self, .reason = "back"});
    rh_send(self, quit);
}
