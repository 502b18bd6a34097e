// SPDX-License-Identifier: MIT
#include "base/status.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "test.h"

static void status_carries_its_text(void)
{
    struct rh_status fine = rh_ok();
    EXPECT(rh_is_ok(&fine));
    EXPECT_TEXT(fine.text, "");
    struct rh_status bad = rh_bad_input("%s:%d: no such test", "a.schedule", 3);
    EXPECT(!rh_is_ok(&bad) && bad.code == RH_BAD_INPUT);
    EXPECT_TEXT(bad.text, "a.schedule:3: no such test");
    EXPECT(rh_failed("x").code == RH_FAILED);
}

static void long_text_is_cut_visibly(void)
{
    struct rh_status status = rh_failed("%0999d", 7);
    EXPECT(strlen(status.text) == 999 && status.text[998] == '7');
    status = rh_failed("%01000d", 7);
    EXPECT(strlen(status.text) == 999);
    EXPECT_TEXT(status.text + 990, "00000 ...");
    status = rh_failed("%0100000d", 7);
    EXPECT(strlen(status.text) == 999);
}

// Runs a function that ends the process; gives the wait status and what it said.
static int run_to_end(void (*function)(void), struct rh_text *said)
{
    int ends[2];
    EXPECT(pipe(ends) == 0);
    pid_t child = fork();
    EXPECT(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        function();
        _exit(0);
    }
    close(ends[1]);
    char block[512];
    for (ssize_t count; (count = read(ends[0], block, sizeof block)) > 0;)
        rh_text_add_bytes(said, block, (size_t)count);
    close(ends[0]);
    int status = 0;
    EXPECT(waitpid(child, &status, 0) == child);
    return status;
}

static void fail_an_assertion(void)
{
    rh_assert(1 + 1 == 2);
    rh_assert(1 + 1 == 3);
}

static void panic(void)
{
    rh_panic("rh_stop was called in %s", "a test's body");
}

static void aborts_say_where(void)
{
    struct rh_text said = {0};
    int status = run_to_end(fail_an_assertion, &said);
    EXPECT(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    EXPECT_PART(rh_text_get(&said), "test_status.c:");
    EXPECT_PART(rh_text_get(&said), "1 + 1 == 3 does not hold");
    rh_text_clear(&said);
    status = run_to_end(panic, &said);
    EXPECT(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    EXPECT_TEXT(rh_text_get(&said), "rehearse: rh_stop was called in a test's body\n");
    rh_text_fini(&said);
}

int main(void)
{
    status_carries_its_text();
    long_text_is_cut_visibly();
    aborts_say_where();
    return 0;
}
