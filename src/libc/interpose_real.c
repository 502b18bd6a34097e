// SPDX-License-Identifier: MIT
#include "libc/real.h"

#include "memory/early.h"

#include <dlfcn.h>
#include <stdio.h>

// Present when the program is built with a sanitizer.
extern void __asan_init(void) __attribute__((weak));
extern void __tsan_init(void) __attribute__((weak));
extern void __msan_init(void) __attribute__((weak));

// A sanitizer that is linked statically defines its own read in the executable, where RTLD_NEXT
// does not look; the sanitizer calls this function __interceptor_read as well.
static void *find_interceptor(const char *name)
{
    if (!__asan_init && !__tsan_init && !__msan_init) {
        return NULL;
    }
    char full_name[64];
    snprintf(full_name, sizeof full_name, "__interceptor_%s", name);
    return dlsym(RTLD_DEFAULT, full_name);
}

static void *find_real(const char *name)
{
    void *interceptor = find_interceptor(name);
    return interceptor ? interceptor : dlsym(RTLD_NEXT, name);
}

void rh__real_resolve(const char *const *names, void **addresses, size_t count)
{
    if (__atomic_load_n(&addresses[0], __ATOMIC_ACQUIRE)) {
        return;
    }
    int was_inside = rh__step_outside();
    int kept_errno = errno;
    // Memory that the dynamic linker allocates for us is not the program's.
    bool asks = rh__early_asks;
    rh__early_asks = false;
    for (size_t i = count; i-- > 0;) {
        __atomic_store_n(&addresses[i], find_real(names[i]), __ATOMIC_RELEASE);
    }
    rh__early_asks = asks;
    errno = kept_errno;
    rh__step_inside(was_inside);
}
