// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file_name.h"
#include "base/input_file.h"
#include "base/line.h"
#include "cli/command.h"
#include "cli/doctor.h"

// What a program needs besides librehearse.a; rehearse.pc has the same list.
static const char library_flags[] = "-ldw -lelf -ljansson -lm";
// With librehearse-threads.a.
static const char threads_flags[] = "-ldw -lelf -ljansson -lm -pthread -ldl";

enum { COMMENT_BYTES = 8192, COMMENT_LINES = 50 };

// Everything that one build needs to know.
struct build {
    struct rh_children *children;
    const struct rh_folder *folder;
    struct rh_layout layout;
    struct rh_words cflags; // from --cflags and comments, for every source
    struct rh_words libs;   // from --libs and comments
    struct rh_words objects;
    bool has_cxx;
    bool threads;    // as in struct rh_options
    bool has_unseen; // object files that the search of threads does not see into
    bool lines;      // what executions take is to be written down: see src/lines
};

static void build_fini(struct build *build)
{
    rh_layout_fini(&build->layout);
    rh_words_fini(&build->cflags);
    rh_words_fini(&build->libs);
    rh_words_fini(&build->objects);
}

static void append(struct rh_words *words, const struct rh_words *more)
{
    for (size_t i = 0; i < more->count; i++)
        rh_words_add(words, more->items[i]);
}

static struct rh_status add_flags(struct rh_words *words, const char *flags, const char *origin)
{
    if (flags && !rh_words_split(words, flags))
        return rh_bad_input("a quote is not closed in %s: %s", origin, flags);
    return rh_ok();
}

static struct rh_status add_variable(struct rh_words *words, const char *variable)
{
    return add_flags(words, getenv(variable), variable);
}

// --- The comment `// rehearse: --cflags ... --libs ...`. ---

// Sorts the words of the comment: each belongs to the last --cflags or --libs before it.
static struct rh_status sort_flags(struct build *build, const struct rh_words *words,
                                   const char *path, int line)
{
    struct rh_words *target = NULL;
    struct rh_status status = rh_ok();
    for (size_t i = 0; rh_is_ok(&status) && i < words->count; i++) {
        const char *word = words->items[i];
        if (!strcmp(word, "--cflags"))
            target = &build->cflags;
        else if (!strcmp(word, "--libs"))
            target = &build->libs;
        else if (target)
            status = rh_flags_take(target, words, &i, path, line);
        else
            status = rh_bad_input("%s:%d: a rehearse comment has --cflags or --libs, not %s", path,
                                  line, rh_excerpt_of(word, strlen(word)).text);
    }
    return status;
}

static struct rh_status read_comment_line(struct build *build, char *text, const char *path,
                                          int line)
{
    text += strspn(text, " \t");
    if (strncmp(text, "//", 2) != 0 && strncmp(text, "/*", 2) != 0)
        return rh_ok();
    text += 2;
    text += strspn(text, " \t");
    if (strncmp(text, "rehearse:", 9) != 0)
        return rh_ok();
    char *end = strstr(text, "*/");
    if (end)
        *end = '\0';
    struct rh_words words = {0};
    struct rh_status status = rh_words_split(&words, text + 9)
                                  ? sort_flags(build, &words, path, line)
                                  : rh_bad_input("%s:%d: a quote is not closed", path, line);
    rh_words_fini(&words);
    return status;
}

static struct rh_status read_comments(struct build *build, const char *path)
{
    char bytes[COMMENT_BYTES + 1];
    struct rh_input_file file;
    struct rh_status status = rh_input_open(&file, path);
    if (!rh_is_ok(&status))
        return status;
    ssize_t count = read(file.descriptor, bytes, COMMENT_BYTES);
    int error = errno;
    rh_input_close(&file);
    if (count < 0)
        return rh_bad_input("cannot read %s: %s", path, strerror(error));
    bytes[count] = '\0';
    // Who includes this has tests of threads.
    build->threads = build->threads || strstr(bytes, "#include <rehearse/component.h>");
    char *rest = bytes, *text;
    for (int line = 1; rh_is_ok(&status) && line <= COMMENT_LINES && (text = strsep(&rest, "\n"));
         line++)
        status = read_comment_line(build, text, path, line);
    return status;
}

// --- Compiling and linking. ---

