#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A shared library meets the interposed functions from its constructor on, before the program's own
# constructors have run; and dlopen still searches the paths of the library that calls it.
set -eu
cc=${CC:-cc}
mkdir plugins

cat >plugin.c <<'END'
int plugin(void) { return 5; }
END
cat >library.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static int early;
__attribute__((constructor)) static void start(void)
{
    char byte;
    int file = open("/dev/null", O_RDONLY);
    early = file >= 0 && read(file, &byte, 1) == 0 && close(file) == 0 && time(NULL) > 1000;
    free(realloc(malloc(10), 1000));
    FILE *stream = fopen("/dev/null", "r");
    early = early && stream && fclose(stream) == 0 && setenv("EARLY", "1", 1) == 0;
}
int was_early(void) { return early; }
void *load_plugin(void) { return dlopen("libplugin.so", RTLD_NOW); }
END
cat >program.c <<'END'
#include <stdio.h>
#include "libc/libc_warm_up.h"
int was_early(void);
void *load_plugin(void);
int main(int argc, char **argv)
{
    (void)argv;
    rh_libc_warm_up();
    if (!was_early())
        return puts("the library's constructor failed"), 1;
    if (argc > 1 && !load_plugin())
        return puts("the library's own path was not searched"), 1;
    return 0;
}
END

# shellcheck disable=SC2016,SC2046,SC2086
{
    $cc -shared -fPIC plugin.c -o plugins/libplugin.so
    $cc -shared -fPIC library.c -o liblibrary.so -Wl,-rpath,'$ORIGIN/plugins',--enable-new-dtags
    $cc ${CFLAGS:-} -I"$SOURCE/src" program.c "$BUILD/librehearse.a" -L. -llibrary \
        $(pkg-config --libs libdw libelf jansson) -lm ${LDLIBS:-} -Wl,-rpath,"$PWD" -o program
}
# AddressSanitizer has a dlopen of its own that forgets who called.
case ${CFLAGS:-} in
*-fsanitize*) ASAN_OPTIONS=detect_leaks=0 ./program ;;
*) ./program plugin ;;
esac
