-- Token bucket. The stored text is "level at tick": used tokens in units x ticks, the instant at
-- which the level was that, and the microseconds of the tick in which it counts.

makers['token-bucket'] = function()
    -- Restates the level in the limit's tick, and lowers it to the capacity.
    local function restate(state, limit)
        local level, at, old, new = state.level, state.at, state.tick, limit.tick
        if old ~= new then
            -- Both are powers of ten, so one of the quotients is whole.
            level = old > new and level * (old / new) or ceil(level / (new / old))
            at = at - at % old
            local begun = at % new
            if begun > 0 then
                at = min(at + (new - begun), MAX)
            end
        end
        return min(level, limit.capacity), at
    end

    -- The instant at which the level will have drained by `amount`.
    local function drained_at(state, limit, amount)
        local ticks = floor(state.at / limit.tick) + ceil(amount / limit.units)
        return min(ticks * limit.tick, MAX)
    end

    local function bucket_fresh_at(state, limit)
        if state.level == 0 then
            return 0
        end
        return drained_at(state, limit, state.level)
    end

    return {
        read = function(key)
            local level, at, tick = read_numbers(key, '^(%d+) (%d+) (%d+)$')
            if not level or tick == 0 then
                return { level = 0, at = 0, tick = 1 }
            end
            return { level = level, at = at, tick = tick }
        end,

        advance = function(state, limit, now)
            local level, at = restate(state, limit)
            local moved_back = false
            if now >= at then
                local ticks = floor(now / limit.tick) - floor(at / limit.tick)
                level = max(0, level - limit.units * ticks)
                at = now
            elseif level == 0 then
                at = now
            elseif at - now > limit.period then
                at = now
                moved_back = true
            end
            return { level = level, at = at, tick = limit.tick }, moved_back
        end,

        fits = function(state, limit, cost)
            return cost <= limit.quota
                and state.level <= limit.capacity - cost * limit.period_ticks
        end,

        spend = function(state, limit, cost)
            state.level = state.level + cost * limit.period_ticks
        end,

        fresh_at = bucket_fresh_at,

        refund = function(state, limit, cost, admitted_at, reset_at)
            local spent = min(cost * limit.period_ticks, state.level)
            if state.at < admitted_at then
                spent = 0
            elseif state.at > admitted_at then
                local is_whole = bucket_fresh_at(state, limit) == reset_at
                    and limit.period_ticks >= limit.units
                if not is_whole then
                    local ticks = floor(max(0, reset_at - state.at) / limit.tick)
                    -- ticks x units, less what the rounding up to a tick may have added.
                    local left = ticks == 0 and 0 or (ticks - 1) * limit.units + 1
                    spent = min(spent, left)
                end
            end
            state.level = state.level - spent
        end,

        write = function(key, state, limit, now)
            local text = string.format('%.0f %.0f %.0f', state.level, state.at, state.tick)
            write_text(key, text, bucket_fresh_at(state, limit), limit, now)
        end,

        tell = function(state)
            return state.level, state.at, state.tick, 0
        end,
    }
end
