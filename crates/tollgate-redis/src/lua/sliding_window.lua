-- Sliding window. The stored text is "window previous current": the number of the window since the
-- epoch, and the units used in the one before and in this one.

makers['sliding-window'] = function()
    -- The start of the window `ahead` of the state's.
    local function window_start(state, limit, ahead)
        return min((state.window + ahead) * limit.period, MAX)
    end

    local function window_fresh_at(state, limit)
        if state.current > 0 then
            return window_start(state, limit, 2)
        elseif state.previous > 0 then
            return window_start(state, limit, 1)
        end
        return 0
    end

    return {
        read = function(key)
            local window, previous, current = read_numbers(key, '^(%d+) (%d+) (%d+)$')
            return { window = window or 0, previous = previous or 0, current = current or 0 }
        end,

        advance = function(state, limit, now)
            local current_window = floor(now / limit.period)
            local window, previous, current = state.window, state.previous, state.current
            local elapsed, moved_back = 0, false
            if current_window >= window then
                local ahead = current_window - window
                elapsed = now % limit.period
                if ahead > 0 then
                    previous = ahead == 1 and current or 0
                    current = 0
                end
                window = current_window
            elseif previous == 0 and current == 0 then
                window = current_window
                elapsed = now % limit.period
            elseif window_start(state, limit, 0) - now > limit.period then
                -- To the beginning of the next window, where the previous count weighs in full.
                window = current_window + 1
                moved_back = true
            end
            local advanced =
                { window = window, previous = previous, current = current, elapsed = elapsed }
            return advanced, moved_back
        end,

        fits = function(state, limit, cost)
            local room = limit.units - state.current - cost
            if room < 0 then
                return false
            elseif state.previous == 0 then
                return true
            end
            local left = limit.period_ticks - floor(state.elapsed / limit.tick)
            -- Divided, not multiplied: a lowered limit may leave a previous count above the units.
            return left <= floor(room * limit.period_ticks / state.previous)
        end,

        spend = function(state, _, cost)
            state.current = state.current + cost
        end,

        fresh_at = window_fresh_at,

        refund = function(state, limit, cost, _, reset_at)
            -- An admission's reset is the end of the window after its own.
            if reset_at == window_start(state, limit, 2) then
                state.current = max(0, state.current - cost)
            elseif reset_at == window_start(state, limit, 1) then
                state.previous = max(0, state.previous - cost)
            end
        end,

        write = function(key, state, limit, now)
            local window, previous, current = state.window, state.previous, state.current
            local text = string.format('%.0f %.0f %.0f', window, previous, current)
            write_text(key, text, window_fresh_at(state, limit), limit, now)
        end,

        tell = function(state)
            return state.window, state.previous, state.current, 0
        end,
    }
end
