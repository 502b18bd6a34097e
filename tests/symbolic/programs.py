# SPDX-License-Identifier: MIT
# Random programs, once in C and once for tree.py, and whether the tests that were generated for one leave out a class
# of its paths.
#
#     programs.py write FIRST COUNT          prints C: for each seed a behaviour aSEED, which gets mSEED_0
#     programs.py judge FIRST COUNT          reads SEED.out of each, what `generate` says of it
#
# A program has three actors. The first gets a message, creates the others, and every handler may send messages of types
# that are still to come, each from one place: so an execution has each of them at most once, and an order is a list of
# types. For each input of a small domain all orders are tried, without any reduction. What an execution is known by is
# the path through each handler, and the fields at the end; each must be that of a test, run on this input.
import os
import random
import re
import sys
from itertools import product

from tree import Actor, Message, Run, System

BEHAVIOURS = "abc"
FIELDS = ("x", "y")
VALUES = ("p", "q")
DOMAIN = range(-1, int(os.environ.get("SYMBOLIC_DOMAIN", "1")) + 1)


class Program:
    def __init__(self, seed):
        self.seed, self.random = seed, random.Random(seed)
        self.types = self.random.randint(3, 5)
        self.behaviour_of = ["a"] + [self.random.choice(BEHAVIOURS) for _ in range(self.types - 1)]
        self.senders = {kind: min(self.random.randrange(kind), self.random.randrange(kind)) for kind in range(1, self.types)}
        self.needs = {kind: self.addresses(kind) for kind in range(self.types)}
        self.bodies = [self.body(kind) for kind in range(self.types)]

    def addresses(self, kind):
        """Behaviours whose addresses the handler of this type must have."""
        sent = [other for other, sender in self.senders.items() if sender == kind]
        return sorted({self.behaviour_of[other] for other in sent}.union(*(self.addresses(other) for other in sent)))

    # A handler is a tree of tuples; expressions and conditions are too.

    def expression(self, names):
        kind = self.random.randrange(6)
        if kind == 0:
            return ("number", self.random.randint(-2, 3))
        if kind < 4:
            return ("name", self.random.choice(names))
        operation = self.random.choice("+-")
        return (operation, ("name", self.random.choice(names)), ("number", self.random.randint(1, 2)))

    def condition(self, names):
        comparison = self.random.choice(("<", "<=", "==", "!=", ">"))
        return (comparison, ("name", self.random.choice(names)), self.expression(names))

    def body(self, kind):
        fields = self.random.sample(FIELDS, self.random.randint(1, 2))
        names = fields + list(VALUES)
        statements = []
        for _ in range(self.random.randint(1, 2)):
            statements.append(self.statement(fields, names, 2))
        for other in [other for other, sender in self.senders.items() if sender == kind]:
            send = ("send", other, self.expression(names), self.expression(names))
            if self.random.random() < 0.25:
                send = ("if", self.condition(names), [send], [])
            statements.insert(self.random.randint(0, len(statements)), send)
        return statements

    def statement(self, fields, names, depth):
        if depth and self.random.random() < 0.6:
            return (
                "if",
                self.condition(names),
                [self.statement(fields, names, depth - 1)],
                [self.statement(fields, names, depth - 1)] if self.random.random() < 0.5 else [],
            )
        return ("set", self.random.choice(fields), self.expression(names))

    # As C.

    def c_expression(self, it):
        if it[0] == "number":
            return str(it[1])
        if it[0] == "name":
            return ("state->" if it[1] in FIELDS else "message->") + it[1]
        return f"{self.c_expression(it[1])} {it[0]} {self.c_expression(it[2])}"

    def c_statement(self, it, indent):
        if it[0] == "set":
            return [f"{indent}state->{it[1]} = {self.c_expression(it[2])};"]
        if it[0] == "send":
            to = "self" if self.behaviour_of[it[1]] == self.handled else f"message->{self.behaviour_of[it[1]]}"
            given = "".join(
                f", .{each} = {'self' if each == self.handled else 'message->' + each}" for each in self.needs[it[1]]
            )
            return [
                f"{indent}rh_send({to}, m{self.seed}_{it[1]}, "
                f"{{.p = {self.c_expression(it[2])}, .q = {self.c_expression(it[3])}{given}}});"
            ]
        lines = [f"{indent}if ({self.c_expression(it[1])}) {{"]
        for each in it[2]:
            lines += self.c_statement(each, indent + "    ")
        if it[3]:
            lines.append(indent + "} else {")
            for each in it[3]:
                lines += self.c_statement(each, indent + "    ")
        return lines + [indent + "}"]

    def c_handler(self, kind):
        self.handled = self.behaviour_of[kind]
        lines = [
            f"static void on{self.seed}_{kind}(rh_actor *self, struct s{self.seed}{self.handled} *state, "
            f"const struct m{self.seed}_{kind} *message)",
            "{",
            "    (void)self, (void)state, (void)message;",
        ]
        for each in self.bodies[kind]:
            lines += self.c_statement(each, "    ")
        return lines + ["}"]

    def c_first(self):
        """The first message comes from outside, without addresses: its handler creates the others."""
        lines = [f"        struct m{self.seed}_0 message = *first;"]
        for each in self.needs[0]:
            if each != "a":
                lines.append(
                    f"        message.{each} = rh_spawn({each}{self.seed}_behaviour, struct s{self.seed}{each}, "
                    f"{{.x = message.p, .y = message.q}});"
                )
        return lines + [f"        on{self.seed}_0(self, state, &message);"]

    def c_behaviour(self, behaviour):
        kinds = [kind for kind in range(self.types) if self.behaviour_of[kind] == behaviour]
        lines = [
            f"static void {behaviour}{self.seed}_behaviour(rh_actor *self, void *state, const rh_message *message)",
            "{",
        ]
        for kind in kinds:
            name = "first" if kind == 0 else f"it{kind}"
            lines.append(f"    const struct m{self.seed}_{kind} *{name};")
        lines.append("    (void)self, (void)state, (void)message;")
        for kind in kinds:
            name = "first" if kind == 0 else f"it{kind}"
            lines.append(f"    if (({name} = rh_as(message, m{self.seed}_{kind}))) {{")
            lines += self.c_first() if kind == 0 else [f"        on{self.seed}_{kind}(self, state, {name});"]
            lines.append("    }")
        return lines + ["}"]

    def c(self):
        lines = []
        for kind in range(self.types):
            addresses = "".join(f"    rh_actor *{each};\n" for each in self.needs[kind])
            lines.append(f"RH_MESSAGE(m{self.seed}_{kind}, {{\n    int p;\n    int q;\n{addresses}}});")
        for behaviour in BEHAVIOURS:
            lines.append(f"struct s{self.seed}{behaviour} {{\n    int x;\n    int y;\n}};")
        for kind in range(self.types):
            lines += self.c_handler(kind)
        for behaviour in reversed(BEHAVIOURS):
            lines += self.c_behaviour(behaviour)
        lines += [
            f"RH_TEST(t{self.seed})",
            "{",
            f"    rh_actor *first = rh_spawn(a{self.seed}_behaviour, struct s{self.seed}a, {{.x = 0}});",
            f"    rh_send(first, m{self.seed}_0, {{.p = 0}});",
            "}",
        ]
        return "\n".join(lines)

    # For tree.py.

    def value(self, it, run, values):
        if it[0] == "number":
            return it[1]
        if it[0] == "name":
            return run.fields[it[1]] if it[1] in FIELDS else values[it[1]]
        left, right = self.value(it[1], run, values), self.value(it[2], run, values)
        return left + right if it[0] == "+" else left - right

    def holds(self, it, run, values):
        left, right = self.value(it[1], run, values), self.value(it[2], run, values)
        return {"<": left < right, "<=": left <= right, "==": left == right, "!=": left != right, ">": left > right}[it[0]]

    def do(self, statements, run, values):
        for it in statements:
            if it[0] == "set":
                run.fields[it[1]] = self.value(it[2], run, values)
            elif it[0] == "if":
                self.do(it[2] if run.test(self.holds(it[1], run, values)) else it[3], run, values)
            else:
                receiver = BEHAVIOURS.index(self.behaviour_of[it[1]])
                p, q = self.value(it[2], run, values), self.value(it[3], run, values)
                run.system.pending.append(Message(it[1], it[1], receiver, {"p": p, "q": q}))

    def begin(self, point):
        system = System()
        x, y, p, q = point
        system.actors = [Actor("a", {"x": x, "y": y}, True)]
        system.actors += [Actor(each, {"x": p, "y": q}, False) for each in BEHAVIOURS[1:]]
        system.pending = [Message(0, 0, 0, {"p": p, "q": q})]
        return system

    def deliver(self, system, at):
        """Gives the path through the handler, and changes the system."""
        message = system.pending.pop(at)
        run = Run(None, system, message.receiver, [])
        self.do(self.bodies[message.kind], run, message.values)
        return (message.kind, tuple(run.trail))

    def end(self, system):
        used = ["a"] + [each for each in self.needs[0] if each != "a"]
        return tuple(
            (actor.behaviour, actor.fields["x"], actor.fields["y"]) for actor in system.actors if actor.behaviour in used
        )

    def all_ends(self, system, paths, found):
        if not system.pending:
            found.add((self.end(system), paths))
        for at in range(len(system.pending)):
            after = system.copy()
            path = self.deliver(after, at)
            self.all_ends(after, paths | {path}, found)

    def follow(self, point, order):
        """The end of an execution in this order; None: it is not possible."""
        system, paths, trail = self.begin(point), frozenset(), []
        for kind in order:
            at = [message.kind for message in system.pending]
            if kind not in at:
                return None
            path = self.deliver(system, at.index(kind))
            paths |= {path}
            trail.append(path)
        return None if system.pending else (tuple(trail), (self.end(system), paths))

    def judge(self, output):
        """What is wrong: classes of paths without a test."""
        tests, wrong = [], []
        output = output.replace("(-2147483647 - 1)", "-2147483648")
        numbers = re.search(r"cut: +(\d+) by [^,]*, (\d+) by [^,]*, (\d+) by", output)
        if not numbers or any(int(number) for number in numbers.groups()) or "not followed" in output:
            return ["something was not followed"], 0
        pattern = (
            r"with +a\d+#1 \{x = (-?\d+), y = (-?\d+)\}.*?gets +\S+ \{p = (-?\d+), q = (-?\d+)[^}]*\}\s*order +([^\n]*)"
        )
        for found in re.finditer(pattern, output, re.DOTALL):
            point = tuple(int(number) for number in found.groups()[:4])
            order = [int(kind) for kind in re.findall(r"m\d+_(\d+) to", found.group(5))]
            followed = self.follow(point, order)
            if not followed:
                wrong.append(f"an order that is not possible: {point} {order}")
            else:
                tests.append((order, followed[0]))
        if len(tests) != int(re.search(r": (\d+) tests", output).group(1)):
            wrong.append("tests that can't be read")
        classes = set()
        for point in product(DOMAIN, repeat=4):
            ends, covered = set(), set()
            self.all_ends(self.begin(point), frozenset(), ends)
            for order, trail in tests:
                followed = self.follow(point, order)
                if followed and followed[0] == trail:
                    covered.add(followed[1])
            classes |= {paths for _, paths in ends}
            if ends - covered:
                wrong.append(f"{point}: {len(ends - covered)} of {len(ends)} ends without a test")
        return wrong, len(classes)


def main():
    what, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    if what == "write":
        print("#include <rehearse/actor.h>\n#include <rehearse/test.h>")
        for seed in range(first, first + count):
            print(Program(seed).c())
        return 0
    failed = classes = 0
    for seed in range(first, first + count):
        wrong, found = Program(seed).judge(open(f"{seed}.out").read())
        failed += bool(wrong)
        classes += found
        if wrong:
            print(f"FAIL seed {seed}: {len(wrong)} wrong", *wrong[:3], sep="\n     ")
    print(f"{count} programs, {classes} classes of paths, {failed} programs wrong")
    return failed > 0 or classes < 2 * count


sys.exit(main())
