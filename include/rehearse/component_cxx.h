// SPDX-License-Identifier: MIT
// What component.h has in C++ for what C has no functions with types of their own for.
#ifndef REHEARSE_COMPONENT_CXX_H
#define REHEARSE_COMPONENT_CXX_H
#ifdef __cplusplus

template <typename T> struct rh__type {
    static constexpr bool is_truth = false, is_nothing = false;
};
template <> struct rh__type<bool> {
    static constexpr bool is_truth = true, is_nothing = false;
};
template <> struct rh__type<void> {
    static constexpr bool is_truth = false, is_nothing = true;
};

template <typename T> inline T rh__result(T value)
{
    if (rh__operation_result((int64_t)value, rh__type<T>::is_truth))
        value = (T)rh__operation_other_result();
    return value;
}

// An operation that an exception leaves has ended, too.
template <typename F> inline auto rh__call(const char *call, const char *file, int line, F made)
{
    struct rh__operation open __attribute__((cleanup(rh__operation_end), unused)) =
        rh__operation_begin(call, file, line, -1, nullptr);
    if constexpr (rh__type<decltype(made())>::is_nothing)
        made();
    else
        return rh__result(made());
}

// An access that an exception leaves has not committed.
struct rh__access {
    const char *file;
    int line;
    bool commits;
    rh__access(const char *in, int at) : file(in), line(at), commits(false)
    {
        rh__commit_begin();
    }
    rh__access(const rh__access &) = delete;
    rh__access &operator=(const rh__access &) = delete;
    ~rh__access()
    {
        rh__commit_end(commits, file, line);
    }
};

template <typename F> inline auto rh__commit(const char *file, int line, bool always, F access)
{
    rh__access made(file, line);
    if constexpr (rh__type<decltype(access())>::is_nothing) {
        access();
        made.commits = true;
    } else {
        auto value = access();
        made.commits = always || !!value;
        return value;
    }
}

// The arguments of an operation, or of an action, which may be none.
struct rh__place {
    const char *name, *file;
    int line;
    template <typename... T> struct rh__operation begin(T... arguments) const
    {
        const int64_t values[] = {0, (int64_t)arguments...};
        return rh__operation_begin(name, file, line, (int)sizeof...(T), values + 1);
    }
    template <typename... T> void act(T... arguments) const
    {
        const int64_t values[] = {0, (int64_t)arguments...};
        rh__action(name, file, line, (int)sizeof...(T), values + 1);
    }
};

#define RH__CALL(call) rh__call(#call, __FILE__, __LINE__, [&] { return call; })
#define RH__BEGIN(...) (rh__place{__func__, __FILE__, __LINE__}.begin(__VA_ARGS__))
#define RH__RESULT(value) rh__result(value)
#define RH__COMMIT(access, always)                                                                 \
    (__extension__({                                                                               \
        RH__MARK;                                                                                  \
        rh__commit(__FILE__, __LINE__, always, [&] { return access; });                            \
    }))
#define RH__COMMIT_ALWAYS(access) RH__COMMIT(access, true)
#define RH__COMMIT_IF(access) RH__COMMIT(access, false)
#define RH__ACTION(name, ...) (rh__place{name, __FILE__, __LINE__}.act(__VA_ARGS__))

#endif
#endif
