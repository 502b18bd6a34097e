# SPDX-License-Identifier: MIT
# Whether generated tests notice that a program has changed: mutants.py REHEARSE ANALYSIS INCLUDE SUBJECTS SEED HANDLERS.
#
# Handlers with a comparison or a constant are drawn from the subjects, and these are changed, one at a time. A mutant
# whose tests read like those of the program changes nothing that can be observed in this handler. Otherwise the
# program's tests are run on the mutant, which is killed if one ends otherwise; and if none does, the mutant's tests on
# the program: if they pass there too, nothing was changed but the classes.
import os
import random
import re
import shutil
import subprocess
import sys

REHEARSE, ANALYSIS, INCLUDE, SUBJECTS = sys.argv[1:5]
DRAW = random.Random(int(sys.argv[5]))
HANDLERS = int(sys.argv[6])
MUTANTS_EACH, ATTEMPTS_EACH = 4, 10
TESTS_MOST = 20
LIMITS = f"--loop 2 --deliveries-each 5 --actors-each 2 --max-tests {TESTS_MOST}".split()
BITCODE = "-w -g -O1 -Xclang -disable-llvm-passes -fno-eliminate-unused-debug-types -D__NO_INLINE__ -emit-llvm -c".split()
CHANGED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
FOLDERS = "apet basset bita mini projects savina".split()


def run(*command, **options):
    """Exit status and output; what takes too long has none."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, **options)
        return done.returncode, done.stdout.decode(errors="replace")
    except subprocess.TimeoutExpired:
        return None, ""


def compile_bitcode(source):
    return run("clang-19", *BITCODE, "-I", INCLUDE, source, "-o", source + ".bc")[0] == 0


def generate(source, behaviour, message, *more):
    """What the analysis says, without the program's name."""
    status, output = run(ANALYSIS, "generate", source + ".bc", "--behaviour", behaviour, "--message", message, *LIMITS, *more)
    return output.partition("\n")[2] if status in (0, 1) else None


def outcomes(folder):
    """How each test of the folder's file of tests ends: passed, failed; None if they can't be run."""
    status, output = run(REHEARSE, "explore", "tests.c", "--no-shrink", "--keep-going", "--no-times", "--save", ".", cwd=folder)
    found = dict(re.findall(r": test (\w+): (passed|FAILED)", output))
    return found if status in (0, 1) and found else None


class Subject:
    """A program in a directory of its own."""

    def __init__(self, folder, text):
        self.folder, self.text = folder, text
        shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(folder)
        self.source = os.path.join(folder, "program.c")
        with open(self.source, "w") as file:
            file.write(text)

    def write_tests(self, behaviour, message):
        run(REHEARSE, "generate", "program.c", "--behaviour", behaviour, "--message", message, *LIMITS, "--write", "tests.c",
            cwd=self.folder)

    def outcomes_of(self, other):
        """How the tests of another version end here."""
        shutil.copy(os.path.join(other.folder, "tests.c"), self.folder)
        return outcomes(self.folder)


def parts(text, behaviour, message):
    """Where the handler is: what its behaviour does with the message, and the functions that are called from there."""
    bodies = {it.group(1): it.span() for it in re.finditer(r"^static [^\n;]*?(\w+)\([^;{]*\)\n\{.*?^\}", text, re.M | re.S)}
    begin, end = bodies[behaviour + "_behaviour"]
    take = re.search(rf"rh_as\(\w+, {message}\)", text[begin:end])
    if not take:
        return
    rest = re.search(r"rh_as\(", text[begin + take.end() : end])
    todo, seen = [(begin + take.end(), begin + take.end() + rest.start() if rest else end)], set()
    while todo:
        span = todo.pop()
        yield span
        for name in re.findall(r"(\w+)\(", text[slice(*span)]):
            if name in bodies and name not in seen and not name.endswith("_behaviour"):
                seen.add(name)
                todo.append(bodies[name])


