-- One call. KEYS are the counts, each once. ARGV: what to do, the instant (empty: the server's),
-- the slack; then eleven for each charge: the position of its key, its group, its cost, its cost
-- with that of earlier charges of its group on the same key, and its limit. Groups stand together,
-- the enforced one (0) first. For a refund, instant and reset of the admission take the places of
-- group and sum. The answer is the instant, and five numbers a charge.

local FIELDS = 11

local operation = ARGV[1]
local now = tonumber(ARGV[2])
if not now then
    local time = redis.call('TIME')
    now = tonumber(time[1]) * 1000000 + tonumber(time[2])
end
now = min(now, MAX)

local charges = {}
for first = 4, #ARGV, FIELDS do
    local period, quota = tonumber(ARGV[first + 8]), tonumber(ARGV[first + 6])
    local tick = tonumber(ARGV[first + 9])
    table.insert(charges, {
        position = tonumber(ARGV[first]),
        group = tonumber(ARGV[first + 1]),
        cost = tonumber(ARGV[first + 2]),
        asked = tonumber(ARGV[first + 3]),
        algorithm = algorithm_of(ARGV[first + 4]),
        limit = {
            units = tonumber(ARGV[first + 5]),
            quota = quota,
            starts_at_first_request = ARGV[first + 7] == '1',
            period = period,
            tick = tick,
            longest = tonumber(ARGV[first + 10]),
            period_ticks = period / tick,
            capacity = quota * (period / tick),
        },
    })
end

if operation == 'refund' then
    for _, charge in ipairs(charges) do
        local algorithm, limit, key = charge.algorithm, charge.limit, KEYS[charge.position]
        local state = algorithm.advance(algorithm.read(key), limit, now)
        algorithm.refund(state, limit, charge.cost, charge.group, charge.asked)
        algorithm.write(key, state, limit, now)
    end
    return { now }
end

if operation == 'reset' then
    local charge = charges[1]
    local algorithm, limit, key = charge.algorithm, charge.limit, KEYS[1]
    local state = algorithm.advance(algorithm.read(key), limit, now)
    redis.call('DEL', key)
    return { now, algorithm.fresh_at(state, limit) > now and 1 or 0 }
end

local spends = operation == 'decide'
-- To look is to decide without spending.
local keeps = spends or operation == 'look'
local states, writers = {}, {}
local answer = { now }
local enforced_are_admitted = true
local first = 1
while first <= #charges do
    local group = charges[first].group
    local last = first
    while last < #charges and charges[last + 1].group == group do
        last = last + 1
    end

    -- All verdicts before anything is spent.
    local are_admitted = true
    for index = first, last do
        local charge = charges[index]
        local position = charge.position
        if not states[position] then
            states[position] = charge.algorithm.read(KEYS[position])
        end
        charge.is_admitted = true
        if charge.cost > 0 then
            local state = charge.algorithm.advance(states[position], charge.limit, now)
            charge.is_admitted = charge.algorithm.fits(state, charge.limit, charge.asked)
        end
        are_admitted = are_admitted and charge.is_admitted
    end
    if group == 0 then
        enforced_are_admitted = are_admitted
    end

    for index = first, last do
        local charge = charges[index]
        local position, algorithm, limit = charge.position, charge.algorithm, charge.limit
        local state, moved_back = algorithm.advance(states[position], limit, now)
        if keeps and charge.cost > 0 then
            local is_spent = spends and are_admitted and enforced_are_admitted
            if is_spent then
                algorithm.spend(state, limit, charge.cost)
            end
            -- A denial writes nothing, unless waits must count from an earlier instant than before.
            if is_spent or moved_back then
                states[position], writers[position] = state, charge
            end
        end
        local does_not_fit = not charge.is_admitted and charge.asked or nil
        local told = #answer
        answer[told + 1] = charge.is_admitted and 1 or 0
        answer[told + 2], answer[told + 3], answer[told + 4], answer[told + 5] =
            algorithm.tell(state, limit, does_not_fit)
    end
    first = last + 1
end

for position, charge in pairs(writers) do
    charge.algorithm.write(KEYS[position], states[position], charge.limit, now)
end
return answer
