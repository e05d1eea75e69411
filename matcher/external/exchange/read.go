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
	Hello int `json:"hello"`
	HelloAnswer
	Error *string `json:"error,omitzero"`
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
	return &h.HelloAnswer, nil
}

// ReadAnswer reads a line with the answer to a Pass.
func ReadAnswer(line []byte) (*Answer, error) {
	if err := checkSize(line); err != nil {
		return nil, err
	}
	var a struct {
		Answer
		Error *string `json:"error"`
	}
	if err := decode(line, &a); err != nil {
		return nil, err
	}
	if a.Error != nil {
		return nil, &ReportedError{cut(*a.Error)}
	}
	for _, ticket := range slices.Sorted(maps.Keys(a.Why)) {
		a.Why[ticket] = cut(a.Why[ticket])
	}
	return &a.Answer, nil
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
func (h *HelloAnswer) Line() []byte { return encode(helloLine{Hello: Version, HelloAnswer: *h}) }

// Line returns the answer as a line of JSON.
func (a *Answer) Line() []byte { return encode(a) }

func encode(line any) []byte {
	text, err := json.Marshal(line, json.Deterministic(true))
	if err != nil {
		panic("exchange: an answer that was read cannot be written: " + err.Error()) // all texts are valid JSON
	}
	return append(text, '\n')
}
