// SPDX-License-Identifier: MIT
// Where an address or a number gets along a way that is easy to overlook: every `hit` is reached when the program runs, and
// has to be in the graph. `zero` is 0, and what `far` gives is more than the analysis knows.
#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(start);
RH_SIGNAL(taken);
RH_SIGNAL(first);
RH_SIGNAL(second);
RH_SIGNAL(third);
RH_SIGNAL(fourth);

struct all {
    rh_actor *a, *b, *c, *d;
    int zero;
};

#define hit(to) rh_send((to), taken)

__attribute__((noinline)) static int far(const struct all *all, int number)
{
    return number + all->zero;
}

// --- Ends of arrays. ---

static void behind_the_last(const struct all *all)
{
    rh_actor *peers[4] = {all->a, all->b, all->c, all->d};
    rh_actor **end = &peers[far(all, 4)];
    hit(end[-1]);
}

struct entry {
    long key;
    rh_actor *peer;
    long weight;
};

static void behind_the_last_on_the_heap(const struct all *all)
{
    struct entry *entries = calloc(4, sizeof *entries);
    entries[3].peer = all->d;
    struct entry *end = &entries[far(all, 4)];
    hit(end[-1].peer);
    free(entries);
}

struct neighbours {
    rh_actor *first[2];
    rh_actor *second[2];
};

static void down_to_the_first(const struct all *all)
{
    struct neighbours two = {{all->a, all->b}, {all->c, all->d}};
    rh_actor **at = &two.first[2];
    while (at > two.first)
        hit(*--at);
}

static void down_by_an_index(const struct all *all)
{
    struct neighbours two = {{all->a, all->b}, {all->c, all->d}};
    rh_actor **end = two.first + 2;
    for (int i = 1; i <= far(all, 2); i++)
        hit(end[-i]);
}

static void atomic_step(const struct all *all)
{
    rh_actor *peers[4] = {all->a, all->b, all->c, all->d};
    rh_actor **at = peers;
    __atomic_fetch_add(&at, sizeof *at, __ATOMIC_SEQ_CST);
    hit(*at);
}

// --- Unions. ---

union form {
    struct {
        long few[2];
        long more[4];
    } numbers;
    rh_actor *peers[6];
};

static void other_form(const struct all *all)
{
    union form form = {.numbers = {.few = {1, 2}}};
    form.peers[3] = all->d;
    rh_actor **peers = form.peers;
    hit(peers[far(all, 3)]);
}

static void other_form_of_a_variable(const struct all *all)
{
    static union {
        long few[2];
        rh_actor *peers[6];
    } form = {.few = {1, 2}};
    form.peers[3] = all->d;
    rh_actor **peers = form.peers;
    rh_actor *found = peers[far(all, 3)];
    form.peers[3] = NULL; // a variable that changes is a finding
    hit(found);
}

// --- Copies. ---

static void several_elements(const struct all *all)
{
    rh_actor *peers[4] = {all->a, all->b, all->c, all->d}, *two[2], *three[3];
    memcpy(two, &peers[far(all, 2)], sizeof two);
    hit(two[1]);
    memcpy(three, &peers[far(all, 1)], (size_t)far(all, 3) * sizeof *three);
    hit(three[2]);
}

static void several_structs(const struct all *all)
{
    struct entry four[4] = {{1, all->a, 5}, {2, all->b, 6}, {3, all->c, 7}, {4, all->d, 8}}, two[2];
    memcpy(two, &four[far(all, 2)], sizeof two);
    hit(two[1].peer);
    if (two[1].weight == 8)
        hit(all->a);
}

// --- Numbers of which a part is written, or read. ---

static void a_byte_of_a_number(const struct all *all)
{
    char *bytes = calloc(1, 64);
    *(int *)(void *)(bytes + far(all, 0)) = 256;
    if (bytes[1] == 1)
        hit(all->a);
    free(bytes);
}

