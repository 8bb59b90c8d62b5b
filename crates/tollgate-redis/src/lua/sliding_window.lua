-- Sliding window. Stored are the number of the window since the epoch, and the units used in the
-- one before and in this one.

if has_sliding_window == 1 then
    -- The start of the window `ahead` of the charge's.
    local function window_start(charge, ahead)
        return min((charge.window + ahead) * charge.period, MAX)
    end

    local function fresh_at(charge)
        if charge.current > 0 then
            return window_start(charge, 2)
        elseif charge.previous > 0 then
            return window_start(charge, 1)
        end
        return 0
    end

    algorithms[3] = {
        look = function(charge, other)
            local window, previous, current = 0, 0, 0
            if other then
                window, previous, current = other.window, other.previous, other.current
            else
                local text = read_text(charge, 21)
                if text then
                    window, previous, current = unpack('<I7I7I7', text)
                    if window > MAX or previous > MAX or current > MAX then
                        window, previous, current = 0, 0, 0
                    end
                end
            end
            local period, moved_back = charge.period, false
            local window_now = floor(now / period)
            if window_now >= window then
                if window_now > window then
                    previous = window_now == window + 1 and current or 0
                    current = 0
                    window = window_now
                end
            elseif previous == 0 and current == 0 then
                window = window_now
            elseif min(window * period, MAX) - now > period then
                -- To the beginning of the next window, where the previous count weighs in full.
                window = window_now + 1
                moved_back = true
            end
            charge.window, charge.previous, charge.current = window, previous, current
            return moved_back
        end,

        fits = function(charge, cost)
            local room = charge.units - charge.current - cost
            if room < 0 then
                return false
            elseif charge.previous == 0 then
                return true
            end
            local period_ticks = charge.period / charge.tick
            -- Nothing has elapsed of a window that a clock has stepped back from.
            local elapsed = max(0, now - charge.window * charge.period)
            local left = period_ticks - floor(elapsed / charge.tick)
            -- Divided, not multiplied: a lowered limit may leave a previous count above the units.
            return left <= floor(room * period_ticks / charge.previous)
        end,

        spend = function(charge)
            charge.current = charge.current + charge.cost
        end,

        refund = function(charge, _, reset_at)
            -- An admission's reset is the end of the window after its own.
            if reset_at == 0 then
                local of_previous = max(0, charge.cost - charge.current)
                charge.current = max(0, charge.current - charge.cost)
                charge.previous = max(0, charge.previous - of_previous)
            elseif reset_at == window_start(charge, 2) then
                charge.current = max(0, charge.current - charge.cost)
            elseif reset_at == window_start(charge, 1) then
                charge.previous = max(0, charge.previous - charge.cost)
            end
        end,

        fresh_at = fresh_at,

        write = function(charge)
            local text = pack('<I7I7I7', charge.window, charge.previous, charge.current)
            write_text(charge, text, fresh_at(charge))
        end,

        tell = function(charge)
            return charge.window, charge.previous, charge.current, 0
        end,
    }
end
