import json, sys

near = {}  # ids of waiting tickets by their nearest datacenter
for line in sys.stdin:
    m = json.loads(line)
    if "hello" in m:
        size, answer = m["match"]["max"], {"hello": 1, "name": "nearest", "version": "1"}
    elif "pass" in m:
        for t in m["add"]:
            rtt = t["players"][0]["rtt_ms"]
            near.setdefault(min(rtt, key=rtt.get), []).append(t["id"])
        gone = {t["id"] for t in m["remove"]}
        near = {dc: [t for t in ids if t not in gone] for dc, ids in near.items()}
        answer = {"matches": [{"tickets": ids[i:i + size], "datacenter": dc} for dc, ids in near.items() for i in range(0, len(ids) - size + 1, size)]}
    print(json.dumps(answer), flush=True)