static void between_two_numbers(const struct all *all)
{
    char bytes[16] = {0};
    int number = 0x01020304, found;
    memcpy(&bytes[far(all, 3)], &number, sizeof number);
    memcpy(&found, &bytes[far(all, 4)], sizeof found);
    if (found == 0x00010203)
        hit(all->a);
    memcpy(&found, &bytes[4], sizeof found);
    if (found == 0x00010203)
        hit(all->b);
}

static void zero_in_a_byte(const struct all *all)
{
    short *number = calloc(1, sizeof *number);
    *number = 0x0101;
    ((char *)number)[1] = 0;
    if (*number == 1)
        hit(all->a);
    *number = 0x0101;
    memset(number, 0, (size_t)far(all, 1));
    if (*number == 0x0100)
        hit(all->b);
    free(number);
}

static void zero_from_elsewhere(const struct all *all)
{
    char *zeros = calloc(1, 8);
    short one = 0x0101, four[4] = {0x0101, 0x0101, 0x0101, 0x0101};
    memcpy(&one, zeros, (size_t)far(all, 1));
    if (one == 0x0100)
        hit(all->a);
    memcpy((char *)four + 1, zeros, 4);
    if (four[0] == 1 && four[2] == 0x0100)
        hit(all->b);
    free(zeros);
}

struct mixed {
    long number;
    double real;
};

__attribute__((noinline)) static struct mixed make_mixed(double real)
{
    return (struct mixed){0, real};
}

static void bits_of_a_real(const struct all *all)
{
    struct mixed mixed = make_mixed(far(all, 1));
    uint64_t bits;
    memcpy(&bits, &mixed.real, sizeof bits);
    if (bits == 0x3ff0000000000000)
        hit(all->a);
}

static void wide_number(const struct all *all)
{
    switch ((unsigned __int128)(uint64_t)((long)all->zero - 1)) {
    case (unsigned __int128)UINT64_MAX:
        hit(all->a);
        break;
    default:
        break;
    }
}

static void wide_zero(const struct all *all)
{
    switch ((__int128)all->zero) {
    case 0:
        hit(all->a);
        break;
    default:
        break;
    }
}

__attribute__((noinline)) static double boxed(double value)
{
    return value;
}

static void address_in_a_real(const struct all *all)
{
    union {
        double real;
        rh_actor *actor;
    } box = {.actor = all->b}, other;
    other.real = boxed(box.real);
    hit(other.actor);
}

static void number_of_characters(const struct all *all)
{
    int count = 0;
    printf("some%n\n", &count);
    if (count == 4)
        hit(all->a);
}

// --- Code that is found in other ways. ---

__attribute__((visibility("default"))) rh_actor *same(rh_actor *actor);

rh_actor *same(rh_actor *actor)
{
    return actor;
}

static void function_from_the_loader(const struct all *all)
{
    rh_actor *(*found)(rh_actor *) = (rh_actor * (*)(rh_actor *)) dlsym(RTLD_DEFAULT, "same");
    hit(found(all->a));
}

static void resolved(rh_actor *actor)
{
    hit(actor);
}

static void (*resolve(void))(rh_actor *)
{
    return resolved;
}

void chosen_by_the_loader(rh_actor *actor) __attribute__((ifunc("resolve")));

static void function_that_the_loader_chooses(const struct all *all)
{
    chosen_by_the_loader(all->b);
}

static void aliased(rh_actor *actor)
{
    hit(actor);
}

void other_name(rh_actor *actor) __attribute__((alias("aliased")));

static void function_of_another_name(const struct all *all)
{
    other_name(all->c);
}

static void computed_goto(const struct all *all)
{
    static const void *const labels[] = {&&never, &&always};
    goto *labels[far(all, 1)];
never:
    return;
always:
    hit(all->b);
}

static void long_jump(const struct all *all)
{
    jmp_buf place;
    if (setjmp(place) == 3) {
        hit(all->a);
        return;
    }
    longjmp(place, 3);
}

static void assembly(const struct all *all)
{
    rh_actor *out = NULL, *in = all->b;
    __asm__ volatile("mov %1, %%rax; mov %%rax, %0" : "=m"(out) : "m"(in) : "rax");
    hit(out);
}

