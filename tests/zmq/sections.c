// SPDX-License-Identifier: MIT
// Threads that use locks: each mutex has a list of who has had it, each thread one of what it was told. What they come to
// is written to the file of the first argument, one line for each execution, so that searches can be compared by it.
//
// Arguments: FILE THREAD..., each thread a string of what it does:
//   a b c     has mutex a, b or c once
//   A B C     the same while it has mutex a
//   x y       tries mutex a or b
//   w         waits for the condition under a; s, t: signals, broadcasts it under a
//   v         waits for the condition under a for some time
//   p q       sem_post, sem_trywait
//   r u       reads, writes under the read-write lock
//   o         does once what is done once
//   m         waits for main's word while it has mutex b
//   h i       has a mutex of the heap once: one that is initialised by a call, one that is not
//   j k       joins, tries to join, the thread behind it; while it has mutex b
//   z         sleeps
// A thread in front of which a - stands is detached. "main" is no thread: main does what follows before it joins.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <zmq.h>

enum { MUTEXES = 3, THREADS_MOST = 5, LIST_MOST = 64, TEXT_MOST = 1024 };

struct list {
    char text[LIST_MOST];
};

static pthread_mutex_t mutexes[MUTEXES] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                           PTHREAD_MUTEX_INITIALIZER};
static struct list had[MUTEXES], had_heap[2], written;
static pthread_mutex_t *heap[2];
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int signalled;
static sem_t semaphore;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static char once_by;
static _Thread_local char own_name;

static struct thread {
    char name;
    const char *deeds;
    pthread_t handle;
    bool is_detached, is_joined;
    void *words, *heard; // both ends of a pair of sockets
    struct list told;
} threads[THREADS_MOST];
static int thread_count;

static void add(struct list *list, char what)
{
    list->text[strlen(list->text)] = what;
}

static void have(pthread_mutex_t *mutex, struct list *list, char name)
{
    pthread_mutex_lock(mutex);
    add(list, name);
    pthread_mutex_unlock(mutex);
}

static void try(int number, struct thread *thread)
{
    int error = pthread_mutex_trylock(&mutexes[number]);
    add(&thread->told, error ? 'n' : 'y');
    if (error)
        return;
    add(&had[number], thread->name);
    pthread_mutex_unlock(&mutexes[number]);
}

static struct timespec soon(void)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_sec++;
    return time;
}

static void wait_for_signal(struct thread *thread, bool is_patient)
{
    struct timespec deadline = soon();
    int error = 0;
    pthread_mutex_lock(&mutexes[0]);
    while (signalled == 0 && error == 0)
        error = is_patient ? pthread_cond_wait(&condition, &mutexes[0])
                           : pthread_cond_timedwait(&condition, &mutexes[0], &deadline);
    signalled -= signalled > 0;
    add(&thread->told, error ? 'l' : 'w');
    add(&had[0], thread->name);
    pthread_mutex_unlock(&mutexes[0]);
}

static void signal_all(char name, bool is_broadcast)
{
    pthread_mutex_lock(&mutexes[0]);
    signalled++;
    add(&had[0], name);
    if (is_broadcast)
        pthread_cond_broadcast(&condition);
    else
        pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutexes[0]);
}

static void use_lock(struct thread *thread, bool writes)
{
    if (writes)
        pthread_rwlock_wrlock(&lock);
    else
        pthread_rwlock_rdlock(&lock);
    if (writes)
        add(&written, thread->name);
    else
        add(&thread->told, (char)('0' + strlen(written.text)));
    pthread_rwlock_unlock(&lock);
}

static void note_once(void)
{
    once_by = own_name;
}

static void join_next(struct thread *thread, bool is_patient)
{
    struct thread *next = thread + 1;
    pthread_mutex_lock(&mutexes[1]);
    next->is_joined = is_patient ? pthread_join(next->handle, NULL) == 0
                                 : pthread_tryjoin_np(next->handle, NULL) == 0;
    add(&thread->told, next->is_joined ? 'j' : 'b');
    add(&had[1], thread->name);
    pthread_mutex_unlock(&mutexes[1]);
}

static void hear(struct thread *thread)
{
    char word;
    pthread_mutex_lock(&mutexes[1]);
    zmq_recv(thread->heard, &word, 1, 0);
    add(&had[1], thread->name);
    pthread_mutex_unlock(&mutexes[1]);
}

