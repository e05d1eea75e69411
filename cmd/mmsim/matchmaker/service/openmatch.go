package service

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/grpc"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/matchmaker/service/openmatchpb"
	"mmsim/matcher/external/exchange"
)

// OpenMatchHelp describes the calls for users.
const OpenMatchHelp = `OPENMATCH2:HOST:PORT. In every pass, mmsim calls the match function
(open_match2.MatchMakingFunctionService/Run) once for each profile in the file matcher.profiles, in
the order of the file. The connection is not encrypted.

  profiles:
    - name: newcomers
      pools:
        low: {tags: [dust], strings: {mode: ranked}, doubles: {mmr: {max: 1500, bounds: max_excluded}}}
        late: {waited: {min: 30s}}
      extensions: {desiredNumRosters: 1, desiredRosterLen: 4, minRosterLen: 2}

A pool contains the waiting tickets that pass all its filters; a pool {} contains every waiting
ticket. tags must all be among the ticket's tags, strings must equal its string_args, doubles must
be in the given range of its double_args, and waited limits its wait. bounds says whether min and
max are in the range: both_included (the default), min_excluded, max_excluded or both_excluded. A
ticket has

  double_args      its number attributes (for a party, the mean of its players), players (the number
                   of its players), and rtt.DATACENTER (RTT in ms; for a party, the highest) for
                   each of the datacenters in the first JSON line, which may be regions
  string_args      its text attributes; for a party, those that are equal for all its players
  tags             the items of its list attributes (for a party, those that all its players have),
                   and the names of the datacenters that it may use
  creation_time    the time of the real clock, minus the wait of the ticket
  expiration_time  creation_time plus players.give_up_after; absent with placement datacenters
  extensions       the entry mmsim, a Struct with now_s and wait_s

An attribute that some players of a party lack is left out. The id of a ticket begins with the queue
and the run, as in ranked-0-t1, or 0-t1 if the run has a single queue. A profile of almost 4 MiB or
more is sent in chunks.

extensions of a profile are sent with it, each as the protobuf message of its type: Int32Value for
whole numbers, DoubleValue, BoolValue, StringValue, ListValue or Struct. The samples of Open Match
read the sizes of rosters from the extensions above. mmsim adds the extension mmsim, a Struct with
now_s and with match, the sizes of matches and teams as in the first JSON line.

Each roster of a match is a team, even a single one. If the rosters have the names of the ruleset's
teams, they are taken in the order of the ruleset, otherwise in alphabetical order. The match is
played in the datacenter that its extension "datacenter" (a StringValue) names. If the match has no
such extension, the first roster that names a datacenter decides: in the connection of its
assignment, or in an extension "datacenter" of the roster. If several matches contain the same
ticket, the first one gets it, and the others are dropped as collisions.`

// openMatch is a connection to a match function.
type openMatch struct {
	address  string
	conn     *grpc.ClientConn
	function openmatchpb.MatchMakingFunctionServiceClient
	profiles []Profile

	hello   *exchange.Hello
	names   Names
	tickets map[string]*openMatchTicket // tickets of the last pass, by id
}

// OpenOpenMatch calls a match function of Open Match 2. In each pass, it calls the function once for
// each profile in a file, with the waiting tickets that pass the filters of the profile's pools.
func OpenOpenMatch(address, profiles string) (exchange.Matcher, error) {
	if profiles == "" {
		return nil, input.Badf("openmatch2 without profiles, expected matcher.profiles to name a file")
	}
	list, err := ReadProfiles(profiles)
	if err != nil {
		return nil, err
	}
	m := &openMatch{address: address, profiles: list, tickets: map[string]*openMatchTicket{}}
	if m.conn, err = Dial(address); err != nil {
		return nil, input.Badf("%s: %v", address, err)
	}
	m.function = openmatchpb.NewMatchMakingFunctionServiceClient(m.conn)
	return m, nil
}

// Hello implements exchange.Matcher. Match functions have no such message, so Hello only
// checks that the service can be reached.
func (m *openMatch) Hello(ctx context.Context, h *exchange.Hello) (*exchange.HelloAnswer, error) {
	if h.Backfill {
		return nil, errors.New("external.backfill is true, but a match function of Open Match 2 only makes new matches, expected false")
	}
	m.hello, m.names = h, NamesOf(h)
	return &exchange.HelloAnswer{}, Reach(ctx, m.address)
}

// Pass implements exchange.Matcher.
func (m *openMatch) Pass(ctx context.Context, p *exchange.Pass) (*exchange.Answer, error) {
	m.describe(p)
	answer, clock := &exchange.Answer{}, ClockAt(p.NowMS)
	budget := &Budget{}
	for i := range m.profiles {
		chunks, err := m.chunks(&m.profiles[i], p, clock, budget)
		if err == nil {
			err = m.ask(ctx, chunks, budget, answer)
		}
		if err != nil {
			return nil, fmt.Errorf("profile %q: %w", m.profiles[i].Name, err)
		}
	}
	answer.Cost = budget.Cost
	return answer, nil
}

// ask sends a profile and adds the resulting matches to answer.
func (m *openMatch) ask(ctx context.Context, chunks []*openmatchpb.Profile, budget *Budget, answer *exchange.Answer) error {
	return Talk(ctx, "Run", m.function.Run, budget, func(send func(*openmatchpb.ChunkedMmfRunRequest) error) error {
		for _, chunk := range chunks {
			if err := send(&openmatchpb.ChunkedMmfRunRequest{Profile: chunk, NumChunks: int32(len(chunks))}); err != nil {
				return err
			}
		}
		return nil
	}, func(r *openmatchpb.StreamedMmfResponse) {
		if r.GetMatch() != nil {
			answer.Matches = append(answer.Matches, m.proposal(r.Match))
		}
	})
}

// Close implements exchange.Matcher.
func (m *openMatch) Close(string) error { return m.conn.Close() }
