#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Files, folders and addresses that the pages name exist.
set -u
failed=0
complain() {
    echo "FAIL $*"
    failed=$((failed + 1))
}

missing=$PWD/missing
cd "$SOURCE" || exit 1
count=0
for page in README.md ARCHITECTURE.md CHANGELOG.md docs/*.md; do
    while read -r link; do
        count=$((count + 1))
        target=${link%%#*}
        anchor=
        case $link in *'#'*) anchor=${link#*#} ;; esac
        if [ -n "$target" ]; then
            file=$(dirname "$page")/$target
        else
            file=$page
        fi
        [ -e "$file" ] || complain "$page: there is no $link"
        [ -z "$anchor" ] || [ ! -f "$file" ] ||
            sed -n 's/^##* //p' "$file" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9_\n-' |
            grep -qx -- "$anchor" || complain "$page: $file has no section $anchor"
    done < <(sed '/^```/,/^```/d' "$page" | grep -o '](\([^)]*\))' | sed 's/^](//; s/)$//' |
        grep -v '^[a-z]*://')
done
[ $count -ge 20 ] || complain "the pages have $count links only"

# Folders and files of the source that the architecture names, and addresses in its table.
grep -o 'src/[a-z_/]*[a-z_]\(\.[ch]\)\{0,1\}' ARCHITECTURE.md | sort -u | while read -r path; do
    ls -d "$path"* >/dev/null 2>&1 || echo "$path"
done >"$missing"
for path in $(cat "$missing"); do complain "ARCHITECTURE.md: there is no $path"; done
rm -f "$missing"
for address in $(grep -o '0x[0-9a-f]\{12\}' ARCHITECTURE.md | sort -u); do
    grep -rqi "$address" src/entry src/memory src/world src/threads || complain "ARCHITECTURE.md: $address is not in the source"
done
for function in $(grep -o '`rh_[a-z_]*`' ARCHITECTURE.md docs/adding-a-strategy.md | grep -o 'rh_[a-z_]*' |
    sort -u); do
    grep -rq "\b$function\b" src include || complain "there is no $function"
done
[ $failed -eq 0 ]
