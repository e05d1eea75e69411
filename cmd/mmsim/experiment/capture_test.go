package experiment

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment/binding"
	"mmsim/matcher/casefile"
	"mmsim/sim"
)

// someScenes requests captures of a run at random times. Half of them are on ticks.
func someScenes(w *Replication, seed uint64) (list []*binding.Capture) {
	r := rand.New(rand.NewPCG(seed, 5))
	for range 60 {
		s := &binding.Capture{At: sim.Instant(r.Int64N(int64(config.SimSpan(w.Config.Clock.Duration)) - 1000)), Turn: -1}
		if r.IntN(2) == 0 {
			s.At -= s.At % 1000
		}
		s.Text = binding.ClockText(s.At)
		if w.queues[0].config.Placement == config.PlacementDatacenters {
			s.Turn = r.IntN(w.places.Datacenters)
			s.Datacenter = fmt.Sprint("datacenter ", s.Turn)
			s.Text += "@" + s.Datacenter
		}
		list = append(list, s)
	}
	return list
}

// replay writes each scene as a case file, reads the file, and checks that the pass has the
// same result.
func (r *recheck) replay(scenes []*binding.Capture) {
	for _, s := range scenes {
		if s.Draft == nil || s.Fault != nil {
			r.fail("%s: no scene: %v", s.Text, s.Fault)
			continue
		}
		var file bytes.Buffer
		if err := s.Draft.Write(&file); err != nil {
			r.fail("%s: %v", s.Text, err)
			continue
		}
		c, err := casefile.Read("scene.json", file.Bytes(), nil)
		if err != nil {
			r.fail("%s: %v", s.Text, err)
			continue
		}
		outcome, err := c.Run(r.w.Config.Matcher.CompileOptions)
		if differences := c.Compare(outcome, err); differences != nil {
			r.fail("%s: %s\n%s", s.Text, strings.Join(differences, "\n"), file.String())
			continue
		}
		if n := len(outcome.Rejected); n > 0 {
			r.fail("%s: %d tickets rejected: %v", s.Text, n, outcome.Rejected[0])
		}
		r.scenes++
		r.replayed += len(outcome.Matches) + len(outcome.Backfills) + len(outcome.Expired)
	}
}
