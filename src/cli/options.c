// SPDX-License-Identifier: MIT
#include "cli/options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/native/native.h"
#include "cli/option_table.h"
#include "cli/words.h"

enum { DEFAULT_RUNS = 1000, DEFAULT_PAIRS = 10, SHRINK_DELIVERIES = 2000000 };
enum { COVER_EXECUTIONS = 10000, COVER_DELIVERIES = 1000000 };

// What may be spent on each error of a search to shrink it.
enum { SMALL_EXECUTIONS = 500, SMALL_DELIVERIES = 100000 };

// No number that an option can have.
#define NOT_GIVEN UINT64_MAX

const char *rh_verb_name(enum rh_verb verb)
{
    return rh__verbs[verb].name;
}

bool rh_verb_takes_schedule(enum rh_verb verb)
{
    return verb == RH_VERB_REPLAY || verb == RH_VERB_SHRINK;
}

// --- What an option does with its value. ---

static void *field_of(struct rh_options *options, const struct rh_option *option)
{
    return (char *)options + option->offset;
}

static struct rh_status set_flag(struct rh_options *options, const struct rh_option *option,
                                 const char *value)
{
    (void)value;
    *(bool *)field_of(options, option) = true;
    return rh_ok();
}

static struct rh_status set_text(struct rh_options *options, const struct rh_option *option,
                                 const char *value)
{
    if (!*value)
        return rh_bad_input("--%s needs a value that is not empty", option->name);
    *(const char **)field_of(options, option) = value;
    return rh_ok();
}

// Compiler flags may be empty: they often come from a variable.
static struct rh_status set_flags_text(struct rh_options *options, const struct rh_option *option,
                                       const char *value)
{
    *(const char **)field_of(options, option) = value;
    return rh_ok();
}

static struct rh_status parse_number(const struct rh_option *option, const char *value,
                                     uint64_t most, uint64_t *number)
{
    bool is_hex = value[0] == '0' && (value[1] == 'x' || value[1] == 'X');
    const char *digits = is_hex ? value + 2 : value;
    const char *allowed = is_hex ? "0123456789abcdefABCDEF" : "0123456789";
    if (!*digits || digits[strspn(digits, allowed)])
        return rh_bad_input("--%s needs a number, not '%s'", option->name, value);
    errno = 0;
    unsigned long long parsed = strtoull(digits, NULL, is_hex ? 16 : 10);
    if (errno || parsed > most)
        return rh_bad_input("--%s %s is too large: the most is %llu", option->name, value,
                            (unsigned long long)most);
    *number = parsed;
    return rh_ok();
}

// Numbers stay within what JSON readers take for an integer.
static struct rh_status set_number(struct rh_options *options, const struct rh_option *option,
                                   const char *value)
{
    return parse_number(option, value, INT64_MAX, field_of(options, option));
}

static struct rh_status set_faults(struct rh_options *options, const struct rh_option *option,
                                   const char *value)
{
    uint64_t number = 0;
    struct rh_status status = parse_number(option, value, RH_FAULTS_MOST, &number);
    if (rh_is_ok(&status))
        *(uint16_t *)field_of(options, option) = (uint16_t)number;
    return status;
}

static struct rh_status set_positive(struct rh_options *options, const struct rh_option *option,
                                     const char *value)
{
    uint64_t number = 0;
    struct rh_status status = parse_number(option, value, INT64_MAX, &number);
    if (rh_is_ok(&status) && number == 0)
        return rh_bad_input("--%s must be at least 1", option->name);
    *(uint64_t *)field_of(options, option) = number;
    return status;
}

// What is counted is bytes, so there is a most.
static struct rh_status set_megabytes(struct rh_options *options, const struct rh_option *option,
                                      const char *value)
{
    uint64_t number = 0;
    struct rh_status status = parse_number(option, value, INT32_MAX, &number);
    if (rh_is_ok(&status) && number == 0)
        return rh_bad_input("--%s must be at least 1", option->name);
    *(uint64_t *)field_of(options, option) = number;
    return status;
}

