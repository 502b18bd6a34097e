# SPDX-License-Identifier: MIT
# Compares searches of the same random programs: awk -v label=TEXT -f compare.awk random.c none.json none.ends NAME.json
# NAME.ends... Where none, plain enumeration, is complete, every other search has to be complete, find the same kinds
# at the same places, and end in the same states, as the program shows them (NAME.ends). By NAME:
#
#     source optimal dcute default        the same digest of final states, and as many classes
#     optimal default                     one execution for each class, if no execution was cut short by a finding; and
#                                         none given up, unless there are guards in a wild program
#     source-commuting optimal-commuting  the same digest; not more classes
#     exact exact-source                  the same digest of final states, or of them up to names: where two messages that
#                                         are alike lead on, either of them may have given its name to what it made.
#                                         With --restart nothing tells states up to names: what programs print decides
#     oracle                              only NAME.ends, with a line of numbers for each program (tests/programs/oracle)
#
# Prints a line for each disagreement, and at last one of numbers:
#
#     TOTAL LABEL: programs N judged N oracle N counted N asked N commuting N
#
# counted: programs of which optimal's executions were compared with the number of classes; asked: those that were also
# searched with --commuting; commuting: those of them in which it made a difference.

function fail(seed_test, what, detail)
{
    seed_text = seed_test
    gsub(/^p|_random$/, "", seed_text)
    printf "FAIL %s: seed %s: %s%s\n", label, seed_text, what, detail == "" ? "" : ": " detail
}

# Something that a search has shown: a finding, or an end.
function note(search, test, item)
{
    if (!((search, test, item) in shown)) {
        shown[search, test, item] = 1
        shown_list[search, test, ++shown_count[search, test]] = item
    }
}

function value_of(line)
{
    sub(/^ *"[a-z_]*": /, "", line)
    sub(/,$/, "", line)
    gsub(/"/, "", line)
    return line
}

# The first of what one search has shown and another has not; empty if there is none.
function missing(search, other, test,    i)
{
    for (i = 1; i <= shown_count[search, test]; i++)
        if (!((other, test, shown_list[search, test, i]) in shown))
            return shown_list[search, test, i]
    return ""
}

function compare_shown(search, test,    item)
{
    if ((item = missing("none", search, test)) != "")
        fail(test, search " loses", item)
    if ((item = missing(search, "none", test)) != "")
        fail(test, search " adds", item)
}

function is_same(search, test, what)
{
    return result[search, test, what] == result["none", test, what] && result[search, test, what] !~ /^(null)?$/
}

function compare_digest(search, test)
{
    if (!is_same(search, test, "final_states_digest") &&
        !(search ~ /^exact/ && (label ~ / --restart/ || is_same(search, test, "final_forms_digest"))))
        fail(test, search, result[search, test, "final_states"] + 0 " final states, not those of plain enumeration, " \
            result["none", test, "final_states"] + 0)
}

function compare_classes(search, test,    classes)
{
    classes = result["none", test, "classes"]
    if (result[search, test, "classes"] != classes)
        fail(test, search, result[search, test, "classes"] " classes, not " classes)
    if (search != "optimal" && search != "default" || is_cut[test])
        return
    if (search == "optimal")
        counted++
    if (result[search, test, "executions"] != classes)
        fail(test, search, result[search, test, "executions"] " executions of " classes " classes")
    if (result[search, test, "given_up"] != 0 && !(has_guards[test] && is_wild[test]))
        fail(test, search, result[search, test, "given_up"] " given up")
}

function compare_search(search, test)
{
    if (result[search, test, "complete"] != "true") {
        fail(test, search, "not complete")
        return
    }
    compare_shown(search, test)
    if (search != "actors")
        compare_digest(search, test)
    if (search ~ /^(source|optimal|dcute|default)$/)
        compare_classes(search, test)
    if (search ~ /-commuting$/ && result[search, test, "classes"] > result["none", test, "classes"])
        fail(test, search, result[search, test, "classes"] " classes, more than " result["none", test, "classes"])
}

# The numbers of the oracle, its ends, and the kinds of findings that it knows: plain enumeration's are those of "known".
function compare_oracle(test,    engine, item)
{
    engine = result["none", test, "executions"] " " result["none", test, "deliveries"] " " \
        result["none", test, "classes"]
    if (engine != oracle_numbers[test])
        fail(test, "executions, deliveries, classes", "oracle " oracle_numbers[test] ", engine " engine)
    if ((item = missing("known", "oracle", test)) != "")
        fail(test, "the oracle has not", item)
    if ((item = missing("oracle", "known", test)) != "")
        fail(test, "only the oracle has", item)
}

FNR == 1 {
    name = FILENAME
    sub(/\.[a-z]*$/, "", name)
    if (FILENAME ~ /\.json$/ && name != "none")
        searches[++search_count] = name
}

FILENAME ~ /\.c$/ {
    if (/^\/\/ random program /) {
        test = "p" ($4 + 0) "_random"
        tests[++test_count] = test
        # Guards are not asked about earlier states where those can't be had again.
        is_wild[test] = / wild/
    } else if (/RH_GUARD/) {
        has_guards[test] = 1
    } else if (/send_parcel|file/) {
        is_wild[test] = 1
    }
    next
}

/^end / {
    note(name, $2 "random", $0)
    if (name == "none")
        note("known", $2 "random", $0)
    next
}

name == "oracle" {
    oracle_numbers[$1] = $2 " " $3 " " $5
    kind_count = split($4, kinds, ",")
    for (i = 1; i <= kind_count; i++)
        if (kinds[i] != "-")
            note(name, $1, "kind " kinds[i])
    next
}

/^ *"(test|complete|executions|deliveries|final_states|final_states_digest|final_forms_digest|classes|given_up)": / {
    split($0, part, "\"")
    if (part[2] == "test")
        test = value_of($0)
    else
        result[name, test, part[2]] = part[2] ~ /^(complete|final_[a-z]*_digest)$/ ? value_of($0) : value_of($0) + 0
}

/^ *"(kind|severity|file|line)": / {
    split($0, part, "\"")
    finding[part[2]] = value_of($0)
    if (part[2] == "line")
        note(name, test, "finding " finding["kind"] " " finding["severity"] " " finding["file"] ":" finding["line"])
    if (part[2] != "kind")
        next
    if (name == "none" && finding["kind"] ~ /^(check|invariant|unhandled|crash|exit|hang|shared-state|private-pointer|bound)$/)
        is_cut[test] = 1
    if (name == "none" && finding["kind"] ~ /^(check|invariant|final|deadlock|undelivered|leftover|unhandled)$/)
        note("known", test, "kind " finding["kind"])
}

END {
    for (i = 1; i <= test_count; i++) {
        if (result["none", tests[i], "complete"] != "true")
            continue
        judged++
        for (j = 1; j <= search_count; j++)
            compare_search(searches[j], tests[i])
        if (tests[i] in oracle_numbers) {
            oracle_count++
            compare_oracle(tests[i])
        }
        if (("optimal-commuting", tests[i], "executions") in result) {
            asked++
            commuting += result["optimal-commuting", tests[i], "executions"] < result["optimal", tests[i], "executions"]
        }
    }
    printf "TOTAL %s: programs %d judged %d oracle %d counted %d asked %d commuting %d\n", label, test_count, judged, oracle_count,
        counted, asked, commuting
}
