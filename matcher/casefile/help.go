package casefile

// Help is the help text about the format of case files.
const Help = `A case file is one JSON object: a vendor's ruleset, a scene of waiting tickets and open
sessions at one instant, and the expected result of one matching pass.

  {
    "name": "skill/close-enough",          if absent: the file's name
    "dialect": "playfab",                  if absent: recognised from the rules
    "why": "A difference of 5 is allowed.",
    "source": "where the expectation comes from", "follow": "page",    or service, the default
    "rules": {"Name": "queue", "MinMatchSize": 2, "MaxMatchSize": 2, ...},
    "at": 30.0,
    "tickets": [
      {"id": "t1", "created_at": 0.0, "give_up_after": 120, "attributes": {},
       "players": [{"id": "p1", "attributes": {"mmr": 1500, "build": "1.2", "maps": ["a", "b"]},
                    "entity": {"playerSkill": {"Mean": 3}}, "latencies": {"EastUs": 45}}]}
    ],
    "sessions": [
      {"id": "s1", "created_at": 0, "region": "EastUs", "capacity": 8, "attributes": {},
       "teams": [{"name": "red", "players": [{"id": "p9", "attributes": {}}]}]}
    ],
    "expect": {
      "matches": [{"tickets": ["t1", "t2"], "teams": [["p1"], ["p2"]], "region": "EastUs"}],
      "backfills": [{"session": "s1", "tickets": ["t5"], "teams": [["p9", "p5"], ["p8"]]}],
      "scores": {"s1": 6.5}, "chosen": "s1",
      "unmatched": ["t3"], "expired": ["t4"],
      "error": "text that the error message must contain"
    }
  }

rules is the JSON that the vendor exports, or the name of its file relative to the case, such
as "../queue.json". Times are seconds on the virtual clock; latencies are milliseconds (at
most 1e12); numbers in attributes are at most 1e100. give_up_after, entity, latencies,
sessions, expect and the attributes of tickets and sessions are optional.

Keys that are absent from expect are not checked. Lists are compared as sets. error means that
the rules, the scene or a ticket must be refused with a message that contains the text, in any
letter case. A refused ticket also counts as unmatched. chosen may be "new" for a new server.
If several outcomes are correct, use "any_of": [{...}, {...}] instead of the other keys.`
