"""A matchmaker for mmsim: groups of players who are close in skill.

It exchanges lines of JSON with mmsim; "mmsim help matcher" describes them.
Standard output is only for answers: print messages with file=sys.stderr.
"""
import json
import sys

WIDEN = 20  # the accepted skill difference grows by this much in each second of waiting

waiting = {}  # tickets by id, in the order in which they began to wait
size = 4


def skill(ticket):
    values = [p["attributes"].get("mmr", 1500) for p in ticket["players"]]
    return sum(values) / len(values)


def match(now):
    """Propose matches of tickets with similar skill, and say why the others wait."""
    matches, why = [], {}
    tickets = sorted(waiting.values(), key=skill)
    i = 0
    while i < len(tickets):
        group, players = [], 0
        for ticket in tickets[i:]:
            if players + len(ticket["players"]) <= size:
                group.append(ticket)
                players += len(ticket["players"])
            if players == size:
                break
        patience = max(now - t["created_s"] for t in group)
        close = skill(group[-1]) - skill(group[0]) <= 50 + WIDEN * patience
        if players == size and close:
            matches.append({"tickets": [t["id"] for t in group]})
            taken = {t["id"] for t in group}
            tickets = [t for t in tickets if t["id"] not in taken]
            continue
        why[tickets[i]["id"]] = "nobody near in skill" if players == size else "too few wait"
        i += 1
    return {"matches": matches, "why": why}


for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        size = message["match"]["max"]  # with a ruleset, "teams" beside it has the teams
        answer = {"hello": 1, "name": "skill groups", "version": "1"}
    elif "pass" in message:
        for ticket in message["remove"]:
            waiting.pop(ticket["id"], None)
        for ticket in message["add"]:
            waiting[ticket["id"]] = ticket
        answer = match(message["now_s"])
    else:
        break  # bye
    print(json.dumps(answer), flush=True)