// From 1 to `most`.
static struct rh_status set_few(struct rh_options *options, const struct rh_option *option,
                                const char *value, uint64_t most)
{
    uint64_t number = 0;
    struct rh_status status = parse_number(option, value, most, &number);
    if (rh_is_ok(&status) && number == 0)
        return rh_bad_input("--%s must be at least 1", option->name);
    *(uint32_t *)field_of(options, option) = (uint32_t)number;
    return status;
}

static struct rh_status set_positive_32(struct rh_options *options, const struct rh_option *option,
                                        const char *value)
{
    return set_few(options, option, value, INT32_MAX);
}

static struct rh_status set_seconds(struct rh_options *options, const struct rh_option *option,
                                    const char *value)
{
    char *end;
    double seconds = strtod(value, &end);
    if (end == value || *end || !isfinite(seconds) || seconds <= 0)
        return rh_bad_input("--%s needs a number of seconds above 0, not '%s'", option->name,
                            value);
    *(double *)field_of(options, option) = seconds;
    return rh_ok();
}

static struct rh_status refuse_choice(const struct rh_option *option, const char *value)
{
    return rh_bad_input("--%s takes %s, not '%s'", option->name, option->argument, value);
}

static struct rh_status set_delivery(struct rh_options *options, const struct rh_option *option,
                                     const char *value)
{
    if (!rh_order_parse(value, &options->run.order))
        return refuse_choice(option, value);
    return rh_ok();
}

static struct rh_status set_time(struct rh_options *options, const struct rh_option *option,
                                 const char *value)
{
    if (!rh_time_parse(value, &options->run.time))
        return refuse_choice(option, value);
    return rh_ok();
}

static struct rh_status set_environment(struct rh_options *options, const struct rh_option *option,
                                        const char *value)
{
    if (!rh_environment_parse(value, &options->run.environment))
        return refuse_choice(option, value);
    return rh_ok();
}

// Gives the index of `value` in `choices`, or -1.
static int find_choice(const char *value, const char *const *choices, int count)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(value, choices[i]))
            return i;
    return -1;
}

static struct rh_status set_undo(struct rh_options *options, const struct rh_option *option,
                                 const char *value)
{
    static const char *const choices[] = {"on", "off", "verify"};
    int choice = find_choice(value, choices, 3);
    if (choice < 0)
        return refuse_choice(option, value);
    options->run.undo = (enum rh_undo)choice;
    return rh_ok();
}

static struct rh_status set_color(struct rh_options *options, const struct rh_option *option,
                                  const char *value)
{
    static const char *const choices[] = {"auto", "always", "never"};
    int choice = find_choice(value, choices, 3);
    if (choice < 0)
        return refuse_choice(option, value);
    options->color = (enum rh_color)choice;
    return rh_ok();
}

static struct rh_status set_states(struct rh_options *options, const struct rh_option *option,
                                   const char *value)
{
    static const char *const choices[] = {"none", "exact", "actors", "bitstate"};
    int choice = find_choice(value, choices, 4);
    if (choice < 0)
        return refuse_choice(option, value);
    if (choice != RH_STATES_NONE && options->verb != RH_VERB_EXPLORE)
        return rh_bad_input("--%s %s is for explore: %s does not leave out states that it has seen",
                            option->name, value, rh_verb_name(options->verb));
    options->run.states = (enum rh_states_mode)choice;
    options->has_states = true;
    return rh_ok();
}

static struct rh_status set_sampling(struct rh_options *options, const struct rh_option *option,
                                     const char *value)
{
    static const char *const choices[] = {"random", "pct", "pos", "delay"};
    int choice = find_choice(value, choices, 4);
    if (choice < 0)
        return refuse_choice(option, value);
    options->run.strategy = choices[choice];
    return rh_ok();
}

static struct rh_status set_depth(struct rh_options *options, const struct rh_option *option,
                                  const char *value)
{
    options->has_depth = true;
    return set_few(options, option, value, RH_DEPTH_MOST);
}

static struct rh_status set_delays(struct rh_options *options, const struct rh_option *option,
                                   const char *value)
{
    options->has_delays = true;
    return set_few(options, option, value, RH_DELAYS_MOST);
}

