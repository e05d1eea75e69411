package service

import (
	"context"
	"fmt"
	"slices"

	"google.golang.org/grpc"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/matchmaker/service/accelbytepb"
	"mmsim/matcher/external/exchange"
)

// AccelByteHelp describes the calls for users.
const AccelByteHelp = `ACCELBYTE:HOST:PORT. mmsim calls these functions of the match function server, with the JSON of
--rules, or {} without --rules. The connection is not encrypted.

  GetStatCodes                  once, in the first exchange
  ValidateTicket, EnrichTicket  for each ticket that begins to wait
  BackfillMatches               in every pass in which a running match looks for players, with all
                                valid tickets; only with external.backfill: true
  MakeMatches                   in every pass, with the valid tickets that no backfill proposal has

If ValidateTicket refuses a ticket, MakeMatches never gets it, and it waits until it gives up. If
the server names stat codes, players have only the attributes of those names, otherwise all
attributes. A ticket has

  ticket_id          an id that begins with the queue and the run, as in ranked-0-t1, or 0-t1 if the
                     run has a single queue
  match_pool         the name of the queue; "" if the run has a single queue
  namespace          mmsim
  party_session_id   the id of the first player; it stays the same in all searches of the party
  latencies          by region, the highest RTT among the players, rounded to whole ms
  excluded_sessions  the items of the list attribute excluded_sessions, if there is one: ids of
                     sessions in which the ticket must not play
  CreatedAt          the time of the real clock, minus the wait of the ticket

tickId is the number of the pass. The regions are those of the key regions, and every datacenter
that is in none of them. A server that knows only us-east-2 needs the setting
regions={us-east-2: [ashburn, desmoines]}, for example.

A match is played in the first of its region_preferences that is a region and, in that region, in
the datacenter in which the highest RTT of the players is lowest. If it has no preferences, or the
first is "any", mmsim chooses the region in the same way. If it has others and none is a region, the
proposal is invalid.

The players of a team are its user_ids or, if it has no user_ids, those of its parties. A
BackfillTicket has the teams of its match. proposed_teams have the players of the session and the
new ones, and the teams in the same order; new teams follow. A backfill proposal without
added_tickets is ignored. If the number or the sizes of teams break the alliance of the ruleset, the
match is played and counted, see CHECKED RULES.`

// namespace is the namespace of all tickets. In the vendor's service, it names the game.
const namespace = "mmsim"

// maxCodes is the maximum number of stat codes, which are names of attributes.
const maxCodes = 10_000

// accelByte is a connection to a match function server.
type accelByte struct {
	conn     *grpc.ClientConn
	function accelbytepb.MatchFunctionClient

	hello   *exchange.Hello
	names   Names
	rules   *accelbytepb.Rules
	codes   map[string]bool             // attributes that the server asked for; nil for all
	tickets map[string]*accelByteTicket // tickets of the last pass, by id
}

// OpenAccelByte calls an AccelByte match function server. It asks for stat codes once. It makes the
// server validate and enrich each ticket when the ticket begins to wait, and asks for matches in each
// pass.
func OpenAccelByte(address string) (exchange.Matcher, error) {
	conn, err := Dial(address)
	if err != nil {
		return nil, input.Badf("%s: %v", address, err)
	}
	return &accelByte{conn: conn, function: accelbytepb.NewMatchFunctionClient(conn)}, nil
}

// Hello implements exchange.Matcher.
func (m *accelByte) Hello(ctx context.Context, h *exchange.Hello) (*exchange.HelloAnswer, error) {
	m.hello, m.names, m.rules = h, NamesOf(h), &accelbytepb.Rules{Json: "{}"}
	if h.Rules != nil {
		m.rules.Json = string(h.Rules)
	}
	stats, err := Ask(ctx, "GetStatCodes", m.function.GetStatCodes, new(exchange.Cost), &accelbytepb.GetStatCodesRequest{Rules: m.rules})
	if err != nil {
		return nil, err
	}
	if n := len(stats.GetCodes()); n > maxCodes {
		return nil, fmt.Errorf("GetStatCodes: it names %d stat codes, expected at most %d (maxCodes)", n, maxCodes)
	}
	for _, code := range stats.GetCodes() {
		if m.codes == nil {
			m.codes = map[string]bool{}
		}
		m.codes[code] = true
	}
	return &exchange.HelloAnswer{}, nil
}

