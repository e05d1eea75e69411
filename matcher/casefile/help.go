package casefile

// Help is the help text about the format of case files.
const Help = `A case file is a unit test of a ruleset for "mmsim test": one JSON object with a vendor's ruleset,
a scene, and the expected result. The scene is what a matching pass finds at one instant: waiting
tickets (players or parties) and open sessions (running matches with free seats, or servers).
This example shows all keys; a real case needs only some of them:

  {
    "name": "skill/close-enough",
    "why": "A difference of 5 is allowed.",
    "source": "where the expectation comes from",
    "dialect": "playfab",
    "follow": "page",
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

  name       if absent, the name of the file
  why        the reason for the expectation, for readers; source is where it comes from
  dialect    the vendor; if absent, recognised from the rules
  follow     what to follow where the vendor's service differs from its documentation: service
             (the default) or page (the documentation)
  rules      the JSON that the vendor exports, or the name of its file relative to the case file,
             such as "../queue.json", or "../queues.json#Ranked" if the file has several rulesets
  at         the time of the pass. Times and waits are seconds on the virtual clock.
  entity     data that the vendor's service stores about the player
  latencies  RTT in milliseconds by region or datacenter, at most 1e12
  expect     see below

give_up_after, entity, latencies, sessions, expect, and the attributes of tickets and sessions are
optional. Numbers in attributes are at most 1e100.

A key that expect does not have is not checked. A list that it has must be complete; its order does
not matter. Tickets that still wait after the pass are unmatched, as are refused tickets; tickets
that gave up are expired. scores are those of the servers that the player may join, and chosen is
the server that the player joins, or "new" for a new server. error means that the rules, the scene
or a ticket must be refused with a message that contains the text, in upper or lower case. If
several results are correct, expect contains only "any_of": [{...}, {...}].`
