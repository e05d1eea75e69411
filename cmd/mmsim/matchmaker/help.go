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

const help = `A matchmaker of your own makes the matches of a simulated day: the players, their latency,
the clock and the statistics are mmsim's, who goes with whom is yours.

  mmsim run --matcher 'exec:python3 mm.py'
  mmsim compare --set-b matcher.external='exec:python3 mm.py' --runs 4
  mmsim test cases/ --matcher 'exec:python3 mm.py'
  mmsim matcher init my-matchmaker            a program to start from

--matcher is matcher.external in a configuration, of an entry of queues, too:
`

const protocol = `

At every tick of the virtual clock, all waiting tickets are offered in one exchange, and the
answer names matches (placement pool, the default). With placement datacenters, the states
say where a ticket waits, and the turn of each datacenter is one exchange over those who wait
there and over the warm bodies. No virtual time passes meanwhile. Each queue of each
replication has a program of its own; replications run side by side. An exchange in which
nobody waits is left out.

JSON LINES, VERSION 1. Each message is one line of UTF-8, one JSON object, at most 64 MB.
Unknown members are ignored on both sides; "mmsim schema matcher" prints the schema.

  -> {"hello":1,"queue":"ranked","run":0,"seed":7,"datacenters":["frankfurt","ashburn"],
      "match":{"min":10,"max":10,"teams":[{"name":"red","min":5,"max":5}, …]},
      "rules":{…},"tick_s":1,"give_up_s":120}
  <- {"hello":1,"name":"my matchmaker","version":"1.2","full":false}

queue is "" where a run has one. match is match.size, or what the rules say; teams are absent
where it has none. rules is the file of --rules as it is. It may be JSON that mmsim knows
nothing of, unless dialect names a vendor: then matches have match.size players, and a
warning says that they are not held against it. give_up_s is absent with placement
datacenters. A version lets sweep and tune take finished jobs over; without one they
simulate everything again.

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

datacenter is there only with placement datacenters. add and remove tell what changed since
the last pass (of that datacenter), in the order in which searches began; a ticket that is
added again has changed. "full":true in the hello asks for all waiting tickets as add in
every pass. why of a removed ticket is matched, expired or failed. rtt_ms has the datacenters
that a ticket may use. Instants are seconds of the virtual clock, negative in the warm-up.

In an answer, everything may be left out. tickets are ids; teams hold ids of players, of
every player of the tickets once, a party in one team; without teams the match has no sides.
Without datacenter the match goes to the one with the lowest worst RTT. Teams of a backfill
hold the new players alone. Either side may send {"error":"…"}, which ends the run.

WHAT IS WRONG. A proposal is dropped whole, and its tickets go on waiting, if a ticket does
not wait (not_waiting), is in a proposal that was accepted before in the same answer
(collision) or is named twice (repeated), if the match is too small or too large (wrong_size),
if teams do not hold exactly its players or are of another number or size (wrong_teams),
tear a party apart (split_party), or if the datacenter or session does not exist
(no_such_place). The next message says so in dropped, by the place of the proposal in the
last answer: its matches, then its backfills. The results count all in the block external,
with the first example. matcher.on_invalid: error ends the run at the first one.

With --rules, every accepted match is held against the ruleset, in the datacenter where it
is played; it stays accepted, and violations are counted by rule. "team sizes" stands for the
sizes and the number of teams after the waits of its tickets, "refused ticket" for a ticket
that the vendor's service would not have taken. Of a match whose teams the answer does not
name, rules that tell one team from another are not looked at.

With external.backfill: true, matches below their maximum look for players until they end:
sessions tell which, and open how many seats they have.

A program that ends, prints anything else or answers later than matcher.timeout (10 s of a
real clock) ends the run with exit code 2, and what was simulated is written as a partial
result. The program has to end when its input does. It is run in the folder of the file that
names it, or in matcher.folder.

mmsim matcher record FILE … writes the exchange of a run down; --matcher replay:FILE answers
from it without the program.`
