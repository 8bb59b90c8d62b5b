-- Token bucket. Stored are its level: used tokens in units x ticks; the instant at which the level
-- was that; and the microseconds of the tick in which it counts.

if has_token_bucket == 1 then
    -- The stored level, restated in the charge's tick. Both ticks are powers of ten, so one of the
    -- quotients is whole.
    local function restated(level, at, old, new)
        level = old > new and level * (old / new) or ceil(level / (new / old))
        at = at - at % old
        local begun = at % new
        if begun > 0 then
            at = min(at + (new - begun), MAX)
        end
        return level, at
    end

    local function fresh_at(charge)
        local level = charge.level
        if level == 0 then
            return 0
        end
        local tick = charge.tick
        return min((floor(charge.at / tick) + ceil(level / charge.units)) * tick, MAX)
    end

    algorithms[1] = {
        look = function(charge, other)
            local level, at, old = 0, 0, 1
            if other then
                level, at, old = other.level, other.at, other.tick
            else
                local text = read_text(charge, 21)
                if text then
                    level, at, old = unpack('<I7I7I7', text)
                    if level > MAX or at > MAX or old > MAX or old == 0 then
                        level, at, old = 0, 0, 1
                    end
                end
            end
            local tick, moved_back = charge.tick, false
            local capacity = charge.quota * (charge.period / tick)
            if old ~= tick then
                level, at = restated(level, at, old, tick)
            end
            -- A lowered burst leaves a level above the capacity.
            if level > capacity then
                level = capacity
            end
            if now >= at then
                level = level - charge.units * (floor(now / tick) - floor(at / tick))
                if level < 0 then
                    level = 0
                end
                at = now
            elseif level == 0 then
                at = now
            elseif at - now > charge.period then
                at = now
                moved_back = true
            end
            charge.level, charge.at = level, at
            return moved_back
        end,

        fits = function(charge, cost)
            -- Neither product passes 2^53, since the limit was accepted.
            return cost <= charge.quota
                and charge.level <= (charge.quota - cost) * (charge.period / charge.tick)
        end,

        spend = function(charge)
            charge.level = charge.level + charge.cost * (charge.period / charge.tick)
        end,

        refund = function(charge, admitted_at, reset_at)
            local period_ticks = charge.period / charge.tick
            local spent = min(charge.cost * period_ticks, charge.level)
            if charge.at < admitted_at then
                spent = 0
            elseif charge.at > admitted_at and reset_at > 0 then
                local is_whole = fresh_at(charge) == reset_at
                    and period_ticks >= charge.units
                if not is_whole then
                    local ticks = floor(max(0, reset_at - charge.at) / charge.tick)
                    -- ticks x units, less what the rounding up to a tick may have added.
                    local left = ticks == 0 and 0 or (ticks - 1) * charge.units + 1
                    spent = min(spent, left)
                end
            end
            charge.level = charge.level - spent
        end,

        fresh_at = fresh_at,

        write = function(charge)
            local text = pack('<I7I7I7', charge.level, charge.at, charge.tick)
            write_text(charge, text, fresh_at(charge))
        end,

        tell = function(charge)
            return charge.level, charge.at, charge.tick, 0
        end,
    }
end
