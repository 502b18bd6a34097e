// SPDX-License-Identifier: MIT
// The variable of the environment that names a request of the command.
#ifndef REHEARSE_ENTRY_REQUEST_VARIABLE_H
#define REHEARSE_ENTRY_REQUEST_VARIABLE_H

#define RH_REQUEST_VARIABLE "REHEARSE_REQUEST"

#endif
