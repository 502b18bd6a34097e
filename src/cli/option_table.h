// SPDX-License-Identifier: MIT
// The tables behind options.c (parsing) and help.c (help). To add an option, add a line to `table`
// in option_table.c; to add a verb, add one to enum rh_verb and one to rh__verbs, and examples in
// help.c.
#ifndef REHEARSE_CLI_OPTION_TABLE_H
#define REHEARSE_CLI_OPTION_TABLE_H

#include <stddef.h>

#include "cli/options.h"

struct rh_option {
    const char *name;     // without the dashes
    const char *argument; // what help calls the option's value; NULL: the option is a flag
    const char *help;     // NULL: the option is hidden, and only requests have it
    unsigned verbs;       // bit 1 << verb: the verb takes the option
    struct rh_status (*set)(struct rh_options *options, const struct rh_option *option,
                            const char *value);
    size_t offset; // offset in rh_options of the field that `set` writes
};

struct rh_verb_entry {
    const char *name;
    const char *help;        // one line
    const char *description; // for the verb's own help
};

extern const struct rh_verb_entry rh__verbs[RH_VERB_COUNT];

const struct rh_option *rh__option_get(size_t index); // NULL after the last

#endif
