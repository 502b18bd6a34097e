// SPDX-License-Identifier: MIT
// What `help` and `--help` print, made from the tables.
#include <string.h>

#include "cli/option_table.h"
#include "cli/words.h"

const struct rh_verb_entry rh__verbs[RH_VERB_COUNT] = {
    {"list", "name the tests of a program", "Names the tests of a program and where they stand."},
    {"explore", "try every order of deliveries",
     "Tries the orders in which messages can be delivered, one after the other, and stops at the\n"
     "first that breaks the program. Each finding is saved as a schedule that replays it."},
    {"sample", "try random orders",
     "Tries orders of deliveries at random. The same seed gives the same orders."},
    {"cover", "try orders that raise coverage",
     "Runs the test once, then with orders of deliveries that bring two messages to an actor in "
     "an\n"
     "order that has not been seen, until there are none. Findings are saved as schedules."},
    {"coverage", "say which orders have been tried",
     "Says what files of cover --save-coverage hold, for each actor: pairs of messages that it "
     "has\n"
     "received in both orders, in one only, and those of which one must come first, and why."},
    {"replay", "run a saved schedule again",
     "Delivers messages in the order that a schedule file says, and shows all that happens.\n"
     "The file names its program and test. A recording of a run on threads will do too, which\n"
     "REHEARSE_RECORD=FILE in the environment of a program makes. Without a file, but with a\n"
     "program and --test, the order is the one that the test gives (RH_TEST_ORDER). Of a "
     "directory,\n"
     "all schedules are replayed."},
    {"shrink", "make a saved schedule as small as it gets",
     "Leaves out of a schedule what its finding does not need, puts the rest into sending order "
     "as\n"
     "far as it can be, saves that as a schedule, and says in a sentence what the cause is."},
    {"graph", "show who sends what to whom",
     "Shows the message flow graph: which behaviours create which, which send what to which, with\n"
     "which values and from which lines. Everything that an execution can do is in it; it is made\n"
     "from the sources, and nothing is run. --coverage shows what has been taken in runs so far."},
    {"generate", "make tests for inputs that nobody wrote down",
     "Runs a behaviour on a message with fields that nobody knows, in a state that nobody knows:\n"
     "every path through the handlers and every order of what they send, until it comes to its "
     "end\nor a limit cuts it. Each that ends is a test, with values for what was unknown, which "
     "is run\n"
     "before it is shown."},
    {"reach", "find what leads to a line of the source",
     "Looks for messages from outside, with values for their fields, and for an order of\n"
     "deliveries that lead from what a test sets up to a line, FILE:LINE. What is found is run\n"
     "before it is shown, and saved as a schedule."},
    {"refine", "try whether operations behave as if they were atomic",
     "Runs the threads of a test (RH_THREADS of rehearse/component.h) in every relevant order of "
     "what\nthey do to memory and locks, and says whether results, or the view of the component, "
     "are those of\nno order of whole operations. Data races, deadlocks and crashes are found on "
     "the way."},
    {"pairs", "which accesses of two threads have been brought against each other",
     "Lists pairs of places in the source: one thread stood before the second when another made\n"
     "the first, to the same memory. Says which were run, which were not, and which can't be, and\n"
     "looks for orders that show them. It is no measure of when to stop testing."},
    {"diagram", "show the protocol of the whole system",
     "Infers from all orders of a test what its actors send each other and in which orders, as a\n"
     "specification diagram, and says whether it allows just what the program does. What is\n"
     "printed is a file for conform. With --abstract it is made from the sources alone, and\n"
     "nothing is run: all that may happen, and more."},
    {"conform", "compare a program with a diagram",
     "Says whether everything that a test can do is allowed by the diagram of its name in FILE, "
     "or\n"
     "which delivery is the first that is not, and saves a schedule that leads there. With a\n"
     "recording of a run on threads, says the same of that run."},
    {"doctor", "say what is missing or in the way",
     "Checks whether everything that Rehearse needs is there; with a program, that too."},
    {"help", "show this, or help on a verb", "Shows help on a verb."},
    {"version", "show the version", "Shows the version."},
};

