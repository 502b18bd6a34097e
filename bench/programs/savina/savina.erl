%% SPDX-License-Identifier: MIT
%% Eight programs of Savina in Erlang, with the messages that those of subjects/savina send. Prints seconds and processor
%% seconds.
%%
%%     erl -noshell -run savina main PROGRAM SIZE
-module(savina).
-export([main/1]).

main([Name, Size]) ->
    {Before, _} = statistics(runtime),
    Start = erlang:monotonic_time(microsecond),
    run(Name, list_to_integer(Size)),
    End = erlang:monotonic_time(microsecond),
    {After, _} = statistics(runtime),
    io:format("~.6f s ~.6f processor-s~n", [(End - Start) / 1.0e6, (After - Before) / 1.0e3]),
    halt(0).

run("ping_pong", Rounds) -> ping_pong(Rounds);
run("counting", Increments) -> counting(Increments);
run("fork_join_throughput", Rounds) -> fork_join_throughput(60, Rounds);
run("fork_join_creation", Workers) -> fork_join_creation(Workers);
run("thread_ring", Length) -> thread_ring(100, Length);
run("chameneos", Meetings) -> chameneos(100, Meetings);
run("big", Pings) -> big(120, Pings);
run("fibonacci", Index) -> fibonacci(Index).

wait_for(Pid) ->
    receive
        {'DOWN', _, process, Pid, normal} -> ok
    end.

%% Waits until a number of processes have counted themselves.
wait_for_count(Counter, Count) ->
    case counters:get(Counter, 1) of
        Count -> ok;
        _ -> timer:sleep(1), wait_for_count(Counter, Count)
    end.

%% The generator of the originals.
next_random(Value) -> (Value * 1309 + 13849) band 65535.

%% PingPong

ping_pong(Rounds) ->
    {Pong, _} = spawn_monitor(fun() -> pong(0, Rounds) end),
    Ping = spawn(fun() -> ping(Pong, Rounds) end),
    Ping ! start,
    wait_for(Pong).

ping(Pong, Left) ->
    receive
        start ->
            Pong ! {ping, self()},
            ping(Pong, Left - 1);
        again ->
            Pong ! {ping, self()},
            ping(Pong, Left - 1);
        pong when Left > 0 ->
            self() ! again,
            ping(Pong, Left);
        pong ->
            Pong ! stop
    end.

pong(Count, Expected) ->
    receive
        {ping, Ping} ->
            Ping ! pong,
            pong(Count + 1, Expected);
        stop ->
            Count = Expected
    end.

%% Counting

counting(Increments) ->
    Counter = spawn(fun() -> counter(0) end),
    {Producer, _} = spawn_monitor(fun() -> producer(Counter, Increments) end),
    Producer ! start,
    wait_for(Producer).

counter(Count) ->
    receive
        increment -> counter(Count + 1);
        {retrieve, Producer} -> Producer ! {result, Count}
    end.

producer(Counter, Increments) ->
    receive
        start ->
            send_increments(Counter, Increments),
            Counter ! {retrieve, self()},
            producer(Counter, Increments);
        {result, Count} ->
            Count = Increments
    end.

send_increments(_, 0) -> ok;
send_increments(Counter, Left) ->
    Counter ! increment,
    send_increments(Counter, Left - 1).

%% ForkJoin, throughput

fork_join_throughput(Workers, Rounds) ->
    Done = counters:new(1, []),
    Pids = [spawn(fun() -> worker(Rounds, Done) end) || _ <- lists:seq(1, Workers)],
    send_rounds(Pids, Rounds),
    wait_for_count(Done, Workers).

send_rounds(_, 0) -> ok;
send_rounds(Pids, Left) ->
    [Pid ! work || Pid <- Pids],
    send_rounds(Pids, Left - 1).

worker(0, Done) -> counters:add(Done, 1, 1);
worker(Left, Done) ->
    receive
        work ->
            compute(),
            worker(Left - 1, Done)
    end.

compute() ->
    Sine = math:sin(37.2),
    true = Sine * Sine =< 1.

%% ForkJoin, creation

fork_join_creation(Workers) ->
    Done = counters:new(1, []),
    create(Workers, Done),
    wait_for_count(Done, Workers).

create(0, _) -> ok;
create(Left, Done) ->
    spawn(fun() -> worker(1, Done) end) ! work,
    create(Left - 1, Done).

%% ThreadRing

thread_ring(Links, Length) ->
    Pids = [First | _] = [spawn(fun() -> unlinked(Links - 1) end) || _ <- lists:seq(1, Links)],
    Monitors = [monitor(process, Pid) || Pid <- Pids],
    introduce(Pids, First),
    First ! {trip, Length},
    [receive {'DOWN', Monitor, process, _, normal} -> ok end || Monitor <- Monitors].

