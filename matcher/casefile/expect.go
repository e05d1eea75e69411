package casefile

import (
	"fmt"
	"math"

	"mmsim/matcher/dialect/jsontree"
)

// Expectation is the expected outcome of a pass. A nil list or an empty text is not checked. In
// contrast, an empty list that is not nil means that nothing is expected.
type Expectation struct {
	Matches   []ExpectedMatch
	Backfills []ExpectedMatch // sessions that should accept tickets
	Scores    []Score
	Chosen    string
	Unmatched []string
	Expired   []string
	Error     string // text that the error must contain, ignoring letter case
}

// ExpectedMatch is an expected match, or a session that should accept tickets. The order of its
// tickets, teams and players does not matter. In JSON it has the form that a case file has.
type ExpectedMatch struct {
	Session string     `json:"session,omitempty"` // session that accepts the tickets, or "" for a new match
	Tickets []string   `json:"tickets"`           // all tickets of the match
	Teams   [][]string `json:"teams,omitempty"`   // players by team, or nil if not checked
	Region  string     `json:"region,omitempty"`  // "" if not checked
}

// Score is the score of an eligible session.
type Score struct {
	Session string
	Value   float64
}

// expectations reads the value of the key "expect" in a case file. It contains either one
// expectation or a list "any_of" of alternatives.
func (r *reader) expectations(o *jsontree.Object) []Expectation {
	list, ok := o.Get("any_of")
	if !ok {
		return []Expectation{r.expectation(o)}
	}
	alternatives := r.alternatives(o, list)
	for _, m := range o.Rest() {
		r.problems.MemberErrorf(m, "expect: got %s beside any_of, expected it inside the alternatives", jsontree.Quote(m.Name))
	}
	return alternatives
}

// alternatives reads the list "any_of", which is a key of "expect" or, in some case files, of the
// case itself.
func (r *reader) alternatives(o *jsontree.Object, list jsontree.Value) []Expectation {
	if len(list.Elements()) == 0 {
		o.Misfit(list, "any_of", "a list of alternatives")
	}
	var alternatives []Expectation
	for i, v := range list.Elements() {
		if alternative, ok := r.problems.Object(v, fmt.Sprintf("expect: any_of[%d]", i)); ok {
			alternatives = append(alternatives, r.expectation(alternative))
		}
	}
	return alternatives
}

// expectation reads one expectation.
func (r *reader) expectation(o *jsontree.Object) Expectation {
	e := Expectation{
		Matches:   r.matches(o, "matches"),
		Backfills: r.matches(o, "backfills"),
		Scores:    r.scores(o),
		Chosen:    o.TextOr("chosen", ""),
		Unmatched: r.names(o, "unmatched", r.ticketIDs, "ticket"),
		Expired:   r.names(o, "expired", r.ticketIDs, "ticket"),
		Error:     o.TextOr("error", ""),
	}
	if v, ok := o.Get("chosen"); ok && e.Chosen != NewServer && !r.sessionIDs[e.Chosen] {
		o.Misfit(v, "chosen", fmt.Sprintf("a session of the scene or %q", NewServer))
	}
	o.Done()
	return e
}

// matches reads a list of matches or backfills. It returns nil if the list is absent.
func (r *reader) matches(o *jsontree.Object, name string) []ExpectedMatch {
	if _, ok := o.Get(name); !ok {
		return nil
	}
	matches := []ExpectedMatch{}
	for _, m := range o.Entries(name, math.MaxInt) {
		e := ExpectedMatch{Tickets: r.names(m, "tickets", r.ticketIDs, "ticket"), Teams: r.teams(m)}
		if e.Tickets == nil {
			m.Missing("tickets", "a list of tickets")
		}
		if name == "backfills" {
			e.Session = m.Text("session")
			if v, ok := m.Get("session"); ok && !r.sessionIDs[e.Session] {
				m.Misfit(v, "session", "a session of the scene")
			}
		} else {
			e.Region = m.TextOr("region", "")
		}
		m.Done()
		matches = append(matches, e)
	}
	return matches
}

// teams reads the players by team. It returns nil if they are absent.
func (r *reader) teams(o *jsontree.Object) [][]string {
	var teams [][]string
	for i, v := range o.List("teams") {
		if v.Kind() != jsontree.List {
			o.Misfit(v, fmt.Sprintf("teams[%d]", i), "a list of players")
		}
		team := []string{}
		for _, player := range v.Elements() {
			if !r.playerIDs[player.Text()] {
				o.Misfit(player, fmt.Sprintf("teams[%d]", i), "a player of the scene")
			}
			team = append(team, player.Text())
		}
		teams = append(teams, team)
	}
	return teams
}

// names reads a list of names, each of which must be in the set known. It returns nil if the list
// is absent. The last parameter describes the names in messages.
func (r *reader) names(o *jsontree.Object, name string, known map[string]bool, noun string) []string {
	if _, ok := o.Get(name); !ok {
		return nil
	}
	names := []string{}
	for _, v := range o.List(name) {
		if !known[v.Text()] {
			o.Misfit(v, name, "a "+noun+" of the scene")
		}
		names = append(names, v.Text())
	}
	return names
}

// scores reads the scores of sessions. It returns nil if they are absent.
func (r *reader) scores(o *jsontree.Object) []Score {
	object, ok := o.Object("scores")
	if !ok {
		return nil
	}
	scores := []Score{}
	for _, m := range object.Value.Members() {
		value, ok := m.Value.Float()
		if !ok {
			object.Misfit(m.Value, m.Name, "a number")
		}
		if !r.sessionIDs[m.Name] {
			r.problems.MemberErrorf(m, "%s: got an unknown name, expected a session of the scene", object.Label(jsontree.Quote(m.Name)))
		}
		scores = append(scores, Score{m.Name, value})
	}
	return scores
}