// An example reads "TOOL VERB PROGRAM REST" for the command, and "TOOL VERB REST" for a test
// program.
struct example {
    enum rh_verb verb;
    bool is_for_command; // the example is not for a test program
    const char *program;
    const char *rest;
    const char *meaning;
};

static const struct example examples[] = {
    {RH_VERB_LIST, false, "bank.c", "", "the tests of bank.c"},
    {RH_VERB_LIST, false, "bank.c", "--json", "the same for a machine"},
    {RH_VERB_EXPLORE, false, "bank.c", "", "all tests, every order"},
    {RH_VERB_EXPLORE, false, "bank.c", "--test overdraw --delivery any",
     "one test, messages in any order"},
    {RH_VERB_EXPLORE, true, "bank.c log.c", "--libs -lsqlite3", "several sources, with a library"},
    {RH_VERB_EXPLORE, true, "./bank_test", "--keep-going --json",
     "a program that you compiled yourself"},
    {RH_VERB_EXPLORE, true, "--adapter zmq -- ./broker 5555", "",
     "a program that uses ZeroMQ, as it is"},
    {RH_VERB_SAMPLE, false, "bank.c", "--runs 1000 --seed 7", "a thousand random orders"},
    {RH_VERB_SAMPLE, false, "bank.c", "--strategy pct --depth 2",
     "with a guarantee for bugs of depth 2"},
    {RH_VERB_COVER, false, "bank.c", "", "orders that raise coverage"},
    {RH_VERB_COVER, false, "bank.c", "--criteria pr --save-coverage bank.coverage",
     "one kind of goal; keep what was reached"},
    {RH_VERB_COVERAGE, false, "", "bank.coverage", "which orders have been tried"},
    {RH_VERB_COVERAGE, false, "", "--fail-under 80 *.coverage", "of several runs together; for CI"},
    {RH_VERB_REPLAY, false, "", "overdraw.schedule", "see it happen again"},
    {RH_VERB_REPLAY, false, "", "--trace-states overdraw.schedule",
     "with the state around each handler"},
    {RH_VERB_REPLAY, false, "", "schedules", "all schedules of a directory"},
    {RH_VERB_REPLAY, false, "", "--gdb overdraw.schedule", "stop in the handler that fails"},
    {RH_VERB_REPLAY, false, "", "--gdb --at 2 overdraw.schedule",
     "stop in the handler of delivery 2"},
    {RH_VERB_SHRINK, false, "", "overdraw.schedule", "the least that shows it, and the cause"},
    {RH_VERB_GRAPH, true, "bank.c", "", "the graph in words"},
    {RH_VERB_GRAPH, true, "bank.c", "--svg > bank.svg", "as a picture"},
    {RH_VERB_GENERATE, true, "bank.c", "--behaviour account --message withdraw",
     "an account with any balance, any amount"},
    {RH_VERB_GENERATE, true, "bank.c", "--behaviour account --message withdraw --write tests.c",
     "the same as a file of tests"},
    {RH_VERB_GENERATE, true, "bank.c", "--behaviour account --message withdraw --save tests",
     "as schedules: rehearse replay tests"},
    {RH_VERB_GENERATE, true, "bank.c", "--test overdraw --save tests",
     "inputs of a test that break a check"},
    {RH_VERB_GENERATE, true, "bank.c", "", "a line for each behaviour and message"},
    {RH_VERB_REACH, true, "bank.c", "bank.c:30", "how does the server get there?"},
    {RH_VERB_REACH, true, "bank.c", "bank.c:29 --check --delivery any",
     "make the check on that line fail"},
    {RH_VERB_GRAPH, true, "bank.c", "--coverage bank.coverage", "and what of it has been taken"},
    {RH_VERB_REFINE, true, "multiset.c", "", "all tests of threads"},
    {RH_VERB_REFINE, true, "multiset.c", "--test pairs --max-executions 0",
     "one test, however long it takes"},
    {RH_VERB_PAIRS, true, "multiset.c", "", "what was tried, and what was not"},
    {RH_VERB_PAIRS, true, "multiset.c", "--runs 1000",
     "of a test that is too large for all orders"},
    {RH_VERB_DIAGRAM, false, "bank.c", "--test overdraw", "what goes on in a test"},
    {RH_VERB_DIAGRAM, false, "bank.c", "> bank.diagram", "of all tests, for conform"},
    {RH_VERB_DIAGRAM, false, "bank.c", "--test overdraw --svg > bank.svg", "as a picture"},
    {RH_VERB_DIAGRAM, true, "--abstract bank.c", "", "what the sources say, and nothing is run"},
    {RH_VERB_CONFORM, false, "bank.c", "bank.diagram", "is it still that protocol? for CI"},
    {RH_VERB_CONFORM, true, "bank.diagram", "run.trace", "did a run on threads keep to it?"},
    {RH_VERB_DOCTOR, false, "", "", "check this machine"},
    {RH_VERB_DOCTOR, true, "./bank_test", "", "check a program too"},
    {RH_VERB_HELP, false, "", "explore", "all about explore"},
};

