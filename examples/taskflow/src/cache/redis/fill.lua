-- KEYS: the value, its generation. ARGV: the ticket's generation, the value, its seconds.
if redis.call('GET', KEYS[2]) ~= ARGV[1] then
    return 0
end
redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
return 1
