package engine

import (
	"fmt"
	"mmsim/matcher"
	"testing"
)

// partsOf adds a ticket for each list of values and partitions the pool. It returns the part of
// each ticket.
func partsOf(t *testing.T, rules *matcher.Ruleset, values [][]matcher.Value) []int32 {
	t.Helper()
	pool, err := NewPool(rules, new(matcher.Schema))
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for i := range 10 {
		texts = append(texts, fmt.Sprint("text", i))
	}
	pool.schema.Set(texts)
	parts := make([]int32, len(values))
	for i, v := range values {
		if _, err := pool.Add(matcher.Ticket{CreatedMS: int64(i), Players: []matcher.Player{{Values: v}}}); err != nil {
			t.Fatal(err)
		}
	}
	pool.rows.Advance(100)
	pool.partition()
	copy(parts, pool.parts)
	return parts
}

func TestPartition(t *testing.T) {
	text := func(i int) matcher.Value { return matcher.TextValue(matcher.Text(i)) }
	build := &matcher.EqualText{Common: matcher.Common{Name: "build", Weight: 1, OptionalAfterMS: matcher.Never}, Column: 0, MissingAny: true}
	skill := &matcher.NumberDistance{Common: matcher.Common{Name: "skill", Weight: 1, OptionalAfterMS: matcher.Never}, Column: 1, Max: matcher.Fixed(5), MissingAny: true}
	wider := &matcher.NumberDistance{Common: matcher.Common{Name: "skill", Weight: 9, OptionalAfterMS: matcher.Never}, Column: 1, Max: matcher.Linear(5, 1, 9, 1000), MissingAny: true}
	none := matcher.Value{}
	n := matcher.NumberValue
	for _, c := range []struct {
		name   string
		rules  []matcher.Rule
		values [][]matcher.Value
		want   string
	}{
		{"at most PartitionAbove tickets", []matcher.Rule{build}, [][]matcher.Value{{text(1)}, {text(2)}}, "[0 0]"},
		{"texts, each whole", []matcher.Rule{skill, build}, [][]matcher.Value{{text(1)}, {text(2)}, {text(1)}, {text(2)}, {text(3)}, {text(1)}}, "[0 1 0 1 2 0]"},
		{"missing text: largest partition", []matcher.Rule{build}, [][]matcher.Value{{text(1)}, {none}, {text(2)}, {text(2)}, {text(2)}, {text(1)}}, "[0 1 1 1 1 0]"},
		{"one text dominates: by number", []matcher.Rule{build, skill}, [][]matcher.Value{{text(1), n(9)}, {text(1), n(1)}, {text(1), n(2)}, {text(2), n(8)}}, "[1 0 0 1]"},
		{"equal numbers are not cut", []matcher.Rule{skill}, [][]matcher.Value{{none, n(1)}, {none, n(2)}, {none, n(2)}, {none, n(3)}, {none, n(4)}}, "[0 0 0 1 1]"},
		{"a rule that expands comes last", []matcher.Rule{wider, build}, [][]matcher.Value{{text(1), n(1)}, {text(2), n(1.5)}, {text(1), n(9)}, {text(2), n(8)}}, "[0 1 0 1]"},
		{"most values missing: by order", []matcher.Rule{build}, [][]matcher.Value{{none}, {none}, {text(1)}, {none}, {none}}, "[0 1 2 0 1]"},
		{"no rule: by order", nil, [][]matcher.Value{{none}, {none}, {none}, {none}}, "[0 1 0 1]"},
	} {
		rules := &matcher.Ruleset{MinPlayers: 2, MaxPlayers: 2, Rules: c.rules, PartitionAbove: 2}
		if got := fmt.Sprint(partsOf(t, rules, c.values)); got != c.want {
			t.Errorf("%s: got partitions %s, want %s", c.name, got, c.want)
		}
	}
}

// Tickets of different parts are not matched. When few enough tickets are waiting, all are in one
// part.
func TestPartitionsMatchApart(t *testing.T) {
	s := newScene(t, &matcher.Ruleset{MinPlayers: 2, MaxPlayers: 2, PartitionAbove: 2})
	for i := range 3 {
		s.solo(int64(i), 0)
	}
	out := s.Pass(10)
	if len(out.Matches) != 1 || fmt.Sprint(out.Matches[0].Tickets) != "[0 2]" || s.Waiting() != 1 {
		t.Fatalf("got %+v, want one match of the first and the third ticket, which are in one partition", out)
	}
	s.solo(20, 0)
	if out = s.Pass(30); len(out.Matches) != 1 || s.Waiting() != 0 {
		t.Errorf("got %+v, want one match of the remaining tickets", out)
	}
}

// Tickets may have been in different batches. As soon as they are in one batch, the engine searches
// again, although no ticket was added.
func TestSearchAgainAfterBatchesMerge(t *testing.T) {
	one := matcher.Steps[float64]{{Value: 1}}
	s := newScene(t, &matcher.Ruleset{MinPlayers: 2, MaxPlayers: 2, Batch: 2, Seats: &matcher.SeatRules{
		Teams: []matcher.SeatTeam{{Name: "red", Min: one, Max: one}, {Name: "blue", Min: one, Max: one}},
		Rules: []matcher.SeatRule{&matcher.BatchDistance{SeatCommon: matcher.SeatCommon{Name: "skill"}, Max: matcher.Steps[float64]{{Value: 10}}}},
	}})
	s.solo(0, 100)
	other := s.solo(1, 500)
	s.solo(2, 100) // this ticket is in the second batch
	if out := s.Pass(10); len(out.Matches) != 0 {
		t.Fatalf("got %+v, want no match, because 100 and 500 are in the first batch", out)
	}
	s.Remove(other)
	if out := s.Pass(20); len(out.Matches) != 1 {
		t.Errorf("got %+v, want one match of the two tickets with 100", out)
	}
}
