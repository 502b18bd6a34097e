#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random components, and what is wrong with them by plain enumeration.

components.py SEED COUNT PROGRAM EXPECTED writes a program with COUNT tests, and for each a line
`TEST marked: KINDS all: KINDS`: what an execution compared at its commits shows, and one compared
with all orders of whole operations. Shares nothing with the tool: every interleaving of the steps of
the operations is made, on a state of three numbers and a lock.
"""
import random
import sys

VARIABLES = "xyz"

# Steps of an operation: ("lock",) ("unlock",) ("read", v) ("write", v, k) ("commit", v, k)
# ("begin",) ("end",): of a commit block; ("observes",); ("fail", k): ends with -1 if the local is k.
# The local is a sum of what was read; a write stores it plus k. The operation gives the local.


def make_accesses(random):
    accesses = []
    for _ in range(random.randint(1, 2)):
        accesses.append(("read", random.choice(VARIABLES)))
    return accesses


def make_mutator(random):
    body = make_accesses(random)
    if random.random() < 0.25:
        body.append(("fail", random.randint(0, 1)))
    writes = [("write", random.choice(VARIABLES), random.randint(0, 2)) for _ in range(random.randint(1, 2))]
    way = random.random()
    if way < 0.3 and len(writes) == 2:
        body += [("begin",)] + writes + [("end",)]
    elif way < 0.35:
        body += writes  # never commits
    elif way < 0.4:
        body += [("commit",) + write[1:] for write in writes]  # perhaps twice
    else:
        chosen = random.randrange(len(writes))
        body += [("commit",) + write[1:] if i == chosen else write for i, write in enumerate(writes)]
    return body


def make_observer(random):
    return [("observes",)] + make_accesses(random)


def add_locks(random, body):
    """All in one critical section, or in two, or none."""
    way = random.random()
    if way < 0.2:
        return body
    if way < 0.7 or len(body) < 3:
        return [("lock",)] + body + [("unlock",)]
    places = [i for i in range(1, len(body)) if not is_in_block(body, i)]
    place = random.choice(places)
    return [("lock",)] + body[:place] + [("unlock",), ("lock",)] + body[place:] + [("unlock",)]


def is_in_block(body, place):
    kinds = [step[0] for step in body[:place]]
    return kinds.count("begin") > kinds.count("end")


def make_operation(random):
    body = make_mutator(random) if random.random() < 0.7 else make_observer(random)
    return add_locks(random, body)


def make_test(random):
    """A list of operations for each thread."""
    shape = random.choice([[1, 1], [1, 1], [2, 1], [1, 1, 1]])
    return [[make_operation(random) for _ in range(count)] for count in shape]


# --- The program. ---


def text_of(step, locked):
    kind = step[0]
    if kind == "lock":
        return "pthread_mutex_lock(&m);"
    if kind == "unlock":
        return "pthread_mutex_unlock(&m);"
    if kind == "read":
        return f"a += {step[1]};"
    if kind == "write":
        return f"{step[1]} = a + {step[2]};"
    if kind == "commit":
        return f"RH_COMMIT({step[1]} = a + {step[2]});"
    if kind == "begin":
        return "RH_COMMIT_BLOCK {"
    if kind == "end":
        return "}"
    if kind == "observes":
        return "RH_OBSERVES();"
    return f"if (a == {step[1]}) {{ {'pthread_mutex_unlock(&m); ' if locked else ''}return RH_RESULT(-1); }}"


def print_operation(out, name, body):
    if any(step[0] == "fail" for step in body):
        print(f"RH_MAY_FAIL({name}, -1);", file=out)
    print(f"static int {name}(void)\n{{\n    RH_OPERATION();\n    int a = 0;", file=out)
    locked = False
    for step in body:
        print("    " + text_of(step, locked), file=out)
        locked = step[0] == "lock" or (locked and step[0] != "unlock")
    print("    return RH_RESULT(a);\n}\n", file=out)


def print_test(out, number, test):
    for i, thread in enumerate(test):
        for k, body in enumerate(thread):
            print_operation(out, f"op{number}_{i}{k}", body)
    print(f"RH_THREADS(t{number})\n{{", file=out)
    for i, thread in enumerate(test):
        calls = " ".join(f"op{number}_{i}{k}();" for k in range(len(thread)))
        print(f"    rh_thread {{ {calls} }}", file=out)
    print("}\n", file=out)


HEAD = """#include <pthread.h>
#include <rehearse/component.h>
#ifdef NO_MARKS
#undef RH_COMMIT
#undef RH_COMMIT_BLOCK
#undef RH_OBSERVES
#undef RH_MAY_FAIL
#define RH_COMMIT(access) (access)
#define RH_COMMIT_BLOCK
#define RH_OBSERVES() (void)0
#define RH_MAY_FAIL(operation, value) struct rh__none
#endif
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int x, y, z;
static void view(rh_view *view)
{
    rh_view_put(view, 1, x);
    rh_view_put(view, 2, y);
    rh_view_put(view, 3, z);
}
RH_COMPONENT(numbers){.view = view};
"""


# --- Whole operations. ---


def run_alone(state, body):
    """The state and the result, on (x, y, z)."""
    state = list(state)
    local = 0
    for step in body:
        if step[0] == "read":
            local += state[VARIABLES.index(step[1])]
        elif step[0] in ("write", "commit"):
            state[VARIABLES.index(step[1])] = local + step[2]
        elif step[0] == "fail" and local == step[1]:
            return tuple(state), -1
    return tuple(state), local


# --- Interleavings. A state of the search is a tuple, so that none is visited twice. ---
#
# Of each thread: (operation, step, local, phase); phases: "idle", "open", "over".


class Marked:
    """Compared at commits."""

    # Beside the implementation: the specification's state, for each thread (committed, expected,
    # seen), and whether something was wrong.
    @staticmethod
    def begin(test):
        return ((0, 0, 0), tuple((0, None, frozenset()) for _ in test), False)

    @staticmethod
    def call(test, extra, thread, body, open_bodies):
        spec, threads, wrong = extra
        seen = frozenset([run_alone(spec, body)[1]])
        return (spec, replace(threads, thread, (0, None, seen)), wrong)

    @staticmethod
    def commit(test, extra, thread, body, open_bodies, seen_view):
        spec, threads, wrong = extra
        spec, expected = run_alone(spec, body)
        committed, _, seen = threads[thread]
        if committed:
            return "commit"
        threads = replace(threads, thread, (1, expected, seen))
        for other, other_body in open_bodies.items():
            committed, result, seen = threads[other]
            if not committed:
                threads = replace(threads, other, (0, None, seen | {run_alone(spec, other_body)[1]}))
        return (spec, threads, wrong or seen_view != spec)

    @staticmethod
    def finish(test, extra, thread, body, result, is_quiet, view):
        spec, threads, wrong = extra
        committed, expected, seen = threads[thread]
        observes = any(step[0] == "observes" for step in body)
        may_fail = any(step[0] == "fail" for step in body) and result == -1
        if not committed and not observes and not may_fail:
            return "commit"
        if committed and expected != result:
            wrong = True
        if not committed and not may_fail and result not in seen:
            wrong = True
        if is_quiet and view != spec:
            wrong = True
        return (spec, replace(threads, thread, (0, None, frozenset())), wrong)

    @staticmethod
    def is_wrong(extra):
        return extra[2]


class All:
    """Compared with all orders: the set of (specification's state, results of open operations)."""

    @staticmethod
    def begin(test):
        return frozenset([((0, 0, 0), tuple(None for _ in test))])

    @staticmethod
    def spread(configurations, open_bodies):
        """Any open operation may take place at any time."""
        known, todo = set(configurations), list(configurations)
        while todo:
            spec, results = todo.pop()
            for thread, body in open_bodies.items():
                if results[thread] is None:
                    state, result = run_alone(spec, body)
                    more = (state, replace(results, thread, result))
                    if more not in known:
                        known.add(more)
                        todo.append(more)
        return frozenset(known)

    @staticmethod
    def call(test, extra, thread, body, open_bodies):
        return All.spread(extra, {**open_bodies, thread: body})

    @staticmethod
    def commit(test, extra, thread, body, open_bodies, seen_view):
        return extra

    @staticmethod
    def finish(test, extra, thread, body, result, is_quiet, view):
        kept = frozenset(
            (spec, replace(results, thread, None)) for spec, results in extra if results[thread] == result
        )
        if is_quiet:
            kept = frozenset(configuration for configuration in kept if configuration[0] == view)
        return kept

    @staticmethod
    def is_wrong(extra):
        return not extra


def replace(row, place, value):
    return row[:place] + (value,) + row[place + 1 :]


class Search:
    def __init__(self, test, way, marks):
        self.test, self.way, self.marks = test, way, marks
        self.kinds = set()
        self.visited = set()

    def run(self):
        threads = tuple((0, -1, 0) for _ in self.test)  # operation, step, local; -1: not called
        blocks = tuple(None for _ in self.test)  # written so far, as (variable, old)
        self.stack = [((0, 0, 0), None, threads, blocks, self.way.begin(self.test))]
        while self.stack:
            node = self.stack.pop()
            if node in self.visited:
                continue
            self.visited.add(node)
            self.visit(node)
        return self.kinds

    def visit(self, node):
        state, owner, threads, blocks, extra = node
        is_over = True
        for thread, (operation, step, local) in enumerate(threads):
            if operation == len(self.test[thread]):
                continue
            is_over = False
            self.make(node, thread, self.test[thread][operation], operation, step, local)
        if is_over and self.way.is_wrong(extra):
            self.kinds.add("refinement")

    def open_bodies(self, threads, but):
        return {
            i: self.test[i][operation]
            for i, (operation, step, _) in enumerate(threads)
            if i != but and step >= 0
        }

    def make(self, node, thread, body, operation, step, local):
        state, owner, threads, blocks, extra = node
        others = self.open_bodies(threads, thread)

        def go(state=state, owner=owner, at=(operation, step + 1, local), blocks=blocks, extra=extra):
            if isinstance(extra, str):
                self.kinds.add(extra)
            else:
                self.stack.append((state, owner, replace(threads, thread, at), blocks, extra))

        if step < 0:
            return go(extra=self.way.call(self.test, extra, thread, body, others))
        ended = step == len(body)
        if not ended and body[step][0] == "fail" and local == body[step][1]:
            ended, local = True, -1
            if owner == thread:
                owner = None
        if ended:
            extra = self.way.finish(self.test, extra, thread, body, local, not others, state)
            return go(owner=owner, at=(operation + 1, -1, 0), extra=extra)
        kind = body[step][0]
        if kind == "lock":
            if owner is None:
                go(owner=thread)
        elif kind == "unlock":
            go(owner=None)
        elif kind in ("read", "write", "commit"):
            self.access(node, thread, body, operation, step, local, go, others)
        elif kind == "begin":
            go(blocks=replace(blocks, thread, ()))
        elif kind == "end":
            blocks = replace(blocks, thread, None)
            go(blocks=blocks, extra=self.commit(state, blocks, extra, thread, body, others))
        else:
            go()

    def commit(self, state, blocks, extra, thread, body, others):
        seen = list(state)
        for other, written in enumerate(blocks):
            if other != thread:
                for variable, old in reversed(written or ()):
                    seen[variable] = old
        return self.way.commit(self.test, extra, thread, body, others, tuple(seen))

    def access(self, node, thread, body, operation, step, local, go, others):
        state, owner, threads, blocks, extra = node
        kind = body[step][0]
        variable = VARIABLES.index(body[step][1])
        if self.marks and any(
            variable == written for i, block in enumerate(blocks) if i != thread and block for written, _ in block
        ):
            self.kinds.add("commit-block")
            return
        if kind == "read":
            go(at=(operation, step + 1, local + state[variable]))
            return
        if blocks[thread] is not None:
            blocks = replace(blocks, thread, blocks[thread] + ((variable, state[variable]),))
        state = replace(state, variable, local + body[step][2])
        if kind == "commit":
            extra = self.commit(state, blocks, extra, thread, body, others)
        go(state=state, blocks=blocks, extra=extra)


def main():
    seed, count, program, expected = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
    chance = random.Random(seed)
    with open(program, "w") as out, open(expected, "w") as lines:
        print(HEAD, file=out)
        for number in range(count):
            test = make_test(chance)
            print_test(out, number, test)
            marked = Search(test, Marked, True).run()
            every = Search(test, All, False).run()
            print(
                f"t{number} marked: {' '.join(sorted(marked)) or '-'} all: {' '.join(sorted(every)) or '-'}",
                file=lines,
            )


main()
