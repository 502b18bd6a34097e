// SPDX-License-Identifier: MIT
// What options there are, and what each does with its value.
#include "cli/option_table.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/none.h"
#include "cli/words.h"

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

// Numbers stay within what readers of JSON take for an integer.
static struct rh_status set_number(struct rh_options *options, const struct rh_option *option,
                                   const char *value)
{
    return parse_number(option, value, INT64_MAX, field_of(options, option));
}

static struct rh_status set_messages(struct rh_options *options, const struct rh_option *option,
                                     const char *value)
{
    options->reach.messages_given = true;
    return parse_number(option, value, UINT32_MAX, field_of(options, option));
}

static enum rh_fault fault_of(const struct rh_option *option)
{
    return !strcmp(option->name, "drop")        ? RH_FAULT_DROP
           : !strcmp(option->name, "duplicate") ? RH_FAULT_DUPLICATE
                                                : RH_FAULT_CRASH;
}

// N, N:AIM or AIM, which is one.
static struct rh_status set_faults(struct rh_options *options, const struct rh_option *option,
                                   const char *value)
{
    uint64_t number = 1;
    struct rh_status status = rh_ok();
    struct rh_text digits = {0};
    const char *aim = strchr(value, ':');
    bool is_name = isalpha((unsigned char)value[0]) || value[0] == '_' || value[0] == '@';
    bool has_number = aim || !is_name;
    if (has_number) {
        rh_text_add_bytes(&digits, value, aim ? (size_t)(aim - value) : strlen(value));
        status = parse_number(option, rh_text_get(&digits), RH_FAULTS_MOST, &number);
        rh_text_fini(&digits);
    }
    aim = aim ? aim + 1 : has_number ? NULL : value;
    enum rh_fault fault = fault_of(option);
    if (rh_is_ok(&status) && aim && (!*aim || aim[strlen(aim) - 1] == '@'))
        status = rh_bad_input("--%s %s names nothing behind the %s: %s", option->name, value,
                              *aim ? "@" : ":", option->argument);
    if (rh_is_ok(&status) && aim && fault == RH_FAULT_CRASH && strchr(aim, '@'))
        status =
            rh_bad_input("--%s %s names a message: what crashes is an actor, as in --%s worker",
                         option->name, value, option->name);
    options->run.faults.aims[fault] = aim;
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

// The bound is below INT64_MAX, since the number is turned into bytes.
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

// Sets a number from 1 to `most`.
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
    if (!rh_order_rule_parse(value, &options->run.order_rule))
        return refuse_choice(option, value);
    return rh_ok();
}

static struct rh_status set_time(struct rh_options *options, const struct rh_option *option,
                                 const char *value)
{
    if (!rh_time_parse(value, &options->run.time))
        return refuse_choice(option, value);
    options->says_causal = options->run.time == RH_TIME_CAUSAL;
    return rh_ok();
}

static struct rh_status set_environment(struct rh_options *options, const struct rh_option *option,
                                        const char *value)
{
    if (!rh_environment_parse(value, &options->run.environment))
        return refuse_choice(option, value);
    return rh_ok();
}

// Gives the index of `value` in `choices`, or RH_NONE.
static uint32_t find_choice(const char *value, const char *const *choices, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!strcmp(value, choices[i]))
            return i;
    return RH_NONE;
}

static struct rh_status set_undo(struct rh_options *options, const struct rh_option *option,
                                 const char *value)
{
    static const char *const choices[] = {"on", "off", "verify"};
    uint32_t choice = find_choice(value, choices, 3);
    if (choice == RH_NONE)
        return refuse_choice(option, value);
    options->run.undo = (enum rh_undo)choice;
    return rh_ok();
}

static struct rh_status set_color(struct rh_options *options, const struct rh_option *option,
                                  const char *value)
{
    static const char *const choices[] = {"auto", "always", "never"};
    uint32_t choice = find_choice(value, choices, 3);
    if (choice == RH_NONE)
        return refuse_choice(option, value);
    options->color = (enum rh_color)choice;
    return rh_ok();
}

