package collect

import (
	"testing"

	"mmsim/reports/result"
	"mmsim/sim"
)

// Every first search with a match is at one step of the states, if it was matched in a state, and at
// one step of the rules: the last one that opened during its wait.
func TestSteps(t *testing.T) {
	counted := 0
	for seed := range uint64(20) {
		f := randomFacts(seed)
		queues := []facts{f}
		if seed%2 == 1 {
			f = inTwoQueues(f)
			queues = []facts{f.ofQueue(0), f.ofQueue(1)}
		}
		rows := resultOf(f).Steps
		for i, events := range queues {
			steps, first := f.Setup.Queues[i].Steps, events.twin().first()
			want := make([]int, len(steps))
			for _, p := range first {
				if p.Began < 0 {
					continue
				}
				last := -1
				for k, s := range steps {
					switch {
					case s.State != sim.StateNew && s.State == p.State:
						want[k]++
					case s.State == sim.StateNew && p.at.Sub(p.Began) >= s.After:
						last = k
					}
				}
				want[last]++
			}
			for k, s := range steps {
				row := rows[i*len(steps)+k]
				counted += row.Players
				of := result.OfRules
				if s.State != sim.StateNew {
					of = result.OfStates
				}
				if row.Players != want[k] || row.Opens != s.Opens || row.Of != of || len(queues) > 1 && row.Queue != f.Setup.Queues[i].Name {
					t.Errorf("seed %d, queue %d: got %+v, want %d players of %s", seed, i, row, want[k], s.Opens)
				}
			}
		}
	}
	if counted < 1000 {
		t.Errorf("only %d players were counted, want those of 20 runs", counted)
	}
}
