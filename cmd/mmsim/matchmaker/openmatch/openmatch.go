// Package openmatch calls a match function of Open Match 2 (--matcher openmatch2:HOST:PORT). In
// each pass, it calls the function once for each profile, with the waiting tickets that pass
// the filters of the profile's pools.
package openmatch

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/grpc"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/matchmaker/openmatch/openmatchpb"
	"mmsim/cmd/mmsim/matchmaker/openmatch/profiles"
	"mmsim/cmd/mmsim/matchmaker/service"
	"mmsim/cmd/mmsim/matchmaker/transport"
	"mmsim/matcher/external/exchange"
)

// Kind returns the entry for the table in package matchmaker.
func Kind() transport.Kind {
	return transport.Kind{
		Name: "openmatch2", Target: "HOST:PORT", Profiles: true,
		About: "an Open Match 2 match function (gRPC), with the profiles of matcher.profiles (--profiles)",
		Help:  help,
		Check: service.CheckAddress,
		Open:  open,
	}
}

const help = `OPENMATCH2:HOST:PORT. In every pass, mmsim calls the match function
(open_match2.MatchMakingFunctionService/Run) once for each profile of matcher.profiles, in their
order:

  profiles:
    - name: newcomers
      pools:
        low: {tags: [dust], strings: {mode: ranked}, doubles: {mmr: {max: 1500, bounds: max_excluded}}}
        late: {waited: {min: 30s}}

A pool contains the waiting tickets that pass all its filters; {} contains every ticket. bounds is
both_included, min_excluded, max_excluded or both_excluded. A ticket has

  double_args    its number attributes (the mean of a party), players (their number), and
                 rtt.DATACENTER in ms (the highest of a party)
  string_args    its text attributes
  tags           the items of its list attributes, and the datacenters that it may use
  creation_time  the time of the real clock, minus the wait of the ticket
  mmsim          an extension: a Struct with now_s and wait_s; the profile's has only now_s

A party has the texts and list items that all its players share. Ids begin with queue and run.
Profiles of 4 MB or more are sent in chunks.

The rosters of a match are its teams. They have the order of the ruleset's teams if they have the
same names, else the order of their names. The datacenter is the connection of a roster's
assignment, or the extension datacenter (a StringValue) of a roster or the match. If several
profiles take a ticket, the first match gets it, and the others are collisions.`

// matchmaker is a connection to a match function.
type matchmaker struct {
	address  string
	conn     *grpc.ClientConn
	function openmatchpb.MatchMakingFunctionServiceClient
	profiles []profiles.Profile

	hello   *exchange.Hello
	names   service.Names
	tickets map[string]*ticket // tickets of the last pass, by id
}

func open(_ context.Context, o transport.Options) (exchange.Matcher, error) {
	if o.Profiles == "" {
		return nil, input.Badf("openmatch2 without profiles, expected matcher.profiles to name a file")
	}
	list, err := profiles.Read(o.Profiles)
	if err != nil {
		return nil, err
	}
	m := &matchmaker{address: o.Target, profiles: list, tickets: map[string]*ticket{}}
	if m.conn, err = service.Dial(o.Target); err != nil {
		return nil, input.Badf("%s: %v", o.Target, err)
	}
	m.function = openmatchpb.NewMatchMakingFunctionServiceClient(m.conn)
	return m, nil
}

// Hello implements exchange.Matcher. Match functions have no such message, so Hello only
// checks that the service can be reached.
func (m *matchmaker) Hello(ctx context.Context, h *exchange.Hello) (*exchange.HelloAnswer, error) {
	if h.Backfill {
		return nil, errors.New("external.backfill is true, but a match function of Open Match 2 only makes new matches, expected false")
	}
	m.hello, m.names = h, service.NamesOf(h)
	return &exchange.HelloAnswer{}, service.Reach(ctx, m.address)
}

// Pass implements exchange.Matcher.
func (m *matchmaker) Pass(ctx context.Context, p *exchange.Pass) (*exchange.Answer, error) {
	m.describe(p)
	answer, clock := &exchange.Answer{}, service.ClockAt(p.NowMS)
	budget := &service.Budget{}
	for i := range m.profiles {
		chunks, err := m.chunks(&m.profiles[i], p, clock)
		if err == nil {
			err = m.ask(ctx, chunks, budget, answer)
		}
		if err != nil {
			return nil, fmt.Errorf("profile %q: %w", m.profiles[i].Name, err)
		}
	}
	return answer, nil
}

// ask sends a profile and adds the resulting matches to answer.
func (m *matchmaker) ask(ctx context.Context, chunks []*openmatchpb.Profile, budget *service.Budget, answer *exchange.Answer) error {
	return service.Talk(ctx, "Run", m.function.Run, budget, func(send func(*openmatchpb.ChunkedMmfRunRequest) error) error {
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
func (m *matchmaker) Close(string) error { return m.conn.Close() }
