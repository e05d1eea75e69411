package casefile

import (
	"bytes"
	"encoding/json"
	"fmt"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// NewServer is the chosen server when a player is better off on one that is
// started for him.
const NewServer = "new"

// Outcome is what a pass did with a scene, in the shape that is printed as JSON.
type Outcome struct {
	Matches   []Match `json:"matches"`
	Backfills []Match `json:"backfills,omitempty"` // Session says which
	Scores    Scores  `json:"scores,omitempty"`
	Chosen    string  `json:"chosen,omitempty"`
	// Unmatched lists who still waits. A rejected ticket is among them, because
	// it got no match either.
	Unmatched []string           `json:"unmatched"`
	Expired   []string           `json:"expired,omitempty"`
	Rejected  []Rejection        `json:"rejected,omitempty"`
	Warnings  []jsontree.Warning `json:"warnings,omitempty"`
	// Dropped lists the proposals of a matchmaker outside of mmsim that were wrong.
	Dropped []string `json:"dropped,omitempty"`
	// QueueStatistics is what the service tells about the queue after the pass, in the
	// shape of the vendor's API.
	QueueStatistics any `json:"queue_statistics,omitempty"`
	// Evaluations says how often the search looked at each rule, where that is counted; nil
	// until the outcome was explained.
	Evaluations []RuleEvaluations `json:"-"`
}

// RuleEvaluations are the evaluations of one rule.
type RuleEvaluations struct {
	Rule string
	matcher.Evaluations
}

// warnf adds a warning about the scene.
func (o *Outcome) warnf(format string, args ...any) {
	o.Warnings = append(o.Warnings, jsontree.Warning{Message: fmt.Sprintf(format, args...)})
}

// Match is one match made, or one session that took tickets; its teams then
// include who was there before.
type Match struct {
	Session string     `json:"session,omitempty"`
	Tickets []string   `json:"tickets"`
	Teams   []TeamList `json:"teams,omitempty"`
	Region  string     `json:"region,omitempty"`
}

// TeamList is one team of a match.
type TeamList struct {
	Name    string   `json:"name"`
	Players []string `json:"players"`
}

// Rejection is a ticket that the service would not have taken, and why.
type Rejection struct {
	Ticket string `json:"ticket"`
	Reason string `json:"reason"`
}

// Scores are the scores of the eligible sessions, in the order of the scene. As
// JSON they are one object.
type Scores []Score

// MarshalJSON writes the object with its members in the order of the list.
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