static struct rh_status set_reduction(struct rh_options *options, const struct rh_option *option,
                                      const char *value)
{
    static const char *const choices[] = {"none", "source", "optimal", "dcute"};
    int choice = find_choice(value, choices, 4);
    if (choice < 0)
        return refuse_choice(option, value);
    options->run.reduction = choices[choice];
    return rh_ok();
}

static struct rh_status set_order(struct rh_options *options, const struct rh_option *option,
                                  const char *value)
{
    static const char *const choices[] = {"low", "high", "created"};
    int choice = find_choice(value, choices, 3);
    if (choice < 0)
        return refuse_choice(option, value);
    options->run.actor_order = (enum rh_actor_order)choice;
    options->has_order = true;
    return rh_ok();
}

static struct rh_status refuse_kind(const char *word)
{
    struct rh_text kinds = {0};
    for (int kind = 0; kind < RH_FINDING_KIND_COUNT; kind++)
        rh_text_addf(&kinds, "%s%s", kind ? " " : "",
                     rh_finding_kind_name((enum rh_finding_kind)kind));
    struct rh_status status = rh_bad_input("--fail-on takes kinds of findings, and '%s' is none; "
                                           "there are: %s",
                                           word, rh_text_get(&kinds));
    rh_text_fini(&kinds);
    return status;
}

static struct rh_status set_fail_on(struct rh_options *options, const struct rh_option *option,
                                    const char *value)
{
    (void)option;
    struct rh_status status = rh_ok();
    char *copy = rh_strdup(value), *rest = copy, *word;
    while (rh_is_ok(&status) && (word = strsep(&rest, ","))) {
        enum rh_finding_kind kind;
        if (rh_finding_kind_parse(word, &kind))
            options->run.fail_on |= UINT32_C(1) << kind;
        else
            status = refuse_kind(word);
    }
    free(copy);
    return status;
}

static struct rh_status set_seed(struct rh_options *options, const struct rh_option *option,
                                 const char *value)
{
    options->cover.is_seeded = true;
    return set_number(options, option, value);
}

static bool has_criterion(const struct rh_cover_options *cover, enum rh_criterion criterion)
{
    for (int i = 0; i < cover->criterion_count; i++)
        if (cover->criteria[i] == criterion)
            return true;
    return false;
}

static struct rh_status set_criteria(struct rh_options *options, const struct rh_option *option,
                                     const char *value)
{
    struct rh_cover_options *cover = &options->cover;
    struct rh_status status = rh_ok();
    char *copy = rh_strdup(value), *rest = copy, *word;
    cover->criterion_count = 0;
    while (rh_is_ok(&status) && (word = strsep(&rest, ","))) {
        enum rh_criterion criterion;
        if (!rh_criterion_parse(word, &criterion))
            status = rh_bad_input("--%s takes pr, pbr and pcr with commas between them, not '%s'",
                                  option->name, value);
        else if (has_criterion(cover, criterion))
            status = rh_bad_input("--%s %s names %s twice", option->name, value, word);
        else
            cover->criteria[cover->criterion_count++] = criterion;
    }
    free(copy);
    return status;
}

static struct rh_status set_percent(struct rh_options *options, const struct rh_option *option,
                                    const char *value)
{
    char *end;
    double percent = strtod(value, &end);
    if (end == value || *end || !(percent >= 0 && percent <= 100))
        return rh_bad_input("--%s needs a percentage from 0 to 100, not '%s'", option->name, value);
    *(double *)field_of(options, option) = percent;
    return rh_ok();
}

static struct rh_status add_name(struct rh_options *options, const struct rh_option *option,
                                 const char *value)
{
    (void)option;
    *rh_vector_push(&options->names) = value;
    return rh_ok();
}

static struct rh_status add_argument(struct rh_options *options, const struct rh_option *option,
                                     const char *value)
{
    (void)option;
    *rh_vector_push(&options->arguments) = value;
    return rh_ok();
}

// --- The table. ---

#define FOR(verb) (1u << RH_VERB_##verb)
#define FAULTS (FOR(EXPLORE) | FOR(SAMPLE))
#define SEARCHES (FAULTS | FOR(COVER))
#define RUNS (SEARCHES | FOR(REPLAY) | FOR(SHRINK))
#define COMPILES (RUNS | FOR(LIST) | FOR(DOCTOR) | FOR(GRAPH))
#define AT(field) offsetof(struct rh_options, field)

