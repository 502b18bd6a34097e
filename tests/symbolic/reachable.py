# SPDX-License-Identifier: MIT
# Random programs of two or three actors with marked lines: what `reach` calls unreachable, plain enumeration of up to two
# messages with small fields must not come to. Prints what became of the marked lines; ends with 1 if one is wrong.
#
#     reachable.py FIRST COUNT
import json
import os
import random
import re
import subprocess
import sys

FIELDS = ["p", "q", "n"]
TYPES = {"one": ["x"], "two": ["x", "y"], "sig": []}

HEAD = """#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(one, { int x; });
RH_MESSAGE(two, { int x, y; });
RH_SIGNAL(sig);
RH_SIGNAL(go);
struct cell { rh_actor *peer; int p, q, n; };
rh_behaviour b_behaviour, c_behaviour;
"""
DRIVER = """struct driver { rh_actor *a; int left; };
static void driver_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct driver *driver = state;
    if (!rh_as(message, go) || driver->left-- == 0)
        return;
    int kind = rh_choose(3), x = rh_choose(3) - 1;
    if (kind == 0)
        rh_send(driver->a, one, {.x = x});
    else if (kind == 1)
        rh_send(driver->a, two, {.x = x, .y = rh_choose(3) - 1});
    else
        rh_send(driver->a, sig);
    rh_send(self, go);
}
RH_TEST(begin)
{
    rh_receptionist(set_up());
}
RH_TEST(brute)
{
    rh_send(rh_spawn(driver_behaviour, struct driver, {.a = set_up(), .left = 2}), go);
}
"""


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def leaf(self, type):
        chosen = [f"cell->{self.random.choice(FIELDS)}", str(self.random.randint(-2, 3))]
        return self.random.choice(chosen + [f"m->{field}" for field in TYPES[type]])

    def expression(self, type, depth=0):
        if depth > 1 or self.random.random() < 0.5:
            return self.leaf(type)
        sign = self.random.choice("+-*+")
        return f"({self.expression(type, depth + 1)} {sign} {self.expression(type, depth + 1)})"

    def condition(self, type):
        sign = self.random.choice(["==", "==", "<", ">", "!="])
        text = f"{self.expression(type)} {sign} {self.expression(type)}"
        if self.random.random() < 0.3:
            text += f" && {self.leaf(type)} {self.random.choice(['==', '>', '<'])} {self.leaf(type)}"
        return text

    def send(self, type):
        sent = self.random.choice(list(TYPES))
        to = self.random.choice(["cell->peer", "self"])
        fields = ", ".join(f".{field} = {self.expression(type)}" for field in TYPES[sent])
        call = "rh_send(" if self.random.random() < 0.85 else "rh_after(1, "
        text = f"{call}{to}, {sent}" + (f", {{{fields}}}" if fields else "") + ");"
        return f"if ({to} && cell->n < 2) {{ cell->n++; {text} }}"

    def statement(self, type, behaviour, depth):
        kind = self.random.random()
        if kind < 0.3 and depth < 3:
            return [f"if ({self.condition(type)}) {{", "rh_progress(); // MARK", *self.statements(type, behaviour, depth + 1), "}"]
        if kind < 0.62:
            return [f"cell->{self.random.choice(FIELDS)} = {self.expression(type)};"]
        if kind < 0.8:
            return [self.send(type)]
        if kind < 0.85 and behaviour == "a":
            peer = self.random.choice(["self", "NULL"])
            return [f"if (!cell->peer) cell->peer = rh_spawn(b_behaviour, struct cell, "
                    f"{{.p = {self.expression(type)}, .peer = {peer}}});"]
        if kind < 0.88:
            return ["rh_stop();"]
        if kind < 0.93:
            return [f"cell->q = rh_choose({self.random.randint(2, 3)});"]
        if kind < 0.96:
            return ["rh_become(c_behaviour);"]
        return [f"cell->{self.random.choice(FIELDS)}++;"]

    def statements(self, type, behaviour, depth=0):
        return [line for _ in range(self.random.randint(1, 3)) for line in self.statement(type, behaviour, depth)]

    def behaviour(self, name):
        lines = [f"void {name}_behaviour(rh_actor *self, void *state, const rh_message *message)", "{",
                 "struct cell *cell = state;", "(void)self;"]
        for type in TYPES:
            lines += [f"if (rh_as(message, {type})) {{", f"const struct {type} *m = rh_as(message, {type}); (void)m;"
                      if TYPES[type] else "", *self.statements(type, name), "}"]
        return lines + ["}"]

    def guard(self):
        if self.random.random() > 0.3:
            return []
        return ["static bool b_guard(const void *state, const rh_message *message)", "{", "const struct cell *cell = state;",
                f"return !rh_as(message, {self.random.choice(['one', 'sig'])}) || cell->p "
                f"{self.random.choice(['<', '!=', '>'])} {self.random.randint(-1, 1)};", "}", "RH_GUARD(b_behaviour, b_guard);"]

    def start(self):
        return f".p = {self.random.randint(-2, 2)}, .q = {self.random.randint(-2, 2)}"

    def set_up(self):
        lines = ["static rh_actor *set_up(void)", "{"]
        peer = "NULL"
        if self.random.random() < 0.7:
            peer = f"rh_spawn(b_behaviour, struct cell, {{{self.start()}}})"
        lines.append(f"rh_actor *a = rh_spawn(a_behaviour, struct cell, {{.peer = {peer}, {self.start()}}});")
        if self.random.random() < 0.4:
            lines.append(self.random.choice(["rh_send(a, sig);", f"rh_send(a, one, {{.x = {self.random.randint(-2, 2)}}});"]))
        return lines + ["return a;", "}"]

    def text(self):
        parts = [self.behaviour("c"), self.behaviour("b"), self.guard(), ["static"] + self.behaviour("a"), self.set_up()]
        return HEAD + "\n".join(line for part in parts for line in part) + "\n" + DRIVER