static struct rh_status set_states(struct rh_options *options, const struct rh_option *option,
                                   const char *value)
{
    static const char *const choices[] = {"none", "exact", "actors", "bitstate"};
    uint32_t choice = find_choice(value, choices, 4);
    if (choice == RH_NONE)
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
    static const char *const choices[] = {"mixed", "random", "pct", "pos", "delay", "exhaustive"};
    uint32_t choice = find_choice(value, choices, 6);
    if (choice == RH_NONE)
        return refuse_choice(option, value);
    bool is_exhaustive = !strcmp(value, "exhaustive");
    if (is_exhaustive != (options->verb == RH_VERB_EXPLORE))
        return rh_bad_input(is_exhaustive ? "--%s %s is for explore: %s takes samples"
                                          : "--%s %s takes samples: it is for sample, and %s takes "
                                            "exhaustive",
                            option->name, value, rh_verb_name(options->verb));
    options->is_exhaustive = is_exhaustive;
    if (is_exhaustive)
        return rh_ok();
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
    uint32_t choice = find_choice(value, choices, 4);
    if (choice == RH_NONE)
        return refuse_choice(option, value);
    options->run.reduction = choices[choice];
    return rh_ok();
}

static struct rh_status set_adapter(struct rh_options *options, const struct rh_option *option,
                                    const char *value)
{
    if (strcmp(value, "native") != 0 && strcmp(value, "zmq") != 0 && strcmp(value, "threads") != 0)
        return refuse_choice(option, value);
    options->threads = strcmp(value, "threads") == 0;
    options->adapter = strcmp(value, "zmq") == 0 ? value : NULL;
    return rh_ok();
}