static const struct rh_option table[] = {
    {"test", "NAME", "only this test; otherwise all tests of the program", RUNS | FOR(GRAPH),
     set_text, AT(test)},
    {"delivery", "fifo|any", "fifo: messages from one actor to another keep their order (default)",
     SEARCHES, set_delivery, 0},
    {"time", "causal|strict", "strict: a timer fires only when nothing else can happen", SEARCHES,
     set_time, 0},
    {"environment", "quiet|closed|open",
     "closed: who is alive at the end is stuck; open: rh_may_come", SEARCHES, set_environment, 0},
    {"drop", "N", "up to N messages of an execution get lost", FAULTS, set_faults,
     AT(run.faults.drops)},
    {"duplicate", "N", "up to N times a message comes once more, at any later time", FAULTS,
     set_faults, AT(run.faults.duplicates)},
    {"crash", "N", "up to N times an actor crashes, between any two deliveries", FAULTS, set_faults,
     AT(run.faults.crashes)},
    {"restart", NULL, "an actor that crashes begins anew with the state of its spawn", FAULTS,
     set_flag, AT(run.faults.restarts)},
    {"runs", "N", "executions to try (default 1000)", FOR(SAMPLE), set_positive, AT(runs)},
    {"seed", "N", "where the random choices start, decimal or 0x...", FOR(SAMPLE) | FOR(COVER),
     set_seed, AT(run.seed)},
    {"criteria", "pr,pbr,pcr", "which pairs of receives to try in both orders, and in which turn",
     FOR(COVER), set_criteria, 0},
    {"save-coverage", "FILE", "write what has been covered to FILE, for rehearse coverage",
     FOR(COVER), set_text, AT(save_coverage)},
    {"fail-under", "PERCENT", "exit with 1 if fewer of the pr goals are covered", FOR(COVERAGE),
     set_percent, AT(fail_under)},
    {"pairs", "N", "list so many pairs of each kind and actor (default 10; 0: all)", FOR(COVERAGE),
     set_number, AT(pairs)},
    {"strategy", "random|pct|pos|delay", "how samples are taken (default random)", FOR(SAMPLE),
     set_sampling, 0},
    {"depth", "N", "pct: how many constraints on the order a bug may need (default 3)", FOR(SAMPLE),
     set_depth, AT(run.depth)},
    {"delays", "N", "delay: how many in each execution (default 3)", FOR(SAMPLE), set_delays,
     AT(run.delays)},
    {"max-executions", "N", "stop after N executions (default 100000, cover 10000; 0: no bound)",
     FOR(EXPLORE) | FOR(COVER) | FOR(SHRINK), set_number, AT(run.max_executions)},
    {"max-deliveries", "N", "stop after N deliveries in all (cover: 1000000; 0: no bound)",
     SEARCHES | FOR(SHRINK), set_number, AT(run.max_deliveries)},
    {"max-length", "N", "deliveries in one execution before it counts as endless (default 10000)",
     RUNS, set_positive_32, AT(run.max_length)},
    {"max-seconds", "S", "stop after S seconds; the verdict is then unknown", SEARCHES, set_seconds,
     AT(run.max_seconds)},
    {"max-memory", "MB", "stop when the search takes more; the verdict is then unknown", SEARCHES,
     set_megabytes, AT(run.max_memory)},
    {"hang-limit", "MS", "suspect a hang after MS milliseconds in one handler (default 1000)", RUNS,
     set_positive_32, AT(run.hang_ms)},
    {"keep-going", NULL, "go on after a finding", SEARCHES, set_flag, AT(run.keep_going)},
    {"shortest", NULL, "go on for the error with the fewest deliveries", FOR(EXPLORE), set_flag,
     AT(run.shortest)},
    {"no-shrink", NULL, "leave the schedules of errors as they were found", SEARCHES, set_flag,
     AT(no_shrink)},
    {"require-complete", NULL, "exit with 4 unless every order was tried or something was found",
     FAULTS, set_flag, AT(require_complete)},
    {"fail-on", "KIND[,KIND]", "these kinds are errors, not warnings", RUNS, set_fail_on, 0},
    {"suppressions", "FILE",
     "known shared-state and unhandled findings that are not to be reported", RUNS, set_text,
     AT(suppressions)},
    {"private-library", "NAME[,NAME]", "each actor has its own data of these libraries", RUNS,
     set_text, AT(run.private_libraries)},
    {"schedule", "FILE", "inputs, messages from outside and, for replay, deliveries: from FILE",
     RUNS, set_text, AT(schedule)},
    {"save", "DIR", "where schedules go (default: the current directory; coverage: nowhere)",
     RUNS | FOR(COVERAGE), set_text, AT(save)},
    {"undo", "on|off|verify", "take deliveries back, run again instead, or do both and compare",
     RUNS, set_undo, 0},
    {"states", "none|exact|actors|bitstate", "do not go on from known states (default: if need be)",
     FAULTS, set_states, 0},
    {"states-full", NULL, "keep whole states, and fail if two have the same fingerprint",
     FOR(EXPLORE), set_flag, AT(run.states_full)},
    {"reduction", "none|source|optimal|dcute", "leave out equivalent orders (default optimal)",
     FOR(EXPLORE), set_reduction, 0},
    {"order", "low|high|created",
     "dcute: oldest actor first, newest, or oldest message (default high)", FOR(EXPLORE), set_order,
     0},
    {"commuting", NULL, "leave out orders of deliveries to one actor that commute", FOR(EXPLORE),
     set_flag, AT(run.commuting)},
    {"unfair", NULL, "report ways round for ever that never deliver some message, too", RUNS,
     set_flag, AT(run.unfair)},
    {"census", NULL, "count distinct final states and classes of executions", FOR(EXPLORE),
     set_flag, AT(run.census)},
    {"trace-states", NULL, "show the state before and after each handler", FOR(REPLAY), set_flag,
     AT(run.trace_states)},
    {"gdb", NULL, "stop in the failing handler under gdb (or the command in $GDB)", FOR(REPLAY),
     set_flag, AT(gdb)},
    {"at", "N", "with --gdb: stop in the handler of delivery N", FOR(REPLAY), set_positive, AT(at)},
    {"output", NULL, "show what the program prints, on standard error", RUNS, set_flag,
     AT(run.output)},
    {"dot", NULL, "print the graph in Graphviz's language", FOR(GRAPH), set_flag, AT(dot)},
    {"svg", NULL, "print the graph as a picture, drawn by Graphviz", FOR(GRAPH), set_flag, AT(svg)},
    {"baseline", NULL, "do not use what rh_as tells about types: what that is worth", FOR(GRAPH),
     set_flag, AT(baseline)},
    {"json", NULL, "print one JSON object on standard output",
     RUNS | FOR(LIST) | FOR(COVERAGE) | FOR(GRAPH), set_flag, AT(json)},
    {"no-times", NULL, "leave out how long it took", RUNS, set_flag, AT(no_times)},
    {"quiet", NULL, "only one line for a test that failed", RUNS, set_flag, AT(quiet)},
    {"color", "auto|always|never", "colours; auto: on a terminal, unless NO_COLOR is set", RUNS,
     set_color, 0},
    {"cflags", "FLAGS", "for the compiler; also from CFLAGS", COMPILES, set_flags_text, AT(cflags)},
    {"libs", "FLAGS", "for the linker; also from LDLIBS and LDFLAGS", COMPILES, set_flags_text,
     AT(libs)},
    {"as", "NAME", NULL, COMPILES, add_name, 0},
    {"argument", "TEXT", NULL, COMPILES, add_argument, 0},
    {"here", NULL, NULL, FOR(REPLAY), set_flag, AT(here)},
};

