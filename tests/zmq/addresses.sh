#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The program's addresses are the same in every run of one schedule, whichever verb makes it: what is saved replays where
# names and messages have addresses in them.
. "$SOURCE/tests/zmq/zmq.shlib"
. "$SOURCE/tests/cli/expect.bash"
mkdir -p schedules
compile_zmq tests/zmq/addresses
setarch -R true 2>/dev/null || {
    echo 'the system does not let addresses be fixed'
    exit 77
}
for options in '' '--no-shrink' '--reduction source'; do
    # shellcheck disable=SC2086
    expect 1 "$REHEARSE" explore --adapter zmq $options --save schedules -- ./addresses
    grep -E -- '-> .* arrive |prints' "$capture/stdout" >explored
    [ "$(grep -c '0x.* 0x' explored)" -ge 3 ] || fail 'no addresses'
    expect 1 "$REHEARSE" replay schedules/main.schedule
    grep -E -- '-> .* arrive |prints' "$capture/stdout" >replayed
    diff explored replayed || fail 'another address in the replay'
done

# In the order of sending, whoever runs it.
printf 'rehearse schedule 1\nprogram ./addresses\ntest main\nend\n' >empty.schedule
expect 0 "$REHEARSE" replay --adapter zmq empty.schedule -- ./addresses
sed -n 's/^ *prints   | //p' "$capture/stdout" >first
expect 0 "$REHEARSE" cover --adapter zmq --max-executions 1 --output -- ./addresses
diff first "$capture/stderr" || fail 'another address in cover'
expect 1 "$REHEARSE" explore --adapter zmq --no-shrink --save schedules --output -- ./addresses
head -n 2 "$capture/stderr" | diff first - || fail 'another address in explore'
