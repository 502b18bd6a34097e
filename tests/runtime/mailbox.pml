// SPDX-License-Identifier: MIT
// A model of src/runtime/mailbox.h, idle.c and the way between them (deposit.c, carrier.c): producers that are no carriers
// send to actor A, which sends each message on to actor B; carriers run both, and sleep when there is nothing to do.
//
// Checked: an actor is never run by two carriers (in `run_actor`), messages of one producer are handled in order and once, the
// run ends only when all are handled, and it does end: a wake-up that is lost is an invalid end state, since all others
// wait for ever. With -DWATCH=N sleeping carriers also wake up of themselves, up to N times, as the watcher does; that must
// not make the run end too early. With -DALONE A keeps its messages, which leaves room for more producers. Each statement is one atomic step, as sequentially consistent operations are.
//
// What is left out: rings (a queue for all stands for them, since both are looked at before sleeping; what a searcher
// leaves in a ring is its owner's, which is awake), naps (a searcher that takes its time), the choice of whom to wake,
// memory that is used again.

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef EACH
#define EACH 1 // messages of a producer
#endif
#define TOTAL (PRODUCERS * EACH)
#define A 0
#define B 1

// Values of a mailbox; a message is its number, from FIRST on.
#define EMPTY 0
#define IDLE 1
#define FIRST 2

#define AWAKE 0
#define ASLEEP 1
#define WAKING 2

byte newest[2] = IDLE;      // by actor
byte older[2 * TOTAL + FIRST]; // by message: the one behind it in a mailbox
byte running[2];            // how many run the actor
byte handled[2];            // messages
byte expected[2 * PRODUCERS]; // by actor and producer: the number of the next message

chan queue = [4] of { byte };
byte successor[WORKERS] = 255;
byte parked[WORKERS]; // AWAKE, ASLEEP, or WAKING while another counts it out of the sleepers
byte sleeping, searching, awakenings;
byte pending = TOTAL; // messages that producers have not deposited: as timers that have not fired
bool finished;
#ifdef WATCH
byte watches;
#endif

// A message's actor, producer and number. Those for B are numbered behind those for A.
#define ACTOR(m) (((m)-FIRST) / TOTAL)
#define PRODUCER(m) ((((m)-FIRST) % TOTAL) / EACH)
#define NUMBER(m) (((m)-FIRST) % EACH)

// Makes a sleeping carrier a searcher; `slept` says whether it slept.
inline unpark(carrier, slept)
{
    atomic {
        slept = parked[carrier] == ASLEEP;
        if
        :: slept -> parked[carrier] = WAKING
        :: else
        fi
    };
    if
    :: slept -> searching++; sleeping--; awakenings++; parked[carrier] = AWAKE
    :: else
    fi
}

inline wake_one()
{
    if
    :: sleeping > 0 ->
        if
        :: searching == 0 ->
            w = 0;
            do
            :: w < WORKERS ->
                unpark(w, slept);
                if
                :: slept -> break
                :: else -> w++
                fi
            :: else -> break
            od
        :: else
        fi
    :: else
    fi
}

// Puts message m into its actor's mailbox; `found` is what was there.
inline push(m)
{
    do
    :: d_step { found = newest[ACTOR(m)]; older[m] = (found >= FIRST -> found : 0) };
        atomic {
            if
            :: newest[ACTOR(m)] == found -> newest[ACTOR(m)] = m; break
            :: else
            fi
        }
    od
}

inline enqueue(actor)
{
    queue!actor;
    wake_one()
}

proctype Producer(byte me)
{
    byte i, m, found, w;
    bool slept;
    for (i : 0 .. EACH - 1) {
        d_step { m = FIRST + me * EACH + i; found = 0; w = 0; slept = false };
        push(m);
        if
        :: found == IDLE -> enqueue(A)
        :: else
        fi;
        pending--;
        if
        :: pending == 0 -> wake_one()
        :: else
        fi
    }
}

// Handles m as actor `a`: A sends it on to B, whom this carrier runs next if it was idle.
inline handle(a, m)
{
    d_step {
        assert(NUMBER(m) == expected[a * PRODUCERS + PRODUCER(m)]);
        expected[a * PRODUCERS + PRODUCER(m)]++;
        handled[a]++
    };
#ifndef ALONE
    if
    :: a == A ->
        sent = m + TOTAL;
        push(sent);
        if
        :: found == IDLE ->
            if
            :: successor[me] != 255 -> before = successor[me]; successor[me] = B; enqueue(before)
            :: else -> successor[me] = B
            fi
        :: else
        fi
    :: else
    fi
#endif
}

// Runs the actor until nothing is left, and settles. `oldest` is the inbox, oldest first.
inline run_actor(a)
{
    assert(running[a] == 0);
    running[a]++;
    do
    :: newest[a] == EMPTY ->
        // After the last statement the actor may be another's.
        atomic {
            if
            :: newest[a] == EMPTY -> running[a]--; newest[a] = IDLE; break
            :: else
            fi
        }
    :: newest[a] != EMPTY ->
        // What was taken is nobody else's, so it can be put in order in the same step.
        d_step {
            taken = newest[a];
            newest[a] = EMPTY;
            oldest = 0;
            do
            :: taken != 0 -> m = older[taken]; older[taken] = oldest; oldest = taken; taken = m
            :: else -> break
            od
        };
        do
        :: oldest != 0 ->
            d_step { m = oldest; oldest = older[oldest]; older[m] = 0 };
            handle(a, m)
        :: else -> break
        od;
        skip;
        d_step { m = 0; found = 0; sent = 0; before = 0; w = 0; slept = false }
    od
}

inline finish()
{
    finished = true;
    w = 0;
    do
    :: w < WORKERS -> unpark(w, slept); w++
    :: else -> break
    od
}

// Goes to sleep, unless there is something to do or the run is over; a searcher again afterwards.
inline park()
{
    parked[me] = ASLEEP;
    sleeping++;
    searching--;
    seen = awakenings;
    is_end = sleeping == WORKERS;
    is_end = is_end && pending == 0;
    is_end = is_end && len(queue) == 0;
    is_end = is_end && awakenings == seen;
    if
    :: is_end -> finish()
    :: else ->
        if
        :: len(queue) == 0 && !finished ->
            if
            :: parked[me] != ASLEEP
#ifdef WATCH
            :: atomic { watches < WATCH -> watches++ }
#endif
            fi
        :: else
        fi
    fi;
    unpark(me, slept);
    parked[me] == AWAKE;
    d_step { seen = 0; is_end = false; slept = false; w = 0 }
}

proctype Carrier(byte me)
{
    byte cell = 255, before, sent, m, found, taken, oldest, seen, w;
    bool slept, is_end;
    do
    :: finished -> break
    :: else ->
        cell = 255;
        if
        :: successor[me] != 255 -> cell = successor[me]; successor[me] = 255
        :: else ->
            searching++;
            do
            :: queue?cell -> break
            :: len(queue) == 0 ->
                if
                :: finished -> break
                :: else -> park()
                fi
            od;
            searching--;
            if
            :: len(queue) > 0 -> wake_one()
            :: else
            fi
        fi;
        if
        :: cell == A -> run_actor(A)
        :: cell == B -> run_actor(B)
        :: else
        fi
    od;
    assert(handled[A] == TOTAL);
#ifndef ALONE
    assert(handled[B] == TOTAL)
#endif
}

init
{
    atomic {
        byte i;
        for (i : 0 .. PRODUCERS - 1) {
            run Producer(i)
        };
        for (i : 0 .. WORKERS - 1) {
            run Carrier(i)
        }
    }
}
