// SPDX-License-Identifier: MIT
#include "cli/options.h"

#include <stdlib.h>
#include <string.h>

#include "cli/option_table.h"
#include "cli/words.h"
#include "entry/program.h"
#include "explore/run/strategies.h"

enum {
    DEFAULT_RUNS = 1000,
    DEFAULT_PAIRS = 10,
    DEFAULT_READ_LIMIT = 60,
    SHRINK_DELIVERIES = 2000000
};
enum { COVER_EXECUTIONS = 10000, COVER_DELIVERIES = 1000000 };

// How much may be spent to shrink each error of a search.
enum { SMALL_EXECUTIONS = 500, SMALL_DELIVERIES = 100000 };

// A number that no option can have.
#define NOT_GIVEN UINT64_MAX

const char *rh_verb_name(enum rh_verb verb)
{
    return rh__verbs[verb].name;
}

bool rh_verb_takes_schedule(enum rh_verb verb)
{
    return verb == RH_VERB_REPLAY || verb == RH_VERB_SHRINK;
}

bool rh_replays_order(const struct rh_options *options)
{
    return options->verb == RH_VERB_REPLAY && options->test && !options->schedule;
}

static const struct rh_option *find_option(const char *name, size_t length, bool is_request)
{
    const struct rh_option *option;
    for (size_t i = 0; (option = rh__option_get(i)); i++)
        if (strlen(option->name) == length && !strncmp(option->name, name, length) &&
            (option->help || is_request))
            return option;
    return NULL;
}

