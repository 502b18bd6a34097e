// SPDX-License-Identifier: MIT
// What actors share inside of libc without a system call of their own, and in the process: libc_state.txt says what is found.
#define _GNU_SOURCE
#include <fcntl.h>
#include <mntent.h>
#include <mqueue.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <syslog.h>
#include <unistd.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(add);
RH_SIGNAL(look);

// Three actors, one stream. The look comes behind both adds in two of six orders.
struct shared {
    FILE *file;
};

static void shared_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct shared *shared = state;
    (void)self;
    if (rh_as(message, add))
        fputs("x", shared->file);
    else if (rh_as(message, look))
        rh_check(ftell(shared->file) != 2);
}

static void three_share(FILE *file)
{
    rh_actor *first = rh_spawn(shared_behaviour, struct shared, {.file = file});
    rh_actor *second = rh_spawn(shared_behaviour, struct shared, {.file = file});
    rh_actor *third = rh_spawn(shared_behaviour, struct shared, {.file = file});
    rh_send(first, look);
    rh_send(second, add);
    rh_send(third, add);
}

RH_TEST(file_of_three)
{
    three_share(tmpfile());
}

RH_TEST(memory_of_three)
{
    three_share(fmemopen(NULL, 64, "w+"));
}

RH_TEST(growing_of_three)
{
    static char *text;
    static size_t size;
    three_share(open_memstream(&text, &size));
}

// The test takes long enough to be looked after meanwhile, and what libc allocates lies where it did nevertheless.
RH_TEST(growing_slowly)
{
    static char *text;
    static size_t size;
    for (volatile long i = 0; i < 50000000; i++)
        ;
    three_share(open_memstream(&text, &size));
}

struct appender {
    FILE *file;
};

static void appender_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct appender *appender = state;
    (void)self;
    if (rh_as(message, add)) {
        fprintf(appender->file, "%s", "x");
        fflush(appender->file);
    } else if (rh_as(message, look)) {
        rh_check(ftell(appender->file) <= 1);
    }
}

RH_TEST(file_of_one)
{
    rh_actor *actor = rh_spawn(appender_behaviour, struct appender, {.file = tmpfile()});
    rh_send_from(rh_outside("ann"), actor, add);
    rh_send_from(rh_outside("ben"), actor, look);
    rh_send_from(rh_outside("eva"), actor, look);
}

// The test's body is through with its streams.
static void counter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    int *count = state;
    (void)self;
    if (rh_as(message, add))
        ++*count;
}

static void three_apart(int start)
{
    for (int i = 0; i < 3; i++)
        rh_send(rh_spawn(counter_behaviour, int, {start}), add);
}

RH_TEST(closed_before)
{
    char *text;
    size_t size;
    FILE *file = tmpfile(), *memory = open_memstream(&text, &size);
    FILE *command = popen("echo 1", "r");
    fputs("7", memory);
    fprintf(file, "7");
    rewind(file);
    int start = getc(file) - '0';
    fclose(file);
    fclose(memory);
    pclose(command);
    rh_check(size == 1 && start == 7);
    free(text);
    three_apart(start);
}

// The rest of the text that strtok is at belongs to all.
RH_MESSAGE(line, { char text[12]; });
RH_MESSAGE(next, { char first; });

struct reader {
    char text[12];
};

static void reader_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct reader *reader = state;
    const struct line *line;
    const struct next *next;
    (void)self;
    if ((line = rh_as(message, line))) {
        memcpy(reader->text, line->text, sizeof reader->text);
        strtok(reader->text, ",");
    } else if ((next = rh_as(message, next))) {
        const char *word = strtok(NULL, ",");
        rh_check(word && *word == next->first);
    }
}

RH_TEST(tokens_of_two)
{
    rh_actor *first = rh_spawn(reader_behaviour, struct reader, {.text = ""});
    rh_actor *second = rh_spawn(reader_behaviour, struct reader, {.text = ""});
    rh_send(first, line, {.text = "a,b,c"});
    rh_send(first, next, {.first = 'b'});
    rh_send(second, line, {.text = "d,e,f"});
    rh_send(second, next, {.first = 'e'});
}

