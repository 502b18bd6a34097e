// SPDX-License-Identifier: MIT
// What is left of component.h with -DRH_OFF: nothing but the component.
#ifndef REHEARSE_COMPONENT_OFF_H
#define REHEARSE_COMPONENT_OFF_H

#define RH__UNUSED __attribute__((unused))

// Views are compiled, so that they do not rot.
#define rh_view_add(view, element) ((void)(view), (void)(element))
#define rh_view_put(view, key, value) ((void)(view), (void)(key), (void)(value))

#define RH_COMPONENT(component)                                                                    \
    extern const struct rh_component rh__component_##component;                                    \
    const struct rh_component rh__component_##component =
#define RH_THREADS(test) static RH__UNUSED void rh__threads_##test(void)
#define rh_thread if (0)
#define rh_at_end if (0)

#define RH_CALL(call) (call)
#define RH_OPERATION(...) ((void)0)
#define RH_RESULT(value) (value)
#define RH_COMMIT(access) (access)
#define RH_COMMIT_IF(access) (access)
#define RH_COMMIT_BLOCK for (int rh__turn = 0; rh__turn < 1; rh__turn++)
#define RH_OBSERVES() ((void)0)
#define RH_INTERNAL() ((void)0)
#define RH_PURE() ((void)0)
#define RH_EXCLUSIVE() ((void)0)
#define RH_ACTION(action, ...) ((void)0)
#define RH_MAY_FAIL(operation, value) struct rh__may_fail
#define RH_SPECIFICATION(operation)                                                                \
    static RH__UNUSED int64_t rh__specification_##operation(const int64_t *argument RH__UNUSED,    \
                                                            int64_t result RH__UNUSED)
#define RH_REPLAY(action)                                                                          \
    static RH__UNUSED void rh__replay_##action(const int64_t *argument RH__UNUSED)
#define RH_CHECK(condition) ((void)sizeof(condition))

#endif
