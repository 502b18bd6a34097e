# SPDX-License-Identifier: MIT
# Blocks for `reach` to come to, drawn with a fixed seed, and what becomes of them under several settings.
#
#     tap.py draw SEED COUNT INCLUDE SOURCE... >LIST     half of the blocks from Savina; from each behaviour its share
#     tap.py run REHEARSE LIST RESULTS QUERIES SECONDS BLOCKS COLUMN...
#                                                        goes to so many; what RESULTS has is not done again
#     tap.py report LIST RESULTS                         the table
#     tap.py missed REHEARSE LIST QUERIES SECONDS        the lines that samples of the tests as they are do not come to
#
# A block is named by a line: the first one that has code of the block, in bitcode as in the program that runs, and of no
# block before it in the function. A behaviour's size is how many such blocks it and the functions that it calls have; a
# function that several call belongs to the first.
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
COLUMNS = {
    "random": ["--search", "random"],
    "forward": ["--search", "forward"],
    "h1": ["--search", "backward", "--no-weights", "--no-feedback"],
    "h1+h2": ["--search", "backward", "--no-feedback"],
    "h+f": ["--search", "backward"],
    "ladder": [],
}
# Table 3.3 of the thesis: random, H1, H1+H2, H+F, of 1,000 blocks in Savina and four projects in Java.
THESIS = {"random": 41, "h1": 49, "h1+h2": 65, "h+f": 78}


# --- Drawing. ---

def lines_with_code(source, include):
    """Lines of which the compiler that the program is built with makes code."""
    with tempfile.TemporaryDirectory() as directory:
        file = os.path.join(directory, "program.o")
        subprocess.run(["gcc", "-w", "-g", "-O0", "-I", include, "-c", source, "-o", file], check=True)
        table = subprocess.run(["objdump", "--dwarf=decodedline", file], capture_output=True, text=True, check=True).stdout
    name = re.escape(os.path.basename(source))
    return {int(line) for line in re.findall(rf"^{name}\s+(\d+)\s", table, re.M)}


def blocks_of(body, place, has_code):
    """The line of each block of a function that has one of its own."""
    seen, found = set(), []
    for block in re.split(r"^\d+:.*\n|^[\w.]+:.*\n", body, flags=re.M):
        lines = []
        for instruction in block.splitlines():
            where = re.search(r"!dbg !(\d+)", instruction)
            is_code = not re.search(r"^\s*(br label|.*= alloca|.*= phi|call void @llvm\.)", instruction)
            if where and is_code and place.get(int(where[1])) in has_code:
                lines.append(place[int(where[1])])
        new = [line for line in lines if line not in seen]
        seen.update(lines)
        if new:
            found.append(new[0])
    return found


def behaviours_of(source, include):
    """The blocks of each behaviour of a source, by line."""
    text = subprocess.run(["clang-19", *FLAGS, "-I", include, source], capture_output=True, text=True, check=True).stdout
    place = {int(number): int(line) for number, line in re.findall(r"^!(\d+) = !DILocation\(line: (\d+)", text, re.M)}
    scope = dict(re.findall(r"^define [^@]*@([\w.]+)\([^\n]*!dbg !(\d+)", text, re.M))
    files = dict(re.findall(r"^!(\d+) = distinct !DISubprogram\(.*?file: !(\d+)", text, re.M))
    names = dict(re.findall(r'^!(\d+) = !DIFile\(filename: "([^"]+)"', text, re.M))
    bodies = dict(re.findall(r"^define [^@]*@([\w.]+)\([^\n]*\{\n(.*?)^\}", text, re.M | re.S))
    has_code = lines_with_code(source, include)
    owned, found = set(), {}
    for behaviour in [name for name in bodies if name.endswith("_behaviour")]:
        waiting, lines = [behaviour], set()
        while waiting:
            name = waiting.pop(0)
            file = names.get(files.get(scope.get(name, ""), ""), "")
            if name in owned or name not in bodies or os.path.basename(file) != os.path.basename(source):
                continue
            owned.add(name)
            lines.update(blocks_of(bodies[name], place, has_code))
            waiting += re.findall(r"call [^@\n]*@([\w.]+)\(", bodies[name])
        if lines:
            found[behaviour] = sorted(lines)
    return found


def shares(sizes, count):
    """Whole numbers in proportion to the sizes: the largest remainders get what is left over."""
    total = sum(sizes.values())
    exact = {key: count * size / total for key, size in sizes.items()}
    given = {key: int(share) for key, share in exact.items()}
    for key in sorted(sizes, key=lambda key: (given[key] - exact[key], key))[:count - sum(given.values())]:
        given[key] += 1
    return given


