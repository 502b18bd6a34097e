// SPDX-License-Identifier: MIT
// Handlers that keep something in files. Each execution must find the directory as it was: there are
// the files `kept` with a 1 in it, `gone`, `in/side` and the link `link` to `kept`.
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(job, { int number; });

// Where the program was started.
static const char *start(void)
{
    return getenv("START");
}

static int read_number(const char *path)
{
    int number = 0;
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    rh_check(fscanf(file, "%d", &number) == 1);
    fclose(file);
    return number;
}

static void write_number(const char *path, int number)
{
    FILE *file = fopen(path, "w");
    rh_check(file);
    fprintf(file, "%d\n", number);
    fclose(file);
}

static void three_jobs(rh_actor *actor)
{
    static const char *const names[] = {"a", "b", "c"};
    for (int i = 0; i < 3; i++)
        rh_send_from(rh_outside(names[i]), actor, job, {.number = i});
}

// Counts jobs in a file: there are three in an execution.
static void counts_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;
    (void)rh_as(message, job);
    int count = read_number("count");
    write_number("count", count + 1);
    rh_check(count < 3);
}

RH_TEST(counts)
{
    three_jobs(rh_spawn(counts_behaviour));
}

// The last job in one order finds a file that the first has left, or not.
static void fails_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct job *job = rh_as(message, job);
    (void)self;
    (void)state;
    if (job->number == 2)
        write_number("mark", 1);
    rh_check(job->number != 0 || read_number("mark") == 0);
}

RH_TEST(fails)
{
    three_jobs(rh_spawn(fails_behaviour));
}

// Names. The first job uses every kind of call once, and fails if anything is left of an earlier
// execution; the others see what it has done.

static int count_entries(const char *path)
{
    int count = 0;
    DIR *directory = opendir(path);
    rh_check(directory);
    while (readdir(directory))
        count++;
    closedir(directory);
    return count;
}

static void alter_by_name(int directory)
{
    char path[PATH_MAX], template[] = "temporary-XXXXXX";
    rh_check(count_entries(".") == count_entries(start()));
    rh_check(read_number("kept") == 1 && read_number("link") == 1);
    rh_check(mkdir("made", 0700) == 0);
    rh_check(rename("gone", "made/went") == 0 && access("gone", F_OK) != 0);
    snprintf(path, sizeof path, "%s/made/went", start());
    rh_check(access(path, F_OK) == 0);
    snprintf(path, sizeof path, "%s/made/../absolute", start());
    write_number(path, 5);
    rh_check(read_number("absolute") == 5);
    write_number("link", 2);
    rh_check(read_number("kept") == 2);
    int at = openat(directory, "side", O_WRONLY | O_TRUNC);
    rh_check(at >= 0 && write(at, "3\n", 2) == 2 && close(at) == 0);
    rh_check(read_number("in/side") == 3);
    int temporary = mkstemp(template);
    rh_check(temporary >= 0 && access(template, F_OK) == 0);
    close(temporary);
    rh_check(symlink("made", "way") == 0 && read_number("way/went") == 1);
}

static void alter_otherwise(void)
{
    char path[PATH_MAX];
    rh_check(getcwd(path, sizeof path) && strcmp(path, start()) == 0);
    rh_check(system("echo 7 >by-shell") == 0 && read_number("by-shell") == 7);
    pid_t child = fork();
    if (child == 0) {
        int file = open("by-child", O_WRONLY | O_CREAT | O_EXCL, 0600);
        _exit(file < 0 || write(file, "8\n", 2) != 2);
    }
    int status;
    rh_check(waitpid(child, &status, 0) == child && status == 0 && read_number("by-child") == 8);
    rh_check(chdir("in") == 0 && read_number("../kept") == 2 && read_number("../../beside") == 4);
    rh_check(chdir(start()) == 0 && read_number("made/went") == 1);
}

struct names {
    int directory; // `in`, opened before anything was altered
    bool is_done;
};

static void names_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct names *names = state;
    (void)self;
    (void)rh_as(message, job);
    if (names->is_done) {
        rh_check(read_number("by-shell") == 7 && read_number("in/side") == 3);
        return;
    }
    names->is_done = true;
    alter_by_name(names->directory);
    alter_otherwise();
}

RH_TEST(names)
{
    int directory = open("in", O_RDONLY | O_DIRECTORY);
    three_jobs(rh_spawn(names_behaviour, struct names, {.directory = directory}));
}

// A file elsewhere is shared. Names that are made up are another one each time.
static void elsewhere_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    char file[] = "../made-XXXXXX", directory[] = "../room-XXXXXX", inside[32];
    (void)self;
    (void)state;
    (void)rh_as(message, job);
    write_number("../shared", read_number("../shared") + 1);
    int descriptor = mkstemp(file);
    rh_check(descriptor >= 0 && close(descriptor) == 0 && unlink(file) == 0);
    rh_check(mkdtemp(directory));
    snprintf(inside, sizeof inside, "%s/file", directory);
    write_number(inside, 1);
    rh_check(unlink(inside) == 0 && rmdir(directory) == 0);
}

RH_TEST(elsewhere)
{
    three_jobs(rh_spawn(elsewhere_behaviour));
}

// The test's body alters files, too, and is run once for many executions.
static void reads_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;
    rh_ignore(message);
}

RH_TEST(body)
{
    write_number("count", read_number("count") + 1);
    rh_check(read_number("count") == 1);
    three_jobs(rh_spawn(reads_behaviour));
}
