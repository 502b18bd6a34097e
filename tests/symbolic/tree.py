# SPDX-License-Identifier: MIT
# The tree of a symbolic execution without symbols: for each input of a finite domain the handlers are run on numbers,
# and a node is what was delivered so far and how every condition came out. Inputs of one class go through the same
# nodes, so the nodes of all inputs together are the tree. Nothing here is shared with the tool, and no solver is asked:
# what is known of a subject (what handlers read, write and send) is written down by hand in subjects.py.
import copy


class Cut(Exception):
    """A limit was reached: "L" loops and recursion, "T" deliveries of an actor, "O" actors of one place."""


class Address:
    """The address of an actor; equal for equal actors."""

    def __init__(self, actor):
        self.actor = actor

    def __eq__(self, other):
        return isinstance(other, Address) and other.actor == self.actor

    def __hash__(self):
        return hash(("address", self.actor))

    def __deepcopy__(self, memo):
        return self


UNKNOWN = "unknown"  # an address that nobody knows


class Actor:
    def __init__(self, behaviour, fields, is_initial):
        self.behaviour, self.fields, self.is_initial, self.deliveries = behaviour, fields, is_initial, 0

    def copy(self):
        twin = Actor(self.behaviour, copy.deepcopy(self.fields), self.is_initial)
        twin.deliveries = self.deliveries
        return twin


class Message:
    def __init__(self, number, kind, receiver, values, is_asleep=False):
        self.number, self.kind, self.receiver, self.values, self.is_asleep = number, kind, receiver, values, is_asleep

    def copy(self):
        return Message(self.number, self.kind, self.receiver, self.values, self.is_asleep)


class System:
    """All actors and pending messages at one point of an execution."""

    def __init__(self):
        self.actors, self.pending, self.created, self.sent, self.order = [], [], {}, 0, ()

    def copy(self):
        twin = System()
        twin.actors = [actor.copy() for actor in self.actors]
        twin.pending = [message.copy() for message in self.pending]
        twin.created, twin.sent, twin.order = dict(self.created), self.sent, self.order
        return twin


class Run:
    """What a handler may do. Conditions and decisions are noted: they name the node that comes next."""

    def __init__(self, tree, system, actor, decisions):
        self.tree, self.system, self.actor = tree, system, actor
        self.decisions, self.made, self.trail = decisions, [], []

    @property
    def fields(self):
        return self.system.actors[self.actor].fields

    @property
    def address(self):
        return Address(self.actor)

    def test(self, truth):
        """A condition of the program."""
        self.trail.append(bool(truth))
        return bool(truth)

    def rounds(self, condition):
        """The rounds of a loop that nobody knows the number of: `condition` says whether there is another."""
        count = 0
        while self.test(condition(count)):
            if count >= self.tree.loop:
                raise Cut("L")
            yield count
            count += 1

    def decide(self, count):
        """One of so many ways; all are tried."""
        at = len(self.made)
        way = self.decisions[at] if at < len(self.decisions) else 0
        self.made.append((way, count))
        self.trail.append(("way", way))
        return way

    def create(self, site, behaviour, is_initial=False, **fields):
        count = self.system.created.get(site, 0) + 1
        if count > self.tree.actors:
            raise Cut("O")
        self.system.created[site] = count
        self.system.actors.append(Actor(behaviour, fields, is_initial))
        return Address(len(self.system.actors) - 1)

    def send(self, receiver, kind, /, **values):
        system = self.system
        system.pending.append(Message(system.sent, kind, receiver.actor, values))
        system.sent += 1

    def resolve(self, name, behaviour, **fields):
        """A field that holds an unknown address: null, or a new actor of the beginning."""
        if self.fields[name] != UNKNOWN:
            return self.fields[name]
        self.fields[name] = None
        if self.decide(2):
            self.fields[name] = self.create(("unknown", name), behaviour, True, **fields)
        return self.fields[name]


