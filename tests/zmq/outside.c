// SPDX-License-Identifier: MIT
// What executions could share with each other: random numbers, files, processes. See outside.sh.
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zmq.h>

void uuid_generate(unsigned char *uuid);

static void show(const char *what, const void *bytes, size_t size)
{
    printf("%s ", what);
    for (size_t i = 0; i < size; i++)
        printf("%02x", ((const unsigned char *)bytes)[i]);
    printf("\n");
}

static void *draw(void *name)
{
    unsigned char bytes[16];
    printf("%s %ld %d\n", (const char *)name, random(), rand());
    if (getrandom(bytes, sizeof bytes, 0) == sizeof bytes)
        show("getrandom", bytes, sizeof bytes);
    int device = open("/dev/urandom", O_RDONLY);
    if (read(device, bytes, sizeof bytes) == sizeof bytes)
        show("read", bytes, sizeof bytes);
    close(device);
    FILE *file = fopen("/dev/random", "r");
    if (fread(bytes, 1, sizeof bytes, file) == sizeof bytes)
        show("fread", bytes, sizeof bytes);
    fclose(file);
    uuid_generate(bytes);
    show("uuid", bytes, sizeof bytes);
    return NULL;
}

static void draw_all(void)
{
    pthread_t thread;
    printf("%d\n", getpid());
    draw("main");
    pthread_create(&thread, NULL, draw, "thread");
    pthread_join(thread, NULL);
}

// Adds one to the number in a file.
static int count(const char *path)
{
    int number = 0;
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%d", &number) != 1)
        number = -1;
    if (file)
        fclose(file);
    file = fopen(path, "w");
    fprintf(file, "%d\n", number + 1);
    fclose(file);
    return number;
}

// Whatever was done by executions before, this one sees the directory as it was.
static int change_files(const char *directory)
{
    char path[4096];
    struct stat status;
    char pattern[] = "temporaryXXXXXX";
    int temporary = mkstemp(pattern);
    if (temporary < 0 || access(pattern, W_OK) != 0)
        return 1;
    close(temporary);
    snprintf(path, sizeof path, "%s/absolute", directory);
    int is_clean = count("relative") == 0 && count(path) == 0 && stat("made", &status) != 0;
    is_clean &= access("kept/inner", R_OK) == 0 && access(path, R_OK) == 0;
    is_clean &= mkdir("made", 0700) == 0 && unlink("kept/inner") == 0;
    is_clean &= rename("relative", "made/moved") == 0 && access("kept/inner", R_OK) != 0;
    return is_clean ? 0 : 1;
}

static void on_signal(int number)
{
    (void)number;
    puts("caught");
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    void *context = zmq_ctx_new();
    int result = 0, ends[2];
    if (!strcmp(what, "random") || !strcmp(what, "drawn"))
        draw_all();
    if (!strcmp(what, "drawn"))
        result = 1;
    if (!strcmp(what, "files"))
        result = change_files(argv[2]);
    if (!strcmp(what, "descriptors"))
        result = socket(AF_UNIX, SOCK_STREAM, 0) < 0 || pipe(ends) < 0 || pipe(ends) < 0;
    if (!strcmp(what, "process"))
        result = system("sleep 1000 >/dev/null 2>&1 & echo $! >>\"$PIDS\"");
    if (!strcmp(what, "signal")) {
        signal(SIGUSR1, on_signal);
        kill(getpid(), SIGUSR1);
    }
    zmq_ctx_term(context);
    return result;
}