def never(coverage):
    found = set()
    if isinstance(coverage, dict):
        for name, value in coverage.items():
            if name == "never" and isinstance(value, list):
                found.update(line for line in value if isinstance(line, int))
            else:
                found |= never(value)
    elif isinstance(coverage, list):
        for value in coverage:
            found |= never(value)
    return found


def run(*arguments):
    return subprocess.run([os.environ["REHEARSE"], *arguments], capture_output=True, text=True)


def judge(seed):
    """The verdicts of the marked lines, each with whether enumeration has come there."""
    name = f"random{seed}.c"
    with open(name, "w") as file:
        file.write(Program(seed).text())
    with open(name) as file:
        lines = [number for number, line in enumerate(file, 1) if "// MARK" in line]
    run("explore", name, "--test", "brute", "--lines", "--save-coverage", f"{name}.coverage", "--max-executions", "20000",
        "--strategy", "exhaustive", "--quiet", "--states", "exact", "--keep-going")
    missed = never(json.loads(run("coverage", f"{name}.coverage", "--json").stdout))
    while lines:
        most = ["--messages", "2"] if seed % 2 else []  # what all was tried for, or any number
        done = run("reach", name, "--test", "begin", "--max-queries", "300", "--json", "--save", ".", *most,
                   *[f"{name}:{line}" for line in lines])
        unused = re.search(r":(\d+) (?:has no code|is in no)", done.stderr)
        if not unused:
            return [(place, place["line"] not in missed) for place in json.loads(done.stdout)["places"]]
        lines.remove(int(unused[1]))
    return []


def main(first, count):
    counts, is_wrong = {}, False
    for seed in range(first, first + count):
        for place, is_reached in judge(seed):
            verdict = f"{place['verdict']} {place['found_by'] or place['proof'] or ''}".strip()
            counts[verdict] = counts.get(verdict, 0) + 1
            if place["verdict"] == "unreachable" and is_reached:
                print(f"random{seed}.c:{place['line']} is called {verdict}, and enumeration comes there")
                is_wrong = True
        print(f"seed {seed}: {counts}", flush=True)
    sys.exit(is_wrong)


main(int(sys.argv[1]), int(sys.argv[2]))
