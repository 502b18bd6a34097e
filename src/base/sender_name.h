// SPDX-License-Identifier: MIT
// Names of senders outside. Reports and schedules tell them by these, from one another and from actors.
#ifndef REHEARSE_BASE_SENDER_NAME_H
#define REHEARSE_BASE_SENDER_NAME_H

// What is wrong with a name for a sender, which may be NULL; NULL if nothing is. Static text that goes on from "rh_outside".
const char *rh_sender_name_fault(const char *name);

#endif