static struct rh_status refuse_option(const struct rh_options *options, const char *word)
{
    const char *verb = rh_verb_name(options->verb);
    RH_VECTOR(const char *) candidates = {0};
    const struct rh_option *option;
    for (size_t i = 0; (option = rh__option_get(i)); i++)
        if (option->help && option->verbs & 1u << options->verb)
            *rh_vector_push(&candidates) = option->name;
    struct rh_text name = {0};
    rh_text_add_bytes(&name, word, strcspn(word, "="));
    size_t dashes = strspn(rh_text_get(&name), "-");
    const char *nearest =
        rh_words_nearest(rh_text_get(&name) + dashes, candidates.items, candidates.count);
    struct rh_status status =
        nearest ? rh_bad_input("unknown option %s for %s; did you mean --%s? see %s %s --help",
                               rh_text_get(&name), verb, nearest, options->tool.name, verb)
                : rh_bad_input("unknown option %s for %s; see %s %s --help", rh_text_get(&name),
                               verb, options->tool.name, verb);
    rh_text_fini(&name);
    rh_vector_fini(&candidates);
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

// Finds the verb, and how many arguments it took. A test program explores if it is not told
// otherwise.
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
        if ((rh_verb_looks_at_sources(options->verb) || rh_verb_runs_threads(options->verb)) &&
            !options->tool.takes_programs && !options->tool.is_request)
            return rh_bad_input("%s looks at sources: rehearse %s prog.c",
                                rh_verb_name(options->verb), rh_verb_name(options->verb));
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

// The state of a program that an adapter runs is not in the world, so options that need it are
// refused.
static struct rh_status check_adapter(const struct rh_options *options)
{
    const struct rh_run_options *run = &options->run;
    const char *refused = run->states != RH_STATES_NONE     ? "--states"
                          : run->undo != RH_UNDO_ON         ? "--undo"
                          : rh_faults_any(&run->faults)     ? "faults"
                          : run->order_rule == RH_ORDER_ANY ? "--delivery any"
                          : run->commuting                  ? "--commuting"
                          : run->census                     ? "--census"
                          : run->trace_states               ? "--trace-states"
                          : run->private_libraries          ? "--private-library"
                          : options->lines                  ? "--lines"
                          : options->test                   ? "--test"
                          : options->cflags                 ? "--cflags"
                          : options->libs                   ? "--libs"
                          : options->thorough               ? "--thorough"
                          : options->verb == RH_VERB_LIST   ? "list"
                                                            : NULL;
    if (options->adapter && options->says_causal)
        return rh_bad_input("--time causal and --adapter %s exclude each other: there time passes "
                            "only when nothing else can happen",
                            options->adapter);
    if (!options->adapter || !refused)
        return rh_ok();
    return rh_bad_input("%s and --adapter %s exclude each other: the program is run as it is, and "
                        "its state is its own",
                        refused, options->adapter);
}

static bool takes(const char *strategy, enum rh_takes option)
{
    const struct rh_strategy_ops *named = rh_strategy_named(strategy);
    return named && (named->takes & option);
}

static bool is_reduced(const struct rh_options *options)
{
    return rh_strategy_named(options->run.reduction) != NULL;
}

static struct rh_status check_combination(const struct rh_options *options)
{
    struct rh_status adapted = check_adapter(options);
    if (!rh_is_ok(&adapted))
        return adapted;
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
    if (options->has_depth && !takes(options->run.strategy, RH_TAKES_DEPTH))
        return rh_bad_input("--depth goes with --strategy pct: it says which bugs that is to find");
    if (options->has_delays && !takes(options->run.strategy, RH_TAKES_DELAYS))
        return rh_bad_input("--delays goes with --strategy delay: it says how many there are");
    if (options->verb == RH_VERB_PAIRS && options->target && options->json)
        return rh_bad_input("--target shows an execution: leave out --json");
    if (options->dot + options->svg + (options->verb == RH_VERB_GRAPH && options->json) > 1)
        return rh_bad_input("--dot, --svg and --json exclude each other");
    if (options->lines && !options->save_coverage && !options->outcomes)
        return rh_bad_input("--lines goes with --save-coverage FILE: it says what is written there "
                            "besides");
    if (options->gdb && options->json)
        return rh_bad_input("--gdb and --json exclude each other");
    if (options->run.commuting && !takes(options->run.reduction, RH_TAKES_COMMUTING))
        return rh_bad_input("--commuting goes with --reduction source or optimal: they leave out "
                            "orders");
    if ((rh_faults_any(&options->run.faults) || options->thorough) &&
        options->run.states != RH_STATES_NONE && is_reduced(options))
        return rh_bad_input("with faults, --states and --reduction exclude each other: what is "
                            "remembered of a state does not say which faults race with it");
    if (options->run.states != RH_STATES_NONE && is_reduced(options) &&
        (options->run.states != RH_STATES_EXACT ||
         !takes(options->run.reduction, RH_TAKES_STATES) || options->run.states_full ||
         options->run.commuting))
        return rh_bad_input("of --states and --reduction only exact and source go together, "
                            "without --states-full and --commuting");
    if (options->has_order && !takes(options->run.reduction, RH_TAKES_SEQUENCE))
        return rh_bad_input("--order goes with --reduction dcute: it says which actor that tries "
                            "first");
    return rh_ok();
}

// What explore does if it is not told: one execution for each class of equivalent ones; and if that
// comes to no end, it leaves out known states.
static void set_reduction_default(struct rh_options *options)
{
    struct rh_run_options *run = &options->run;
    run->automatic = options->verb == RH_VERB_EXPLORE && !run->reduction && !options->has_states &&
                     run->max_executions == NOT_GIVEN && !run->adapter->keeps_state;
    run->portfolio = run->automatic && !options->is_exhaustive && !run->shortest && !run->census &&
                     run->max_deliveries == NOT_GIVEN && !options->save_coverage;
    if (!run->reduction)
        run->reduction =
            options->verb == RH_VERB_EXPLORE && run->states == RH_STATES_NONE ? "optimal" : "none";
    bool is_given = run->max_executions != NOT_GIVEN;
    options->cover.executions = is_given ? 0 : COVER_EXECUTIONS;
    if (!is_given)
        run->max_executions = options->verb == RH_VERB_COVER ? 0 : RH_EXECUTIONS_DEFAULT;
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
                        : options->verb == RH_VERB_SAMPLE     ? "mixed"
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
        .pairs = DEFAULT_PAIRS,
        .at_least = RH_GRADE_SOUND,
        .read_limit = DEFAULT_READ_LIMIT,
        .generate = {.loop = 2, .deliveries_each = 5, .actors_each = 2},
        .reach = {.messages_most = 5}};
    rh_run_options_init(&options->run);
    options->run.adapter = rh_program_adapter();
    options->run.max_executions = options->run.max_deliveries = NOT_GIVEN;
    options->run.reduction = NULL;
    options->run.strategy = NULL;
    int used;
    struct rh_status status = parse_verb(options, count, arguments, &used);
    if (!rh_is_ok(&status))
        return status;
    options->threads = rh_verb_runs_threads(options->verb);
    *rh_vector_push(&options->words) = rh_strdup(rh_verb_name(options->verb));
    status = parse_arguments(options, count - used, arguments + used);
    set_strategy(options);
    options->run.random = options->run.seed;
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
    rh_vector_fini(&options->coverage);
    rh_vector_fini(&options->generate.given);
    for (size_t i = 0; i < options->vary.count; i++)
        free((char *)options->vary.items[i].variable);
    rh_vector_fini(&options->vary);
    rh_vector_fini(&options->sets);
    rh_vector_fini(&options->operands);
    rh_vector_fini(&options->arguments);
    free(options->until);
    for (size_t i = 0; i < options->reach.places.count; i++)
        free(options->reach.places.items[i].file);
    rh_vector_fini(&options->reach.places);
    rh_words_fini(&options->recorded);
}
