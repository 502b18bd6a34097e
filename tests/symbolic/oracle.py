# SPDX-License-Identifier: MIT
# Makes the rows of counts.txt once more, as far as subjects.py knows their subjects and they have no more than so many
# states: oracle.py COUNTS STATES.
import sys

import subjects
from tree import UNKNOWN, widened

KNOWN = {
    ("fact", "ft"): lambda options: subjects.fact(None if "b=NULL" in options else UNKNOWN),
    ("prodcons", "consume"): lambda options: subjects.consuming,
    ("prodcons", "produce"): lambda options: subjects.producing,
    ("rsim", "boot"): lambda options: subjects.registering,
    ("psort", "feed"): lambda options: subjects.sorting,
    ("mail", "write_to"): lambda options: subjects.mailing,
}

compared = wrong = 0
for line in open(sys.argv[1]):
    if line.startswith("#"):
        continue
    asked, _, numbers = line.partition(" : ")
    words, numbers = asked.split(), [int(number) for number in numbers.split()]
    if not numbers or (words[0], words[2]) not in KNOWN or "wrap" in words or numbers[1] > int(sys.argv[2]):
        continue
    subject = KNOWN[words[0], words[2]](words)
    tree = widened(subject, *map(int, words[3:6]), independence="--no-independence" not in words)
    tests, states, *cuts = tree.numbers()
    compared += 1
    if [tests, states, len(tree.unstable), *cuts] != numbers:
        wrong += 1
        print(f"FAIL {asked}: {tests} {states} {len(tree.unstable)} {cuts}, not {numbers}")
print(f"{compared} compared, {wrong} wrong")
sys.exit(wrong > 0 or compared == 0)