def sites(text, behaviour, message):
    """What can be changed of a handler: begin, end, what it becomes."""
    for first, last in parts(text, behaviour, message):
        for line in re.finditer(r"[^\n]+", text[first:last]):
            code, start = line.group().split("//")[0], first + line.start()
            if re.match(r"\s*((const|static|unsigned|int|bool|char|long|double|struct \w+|rh_actor) )+[^=(]*;", code):
                continue
            for it in re.finditer(r" (<=|>=|==|!=|<|>) ", code):
                yield start + it.start(1), start + it.end(1), CHANGED[it.group(1)]
            for it in re.finditer(r"(?<![\w.\"])\d+(?![\w.\"])", code):
                yield start + it.start(), start + it.end(), str(int(it.group()) + 1)


def pairs():
    """Behaviours and messages of all subjects."""
    for folder in FOLDERS:
        for name in sorted(os.listdir(os.path.join(SUBJECTS, folder))):
            if name.endswith(".c"):
                text = open(os.path.join(SUBJECTS, folder, name)).read()
                for behaviour in re.findall(r"^static void (\w+)_behaviour\(.*\)\n\{", text, re.MULTILINE):
                    for message in re.findall(r"^RH_(?:MESSAGE|SIGNAL)\((\w+)", text, re.MULTILINE):
                        yield folder, name, text, behaviour, message


def judge(program, behaviour, message):
    """Of the mutants of one handler: killed, observable."""
    before, expected = generate(program.source, behaviour, message), outcomes(program.folder)
    places, killed, observable = list(sites(program.text, behaviour, message)), 0, 0
    DRAW.shuffle(places)
    for begin, end, becomes in places[:ATTEMPTS_EACH]:
        if observable == MUTANTS_EACH:
            break
        mutant = Subject("mutant", program.text[:begin] + becomes + program.text[end:])
        after = generate(mutant.source, behaviour, message) if compile_bitcode(mutant.source) else None
        if after is None or after == before:
            continue
        found = mutant.outcomes_of(program)
        if found is None:
            continue
        if found == expected:
            mutant.write_tests(behaviour, message)
            own = outcomes(mutant.folder)
            if own is None or program_passes(program, mutant, own):
                continue
            line = program.text.count("\n", 0, begin) + 1
            print(f"     survives: line {line}, {program.text[begin:end]} becomes {becomes}", flush=True)
        observable += 1
        killed += found != expected
    return killed, observable


def program_passes(program, mutant, own):
    shutil.copy(os.path.join(program.folder, "tests.c"), "kept.c")
    same = program.outcomes_of(mutant) == own
    shutil.copy("kept.c", os.path.join(program.folder, "tests.c"))
    return same


def is_complete(output):
    """Whether no limit has cut anything."""
    cuts = re.search(r"^cut: +(\d+) by [^,]*, (\d+) by [^,]*, (\d+) by", output, re.MULTILINE)
    tests = len(re.findall(r"^ +\d+ if ", output, re.MULTILINE))
    return cuts is not None and not any(map(int, cuts.groups())) and tests < TESTS_MOST


def main():
    counts, candidates = {True: [0, 0, 0], False: [0, 0, 0]}, list(pairs())
    DRAW.shuffle(candidates)
    for folder, name, text, behaviour, message in candidates:
        if sum(handlers for handlers, _, _ in counts.values()) == HANDLERS:
            break
        program = Subject("program", text)
        if not list(sites(text, behaviour, message)) or not compile_bitcode(program.source):
            continue
        output = generate(program.source, behaviour, message)
        if not output or not re.search(r"^    1 if ", output, re.MULTILINE):
            continue
        program.write_tests(behaviour, message)
        if not os.path.exists("program/tests.c") or outcomes(program.folder) is None:
            continue
        killed, observable = judge(program, behaviour, message)
        whole = is_complete(output)
        print(f"{folder}/{name} {behaviour} gets {message}{'' if whole else ' (cut)'}: {killed} of {observable} killed", flush=True)
        counts[whole] = [sum(pair) for pair in zip(counts[whole], (1, killed, observable))]
    for whole, (handlers, killed, observable) in counts.items():
        print(f"{handlers} handlers {'followed completely' if whole else 'cut'}: {killed} of {observable} mutants killed")


main()
