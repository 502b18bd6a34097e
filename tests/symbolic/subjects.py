# SPDX-License-Identifier: MIT
# Subjects of aPET once more, for tree.py: handlers over numbers, and by hand what they read, write and send. A domain
# has those inputs of a bound that no smaller bound has.
from itertools import product

from tree import UNKNOWN


class Subject:
    """`handlings`: by behaviour and type what is read, written and sent, and the handler."""

    def __init__(self, start, domain, handlings):
        self.start, self.domain = start, domain
        self.reads = {key: set(value[0].split()) for key, value in handlings.items()}
        self.writes = {key: set(value[1].split()) for key, value in handlings.items()}
        self.sends = {key: set(value[2].split()) for key, value in handlings.items()}
        self.handlers = {key: value[3] for key, value in handlings.items()}


def shell(bound, *ranges):
    """Tuples within the bound of which one element is at it."""
    for point in product(*(each(bound) for each in ranges)):
        if bound == 0 or not all(value in each(bound - 1) for value, each in zip(point, ranges)):
            yield point


def natural(bound):
    return range(bound + 1)


def whole(bound):
    return range(-bound, bound + 1)


# Fact.


def fact_ft(run, n):
    mx = run.fields["mx"]
    if run.test(n > mx):
        run.send(run.address, "wk", n=n, h=mx)
        run.send(run.address, "dg", n=n - mx)
    else:
        run.send(run.address, "wk", n=n, h=n)
        run.send(run.address, "rp", x=1)


def fact_wk(run, n, h):
    for i in run.rounds(lambda i: h - i > 0):
        run.fields["r"] *= n - i


def fact_dg(run, n):
    helper = run.create("dg", "fact", b=run.address, mx=run.fields["mx"], r=1)
    run.send(helper, "ft", n=n)


def fact_rp(run, x):
    run.fields["r"] *= x
    boss = run.resolve("b", "fact", b=UNKNOWN, mx=0, r=1)
    if boss:
        run.send(boss, "rp", x=run.fields["r"])


def fact(boss):
    return Subject(
        lambda point: ("fact", {"b": boss, "mx": point[1], "r": 1}, "ft", {"n": point[0]}),
        lambda bound: shell(bound, lambda b: range(-b, 2 * b + 1), whole),
        {
            ("fact", "ft"): ("mx", "", "wk dg rp", fact_ft),
            ("fact", "wk"): ("r", "r", "", fact_wk),
            ("fact", "dg"): ("mx", "", "ft", fact_dg),
            ("fact", "rp"): ("b r", "r", "rp", fact_rp),
        },
    )


# Producer and consumer.


def consume(run, items, stored):
    buffer = run.create("consume", "buffer", stored=stored, missed=0)
    for _ in run.rounds(lambda i: i < items):
        run.send(run.address, "asked")
        run.send(buffer, "get")


def get(run):
    if run.test(run.fields["stored"] > 0):
        run.fields["stored"] -= 1
    else:
        run.fields["missed"] += 1


def produce(run, items, stored, capacity):
    buffer = run.create("produce", "buffer", stored=stored, capacity=capacity)
    for i in run.rounds(lambda i: i < items):
        run.send(run.address, "made")
        run.send(buffer, "put", value=i)


def put(run, value):
    buffer = run.fields
    if run.test(buffer["stored"] < buffer["capacity"]):
        buffer["stored"] += 1
    else:
        for _ in run.rounds(lambda i: i < buffer["stored"]):
            pass
    buffer["newest"] = value


consuming = Subject(
    lambda point: ("consumer", {}, "consume", {"items": point[0], "stored": point[1]}),
    lambda bound: shell(bound, natural, natural),
    {
        ("consumer", "consume"): ("", "", "asked get", consume),
        ("consumer", "asked"): ("", "", "", lambda run: None),
        ("buffer", "get"): ("stored missed", "stored missed", "", get),
    },
)
producing = Subject(
    lambda point: ("producer", {}, "produce", {"items": point[0], "stored": point[1], "capacity": point[2]}),
    lambda bound: shell(bound, natural, natural, natural),
    {
        ("producer", "produce"): ("", "", "made put", produce),
        ("producer", "made"): ("", "", "", lambda run: None),
        ("buffer", "put"): ("stored capacity", "stored newest moved", "", put),
    },
)


# Registration.


