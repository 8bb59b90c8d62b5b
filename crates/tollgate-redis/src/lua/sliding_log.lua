-- Sliding log. A list: first the sum of the costs of all its entries, then the entries, oldest
-- first, each its instant and its cost, or its instant alone if the cost is 1. An admission pushes
-- one element and drops those that have left, so that replicas and the append-only file see a few
-- bytes, not the log.

if has_sliding_log == 1 then
    -- How many elements are read at once: first, and then.
    local FIRST_CHUNK, CHUNK = 8, 64

    local function entry_text(at, cost)
        if cost == 1 then
            return pack('<I7', at)
        end
        return pack('<I7I7', at, cost)
    end

    -- The instant and the cost of an entry's text, or nil.
    local function parse_entry(log, text)
        local at, cost = nil, 1
        if text and #text == 7 then
            at = unpack('<I7', text)
        elseif text and #text == 14 then
            at, cost = unpack('<I7I7', text)
        end
        if not at or at > MAX or cost > MAX then
            return nil
        end
        return max(0, at - log.shift), cost
    end

    -- The entry at a position, the oldest at 1; nil after the newest.
    local function entry(log, position)
        while position > #log.texts do
            local from = #log.texts + 1
            local more = call('LRANGE', log.key, from, from + CHUNK - 1)
            if #more == 0 then
                return nil
            end
            for _, text in ipairs(more) do
                table.insert(log.texts, text)
            end
        end
        return parse_entry(log, log.texts[position])
    end

    -- How many entries are stored, if each of them costs 1; then the sum of costs is a difference of
    -- positions, and nothing needs to be added up.
    local function count_of_ones(log)
        if log.exists and log.ones == nil then
            local count = call('LLEN', log.key) - 1
            log.ones = count == log.total and count
        end
        return log.ones
    end

    -- How many of so many entries, each of cost 1, have left; the first `left` are known to.
    local function left_of_ones(log, period, left, count)
        local low, high = left, count
        while low < high do
            local middle = ceil((low + high) / 2)
            local at = parse_entry(log, call('LINDEX', log.key, middle))
            if at and at + period <= log.at then
                low = middle
            else
                high = middle - 1
            end
        end
        return low
    end

    -- Writes all entries again, at their new instants.
    local function rewrite(log)
        local texts = call('LRANGE', log.key, 1, -1)
        call('DEL', log.key)
        call('RPUSH', log.key, '')
        for _, text in ipairs(texts) do
            local at, cost = parse_entry(log, text)
            -- What is not ours keeps its place, or the positions of others would be wrong.
            call('RPUSH', log.key, at and entry_text(at, cost) or text)
        end
    end

    -- `shift` is how far the entries move back; `left` of the oldest have left; `replaced` is an
    -- entry that a refund has changed; `kept` is the position of the newest entry that a refund has not
    -- removed.
    local function read(charge)
        local key = charge.key
        local log = {
            key = key, exists = false, texts = {}, total = 0, used = 0,
            newest_at = 0, newest_cost = 0, at = 0, shift = 0, left = 0, left_cost = 0,
            moved_back = false, was_spent = false, is_pushed = false,
        }
        local list = ask('LRANGE', key, 0, FIRST_CHUNK)
        if list.err then
            must_be_of_another_type(list)
        end
        charge.stored = list.err or #list > 0
        if list.err or #list < 2 then
            return log
        end
        local newest = #list > FIRST_CHUNK and call('LINDEX', key, -1) or list[#list]
        local total = #list[1] == 7 and unpack('<I7', list[1]) or MAX + 1
        local newest_at, newest_cost = parse_entry(log, newest)
        if total > MAX or not newest_at then
            return log
        end
        table.remove(list, 1)
        log.exists, log.texts, log.total = true, list, total
        log.newest_at, log.newest_cost = newest_at, newest_cost
        return log
    end

    -- Gives back so many units of the newest entries.
    local function refund_newest(log, cost)
        local position = call('LLEN', log.key) - 1
        while cost > 0 and position > log.left do
            local at, own = parse_entry(log, call('LINDEX', log.key, position))
            if not at then
                return
            end
            local refunded = min(own, cost)
            log.used, cost = log.used - refunded, cost - refunded
            if refunded < own then
                log.replaced = { position = position, at = at, cost = own - refunded }
                return
            end
            log.kept, position = position - 1, position - 1
        end
    end

    local function fresh_at(charge)
        local log = charge.log
        return log.used == 0 and 0 or min(log.newest_at + charge.period, MAX)
    end

    algorithms[4] = {
        look = function(charge, other)
            if other then
                -- Of the limit a log needs the period alone, which all that share one agree in.
                charge.log = other.log
                return other.log.moved_back
            end
            local log = read(charge)
            charge.log = log
            if log.newest_at - now > charge.period then
                log.moved_back = true
                log.shift = log.newest_at - now
                log.newest_at = now
            end
            log.at = max(now, log.newest_at)
            if log.exists then
                local at, cost = entry(log, 1)
                while at and at + charge.period <= log.at do
                    log.left = log.left + 1
                    log.left_cost = log.left_cost + cost
                    if log.left == FIRST_CHUNK and count_of_ones(log) then
                        log.left = left_of_ones(log, charge.period, log.left, log.ones)
                        log.left_cost = log.left
                        break
                    end
                    at, cost = entry(log, log.left + 1)
                end
            end
            log.used = max(0, log.total - log.left_cost)
            return log.moved_back
        end,

        fits = function(charge, cost)
            return charge.log.used + cost <= charge.units
        end,

        spend = function(charge)
            local log, cost = charge.log, charge.cost
            log.was_spent = true
            log.used = log.used + cost
            if (log.exists or log.is_pushed) and log.newest_at == log.at then
                log.newest_cost = log.newest_cost + cost
            else
                log.newest_at, log.newest_cost, log.is_pushed = log.at, cost, true
            end
        end,

        refund = function(charge, _, reset_at)
            -- An admission's reset is the instant at which its own entry leaves.
            local log, wanted = charge.log, max(0, reset_at - charge.period)
            if not log.exists then
                return
            elseif reset_at == 0 then
                refund_newest(log, charge.cost)
                return
            end
            local low, high = log.left + 1, call('LLEN', log.key) - 1
            while low <= high do
                local middle = floor((low + high) / 2)
                local at, cost = parse_entry(log, call('LINDEX', log.key, middle))
                if not at then
                    return
                elseif at == wanted then
                    local refunded = min(cost, charge.cost)
                    log.used = log.used - refunded
                    log.replaced = { position = middle, at = at, cost = cost - refunded }
                    return
                elseif at < wanted then
                    low = middle + 1
                else
                    high = middle - 1
                end
            end
        end,

        fresh_at = fresh_at,

        write = function(charge)
            local log, key = charge.log, charge.key
            local total = log.used + log.left_cost
            -- First what a user may lack who may write texts and lists, so that it changes nothing.
            if log.exists then
                call('PEXPIRE', key, lifetime(charge, fresh_at(charge)))
            end
            if log.shift > 0 then
                rewrite(log)
                if log.exists then
                    call('PEXPIRE', key, lifetime(charge, fresh_at(charge)))
                end
            end
            if log.kept == 0 then
                call('DEL', key)
                return
            elseif log.kept then
                call('LTRIM', key, 0, log.kept)
            end
            if log.replaced and log.replaced.cost == 0 then
                call('LSET', key, log.replaced.position, 'refunded')
                call('LREM', key, -1, 'refunded')
                if call('LLEN', key) == 1 then
                    call('DEL', key)
                    return
                end
            elseif log.replaced then
                local text = entry_text(log.replaced.at, log.replaced.cost)
                call('LSET', key, log.replaced.position, text)
            end
            if log.was_spent then
                total = log.used
                local text = entry_text(log.newest_at, log.newest_cost)
                if not log.exists then
                    if charge.stored then
                        call('DEL', key)
                    end
                    call('RPUSH', key, pack('<I7', total), text)
                    local expiry = ask('PEXPIRE', key, lifetime(charge, fresh_at(charge)))
                    if type(expiry) == 'table' then
                        -- Nothing may stay without a lifetime.
                        call('LTRIM', key, 1, 0)
                        error(expiry.err, 0)
                    end
                    return
                end
                if log.is_pushed then
                    call('RPUSH', key, text)
                else
                    call('LSET', key, -1, text)
                end
                if log.left > 0 then
                    -- The newest of those that have left makes room for the sum.
                    call('LTRIM', key, log.left, -1)
                end
            elseif not log.exists then
                return
            end
            call('LSET', key, 0, pack('<I7', total))
        end,

        -- A log of at most two entries that gives the same answers: what must leave until `cost`
        -- fits, at the instant of the last of it, and the rest at that of the newest.
        tell = function(charge, cost)
            local log = charge.log
            local leaving_at, leaving = 0, 0
            if cost and cost <= charge.units then
                local room = charge.units - cost
                local position = log.left + 1
                local leaves = log.used - room
                if leaves > FIRST_CHUNK and count_of_ones(log) and log.left + leaves <= log.ones then
                    local at = parse_entry(log, call('LINDEX', log.key, log.left + leaves))
                    if at then
                        return at, leaves, log.newest_at, log.used - leaves
                    end
                end
                while log.used - leaving > room do
                    local at, entry_cost = nil, nil
                    if log.exists then
                        at, entry_cost = entry(log, position)
                    end
                    if not at then
                        -- What this call has spent itself.
                        leaving_at, leaving = log.newest_at, log.used
                        break
                    end
                    leaving_at, leaving = at, leaving + entry_cost
                    position = position + 1
                end
            end
            return leaving_at, leaving, log.newest_at, log.used - leaving
        end,
    }
end