static struct rh_status add_compiler(struct rh_words *command, bool is_cxx)
{
    const char *variable = is_cxx ? "CXX" : "CC";
    const char *value = getenv(variable);
    bool is_set = value && value[strspn(value, " \t")];
    return add_flags(command, is_set ? value : is_cxx ? "c++" : "cc", variable);
}

static bool is_there(const char *compiler)
{
    struct rh_text path = {0};
    bool is_found = rh_doctor_find_command(compiler, &path);
    rh_text_fini(&path);
    return is_found;
}

// Runs one step. If the step fails, the compiler has already said why.
static struct rh_status run_step(struct build *build, const struct rh_words *command,
                                 const char *what, const char *verb)
{
    int wait_status;
    struct rh_status status = rh_children_run(build->children, command, -1, -1, &wait_status);
    if (!rh_is_ok(&status))
        return rh_status_make(is_there(command->items[0]) ? RH_FAILED : RH_BAD_INPUT,
                              "%s does not %s: %.800s", what, verb, status.text);
    if (build->children->interrupted)
        return rh_failed("interrupted while compiling %s", what);
    if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == RH_STATUS_NOT_LOADED)
        return rh_failed("%s does not %s: %s can't be loaded", what, verb, command->items[0]);
    if (!WIFEXITED(wait_status) || WEXITSTATUS(wait_status))
        return rh_bad_input("%s does not %s", what, verb);
    return rh_ok();
}

// A file whose name begins like a flag, or like a file of flags, is a file all the same.
static void add_file(struct rh_words *command, const char *path)
{
    rh_words_addf(command, "%s%s", *path == '-' || *path == '@' ? "./" : "", path);
}

static bool names_standard(const struct rh_words *words)
{
    for (size_t i = 0; i < words->count; i++)
        if (!strncmp(words->items[i], "-std=", 5) || !strncmp(words->items[i], "--std", 5) ||
            !strcmp(words->items[i], "-ansi"))
            return true;
    return false;
}

// Whether the compiler is clang, by its name or by what it says of itself.
static bool is_clang(const char *compiler)
{
    if (strstr(rh_base_name(compiler), "clang"))
        return true;
    char *real = realpath(compiler, NULL);
    bool is_one = real && strstr(rh_base_name(real), "clang");
    free(real);
    return is_one;
}

// A call before each access, without which nothing is seen; and also before one that reads what the
// same code then writes, which clang leaves out: `x++` would be one event. -O1: without, gcc makes
// locals accesses; with more, the compiler merges what people would tell apart.
static struct rh_status add_instrumentation(struct rh_words *command)
{
    // What the compiler makes itself of a call of these has no call before it.
    static const char *const served[] = {
        "memcpy", "memmove", "mempcpy", "memset", "bzero", "bcopy", "memcmp", "memchr", "strlen",
        "strnlen", "strcmp", "strncmp", "strchr", "strrchr", "strstr", "strcpy", "stpcpy", "strcat",
        "strncat", "strncpy", "strdup", "strndup", "sprintf", "snprintf", "puts", "fputs", "fwrite",
        "printf", "fprintf", "vsprintf", "vsnprintf",
        // Of these clang makes variables, and what it does to those is nobody's access.
        "malloc", "calloc", "realloc", "free", "aligned_alloc"};
    bool is_one = is_clang(command->items[0]);
    for (size_t i = 0; i < sizeof served / sizeof *served; i++)
        rh_words_addf(command, "-fno-builtin-%s", served[i]);
    return add_flags(command,
                     is_one ? "-O1 -fsanitize=thread -mllvm -tsan-instrument-read-before-write=1 "
                              "-mllvm -tsan-distinguish-volatile=1 -U_FORTIFY_SOURCE"
                            : "-O1 -fsanitize=thread --param tsan-distinguish-volatile=1 "
                              "-U_FORTIFY_SOURCE",
                     "the flags for threads");
}

// A call at the beginning of each block, in each function with a frame: see src/lines/code.h. Of
// what both compilers have, this alone needs no table of theirs. clang puts one on every edge that
// needs it, but leaves out blocks that it can infer unless it is told not to.
static struct rh_status add_hooks(struct rh_words *command)
{
    struct rh_status status =
        add_flags(command, "-fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-jump-tables",
                  "the flags for lines");
    bool is_one = is_clang(command->items[0]);
    if (rh_is_ok(&status))
        status = add_flags(command,
                           is_one ? "-mno-omit-leaf-frame-pointer "
                                    "-fsanitize-coverage=edge,trace-pc,no-prune"
                                  : "-fsanitize-coverage=trace-pc",
                           "the flags for lines");
    return status;
}

