package casefile

import (
	"bytes"
	"encoding/json"
	"fmt"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// NewServer is the value of Outcome.Chosen if a new server is started for the player.
const NewServer = "new"

// Outcome is the outcome of a pass over a scene. The JSON output has the same structure.
type Outcome struct {
	Matches   []Match `json:"matches"`
	Backfills []Match `json:"backfills,omitempty"` // sessions that accepted tickets
	Scores    Scores  `json:"scores,omitempty"`
	Chosen    string  `json:"chosen,omitempty"`
	// Unmatched lists the tickets that were not matched and did not expire. It includes rejected
	// tickets.
	Unmatched []string           `json:"unmatched"`
	Expired   []string           `json:"expired,omitempty"`
	Rejected  []Rejection        `json:"rejected,omitempty"`
	Warnings  []jsontree.Warning `json:"warnings,omitempty"`
	// Dropped lists the invalid proposals of an external matchmaker.
	Dropped []string `json:"dropped,omitempty"`
	// Partitions is the number of parts into which the pass divided the tickets, or 0 if it did not
	// divide them.
	Partitions int `json:"partitions,omitempty"`
	// QueueStatistics has the service's statistics about the queue after the pass, in the format of
	// the vendor's API.
	QueueStatistics any `json:"queue_statistics,omitempty"`
	// Evaluations counts how often each rule was evaluated. It is nil if the ruleset does not count
	// this. Explain sets it.
	Evaluations []RuleEvaluations `json:"-"`
}

// RuleEvaluations counts the evaluations of a rule.
type RuleEvaluations struct {
	Rule string
	matcher.Evaluations
}

// warnf adds a warning about the scene.
func (o *Outcome) warnf(format string, args ...any) {
	o.Warnings = append(o.Warnings, jsontree.Warning{Message: fmt.Sprintf(format, args...)})
}

// Match is a new match, or a session that accepted tickets. The teams of a session include its
// earlier players.
type Match struct {
	Session string     `json:"session,omitempty"`
	Tickets []string   `json:"tickets"`
	Teams   []TeamList `json:"teams,omitempty"`
	Region  string     `json:"region,omitempty"`
}

// TeamList is a team of a match.
type TeamList struct {
	Name    string   `json:"name"`
	Players []string `json:"players"`
}

// A Pass is a pass over a scene, by the engine or by an external matchmaker.
type Pass struct {
	Scene    *Scene
	Tickets  map[matcher.Row]int // index of the ticket in the scene by row
	Sessions map[matcher.Row]int // index of the session in the scene by row
	Ruleset  *matcher.Ruleset
	Region   func(matcher.Region) string // name of a region; "" for NoRegion
}

// Record adds what the pass decided to its outcome, which may already have expired tickets.
func (p *Pass) Record(out *Outcome, decided *matcher.Outcome) {
	out.Matches, out.Unmatched = []Match{}, []string{}
	for i := range decided.Matches {
		out.Matches = append(out.Matches, p.match(&decided.Matches[i], nil))
	}
	for i := range decided.Backfills {
		b := &decided.Backfills[i]
		out.Backfills = append(out.Backfills, p.match(&b.Proposal, &p.Scene.Sessions[p.Sessions[b.Session]]))
	}
	for _, row := range decided.Expired {
		out.Expired = append(out.Expired, p.Scene.Tickets[p.Tickets[row]].ID)
	}
	gone := out.matched()
	for _, id := range out.Expired {
		gone[id] = true
	}
	for i := range p.Scene.Tickets {
		if id := p.Scene.Tickets[i].ID; !gone[id] {
			out.Unmatched = append(out.Unmatched, id)
		}
	}
}

// match converts a proposal to a Match. session is nil if the match is new.
func (p *Pass) match(from *matcher.Proposal, session *Session) Match {
	m := Match{Tickets: []string{}}
	for _, row := range from.Tickets {
		m.Tickets = append(m.Tickets, p.Scene.Tickets[p.Tickets[row]].ID)
	}
	var members []string
	if session == nil {
		m.Region = p.Region(from.Region)
	} else {
		m.Session = session.ID
		for _, team := range session.Teams {
			for i := range team.Players {
				members = append(members, team.Players[i].ID)
			}
		}
	}
	for i, side := range from.Teams {
		team := TeamList{Name: p.teamName(i, session), Players: []string{}}
		for _, member := range side.Members {
			team.Players = append(team.Players, members[member])
		}
		for _, row := range side.Tickets {
			for _, player := range p.Scene.Tickets[p.Tickets[row]].Players {
				team.Players = append(team.Players, player.ID)
			}
		}
		m.Teams = append(m.Teams, team)
	}
	return m
}

// teamName returns the name of the i-th team in the rules or in the session, which may be nil, or
// "team N" if it has no name.
func (p *Pass) teamName(i int, session *Session) string {
	if i >= len(p.Ruleset.TeamNames()) && session != nil && i < len(session.Teams) {
		return session.Teams[i].Name
	}
	return p.Ruleset.TeamName(i)
}

// Rejection is a ticket that the service refuses, with the reason.
type Rejection struct {
	Ticket string `json:"ticket"`
	Reason string `json:"reason"`
}

// Scores are the scores of the eligible sessions in the order of the scene. In JSON they are a
// single object.
type Scores []Score

// MarshalJSON encodes the scores as an object whose keys are in list order.
func (s Scores) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, score := range s {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(score.Session)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(score.Value)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