class Tree:
    """The nodes that any input has led to so far."""

    def __init__(self, subject, loop, deliveries, actors, independence=True, stability=True, keep=None):
        self.subject, self.loop, self.deliveries, self.actors = subject, loop, deliveries, actors
        self.independence, self.stability, self.keep = independence, stability, keep
        self.names, self.states, self.tests, self.unstable = {}, set(), set(), set()
        self.cuts = {"L": set(), "T": set(), "O": set()}

    def numbers(self):
        return (len(self.tests), len(self.states)) + tuple(len(self.cuts[kind]) for kind in "LTO")

    def name(self, node, step):
        return self.names.setdefault((node, step), len(self.names) + 1)

    def add(self, point):
        """The tree of one input."""
        system = System()
        behaviour, fields, kind, values = self.subject.start(point)
        system.actors.append(Actor(behaviour, fields, True))
        system.pending.append(Message(0, kind, 0, values))
        system.sent = 1
        self.go(0, system)

    # What depends on what.

    def are_independent(self, behaviour, a, b):
        reads, writes = self.subject.reads, self.subject.writes
        a, b = (behaviour, a), (behaviour, b)
        return not (writes[a] & (reads[b] | writes[b]) or writes[b] & (reads[a] | writes[a]))

    def chain(self, kind, found=None):
        """Types of messages that may be sent because of one, sooner or later."""
        found = set() if found is None else found
        for handled, sends in self.subject.sends.items():
            if handled[1] == kind:
                for each in sends - found:
                    found.add(each)
                    self.chain(each, found)
        return found

    def holds(self, values, actor):
        return any(
            value == Address(actor) or (isinstance(value, (list, tuple)) and Address(actor) in value)
            for value in values.values()
        )

    def is_known_elsewhere(self, system, actor):
        return any(self.holds(each.fields, actor) for i, each in enumerate(system.actors) if i != actor) or any(
            self.holds(message.values, actor) for message in system.pending if message.receiver != actor
        )

    def may_disturb(self, system, message, actor):
        """Theorem 1: whether what is pending elsewhere may lead to something that matters for the actor's order."""
        behaviour = system.actors[actor].behaviour
        own = [each.kind for each in system.pending if each.receiver == actor]
        for last in self.chain_of(system, message):
            if (behaviour, last) not in self.subject.sends:
                continue
            if not self.independence or any(not self.are_independent(behaviour, last, kind) for kind in own):
                return self.is_known_elsewhere(system, actor)
        return False

    def chain_of(self, system, message):
        found = set()
        for each in self.subject.sends[(system.actors[message.receiver].behaviour, message.kind)]:
            found.add(each)
            self.chain(each, found)
        return found

    def is_stable(self, system, actor):
        return not any(
            message.receiver != actor and self.may_disturb(system, message, actor) for message in system.pending
        )

    # The tree.

    def outcomes(self, node, system, at):
        """What may come of a delivery: names of nodes and their systems."""
        message, decisions = system.pending[at], []
        while True:
            after = system.copy()
            del after.pending[at]
            after.order += ((message.kind, message.receiver, message.number),)
            run = Run(self, after, message.receiver, decisions)
            try:
                self.handle(run, message)
                yield self.name(node, (message.number, tuple(run.trail))), after
            except Cut as cut:
                self.cuts[cut.args[0]].add(self.name(node, (message.number, tuple(run.trail), cut.args[0])))
            decisions = run.made
            while decisions and decisions[-1][0] + 1 == decisions[-1][1]:
                decisions.pop()
            if not decisions:
                return
            decisions = [way for way, _ in decisions[:-1]] + [decisions[-1][0] + 1]

    def handle(self, run, message):
        actor = run.system.actors[message.receiver]
        actor.deliveries += 1
        if actor.deliveries > self.deliveries:
            raise Cut("T")
        for each in run.system.pending:
            if each.receiver == message.receiver and not self.are_independent(
                actor.behaviour, each.kind, message.kind
            ):
                each.is_asleep = False
        self.subject.handlers[(actor.behaviour, message.kind)](run, **message.values)

    def deliver_to(self, node, system, actor):
        for at, message in enumerate(system.pending):
            if message.receiver != actor or message.is_asleep:
                continue
            for name, after in self.outcomes(node, system, at):
                self.go(name, after)
            message.is_asleep = self.independence

    def go(self, node, system):
        self.states.add(node)
        waiting = sorted({message.receiver for message in system.pending})
        if not waiting:
            self.tests.add(node)
            if self.keep:
                self.keep(node, system)
            return
        stable = [actor for actor in waiting if self.stability and self.is_stable(system, actor)]
        if stable:
            self.deliver_to(node, system, stable[0])
            return
        self.unstable.add(node)
        for actor in waiting:
            self.deliver_to(node, system.copy(), actor)


def widened(subject, *limits, **options):
    """The numbers of a subject's tree, with a domain that is widened until they have not changed five times."""
    tree, numbers, same, bound = Tree(subject, *limits, **options), None, 0, 0
    while same < 5:
        for point in subject.domain(bound):
            tree.add(point)
        same = same + 1 if tree.numbers() == numbers else 0
        numbers = tree.numbers()
        bound += 1
    return tree
