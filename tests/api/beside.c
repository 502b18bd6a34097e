// SPDX-License-Identifier: MIT
// What a giver may do beside a block that it gave away, on the same page, and what it may not do with that block. Each
// giver handles `go`, and its block arrives: 1 execution, 2 deliveries.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { ROOM = 600, PAGE = 4096 };

extern char **environ;

RH_SIGNAL(go);
RH_MESSAGE(parcel, { char *bytes; });

struct giver {
    rh_actor *receiver;
    void (*work)(char *given, char *beside);
};

static void receiver_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct parcel *parcel = rh_as(message, parcel);
    (void)self;
    (void)state;

    if (parcel)
        free(parcel->bytes);
}

static void giver_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct giver *giver = state;
    (void)self;

    if (rh_as(message, go)) {
        char *given = malloc(100);
        char *beside = malloc(ROOM);

        strcpy(given, "/dev/null");
        rh_send(giver->receiver, parcel, {.bytes = rh_give(given)});
        giver->work(given, beside);
        free(beside);
    }
}

static void start(void (*work)(char *given, char *beside))
{
    rh_actor *receiver = rh_spawn(receiver_behaviour);

    rh_send(rh_spawn(giver_behaviour, struct giver, {receiver, work}), go);
}

// The kernel reads and writes what lies beside.

static void use_descriptors(char *given, char *beside)
{
    int *files = (int *)beside;
    char *buffer = beside + 64;
    struct iovec *vector = (struct iovec *)(beside + 200);
    (void)given;

    rh_check(pipe(files) == 0);
    strcpy(buffer, "through");
    rh_check(write(files[1], buffer, 8) == 8);
    memset(buffer, 0, 8);
    rh_check(read(files[0], buffer, 100) == 8);
    rh_check(strcmp(buffer, "through") == 0);
    *vector = (struct iovec){buffer, 8};
    rh_check(writev(files[1], vector, 1) == 8);
    rh_check(readv(files[0], vector, 1) == 8);
    rh_check(fstat(files[0], (struct stat *)(beside + 256)) == 0);
    close(files[0]);
    close(files[1]);
    rh_check(socketpair(AF_UNIX, SOCK_DGRAM, 0, files) == 0);
    rh_check(send(files[0], buffer, 8, 0) == 8);
    rh_check(recv(files[1], buffer, 100, 0) == 8);
    close(files[0]);
    close(files[1]);
}

static void use_streams(char *given, char *beside)
{
    char **line = (char **)(beside + 200);
    size_t *size = (size_t *)(beside + 208);
    (void)given;

    strcpy(beside, "/dev/null");
    FILE *file = fopen(beside, "w");
    rh_check(file != NULL);
    setvbuf(file, NULL, _IONBF, 0);
    rh_check(fwrite(beside, 1, ROOM, file) == ROOM);
    fclose(file);
    rh_check(snprintf(beside, ROOM, "%s %d", "number", 7) == 8);
    rh_check(puts(beside) >= 0);
    rh_check(fflush(stdout) == 0);
    file = tmpfile();
    rh_check(fputs("one\ntwo\n", file) >= 0);
    rewind(file);
    *line = NULL;
    *size = 0;
    rh_check(getline(line, size, file) == 4);
    rh_check(strcmp(*line, "one\n") == 0);
    free(*line);
    rh_check(fgets(beside, 100, file) == beside);
    rh_check(strcmp(beside, "two\n") == 0);
    rewind(file);
    rh_check(fread(beside, 1, ROOM, file) == 8);
    fclose(file);
}

static void *touch(void *bytes)
{
    ((char *)bytes)[0] = 't';
    return bytes;
}

static void use_processes(char *given, char *beside)
{
    int *status = (int *)(beside + 200);
    char *arguments[] = {beside, NULL};
    pthread_t thread;
    pid_t process;
    (void)given;

    strcpy(beside, "exit 3");
    rh_check(WEXITSTATUS(system(beside)) == 3);
    strcpy(beside, "echo x");
    FILE *file = popen(beside, "r");
    rh_check(fgetc(file) == 'x');
    pclose(file);
    strcpy(beside, "/bin/true");
    rh_check(posix_spawn(&process, beside, NULL, NULL, arguments, environ) == 0);
    rh_check(waitpid(process, status, 0) == process && *status == 0);
    process = fork();
    if (process == 0) {
        execv(beside, arguments);
        _exit(9);
    }
    rh_check(waitpid(process, status, 0) == process && *status == 0);
    rh_check(pthread_create(&thread, NULL, touch, beside) == 0);
    pthread_join(thread, NULL);
    rh_check(beside[0] == 't');
}

