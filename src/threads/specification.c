// SPDX-License-Identifier: MIT
#include "threads/specification.h"

#include <string.h>
#include <sys/mman.h>

#include "base/status.h"
#include "threads/commit.h"
#include "threads/journal.h"
#include "threads/look.h"

extern const struct rh__specification __start_rh_specifications[] __attribute__((weak));
extern const struct rh__specification __stop_rh_specifications[] __attribute__((weak));

// All of it lies outside of what is put back between executions.
static struct memory {
    void (*look)(rh_view *view); // NULL: there is no view
    struct rh_view view;
    const struct rh_account *account;
    struct rh_check_room *room;
    struct rh_commit_verdict *verdict;
    size_t steps;
} * memory;

bool rh__has_specifications(void)
{
    return &__start_rh_specifications[0] < &__stop_rh_specifications[0];
}

void rh__specification_start(const struct rh_component *component)
{
    memory = mmap(NULL, sizeof *memory, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    rh_assert(memory != MAP_FAILED);
    if (component)
        memory->look =
            component->specification_view ? component->specification_view : component->view;
}

static const struct rh__specification *find(const struct rh_operation *operation)
{
    const struct rh__specification *entry = __start_rh_specifications;
    for (; entry < __stop_rh_specifications; entry++)
        if (rh__operation_is(operation, entry->operation))
            return entry;
    return NULL;
}

// "remove" of "remove(5)".
static int name_length(const struct rh_operation *operation)
{
    return (int)(operation->name ? strlen(operation->name) : strcspn(operation->call, "( "));
}

static int64_t call(const struct rh_operation *operation)
{
    const struct rh__specification *entry = find(operation);
    const char *name = operation->name ? operation->name : operation->call;
    int length = name_length(operation);
    if (!entry)
        rh__refuse_because("%s:%d: %.*s has no specification, but other operations have: write "
                           "RH_SPECIFICATION(%.*s)",
                           operation->file, operation->line, length, name, length, name);
    if (!operation->name && !strstr(operation->call, "()"))
        rh__refuse_because("%s:%d: the specification of %.*s can't be asked, since the arguments "
                           "are not known: let the operation begin with RH_OPERATION(...)",
                           operation->file, operation->line, length, name);
    return entry->function(operation->arguments, operation->result);
}

static void take_view(struct rh_answer *answer)
{
    rh__engine->steps++; // or a long check would be taken for one that hangs
    answer->has_view = memory->look != NULL;
    answer->view = rh__view_take(memory->look, &memory->view);
}

static struct rh_answer begin(void)
{
    struct rh_answer answer = {.kind = RH_ANSWER_GIVEN};
    memory->steps = 0;
    take_view(&answer);
    return answer;
}

static struct rh_answer apply(const struct rh_operation *operation)
{
    struct rh_answer answer = {.kind = RH_ANSWER_GIVEN, .has_result = operation->has_result};
    answer.result = call(operation);
    memory->steps++;
    take_view(&answer);
    return answer;
}

// Whatever the function does is taken back.
static struct rh_answer observe(const struct rh_operation *operation)
{
    struct rh_answer answer = {.kind = RH_ANSWER_GIVEN, .has_result = operation->has_result};
    rh__engine->steps++;
    rh__journal_begin();
    answer.result = call(operation);
    rh__journal_undo();
    return answer;
}

static void place(const struct rh_operation *operation, size_t steps)
{
    (void)operation;
    (void)steps;
}

static void fail(const struct rh_operation *operation)
{
    (void)operation;
}

static size_t count_steps(void)
{
    return memory->steps;
}

static const struct rh_specification written = {.begin = begin,
                                                .apply = apply,
                                                .observe = observe,
                                                .place = place,
                                                .fail = fail,
                                                .count = count_steps};

static void *check(void *argument)
{
    (void)argument;
    rh__engine->quiet++;
    rh__commit_order_check(memory->account, &written, memory->room, memory->verdict);
    rh__engine->quiet--;
    rh__leave(RH_OUTCOME_COMPLETE);
    return NULL;
}

enum rh_outcome rh__specification_check(const struct rh_account *account,
                                        struct rh_commit_verdict *verdict)
{
    memory->account = account;
    memory->verdict = verdict;
    memory->room = rh__check_room_new(account);
    rh__engine->mode = RH_MODE_ORDER;
    enum rh_outcome outcome = rh__engine_run(check, NULL);
    rh__check_room_free(memory->room);
    return outcome;
}

const struct rh_view *rh__specification_view(void)
{
    return &memory->view;
}
