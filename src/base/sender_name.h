// SPDX-License-Identifier: MIT
// Names of senders outside, by which reports and schedules tell these senders from one another and
// from actors.
#ifndef REHEARSE_BASE_SENDER_NAME_H
#define REHEARSE_BASE_SENDER_NAME_H

// What is wrong with a name for a sender, which may be NULL, as static text that goes on from
// "rh_outside"; NULL if nothing is wrong.
const char *rh_sender_name_fault(const char *name);

#endif
