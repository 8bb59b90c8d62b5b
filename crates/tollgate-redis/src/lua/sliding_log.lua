-- Sliding log. A list: first the sum of the costs of all its entries, then the entries, oldest
-- first, each "at cost", or "at" alone if the cost is 1. An admission pushes one element and drops
-- those that have left, so that replicas and the append-only file see a few bytes, not the log.

makers['sliding-log'] = function()
    -- How many elements are read at once: first, and then.
    local FIRST_CHUNK, CHUNK = 8, 64

    local function entry_text(at, cost)
        if cost == 1 then
            return string.format('%.0f', at)
        end
        return string.format('%.0f %.0f', at, cost)
    end

    -- The instant and the cost of an entry's text, or nil.
    local function parse_entry(state, text)
        local at, cost = string.match(text or '', '^(%d+) ?(%d*)$')
        if not at then
            return nil
        end
        return max(0, tonumber(at) - state.shift), cost == '' and 1 or tonumber(cost)
    end

    -- The entry at a position, the oldest at 1; nil after the newest.
    local function entry(state, position)
        while position > #state.texts do
            local from = #state.texts + 1
            local more = redis.call('LRANGE', state.key, from, from + CHUNK - 1)
            if #more == 0 then
                return nil
            end
            for _, text in ipairs(more) do
                table.insert(state.texts, text)
            end
        end
        return parse_entry(state, state.texts[position])
    end

    -- Writes all entries again, at their new instants.
    local function rewrite(key, state)
        local texts = redis.call('LRANGE', key, 1, -1)
        redis.call('DEL', key)
        redis.call('RPUSH', key, 0)
        for _, text in ipairs(texts) do
            redis.call('RPUSH', key, entry_text(parse_entry(state, text)))
        end
    end

    local function log_fresh_at(state, limit)
        return state.used == 0 and 0 or min(state.newest_at + limit.period, MAX)
    end

    return {
        read = function(key)
            -- `shift` is how far the entries move back; `left` of the oldest have left;
            -- `replaced` is an entry that a refund has changed.
            local state = {
                key = key, exists = false, is_foreign = false, texts = {}, total = 0, used = 0,
                newest_at = 0, newest_cost = 0, at = 0, shift = 0, left = 0, left_cost = 0,
                is_advanced = false, moved_back = false, was_spent = false, is_pushed = false,
            }
            local list = redis.pcall('LRANGE', key, 0, FIRST_CHUNK)
            if list.err then
                state.is_foreign = true
                return state
            elseif #list == 0 then
                return state
            end
            local newest = list[#list]
            if #list > FIRST_CHUNK then
                newest = redis.call('LINDEX', key, -1)
            end
            local total = tonumber(list[1])
            local newest_at, newest_cost = parse_entry(state, newest)
            if #list == 1 or not total or not newest_at then
                state.is_foreign = true
                return state
            end
            table.remove(list, 1)
            state.exists, state.texts, state.total = true, list, total
            state.newest_at, state.newest_cost = newest_at, newest_cost
            return state
        end,

        -- Once a call: of the limit it needs the period alone, which all that share a log agree in.
        advance = function(state, limit, now)
            if state.is_advanced then
                return state, state.moved_back
            end
            state.is_advanced = true
            if state.newest_at - now > limit.period then
                state.moved_back = true
                state.shift = state.newest_at - now
                state.newest_at = now
            end
            state.at = max(now, state.newest_at)
            if state.exists then
                local at, cost = entry(state, 1)
                while at and at + limit.period <= state.at do
                    state.left = state.left + 1
                    state.left_cost = state.left_cost + cost
                    at, cost = entry(state, state.left + 1)
                end
            end
            state.used = state.total - state.left_cost
            return state, state.moved_back
        end,

        fits = function(state, limit, cost)
            return state.used + cost <= limit.units
        end,

        spend = function(state, _, cost)
            state.was_spent = true
            state.used = state.used + cost
            if (state.exists or state.is_pushed) and state.newest_at == state.at then
                state.newest_cost = state.newest_cost + cost
            else
                state.newest_at, state.newest_cost, state.is_pushed = state.at, cost, true
            end
        end,

        fresh_at = log_fresh_at,

        refund = function(state, limit, cost, _, reset_at)
            -- An admission's reset is the instant at which its own entry leaves.
            local wanted = max(0, reset_at - limit.period)
            if not state.exists then
                return
            end
            local low, high = state.left + 1, redis.call('LLEN', state.key) - 1
            while low <= high do
                local middle = floor((low + high) / 2)
                local at, entry_cost = parse_entry(state, redis.call('LINDEX', state.key, middle))
                if not at then
                    return
                elseif at == wanted then
                    local refunded = min(entry_cost, cost)
                    state.used = state.used - refunded
                    state.replaced = { position = middle, at = at, cost = entry_cost - refunded }
                    return
                elseif at < wanted then
                    low = middle + 1
                else
                    high = middle - 1
                end
            end
        end,

        write = function(key, state, limit, now)
            local total = state.used + state.left_cost
            if state.shift > 0 then
                rewrite(key, state)
            end
            if state.replaced and state.replaced.cost == 0 then
                redis.call('LSET', key, state.replaced.position, 'refunded')
                redis.call('LREM', key, -1, 'refunded')
                if redis.call('LLEN', key) == 1 then
                    redis.call('DEL', key)
                    return
                end
            elseif state.replaced then
                local text = entry_text(state.replaced.at, state.replaced.cost)
                redis.call('LSET', key, state.replaced.position, text)
            end
            if state.was_spent then
                total = state.used
                if not state.exists then
                    redis.call('DEL', key)
                    redis.call('RPUSH', key, 0)
                elseif state.left > 0 then
                    -- The newest of those that have left makes room for the sum.
                    redis.call('LTRIM', key, state.left, -1)
                end
                local text = entry_text(state.newest_at, state.newest_cost)
                if state.is_pushed then
                    redis.call('RPUSH', key, text)
                else
                    redis.call('LSET', key, -1, text)
                end
            elseif not state.exists then
                return
            end
            redis.call('LSET', key, 0, string.format('%.0f', total))
            redis.call('PEXPIRE', key, lifetime(log_fresh_at(state, limit), limit, now))
        end,

        -- A log of at most two entries that gives the same answers: what must leave until `cost`
        -- fits, at the instant of the last of it, and the rest at that of the newest.
        tell = function(state, limit, cost)
            local leaving_at, leaving = 0, 0
            if cost and cost <= limit.units then
                local room = limit.units - cost
                local position = state.left + 1
                while state.used - leaving > room do
                    local at, entry_cost = nil, nil
                    if state.exists then
                        at, entry_cost = entry(state, position)
                    end
                    if not at then
                        -- What this call has spent itself.
                        leaving_at, leaving = state.newest_at, state.used
                        break
                    end
                    leaving_at, leaving = at, leaving + entry_cost
                    position = position + 1
                end
            end
            return leaving_at, leaving, state.newest_at, state.used - leaving
        end,
    }
end