// With all signals blocked, accesses go on.
static void use_signal_mask(char *given, char *beside)
{
    sigset_t *all = (sigset_t *)beside;
    sigset_t *before = all + 1;
    (void)given;

    sigfillset(all);
    rh_check(sigprocmask(SIG_BLOCK, all, before) == 0);
    beside[500] = 1;
    rh_check(write(STDOUT_FILENO, beside + 500, 1) == 1);
    rh_check(sigismember(before, SIGUSR1) == 0);
    rh_check(sigprocmask(SIG_SETMASK, before, all) == 0);
    rh_check(sigismember(all, SIGUSR1) == 1);
}

RH_TEST(descriptors)
{
    start(use_descriptors);
}

RH_TEST(streams)
{
    start(use_streams);
}

RH_TEST(processes)
{
    start(use_processes);
}

RH_TEST(signal_mask)
{
    start(use_signal_mask);
}

// libc reads whole vectors, and of the first and the last more than the string: also what lies before it.
static void strings_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor *receiver = *(rh_actor **)state;
    (void)self;

    if (rh_as(message, go)) {
        char *given = malloc(16);
        char *beside = malloc(16);

        rh_send(receiver, parcel, {.bytes = rh_give(given)});
        strcpy(beside, "fourteen bytes");
        for (size_t start = 0; start < 14; start++) {
            rh_check(strlen(beside + start) == 14 - start);
            rh_check(memrchr(beside, 'f', start + 1) == beside);
            rh_check(strrchr(beside + start, 's') == beside + 13);
            rh_check(memcmp(beside + start, &"fourteen bytes"[start], 14 - start) == 0);
        }
        free(beside);
    }
}

RH_TEST(strings)
{
    rh_actor *receiver = rh_spawn(receiver_behaviour);

    rh_send(rh_spawn(strings_behaviour, rh_actor *, {receiver}), go);
}

// Each way to move something between a register and memory.
static void moves_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor *receiver = *(rh_actor **)state;
    (void)self;

    if (rh_as(message, go)) {
        char *given = malloc(16);
        unsigned char *at = malloc(64);
        unsigned long index = 2, full = 0x8182838485868788, out;

        rh_send(receiver, parcel, {.bytes = rh_give(given)});
#define MOVE(instruction)                                                                          \
    out = ~0UL;                                                                                    \
    __asm__ volatile(instruction                                                                   \
                     : "+a"(out)                                                                   \
                     : "r"(at), "r"(index), "b"(full), "r"(full)                                   \
                     : "memory", "r12", "cc")
        MOVE("movq %4, (%1)");
        MOVE("movq (%1), %0");
        rh_check(out == 0x8182838485868788);
        MOVE("movl (%1), %k0");
        rh_check(out == 0x85868788);
        MOVE("movb 1(%1), %b0");
        rh_check(out == 0xffffffffffffff87);
        MOVE("movb 1(%1), %h0");
        rh_check(out == 0xffffffffffff87ff);
        MOVE("movw 1(%1), %w0");
        rh_check(out == 0xffffffffffff8687);
        MOVE("movzbl 2(%1), %k0");
        rh_check(out == 0x86);
        MOVE("movzwl (%1,%2,2), %k0");
        rh_check(out == 0x8384);
        MOVE("movsbl 2(%1), %k0");
        rh_check(out == 0xffffff86);
        MOVE("movsbq 2(%1), %0");
        rh_check(out == 0xffffffffffffff86);
        MOVE("movswq 256-256(%1,%2), %0");
        rh_check(out == 0xffffffffffff8586);
        MOVE("movslq (%1), %0");
        rh_check(out == 0xffffffff85868788);
        MOVE("movb %h3, 8(%1)\n\tmovb %b3, 9(%1)\n\tmovw %w3, 10(%1)\n\tmovl %k3, 12(%1)");
        MOVE("movq 8(%1), %0");
        rh_check(out == 0x8586878887888887);
        MOVE("movb $-2, 16(%1)\n\tmovl $0x11223344, 17(%1)\n\tmovq $-3, 21(%1)");
        MOVE("movq 16(%1), %0");
        rh_check(out == 0xfffffd11223344fe);
        MOVE("movq $5, %%r12\n\tmovb %%r12b, (%1)\n\tmovzbl (%1), %%r12d\n\tmovq %%r12, %0");
        rh_check(out == 5);
        MOVE("movl $3, (%1)\n\taddl $4, (%1)\n\tcmpl $7, (%1)\n\tsete %b0");
        rh_check((out & 0xff) == 1 && at[0] == 7);
        MOVE("leaq -300(%1), %%r12\n\tmovzbl 300(%%r12), %k0");
        rh_check(out == 7);
        MOVE("leaq -8(%1), %%r12\n\tmovzbl (%%r12,%2,4), %k0");
        rh_check(out == 7);
        free(at);
    }
}

RH_TEST(moves)
{
    rh_actor *receiver = rh_spawn(receiver_behaviour);

    rh_send(rh_spawn(moves_behaviour, rh_actor *, {receiver}), go);
}