// One actor goes on where it was: what other executions have left does not show.
RH_TEST(tokens_of_one)
{
    rh_actor *reader = rh_spawn(reader_behaviour, struct reader, {.text = ""});
    rh_actor *counter = rh_spawn(counter_behaviour, int, {0});
    rh_send(reader, line, {.text = "a,b,c"});
    rh_send(reader, next, {.first = 'b'});
    rh_send(reader, next, {.first = 'c'});
    rh_send(counter, add);
}

// It was the test's body that began.
RH_TEST(tokens_of_body)
{
    static char text[] = "a,b";
    strtok(text, ",");
    rh_actor *first = rh_spawn(reader_behaviour, struct reader, {.text = ""});
    rh_actor *second = rh_spawn(reader_behaviour, struct reader, {.text = ""});
    rh_send(first, next, {.first = 'b'});
    rh_send(second, line, {.text = "c,d"});
}

static void splitter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    int *count = state;
    const struct line *line = rh_as(message, line);
    char text[sizeof line->text];
    (void)self;
    memcpy(text, line->text, sizeof text);
    for (char *word = strtok(text, ","); word; word = strtok(NULL, ","))
        ++*count;
    rh_check(*count == 3);
}

RH_TEST(tokens_at_once)
{
    for (int i = 0; i < 3; i++)
        rh_send(rh_spawn(splitter_behaviour, int, {0}), line, {.text = "a,b,c"});
}

static void three_use(rh_behaviour *behaviour)
{
    rh_actor *first = rh_spawn(behaviour), *second = rh_spawn(behaviour);
    rh_actor *third = rh_spawn(behaviour);
    rh_send(first, look);
    rh_send(second, add);
    rh_send(third, add);
}

// A file that the test's body opened without a stream.
static int written;

static void writer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;
    if (rh_as(message, add))
        dprintf(written, "%d", 1);
    else if (rh_as(message, look))
        rh_check(lseek(written, 0, SEEK_CUR) != 2);
}

RH_TEST(printed_by_two)
{
    written = memfd_create("printed", 0);
    three_use(writer_behaviour);
}

// The end of the data segment.
static char *end;

static void mover_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;
    if (rh_as(message, add))
        sbrk(4096);
    else if (rh_as(message, look))
        rh_check((char *)sbrk(0) - end != 8192);
}

RH_TEST(moved_by_two)
{
    end = sbrk(0);
    three_use(mover_behaviour);
}

// A queue of the kernel's.
static mqd_t queue;

static void poster_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    char text[8] = "text";
    (void)self;
    (void)state;
    if (rh_as(message, add)) {
        rh_check(mq_send(queue, text, sizeof text, 0) == 0);
    } else if (rh_as(message, look)) {
        ssize_t first = mq_receive(queue, text, sizeof text, NULL);
        ssize_t second = mq_receive(queue, text, sizeof text, NULL);
        rh_check(first < 0 || second < 0);
    }
}

// It has a name for a moment only, which no other process has.
RH_TEST(queue_of_three)
{
    struct mq_attr attributes = {.mq_maxmsg = 4, .mq_msgsize = 8};
    char path[] = "/tmp/libc_state-XXXXXX";
    const char *name = path + strlen("/tmp");
    close(mkstemp(path));
    unlink(path);
    queue = mq_open(name, O_CREAT | O_RDWR | O_NONBLOCK, 0600, &attributes);
    mq_unlink(name);
    rh_check(queue >= 0);
    three_use(poster_behaviour);
}

// Which argument getopt is at.
struct parser {
    int expected;
};

static void parser_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct parser *parser = state;
    char name[] = "name", first[] = "-a", second[] = "-b";
    char *arguments[] = {name, first, second, NULL};
    (void)self;
    if (rh_as(message, look))
        rh_check(getopt(3, arguments, "ab") == parser->expected);
}

RH_TEST(options_of_two)
{
    rh_send(rh_spawn(parser_behaviour, struct parser, {.expected = 'a'}), look);
    rh_send(rh_spawn(parser_behaviour, struct parser, {.expected = 'b'}), look);
}

