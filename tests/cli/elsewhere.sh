#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What files may make the command do: which programs they may run, and where something is written.
. "$SOURCE/tests/cli/expect.bash"

# elsewhere VERB FILE: the program of the file is refused, and named on the command line it runs.
elsewhere() {
    local verb=$1 file=$2 program=$3
    expect 2 "$REHEARSE" "$verb" "$file"
    silent
    says_error "$file .*$program, which lies outside of this directory.*rehearse $verb .*$program $file"
    expect 1 "$REHEARSE" "$verb" "$program" "$file"
}

# printed WORD: runs what the last command printed behind `replay:` or `next:`, which must find it again.
printed() {
    local line
    line=$(sed -n "s/^$1:  *rehearse //p" "$capture/stdout" | sed 's/ stops in the handler.*//' | head -n 1)
    [ -n "$line" ] || fail "no $1: line"
    expect "$2" bash -c '"$REHEARSE" '"$line"
}

# --- Programs. ---

build() {
    ${CC:-cc} ${CFLAGS:-} -g -I"$SOURCE/include" "$1" -o "$2" "${LIBRARY:-$BUILD/librehearse.a}" -ldw -lelf -ljansson -lm ${LDLIBS:-} ||
        fail "$1 does not compile"
}
build till.c till
mkdir here there
cp till.c till there
cd here || exit 1
cp ../till.c ../till .

# Here and below, with any spelling that stays in the directory.
mkdir below
cp till below
for program in ./till below/till below/../till "$PWD/till"; do
    rm -f overdraw.schedule
    expect 1 "$REHEARSE" explore "$program" --test overdraw
    says '^replay:  rehearse replay overdraw.schedule$'
    says '^next:    rehearse replay --gdb overdraw.schedule '
    expect 1 "$REHEARSE" replay overdraw.schedule
done

# Elsewhere: by .., by an absolute path, through a link to the file, and through a link to its directory.
mkdir links
ln -s ../../there/till links/till
ln -s ../there away
for program in ../there/till.c "$TMPDIR/work/there/till" links/till away/till below/../../there/till; do
    rm -f overdraw.schedule
    rm -f overdraw.schedule
    expect 1 "$REHEARSE" explore "$program" --test overdraw
    says "^replay:  rehearse replay $program overdraw.schedule\$"
    says "^next:    rehearse replay $program --gdb overdraw.schedule "
    cp "$capture/stdout" "$capture/said"
    elsewhere replay overdraw.schedule "$program"
    cp "$capture/said" "$capture/stdout"
    case $program in away/*) printed replay 1 ;; esac
done
GDB=true printed next 0
elsewhere shrink overdraw.schedule ../there/till
says '^replay:  rehearse replay ../there/till overdraw-shrunk.schedule$'
printed replay 1
GDB=true refuses 2 'lies outside of this directory' "$REHEARSE" replay --gdb overdraw.schedule
expect 1 "$REHEARSE" cover ../there/till --test overdraw --schedule overdraw.schedule
says '^replay:  rehearse replay \.\./there/till overdraw.schedule$'
cp ../till '../there/my till'
rm -f overdraw.schedule
expect 1 "$REHEARSE" explore '../there/my till' --test overdraw
says "^replay:  rehearse replay '../there/my till' overdraw.schedule\$"
printed replay 1
mkdir 'my saved'
rm -f overdraw.schedule
expect 1 "$REHEARSE" explore ./till --test overdraw --save 'my saved'
says "^replay:  rehearse replay 'my saved/overdraw.schedule'\$"
printed replay 1
ln -s till alias
rm -f overdraw.schedule
expect 1 "$REHEARSE" explore ./alias --test overdraw
expect 1 "$REHEARSE" replay overdraw.schedule

# One of several files elsewhere is enough, also one that is only linked.
echo 'int helper(void); int helper(void) { return 1; }' >../there/helper.c
cc -c ../there/helper.c -o ../there/helper.o
rm -f overdraw.schedule
expect 1 "$REHEARSE" explore till.c ../there/helper.o --test overdraw
says '^replay:  rehearse replay till.c ../there/helper.o overdraw.schedule$'
refuses 2 'which lies outside' "$REHEARSE" replay overdraw.schedule
rm -f overdraw.schedule
expect 1 "$REHEARSE" explore till.c ../there/helper.o --test overdraw
printed replay 1

# A schedule from elsewhere does not bring its program along.
cd ../there || exit 1
rm -f overdraw.schedule
expect 1 "$REHEARSE" explore till --test overdraw
cd ../here || exit 1
mv till other
refuses 2 'which lies outside of this directory' "$REHEARSE" replay ../there/overdraw.schedule
mv other till
cd ..
expect 1 "$REHEARSE" replay there/overdraw.schedule

# A name that looks like an option of the compiler, or like a file of options, is a name.
cp till.c ./-till.c
cp till.c @till.c
for name in -till.c @till.c; do
    printf 'rehearse schedule 1\nprogram %s\ntest overdraw\nend\n' "$name" >name.schedule
    expect 0 "$REHEARSE" replay name.schedule
done

# Recordings. What they name is an absolute path.
mkdir there/recorded
cat >echoes.c <<'END'
#include <rehearse/actor.h>
#include <rehearse/run.h>
#include <rehearse/test.h>

RH_SIGNAL(ping);

static void pong(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state, (void)message;
    rh_check(0);
}

static void setup(void *context)
{
    (void)context;
    rh_send(rh_spawn(pong), ping);
}

int main(void)
{
    return rh_run(NULL, setup);
}
END
build echoes.c there/echoes
if [ -z "${SANITIZE:-}" ]; then
    REHEARSE_RECORD_LIMIT=1M REHEARSE_RECORD=$TMPDIR/work/here/run.trace there/echoes >recorded 2>&1
    cd here || exit 1
    refuses 2 "run.trace is a recording of .*/there/echoes, which lies outside of this directory" \
        "$REHEARSE" replay run.trace
    refuses 2 'which lies outside of this directory' "$REHEARSE" shrink run.trace
    expect 1 "$REHEARSE" replay ../there/echoes run.trace
    says '^next:    rehearse replay ../there/echoes --gdb run.trace '
    expect 1 "$REHEARSE" shrink ../there/echoes run.trace
    printed replay 1
    cd ..
    expect 1 "$REHEARSE" replay here/run.trace