def draw(seed, count, include, sources):
    groups = defaultdict(dict)
    for source in sorted(sources):
        group = "savina" if "/savina/" in source else "others"
        for behaviour, lines in behaviours_of(source, include).items():
            groups[group][source, behaviour] = lines
    chosen = random.Random(seed)
    for group in sorted(groups, reverse=True):
        sizes = {key: len(lines) for key, lines in groups[group].items()}
        print(f"# {group}: {sum(sizes.values())} blocks of {len(sizes)} behaviours", file=sys.stderr)
        given = shares(sizes, min(count // 2, sum(sizes.values())))
        for key in sorted(given):
            for line in sorted(chosen.sample(groups[group][key], given[key])):
                print(f"{key[0]}:{line} {key[1]}")


# --- Running. ---

def read_list(path):
    """The blocks as (source, line)."""
    with open(path) as file:
        return [(source, int(line)) for source, line in re.findall(r"^(\S+):(\d+) \S+$", file.read(), re.M)]


def read_results(path):
    results = {}
    if os.path.exists(path):
        with open(path) as file:
            for row in file:
                if row.endswith("\n"):
                    each = json.loads(row)
                    results[each["column"], each["source"], each["line"]] = each
    return results


def class_of(place):
    """Why a place was not reached."""
    if place["verdict"] == "reached":
        return "reached"
    if place["verdict"] == "unreachable":
        return "unreachable"
    if place["messages_most"] is not None:
        return "all tried with 5 messages"
    notes = " ".join(note["what"] for note in place["not_followed"])
    if re.search(r"the rest, after the queries|the rest, for lack", notes):
        return "budget"
    if re.search(r"call of|clock|libc|file|rh_input", notes):
        return "environment"
    return "solver" if notes else "tried"


def ask(rehearse, source, lines, options, queries, seconds, directory):
    """What `reach` says of the lines of a program, and the processor time; None if it does not come to an end."""
    limit = int(seconds) * len(lines)

    def limit_time():
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))

    instead = {line: line for line in lines}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    while True:
        places = [f"{source}:{line}" for line in sorted(set(instead.values()))]
        command = [rehearse, "reach", source, *places, "--without-messages", "--json", "--max-queries", queries,
                   "--save", directory, *options]
        done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit_time)
        # Lines at the beginning of a block of which nothing is left: the next ones are in it, too.
        nearest = re.search(r":(\d+) has no code; .* \d+ and (\d+)$", done.stderr)
        if not nearest:
            break
        instead = {line: int(nearest[2]) if to == int(nearest[1]) else to for line, to in instead.items()}
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if not done.stdout:
        return None, spent, done.stderr.strip()
    found = {each["line"]: each for each in json.loads(done.stdout)["places"]}
    return {line: found[instead[line]] for line in lines}, spent, ""


def go(rehearse, source, lines, options, queries, seconds, directory):
    """An answer for each line; the processor time is shared by all."""
    answers, spent, error = ask(rehearse, source, lines, options, queries, seconds, directory)
    if not answers and len(lines) > 1:
        for line in lines:
            yield from go(rehearse, source, [line], options, queries, seconds, directory)
    elif not answers:
        is_late = "SIGXCPU" in error or spent >= int(seconds) - 1
        yield lines[0], {"class": "time" if is_late else "error", "seconds": round(spent, 2), "notes": [error]}
    else:
        for line, place in answers.items():
            yield line, {"class": class_of(place), "seconds": round(spent / len(lines), 2), "queries": place["queries"],
                         "step": place["found_by"], "proof": place["proof"],
                         "notes": [note["what"] for note in place["not_followed"]]}


def run(rehearse, places, results, queries, seconds, count, columns):
    enough = 8
    done = read_results(results)
    chosen = read_list(places)
    random.Random(1).shuffle(chosen)  # so that some of them stand for all
    waiting = defaultdict(list)
    for column in columns:
        for source, line in chosen[:int(count)]:
            if (column, source, line) not in done:
                waiting[column, source].append(line)
    with tempfile.TemporaryDirectory() as directory, open(results, "a") as file:
        for (column, source), lines in waiting.items():
            for first in range(0, len(lines), enough):
                part = lines[first:first + enough]
                for line, answer in go(rehearse, source, part, COLUMNS[column], queries, seconds, directory):
                    file.write(json.dumps({"column": column, "source": source, "line": line, **answer}) + "\n")
                    file.flush()