// --- Values of several parts. ---

typedef long pair __attribute__((vector_size(16)));

static void vectors(const struct all *all)
{
    pair one = {(long)all->a, (long)all->b}, other = {(long)all->c, (long)all->d}, mask = {-1, 0};
    pair mixed = (one & mask) | (other & ~mask);
    hit((rh_actor *)mixed[far(all, 0)]);
    hit((rh_actor *)mixed[1]);
}

struct large {
    rh_actor *peers[6];
    int number;
};

__attribute__((noinline)) static struct large make_large(const struct all *all)
{
    return (struct large){{all->a, all->b, all->c, all->d}, 7};
}

__attribute__((noinline)) static rh_actor *take_large(struct large large, int index)
{
    return large.number == 7 ? large.peers[index] : NULL;
}

static void by_value(const struct all *all)
{
    hit(take_large(make_large(all), far(all, 2)));
}

// --- What optimizing makes a table of distances of. ---

__attribute__((noinline)) static const struct rh_type *type_of(int number)
{
    switch (number) {
    case 0:
        return &rh__type_first;
    case 1:
        return &rh__type_second;
    case 2:
        return &rh__type_third;
    case 3:
        return &rh__type_fourth;
    default:
        return &rh__type_taken;
    }
}

static void table_of_types(const struct all *all)
{
    for (int i = 0; i < 5; i++)
        rh__send(all->a, type_of(far(all, i)), NULL, 0, __FILE__, __LINE__);
}

// --- What goes out and comes in again. ---

static void through_a_pipe(const struct all *all)
{
    int ends[2];
    struct entry entry = {1, all->a, 2}, *found, copy;
    const struct entry *sent = &entry;
    if (pipe(ends) || write(ends[1], &sent, sizeof sent) < 0 ||
        read(ends[0], &found, sizeof found) < 0)
        return;
    hit(found->peer);
    if (write(ends[1], &entry, sizeof entry) < 0 || read(ends[0], &copy, sizeof copy) < 0)
        return;
    hit(copy.peer);
    close(ends[0]);
    close(ends[1]);
}

static void through_a_file(const struct all *all)
{
    FILE *file = tmpfile();
    struct entry entry = {1, all->b, 2}, copy;
    fwrite(&entry, sizeof entry, 1, file);
    rewind(file);
    if (fread(&copy, sizeof copy, 1, file) == 1)
        hit(copy.peer);
    fclose(file);
}

static void through_streams_in_memory(const struct all *all)
{
    char *made = NULL, own[64];
    size_t size = 0;
    rh_actor *found;
    FILE *stream = open_memstream(&made, &size);
    fwrite(&all->c, sizeof all->c, 1, stream);
    fclose(stream);
    memcpy(&found, made, sizeof found);
    hit(found);
    free(made);
    stream = fmemopen(own, sizeof own, "w");
    fwrite(&all->d, sizeof all->d, 1, stream);
    fclose(stream);
    memcpy(&found, own, sizeof found);
    hit(found);
}

__attribute__((format(printf, 3, 4))) static void write_text(char *to, size_t size,
                                                             const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(to, size, format, list);
    va_end(list);
}

static void through_texts(const struct all *all)
{
    char text[40];
    void *found = NULL;
    snprintf(text, sizeof text, "%p", (void *)all->a);
    if (sscanf(text, "%p", &found) == 1)
        hit(found);
    snprintf(text, sizeof text, "%lx", (unsigned long)all->b);
    hit((rh_actor *)strtoul(text, NULL, 16));
    write_text(text, sizeof text, "%lu", (unsigned long)all->c);
    hit((rh_actor *)strtoul(text, NULL, 10));
}

// --- What the linker and the loader put together. ---

struct in_section {
    int number;
    void (*run)(rh_actor *actor);
};

static void first_in_section(rh_actor *actor)
{
    hit(actor);
}

static void second_in_section(rh_actor *actor)
{
    hit(actor);
}

