package matchmaker

import (
	"fmt"
	"strings"
)

// Help returns the documentation of the exchange.
func Help() string {
	var kinds, paragraphs strings.Builder
	for _, k := range Kinds() {
		fmt.Fprintf(&kinds, "  %s:%s\n      %s\n", k.Name, k.Target, k.About)
		if k.Help != "" {
			paragraphs.WriteString("\n\n" + k.Help)
		}
	}
	return help + "\n" + strings.TrimSuffix(kinds.String(), "\n") + protocol + paragraphs.String()
}

const help = `A matchmaker of your own can make the matches of a simulated day: mmsim provides the players,
their latency, the clock and the statistics, and your program decides which tickets match.

  mmsim run --matcher 'exec:python3 mm.py'
  mmsim compare --set-b matcher.external='exec:python3 mm.py' --runs 4
  mmsim test cases/ --matcher 'exec:python3 mm.py'
  mmsim matcher init my-matchmaker            a program to start from

--matcher sets matcher.external of a configuration; an entry of queues can have its own:
`

const protocol = `

With placement pool, the default, there is one exchange at every tick of the virtual clock:
mmsim offers all waiting tickets, and the answer names matches. With placement datacenters,
the states determine where a ticket waits, and there is one exchange for each datacenter, with
the tickets that wait there and the warm bodies. No virtual time passes during an exchange.
Each queue of each replication has a process of its own; replications run concurrently. There
is no exchange if no ticket waits.

JSON LINES, VERSION 1. Each message is one line of UTF-8, one JSON object, at most 64 MB.
Unknown members are ignored on both sides; "mmsim schema matcher" prints the schema.

  -> {"hello":1,"queue":"ranked","run":0,"seed":7,"datacenters":["frankfurt","ashburn"],
      "match":{"min":10,"max":10,"teams":[{"name":"red","min":5,"max":5}, …]},
      "rules":{…},"tick_s":1,"give_up_s":120}
  <- {"hello":1,"name":"my matchmaker","version":"1.2","full":false}

queue is "" in a run with a single queue. match has match.size, or the sizes of the rules;
teams is absent if the match has none. rules is the unchanged file of --rules. Unless dialect
names a vendor, the file may be JSON that mmsim does not know: then matches have match.size
players, and a warning says that mmsim does not check them against the file. give_up_s is
absent with placement datacenters. If the answer has a version, sweep and tune reuse finished
jobs; without one they simulate everything again.

  -> {"pass":42,"now_s":42.0,"datacenter":"frankfurt",
      "add":[{"id":"t1","party":"p77","created_s":40.2,"give_up_s":120,"attributes":{},
        "players":[{"id":"p77","attributes":{"mmr":1500,"maps":["dust"]},"entity":{},
          "rtt_ms":{"frankfurt":21.5,"ashburn":98.0}}]}],
      "remove":[{"id":"t0","why":"matched"}],
      "accepted":[{"proposal":0,"match":"m17"}],"dropped":[{"proposal":1,"why":"…"}],
      "sessions":{"add":[{"id":"m3","datacenter":"frankfurt","created_s":30,"open":2,
        "teams":[{"name":"red","players":[{"id":"p5","attributes":{},"entity":{}}]}]}],
        "remove":["m2"]}}
  <- {"matches":[{"tickets":["t1","t9"],"teams":[["p77"],["p12"]],"datacenter":"frankfurt"}],
      "backfills":[{"session":"m3","tickets":["t4"],"teams":[["p4"],[]]}],
      "why":{"t5":"nobody near in skill"}}
  -> {"bye":"end of the run"}

datacenter is present only with placement datacenters. add and remove are the changes since
the last pass (of that datacenter), in the order in which searches began; a ticket that is
added again has changed. With "full":true in the hello, add has all waiting tickets in every
pass. why of a removed ticket is matched, expired or failed. rtt_ms has the datacenters that
the ticket may use. Instants are seconds of the virtual clock, negative in the warm-up.

All members of an answer are optional. tickets are ids of tickets, and teams are ids of
players: every player of the tickets once, and a party in one team. Without teams the match
has no sides. Without datacenter the match is played where its worst RTT is lowest. The teams
of a backfill contain the new players only. Either side may send {"error":"…"}, which ends
the run.

INVALID PROPOSALS. A whole proposal is dropped, and its tickets continue to wait,
  - if a ticket does not wait (not_waiting), is in a proposal accepted earlier in the same
    answer (collision), or is named twice (repeated);
  - if the match is too small or too large (wrong_size);
  - if the teams do not contain exactly its players, or their number or a size is wrong
    (wrong_teams), or a party is divided among teams (split_party);
  - if the datacenter or session does not exist (no_such_place).
The next message names it in dropped, by the index of the proposal in the last answer: matches
first, then backfills. The results count dropped proposals in the block external, with the
first one of each kind as an example. With matcher.on_invalid: error, the first one ends the
run.

With --rules, every accepted match is checked against the ruleset, in the datacenter where it
is played. A match that violates a rule stays accepted, and violations are counted by rule:
"team sizes" means that the number or the sizes of the teams are wrong after the waits of the
tickets, and "refused ticket" that the vendor's service would not have taken a ticket. If the
answer does not name the teams of a match, rules that distinguish teams are not checked.

With external.backfill: true, matches below their maximum size look for players until they
end: sessions lists them, and open is the number of free seats.

The run ends with exit code 2, and writes a partial result, if the program ends, prints
anything else, or answers later than matcher.timeout (10 s of real time). The program must end
when its input ends. It runs in the folder of the file that names it, or in matcher.folder.

mmsim matcher record FILE … records the exchange of a run; --matcher replay:FILE answers from
the recording without the program.`