enum { OPTION_COUNT = sizeof table / sizeof table[0] };

const struct rh_option *rh__option_get(size_t index)
{
    return index < OPTION_COUNT ? &table[index] : NULL;
}

// --- Parsing. ---

static const struct rh_option *find_option(const char *name, size_t length, bool is_request)
{
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (strlen(table[i].name) == length && !strncmp(table[i].name, name, length) &&
            (table[i].help || is_request))
            return &table[i];
    return NULL;
}

static struct rh_status refuse_option(const struct rh_options *options, const char *word)
{
    const char *verb = rh_verb_name(options->verb);
    const char *candidates[OPTION_COUNT];
    size_t count = 0;
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (table[i].help && table[i].verbs & 1u << options->verb)
            candidates[count++] = table[i].name;
    struct rh_text name = {0};
    rh_text_add_bytes(&name, word, strcspn(word, "="));
    size_t dashes = strspn(rh_text_get(&name), "-");
    const char *nearest = rh_words_nearest(rh_text_get(&name) + dashes, candidates, count);
    struct rh_status status =
        nearest ? rh_bad_input("unknown option %s for %s; did you mean --%s? see %s %s --help",
                               rh_text_get(&name), verb, nearest, options->tool.name, verb)
                : rh_bad_input("unknown option %s for %s; see %s %s --help", rh_text_get(&name),
                               verb, options->tool.name, verb);
    rh_text_fini(&name);
    return status;
}

