# SPDX-License-Identifier: MIT
# Lines for `reach` to come to, drawn with a fixed seed, and what becomes of them.
#
#     tap.py draw SEED COUNT INCLUDE SOURCE...     prints the lines, FILE:LINE, of each folder its share
#     tap.py run REHEARSE QUERIES SECONDS <LINES   goes there from the set-up alone, program by program
#
# A line counts if a behaviour has code there, itself or in a function that it calls. Lines are drawn and not handlers, so
# large handlers have more of them.
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
from collections import defaultdict

FLAGS = "-w -g -O1 -Xclang -disable-llvm-passes -D__NO_INLINE__ -S -emit-llvm -o -".split()


def lines_of(source, include):
    """The lines of a source's behaviours, and of the functions that they call."""
    text = subprocess.run(["clang-19", *FLAGS, "-I", include, source], capture_output=True, text=True).stdout
    place = {number: int(line) for number, line in re.findall(r"^!(\d+) = !DILocation\(line: (\d+)", text, re.M)}
    bodies = dict(re.findall(r"^define [^@]*@([\w.]+)\([^\n]*\{\n(.*?)^\}", text, re.M | re.S))
    reached, waiting = set(), [name for name in bodies if name.endswith("_behaviour")]
    while waiting:
        name = waiting.pop()
        if name in reached or name not in bodies:
            continue
        reached.add(name)
        waiting += re.findall(r"call [^@\n]*@([\w.]+)\(", bodies[name])
    found = {place[each] for name in reached for each in re.findall(r"!dbg !(\d+)", bodies[name]) if each in place}
    with open(source) as file:
        count = len(file.readlines())
    return sorted(line for line in found if 0 < line <= count)


def draw(seed, count, include, sources):
    groups = defaultdict(list)
    for source in sorted(sources):
        group = "savina" if "/savina/" in source else "others"
        groups[group] += [f"{source}:{line}" for line in lines_of(source, include)]
    chosen = random.Random(seed)
    for group in sorted(groups):
        for place in sorted(chosen.sample(groups[group], min(count // 2, len(groups[group])))):
            print(place)


def ask(rehearse, source, lines, queries, seconds):
    """What `reach` says of each line. Of one without code, what it says of the nearest that has some."""
    instead = {line: line for line in lines}
    with tempfile.TemporaryDirectory() as directory:
        while True:
            places = [f"{source}:{line}" for line in sorted(set(instead.values()))]
            command = [rehearse, "reach", source, *places, "--without-messages", "--json"]
            command += ["--max-queries", queries, "--save", directory]
            try:
                done = subprocess.run(command, capture_output=True, text=True, timeout=int(seconds) * len(lines))
            except subprocess.TimeoutExpired:
                return {line: None for line in lines}
            nearest = re.search(r":(\d+) has no code; the nearest lines? that ha(?:ve|s) (?:is|are) (\d+)", done.stderr)
            if not nearest:
                break
            instead = {line: nearest[2] if to == nearest[1] else to for line, to in instead.items()}
    if not done.stdout:
        print(done.stderr, file=sys.stderr)
        return {line: None for line in lines}
    found = {str(each["line"]): each for each in json.loads(done.stdout)["places"]}
    return {line: found[instead[line]] for line in lines}


def run(rehearse, queries, seconds):
    places = defaultdict(list)
    for place in sys.stdin.read().split():
        source, line = place.rsplit(":", 1)
        places[source].append(line)
    counts, used = defaultdict(int), []
    for source in sorted(places):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        answers = ask(rehearse, source, places[source], queries, seconds)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        used.append((spent / len(places[source]), len(places[source]), source))
        group = "savina" if "/savina/" in source else "others"
        for each in answers.values():
            verdict = "no answer in time" if each is None else each["verdict"]
            if verdict == "reached":
                verdict += " by " + each["found_by"]
            counts[group, verdict] += 1
        print(f"{os.path.basename(source)}: {len(places[source])} lines, {spent:.1f} s", file=sys.stderr, flush=True)
    report(counts, used)


def report(counts, used):
    groups = sorted({group for group, _ in counts})
    totals = {group: sum(count for (each, _), count in counts.items() if each == group) for group in groups}
    everything = sum(totals.values())
    print(f'{"":32}' + "".join(f"{group:>10}" for group in groups) + f'{"all":>10}')
    print(f'{"lines":32}' + "".join(f"{totals[group]:10}" for group in groups) + f"{everything:10}")
    for verdict in sorted({verdict for _, verdict in counts}):
        row = [counts[group, verdict] for group in groups]
        print(f"{verdict:32}" + "".join(f"{count:10}" for count in row) + f"{sum(row):10}  {100 * sum(row) / everything:.1f}%")
    reached = sum(count for (_, verdict), count in counts.items() if verdict.startswith("reached"))
    refuted = sum(count for (_, verdict), count in counts.items() if verdict == "unreachable")
    print(f"reached: {reached} of {everything}, {100 * reached / everything:.1f}%", end="")
    print(f"; of those not proved unreachable {100 * reached / max(everything - refuted, 1):.1f}%")
    each = sorted(seconds for seconds, count, _ in used for _ in range(count))
    print(f"processor seconds a line, on the average of its program: median {each[len(each) // 2]:.1f}, "
          f"95% under {each[len(each) * 95 // 100]:.1f}")


if sys.argv[1] == "draw":
    draw(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], sys.argv[5:])
else:
    run(*sys.argv[2:])
