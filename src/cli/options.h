// SPDX-License-Identifier: MIT
// The command line: one table of verbs and one of options give parsing, help and errors, for the
// command and for a test program that is its own runner.
#ifndef REHEARSE_CLI_OPTIONS_H
#define REHEARSE_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"
#include "base/vector.h"
#include "cli/words.h"
#include "cover/cover.h"
#include "diagram/diagram.h"
#include "diagram/grade.h"
#include "explore/run.h"

enum rh_verb {
    RH_VERB_LIST,
    RH_VERB_EXPLORE,
    RH_VERB_SAMPLE,
    RH_VERB_COVER,
    RH_VERB_COVERAGE,
    RH_VERB_REPLAY,
    RH_VERB_SHRINK,
    RH_VERB_GRAPH,
    RH_VERB_GENERATE,
    RH_VERB_REACH,
    RH_VERB_REFINE,
    RH_VERB_PAIRS,
    RH_VERB_DIAGRAM,
    RH_VERB_CONFORM,
    RH_VERB_DOCTOR,
    RH_VERB_HELP,
    RH_VERB_VERSION,
    RH_VERB_COUNT
};

enum rh_color { RH_COLOR_AUTO, RH_COLOR_ALWAYS, RH_COLOR_NEVER };

// Who reads the command line: the command, or a test program.
struct rh_tool {
    const char *name;    // borrowed; "rehearse" or "./bank_test"
    bool takes_programs; // operands name the program under test: this is the command
    bool is_request;     // the arguments come from the command: hidden options are allowed
};

// What `generate` is asked for: see symbolic/generate.h, which only that part of the tool has.
struct rh_generate_flags {
    const char *behaviour, *message;
    uint64_t loop, deliveries_each, actors_each;
    uint64_t tests_most;   // 0: any number
    uint64_t queries_most; // 0: any number
    uint64_t solver_limit; // 0: the default
    bool wraps, no_stability, no_independence, no_aliases, block_aliases, any_behaviour,
        any_messages;
    bool fewest;                  // only the fewest tests that reach what all reach
    const char *file;             // where the tests go as C; NULL: nowhere
    const char *command, *binary; // hidden: what runs the tests, and the program; NULL: nothing
    const char *queries;          // directory for what the solver is asked; NULL: none
    RH_VECTOR(const char *) given;
};

// What `reach` is asked for besides: see symbolic/reach.h.
struct rh_reach_flags {
    RH_VECTOR(struct rh_reach_place {
        char *file; // owned
        uint32_t line;
    })
    places;
    bool check, dereference, all_checks, without_messages;
    bool uncovered; // each line that the coverage files lack
    int search;     // enum rh_reach_search
    bool no_weights, no_feedback;
    uint64_t messages_most; // from outside
    bool messages_given;    // the user has said so
};

// Strings are borrowed unless a field says otherwise.
struct rh_options {
    struct rh_tool tool;
    enum rh_verb verb;
    bool wants_help;
    const char *test; // NULL: all tests
    const char *schedule;
    const char *diagram;    // file of conform
    bool takes_run;         // of conform: the schedule is an operand, a recording
    enum rh_grade at_least; // what conform is content with
    const char *log;        // of refine: written by REHEARSE_LOG
    bool no_view;           // of refine: results alone are compared
    const char *save;       // directory for schedules; NULL: the current one
    const char *outcomes;   // file for how each test of a directory ends; NULL: reports are printed
    const char *suppressions;
    const char *adapter; // NULL: native
    bool says_causal;    // whether --time causal was given
    bool threads;        // the program's threads are under control: see src/threads
    const char *cflags;
    const char *libs;
    bool json;
    bool dot;
    bool svg;
    bool mermaid, plantuml;  // of diagram
    const char *hints;       // of pairs: a file that rules some out; NULL: none
    uint64_t target;         // of pairs: the row that is shown; 0: none
    bool volatile_is_atomic; // of threads
    bool spurious_wakeups;   // likewise
    bool is_as_it_is;        // a program with threads that was not compiled for this
    const char *old_diagram; // what diagram compares with, in words; NULL: nothing
    const char *actor;       // whose machine diagram shows; NULL: nobody's
    const char *why;         // arrows of which diagram says where they show; NULL: none
    bool patterns;           // diagram says how actors work together
    bool where;              // diagram says of each arrow where it is sent, and when
    bool baseline;
    bool any_number;
    bool any_origin;
    bool abstract;
    const char *from; // the sketch that diagram starts from; NULL: none
    bool no_times;
    bool quiet;
    bool require_complete;
    bool no_shrink;
    bool thorough;
    bool is_exhaustive; // explore takes no samples
    bool gdb;
    bool here; // hidden: follow the schedule in this process, for the debugger
    uint64_t at;
    bool has_order;  // --order was given
    bool has_states; // --states was given
    bool has_depth;  // --depth was given
    bool has_delays; // --delays was given
    enum rh_color color;
    uint64_t runs; // executions of sample
    struct rh_cover_options cover;
    const char *save_coverage;         // NULL: coverage is not saved
    bool lines;                        // lines and branches too
    RH_VECTOR(const char *) coverage;  // coverage files for graph
    double fail_under;                 // percent; negative: not given
    uint64_t read_limit;               // seconds of processor time for reading bitcode; 0: any
    struct rh_generate_flags generate; // of reach too: what both are asked for
    struct rh_reach_flags reach;
    uint64_t pairs; // how many pairs of each kind to list; 0: all
    struct rh_run_options run;
    char *until;                       // owned; the file of --until; NULL: none
    RH_VECTOR(const char *) sets;      // --set: NAME=VALUE
    RH_VECTOR(struct rh_range) vary;   // --vary; names are owned
    RH_VECTOR(const char *) names;     // hidden: the program as the user gave it
    RH_VECTOR(const char *) operands;  // programs and schedule files
    RH_VECTOR(const char *) arguments; // after `--`: for the program under test
    struct rh_words recorded;          // arguments that a recording or a schedule names
    RH_VECTOR(char *) words; // owned; verb and options again, as a request for a test program
};

// `arguments` are the `count` arguments after the program's name; they must outlive the options.
// Errors are RH_BAD_INPUT. Call rh_options_fini in any case.
struct rh_status rh_options_parse(struct rh_options *options, const struct rh_tool *tool, int count,
                                  char **arguments);
void rh_options_fini(struct rh_options *options);

const char *rh_verb_name(enum rh_verb verb);
// Whether the verb looks at the program's sources, and runs nothing itself.
// Verbs of tests of threads alone.
static inline bool rh_verb_runs_threads(enum rh_verb verb)
{
    return verb == RH_VERB_REFINE || verb == RH_VERB_PAIRS;
}

static inline bool rh_verb_looks_at_sources(enum rh_verb verb)
{
    return verb == RH_VERB_GRAPH || verb == RH_VERB_GENERATE || verb == RH_VERB_REACH;
}
// Whether the verb is about a schedule, which names its program.
bool rh_verb_takes_schedule(enum rh_verb verb);
// Whether a schedule that is missing is the order that the test gives itself.
bool rh_replays_order(const struct rh_options *options);

// Adds what `help` prints: about one verb, or, with RH_VERB_COUNT, about all.
void rh_options_help(struct rh_text *text, const struct rh_tool *tool, enum rh_verb verb);

// Gives the verb that `help` was asked about: its operand; RH_VERB_COUNT without one.
struct rh_status rh_options_help_topic(const struct rh_options *options, enum rh_verb *verb);

#endif
