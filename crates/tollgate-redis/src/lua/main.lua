-- One call: parts one after the other, each a decision, a peek, a look, a refund or a reset of its own.
-- KEYS are the counts of all parts, in their order, each once a part. ARGV[1] names the algorithms,
-- then describes the parts: what to do, how many charges and keys it has, its slack, its instant
-- (above MAX: the server's, which is read once), and each charge. Of a charge: the position of its
-- key in its part, its algorithm, whether its windows start at first requests, its group, its cost,
-- its cost with that of earlier charges of its group on the same key, and its limit. Groups stand
-- together, the enforced one (0) first. For a refund, instant and reset of the admission take the
-- places of group and sum. The answer is, for each part, its instant and what it has to tell, eight
-- bytes a number; or, of a part that a command has failed, 2^53, the length of the error and its text.
-- Such a part has changed nothing, and the others do not know of it.
--
-- A server that takes no writes, for want of memory or of replicas, says so to the first write of a
-- script; after one that it has taken it takes them all. So only permissions, which are asked for each
-- command, can stop a part between two writes.

local DECIDE, REFUND, RESET, LOOK = 1, 3, 4, 5

-- The bytes of a charge.
local CHARGE = 62

local answer = {}
-- Before the keys of the part.
local key_place = 0
local server_time

local function next_charge()
    local key, code, starts, group, cost, asked, units, quota, period, tick, longest
    key, code, starts, group, cost, asked, units, quota, period, tick, longest, place =
        unpack('<I4BBI7I7I7I7I7I7I7I7', parts, place)
    -- With those that are added later at most sixteen fields: the seventeenth would cost as much as
    -- all the others.
    return {
        key = KEYS[key_place + key],
        algorithm = algorithms[code],
        starts_at_first_request = starts == 1,
        group = group,
        cost = cost,
        asked = asked,
        units = units,
        quota = quota,
        period = period,
        tick = tick,
        longest = longest,
    }
end

-- A denial writes nothing, but a key that it finds without a lifetime gets one.
local function heal(charge)
    if call('PTTL', charge.key) == -1 then
        call('PEXPIRE', charge.key, lifetime(charge, charge.algorithm.fresh_at(charge)))
    end
end

-- Looks, and leaves of what is asked only what does not fit.
local function judge(charge, other)
    local algorithm = charge.algorithm
    charge.moved_back = algorithm.look(charge, other) or nil
    if charge.cost == 0 or algorithm.fits(charge, charge.asked) then
        charge.asked = nil
        return true
    end
    return false
end

local function tell(charge)
    local a, b, c, d = charge.algorithm.tell(charge, charge.asked)
    answer[#answer + 1] = pack('<I8I8I8I8I8', charge.asked and 0 or 1, a, b, c, d)
end

-- A part of one charge, as most are: what `decide` would do.
local function decide_one(spends, keeps)
    local charge = next_charge()
    local is_admitted = judge(charge)
    keeps = keeps and charge.cost > 0
    spends = spends and keeps and is_admitted
    if spends then
        charge.algorithm.spend(charge)
    end
    tell(charge)
    if keeps and (spends or charge.moved_back) then
        charge.algorithm.write(charge)
    elseif keeps and charge.stored then
        heal(charge)
    end
end

-- `keeps` says whether what a denial changes is written too; without it, nothing is.
local function decide(spends, keeps, count)
    local charges = {}
    for index = 1, count do
        charges[index] = next_charge()
    end
    -- By key, the charge that holds the state to be written.
    local changed = {}
    local enforced_are_admitted = true
    local first = 1
    while first <= count do
        local group = charges[first].group
        local last = first

        -- All verdicts before anything is spent.
        local are_admitted = true
        repeat
            local charge = charges[last]
            are_admitted = judge(charge, changed[charge.key]) and are_admitted
            last = last + 1
        until last > count or charges[last].group ~= group
        if group == 0 then
            enforced_are_admitted = are_admitted
        end

        local are_spent = spends and are_admitted and enforced_are_admitted
        for index = first, last - 1 do
            local charge = charges[index]
            local algorithm, key = charge.algorithm, charge.key
            local other = changed[key]
            if other and other.group == group then
                -- Changed since this charge was judged.
                charge.moved_back = algorithm.look(charge, other) or nil
            end
            if keeps and charge.cost > 0 then
                if are_spent then
                    algorithm.spend(charge)
                end
                -- A denial writes nothing, unless waits must count from an earlier instant than
                -- before.
                if are_spent or charge.moved_back then
                    changed[key] = charge
                end
            end
            tell(charge)
        end
        first = last
    end

    if not keeps then
        return
    end
    -- Texts before logs, since they are what can be taken back.
    local logs = algorithms[4]
    for _, writes_logs in ipairs(logs and { false, true } or { false }) do
        for index = 1, count do
            local charge = charges[index]
            local last = changed[charge.key]
            if (charge.algorithm == logs) == writes_logs then
                if last == charge then
                    charge.algorithm.write(charge)
                elseif not last and charge.cost > 0 and charge.stored then
                    heal(charge)
                end
            end
        end
    end
end

local function refund(count)
    for _ = 1, count do
        local charge = next_charge()
        charge.algorithm.look(charge)
        charge.algorithm.refund(charge, charge.group, charge.asked)
        charge.algorithm.write(charge)
    end
end

local function reset()
    local charge = next_charge()
    charge.algorithm.look(charge)
    call('DEL', charge.key)
    answer[#answer + 1] = pack('<I8', charge.algorithm.fresh_at(charge) > now and 1 or 0)
end

local function run(operation, count)
    if now > MAX then
        if not server_time then
            local time = call('TIME')
            server_time = min(time[1] * 1000000 + time[2], MAX)
        end
        now = server_time
    end
    answer[#answer + 1] = pack('<I8', now)
    if operation == REFUND then
        refund(count)
    elseif operation == RESET then
        reset()
    else
        local spends = operation == DECIDE
        local keeps = spends or operation == LOOK
        if count == 1 then
            decide_one(spends, keeps)
        else
            decide(spends, keeps, count)
        end
    end
end

while place <= #parts do
    local operation, count, keys
    operation, count, keys, slack, now, place = unpack('<BI4I4I7I7', parts, place)
    local next_place = place + count * CHARGE
    local told = #answer
    written = count > 1 and {} or nil
    local is_done, problem = try(run, operation, count)
    if not is_done then
        if written then
            take_back()
        end
        for index = #answer, told + 1, -1 do
            answer[index] = nil
        end
        problem = tostring(type(problem) == 'table' and problem.err or problem)
        answer[told + 1] = pack('<I8I8', MAX + 1, #problem) .. problem
    end
    place = next_place
    key_place = key_place + keys
end
return table.concat(answer)
