// SPDX-License-Identifier: MIT
// Lua: each actor has an interpreter with tables, closures, coroutines and errors (longjmp).
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "library.h"

static const char script[] = "local seen = {}\n"
                             "function add(number)\n"
                             "  seen[#seen + 1] = number\n"
                             "  local walk = coroutine.wrap(function() for _, n in ipairs(seen) do "
                             "coroutine.yield(n) end end)\n"
                             "  local sum = 0\n"
                             "  for n in walk do sum = sum + n end\n"
                             "  assert(not pcall(error, 'thrown'))\n"
                             "  collectgarbage()\n"
                             "  return sum, string.format('%d', sum)\n"
                             "end\n";

static void use(struct user *user, int number)
{
    lua_State *state = user->kept;
    if (!state) {
        user->kept = state = luaL_newstate();
        luaL_openlibs(state);
        rh_check(luaL_dostring(state, script) == LUA_OK);
    }
    lua_getglobal(state, "add");
    lua_pushinteger(state, number);
    rh_check(lua_pcall(state, 1, 2, 0) == LUA_OK);
    rh_check(lua_tointeger(state, -2) == user->sum);
    rh_check(lua_tointeger(state, -1) == user->sum);
    lua_pop(state, 2);
}