// Pass implements exchange.Matcher.
func (m *accelByte) Pass(ctx context.Context, p *exchange.Pass) (*exchange.Answer, error) {
	clock, answer := ClockAt(p.NowMS), &exchange.Answer{}
	budget := &Budget{}
	list, err := m.meet(ctx, p, clock, budget)
	if err == nil && m.hello.Backfill && len(p.Open) > 0 {
		err = m.backfill(ctx, p, list, clock, budget, answer)
		list = m.rest(list, answer)
	}
	if err == nil {
		err = m.makeMatches(ctx, p, list, budget, answer)
	}
	answer.Cost = budget.Cost
	return answer, err
}

// rest returns the tickets that no backfill in the answer takes.
func (m *accelByte) rest(list []*accelbytepb.Ticket, answer *exchange.Answer) []*accelbytepb.Ticket {
	taken := map[string]bool{}
	for i := range answer.Backfills {
		for _, id := range answer.Backfills[i].Tickets {
			taken[id] = true
		}
	}
	return slices.DeleteFunc(list, func(t *accelbytepb.Ticket) bool { return taken[m.names.In(t.TicketId)] })
}

// makeMatches asks for new matches of waiting tickets.
func (m *accelByte) makeMatches(ctx context.Context, p *exchange.Pass, list []*accelbytepb.Ticket, budget *Budget, answer *exchange.Answer) error {
	return Talk(ctx, "MakeMatches", m.function.MakeMatches, budget, func(send func(*accelbytepb.MakeMatchesRequest) error) error {
		err := send(&accelbytepb.MakeMatchesRequest{RequestType: &accelbytepb.MakeMatchesRequest_Parameters{
			Parameters: &accelbytepb.MakeMatchesRequest_MakeMatchesParameters{Scope: m.scope(p), Rules: m.rules, TickId: int64(p.Number)},
		}})
		for i := 0; err == nil && i < len(list); i++ {
			err = send(&accelbytepb.MakeMatchesRequest{RequestType: &accelbytepb.MakeMatchesRequest_Ticket{Ticket: list[i]}})
		}
		return err
	}, func(r *accelbytepb.MatchResponse) {
		if r.GetMatch() != nil {
			answer.Matches = append(answer.Matches, m.proposal(r.Match))
		}
	})
}

// backfill asks for tickets to add to matches that look for players.
func (m *accelByte) backfill(ctx context.Context, p *exchange.Pass, list []*accelbytepb.Ticket, clock Clock, budget *Budget, answer *exchange.Answer) error {
	sessions := map[string]*exchange.Session{}
	for _, s := range p.Open {
		sessions[s.ID] = s
	}
	return Talk(ctx, "BackfillMatches", m.function.BackfillMatches, budget, func(send func(*accelbytepb.BackfillMakeMatchesRequest) error) error {
		err := send(&accelbytepb.BackfillMakeMatchesRequest{RequestType: &accelbytepb.BackfillMakeMatchesRequest_Parameters{
			Parameters: &accelbytepb.BackfillMakeMatchesRequest_MakeMatchesParameters{Scope: m.scope(p), Rules: m.rules, TickId: int64(p.Number)},
		}})
		for i := 0; err == nil && i < len(p.Open); i++ {
			var session *accelbytepb.BackfillTicket
			if session, err = m.session(p.Open[i], clock); err == nil {
				err = send(&accelbytepb.BackfillMakeMatchesRequest{RequestType: &accelbytepb.BackfillMakeMatchesRequest_BackfillTicket{BackfillTicket: session}})
			}
		}
		for i := 0; err == nil && i < len(list); i++ {
			err = send(&accelbytepb.BackfillMakeMatchesRequest{RequestType: &accelbytepb.BackfillMakeMatchesRequest_Ticket{Ticket: list[i]}})
		}
		return err
	}, func(r *accelbytepb.BackfillResponse) {
		if len(r.GetBackfillProposal().GetAddedTickets()) > 0 { // the vendor's template servers answer every session, most without tickets
			answer.Backfills = append(answer.Backfills, m.added(r.BackfillProposal, sessions))
		}
	})
}

// scope identifies a pass in the server's log.
func (m *accelByte) scope(p *exchange.Pass) *accelbytepb.Scope {
	return &accelbytepb.Scope{AbTraceId: m.names.Out(fmt.Sprint("pass", p.Number))}
}

// Close implements exchange.Matcher.
func (m *accelByte) Close(string) error { return m.conn.Close() }
