# SPDX-License-Identifier: MIT
# What tests of one situation end in, from several outputs of `generate --json`: reductions leave out orders, and nothing
# that comes of them.
#
#     reductions.py PLAIN OTHER...       0: all end in the same; 1: they do not; 2: PLAIN is not complete
#
# A test that breaks something ends there, with what is pending left over, so that of what is broken only whether there is
# something is compared: which of two independent checks fails first is an order that makes no difference to the other.
import json
import sys


def read(path):
    with open(path) as file:
        return json.load(file)["pairs"][0]


def ends_of(pair):
    ends, breaks = set(), False
    for test in pair["tests"]:
        if test["broken"]:
            breaks = True
        else:
            ends.add(
                tuple(
                    sorted((actor["actor"], actor["stopped"], json.dumps(actor["final"], sort_keys=True)) for actor in test["actors"])
                )
            )
    return ends, breaks


plain = read(sys.argv[1])
if not plain["complete"]:
    sys.exit(2)
expected = ends_of(plain)
for path in sys.argv[2:]:
    found = ends_of(read(path))
    for kind, ends in ("lost", expected[0] - found[0]), ("new", found[0] - expected[0]):
        for end in ends:
            print(f"{path}: {kind}: {end}")
    if found[1] != expected[1]:
        print(f"{path}: something is broken: {found[1]}, and by plain enumeration: {expected[1]}")
    if found != expected:
        sys.exit(1)
print(len(expected[0]), len(plain["tests"]), *(len(read(path)["tests"]) for path in sys.argv[2:]))
