# SPDX-License-Identifier: MIT
# How few of the tests in a coverage file reach all that they reach together, found by trying all subsets: each line and each
# way of a branch, and each place where one of the tests breaks something ("NAME broken PLACE" in the second file).
import itertools
import re
import sys


def numbers(words):
    for word in words:
        first, _, last = word.partition("-")
        yield from range(int(first), int(last or first) + 1)


reached = {}
test = None
for line in open(sys.argv[1], encoding="utf-8"):
    words = line.split()
    if words[0] == "test":
        test = reached.setdefault(words[1], set())
        branches = 0
    elif words[0] == "reached":
        test.update(("line", words[1], number) for number in numbers(words[2:]))
    elif words[0] == "branch":
        branches += 1
        ways = re.findall(r"(taken|never) ([0-9]+)", line)
        test.update(("way", branches, number) for number, way in enumerate(ways) if way[0] == "taken")
for line in open(sys.argv[2], encoding="utf-8"):
    name, place = line.rstrip("\n").split(" broken ")
    reached[name].add(("broken", place))

everything = set().union(*reached.values())
for count in range(1, len(reached) + 1):
    if any(set().union(*chosen) == everything for chosen in itertools.combinations(reached.values(), count)):
        print(count)
        break
