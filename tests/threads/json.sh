#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# --json on tests of threads: one object, the same in every run, which says what the text says;
# several tests in one object, and those that are refused named.
set -u
failed=0
cp "$SOURCE"/tests/threads/{harm,libc}.c "$SOURCE/subjects/threads/multiset.c" .
wrong() {
    echo "FAIL $*"
    failed=1
}

"$REHEARSE" refine --json --no-times multiset.c >first 2>&1
[ $? = 1 ] || wrong "the status of --json is not 1"
"$REHEARSE" refine --json --no-times multiset.c >second 2>&1
cmp -s first second || wrong "two runs print different objects"
"$REHEARSE" refine multiset.c >text 2>&1
python3 - <<'END' || failed=1
import json, re
one, text = json.load(open("first")), open("text").read()
assert (one["verb"], one["strategy"], one["reduction"], one["complete"]) == ("refine", "dfs", "source", True), one
assert f", {one['executions']} in all, complete" in text
for finding in one["findings"]:
    assert finding["kind"] + ": " + finding["message"] in text, finding
    assert "saved:   " + finding["schedule"] in text, finding
    assert finding["kind"] == "race" or f"{finding['file']}:{finding['line']}" in text, finding
assert [finding["kind"] for finding in one["findings"]] == ["refinement", "race"]
END
"$REHEARSE" replay --json --no-times pairs.schedule >replayed 2>&1
[ $? = 1 ] && grep -q '"kind": "refinement"' replayed || wrong "replay --json"
"$REHEARSE" sample --json --runs 50 multiset.c >sampled 2>&1
grep -q '"strategy": "mixed"' sampled && grep -q '"seconds": ' sampled || wrong "sample --json"
"$REHEARSE" refine --json --hang-limit 50 harm.c >several 2>errors
[ $? = 2 ] || wrong "a refused test does not end with 2"
python3 - <<'END' || failed=1
import json
several = json.load(open("several"))
assert len(several["tests"]) == 15 and sorted(several["not_run"]) == ["frees", "locks"], several["not_run"]
assert {test["test"]: test["stopped_by"] for test in several["tests"]}["killed"] == "finding"
END
[ $failed -eq 0 ]