static void add_example(struct rh_text *text, const struct rh_tool *tool, const struct example *one)
{
    struct rh_text line = {0};
    rh_text_addf(&line, "%s %s", tool->name, rh_verb_name(one->verb));
    if (tool->takes_programs && *one->program)
        rh_text_addf(&line, " %s", one->program);
    if (*one->rest)
        rh_text_addf(&line, " %s", one->rest);
    rh_text_addf(text, "  %-52s # %s\n", rh_text_get(&line), one->meaning);
    rh_text_fini(&line);
}

// All examples of a verb; of RH_VERB_COUNT the first of each verb.
static void add_examples(struct rh_text *text, const struct rh_tool *tool, enum rh_verb verb)
{
    uint32_t shown = 0;
    rh_text_add(text, "\nExamples:\n");
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        const struct example *one = &examples[i];
        bool is_wanted = verb == RH_VERB_COUNT ? !(shown & 1u << one->verb) : one->verb == verb;
        if (!is_wanted || (one->is_for_command && !tool->takes_programs))
            continue;
        shown |= 1u << one->verb;
        add_example(text, tool, one);
    }
}

// What the exit status says: of a verb, or of most verbs.
static void add_exit_status(struct rh_text *text, enum rh_verb verb)
{
    static const char bad[] = "2 usage or bad input, 3 the tool failed";
    rh_text_add(text, "\nExit status: ");
    switch (verb) {
    case RH_VERB_GRAPH:
        rh_text_addf(text, "0 the graph is shown, %s, 4 interrupted.\n", bad);
        break;
    case RH_VERB_GENERATE:
        rh_text_addf(text,
                     "0 no test breaks anything, 1 one does, %s,\n4 something was cut off "
                     "or not followed (--require-complete).\n",
                     bad);
        break;
    case RH_VERB_REACH:
        rh_text_addf(text,
                     "0 reached or proved unreachable, 1 --check or --dereference has "
                     "succeeded,\n%s, 4 not found.\n",
                     bad);
        break;
    case RH_VERB_DIAGRAM:
    case RH_VERB_CONFORM:
        rh_text_addf(text,
                     "0 the diagram holds, 1 it does not or the test fails,\n%s, 4 it is "
                     "not known whether it holds.\n",
                     bad);
        break;
    default:
        rh_text_addf(text,
                     "0 nothing found, 1 something found, %s,\n4 gave up without an answer "
                     "(--require-complete, or interrupted).\n",
                     bad);
    }
}

static const char *verb_operands(const struct rh_tool *tool, enum rh_verb verb)
{
    if (verb == RH_VERB_HELP)
        return " [VERB]";
    if (verb == RH_VERB_VERSION)
        return "";
    if (rh_verb_looks_at_sources(verb))
        return " [options] FILE...";
    if (rh_verb_takes_schedule(verb))
        return tool->takes_programs ? " [options] [PROGRAM...] FILE [-- ARGS]" : " [options] FILE";
    if (verb == RH_VERB_COVERAGE)
        return " [options] FILE...";
    if (verb == RH_VERB_CONFORM)
        return tool->takes_programs ? " [options] [PROGRAM...] FILE [RECORDING] [-- ARGS]"
                                    : " [options] FILE";
    if (verb == RH_VERB_DOCTOR)
        return tool->takes_programs ? " [options] [PROGRAM...]" : "";
    return tool->takes_programs ? " [options] PROGRAM... [-- ARGS]" : " [options]";
}

