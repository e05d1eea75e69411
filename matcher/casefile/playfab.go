package casefile

import (
	"fmt"

	"mmsim/matcher"
	"mmsim/matcher/jsontree"
	"mmsim/matcher/playfab"
)

// playfabDialect is the entry of PlayFab queues.
func playfabDialect() Dialect {
	return Dialect{"playfab", playfab.Recognises, func(rules jsontree.Value, o Options) ([]Rules, error) {
		queues, warnings, err := playfab.Compile(rules, playfab.Options{
			Strict:         o.Strict,
			ExpansionBasis: o.ExpansionBasis,
			OptionalBasis:  o.OptionalBasis,
			Budget:         o.Budget,
			PartitionAbove: o.PartitionAbove,
		})
		if err != nil {
			return nil, err
		}
		list := make([]Rules, len(queues))
		for i, q := range queues {
			list[i] = &playfabRules{
				engine: engine{
					set:    q.Ruleset,
					schema: q.Schema,
					player: func(p *Player) (matcher.Player, error) { return q.Player(p.Attributes, p.Entity) },
				},
				queue:    q,
				warnings: warnings,
			}
			warnings = nil // said once per file
		}
		return list, nil
	}}
}

// playfabRules runs scenes through one PlayFab queue.
type playfabRules struct {
	engine
	queue    *playfab.Queue
	warnings []string
}

func (p *playfabRules) Describe() string {
	plural := "s"
	if len(p.set.Rules) == 1 {
		plural = ""
	}
	return fmt.Sprintf("PlayFab queue %s, %d to %d players, %d rule%s",
		p.queue.Name, p.set.MinPlayers, p.set.MaxPlayers, len(p.set.Rules), plural)
}

func (p *playfabRules) Warnings() []string { return p.warnings }

func (p *playfabRules) Lint(giveUpMS int64) []string { return p.queue.Lint(giveUpMS) }

// refusals returns why the service would not take tickets, by their place in the
// scene; nil for those that it takes. Of two tickets with the same player the
// older one stays.
func (p *playfabRules) refusals(s *Scene) []error {
	refused := make([]error, len(s.Tickets))
	var members playfab.Members
	for _, i := range byAge(s.Tickets) {
		t := &s.Tickets[i]
		players := make([]string, len(t.Players))
		for j := range t.Players {
			players[j] = t.Players[j].ID
		}
		if refused[i] = p.queue.CheckSize(len(players)); refused[i] == nil {
			refused[i] = members.Add(t.ID, players, t.CreatedMS, t.givesUpMS())
		}
	}
	return refused
}

// Run implements Rules.
func (p *playfabRules) Run(s *Scene) (*Outcome, error) {
	outcome, err := p.engine.run(s, p.refusals(s))
	if err == nil {
		p.addStatistics(s, outcome)
	}
	return outcome, err
}

// addStatistics adds what the queue tells of itself after the pass.
func (p *playfabRules) addStatistics(s *Scene, outcome *Outcome) {
	tickets := make(map[string]*Ticket, len(s.Tickets))
	for i := range s.Tickets {
		tickets[s.Tickets[i].ID] = &s.Tickets[i]
	}
	var matched []playfab.MatchedTicket
	for _, m := range outcome.Matches {
		for _, id := range m.Tickets {
			matched = append(matched, playfab.MatchedTicket{AtMS: s.AtMS, WaitMS: s.AtMS - tickets[id].CreatedMS})
		}
	}
	waiting := 0
	for _, id := range outcome.Unmatched {
		waiting += len(tickets[id].Players)
	}
	for _, r := range outcome.Rejected { // they are among the unmatched
		waiting -= len(tickets[r.Ticket].Players)
	}
	statistics := p.queue.Statistics(s.AtMS, waiting, matched)
	outcome.QueueStatistics = &statistics
}

// Explain implements Rules.
func (p *playfabRules) Explain(s *Scene, outcome *Outcome) ([]Explanation, error) {
	return p.engine.explain(s, p.refusals(s), outcome)
}
