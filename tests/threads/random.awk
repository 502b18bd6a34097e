# SPDX-License-Identifier: MIT
# Makes a program of `count` random tests of threads, from `seed`: plain and atomic variables, two
# mutexes, one semaphore and one condition variable. Small enough for plain enumeration.
function pick(n) { return int(rand() * n) }
function variable() { return substr("xyz", pick(3) + 1, 1) }
function atomic() { return substr("ab", pick(2) + 1, 1) }
# With `fails` a statement may end the execution.
function statement(held,   kind) {
    if (fails && pick(4) == 0) return ending()
    kind = pick(held ? 7 : 8)
    if (kind == 0) return variable() "++;"
    if (kind == 1) return variable() " = " variable() " + 1;"
    if (kind == 2) return variable() " = " pick(3) ";"
    if (kind == 3) return atomic() "++;"
    if (kind == 4) return "if (" atomic() " == " pick(2) ") " variable() " = " pick(4) ";"
    if (kind == 5) return "sem_post(&s);"
    if (kind == 6) return "if (sem_trywait(&s) == 0) " atomic() " = " pick(3) ";"
    return section()
}
function ending(   kind) {
    kind = pick(3)
    if (kind == 0) return "RH_CHECK(" variable() " != " pick(3) ");"
    if (kind == 1) return "RH_CHECK(" atomic() " != " pick(3) ");"
    return "if (" atomic() " > " pick(2) ") abort();"
}
function section(   lock, text, i, n) {
    lock = substr("mn", pick(2) + 1, 1)
    text = "pthread_mutex_lock(&" lock "); "
    n = pick(3)
    if (n == 0) text = text "if (!" variable() ") pthread_cond_wait(&c, &" lock "); "
    else if (n == 1) text = text variable() " = 1; pthread_cond_signal(&c); "
    else if (pick(3) == 0) text = "if (pthread_mutex_trylock(&" lock ") != 0) " variable() "++; else { " statement(1) " pthread_mutex_unlock(&" lock "); }"
    else text = text statement(1) " "
    return text ~ /trylock/ ? text : text "pthread_mutex_unlock(&" lock ");"
}
BEGIN {
    srand(seed)
    print "#include <pthread.h>\n#include <rehearse/component.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n#include <stdlib.h>"
    print "static int x, y, z;\nstatic _Atomic int a, b;\nstatic sem_t s;"
    print "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;"
    print "static pthread_cond_t c = PTHREAD_COND_INITIALIZER;"
    for (i = 0; i < count; i++) {
        threads = 2 + (pick(4) == 0)
        print "RH_THREADS(t" i ")\n{"
        for (k = 0; k < threads; k++) {
            print "    rh_thread\n    {"
            for (l = 0; l < (threads == 2 ? 3 : 2); l++) print "        " statement(0)
            print "    }"
        }
        print "}"
    }
}
