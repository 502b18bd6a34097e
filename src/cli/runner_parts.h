// SPDX-License-Identifier: MIT
// What the files of the runner share: one call of a test program, from its command line to its exit
// status. runner_prepare.c chooses the tests and reads what the command line names, runner_tests.c
// runs the tests, runner.c has the verbs and the entries.
#ifndef REHEARSE_CLI_RUNNER_PARTS_H
#define REHEARSE_CLI_RUNNER_PARTS_H

#include <rehearse/test.h>

#include "cli/options.h"
#include "cli/schedules.h"
#include "diagram/diagram.h"
#include "explore/run.h"
#include "explore/run/follow.h"
#include "report/text.h"
#include "trace/recording.h"
#include "trace/suppression.h"

// One call of a test program.
struct rh_runner {
    struct rh_options options;
    struct rh_text program;          // the program's names as the user gave them
    struct rh_text replay_command;   // the command that replays a finding, up to the schedule
    struct rh_text replay_arguments; // what follows the schedule in the command that replays it
    struct rh_schedule schedule;
    struct rh_schedules schedules; // of a directory: one for each of `tests`; otherwise empty
    struct rh_follower follower;   // of these, if they are generated
    struct rh_recording recording; // the recording that the schedule is made of, or empty
    struct rh_suppressions suppressions;
    struct rh_diagram_file diagrams; // of conform
    struct rh_journal *journal;      // of conform: what a recorded run did; NULL: there is none
    struct rh_report_style style;
    RH_VECTOR(struct rh_test) tests; // tests to run
    size_t begun;                    // how many of `tests` have begun, from the first on
    RH_VECTOR(struct rh_result) results;
    struct rh_text coverage;       // the coverage file of all tests, for --save-coverage
    struct rh_lines_record *lines; // of the present test, for --lines; NULL: not asked for
    struct rh_text outcomes;       // the file for --outcomes
    bool has_reader;          // somebody reads what is printed; otherwise no further test is run
    struct rh_status failure; // the first failure of the tool, after which the rest is reported
    bool is_last;             // the process ends with this run
};

// Names the program and the command that replays a finding. Called first.
void rh__runner_set_names(struct rh_runner *runner);
// Reads what the command line names, and chooses the tests.
struct rh_status rh__runner_prepare(struct rh_runner *runner);
// A schedule that leads to a line is about that line.
void rh__runner_seek_line(struct rh_run_options *run, const struct rh_schedule *schedule);
// Runs the tests and prints what they give. Gives the exit status.
int rh__runner_run(struct rh_runner *runner);

#endif
