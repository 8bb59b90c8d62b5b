-- What all algorithms share. Numbers are integers below 2^53, which Lua's doubles hold exactly.
-- A product that would pass 2^53 is only ever compared with, or taken from, what is smaller.
--
-- What is stored and sent is packed, seven bytes a number: reading and writing text would take
-- longer than all the arithmetic. The last byte of such a number is below 32, as in no readable
-- text. To make a function takes time in each call, so there are few, and of the algorithms only
-- those are made that ARGV[1] begins by naming.

local call, pcall = redis.call, redis.pcall
local floor, ceil, max, min = math.floor, math.ceil, math.max, math.min
local pack, unpack = struct.pack, struct.unpack

-- The last instant that can be told, and the largest level or count: 2^53 - 1.
local MAX = 9007199254740991

local parts = ARGV[1]
local has_token_bucket, has_fixed_window, has_sliding_window, has_sliding_log, place =
    unpack('BBBB', parts)

-- Of the part that is being run: its instant, and for how many milliseconds what it stores
-- outlives its use.
local now, slack

-- What is stored for the charge if it has this length: a value of another type or length is not
-- ours, and the next write replaces it.
local function read_text(charge, length)
    local value = pcall('GET', charge.key)
    if value then
        charge.is_stored = true
        -- A table is an error: a value of another type.
        return #value == length and value
    end
end

-- What the state needs and some slack, in milliseconds; the slack never takes it past what the
-- charge says.
local function lifetime(charge, fresh_at)
    local needed = ceil((fresh_at - now) / 1000)
    if needed < 1 then
        needed = 1
    end
    local wanted = needed + slack
    if wanted > charge.longest then
        wanted = charge.longest
    end
    return wanted > needed and wanted or needed
end

-- Stores a text with a lifetime, or nothing at all if the state is as if never used.
local function write_text(charge, text, fresh_at)
    if fresh_at == 0 then
        call('DEL', charge.key)
    else
        call('PSETEX', charge.key, lifetime(charge, fresh_at), text)
    end
end

-- The algorithms by their numbers. What is called a charge holds what the caller says of it, and
-- its state. An algorithm is
--   look(charge, other)  gives it its state at `now`: from what is stored, or from that of another
--                        charge on the same key. True if it went back with the clock
--   fits(charge, cost)   whether so many units fit
--   spend(charge)        counts its cost
--   refund(charge, admitted_at, reset_at)
--                        gives back what still counts of its cost
--   fresh_at(charge)     when the state will be as if never used; 0 if it is
--   write(charge)        stores the state
--   tell(charge, cost)   four numbers from which the caller makes a state again; `cost` is what
--                        does not fit, if anything
local algorithms = {}