def boot(run, workers):
    server = run.create("server", "server", places=run.fields["places"])
    for i in run.rounds(lambda i: i < workers):
        worker = run.create("worker", "worker", server=None, number=i, is_in=False, refusals=0)
        run.send(worker, "begin", server=server, number=i)


def begin(run, server, number):
    run.fields["server"], run.fields["number"] = server, number
    run.send(server, "enlist", sender=run.address, number=number)


def enlist(run, sender, number):
    if run.test(number < run.fields["places"]):
        run.send(sender, "welcome")
    else:
        run.send(sender, "refused")


def welcome(run):
    run.fields["is_in"] = True


def refused(run):
    run.fields["refusals"] += 1
    if run.fields["refusals"] == 1:
        run.send(run.fields["server"], "enlist", sender=run.address, number=run.fields["number"] - 1)


registering = Subject(
    lambda point: ("master", {"places": point[1]}, "boot", {"workers": point[0]}),
    lambda bound: shell(bound, natural, whole),
    {
        ("master", "boot"): ("places", "", "begin", boot),
        ("server", "enlist"): ("places", "", "welcome refused", enlist),
        ("worker", "begin"): ("server number", "server number", "enlist", begin),
        ("worker", "welcome"): ("", "is_in", "", welcome),
        ("worker", "refused"): ("server number refusals", "refusals", "enlist", refused),
    },
)


# The sorting pipe.


def pass_on(run, following, value):
    if run.test(following is None):
        following = run.create("pipe", "stage", is_used=False, value=0, next=None)
    run.send(following, "push", value=value)
    return following


def feed(run, values):
    run.fields["pipe"] = run.create("first", "stage", is_used=False, value=0, next=None)
    for value in values:
        run.send(run.fields["pipe"], "push", value=value)


def push(run, value):
    stage = run.fields
    if run.test(not stage["is_used"]):
        stage["is_used"], stage["value"] = True, value
    elif run.test(value < stage["value"]):
        stage["next"] = pass_on(run, stage["next"], stage["value"])
        stage["value"] = value
    elif run.test(value > stage["value"]):
        stage["next"] = pass_on(run, stage["next"], value)


sorting = Subject(
    lambda point: ("left_end", {"pipe": None}, "feed", {"values": point}),
    lambda bound: shell(bound, natural, natural, natural),
    {
        ("left_end", "feed"): ("", "pipe", "push", feed),
        ("stage", "push"): ("next is_used value", "next is_used value", "push", push),
    },
)

# Mail.


def write_to(run, user, letters):
    book = run.resolve("book", "book", users=run.fields["users"])
    if book:
        run.send(book, "look_up", user=user, letters=letters, sender=run.address)


def look_up(run, user, letters, sender):
    receiver = None
    if run.test(user >= 0) and run.test(user <= run.fields["users"]):
        receiver = run.create("receiver", "client", book=None, server=None, refused=0, read=0)
    run.send(sender, "found", receiver=receiver, letters=letters)


def found(run, receiver, letters):
    if run.test(receiver is None):
        run.fields["refused"] += 1
        return
    run.fields["server"] = run.create("server", "server", kept=0)
    for _ in run.rounds(lambda i: i < letters):
        run.send(run.fields["server"], "letter", to=receiver)


def letter(run, to):
    run.fields["kept"] += 1
    run.send(to, "notify", server=run.address)


def notify(run, server):
    run.send(server, "fetch", to=run.address)


def fetch(run, to):
    run.send(to, "mail", letters=run.fields["kept"])
    run.fields["kept"] = 0


def mail(run, letters):
    run.fields["read"] += letters


mailing = Subject(
    # The book's field comes with the point too: an actor that is found later has fields from the beginning.
    lambda point: (
        "client",
        {"book": UNKNOWN, "server": None, "refused": 0, "read": 0, "users": point[2]},
        "write_to",
        {"user": point[0], "letters": point[1]},
    ),
    lambda bound: shell(bound, whole, natural, whole),
    {
        ("client", "write_to"): ("book", "", "look_up", write_to),
        ("book", "look_up"): ("users", "", "found", look_up),
        ("client", "found"): ("refused", "refused server", "letter", found),
        ("server", "letter"): ("kept", "kept", "notify", letter),
        ("client", "notify"): ("", "", "fetch", notify),
        ("server", "fetch"): ("kept", "kept", "mail", fetch),
        ("client", "mail"): ("read", "read", "", mail),
    },
)
