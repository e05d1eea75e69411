package section

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/goccy/go-yaml"

	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/sim"
)

// Patience returns the setting that maps waits to the shares of tickets that cancel by them. Whether
// shares from several flags ascend is checked after all settings have been read.
func Patience(p *[]sim.PatienceStep, waitMax time.Duration) value.Value {
	v := value.Entries("a mapping of waits in ascending order to shares of tickets, such as {10s: 2%, 30s: 9%, 2m: 31%}",
		func() { *p = nil },
		func() value.Value { return patienceShare(new(float64)) },
		func(key yamltree.Node) (value.Value, error) {
			var step sim.PatienceStep
			if err := value.Millis(&step.Wait, time.Millisecond, waitMax).Read(key); err != nil {
				return value.Value{}, fmt.Errorf("wait %w", err)
			}
			return patienceShare(&step.Share).Then(func() {
				*p = append(slices.DeleteFunc(slices.Clone(*p), func(s sim.PatienceStep) bool { return s.Wait == step.Wait }), step)
				slices.SortFunc(*p, func(a, b sim.PatienceStep) int { return cmp.Compare(a.Wait, b.Wait) })
			}), nil
		})
	v = v.Checked(checkPatience)
	v.Dotted = true
	v.Unset = func() bool { return len(*p) == 0 }
	v.Write = func(string) any {
		written := yaml.MapSlice{}
		for _, step := range *p {
			written = append(written, yaml.MapItem{Key: value.Short(time.Duration(step.Wait) * time.Millisecond), Value: step.Share})
		}
		return written
	}
	return v
}

func patienceShare(p *float64) value.Value { return value.Share(p, value.Limits{High: 1}) }

// checkPatience checks that the entries of players.patience are in ascending order. Each of them has
// been read before.
func checkPatience(n yamltree.Node) error {
	for i := 1; i < len(n.Entries); i++ {
		e, before := n.Entries[i], n.Entries[i-1]
		wait, _ := value.ParseDuration(e.Key.Text)
		waitBefore, _ := value.ParseDuration(before.Key.Text)
		if wait <= waitBefore {
			e.Key.Path = n.Path
			return e.Key.Errorf("got %s after %s, expected waits in ascending order", e.Key, before.Key)
		}
		var share, shareBefore float64
		if err := cmp.Or(patienceShare(&share).Read(e.Value), patienceShare(&shareBefore).Read(before.Value)); err != nil {
			return err
		}
		if share < shareBefore {
			e.Value.Path = yamltree.Join(n.Path, e.Key.Text)
			return e.Value.Errorf("got %s after %s, expected shares that do not decrease, because each includes the one before", e.Value, before.Value)
		}
	}
	return nil
}
