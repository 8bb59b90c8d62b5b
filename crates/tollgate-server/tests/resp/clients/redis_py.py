"""redis-py against the daemon; the port comes as the argument. Prints what it got."""

import sys
import threading

import redis

port = int(sys.argv[1])

for protocol in (2, 3):
    client = redis.Redis(
        port=port,
        password="correct",
        client_name="worker",
        protocol=protocol,
        decode_responses=True,
    )
    print(client.ping(), client.client_getname(), client.client_id() > 0)
    print(client.execute_command("CL.THROTTLE", f"py{protocol}", 15, 30, 60))
    print(client.execute_command("TG.CHECK", "path", "/upload", "user", f"py{protocol}", "COST", 40))

    pipeline = client.pipeline(transaction=False)
    for _ in range(100):
        pipeline.execute_command("CL.THROTTLE", f"pipe{protocol}", 99, 1, 3600)
    print([left for _, _, left, _, _ in pipeline.execute()] == list(range(99, -1, -1)))

    # Its default: MULTI, what was asked, EXEC.
    pipeline = client.pipeline()
    for _ in range(100):
        pipeline.execute_command("CL.THROTTLE", f"multi{protocol}", 99, 1, 3600)
    pipeline.execute_command("TG.CHECK", "path", "/upload", "user", f"py{protocol}")
    *throttled, check = pipeline.execute()
    print([left for _, _, left, _, _ in throttled] == list(range(99, -1, -1)), check)

    try:
        client.execute_command("GET", "a")
    except redis.ResponseError as error:
        print(error)

admitted = []


def ask():
    client = redis.Redis(port=port, password="correct")
    for _ in range(5):
        admitted.append(client.execute_command("CL.THROTTLE", "threads", 9, 1, 3600)[0] == 0)


threads = [threading.Thread(target=ask) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(len(admitted), sum(admitted))
