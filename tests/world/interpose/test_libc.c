// SPDX-License-Identifier: MIT
// Outside of handlers streams, the environment, threads and ends are libc's; and warming libc up
// changes nothing that a program can see.
#include "libc/libc_warm_up.h"
#include "test.h"

#include <dlfcn.h>
#include <errno.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void streams_read_what_was_written(void)
{
    FILE *file = fopen("stream", "w+");
    EXPECT(file && fprintf(file, "%d %s\nsecond line\n", 7, "words") > 0);
    rewind(file);
    int number = 0;
    char word[16], text[32];
    EXPECT(fscanf(file, "%d %15s", &number, word) == 2 && number == 7);
    EXPECT_TEXT(word, "words");
    EXPECT(fgetc(file) == '\n' && ungetc('+', file) == '+' && getc(file) == '+');
    char *line = NULL;
    size_t size = 0;
    EXPECT(getline(&line, &size, file) == 12);
    EXPECT_TEXT(line, "second line\n");
    free(line);
    EXPECT(fseek(file, 2, SEEK_SET) == 0 && fread(text, 1, 5, file) == 5);
    EXPECT(memcmp(text, "words", 5) == 0 && fgets(text, sizeof text, file));
    EXPECT_TEXT(text, "\n");
    EXPECT(fclose(file) == 0 && remove("stream") == 0);
    errno = 0;
    EXPECT(!fopen("stream", "r") && errno == ENOENT);
}

static void memory_streams_give_their_text(void)
{
    char *text;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    for (int i = 0; i < 5000; i++) {
        fputs("abcd", file);
    }
    EXPECT(fclose(file) == 0 && size == 20000 && strlen(text) == 20000);
    free(text);
}

static void commands_run(void)
{
    FILE *command = popen("echo output; exit 3", "r");
    char text[32];
    EXPECT(command && fgets(text, sizeof text, command));
    EXPECT_TEXT(text, "output\n");
    EXPECT(WEXITSTATUS(pclose(command)) == 3);
}

static void the_environment_changes(void)
{
    EXPECT(setenv("REHEARSE_TEST", "value", 1) == 0);
    EXPECT_TEXT(getenv("REHEARSE_TEST"), "value");
    EXPECT(unsetenv("REHEARSE_TEST") == 0 && !getenv("REHEARSE_TEST"));
    EXPECT(setenv("TZ", "UTC-2", 1) == 0);
    time_t seconds = 0;
    EXPECT(localtime(&seconds)->tm_hour == 2);
    EXPECT(setlocale(LC_ALL, "C") && !setlocale(LC_ALL, "no such locale"));
    EXPECT_PART(strerror(ENOENT), "No such file");
}

static void *give_back(void *argument)
{
    free(malloc(100));
    return argument;
}

static volatile sig_atomic_t signals_seen;

static void see_signal(int number)
{
    (void)number;
    signals_seen++;
}

static void threads_and_signals_work(void)
{
    pthread_t thread;
    int argument;
    void *result = NULL;
    EXPECT(pthread_create(&thread, NULL, give_back, &argument) == 0);
    EXPECT(pthread_join(thread, &result) == 0 && result == &argument);
    signals_seen = 0;
    struct sigaction action = {.sa_handler = see_signal}, old;
    EXPECT(sigaction(SIGUSR1, &action, &old) == 0 && old.sa_handler == SIG_DFL);
    EXPECT(raise(SIGUSR1) == 0 && signals_seen == 1);
    EXPECT(signal(SIGUSR1, SIG_DFL) == see_signal);
}

static void libraries_load(void)
{
    void *library = dlopen("libm.so.6", RTLD_NOW);
    EXPECT(library && dlsym(library, "cos") && dlclose(library) == 0);
    EXPECT(!dlopen("no-such-library.so", RTLD_NOW));
    EXPECT_PART(dlerror(), "no-such-library.so");
}

static void write_last_words(void)
{
    EXPECT(write(STDOUT_FILENO, "last words\n", 11) == 11);
}

// Runs `end` in a child and gives its exit status; what it writes goes to `text`.
static int end_child(void (*end)(void), char *text, size_t size)
{
    int ends[2];
    EXPECT(pipe(ends) == 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        end();
    }
    close(ends[1]);
    size_t length = 0;
    ssize_t part;
    while ((part = read(ends[0], text + length, size - 1 - length)) > 0) {
        length += (size_t)part;
    }
    text[length] = '\0';
    close(ends[0]);
    int status;
    EXPECT(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void end_by_exit(void)
{
    EXPECT(atexit(write_last_words) == 0);
    exit(3);
}

static void end_at_once(void)
{
    EXPECT(atexit(write_last_words) == 0);
    _exit(4);
}

void __assert_fail(const char *condition, const char *file, unsigned line, const char *function)
    __attribute__((noreturn));

static void end_by_assert(void)
{
    __assert_fail("one == two", "file.c", 12, "function");
}

static void ends_are_ends(void)
{
    char text[512];
    EXPECT(end_child(end_by_exit, text, sizeof text) == 3);
    EXPECT_TEXT(text, "last words\n");
    EXPECT(end_child(end_at_once, text, sizeof text) == 4);
    EXPECT_TEXT(text, "");
    EXPECT(end_child(end_by_assert, text, sizeof text) == -SIGABRT);
    EXPECT_PART(text, "file.c:12: function: Assertion `one == two' failed.");
}

static void everything(void)
{
    streams_read_what_was_written();
    memory_streams_give_their_text();
    commands_run();
    the_environment_changes();
    threads_and_signals_work();
    libraries_load();
    ends_are_ends();
}

static void warming_up_gives_buffers(void)
{
    // A compiler may believe that nobody else knows a new stream: volatile keeps it from that.
    FILE *volatile file = tmpfile();
    EXPECT(file && !file->_IO_buf_base);
    errno = 5;
    rh_libc_warm_up();
    rh_libc_warm_up();
    EXPECT(errno == 5 && file->_IO_buf_base && stdout->_IO_buf_base && stdin->_IO_buf_base);
    EXPECT(stderr->_IO_buf_base && stderr->_IO_buf_end - stderr->_IO_buf_base == 1);
    EXPECT(fputs("text", file) >= 0 && fclose(file) == 0);
}

int main(void)
{
    everything();
    warming_up_gives_buffers();
    everything();
    return 0;
}