fi

# --- Saving. ---

rm -f overdraw.schedule
expect 1 "$REHEARSE" explore till --test overdraw
sed 's/^# .*/# as it was/' overdraw.schedule >there/kept
cp there/kept before
untouched() {
    cmp -s there/kept before || fail 'something was written through a link'
}
rm -f overdraw.schedule
ln -s there/kept overdraw.schedule
expect 1 "$REHEARSE" explore till --test overdraw
cmp -s there/kept overdraw.schedule && ! cmp -s there/kept before || fail 'a link below the directory is followed'
cp before there/kept

cd here || exit 1
rm -f overdraw.schedule out.coverage
ln -s ../there/kept overdraw.schedule
ln -s ../there/kept out.coverage
ln -s ../there saves
expect 3 "$REHEARSE" explore ./till --test overdraw
says 'FAILED'
says_error 'could not be saved: overdraw.schedule: is a link that leads out of its directory'
expect 3 "$REHEARSE" cover ./till --test calm --save-coverage out.coverage
says_error 'out.coverage: is a link that leads out of its directory'
[ -L overdraw.schedule ] && [ -L out.coverage ] || fail 'a link is gone'
# A link that leads nowhere is replaced, and nothing is made where it leads.
ln -sf ../there/new overdraw.schedule
expect 1 "$REHEARSE" explore ./till --test overdraw
[ ! -e ../there/new ] && [ ! -L overdraw.schedule ] || fail 'written where a link leads'
# What the user names may be a link.
rm -f overdraw.schedule
expect 1 "$REHEARSE" explore ./till --test overdraw --save saves
[ -e ../there/overdraw.schedule ] || fail 'not saved where --save says'
# Recordings do not follow links at all.
rm -f run.trace
ln -s ../there/kept run.trace
REHEARSE_RECORD=run.trace ../there/echoes >recorded 2>&1 && fail 'recorded through a link'
cd ..
untouched

# A coverage file does not say in which directory schedules are saved.
printf 'rehearse coverage 1\nprogram till.c\ntest ../there/x\nexecutions 1\nend\n' >outward.coverage
refuses 2 'outward.coverage:3: ' "$REHEARSE" coverage outward.coverage --save here
exit 0
