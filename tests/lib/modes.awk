# SPDX-License-Identifier: MIT
# Compares what explore says of all tests of a program with a table, in one mode (tests/lib/modes.shlib has both):
#
#     awk -v mode=OPTIONS -v left_out=NAMES -f modes.awk TABLE RESULT.json
#
# Prints a line for each difference, and at last how many tests were compared.

BEGIN {
    mode = " " mode " "
    gsub(/ +/, " ", mode)
    left_out = " " left_out " "
}

# Options come as words; each has to be in the mode, with its value behind it.
function is_in_mode(options) {
    return options == "" || index(mode, " " options " ")
}

FNR == NR {
    sub(/#.*/, "")
    if (split($0, half, ":") < 2)
        next
    count = split(half[1], word, " ")
    options = ""
    for (i = 2; i <= count; i++)
        options = options (i > 2 ? " " : "") word[i]
    if (is_in_mode(options))
        expected[word[1]] = half[2]
    has_line[word[1]] = 1
    next
}

/^ *"[a-z_]+": / {
    split($0, part, "\"")
    key = part[2]
    value = part[3] == ": " ? part[4] : part[3]
    sub(/^: /, "", value)
    sub(/,.*/, "", value)
    if (key == "test") {
        test = value
        order[++tests] = test
    }
    if (key == "kind")
        add_kind(value)
    else if (key == "severity" && value == "error")
        status[test] = 1
    else if (!((test, key) in member))
        member[test, key] = value
}

# Kinds are sorted as they come, each once.
function add_kind(kind,    count, i) {
    if ((test, kind) in seen)
        return
    seen[test, kind] = 1
    count = ++kinds[test]
    for (i = count; i > 1 && listed[test, i - 1] > kind; i--)
        listed[test, i] = listed[test, i - 1]
    listed[test, i] = kind
}

function list_kinds(test,    i, list) {
    for (i = 1; i <= kinds[test]; i++)
        list = list (i > 1 ? "," : "") listed[test, i]
    return list == "" ? "-" : list
}

function compare(test, name, wanted, got) {
    if (wanted != "*" && wanted != got && !index(left_out, " " name " "))
        printf "%s: %s %s, not %s\n", test, name, got, wanted
}

function judge(test,    column, count, i, pair) {
    count = split(expected[test], column, " ")
    compare(test, "status", column[1], status[test] + 0)
    compare(test, "executions", column[2], member[test, "executions"])
    compare(test, "deliveries", column[3], member[test, "deliveries"])
    compare(test, "kinds", column[4], list_kinds(test))
    for (i = 5; i <= count; i++) {
        if (split(column[i], pair, "=") == 2)
            compare(test, pair[1], pair[2], member[test, pair[1]])
        else if (column[i] == "once" && member[test, "reduction"] == "optimal")
            compare(test, "executions", member[test, "classes"], member[test, "executions"])
    }
    compared++
}

END {
    for (i = 1; i <= tests; i++) {
        if (order[i] in expected)
            judge(order[i])
        else if (!(order[i] in has_line))
            printf "%s: the table has no line for it\n", order[i]
        delete has_line[order[i]]
    }
    for (test in has_line)
        printf "%s: the program has no such test\n", test
    print compared + 0
}
