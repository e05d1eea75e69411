package section

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/goccy/go-yaml"

	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
)

// PatienceStep is the share of tickets that would cancel their search by a wait.
type PatienceStep struct {
	Wait  time.Duration
	Share float64
}

// Patience returns the setting that maps waits to the shares of tickets that cancel by them. Whether
// shares from several flags ascend is checked after all settings have been read.
func Patience(p *[]PatienceStep, waitMax time.Duration) value.Value {
	v := value.Entries("a mapping of waits in ascending order to shares of tickets, such as {10s: 2%, 30s: 9%, 2m: 31%}",
		func() { *p = nil },
		func() value.Value { return patienceShare(new(float64)) },
		func(key yamltree.Node) (value.Value, error) {
			var step PatienceStep
			if err := value.Span(&step.Wait, time.Millisecond, waitMax).Read(key); err != nil {
				return value.Value{}, fmt.Errorf("wait %w", err)
			}
			return patienceShare(&step.Share).Then(func() { *p = withStep(*p, step) }), nil
		})
	v = v.Checked(func(n yamltree.Node) error { return checkPatience(n, waitMax) })
	v.Dotted = true
	v.Unset = func() bool { return len(*p) == 0 }
	v.Write = func(string) any {
		written := yaml.MapSlice{}
		for _, step := range *p {
			written = append(written, yaml.MapItem{Key: value.Short(step.Wait), Value: step.Share})
		}
		return written
	}
	return v
}

func patienceShare(p *float64) value.Value { return value.Share(p, value.Limits{High: 1}) }

// withStep returns a copy of steps with another step, which replaces one with the same wait.
func withStep(steps []PatienceStep, step PatienceStep) []PatienceStep {
	steps = slices.Clone(steps)
	at, found := slices.BinarySearchFunc(steps, step, func(a, b PatienceStep) int { return cmp.Compare(a.Wait, b.Wait) })
	if found {
		steps[at] = step
		return steps
	}
	return slices.Insert(steps, at, step)
}

// checkPatience checks that the entries of players.patience are in ascending order. Each of them has
// been read before.
func checkPatience(n yamltree.Node, waitMax time.Duration) error {
	var before PatienceStep
	for i, e := range n.Entries {
		var step PatienceStep
		if err := value.Span(&step.Wait, time.Millisecond, waitMax).Read(e.Key); err != nil {
			return err
		}
		if err := patienceShare(&step.Share).Read(e.Value); err != nil {
			return err
		}
		if i > 0 && step.Wait <= before.Wait {
			e.Key.Path = n.Path
			return e.Key.Errorf("got %s after %s, expected waits in ascending order", e.Key, n.Entries[i-1].Key)
		}
		if step.Share < before.Share {
			e.Value.Path = yamltree.Join(n.Path, e.Key.Text)
			return e.Value.Errorf("got %s after %s, expected shares that do not decrease, because each includes the one before", e.Value, n.Entries[i-1].Value)
		}
		before = step
	}
	return nil
}

// Descends reports whether a share is below the one before it.
func Descends(steps []PatienceStep) bool {
	return !slices.IsSortedFunc(steps, func(a, b PatienceStep) int { return cmp.Compare(a.Share, b.Share) })
}