static void add_options(struct rh_text *text, const struct rh_tool *tool, enum rh_verb verb)
{
    bool is_first = true;
    const struct rh_option *option;
    for (size_t i = 0; (option = rh__option_get(i)); i++) {
        bool is_compiler_flag = !strcmp(option->name, "cflags") || !strcmp(option->name, "libs");
        if (!option->help || !(option->verbs & 1u << verb) ||
            (is_compiler_flag && !tool->takes_programs))
            continue;
        if (is_first)
            rh_text_add(text, "\nOptions:\n");
        is_first = false;
        struct rh_text name = {0};
        rh_text_addf(&name, "--%s %s", option->name, option->argument ? option->argument : "");
        rh_text_addf(text, "  %-26s %s\n", rh_text_get(&name), option->help);
        rh_text_fini(&name);
    }
}

static void add_program_help(struct rh_text *text)
{
    rh_text_add(
        text, "\nPROGRAM is a test program linked with librehearse, or C and C++ sources that are "
              "compiled\nwith $CC and $CXX (C++ as gnu++20 unless flags say otherwise) and linked "
              "together.\nA comment in a source such as\n"
              "  // rehearse: --cflags -O2 --libs -lsqlite3\n"
              "adds flags for it. ARGS become the program's own arguments.\n");
}

static void add_graph_help(struct rh_text *text)
{
    rh_text_add(
        text,
        "\nFILE is C source, which clang-19 compiles, or LLVM bitcode (.bc). Several are linked "
        "together.\nA comment in a source such as\n  // rehearse: --cflags -DSIZE=3\n"
        "adds flags for it.\n");
}

static void add_verb_help(struct rh_text *text, const struct rh_tool *tool, enum rh_verb verb)
{
    rh_text_addf(text, "Usage: %s %s%s\n\n%s\n", tool->name, rh_verb_name(verb),
                 verb_operands(tool, verb), rh__verbs[verb].description);
    add_options(text, tool, verb);
    if (rh_verb_looks_at_sources(verb))
        add_graph_help(text);
    else if (tool->takes_programs && verb <= RH_VERB_DOCTOR && verb != RH_VERB_COVERAGE)
        add_program_help(text);
    if (verb != RH_VERB_VERSION)
        add_examples(text, tool, verb);
    if (verb < RH_VERB_DOCTOR)
        add_exit_status(text, verb);
}

void rh_options_help(struct rh_text *text, const struct rh_tool *tool, enum rh_verb verb)
{
    if (verb != RH_VERB_COUNT) {
        add_verb_help(text, tool, verb);
        return;
    }
    rh_text_addf(text,
                 "Rehearse tests programs in C that pass messages or have threads: it decides "
                 "what happens\nnext, finds the order that breaks the program, and keeps it as a "
                 "file that replays it.\n\nUsage: %s VERB [options]%s\n",
                 tool->name, tool->takes_programs ? " PROGRAM... [-- ARGS]" : "");
    if (!tool->takes_programs)
        rh_text_add(text, "Without a verb: explore.\n");
    rh_text_add(text, "\nVerbs:\n");
    for (int i = 0; i < RH_VERB_COUNT; i++)
        if (tool->takes_programs || !rh_verb_looks_at_sources((enum rh_verb)i))
            rh_text_addf(text, "  %-10s %s\n", rh__verbs[i].name, rh__verbs[i].help);
    add_examples(text, tool, RH_VERB_COUNT);
    rh_text_addf(text, "\n%s VERB --help shows the options of a verb, and more examples.\n",
                 tool->name);
    add_exit_status(text, verb);
}
