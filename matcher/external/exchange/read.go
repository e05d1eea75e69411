package exchange

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A ReportedError is an error that the matchmaker has reported in the message {"error": "…"}.
type ReportedError struct{ Text string }

// Error implements error.
func (e *ReportedError) Error() string { return fmt.Sprintf("it reported an error: %q", e.Text) }

// helloLine is the answer to a Hello as JSON.
type helloLine struct {
	Hello   int     `json:"hello"`
	Name    string  `json:"name,omitzero"`
	Version string  `json:"version,omitzero"`
	Full    bool    `json:"full,omitzero"`
	Error   *string `json:"error,omitzero"`
}

// ReadHello reads a line with the answer to a Hello.
func ReadHello(line []byte) (*HelloAnswer, error) {
	if len(line) > MaxHello {
		return nil, HelloLimit.Err
	}
	var h helloLine
	if err := decode(line, &h); err != nil {
		return nil, err
	}
	switch {
	case h.Error != nil:
		return nil, &ReportedError{cut(*h.Error)}
	case h.Hello != Version:
		return nil, fmt.Errorf(`"hello" is %d, expected %d, the version of the messages`, h.Hello, Version)
	}
	if err := errors.Join(checkName("name", h.Name), checkName("version", h.Version)); err != nil {
		return nil, err
	}
	return &HelloAnswer{Name: h.Name, Version: h.Version, Full: h.Full}, nil
}

// answerLine is an Answer as JSON.
type answerLine struct {
	Matches   []proposalLine    `json:"matches,omitzero"`
	Backfills []proposalLine    `json:"backfills,omitzero"`
	Why       map[string]string `json:"why,omitzero"`
	Error     *string           `json:"error,omitzero"`
}

type proposalLine struct {
	Session    string     `json:"session,omitzero"`
	Tickets    []string   `json:"tickets"`
	Teams      [][]string `json:"teams,omitzero"`
	Datacenter string     `json:"datacenter,omitzero"`
}

// ReadAnswer reads a line with the answer to a Pass.
func ReadAnswer(line []byte) (*Answer, error) {
	if err := checkSize(line); err != nil {
		return nil, err
	}
	var a answerLine
	if err := decode(line, &a); err != nil {
		return nil, err
	}
	if a.Error != nil {
		return nil, &ReportedError{cut(*a.Error)}
	}
	answer := &Answer{}
	for _, m := range a.Matches {
		answer.Matches = append(answer.Matches, m.proposal())
	}
	for _, m := range a.Backfills {
		answer.Backfills = append(answer.Backfills, Backfill{Session: m.Session, Proposal: m.proposal()})
	}
	for _, ticket := range slices.Sorted(maps.Keys(a.Why)) {
		answer.Why = append(answer.Why, Reason{ticket, cut(a.Why[ticket])})
	}
	return answer, nil
}

func (m *proposalLine) proposal() Proposal {
	return Proposal{Tickets: m.Tickets, Teams: m.Teams, Datacenter: m.Datacenter}
}

// decode reads one JSON object.
func decode(line []byte, into any) error {
	if value := jsontext.Value(line); value.Kind() != '{' {
		return errors.New("expected a JSON object in one line")
	}
	if err := json.Unmarshal(line, into); err != nil {
		var shape *json.SemanticError
		if errors.As(err, &shape) {
			return fmt.Errorf("the member %s has an unexpected value (mmsim help matcher): %w", shape.JSONPointer, shape)
		}
		return fmt.Errorf("not JSON: %w", err)
	}
	return nil
}

// Line returns the answer as a line of JSON.
func (h *HelloAnswer) Line() []byte {
	return encode(helloLine{Hello: Version, Name: h.Name, Version: h.Version, Full: h.Full})
}

// Line returns the answer as a line of JSON.
func (a *Answer) Line() []byte {
	var line answerLine
	for i := range a.Matches {
		line.Matches = append(line.Matches, lineOf("", &a.Matches[i]))
	}
	for i := range a.Backfills {
		line.Backfills = append(line.Backfills, lineOf(a.Backfills[i].Session, &a.Backfills[i].Proposal))
	}
	for _, reason := range a.Why {
		if line.Why == nil {
			line.Why = map[string]string{}
		}
		line.Why[reason.Ticket] = reason.Why
	}
	return encode(line)
}

func lineOf(session string, p *Proposal) proposalLine {
	return proposalLine{Session: session, Tickets: p.Tickets, Teams: p.Teams, Datacenter: p.Datacenter}
}

func encode(line any) []byte {
	text, err := json.Marshal(line, json.Deterministic(true))
	if err != nil {
		panic("exchange: an answer that was read cannot be written: " + err.Error()) // all texts are valid JSON
	}
	return append(text, '\n')
}
