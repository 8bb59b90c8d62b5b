-- Fixed window. Stored are its start and the units used since.

if has_fixed_window == 1 then
    local function start_now(charge)
        if charge.starts_at_first_request then
            return now
        end
        return now - now % charge.period
    end

    local function end_of(charge)
        return min(charge.start + charge.period, MAX)
    end

    local function fresh_at(charge)
        return charge.used == 0 and 0 or end_of(charge)
    end

    algorithms[2] = {
        look = function(charge, other)
            local start, used = 0, 0
            if other then
                start, used = other.start, other.used
            else
                local text = read_text(charge, 14)
                if text then
                    start, used = unpack('<I7I7', text)
                    if start > MAX or used > MAX then
                        start, used = 0, 0
                    end
                end
            end
            local moved_back = false
            if now < start then
                local steps_back = start - now > charge.period
                moved_back = steps_back and used > 0
                if used == 0 or steps_back then
                    start = start_now(charge)
                end
            elseif used == 0 or now - start >= charge.period then
                start = start_now(charge)
                used = 0
            end
            charge.start, charge.used = start, used
            return moved_back
        end,

        fits = function(charge, cost)
            return charge.used + cost <= charge.units
        end,

        spend = function(charge)
            charge.used = charge.used + charge.cost
        end,

        refund = function(charge, _, reset_at)
            -- An admission's reset is the end of its window, which tells one window from another.
            if reset_at == 0 or reset_at == end_of(charge) then
                charge.used = max(0, charge.used - charge.cost)
            end
        end,

        fresh_at = fresh_at,

        write = function(charge)
            write_text(charge, pack('<I7I7', charge.start, charge.used), fresh_at(charge))
        end,

        tell = function(charge)
            return charge.start, charge.used, 0, 0
        end,
    }
end