introduce([Last], First) -> Last ! {successor, First};
introduce([Pid, Next | Rest], First) ->
    Pid ! {successor, Next},
    introduce([Next | Rest], First).

unlinked(After) ->
    receive
        {successor, Next} -> link_of(Next, After)
    end.

link_of(Next, After) ->
    receive
        {trip, 0} ->
            Next ! {leave, After},
            link_of(Next, After);
        {trip, Left} ->
            Next ! {trip, Left - 1},
            link_of(Next, After);
        {leave, 0} -> ok;
        {leave, Left} -> Next ! {leave, Left - 1}
    end.

%% Chameneos

chameneos(Creatures, Meetings) ->
    {Mall, _} = spawn_monitor(fun() -> mall(none, Meetings, Meetings, 0, Creatures) end),
    Pids = [spawn(fun() -> creature(Mall, Number rem 3, 0) end) || Number <- lists:seq(0, Creatures - 1)],
    [Pid ! start || Pid <- Pids],
    wait_for(Mall).

mall(_, _, Meetings, Met, 0) -> Met = 2 * Meetings;
mall(Waiting, Left, Meetings, Met, Creatures) ->
    receive
        {meet, _, Creature} when Left =:= 0 ->
            Creature ! leave,
            mall(Waiting, Left, Meetings, Met, Creatures);
        {meet, _, Creature} when Waiting =:= none ->
            mall(Creature, Left, Meetings, Met, Creatures);
        {meet, Colour, Creature} ->
            Waiting ! {meet, Colour, Creature},
            mall(none, Left - 1, Meetings, Met, Creatures);
        {met, Times} ->
            mall(Waiting, Left, Meetings, Met + Times, Creatures - 1)
    end.

complement(Colour, Colour) -> Colour;
complement(One, Other) -> 3 - One - Other.

creature(Mall, Colour, Met) ->
    receive
        start ->
            Mall ! {meet, Colour, self()},
            creature(Mall, Colour, Met);
        {meet, Other, Creature} ->
            New = complement(Colour, Other),
            Creature ! {change, New},
            Mall ! {meet, New, self()},
            creature(Mall, New, Met + 1);
        {change, New} ->
            Mall ! {meet, New, self()},
            creature(Mall, New, Met + 1);
        leave ->
            Mall ! {met, Met}
    end.

%% Big

big(Players, Pings) ->
    {Sink, _} = spawn_monitor(fun() -> lonely_sink(Players) end),
    Pids = [spawn(fun() -> lonely_player(Sink, Number, Pings) end) || Number <- lists:seq(0, Players - 1)],
    All = list_to_tuple(Pids),
    Sink ! {neighbours, All},
    [Pid ! {neighbours, All} || Pid <- Pids],
    [Pid ! {pong, none} || Pid <- Pids],
    wait_for(Sink).

lonely_sink(Players) ->
    receive
        {neighbours, All} -> sink(All, Players)
    end.

sink(All, 0) -> [Pid ! leave || Pid <- tuple_to_list(All)];
sink(All, Left) ->
    receive
        leave -> sink(All, Left - 1)
    end.

lonely_player(Sink, Number, Pings) ->
    receive
        {neighbours, All} -> player(Sink, All, Number, none, Pings, Number)
    end.

player(Sink, All, Number, Expected, Left, Random) ->
    receive
        {ping, Sender} ->
            element(Sender + 1, All) ! {pong, Number},
            player(Sink, All, Number, Expected, Left, Random);
        {pong, Sender} when Left > 0 ->
            Sender = Expected,
            Value = next_random(Random),
            Target = Value rem tuple_size(All),
            element(Target + 1, All) ! {ping, Number},
            player(Sink, All, Number, Target, Left - 1, Value);
        {pong, Sender} ->
            Sender = Expected,
            Sink ! leave,
            player(Sink, All, Number, Expected, Left, Random);
        leave -> ok
    end.

%% Fibonacci

fibonacci(Index) ->
    Main = self(),
    spawn(fun() -> call(Main) end) ! {request, Index},
    Expected = fibonacci(Index, 0, 1),
    receive
        {response, Value} -> Expected = Value
    end.

fibonacci(1, _, Value) -> Value;
fibonacci(Index, Last, Value) -> fibonacci(Index - 1, Value, Last + Value).

call(Parent) ->
    receive
        {request, Index} when Index =< 2 ->
            Parent ! {response, 1};
        {request, Index} ->
            Self = self(),
            spawn(fun() -> call(Self) end) ! {request, Index - 1},
            spawn(fun() -> call(Self) end) ! {request, Index - 2},
            join(Parent, 0, 2)
    end.

join(Parent, Sum, 0) -> Parent ! {response, Sum};
join(Parent, Sum, Left) ->
    receive
        {response, Value} -> join(Parent, Sum + Value, Left - 1)
    end.