static struct rh_status refuse_for_verb(const struct rh_options *options,
                                        const struct rh_option *option)
{
    struct rh_text owners = {0};
    for (int verb = 0; verb < RH_VERB_COUNT; verb++)
        if (option->verbs & 1u << verb)
            rh_text_addf(&owners, "%s%s", owners.length ? ", " : "",
                         rh_verb_name((enum rh_verb)verb));
    const char *verb = rh_verb_name(options->verb);
    struct rh_status status =
        rh_bad_input("--%s is an option of %s, not of %s; see %s %s --help", option->name,
                     rh_text_get(&owners), verb, options->tool.name, verb);
    rh_text_fini(&owners);
    return status;
}

static void remember(struct rh_options *options, const struct rh_option *option, const char *value)
{
    struct rh_text word = {0};
    rh_text_addf(&word, "--%s", option->name);
    if (option->argument)
        rh_text_addf(&word, "=%s", value);
    *rh_vector_push(&options->words) = rh_text_take(&word);
}

// Parses the option at `arguments[*index]`, and its value, which may be the next argument.
static struct rh_status parse_option(struct rh_options *options, int count, char **arguments,
                                     int *index)
{
    const char *word = arguments[*index];
    if (!strcmp(word, "-h") || !strcmp(word, "--help")) {
        options->wants_help = true;
        return rh_ok();
    }
    const char *name = word + 2;
    size_t length = strcspn(word, "=") < 2 ? 0 : strcspn(name, "=");
    const struct rh_option *option =
        strncmp(word, "--", 2) ? NULL : find_option(name, length, options->tool.is_request);
    if (!option)
        return refuse_option(options, word);
    if (!(option->verbs & 1u << options->verb))
        return refuse_for_verb(options, option);
    const char *value = name[length] ? name + length + 1 : NULL;
    if (!option->argument && value)
        return rh_bad_input("--%s takes no value; see %s %s --help", option->name,
                            options->tool.name, rh_verb_name(options->verb));
    if (option->argument && !value) {
        if (*index + 1 >= count)
            return rh_bad_input("--%s needs a value: %s", option->name, option->argument);
        value = arguments[++*index];
    }
    remember(options, option, value);
    return option->set(options, option, value);
}

static struct rh_status parse_arguments(struct rh_options *options, int count, char **arguments)
{
    for (int i = 0; i < count; i++) {
        if (!strcmp(arguments[i], "--")) {
            for (i++; i < count; i++)
                *rh_vector_push(&options->arguments) = arguments[i];
        } else if (arguments[i][0] == '-' && arguments[i][1]) {
            struct rh_status status = parse_option(options, count, arguments, &i);
            if (!rh_is_ok(&status))
                return status;
        } else {
            *rh_vector_push(&options->operands) = arguments[i];
        }
    }
    return rh_ok();
}

static bool find_verb(const char *word, enum rh_verb *verb)
{
    for (int i = 0; i < RH_VERB_COUNT; i++) {
        if (!strcmp(word, rh__verbs[i].name)) {
            *verb = (enum rh_verb)i;
            return true;
        }
    }
    return false;
}

