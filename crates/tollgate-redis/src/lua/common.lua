-- What all algorithms share. Numbers are integers below 2^53, which Lua's doubles hold exactly.
-- A product that would pass 2^53 is only ever compared with, or taken from, what is smaller.
--
-- What is stored and sent is packed, seven bytes a number: reading and writing text would take
-- longer than all the arithmetic. The last byte of such a number is below 32, as in no readable
-- text. To make a function takes time in each call, so there are few, and of the algorithms only
-- those are made that ARGV[1] begins by naming.

local call, ask, try = redis.call, redis.pcall, pcall
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

-- The charges whose texts the part has written, in that order; nil where one write is all there is.
local written

-- Of the errors of a read, only this one says that there is nothing of ours. Any other, such as a
-- missing permission, fails the part: taken for a count that was never used it would admit everybody.
local function must_be_of_another_type(reply)
    if not string.find(reply.err, 'WRONGTYPE', 1, true) then
        error(reply.err, 0)
    end
end

-- What is stored for the charge if it has this length: a value of another type or length is not
-- ours, and the next write replaces it.
local function read_text(charge, length)
    local value = ask('GET', charge.key)
    if value then
        charge.stored = value
        if type(value) == 'table' then
            must_be_of_another_type(value)
            return false
        end
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
    if written then
        written[#written + 1] = charge
    end
end

-- Takes back what the part has written as texts, after another write of it was refused. It was
-- allowed to write them, and so may write them again; what was not there lives for a millisecond more
-- and is of no count's form meanwhile.
local function take_back()
    for index = #written, 1, -1 do
        local charge = written[index]
        if type(charge.stored) == 'string' then
            local left = ask('PTTL', charge.key)
            if type(left) ~= 'number' or left < 1 then
                left = charge.longest
            end
            ask('PSETEX', charge.key, left, charge.stored)
        else
            ask('PSETEX', charge.key, 1, '')
        end
    end
end

-- The algorithms by their numbers. What is called a charge holds what the caller says of it, and
-- its state. An algorithm is
--   look(charge, other)  gives it its state at `now`: from what is stored, or from that of another
--                        charge on the same key. True if it went back with the clock
--   fits(charge, cost)   whether so many units fit
--   spend(charge)        counts its cost
--   refund(charge, admitted_at, reset_at)
--                        gives back what still counts of its cost; with a reset of 0, which no
--                        admission has, of whatever counts, the latest first
--   fresh_at(charge)     when the state will be as if never used; 0 if it is
--   write(charge)        stores the state
--   tell(charge, cost)   four numbers from which the caller makes a state again; `cost` is what
--                        does not fit, if anything
local algorithms = {}