static const struct in_section one_entry
    __attribute__((used, section("entries"))) = {1, first_in_section};
static const struct in_section other_entry
    __attribute__((used, section("entries"))) = {2, second_in_section};
extern const struct in_section __start_entries[], __stop_entries[];

static void all_of_a_section(const struct all *all)
{
    for (const struct in_section *each = __start_entries; each < __stop_entries; each++)
        each->run(each->number == 1 ? all->a : all->b);
}

__attribute__((visibility("default"))) void sending(rh_actor *actor);

void sending(rh_actor *actor)
{
    hit(actor);
}

static void sender_from_the_loader(const struct all *all)
{
    void (*found)(rh_actor *) = (void (*)(rh_actor *))dlsym(RTLD_DEFAULT, "sending");
    found(all->d);
}

static int started;

static void start_up(void)
{
    started = 5;
}

static void (*at_start)(void) __attribute__((used, section(".init_array"))) = start_up;

static void function_in_a_section(const struct all *all)
{
    if (started == 5)
        hit(all->c);
}

static void on_signal(int number)
{
    (void)number;
    hit(rh_self());
}

static void catch_signal(void)
{
    signal(SIGUSR1, on_signal);
}

static void (*catch_at_start)(void) __attribute__((used, section(".init_array"))) = catch_signal;

static void signal_to_oneself(const struct all *all)
{
    (void)all;
    raise(SIGUSR1);
}

// --- Structs among variable arguments. ---

__attribute__((noinline)) static rh_actor *last_of(int count, ...)
{
    va_list list;
    struct large large = {.number = 0};
    va_start(list, count);
    for (int i = 0; i < count; i++)
        large = va_arg(list, struct large);
    va_end(list);
    return large.peers[2];
}

static void variable_structs(const struct all *all)
{
    hit(last_of(far(all, 1), make_large(all)));
}

// --- Lines that optimizing puts together. ---

static void one_of_two_lines(const struct all *all)
{
    for (int i = 0; i < far(all, 2); i++)
        switch (i) {
        case 0:
            hit(all->a);
            break;
        default:
            hit(all->b);
            break;
        }
}

// Each is looked at by itself, too, since what one of them lets out of sight may be found again by another.
static void (*const corners[])(const struct all *) = {
#ifdef ONLY
    ONLY,
#else
    behind_the_last,
    behind_the_last_on_the_heap,
    down_to_the_first,
    down_by_an_index,
    atomic_step,
    other_form,
    other_form_of_a_variable,
    several_elements,
    several_structs,
    a_byte_of_a_number,
    between_two_numbers,
    zero_in_a_byte,
    zero_from_elsewhere,
    bits_of_a_real,
    wide_number,
    wide_zero,
    address_in_a_real,
    number_of_characters,
    function_from_the_loader,
    function_that_the_loader_chooses,
    function_of_another_name,
    computed_goto,
    long_jump,
    assembly,
    vectors,
    by_value,
    table_of_types,
    through_a_pipe,
    through_a_file,
    through_streams_in_memory,
    through_texts,
    all_of_a_section,
    sender_from_the_loader,
    function_in_a_section,
    signal_to_oneself,
    variable_structs,
    one_of_two_lines,
#endif
};

#define CORNERS (sizeof corners / sizeof corners[0])

static void a_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    rh_ignore(message);
}

static void b_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    rh_ignore(message);
}

static void c_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    rh_ignore(message);
}

static void d_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    rh_ignore(message);
}

static void walker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct all *all = state;
    (void)self;
    rh_ignore(message);
    for (size_t i = 0; i < CORNERS; i++)
        corners[i](all);
}

RH_TEST(corners)
{
    struct all all = {rh_spawn(a_behaviour), rh_spawn(b_behaviour), rh_spawn(c_behaviour),
                      rh_spawn(d_behaviour), 0};
    rh_actor *walker = rh_spawn_sized(walker_behaviour, &all, sizeof all);
    rh_send(walker, start);
}