static struct rh_status compile_one(struct build *build, const char *source, bool is_cxx)
{
    struct rh_words command = {0};
    struct rh_status status = add_compiler(&command, is_cxx);
    if (rh_is_ok(&status))
        status = add_variable(&command, is_cxx ? "CXXFLAGS" : "CFLAGS");
    if (rh_is_ok(&status)) {
        append(&command, &build->cflags);
        // The headers need C++20, which is not every compiler's default.
        if (is_cxx && !names_standard(&command))
            rh_words_add(&command, "-std=gnu++20");
        if (build->threads)
            status = add_instrumentation(&command);
        else if (build->lines)
            status = add_hooks(&command);
        rh_words_addf(&build->objects, "%s/object-%zu.o", build->folder->path,
                      build->objects.count);
        rh_words_add(&command, "-g");
        rh_words_addf(&command, "-I%s", build->layout.include_directory);
        rh_words_add(&command, "-c");
        add_file(&command, source);
        rh_words_add(&command, "-o");
        rh_words_add(&command, build->objects.items[build->objects.count - 1]);
        if (rh_is_ok(&status))
            status = run_step(build, &command, source, "compile");
    }
    rh_words_fini(&command);
    return status;
}

// Whether nothing in the object file or library was compiled with a call before each access: what
// is would call this as it starts.
static bool is_unseen(const char *path)
{
    enum { SIZE_MOST = 1 << 28 };
    static const char call[] = "__tsan_init";
    struct rh_text bytes = {0};
    struct rh_status status = rh_text_read_file(&bytes, path, SIZE_MOST);
    bool is_unseen = rh_is_ok(&status) && !memmem(bytes.bytes, bytes.length, call, strlen(call));
    rh_text_fini(&bytes);
    return is_unseen;
}

static struct rh_status compile_all(struct build *build, const struct rh_words *sources)
{
    for (size_t i = 0; i < sources->count; i++) {
        enum rh_file_kind kind = rh_file_kind_of(sources->items[i]);
        struct rh_status status = rh_ok();
        build->has_unseen =
            build->has_unseen || (kind == RH_FILE_LINK && is_unseen(sources->items[i]));
        if (kind == RH_FILE_LINK)
            add_file(&build->objects, sources->items[i]);
        else
            status = compile_one(build, sources->items[i], kind == RH_FILE_CXX);
        if (!rh_is_ok(&status))
            return status;
        build->has_cxx = build->has_cxx || kind == RH_FILE_CXX;
    }
    return rh_ok();
}

static bool is_source(const char *path)
{
    enum rh_file_kind kind = rh_file_kind_of(path);
    return kind == RH_FILE_C || kind == RH_FILE_CXX;
}

static struct rh_status gather(struct build *build, const struct rh_options *options,
                               const struct rh_words *sources)
{
    struct rh_status status = rh_layout_find(&build->layout);
    for (size_t i = 0; rh_is_ok(&status) && i < sources->count; i++)
        status = is_source(sources->items[i]) ? read_comments(build, sources->items[i])
                                              : rh_input_check(sources->items[i]);
    if (rh_is_ok(&status))
        status = add_flags(&build->cflags, options->cflags, "--cflags");
    if (rh_is_ok(&status))
        status = add_flags(&build->libs, options->libs, "--libs");
    return status;
}

// --- Bitcode. ---

// These stand behind all other flags. -O1 with -disable-llvm-passes changes no code, but leaves it
// unmarked, so that the analysis may prepare it later. With __NO_INLINE__ functions of libc stay
// calls: the analysis knows what bsearch does and need not find it out from its code.
static const char bitcode_flags[] = "-w -g -O1 -Xclang -disable-llvm-passes "
                                    "-fno-eliminate-unused-debug-types -fno-sanitize=all "
                                    "-D__NO_INLINE__ -fno-lto -emit-llvm -c";

