# SPDX-License-Identifier: MIT
# Reads what explore says of a program, first with plain enumeration and then with a search that leaves something out, and
# prints what is wrong with the second, a word for each test of the program and each thing:
#
#     awk -v ending=KINDS -v alike=WORDS -f reduced.awk PLAIN.json REDUCED.json
#
# KINDS are the kinds of findings that end the execution they show in, separated by |. WORDS are `classes`: the classes must be
# the same and optimal runs each of them once; or members: the final states are the same if one of these digests is; or
# `findings`: nothing else is compared, of what PLAIN.json has completed, but that no more is delivered. There are no more
# executions, except where PLAIN.json is of a reduced search too and executions were cut off: two searches may come to one
# error with more or less of what has nothing to do with it, so that neither need run fewer of these.

FNR == 1 {
    which++
    test = ""
}

/^ *"[a-z_]+": / {
    split($0, part, "\"")
    key = part[2]
    value = part[3] == ": " ? part[4] : part[3]
    sub(/^: /, "", value)
    sub(/,.*/, "", value)
    read_member()
}

function read_member() {
    if (key == "test") {
        test = value
        tests[test] = 1
    }
    member[which, test, key] = value == "null" ? "" : value
    if (key == "kind" && which == 1 && value ~ "^(" ending ")$")
        has_cut[test] = 1
    if (key == "kind" || key == "severity" || key == "file" || key == "line")
        finding = finding " " value
    if (key == "line") {
        found[which, test, finding] = 1
        finding = ""
    }
}

function has_other_findings(test,    each, part) {
    for (each in found) {
        split(each, part, SUBSEP)
        if (part[2] == test && !((3 - part[1], test, part[3]) in found))
            return 1
    }
    return 0
}

function has_same_digest(test,    count, names, i) {
    if (alike == "classes")
        return member[1, test, "final_states_digest"] == member[2, test, "final_states_digest"]
    count = split(alike, names, " ")
    for (i = 1; i <= count; i++)
        if (member[1, test, names[i]] != "" && member[1, test, names[i]] == member[2, test, names[i]])
            return 1
    return 0
}

function say(test, what) {
    wrong = wrong " " test ":" what
}

function judge(test) {
    if (member[2, test, "complete"] != "true")
        say(test, "complete")
    if (has_other_findings(test))
        say(test, "findings")
    if (alike == "findings") {
        if (member[2, test, "deliveries"] + 0 > member[1, test, "deliveries"] + 0)
            say(test, "deliveries")
        return
    }
    if (!has_same_digest(test))
        say(test, "final-states")
    if ((member[1, test, "reduction"] == "none" || !has_cut[test]) &&
        member[2, test, "executions"] + 0 > member[1, test, "executions"] + 0)
        say(test, "more-executions")
    if (alike != "classes")
        return
    if (member[2, test, "classes"] != member[1, test, "classes"])
        say(test, "classes")
    if (member[2, test, "reduction"] != "optimal" || has_cut[test])
        return
    if (member[2, test, "executions"] != member[1, test, "classes"])
        say(test, "executions")
    # Plain enumeration gives up where something has come from outside in vain, and nowhere else.
    if (member[2, test, "given_up"] + 0 > member[1, test, "given_up"] + 0)
        say(test, "given-up")
}

END {
    for (test in tests)
        if (alike != "findings" || member[1, test, "complete"] == "true")
            judge(test)
    print wrong
}
