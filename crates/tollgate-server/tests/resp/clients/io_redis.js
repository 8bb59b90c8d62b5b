// ioredis against the daemon; the port comes as the argument. Prints what it got.
const Redis = require("ioredis");

async function main() {
  const redis = new Redis({
    port: Number(process.argv[2]),
    password: "correct",
    connectionName: "worker",
    enableAutoPipelining: true,
    retryStrategy: null,
  });
  console.log(await redis.ping(), await redis.client("GETNAME"));
  console.log(JSON.stringify(await redis.call("CL.THROTTLE", "node", 15, 30, 60)));
  const check = await redis.call("TG.CHECK", "path", "/upload", "user", "node", "COST", 40);
  console.log(JSON.stringify(check));

  const pipeline = redis.pipeline();
  for (let number = 0; number < 100; number += 1) {
    pipeline.call("CL.THROTTLE", "node-pipe", 99, 1, 3600);
  }
  const lefts = (await pipeline.exec()).map(([, answer]) => answer[2]);
  console.log(lefts.every((left, number) => left === 99 - number));

  const multi = redis.multi();
  for (let number = 0; number < 100; number += 1) {
    multi.call("CL.THROTTLE", "node-multi", 99, 1, 3600);
  }
  const left = (await multi.exec()).map(([, answer]) => answer[2]);
  console.log(left.every((left, number) => left === 99 - number), left.length);

  const asked = [];
  for (let number = 0; number < 40; number += 1) {
    asked.push(redis.call("CL.THROTTLE", "node-many", 9, 1, 3600));
  }
  const admitted = (await Promise.all(asked)).filter(([limited]) => limited === 0);
  console.log(asked.length, admitted.length);

  await redis.get("a").catch((error) => console.log(error.message));
  console.log(await redis.quit());
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