static struct rh_status refuse_verb(const struct rh_tool *tool, const char *word)
{
    const char *names[RH_VERB_COUNT];
    for (int i = 0; i < RH_VERB_COUNT; i++)
        names[i] = rh__verbs[i].name;
    const char *nearest = rh_words_nearest(word, names, RH_VERB_COUNT);
    if (nearest)
        return rh_bad_input("unknown verb '%s'; did you mean %s? see %s --help", word, nearest,
                            tool->name);
    return rh_bad_input("unknown verb '%s'; see %s --help", word, tool->name);
}

// Finds the verb, and how many arguments it took: a test program explores if it is not told otherwise.
static struct rh_status parse_verb(struct rh_options *options, int count, char **arguments,
                                   int *used)
{
    const char *first = count ? arguments[0] : "";
    *used = 1;
    if (!strcmp(first, "--version")) {
        options->verb = RH_VERB_VERSION;
    } else if (!strcmp(first, "--help") || !strcmp(first, "-h")) {
        options->verb = RH_VERB_HELP;
    } else if (*first && *first != '-') {
        if (!find_verb(first, &options->verb))
            return refuse_verb(&options->tool, first);
        if (options->verb == RH_VERB_GRAPH && !options->tool.takes_programs)
            return rh_bad_input("graph looks at sources: rehearse graph prog.c");
    } else if (!options->tool.takes_programs) {
        options->verb = RH_VERB_EXPLORE;
        *used = 0;
    } else if (count == 0) {
        return rh_bad_input("a verb is missing; see %s --help", options->tool.name);
    } else {
        return rh_bad_input("the first argument is a verb, not %s; see %s --help", first,
                            options->tool.name);
    }
    return rh_ok();
}

static struct rh_status check_combination(const struct rh_options *options)
{
    if (options->at && !options->gdb && !options->here)
        return rh_bad_input("--at goes with --gdb: it says at which delivery the debugger stops");
    if (options->run.states_full && options->run.states != RH_STATES_EXACT &&
        options->run.states != RH_STATES_ACTORS)
        return rh_bad_input("--states-full goes with --states exact or actors: it keeps the states "
                            "that these compare");
    if (options->run.shortest && options->run.states != RH_STATES_NONE)
        return rh_bad_input("--shortest goes with --states none: where a state was seen before, a "
                            "shorter way may lead to it now");
    if (options->run.shortest && options->run.commuting)
        return rh_bad_input(
            "--shortest and --commuting exclude each other: what commutes counts as "
            "one way, and another may be shorter");
    if (options->run.faults.restarts && options->run.faults.crashes == 0)
        return rh_bad_input("--restart goes with --crash N: it says what becomes of an actor that "
                            "crashes");
    if (options->run.faults.restarts && options->run.states == RH_STATES_ACTORS)
        return rh_bad_input("--restart and --states actors exclude each other: what actors begin "
                            "anew with can't be renamed; --states exact does not rename");
    if (options->has_depth && strcmp(options->run.strategy, "pct") != 0)
        return rh_bad_input("--depth goes with --strategy pct: it says which bugs that is to find");
    if (options->has_delays && strcmp(options->run.strategy, "delay") != 0)
        return rh_bad_input("--delays goes with --strategy delay: it says how many there are");
    if (options->dot + options->svg + (options->verb == RH_VERB_GRAPH && options->json) > 1)
        return rh_bad_input("--dot, --svg and --json exclude each other");
    if (options->gdb && options->json)
        return rh_bad_input("--gdb and --json exclude each other");
    if (options->run.commuting && strcmp(options->run.reduction, "source") != 0 &&
        strcmp(options->run.reduction, "optimal") != 0)
        return rh_bad_input("--commuting goes with --reduction source or optimal: they leave out "
                            "orders");
    if (rh_faults_any(&options->run.faults) && options->run.states != RH_STATES_NONE &&
        strcmp(options->run.reduction, "none") != 0)
        return rh_bad_input("with faults, --states and --reduction exclude each other: what is "
                            "remembered of a state does not say which faults race with it");
    if (options->run.states != RH_STATES_NONE && strcmp(options->run.reduction, "none") != 0 &&
        (options->run.states != RH_STATES_EXACT || strcmp(options->run.reduction, "source") != 0 ||
         options->run.states_full || options->run.commuting))
        return rh_bad_input("of --states and --reduction only exact and source go together, "
                            "without --states-full and --commuting");
    if (options->has_order && strcmp(options->run.reduction, "dcute") != 0)
        return rh_bad_input("--order goes with --reduction dcute: it says which actor that tries "
                            "first");
    return rh_ok();
}

