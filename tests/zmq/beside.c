// SPDX-License-Identifier: MIT
// Opens a library by the name in its second argument, beside the one that it is linked with, and uses it if the first
// argument is `use`.
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <zmq.h>

int main(int argc, char **argv)
{
    void *context = zmq_ctx_new();
    void *library = argc > 2 ? dlopen(argv[2], RTLD_NOW | RTLD_LOCAL) : NULL;
    void *(*make_context)(void) = NULL;
    void *(*make_socket)(void *, int) = NULL;
    int (*close_socket)(void *) = NULL, (*end_context)(void *) = NULL;
    if (!library)
        return 2;
    *(void **)&make_context = dlsym(library, "zmq_ctx_new");
    *(void **)&make_socket = dlsym(library, "zmq_socket");
    *(void **)&close_socket = dlsym(library, "zmq_close");
    *(void **)&end_context = dlsym(library, "zmq_ctx_term");
    if (strcmp(argv[1], "use") == 0) {
        void *other = make_context();
        close_socket(make_socket(other, ZMQ_PAIR));
        end_context(other);
    }
    zmq_ctx_term(context);
    printf("%s\n", make_context == zmq_ctx_new ? "the same" : "another one");
    return 0;
}
