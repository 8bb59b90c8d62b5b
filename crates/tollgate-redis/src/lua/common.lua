-- What all algorithms share. Numbers are integers below 2^53, which Lua's doubles hold exactly.
-- A product that would pass 2^53 is only ever compared with, or taken from, what is smaller.

local floor, ceil, max, min = math.floor, math.ceil, math.max, math.min

-- The last instant that can be told, and the largest level or count: 2^53 - 1.
local MAX = 9007199254740991

-- Milliseconds for which what is stored outlives its use.
local slack = tonumber(ARGV[3])

-- The numbers stored at a key, or nil if there are none that could be a state: a value of another
-- type or form is not ours, and the next write replaces it.
local function read_numbers(key, pattern)
    local value = redis.pcall('GET', key)
    if type(value) ~= 'string' then
        return nil
    end
    local a, b, c = string.match(value, pattern)
    if not a then
        return nil
    end
    a, b, c = tonumber(a), tonumber(b), tonumber(c or 0)
    if a > MAX or b > MAX or c > MAX then
        return nil
    end
    return a, b, c
end

-- What the state needs and some slack, in milliseconds; the slack never takes it past `longest`.
local function lifetime(fresh_at, limit, now)
    local needed = max(1, ceil((fresh_at - now) / 1000))
    return max(needed, min(needed + slack, limit.longest))
end

-- Stores a text with a lifetime, or nothing at all if the state is as if never used.
local function write_text(key, text, fresh_at, limit, now)
    if fresh_at == 0 then
        redis.call('DEL', key)
    else
        redis.call('SET', key, text, 'PX', lifetime(fresh_at, limit, now))
    end
end

-- What makes each algorithm, so that only those are made that a call needs. An algorithm is
--   read(key)                  the stored state, or a fresh one
--   advance(state, limit, now) a state at `now`, and whether it went back with the clock
--   fits(state, limit, cost)   whether so many units fit
--   spend(state, limit, cost)  counts them
--   refund(state, limit, cost, admitted_at, reset_at)
--                              gives back what still counts of them
--   fresh_at(state, limit)     when it will be as if never used; 0 if it is
--   write(key, state, limit, now)
--   tell(state, limit, cost)   four numbers from which the caller makes a state again; `cost` is
--                              what does not fit, if anything
local makers = {}
local algorithms = {}

local function algorithm_of(name)
    if not algorithms[name] then
        algorithms[name] = makers[name]()
    end
    return algorithms[name]
end