// What explore does if it is not told: one execution for each class of equivalent ones, and if there is no end to that,
// known states left out.
static void set_reduction_default(struct rh_options *options)
{
    struct rh_run_options *run = &options->run;
    run->automatic = options->verb == RH_VERB_EXPLORE && !run->reduction && !options->has_states &&
                     run->max_executions == NOT_GIVEN;
    if (!run->reduction)
        run->reduction =
            options->verb == RH_VERB_EXPLORE && run->states == RH_STATES_NONE ? "optimal" : "none";
    if (run->max_executions == NOT_GIVEN)
        run->max_executions =
            options->verb == RH_VERB_COVER ? COVER_EXECUTIONS : RH_EXECUTIONS_DEFAULT;
}

static void set_strategy(struct rh_options *options)
{
    struct rh_run_options *run = &options->run;
    set_reduction_default(options);
    run->verb = rh_verb_name(options->verb);
    if (options->verb == RH_VERB_SAMPLE)
        run->max_executions = options->runs;
    if (!run->strategy)
        run->strategy = rh_verb_takes_schedule(options->verb) ? "replay"
                        : options->verb == RH_VERB_SAMPLE     ? "random"
                        : options->verb == RH_VERB_COVER      ? "cover"
                                                              : "dfs";
    if (run->max_deliveries == NOT_GIVEN)
        run->max_deliveries = options->verb == RH_VERB_SHRINK  ? SHRINK_DELIVERIES
                              : options->verb == RH_VERB_COVER ? COVER_DELIVERIES
                                                               : 0;
    if (!rh_verb_takes_schedule(options->verb)) {
        run->shrink = !options->no_shrink;
        run->shrink_executions = SMALL_EXECUTIONS;
        run->shrink_deliveries = SMALL_DELIVERIES;
    }
    if (options->verb == RH_VERB_SHRINK) {
        run->shrink = true;
        run->shrink_executions = run->max_executions;
        run->shrink_deliveries = run->max_deliveries;
        run->max_executions = run->max_deliveries = 0;
    }
}

struct rh_status rh_options_parse(struct rh_options *options, const struct rh_tool *tool, int count,
                                  char **arguments)
{
    *options = (struct rh_options){
        .tool = *tool,
        .runs = DEFAULT_RUNS,
        .cover = {.criteria = {RH_CRITERION_PR, RH_CRITERION_PBR, RH_CRITERION_PCR},
                  .criterion_count = RH_CRITERION_COUNT},
        .fail_under = -1,
        .pairs = DEFAULT_PAIRS};
    rh_run_options_init(&options->run);
    options->run.adapter = &rh_native_adapter;
    options->run.max_executions = options->run.max_deliveries = NOT_GIVEN;
    options->run.reduction = NULL;
    options->run.strategy = NULL;
    int used;
    struct rh_status status = parse_verb(options, count, arguments, &used);
    if (!rh_is_ok(&status))
        return status;
    *rh_vector_push(&options->words) = rh_strdup(rh_verb_name(options->verb));
    status = parse_arguments(options, count - used, arguments + used);
    set_strategy(options);
    if (rh_is_ok(&status) && !options->wants_help)
        status = check_combination(options);
    return status;
}

struct rh_status rh_options_help_topic(const struct rh_options *options, enum rh_verb *verb)
{
    *verb = options->verb == RH_VERB_HELP ? RH_VERB_COUNT : options->verb;
    if (options->verb == RH_VERB_HELP && options->operands.count &&
        !find_verb(options->operands.items[0], verb))
        return refuse_verb(&options->tool, options->operands.items[0]);
    return rh_ok();
}

void rh_options_fini(struct rh_options *options)
{
    for (size_t i = 0; i < options->words.count; i++)
        free(options->words.items[i]);
    rh_vector_fini(&options->words);
    rh_vector_fini(&options->names);
    rh_vector_fini(&options->operands);
    rh_vector_fini(&options->arguments);
}