// What the kernel keeps for the process. One actor changes it, and the other must not see that.
struct process {
    void (*change)(void);
    bool (*has_changed)(void);
};

static void process_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct process *process = state;
    (void)self;
    if (rh_as(message, add))
        process->change();
    else if (rh_as(message, look))
        rh_check(!process->has_changed());
}

static void two_use(void (*change)(void), bool (*has_changed)(void))
{
    rh_actor *first = rh_spawn(process_behaviour, struct process, {change, has_changed});
    rh_actor *second = rh_spawn(process_behaviour, struct process, {change, has_changed});
    rh_send(first, look);
    rh_send(second, add);
}

static void block_signal(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    sigprocmask(SIG_BLOCK, &set, NULL);
}

static bool blocks_signal(void)
{
    sigset_t set;
    sigprocmask(SIG_BLOCK, NULL, &set);
    return sigismember(&set, SIGUSR2);
}

RH_TEST(mask_of_two)
{
    two_use(block_signal, blocks_signal);
}

static void block_in_thread(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

RH_TEST(mask_of_thread)
{
    two_use(block_in_thread, blocks_signal);
}

static void change_priority(void)
{
    setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + 1);
}

static int priority_before;

static bool has_other_priority(void)
{
    return getpriority(PRIO_PROCESS, 0) != priority_before;
}

RH_TEST(priority_of_two)
{
    priority_before = getpriority(PRIO_PROCESS, 0);
    two_use(change_priority, has_other_priority);
}

static void change_name(void)
{
    prctl(PR_SET_NAME, "changed");
}

static void change_name_by_number(void)
{
    syscall(SYS_prctl, PR_SET_NAME, "changed");
}

static void change_thread_name(void)
{
    pthread_setname_np(pthread_self(), "changed");
}

static bool has_other_name(void)
{
    char name[16];
    prctl(PR_GET_NAME, name);
    return strcmp(name, "changed") == 0;
}

RH_TEST(name_of_two)
{
    two_use(change_name, has_other_name);
}

RH_TEST(name_by_number)
{
    two_use(change_name_by_number, has_other_name);
}

RH_TEST(name_of_thread)
{
    two_use(change_thread_name, has_other_name);
}

static void change_group(void)
{
    setpgid(0, 0);
}

static bool has_own_group(void)
{
    return setsid() < 0; // which a leader of a group can't
}

RH_TEST(group_of_two)
{
    two_use(change_group, has_own_group);
}

static void change_log(void)
{
    setlogmask(LOG_MASK(LOG_ALERT));
}

static bool has_other_log(void)
{
    return setlogmask(0) == LOG_MASK(LOG_ALERT);
}

RH_TEST(log_of_two)
{
    two_use(change_log, has_other_log);
}

// A pattern that libc keeps.
char *re_comp(const char *pattern);
int re_exec(const char *text);

static void change_pattern(void)
{
    re_comp("b");
}

static bool has_other_pattern(void)
{
    return re_exec("b");
}

RH_TEST(pattern_of_two)
{
    re_comp("a");
    two_use(change_pattern, has_other_pattern);
}

// A list that libc reads into a buffer of its own, which it allocates when it is first used.
static bool lacks_mounts(void)
{
    FILE *file = setmntent("/proc/self/mounts", "r");
    bool lacks = !file || !getmntent(file);
    endmntent(file);
    return lacks;
}

static void read_mounts(void)
{
    rh_check(!lacks_mounts());
}

RH_TEST(mounts_of_two)
{
    two_use(read_mounts, lacks_mounts);
}

// Asking changes nothing.
static void ask(void)
{
    char bytes[4];
    rh_check(syscall(SYS_gettid) == gettid());
    rh_check(syscall(SYS_getrandom, bytes, sizeof bytes, 0) == sizeof bytes);
    blocks_signal();
    has_other_name();
    has_other_log();
}

RH_TEST(only_asked)
{
    two_use(ask, blocks_signal);
}
