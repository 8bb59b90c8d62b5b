-- Asks Tollgate about each request, for HAProxy 2.5 and later.
--
--   lua-load tollgate.lua
--   http-request lua.tollgate ADDRESS:PORT closed|open
--
-- A denial is answered as Tollgate says: status, fields, body. Of an admission the fields are put into
-- variables, txn.tollgate.ratelimit and so on.
--
-- A connection is opened for each question: sockets of Lua cannot be kept from one request to the next.
-- core.httpclient would hide the socket, but tries a dead daemon for three seconds in HAProxy 2.6.

-- How long Tollgate may take, in seconds, for each step: to accept, to begin an answer. Longer than
-- [store] timeout of the policy file (100 ms), so that policies say what happens when the store is away.
local TIMEOUT = 0.25

-- Fields of an admission that responses carry.
local told = {
    "ratelimit", "ratelimit-policy",
    "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset",
}

-- Fields of the client that Tollgate does not get: those of the connection and of the body, and those
-- that this file sets itself. All others it does, so that policies can match them.
local kept_back = {
    ["connection"] = true, ["keep-alive"] = true, ["proxy-connection"] = true, ["te"] = true,
    ["trailer"] = true, ["transfer-encoding"] = true, ["upgrade"] = true, ["http2-settings"] = true,
    ["content-length"] = true, ["expect"] = true,
    ["host"] = true, ["forwarded"] = true, ["x-real-ip"] = true, ["x-forwarded-for"] = true,
    ["x-forwarded-method"] = true, ["x-forwarded-uri"] = true, ["x-forwarded-host"] = true,
    ["x-forwarded-proto"] = true, ["x-forwarded-port"] = true,
}

-- The question, or nil for a request that cannot be said in one.
local function question(txn)
    local lines = {
        "GET /v1/auth HTTP/1.1",
        "Host: tollgate",
        "Connection: close",
        "X-Forwarded-Method: " .. txn.sf:method(),
        "X-Forwarded-Uri: " .. txn.sf:pathq(),
        "X-Forwarded-For: " .. txn.sf:src(),
        "X-Real-IP: " .. txn.sf:src(),
    }
    local host = txn.sf:req_fhdr("host")
    if host ~= "" then
        lines[#lines + 1] = "X-Forwarded-Host: " .. host
    end
    for name, values in pairs(txn.http:req_get_headers()) do
        if not kept_back[name] then
            for index = 0, #values do
                if values[index] then
                    lines[#lines + 1] = name .. ": " .. values[index]
                end
            end
        end
    end
    for _, line in ipairs(lines) do
        -- Nobody ends a line here but this file.
        if string.find(line, "[\0\r\n]") then
            return nil
        end
    end
    return table.concat(lines, "\r\n") .. "\r\n\r\n"
end

-- The whole answer, or nil if there is none.
local function ask(tollgate, text)
    local socket = core.tcp()
    socket:settimeout(TIMEOUT)
    local answer
    if socket:connect(tollgate) and socket:send(text) then
        answer = socket:receive("*a")
    end
    socket:close()
    return answer
end

-- Status, fields and body of an answer, or nil if it is none. Tollgate sends each field once.
local function read(answer)
    local head, body = string.match(answer or "", "^(.-\r\n)\r\n(.*)$")
    local status = head and tonumber(string.match(head, "^HTTP/1%.1 (%d%d%d)"))
    if not status then
        return nil
    end
    local fields = {}
    for name, value in string.gmatch(head, "\r\n([^:\r\n]+):[ \t]*([^\r\n]*)") do
        fields[string.lower(name)] = value
    end
    -- A body that did not arrive whole is no answer.
    if tonumber(fields["content-length"] or "0") ~= #body then
        return nil
    end
    return status, fields, body
end

local function refuse(txn, status, fields, body)
    local reply = txn:reply({ status = status, body = body })
    for name, value in pairs(fields) do
        if name ~= "content-length" and name ~= "connection" and name ~= "date" then
            reply:add_header(name, value)
        end
    end
    txn:done(reply)
end

-- Once in ten seconds, not for each request.
local quiet_until = 0
local function warn(text)
    local now = core.now().sec
    if now >= quiet_until then
        quiet_until = now + 10
        core.Warning(text)
    end
end

local function limit(txn, tollgate, when_away)
    local text = question(txn)
    local status, fields, body
    if text then
        status, fields, body = read(ask(tollgate, text))
    end
    if not status then
        if text then
            warn("Tollgate does not answer at " .. tollgate)
            if when_away == "open" then
                return
            end
        end
        local away = { ["content-type"] = "application/problem+json", ["cache-control"] = "no-store", ["retry-after"] = "1" }
        refuse(txn, 503, away, '{"type":"about:blank","title":"Service Unavailable","status":503}')
    elseif status < 200 or status > 299 then
        refuse(txn, status, fields, body)
    else
        for _, name in ipairs(told) do
            if fields[name] then
                txn:set_var("txn.tollgate." .. string.gsub(name, "-", "_"), fields[name])
            end
        end
    end
end

core.register_action("tollgate", { "http-req" }, limit, 2)
