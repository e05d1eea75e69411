package matchmaker

import (
	"fmt"
	"strings"
)

// Help returns the help text about external matchmakers.
func Help() string {
	var kinds, paragraphs strings.Builder
	for _, k := range Kinds() {
		fmt.Fprintf(&kinds, "  %s:%s\n      %s\n", k.Name, k.Target, k.About)
		if k.Help != "" {
			paragraphs.WriteString("\n\n" + k.Help)
		}
	}
	return help + strings.TrimSuffix(kinds.String(), "\n") + protocol + paragraphs.String()
}

const help = `An external matchmaker, such as your own, can make the matches of a simulated day. mmsim provides
the players, their latency, the clock and the statistics. Your program decides which tickets form a
match; a ticket is a player or a party that searches for one.

  mmsim run --matcher 'exec:python3 mm.py'
  mmsim compare --set-b matcher.external='exec:python3 mm.py' --runs 4
  mmsim test cases/ --matcher 'exec:python3 mm.py'
  mmsim matcher init my-matchmaker            # write a program to start from

--matcher KIND:TARGET sets matcher.external of a configuration. If a configuration has several
queues, each can have its own. The kinds are:

`

const protocol = `

PASSES. At each tick of the virtual clock, mmsim sends one message, called a pass, with the waiting
tickets, and the answer proposes matches. No virtual time passes until the answer arrives. If no
ticket waits, mmsim sends no pass.

The key placement (--placement) decides where tickets wait. With an external matchmaker, the default
is pool, with one pass per tick for all tickets. With placement datacenters, there is one pass per
tick for each datacenter. The pass has the tickets that may wait there, which the states in your
configuration (such as states.ideal) decide, and the warm bodies: tickets that have waited so long
that any datacenter will do.

Each queue of each replication has a process of its own, and replications run concurrently.

JSON LINES, VERSION 1. This is the protocol of exec: and wasm:. A message is one JSON object on
one line of UTF-8, at most 64 MB. Below, -> marks a message of mmsim, and <- marks the answer. Both
sides ignore unknown members. "mmsim schema matcher" prints the schema.

The first message describes the run:

  -> {"hello":1,"queue":"ranked","run":0,"seed":7,"datacenters":["frankfurt","ashburn"],
      "match":{"min":10,"max":10,"teams":[{"name":"red","min":5,"max":5}, …]},
      "rules":{…},"tick_s":1,"give_up_s":120}
  <- {"hello":1,"name":"my matchmaker","version":"1.2","full":false}

  queue        "" in a run with a single queue
  datacenters  where a match can be played: the names of the key regions, and every datacenter that
               is in none of them; with placement datacenters, all datacenters
  match        the sizes of a match in the ruleset or, without rules, match.size. teams is omitted
               if the match has none. With an AccelByte alliance, match also has min_teams, the
               smallest number of teams, and teams has as many as a match can have. If rules relax,
               the sizes are the extremes over all waits.
  rules        the file of --rules, unchanged. If the file is not in a vendor's format that mmsim
               knows, mmsim passes it on unchecked, uses match.size, and warns. If the key dialect
               names a vendor, the file must be in that vendor's format.
  tick_s       time between passes, in seconds
  give_up_s    wait in seconds after which a ticket gives up; omitted with placement datacenters,
               where the states decide
  version      optional; with a version, sweep and tune reuse finished jobs of the same version
  full         optional; true if every pass must have all waiting tickets, not only the changes

Each pass has what has changed since the last pass, and the answer has proposals:

  -> {"pass":42,"now_s":42.0,"datacenter":"frankfurt",
      "add":[{"id":"t1","party":"p77","created_s":40.2,"give_up_s":120,"attributes":{},
        "players":[{"id":"p77","attributes":{"mmr":1500,"maps":["dust"]},"entity":{},
          "rtt_ms":{"frankfurt":21.5,"ashburn":98.0}},{"id":"p78", …}]}],
      "remove":[{"id":"t0","why":"matched"}],
      "accepted":[{"proposal":0,"match":"m17"}],"dropped":[{"proposal":1,"why":"…"}],
      "sessions":{"add":[{"id":"m3","datacenter":"frankfurt","created_s":30,"open":2,
        "teams":[{"name":"red","players":[{"id":"p5","attributes":{},"entity":{}}]}]}],
        "remove":["m2"]}}
  <- {"matches":[{"tickets":["t1","t9"],"teams":[["p77","p78"],["p12", …]],"datacenter":"frankfurt"}],
      "backfills":[{"session":"m3","tickets":["t4"],"teams":[["p4"],[]]}],
      "why":{"t5":"nobody near in skill"}}
  -> {"bye":"end of the run"}

  now_s, created_s   seconds on the virtual clock, negative in the warm-up
  datacenter         in a pass: only with placement datacenters
  add, remove        the changes since the last pass (of that datacenter), in the order in which
                     searches began. If a ticket that already waits is in add again, it has
                     changed: replace it. If "full" was true in the first answer, add has all
                     waiting tickets in every pass.
  id, party          A ticket has a new id for each search. party is the id of the first player,
                     and stays the same in all searches of the party or single player.
  entity             data that the vendor's service stores about the player; {} except in case
                     files
  why                of a removed ticket: matched, proposed (see ACCEPTANCE), expired (it gave
                     up), failed (it left the last state without a match) or cancelled (by its
                     players, with the key players.patience)
  rtt_ms             a player's RTT in ms to each datacenter that the ticket may use; to a region,
                     the RTT to the nearest of its datacenters
  accepted, dropped  what became of the proposals of the last answer, which are numbered from 0:
                     matches first, then backfills
  sessions           only with the key external.backfill: true; the running matches below their
                     maximum size, which look for players until they end. open is the number of
                     free seats. A session has the teams of its match; if the match was proposed
                     without teams, all players are listed as one.

All members of an answer are optional:

  matches     proposed new matches
  backfills   proposed additions to sessions
  tickets     ids of tickets
  teams       ids of players: every player of the tickets once, and a party in one team. Omit
              teams if the match has none. In a backfill, list only the new players, in the order of
              the session's teams. If the number of teams may vary, more teams may follow.
  datacenter  where to play; if absent, where the highest RTT of the match's players is lowest. In
              a region, that RTT also decides between its datacenters.
  why         by ticket, the reason why it still waits. If a ticket gives up, the results count
              the last reason.

Either side may send {"error":"…"}, which ends the run.

ACCEPTANCE. With the key match.acceptance.required: true, the players of a valid proposal are asked
whether they accept the match. Meanwhile, its tickets do not wait: they are in remove, with the
reason proposed. When the players have answered, perhaps several passes later, the next message names
the proposal in accepted or in dropped, with the number of its pass:

  {"pass":42,"proposal":0,"why":"not accepted by its players"}

The tickets that continue to wait are then in add again, with the same ids.

INVALID PROPOSALS. An invalid proposal is dropped as a whole, and its tickets continue to wait.
The next message names it in dropped, with the reason:

  not_waiting    a ticket does not wait
  collision      a ticket is in a proposal that was accepted earlier in the same answer
  repeated       a ticket is named twice
  wrong_size     the match is too small or too large
  wrong_teams    the teams do not contain exactly the players, or the number or size of the teams
                 is wrong (with an AccelByte alliance, the rules check number and size)
  split_party    a party is divided among teams
  no_such_place  the datacenter or session does not exist

The block external of summary.json counts the dropped proposals by reason, with the first one of
each reason as an example. If more than 1 % of all proposals are dropped, a warning has the most
frequent reason. With matcher.on_invalid: error, the first invalid proposal ends the run.

CHECKED RULES. With --rules, mmsim checks every accepted match against the ruleset, in the
datacenter where it is played. A match that violates a rule is played all the same, and the block
external counts the violations by rule. Two kinds have names of their own. "team sizes" means that
the number or the sizes of the teams are wrong for the time that the tickets have waited. "refused
ticket" means that the vendor's service would not have taken a ticket. If the answer does not name
the teams of a match, mmsim does not check rules that distinguish teams.

COST. The block external counts the messages of the measured passes and their bytes, in both
directions. Results do not depend on real time, so the times in gRPC messages count as if they all
had their largest size. mmsim run prints to standard error how long passes took (p50, p99 and max)
and their share of the run's time.

FAILURES. The run writes a partial result and ends with exit code 2 if the program ends early,
prints anything but answers to standard output, or takes longer to answer than the key
matcher.timeout (10 s of real time). The program must end when its input ends. mmsim then kills what
is left of it and its children (on Windows, only the program itself). Its working directory is
matcher.folder or, by default, the folder of the file that names the program.

LIMITS. An answer has at most 64 MB (MaxLine), 131072 proposals (MaxProposals) and 2097152 values
(MaxValues). The answer to the first line has at most 64 KB (MaxHello), and its name and version have
1024 bytes each (MaxName). A message of a gRPC service has at most 4 MB (MaxMessage). A longer answer
ends the run. Reasons and errors are cut after 1024 bytes.

RECORDINGS. "mmsim matcher record FILE" records the messages of a run. "mmsim run --matcher
replay:FILE" with the same flags answers from the recording, without the program. It fails if the
run is not the recorded one.`
