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