# --- The table. ---

def report(places, results):
    places, done = read_list(places), read_results(results)
    columns = [column for column in COLUMNS if any((column, *place) in done for place in places)]
    print(f'{"":28}' + "".join(f"{column:>11}" for column in columns))

    def row(name, number):
        print(f"{name:28}" + "".join(f"{number(column):>11}" for column in columns))

    def rows_of(column, group=""):
        return [done[column, *place] for place in places if (column, *place) in done and
                (not group or (group == "savina") == ("/savina/" in place[0]))]

    def percent(rows):
        reached = sum(each["class"] == "reached" for each in rows)
        return f"{100 * reached / len(rows):.1f}%" if rows else "-"

    row("blocks tried", lambda column: len(rows_of(column)))
    for group in ("savina", "others"):
        row(f"reached, {group}", lambda column, group=group: percent(rows_of(column, group)))
    row("reached", lambda column: percent(rows_of(column)))
    row("  of those not unreachable",
        lambda column: percent([each for each in rows_of(column) if each["class"] != "unreachable"]))
    row("thesis, table 3.3", lambda column: f"{THESIS[column]}%" if column in THESIS else "-")
    for name in sorted({each["class"] for column in columns for each in rows_of(column)}):
        row(f"{name}", lambda column, name=name: sum(each["class"] == name for each in rows_of(column)))

    def quantile(column, share):
        spent = sorted(each["seconds"] for each in rows_of(column))
        return f"{spent[min(int(len(spent) * share), len(spent) - 1)]:.1f} s"
    row("median, processor time", lambda column: quantile(column, 0.5))
    row("95% under", lambda column: quantile(column, 0.95))
    if {"forward", "h+f"} <= set(columns):
        versus(places, done)


def versus(places, done):
    """Where forward and backward differ, which the thesis leaves open (6.2)."""
    both = [(done["forward", *place], done["h+f", *place]) for place in places
            if ("forward", *place) in done and ("h+f", *place) in done]
    one = [forward["class"] == "reached" for forward, _ in both]
    other = [backward["class"] == "reached" for _, backward in both]
    print(f"forward alone reaches {sum(a and not b for a, b in zip(one, other))}, "
          f"backward alone {sum(b and not a for a, b in zip(one, other))}, "
          f"both {sum(a and b for a, b in zip(one, other))}, of {len(both)}")
    ratios = sorted((backward["queries"] + 1) / (forward["queries"] + 1)
                    for (forward, backward), a, b in zip(both, one, other) if a and b)
    if ratios:
        fewer = sum(ratio < 1 for ratio in ratios)
        more = sum(ratio > 1 for ratio in ratios)
        print(f"where both do, backward asks fewer questions for {fewer} and more for {more}; "
              f"questions backward to forward: median {ratios[len(ratios) // 2]:.2f}")


# --- What samples miss. ---

def missed(rehearse, places, queries, seconds):
    """Of each program's lines that a hundred samples do not come to: reached, unreachable, or why not."""
    counts = defaultdict(int)
    with tempfile.TemporaryDirectory() as directory:
        for source in sorted({source for source, _ in read_list(places)}):
            coverage = os.path.join(directory, "coverage")
            subprocess.run([rehearse, "sample", source, "--runs", "100", "--seed", "1", "--lines", "--save-coverage",
                            coverage, "--quiet", "--keep-going", "--no-shrink", "--save", directory], capture_output=True)
            done = subprocess.run([rehearse, "reach", source, "--uncovered", coverage, "--json", "--max-queries", queries,
                                   "--save", directory], capture_output=True, text=True,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (10 * int(seconds),) * 2))
            if not done.stdout:
                print(f"{source}: {done.stderr.strip()}", file=sys.stderr)
                continue
            for place in json.loads(done.stdout)["places"]:
                counts[class_of(place)] += 1
                if place["verdict"] != "reached":
                    print(f"{source}:{place['line']}  {class_of(place)}  {place['reason'] or place['not_followed'][:1]}")
    for name, count in sorted(counts.items()):
        print(f"{name:28}{count:5}")


if sys.argv[1] == "draw":
    draw(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], sys.argv[5:])
elif sys.argv[1] == "missed":
    missed(*sys.argv[2:])
elif sys.argv[1] == "run":
    run(*sys.argv[2:8], sys.argv[8:])
else:
    report(*sys.argv[2:])
