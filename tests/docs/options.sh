#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The man page, the pages under docs/ and the command agree on verbs, options and kinds of findings,
# and the command lines that the pages show have options that exist.
set -u
failed=0
complain() {
    echo "FAIL $*"
    failed=$((failed + 1))
}

man=$SOURCE/docs/rehearse.1
# In the man page's source a dash of an option is \- or -.
sed 's/\\-/-/g' "$man" >man.txt
cat "$SOURCE"/docs/*.md "$SOURCE/README.md" >docs.txt

verbs=$("$REHEARSE" help | sed -n '/^Verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p')
[ "$(echo "$verbs" | wc -w)" -ge 7 ] || complain "help names these verbs only: $verbs"
for verb in $verbs; do
    "$REHEARSE" "$verb" --help >"$verb.help" || complain "$verb --help"
    sed -n 's/^  \(--[a-z-]*\).*/\1/p' "$verb.help" >"$verb.options"
    grep -q "^\.It Cm $verb" man.txt || complain "the man page has no verb $verb"
done
cat ./*.options | LC_ALL=C sort -u >options
[ "$(wc -l <options)" -ge 20 ] || complain "help shows $(wc -l <options) options only"

# Options are items of their own in the man page: `.It Fl -max-length Ar N`.
sed -n 's/^\.It Fl \(-[a-z-]*\).*/-\1/p' man.txt | LC_ALL=C sort -u >man.options
diff options man.options || complain "the man page and --help have different options"

while read -r option; do
    grep -q -- "$option\b" docs.txt || complain "no page mentions $option"
done <options

for kind in check invariant final crash hang exit deadlock livelock undelivered leftover unhandled \
    shared-state private-pointer leak unset bound nondeterminism order race refinement ruled-out reached; do
    grep -q "^\.It Sy $kind$" man.txt || complain "the man page has no kind $kind"
    grep -q "^## $kind$" "$SOURCE/docs/findings.md" || complain "docs/findings.md has no kind $kind"
done

# Every command line on a page.
sed -n 's/^\(\$ \)\{0,1\}\(rehearse [a-z].*\)/\2/p' docs.txt >lines
[ "$(wc -l <lines)" -ge 20 ] || complain "the pages show $(wc -l <lines) command lines only"
while read -r _ verb rest; do
    [ -f "$verb.options" ] || {
        complain "a page shows the verb $verb"
        continue
    }
    for word in ${rest%%#*}; do
        case $word in
        --) break ;;
        --help) ;;
        --*) grep -qx -- "${word%%=*}" "$verb.options" || complain "$verb has no option $word" ;;
        esac
    done
done < <(grep -v '^rehearse schedule ' lines)

[ $failed -eq 0 ]
