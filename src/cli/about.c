// SPDX-License-Identifier: MIT
#include "cli/about.h"

#include <rehearse/version.h>

#include "cli/output.h"

bool rh_print_about(const struct rh_options *options, int *exit_status)
{
    struct rh_text text = {0};
    struct rh_status status = rh_ok();
    if (options->wants_help || options->verb == RH_VERB_HELP) {
        enum rh_verb topic;
        status = rh_options_help_topic(options, &topic);
        if (rh_is_ok(&status))
            rh_options_help(&text, &options->tool, topic);
    } else if (options->verb == RH_VERB_VERSION) {
        rh_text_addf(&text, "rehearse %s\n", REHEARSE_VERSION);
    } else {
        return false;
    }
    if (!rh_is_ok(&status))
        *exit_status = rh_print_status(&status);
    else
        *exit_status = rh_print(&text) ? RH_EXIT_NOTHING : RH_EXIT_FAILED;
    rh_text_fini(&text);
    return true;
}
