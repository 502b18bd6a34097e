// SPDX-License-Identifier: MIT
// Scripts of queries mean what was asked: Z3 reads them, and answers as it did.
#include <dlfcn.h>
#include <sys/stat.h>

#include "smt/asking.h"
#include "smt/plain.h"

// Z3 is in the process already.
static void *find(const char *name)
{
    void *address = dlsym(RTLD_DEFAULT, name);
    EXPECT(address);
    return address;
}

// What Z3 says of a script.
static const char *read_by_z3(const char *script)
{
    void *(*make_config)(void);
    void *(*make_context)(void *);
    void (*delete_config)(void *);
    const char *(*evaluate)(void *, const char *);
    *(void **)&make_config = find("Z3_mk_config");
    *(void **)&make_context = find("Z3_mk_context");
    *(void **)&delete_config = find("Z3_del_config");
    *(void **)&evaluate = find("Z3_eval_smtlib2_string");
    static void *context;
    if (!context) {
        void *config = make_config();
        context = make_context(config);
        delete_config(config);
    }
    evaluate(context, "(reset)");
    return evaluate(context, script);
}

static void read_again(size_t number)
{
    char path[64];
    struct rh_text script = {0};
    snprintf(path, sizeof path, "queries/%06zu.smt2", number);
    struct rh_status status = rh_text_read_file(&script, path, 1 << 20);
    EXPECT_TEXT(status.text, "");
    EXPECT_PART(rh_text_get(&script), "(set-info :status unsat)");
    EXPECT_TEXT(read_by_z3(rh_text_get(&script)), "unsat\n");
    remove(path);
    rh_text_fini(&script);
}

// Gives whether the query reached Z3.
static bool scripts_compute_alike(uint64_t seed, int first, int last)
{
    static struct pool pool;
    rh_term conditions[COMPUTATION_CONDITIONS];
    uint64_t zeros[COMPUTATION_CONDITIONS] = {0};
    pool_init(&pool, seed);
    computation(&pool, first, last, conditions);
    struct rh_solver *solver = new_solver(&pool.terms, 0);
    rh_solver_record(solver, "queries");
    EXPECT(rh_solver_check(solver, conditions, COMPUTATION_CONDITIONS, zeros) == RH_CAN_NOT);
    bool is_asked = rh_solver_counts(solver).answered == 0;
    if (is_asked)
        read_again(0);
    rh_solver_free(solver);
    rh_terms_fini(&pool.terms);
    return is_asked;
}

int main(void)
{
    int asked = 0, asked_reals = 0;
    mkdir("queries", 0777);
    for (uint64_t seed = 1000; seed < 1060; seed++) {
        asked += scripts_compute_alike(seed, RH_TERM_NOT, RH_TERM_ADD_REAL);
        asked_reals += scripts_compute_alike(seed, RH_TERM_ADD_REAL, RH_TERM_REAL_TO_UNSIGNED + 1);
    }
    EXPECT(asked > 30 && asked_reals > 30);
    remove("queries");
    return 0;
}
