-- Fixed window. The stored text is "start used".

makers['fixed-window'] = function()
    local function start_of(limit, now)
        if limit.starts_at_first_request then
            return now
        end
        return now - now % limit.period
    end

    local function end_of(state, limit)
        return min(state.start + limit.period, MAX)
    end

    local function count_fresh_at(state, limit)
        return state.used == 0 and 0 or end_of(state, limit)
    end

    return {
        read = function(key)
            local start, used = read_numbers(key, '^(%d+) (%d+)$')
            return { start = start or 0, used = used or 0 }
        end,

        advance = function(state, limit, now)
            local start, used = state.start, state.used
            local moved_back = false
            if now < start then
                local steps_back = start - now > limit.period
                moved_back = steps_back and used > 0
                if used == 0 or steps_back then
                    start = start_of(limit, now)
                end
            elseif used == 0 or now - start >= limit.period then
                start = start_of(limit, now)
                used = 0
            end
            return { start = start, used = used }, moved_back
        end,

        fits = function(state, limit, cost)
            return state.used + cost <= limit.units
        end,

        spend = function(state, _, cost)
            state.used = state.used + cost
        end,

        fresh_at = count_fresh_at,

        refund = function(state, limit, cost, _, reset_at)
            -- An admission's reset is the end of its window, which tells one window from another.
            if reset_at == end_of(state, limit) then
                state.used = max(0, state.used - cost)
            end
        end,

        write = function(key, state, limit, now)
            local text = string.format('%.0f %.0f', state.start, state.used)
            write_text(key, text, count_fresh_at(state, limit), limit, now)
        end,

        tell = function(state)
            return state.start, state.used, 0, 0
        end,
    }
end
