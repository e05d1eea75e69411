package main

import "github.com/spf13/cobra"

// newCaseTopic is the help about case files.
func newCaseTopic() *cobra.Command {
	return &cobra.Command{Use: "case", Short: "the format of case files.", Long: caseHelp}
}

const caseHelp = `A case file is one JSON object: a vendor's ruleset, a scene of waiting tickets and open
sessions at an instant, and what one matching pass must do with it.

  {
    "name": "skill/close-enough",          the file's name when left out
    "dialect": "playfab",                  recognised from the rules when left out
    "why": "A difference of 5 is allowed.",
    "source": "what it rests on", "follow": "page",    or service, which is the default
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

The rules stand there as the vendor exports them, or the name of their file does, relative
to the case: "rules": "../queue.json". Times are seconds on the virtual clock, latencies
milliseconds (at most 1e12); numbers in attributes are at most 1e100. give_up_after, the
attributes of tickets and sessions, entity, latencies, sessions and expect may be left out.

In expect, a key that is absent is not checked. Lists are compared as sets. error expects
that the rules, the scene or one of its tickets is refused; letter case does not count. A
ticket that is refused is unmatched, too. chosen may be "new", a new server. Where several
outcomes are right, "any_of": [{...}, {...}] stands in place of the keys.`
