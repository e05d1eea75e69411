package commandtest

import (
	"cmp"
	"fmt"
	"os"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
)

// AccelByte is an AccelByte match function server that reads and writes the wire format by
// field numbers. It pairs tickets in their order in each call, and rejects tickets of players
// whose mmr is below 0. Its first argument changes what it does:
//
//   - "fill" adds an unpaired ticket to the first match that looks for players.
//   - "alliance" makes matches of the fewest and smallest teams that the alliance in the rules
//     allows, and adds tickets to the smallest team of a session.
//   - "template" does what the vendor's template servers do: all players of a match are in one
//     team, the region is "any", and a ticket that joins a session is a new team.
//   - Any other text that is not "pairs" names a fault, which occurs in the third call for matches.
//
// The second argument, if it is not "", is the expected text of the rules. The third is the region
// in which matches are played; the default is "here".
func AccelByte() {
	args := append(os.Args[1:], "", "")
	wants, rules, calls := args[0], args[1], 0
	region = cmp.Or(args[2], region)
	var teams alliance
	ServeStreams(func(method string, s Stream) error {
		name, is := strings.CutPrefix(method, "/accelbyte.matchmaking.matchfunction.MatchFunction/")
		first := Parse(s.Next())
		switch name {
		case "GetStatCodes":
			got := first.In(1).Text(1)
			if !is || rules == "" && !strings.Contains(got, `"player_max_number"`) || rules != "" && got != rules {
				return fmt.Errorf("got rules %q, want those of the configuration", got)
			}
			teams = allianceOf(got)
			return s.SendMsg(Bytes(nil, 1, []byte("mmr")))
		case "ValidateTicket":
			valid, err := validate(first.In(1))
			if err != nil {
				return err
			}
			return s.SendMsg(protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), valid))
		case "EnrichTicket": // sets the pool of servers in the attributes
			return s.SendMsg(Bytes(nil, 1, Bytes(first[1][0].Bytes, 5, enriched)))
		case "MakeMatches":
			if calls++; calls >= 3 {
				if err, is := wrong(wants, s, Bytes(nil, 1, Bytes(nil, 6, make([]byte, 1<<16)))); is {
					return err
				}
			}
			tickets, _, err := offered(first, s, 2)
			if err == nil && (wants == "alliance" || wants == "template") {
				return teams.makeMatches(s, wants, tickets)
			}
			for ; err == nil && len(tickets) >= 2; tickets = tickets[2:] {
				err = s.SendMsg(Bytes(nil, 1, pair(tickets[0], tickets[1])))
			}
			return err
		case "BackfillMatches":
			tickets, sessions, err := offered(first, s, 3)
			if err == nil && (wants == "alliance" || wants == "template") {
				return teams.backfill(s, wants, tickets, sessions)
			}
			if err != nil || wants != "fill" || len(tickets)%2 == 0 {
				return err
			}
			return s.SendMsg(Bytes(nil, 1, fill(Parse(sessions[0]), tickets[len(tickets)-1])))
		}
		return fmt.Errorf("got unknown method %s", method)
	})
}

// region is the region in which matches are played.
var region = "here"

// enriched is a Struct with a null under the name "enriched".
var enriched = Bytes(nil, 1, Bytes(Bytes(nil, 1, []byte("enriched")), 2, protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), 0)))

// validate checks the content of a ticket. It returns 1 if the ticket is valid, and 0 if it is
// not.
func validate(t Fields) (uint64, error) {
	player := t.In(4)
	attributes := player.In(2).Map(1) // the fields of a Struct
	mmr, has := attributes["mmr"]
	latency, measured := t.Map(6)[region]
	switch {
	case t.Text(8) != "mmsim":
		return 0, fmt.Errorf("got namespace %q, want mmsim", t.Text(8))
	case t.Text(1) == "" || player.Text(1) == "" || len(t[3]) != 1:
		return 0, fmt.Errorf("got a ticket without an ID, a player or a time: %v", t)
	case !has || len(attributes) != 1:
		return 0, fmt.Errorf("got attributes %v, want only the stat code mmr", attributes)
	case !measured || latency.Bits > 1000:
		return 0, fmt.Errorf("got latencies %v, want a number up to 1000", t.Map(6))
	case Parse(mmr.Bytes)[2][0].Bits>>63 > 0: // the sign bit of a double
		return 0, nil
	}
	return 1, nil
}

// offered reads the messages of a call. The first has parameters. Each of the others has a
// ticket, in the given field, or a session.
func offered(first Fields, s Stream, field protowire.Number) (tickets, sessions [][]byte, err error) {
	if parameters := first.In(1); parameters.In(1).Text(1) == "" || parameters.In(2).Text(1) == "" || parameters[3][0].Bits == 0 {
		return nil, nil, fmt.Errorf("got parameters %v, want scope, tick and time", parameters)
	}
	for message := s.Next(); message != nil; message = s.Next() {
		m := Parse(message)
		switch {
		case len(m[1]) > 0:
			return nil, nil, fmt.Errorf("got the parameters a second time")
		case len(m[field]) > 0:
			tickets = append(tickets, m[field][0].Bytes)
			attributes := Parse(m[field][0].Bytes)[5]
			if string(attributes[len(attributes)-1].Bytes) != string(enriched) {
				return nil, nil, fmt.Errorf("got a ticket that was not enriched")
			}
		default:
			sessions = append(sessions, m[2][0].Bytes)
		}
	}
	return tickets, sessions, nil
}

// pair returns a match of two tickets.
func pair(a, b []byte) []byte {
	var team []byte
	for _, t := range [][]byte{a, b} {
		team = Bytes(team, 1, []byte(Parse(t).In(4).Text(1)))
	}
	match := Bytes(Bytes(Bytes(nil, 1, a), 1, b), 2, team)
	return Bytes(Bytes(match, 3, []byte("nowhere")), 3, []byte(region))
}

// fill returns a proposal to add a ticket to a match that looks for players.
func fill(session Fields, ticket []byte) []byte {
	team := session.In(4).In(2)
	var players []byte
	for _, id := range team[1] {
		players = Bytes(players, 1, id.Bytes)
	}
	players = Bytes(players, 1, []byte(Parse(ticket).In(4).Text(1)))
	proposal := Bytes(nil, 1, []byte(session.Text(1)))
	return Bytes(Bytes(proposal, 3, ticket), 4, players)
}