static struct rh_status compile_to_bitcode(struct build *build, const char *source,
                                           struct rh_words *bitcode)
{
    struct rh_words command = {0};
    rh_words_add(&command, "clang-19");
    struct rh_status status = add_variable(&command, "CFLAGS");
    if (rh_is_ok(&status)) {
        append(&command, &build->cflags);
        status = add_flags(&command, bitcode_flags, "the flags for bitcode");
    }
    if (rh_is_ok(&status)) {
        rh_words_addf(bitcode, "%s/bitcode-%zu.bc", build->folder->path, bitcode->count);
        rh_words_addf(&command, "-I%s", build->layout.include_directory);
        add_file(&command, source);
        rh_words_add(&command, "-o");
        rh_words_add(&command, bitcode->items[bitcode->count - 1]);
        status = run_step(build, &command, source, "compile to bitcode");
    }
    rh_words_fini(&command);
    return status;
}

struct rh_status rh_compile_bitcode(struct rh_children *children, const struct rh_folder *folder,
                                    const struct rh_options *options,
                                    const struct rh_words *sources, struct rh_words *bitcode)
{
    struct build build = {.children = children, .folder = folder};
    struct rh_status status = gather(&build, options, sources);
    for (size_t i = 0; rh_is_ok(&status) && i < sources->count; i++) {
        if (!is_source(sources->items[i]))
            rh_words_add(bitcode, sources->items[i]);
        else
            status = compile_to_bitcode(&build, sources->items[i], bitcode);
    }
    build_fini(&build);
    return status;
}

// --- Linking. ---

// The linker gets the compiler's flags too: -fsanitize and -pthread mean something to both.
static struct rh_status add_link_flags(struct build *build, struct rh_words *command)
{
    struct rh_status status = add_variable(command, build->has_cxx ? "CXXFLAGS" : "CFLAGS");
    if (rh_is_ok(&status)) {
        append(command, &build->cflags);
        status = add_variable(command, "LDFLAGS");
    }
    if (rh_is_ok(&status)) {
        append(command, &build->objects);
        append(command, &build->libs);
        status = add_variable(command, "LDLIBS");
    }
    if (rh_is_ok(&status) && build->threads) {
        rh_words_add(command, "-Wl,--whole-archive");
        rh_words_add(command, build->layout.threads_library);
        rh_words_add(command, "-Wl,--no-whole-archive");
        // Threads look for the symbol: they are not seen to be complete then.
        if (build->has_unseen)
            rh_words_add(command, "-Wl,--defsym=rh__threads_unseen=1");
        status = add_flags(command, threads_flags, "the library's flags");
    } else if (rh_is_ok(&status)) {
        rh_words_add(command, build->layout.library);
        status = add_flags(command, library_flags, "the library's flags");
    }
    return status;
}

static struct rh_status link_all(struct build *build, const char *name, char *binary)
{
    struct rh_words command = {0};
    struct rh_status status = add_compiler(&command, build->has_cxx);
    if (rh_is_ok(&status)) {
        rh_words_add(&command, "-o");
        rh_words_add(&command, binary);
        status = add_link_flags(build, &command);
    }
    if (rh_is_ok(&status))
        status = run_step(build, &command, name, "link");
    rh_words_fini(&command);
    return status;
}

// The binary is called after the first source, for debuggers and core files.
static char *binary_path(const struct rh_folder *folder, const char *source)
{
    const char *base = rh_base_name(source);
    struct rh_text path = {0};
    rh_text_addf(&path, "%s/", folder->path);
    rh_text_add_bytes(&path, base, strcspn(base, "."));
    if (*base == '.')
        rh_text_add(&path, "program");
    return rh_text_take(&path);
}

struct rh_status rh_compile(struct rh_children *children, const struct rh_folder *folder,
                            const struct rh_options *options, const struct rh_words *sources,
                            char **binary)
{
    struct build build = {.children = children,
                          .folder = folder,
                          .threads = options->threads,
                          .lines = options->lines || options->generate.fewest};
    struct rh_status status = gather(&build, options, sources);
    if (rh_is_ok(&status))
        status = compile_all(&build, sources);
    if (rh_is_ok(&status)) {
        *binary = binary_path(folder, sources->items[0]);
        status = link_all(&build, sources->items[0], *binary);
    }
    build_fini(&build);
    return status;
}
