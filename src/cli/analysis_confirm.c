// SPDX-License-Identifier: MIT
// Generated tests are run in the world before anybody is told of them: the command replays their
// schedules, all in one process, and writes down how each has ended.
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file_name.h"
#include "base/hash.h"
#include "base/index.h"
#include "cli/analysis.h"
#include "cli/output.h"
#include "symbolic/write.h"

// Where the schedules lie while they are run: beside the program.
struct place {
    struct rh_text folder;
    struct rh_text outcomes; // the file with the outcomes
};

static void place_init(struct place *place, const char *binary)
{
    *place = (struct place){0};
    rh_text_add_bytes(&place->folder, binary, (size_t)(rh_base_name(binary) - binary));
    rh_text_addf(&place->outcomes, "%soutcomes", rh_text_get(&place->folder));
}

static void place_fini(struct place *place)
{
    rh_text_fini(&place->folder);
    rh_text_fini(&place->outcomes);
}

static void add_path(struct rh_text *path, const struct place *place, const char *test)
{
    rh_text_clear(path);
    rh_text_addf(path, "%s%s.schedule", rh_text_get(&place->folder), test);
}

// Gives how many tests can be run.
static struct rh_status write_all(const struct place *place, const struct rh_options *options,
                                  const struct rh_generate_result *result, size_t *count)
{
    struct rh_status status = rh_ok();
    struct rh_text path = {0};
    for (size_t i = 0; rh_is_ok(&status) && i < result->tests.count; i++) {
        struct rh_schedule schedule;
        if (!rh_generate_schedule(&schedule, result, &result->tests.items[i], options->names.items,
                                  options->names.count))
            continue;
        ++*count;
        add_path(&path, place, result->tests.items[i].name);
        status = rh_schedule_write(&schedule, rh_text_get(&path));
        rh_schedule_fini(&schedule);
    }
    rh_text_fini(&path);
    return status;
}

static void remove_all(const struct place *place, const struct rh_generate_result *result)
{
    struct rh_text path = {0};
    for (size_t i = 0; i < result->tests.count; i++) {
        add_path(&path, place, result->tests.items[i].name);
        unlink(rh_text_get(&path));
    }
    unlink(rh_text_get(&place->outcomes));
    rh_text_fini(&path);
}

// Lets the command replay them. What it prints of the program's own output is not wanted.
static struct rh_status replay_all(const struct place *place, const struct rh_options *options)
{
    struct rh_words words = {0};
    rh_words_add(&words, options->generate.command);
    rh_words_add(&words, "replay");
    rh_words_add(&words, options->generate.binary);
    rh_words_add(&words, rh_text_get(&place->folder));
    rh_words_addf(&words, "--outcomes=%s", rh_text_get(&place->outcomes));
    if (options->save_coverage)
        rh_words_addf(&words, "--save-coverage=%s", options->save_coverage);
    if (options->lines || options->generate.fewest)
        rh_words_add(&words, "--lines");
    char **arguments = rh_words_arguments(&words);
    pid_t child;
    int wait_status = 0;
    int error = posix_spawn(&child, arguments[0], NULL, NULL, arguments, environ);
    while (error == 0 && waitpid(child, &wait_status, 0) < 0 && errno == EINTR)
        ;
    free(arguments);
    rh_words_fini(&words);
    bool has_run =
        error == 0 && WIFEXITED(wait_status) &&
        (WEXITSTATUS(wait_status) == RH_EXIT_NOTHING || WEXITSTATUS(wait_status) == RH_EXIT_FOUND);
    return has_run ? rh_ok() : rh_failed("the generated tests could not be run");
}

// Whether what the run has shown is what was predicted.
static bool is_as_predicted(const struct rh_generate_test *test, const char *outcome)
{
    return test->broken ? strcmp(outcome, "passed") != 0 && strcmp(outcome, "order") != 0
                        : !strcmp(outcome, "passed");
}

static const uint32_t *read_numbers(struct rh_generate_result *result, const char *text,
                                    uint32_t *count)
{
    RH_VECTOR(uint32_t) numbers = {0};
    char *end;
    for (unsigned long number = strtoul(text, &end, 10); end > text;
         number = strtoul(text, &end, 10)) {
        *rh_vector_push(&numbers) = (uint32_t)number;
        text = end;
    }
    uint32_t *kept = rh_arena_take(&result->arena, (numbers.count + 1) * sizeof *kept);
    if (numbers.count > 0)
        memcpy(kept, numbers.items, numbers.count * sizeof *kept);
    *count = (uint32_t)numbers.count;
    rh_vector_fini(&numbers);
    return kept;
}

// A line: NAME OUTCOME, or NAME and what the test has reached.
static void take_line(struct rh_generate_result *result, const struct rh_index *names, char *line)
{
    char *blank = strchr(line, ' ');
    if (!blank)
        return;
    *blank = '\0';
    char *rest = blank + 1 + strcspn(blank + 1, " ");
    rest += *rest ? (*rest = '\0', 1) : 0;
    uint32_t found = rh_index_find(names, rh_hash64_text(line, 0));
    if (found == RH_NONE)
        return;
    struct rh_generate_test *test = &result->tests.items[found];
    if (!strcmp(blank + 1, "lines")) {
        test->lines = read_numbers(result, rest, &test->line_count);
        return;
    }
    if (!strcmp(blank + 1, "ways")) {
        test->ways = read_numbers(result, rest, &test->way_count);
        return;
    }
    test->run = is_as_predicted(test, blank + 1) ? RH_GENERATE_CONFIRMED : RH_GENERATE_REFUTED;
}

static struct rh_status read_outcomes(const struct place *place, struct rh_generate_result *result)
{
    enum { OUTCOMES_MOST = 1 << 30 };
    struct rh_text text = {0};
    struct rh_index names = {0};
    struct rh_status status =
        rh_text_read_file(&text, rh_text_get(&place->outcomes), OUTCOMES_MOST);
    for (size_t i = 0; i < result->tests.count; i++)
        rh_index_add(&names, rh_hash64_text(result->tests.items[i].name, 0), (uint32_t)i);
    char *rest = NULL;
    for (char *line = rh_is_ok(&status) ? strtok_r(text.bytes, "\n", &rest) : NULL; line;
         line = strtok_r(NULL, "\n", &rest))
        take_line(result, &names, line);
    rh_index_fini(&names);
    rh_text_fini(&text);
    return status;
}

struct rh_status rh_analysis_confirm(const struct rh_options *options,
                                     struct rh_generate_result *result)
{
    if (!options->generate.binary)
        return rh_ok();
    struct place place;
    size_t count = 0;
    place_init(&place, options->generate.binary);
    struct rh_status status = write_all(&place, options, result, &count);
    if (rh_is_ok(&status) && count > 0)
        status = replay_all(&place, options);
    if (rh_is_ok(&status) && count > 0)
        status = read_outcomes(&place, result);
    remove_all(&place, result);
    place_fini(&place);
    return status;
}