static struct rh_status set_order(struct rh_options *options, const struct rh_option *option,
                                  const char *value)
{
    static const char *const choices[] = {"low", "high", "created"};
    uint32_t choice = find_choice(value, choices, 3);
    if (choice == RH_NONE)
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

// Takes FILE:LINE apart. `file` is the caller's to free.
static struct rh_status parse_place(const struct rh_option *option, const char *value, char **file,
                                    uint32_t *line)
{
    const char *colon = strrchr(value, ':');
    uint64_t number = 0;
    if (!colon || colon == value)
        return rh_bad_input("--%s needs FILE:LINE, not '%s'", option->name, value);
    struct rh_status status = parse_number(option, colon + 1, INT32_MAX, &number);
    if (!rh_is_ok(&status))
        return status;
    free(*file);
    *file = rh_strdup(value);
    (*file)[colon - value] = '\0';
    *line = (uint32_t)number;
    return rh_ok();
}

static struct rh_status set_until(struct rh_options *options, const struct rh_option *option,
                                  const char *value)
{
    struct rh_status status = parse_place(option, value, &options->until, &options->run.until_line);
    options->run.until_file = options->until;
    options->run.fail_on |= UINT32_C(1) << RH_FINDING_REACHED;
    return status;
}

static struct rh_status set_place(struct rh_options *options, const struct rh_option *option,
                                  const char *value)
{
    struct rh_reach_place *place = rh_vector_push(&options->reach.places);
    *place = (struct rh_reach_place){0};
    return parse_place(option, value, &place->file, &place->line);
}

// In the order of enum rh_reach_search, which only the part of the tool has that looks at bitcode.
static struct rh_status set_search(struct rh_options *options, const struct rh_option *option,
                                   const char *value)
{
    static const char *const names[] = {"all", "forward", "backward", "random"};
    for (int i = 0; i < (int)(sizeof names / sizeof *names); i++)
        if (!strcmp(value, names[i])) {
            options->reach.search = i;
            return rh_ok();
        }
    return refuse_choice(option, value);
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

static struct rh_status add_coverage(struct rh_options *options, const struct rh_option *option,
                                     const char *value)
{
    (void)option;
    *rh_vector_push(&options->coverage) = value;
    return rh_ok();
}

static struct rh_status add_uncovered(struct rh_options *options, const struct rh_option *option,
                                      const char *value)
{
    options->reach.uncovered = true;
    return add_coverage(options, option, value);
}

static struct rh_status add_given(struct rh_options *options, const struct rh_option *option,
                                  const char *value)
{
    (void)option;
    *rh_vector_push(&options->generate.given) = value;
    return rh_ok();
}

static struct rh_status set_overflow(struct rh_options *options, const struct rh_option *option,
                                     const char *value)
{
    if (strcmp(value, "wrap") != 0 && strcmp(value, "exclude") != 0)
        return rh_bad_input("--%s is exclude or wrap, not '%s'", option->name, value);
    options->generate.wraps = !strcmp(value, "wrap");
    return rh_ok();
}

static struct rh_status set_at_least(struct rh_options *options, const struct rh_option *option,
                                     const char *value)
{
    return rh_grade_parse(value, &options->at_least) ? rh_ok() : refuse_choice(option, value);
}

// How many characters of the value are the name of a parameter, which `=` follows; 0 if none.
static size_t name_length(const char *value)
{
    size_t length =
        strspn(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    return value[length] == '=' ? length : 0;
}

static bool parse_integer(const char *text, const char *end, int64_t *number)
{
    char *stop;
    errno = 0;
    *number = strtol(text, &stop, 10);
    return !errno && stop == end && stop != text && *number == (int)*number;
}

static struct rh_status add_set(struct rh_options *options, const struct rh_option *option,
                                const char *value)
{
    int64_t number;
    size_t length = name_length(value);
    if (length == 0 || !parse_integer(value + length + 1, value + strlen(value), &number))
        return rh_bad_input("--%s needs NAME=VALUE with an integer, not '%s'", option->name, value);
    *rh_vector_push(&options->sets) = value;
    return rh_ok();
}

static struct rh_status add_range(struct rh_options *options, const struct rh_option *option,
                                  const char *value)
{
    struct rh_range range = {0};
    size_t length = name_length(value);
    const char *first = value + length + 1, *dots = length ? strstr(first, "..") : NULL;
    if (!dots || !parse_integer(first, dots, &range.first) ||
        !parse_integer(dots + 2, value + strlen(value), &range.last) || range.last < range.first)
        return rh_bad_input("--%s needs NAME=LEAST..MOST with integers, not '%s'", option->name,
                            value);
    char *name = rh_strdup(value);
    name[length] = '\0';
    range.variable = name;
    *rh_vector_push(&options->vary) = range;
    return rh_ok();
}

// --- The table. ---

#define FOR(verb) (1u << RH_VERB_##verb)
#define ORDERS (FOR(EXPLORE) | FOR(SAMPLE))
#define SEARCHES (ORDERS | FOR(COVER))
#define RUNS (SEARCHES | FOR(REPLAY) | FOR(SHRINK))
#define SOLVES (FOR(GENERATE) | FOR(REACH))
#define LOOKS (FOR(GRAPH) | SOLVES)
#define DIAGRAMS (FOR(DIAGRAM) | FOR(CONFORM))
#define THREADS (FOR(REFINE) | FOR(PAIRS))
#define COMPILES (RUNS | FOR(LIST) | FOR(DOCTOR) | THREADS | LOOKS | DIAGRAMS)
#define AT(field) offsetof(struct rh_options, field)

static const struct rh_option table[] = {
    {"test", "NAME", "only this test; otherwise all tests of the program",
     RUNS | LOOKS | DIAGRAMS | THREADS, set_text, AT(test)},
    {"adapter", "native|zmq|threads",
     "zmq: a program as it is, after `--`; threads: a program with pthreads", RUNS, set_adapter, 0},
    {"shared-files", NULL, "executions change files in place, not in a copy of the directory", RUNS,
     set_flag, AT(run.shared_files)},
    {"delivery", "fifo|any", "fifo: messages from one actor to another keep their order (default)",
     SEARCHES | DIAGRAMS | SOLVES, set_delivery, 0},
    {"time", "causal|strict", "strict: a timer fires only when nothing else can happen",
     SEARCHES | DIAGRAMS, set_time, 0},
    {"environment", "quiet|closed|open",
     "closed: who is alive at the end is stuck; open: rh_may_come", SEARCHES, set_environment, 0},
    {"drop", "N[:TYPE@ACTOR]", "up to N messages of an execution get lost", SEARCHES, set_faults,
     AT(run.faults.drops)},
    {"duplicate", "N[:TYPE@ACTOR]", "up to N times a message comes once more, at any later time",
     SEARCHES, set_faults, AT(run.faults.duplicates)},
    {"crash", "N[:ACTOR]", "up to N times an actor crashes, between any two deliveries", SEARCHES,
     set_faults, AT(run.faults.crashes)},
    {"restart", NULL, "an actor that crashes begins anew with the state of its spawn", SEARCHES,
     set_flag, AT(run.faults.restarts)},
    {"runs", "N", "executions to try (default 1000)", FOR(SAMPLE) | THREADS, set_positive,
     AT(runs)},
    {"seed", "N", "where the random choices start, decimal or 0x...",
     FOR(SAMPLE) | FOR(COVER) | THREADS, set_seed, AT(run.seed)},
    {"criteria", "pr,pbr,pcr", "which pairs of receives to try in both orders, and in which turn",
     FOR(COVER), set_criteria, 0},
    {"no-sweeps", NULL, "run only schedules that are generated for goals, as Bita does", FOR(COVER),
     set_flag, AT(cover.no_sweeps)},
    {"no-schedules", NULL, "generate none; with --no-sweeps too, all runs are random, by --seed",
     FOR(COVER), set_flag, AT(cover.no_schedules)},
    {"save-coverage", "FILE", "write what was taken to FILE, for graph; of cover, for coverage too",
     SEARCHES | FOR(REPLAY) | FOR(GENERATE), set_text, AT(save_coverage)},
    {"lines", NULL, "with --save-coverage: which lines and branches were reached, too",
     SEARCHES | FOR(REPLAY) | FOR(GENERATE), set_flag, AT(lines)},
    {"coverage", "FILE",
     "show what was taken in runs, says FILE; reach: these runs are tried first; may be given "
     "several times",
     FOR(GRAPH) | FOR(REACH), add_coverage, 0},
    {"fail-under", "PERCENT", "exit with 1 if fewer of the pr goals are covered", FOR(COVERAGE),
     set_percent, AT(fail_under)},
    {"pairs", "N", "list so many pairs of each kind and actor (default 10; 0: all)", FOR(COVERAGE),
     set_number, AT(pairs)},
    {"thorough", NULL, "try what passes under other conditions too: no order, faults", FOR(EXPLORE),
     set_flag, AT(thorough)},
    {"strategy", "mixed|random|pct|pos|delay|exhaustive",
     "how samples are taken; exhaustive: none are", FOR(EXPLORE) | FOR(SAMPLE) | THREADS,
     set_sampling, 0},
    {"depth", "N", "pct: how many constraints on the order a bug may need (default 3)",
     FOR(SAMPLE) | THREADS, set_depth, AT(run.depth)},
    {"delays", "N", "delay: how many in each execution (default 3)", FOR(SAMPLE), set_delays,
     AT(run.delays)},
    {"hints", "FILE", "pairs that can't be, says FILE: a finding ruled-out if one is run",
     FOR(PAIRS), set_text, AT(hints)},
    {"target", "N", "show how the pair in row N comes about, and save that as a schedule",
     FOR(PAIRS), set_positive, AT(target)},
    {"volatile-is-atomic", NULL, "of threads: accesses to volatile are no data races",
     FOR(EXPLORE) | FOR(SAMPLE) | FOR(REPLAY) | FOR(SHRINK) | THREADS, set_flag,
     AT(volatile_is_atomic)},
    {"spurious-wakeups", NULL, "of threads: who waits at a condition variable may wake unasked",
     FOR(EXPLORE) | FOR(SAMPLE) | FOR(REPLAY) | FOR(SHRINK) | THREADS, set_flag,
     AT(spurious_wakeups)},
    {"max-executions", "N", "stop after N executions (default 100000, cover some 10000; 0: any)",
     FOR(EXPLORE) | FOR(COVER) | FOR(SHRINK) | FOR(DIAGRAM) | THREADS, set_number,
     AT(run.max_executions)},
    {"max-deliveries", "N", "stop after N deliveries in all (cover: 1000000; 0: no bound)",
     SEARCHES | DIAGRAMS | FOR(SHRINK), set_number, AT(run.max_deliveries)},
    {"max-length", "N", "deliveries in one execution before it counts as endless (default 10000)",
     RUNS | DIAGRAMS, set_positive_32, AT(run.max_length)},
    {"max-seconds", "S", "stop after S seconds; the verdict is then unknown",
     SEARCHES | DIAGRAMS | FOR(SHRINK) | THREADS, set_seconds, AT(run.max_seconds)},
    {"max-memory", "MB", "stop when the search takes more; the verdict is then unknown", SEARCHES,
     set_megabytes, AT(run.max_memory)},
    {"hang-limit", "MS", "suspect a hang after MS milliseconds in one handler (default 1000)",
     RUNS | THREADS, set_positive_32, AT(run.hang_ms)},
    {"until", "FILE:LINE", "an execution that comes to this line ends there: the finding reached",
     ORDERS | FOR(REPLAY), set_until, 0},
    {"keep-going", NULL, "go on after a finding", SEARCHES, set_flag, AT(run.keep_going)},
    {"shortest", NULL, "go on for the error with the fewest deliveries", FOR(EXPLORE), set_flag,
     AT(run.shortest)},
    {"no-shrink", NULL, "leave the schedules of errors as they were found", SEARCHES, set_flag,
     AT(no_shrink)},
    {"require-complete", NULL, "exit with 4 unless every order was tried or something was found",
     ORDERS | FOR(GENERATE), set_flag, AT(require_complete)},
    {"fail-on", "KIND[,KIND]", "these kinds are errors, not warnings", RUNS, set_fail_on, 0},
    {"suppressions", "FILE",
     "known shared-state and unhandled findings that are not to be reported", RUNS, set_text,
     AT(suppressions)},
    {"private-library", "NAME[,NAME]", "each actor has its own data of these libraries", RUNS,
     set_text, AT(run.private_libraries)},
    {"schedule", "FILE", "inputs, messages from outside and, for replay, deliveries: from FILE",
     RUNS | DIAGRAMS, set_text, AT(schedule)},
    {"save", "DIR", "where schedules go (default: here; of coverage and generate: nowhere)",
     RUNS | DIAGRAMS | FOR(COVERAGE) | SOLVES | THREADS, set_text, AT(save)},
    {"outcomes", "FILE",
     "with a directory: write how each test ends to FILE, a line each, and print no reports",
     FOR(REPLAY), set_text, AT(outcomes)},
    {"undo", "on|off|verify", "take deliveries back, run again instead, or do both and compare",
     RUNS, set_undo, 0},
    {"states", "none|exact|actors|bitstate", "do not go on from known states (default: if need be)",
     ORDERS, set_states, 0},
    {"states-full", NULL, "keep whole states, and fail if two have the same fingerprint",
     FOR(EXPLORE), set_flag, AT(run.states_full)},
    {"reduction", "none|source|optimal|dcute", "leave out equivalent orders (default optimal)",
     FOR(EXPLORE) | THREADS, set_reduction, 0},
    {"order", "low|high|created",
     "dcute: oldest actor first, newest, or oldest message (default high)", FOR(EXPLORE), set_order,
     0},
    {"commuting", NULL, "leave out orders of deliveries to one actor that commute", FOR(EXPLORE),
     set_flag, AT(run.commuting)},
    {"unfair", NULL, "report ways round for ever that never deliver some message, too", RUNS,
     set_flag, AT(run.unfair)},
    {"log", "FILE", "compare a run that REHEARSE_LOG has written down", FOR(REFINE), set_text,
     AT(log)},
    {"no-view", NULL, "compare results alone", FOR(REFINE), set_flag, AT(no_view)},
    {"census", NULL, "count distinct final states and classes of executions", FOR(EXPLORE),
     set_flag, AT(run.census)},
    {"trace-states", NULL, "show the state before and after each handler", FOR(REPLAY), set_flag,
     AT(run.trace_states)},
    {"gdb", NULL, "stop where it fails, under gdb (or the command in $GDB)", FOR(REPLAY), set_flag,
     AT(gdb)},
    {"at", "N", "with --gdb: stop in the handler of delivery N, or before event N of threads",
     FOR(REPLAY), set_positive, AT(at)},
    {"output", NULL, "show what the program prints, on standard error", RUNS, set_flag,
     AT(run.output)},
    {"from", "FILE", "start from a sketch, and leave out what no execution does", FOR(DIAGRAM),
     set_text, AT(from)},
    {"abstract", NULL, "from the sources alone, without running anything: a sketch", FOR(DIAGRAM),
     set_flag, AT(abstract)},
    {"dot", NULL, "print the graph in Graphviz's language; with --abstract: of all handlers",
     FOR(GRAPH) | FOR(DIAGRAM), set_flag, AT(dot)},
    {"svg", NULL, "print a picture; that of a graph is drawn by Graphviz",
     FOR(GRAPH) | FOR(DIAGRAM), set_flag, AT(svg)},
    {"mermaid", NULL, "print the diagram as a sequence chart in Mermaid's language", FOR(DIAGRAM),
     set_flag, AT(mermaid)},
    {"plantuml", NULL, "the same in PlantUML's language", FOR(DIAGRAM), set_flag, AT(plantuml)},
    {"diff", "FILE", "say in words what differs from an earlier diagram", FOR(DIAGRAM), set_text,
     AT(old_diagram)},
    {"actor", "NAME", "print the state machine of one actor, in Graphviz's language", FOR(DIAGRAM),
     set_text, AT(actor)},
    {"why", "ARROW", "say which executions show an arrow, and save one; of two, which comes first",
     FOR(DIAGRAM), set_text, AT(why)},
    {"patterns", NULL, "say which known ways of working together the executions show", FOR(DIAGRAM),
     set_flag, AT(patterns)},
    {"where", NULL, "say of each arrow on which line it is sent, and when", FOR(DIAGRAM), set_flag,
     AT(where)},
    {"read-limit", "SECONDS",
     "end with 2 if bitcode takes more processor time to read (default 60; 0: no limit)",
     LOOKS | FOR(DIAGRAM), set_number, AT(read_limit)},
    {"baseline", NULL, "do not use what rh_as tells about types, nor guards: what that is worth",
     FOR(GRAPH), set_flag, AT(baseline)},
    {"any-number", NULL, "do not use which numbers a condition may have: what that is worth",
     FOR(GRAPH), set_flag, AT(any_number)},
    {"any-origin", NULL, "do not use where a message comes from, only its type: what that is worth",
     FOR(GRAPH), set_flag, AT(any_origin)},
    {"behaviour", "NAME", "the behaviour that gets the message", FOR(GENERATE), set_text,
     AT(generate.behaviour)},
    {"message", "TYPE", "the type of the message", FOR(GENERATE), set_text, AT(generate.message)},
    {"loop", "K", "rounds of a loop, and nested calls of a function, at most (default 2)",
     FOR(GENERATE), set_number, AT(generate.loop)},
    {"deliveries-each", "K", "messages that one actor gets at most (default 5)", FOR(GENERATE),
     set_positive, AT(generate.deliveries_each)},
    {"actors-each", "K", "actors that one place creates at most (default 2)", FOR(GENERATE),
     set_number, AT(generate.actors_each)},
    {"given", "FIELD=VALUE", "this field is known; TYPE.FIELD for one of the message",
     FOR(GENERATE), add_given, 0},
    {"overflow", "exclude|wrap",
     "signed integers that overflow: not followed, or as in gcc -fwrapv", FOR(GENERATE),
     set_overflow, 0},
    {"no-aliases", NULL, "an unknown actor is not one of those that there are", FOR(GENERATE),
     set_flag, AT(generate.no_aliases)},
    {"block-aliases", NULL,
     "an unknown pointer may lead to a block that there is, too: cycles, for example",
     FOR(GENERATE), set_flag, AT(generate.block_aliases)},
    {"any-behaviour", NULL, "an unknown actor has any behaviour that takes what is sent to it",
     FOR(GENERATE), set_flag, AT(generate.any_behaviour)},
    {"any-messages", NULL, "with --test: the fields of what the test's body sends are unknown too",
     FOR(GENERATE), set_flag, AT(generate.any_messages)},
    {"no-stability", NULL, "try every actor next: what temporarily stable actors are worth",
     FOR(GENERATE), set_flag, AT(generate.no_stability)},
    {"no-independence", NULL, "try all orders of an actor's messages: what that is worth",
     FOR(GENERATE), set_flag, AT(generate.no_independence)},
    {"fewest", NULL, "keep the fewest tests that reach the lines and branches that all reach",
     FOR(GENERATE), set_flag, AT(generate.fewest)},
    {"max-tests", "N", "stop after so many tests", FOR(GENERATE), set_positive,
     AT(generate.tests_most)},
    {"max-queries", "N", "stop after so many questions to the solver (reach: 10000)", SOLVES,
     set_positive, AT(generate.queries_most)},
    {"solver-limit", "N",
     "work that the solver may spend on one question, in its units (default 8000000)", SOLVES,
     set_positive, AT(generate.solver_limit)},
    {"queries", "DIR", "write what the solver is asked into this directory, as SMT-LIB files",
     FOR(GENERATE), set_text, AT(generate.queries)},
    {"check", NULL, "make the rh_check on that line fail", FOR(REACH), set_flag, AT(reach.check)},
    {"all-checks", NULL, "make each rh_check of handlers and judges fail", FOR(REACH), set_flag,
     AT(reach.all_checks)},
    {"dereference", NULL, "go through a null pointer or out of bounds on that line", FOR(REACH),
     set_flag, AT(reach.dereference)},
    {"uncovered", "FILE", "each line that this coverage file lacks; may be given several times",
     FOR(REACH), add_uncovered, 0},
    {"without-messages", NULL, "leave out all messages that the test's body sends", FOR(REACH),
     set_flag, AT(reach.without_messages)},
    {"messages", "N", "messages from outside at most, besides the test's own (default 5)",
     FOR(REACH), set_messages, AT(reach.messages_most)},
    {"search", "all|forward|backward|random", "only one of the searches: what each is worth",
     FOR(REACH), set_search, 0},
    {"no-weights", NULL, "backward, go on with what is newest: what heuristic H2 is worth",
     FOR(REACH), set_flag, AT(reach.no_weights)},
    {"no-feedback", NULL, "backward, do not use unsatisfiable cores: what they are worth",
     FOR(REACH), set_flag, AT(reach.no_feedback)},
    {"write", "FILE", "write the tests as C", FOR(GENERATE), set_text, AT(generate.file)},
    {"json", NULL, "print one JSON object on standard output",
     RUNS | FOR(LIST) | FOR(COVERAGE) | THREADS | LOOKS | DIAGRAMS, set_flag, AT(json)},
    {"no-times", NULL, "leave out how long it took", RUNS | THREADS, set_flag, AT(no_times)},
    {"quiet", NULL, "only one line for a test that failed", RUNS, set_flag, AT(quiet)},
    {"color", "auto|always|never", "colours; auto: on a terminal, unless NO_COLOR is set", RUNS,
     set_color, 0},
    {"cflags", "FLAGS", "for the compiler; also from CFLAGS", COMPILES, set_flags_text, AT(cflags)},
    {"libs", "FLAGS", "for the linker; also from LDLIBS and LDFLAGS", COMPILES, set_flags_text,
     AT(libs)},
    {"set", "NAME=VALUE", "the value of a parameter (rh_parameter); may be given several times",
     RUNS | DIAGRAMS, add_set, 0},
    {"vary", "NAME=A..B", "all values of a parameter; bounds of the diagram are in terms of it",
     DIAGRAMS, add_range, 0},
    {"at-least", "sound|order-exact|exact", "what a diagram has to be (default sound)", DIAGRAMS,
     set_at_least, 0},
    {"as", "NAME", NULL, COMPILES, add_name, 0},
    {"diagram", "FILE", NULL, FOR(CONFORM), set_text, AT(diagram)},
    {"here", NULL, NULL, FOR(REPLAY), set_flag, AT(here)},
    {"command", "FILE", NULL, SOLVES, set_text, AT(generate.command)},
    {"binary", "FILE", NULL, SOLVES, set_text, AT(generate.binary)},
    {"place", "FILE:LINE", NULL, FOR(REACH), set_place, 0},
};

enum { OPTION_COUNT = sizeof table / sizeof table[0] };

const struct rh_option *rh__option_get(size_t index)
{
    return index < OPTION_COUNT ? &table[index] : NULL;
}