// Whole blocks are set and copied with instructions that repeat themselves.
static void blocks_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor *receiver = *(rh_actor **)state;
    (void)self;

    if (rh_as(message, go)) {
        char *given = malloc(16);
        unsigned char *first = malloc(3 * PAGE);
        unsigned char *second = malloc(3 * PAGE);
        unsigned long count = 3 * PAGE, words = 10;
        void *to = first;
        const void *from = first;

        rh_send(receiver, parcel, {.bytes = rh_give(given)});
        __asm__ volatile("rep stosb" : "+D"(to), "+c"(count) : "a"(7) : "memory");
        rh_check(count == 0 && to == first + 3 * PAGE);
        for (int i = 0; i < 3 * PAGE; i++)
            rh_check(first[i] == 7);
        first[3] = 9;
        count = 3 * PAGE;
        to = second;
        __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
        rh_check(memcmp(first, second, 3 * PAGE) == 0);
        to = first;
        __asm__ volatile("rep stosq" : "+D"(to), "+c"(words) : "a"(0x0101010101010101) : "memory");
        rh_check(to == first + 80 && first[79] == 1 && first[80] == 7);
        // Each byte becomes the one before it.
        count = 100;
        from = first + 80;
        to = first + 81;
        first[80] = 5;
        __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
        rh_check(first[180] == 5 && first[181] == 7);
        free(first);
        free(second);
    }
}

RH_TEST(blocks)
{
    rh_actor *receiver = rh_spawn(receiver_behaviour);

    rh_send(rh_spawn(blocks_behaviour, rh_actor *, {receiver}), go);
}

// The given block itself: each of these is found.

static void write_given(char *given, char *beside)
{
    (void)beside;
    (void)!write(STDOUT_FILENO, given, 4);
}

static void read_given(char *given, char *beside)
{
    int file = open("/dev/zero", O_RDONLY);

    (void)beside;
    (void)!read(file, given, 4);
    close(file);
}

static void vector_given(char *given, char *beside)
{
    struct iovec *vector = (struct iovec *)beside;

    *vector = (struct iovec){given, 4};
    (void)!writev(STDOUT_FILENO, vector, 1);
}

static void open_given(char *given, char *beside)
{
    FILE *file = fopen(given, "r");

    (void)beside;
    if (file)
        fclose(file);
}

static void stat_given(char *given, char *beside)
{
    (void)stat(given, (struct stat *)beside);
}

static void system_given(char *given, char *beside)
{
    (void)beside;
    (void)!system(given);
}

static void copy_given(char *given, char *beside)
{
    unsigned long count = 100;

    __asm__ volatile("rep movsb" : "+D"(beside), "+S"(given), "+c"(count) : : "memory");
}

RH_TEST(given_write)
{
    start(write_given);
}

RH_TEST(given_read)
{
    start(read_given);
}

RH_TEST(given_vector)
{
    start(vector_given);
}

RH_TEST(given_open)
{
    start(open_given);
}

RH_TEST(given_stat)
{
    start(stat_given);
}

RH_TEST(given_system)
{
    start(system_given);
}

RH_TEST(given_copy)
{
    start(copy_given);
}

// Reading less than there is room for, where the room would reach into the given block, uses nothing of it.
static void short_read_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor *receiver = *(rh_actor **)state;
    (void)self;

    if (rh_as(message, go)) {
        char *before = malloc(32);
        char *given = malloc(16);
        int files[2];

        rh_send(receiver, parcel, {.bytes = rh_give(given)});
        rh_check(pipe(files) == 0);
        rh_check(write(files[1], "four", 4) == 4);
        rh_check(read(files[0], before, (size_t)(given + 8 - before)) == 4);
        rh_check(memcmp(before, "four", 4) == 0);
        close(files[0]);
        close(files[1]);
        free(before);
    }
}

RH_TEST(short_read)
{
    rh_actor *receiver = rh_spawn(receiver_behaviour);

    rh_send(rh_spawn(short_read_behaviour, rh_actor *, {receiver}), go);
}

// A function given to rh_at_stop is the giver's too: 1 execution, 1 delivery.
static char **keep_in(void *state)
{
    return &((char **)state)[1];
}

static void use_at_stop(rh_actor *self, void *state)
{
    (void)self;
    (*keep_in(state))[0] = 'x';
}

static void stopping_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor *receiver = *(rh_actor **)state;
    (void)self;

    if (rh_as(message, go)) {
        *keep_in(state) = malloc(16);
        rh_send(receiver, parcel, {.bytes = rh_give(*keep_in(state))});
        rh_at_stop(use_at_stop);
        rh_stop();
    }
}

struct stopping {
    rh_actor *receiver;
    char *kept;
};

RH_TEST(given_at_stop)
{
    rh_actor *receiver = rh_spawn(receiver_behaviour);

    rh_send(rh_spawn(stopping_behaviour, struct stopping, {receiver, NULL}), go);
}