static void do_deed(struct thread *thread, char deed)
{
    switch (deed) {
    case 'a':
    case 'b':
    case 'c':
        have(&mutexes[deed - 'a'], &had[deed - 'a'], thread->name);
        break;
    case 'A':
    case 'B':
    case 'C':
        pthread_mutex_lock(&mutexes[0]);
        if (deed != 'A')
            have(&mutexes[deed - 'A'], &had[deed - 'A'], thread->name);
        add(&had[0], thread->name);
        pthread_mutex_unlock(&mutexes[0]);
        break;
    case 'D': // as B, the other way round
        pthread_mutex_lock(&mutexes[1]);
        have(&mutexes[0], &had[0], thread->name);
        add(&had[1], thread->name);
        pthread_mutex_unlock(&mutexes[1]);
        break;
    case 'x':
    case 'y':
        try(deed - 'x', thread);
        break;
    case 'w':
    case 'v':
        wait_for_signal(thread, deed == 'w');
        break;
    case 's':
    case 't':
        signal_all(thread->name, deed == 't');
        break;
    case 'p':
        sem_post(&semaphore);
        break;
    case 'q':
        add(&thread->told, sem_trywait(&semaphore) == 0 ? 'y' : 'n');
        break;
    case 'r':
    case 'u':
        use_lock(thread, deed == 'u');
        break;
    case 'o':
        pthread_once(&once, note_once);
        break;
    case 'm':
        hear(thread);
        break;
    case 'h':
    case 'i':
        have(heap[deed - 'h'], &had_heap[deed - 'h'], thread->name);
        break;
    case 'j':
    case 'k':
        join_next(thread, deed == 'j');
        break;
    case 'z':
        nanosleep(&(struct timespec){.tv_nsec = 1000}, NULL);
        break;
    default:
        abort();
    }
}

static void *run(void *argument)
{
    struct thread *thread = argument;
    own_name = thread->name;
    for (const char *deed = thread->deeds; *deed; deed++)
        do_deed(thread, *deed);
    return NULL;
}

static void connect_pair(void *context, struct thread *thread)
{
    char endpoint[32];
    snprintf(endpoint, sizeof endpoint, "inproc://%c", thread->name);
    thread->words = zmq_socket(context, ZMQ_PAIR);
    thread->heard = zmq_socket(context, ZMQ_PAIR);
    if (zmq_bind(thread->words, endpoint) != 0 || zmq_connect(thread->heard, endpoint) != 0)
        abort();
}

static void prepare(int argc, char **argv, struct thread *self)
{
    void *context = zmq_ctx_new();
    sem_init(&semaphore, 0, 0);
    for (int i = 0; i < 2; i++)
        heap[i] = calloc(1, sizeof **heap);
    pthread_mutex_init(heap[0], NULL);
    for (int i = 2; i < argc; i++) {
        if (strncmp(argv[i], "main", 4) == 0) {
            self->deeds = argv[i] + 4;
            continue;
        }
        struct thread *thread = &threads[thread_count];
        thread->is_detached = *argv[i] == '-';
        thread->deeds = argv[i] + thread->is_detached;
        thread->name = (char)('1' + thread_count++);
        if (strchr(thread->deeds, 'm'))
            connect_pair(context, thread);
    }
}

// From the last to the first, so that who joins the one behind it finds it.
static void start_all(void)
{
    for (int i = thread_count; i > 0; i--) {
        struct thread *thread = &threads[i - 1];
        if (pthread_create(&thread->handle, NULL, run, thread) != 0)
            abort();
        if (thread->is_detached)
            pthread_detach(thread->handle);
    }
}

// Joins all threads that can be joined and that nobody else joins.
static void join_all(void)
{
    for (int i = 0; i < thread_count; i++) {
        bool is_others = i > 0 && strchr(threads[i - 1].deeds, 'j');
        if (!threads[i].is_detached && !threads[i].is_joined && !is_others)
            pthread_join(threads[i].handle, NULL);
    }
}

static void add_list(char *text, char name, const struct list *list)
{
    size_t length = strlen(text);
    snprintf(text + length, TEXT_MOST - length, "%c=%s ", name, list->text);
}

static void add_locked(char *text, char name, const struct list *list, pthread_mutex_t *mutex)
{
    pthread_mutex_lock(mutex);
    add_list(text, name, list);
    pthread_mutex_unlock(mutex);
}

// Threads that are detached may still run: their locks are taken for this, and what has none is left out.
static void write_all(const char *file, const struct thread *self)
{
    char text[TEXT_MOST] = "";
    bool are_joined = true;
    for (int i = 0; i < MUTEXES; i++)
        add_locked(text, (char)('a' + i), &had[i], &mutexes[i]);
    for (int i = 0; i < 2; i++)
        add_locked(text, (char)('h' + i), &had_heap[i], heap[i]);
    pthread_rwlock_rdlock(&lock);
    add_list(text, 'u', &written);
    pthread_rwlock_unlock(&lock);
    add_list(text, self->name, &self->told);
    for (int i = 0; i < thread_count; i++) {
        are_joined &= !threads[i].is_detached;
        if (!threads[i].is_detached)
            add_list(text, threads[i].name, &threads[i].told);
    }
    if (are_joined && once_by)
        add_list(text, 'o', &(struct list){{once_by}});
    size_t length = strlen(text);
    text[length++] = '\n';
    int descriptor = open(file, O_WRONLY | O_APPEND | O_CREAT, 0644);
    if (descriptor < 0 || write(descriptor, text, length) != (ssize_t)length)
        abort();
    close(descriptor);
}

int main(int argc, char **argv)
{
    struct thread self = {.name = 'M', .deeds = ""};
    if (argc < 3)
        return 2;
    prepare(argc, argv, &self);
    start_all();
    for (int i = 0; i < thread_count; i++)
        if (threads[i].words)
            zmq_send(threads[i].words, "", 1, 0);
    run(&self);
    join_all();
    write_all(argv[1], &self);
    return 0;
}
