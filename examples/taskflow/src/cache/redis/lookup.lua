-- KEYS: the value, its generation. ARGV: a number never used before, the generation's seconds.
local value = redis.call('GET', KEYS[1])
if value then
    return {1, value}
end
local generation = redis.call('GET', KEYS[2]) or ARGV[1]
redis.call('SET', KEYS[2], generation, 'EX', ARGV[2])
return {0, generation}
