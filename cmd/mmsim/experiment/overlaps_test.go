package experiment

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"mmsim/reports/outcome"
	"mmsim/sim"
)

// Overlapping searches are counted as by hand. All players are next to the only datacenter, and a
// match of two begins as soon as two search.
func TestOverlapsAreCounted(t *testing.T) {
	for _, test := range []struct {
		name, rows string
		settings   []string
		want       float64 // number of overlapping searches, or -1 if it cannot be counted
	}{
		{"far apart", "01:00:00,a\n01:00:00,b\n01:06:00,a\n01:06:00,b\n", nil, 0},
		{"during a match", "01:00:00,a\n01:00:00,b\n01:04:59,a\n01:04:59,b\n", nil, 2},
		{"at the end of a match", "01:00:00,a\n01:00:00,b\n01:05:00,a\n01:05:00,c\n", nil, 0},
		{"in the pause after a match", "01:00:00,a\n01:00:00,b\n01:05:10,a\n01:05:10,c\n", nil, 0},
		{"while searching", "01:00:00,a\n01:00:20,a\n", []string{"match.size=4"}, 1},
		{"after a failed search", "01:00:00,a\n01:00:40,a\n", []string{"match.size=4"}, 0},
		{"twice at once", "01:00:00,a\n01:00:00,a\n01:02:00,a\n", nil, 2},
		{"a search fails while a match runs", "01:00:00,a\n01:00:00,b\n01:01:00,a\n01:02:00,a\n", []string{"match.size=2"}, 2},
		{"without an id", "01:00:00,\n01:00:00,\n01:01:00,\n01:01:00,\n", nil, 0},
		{"copies are other players", "01:00:00,a\n01:00:00,b\n", []string{"dataset.scale=8"}, 0},
		{"repetitions are other players", "23:59:58,a\n23:59:58,b\n00:00:01,a\n00:00:01,b\n", []string{"clock.duration=48h"}, 0},
		{"sessions", "01:00:00,a\n01:00:00,b\n01:04:59,a\n01:04:59,b\n", []string{"dataset.rows=sessions"}, -1},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			putSearches(t, test.rows)
			settings := append([]string{"dataset.file=day.csv", "dataset.spread=false", "datacenters.file=datacenters.csv", "match.size=2",
				"match.length=5m", "clock.warmup=1h", "dataset.rows=searches"}, test.settings...)
			s := summaryOf(t, inputsOf(t, settings...), 0)
			got := -1.0
			if s.Players.Overlapping != nil {
				got = float64(*s.Players.Overlapping)
			}
			if got != test.want {
				t.Errorf("got %v overlapping searches, want %v", got, test.want)
			}
			if warned := len(overlapsWarning(&s.Players)) > 0; warned != (test.want > 0) {
				t.Errorf("got a warning %v, want %v", warned, test.want > 0)
			}
		})
	}
}

// putSearches writes a day from rows of time and player_id, and a datacenter next to all players.
func putSearches(t *testing.T, rows string) {
	t.Helper()
	var file strings.Builder
	file.WriteString("time,latitude,longitude,rtt:frankfurt,player_id\n")
	for row := range strings.Lines(rows) {
		at, id, _ := strings.Cut(row, ",")
		fmt.Fprintf(&file, "%s,50.1,8.7,20,%s", at, id)
	}
	for name, content := range map[string]string{"day.csv": file.String(), "datacenters.csv": "1,frankfurt,50.1,8.7\n"} {
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// A twin keeps every interval in which a player of the run is busy, and compares each search with
// all earlier ones of that player.
type overlapTwin struct {
	ids      func(row uint32) string
	searches map[string][][2]sim.Instant // by player and copy: beginning and end; in order of beginning
	open     map[uint64]int              // by ID of the player: index of the search that has not ended
	count    int
}

func (o *overlapTwin) Entered(s *sim.Search) {
	for i := range s.Players {
		p := &s.Players[i]
		if o.ids(p.Row) == "" {
			continue
		}
		key := fmt.Sprint(o.ids(p.Row), " ", p.Copy)
		for _, earlier := range o.searches[key] {
			if earlier[1] > s.Began {
				o.count++
				break
			}
		}
		o.open[p.ID] = len(o.searches[key])
		o.searches[key] = append(o.searches[key], [2]sim.Instant{s.Began, sim.Never})
	}
}

func (o *overlapTwin) end(p *sim.Player, until sim.Instant) {
	if at, ok := o.open[p.ID]; ok {
		o.searches[fmt.Sprint(o.ids(p.Row), " ", p.Copy)][at][1] = until
	}
}

func (o *overlapTwin) Matched(m *sim.Match) {
	for i := range m.Players {
		o.end(&m.Players[i].Player, m.Ends)
	}
}

func (o *overlapTwin) Ended(e *sim.Ended) {
	for i := range e.Players {
		o.end(&e.Players[i], e.At)
	}
}

func (o *overlapTwin) Sampled(*sim.Census) {}

// On random days of one repetition, with parties and copies, the count is that of the twin.
func TestOverlapsAgainstTwin(t *testing.T) {
	t.Chdir(t.TempDir())
	overlapping := 0
	for seed := range uint64(12) {
		random := rand.New(rand.NewPCG(seed, 1))
		var rows strings.Builder
		for range 3000 {
			id := ""
			if n := random.IntN(600); n > 0 {
				id = fmt.Sprint(n)
			}
			second := random.IntN(20_000)
			fmt.Fprintf(&rows, "%02d:%02d:%02d,%s\n", second/3600, second/60%60, second%60, id)
		}
		putSearches(t, rows.String())
		in := inputsOf(t, "dataset.file=day.csv", "datacenters.file=datacenters.csv", "match.length={mean: 3m, sd: 2m}", "clock.warmup=0s",
			"dataset.rows=searches", fmt.Sprintf("dataset.scale=%v", []float64{1, 0.7, 2.5}[seed%3]), fmt.Sprintf("players.parties={1: %v, 2: %v}", 1-float64(seed%2)/2, float64(seed%2)/2))
		r, err := in.Replication(seed)
		if err != nil {
			t.Fatal(err)
		}
		ids, _ := r.Day.Column("player_id")
		twin := &overlapTwin{searches: map[string][][2]sim.Instant{}, open: map[uint64]int{}}
		twin.ids = ids.Text
		found, err := r.Measure(context.Background(), nil, firstOfParty{twin})
		if err != nil {
			t.Fatal(err)
		}
		if got := outcome.Given(found.Summary.Players.Overlapping); int(got) != twin.count {
			t.Errorf("seed %d: got %v overlapping searches, want %d", seed, got, twin.count)
		}
		overlapping += twin.count
	}
	if overlapping < 1000 {
		t.Errorf("got %d overlapping searches on all days, want at least 1000", overlapping)
	}
}

// firstOfParty passes on only the first player of each party, who has the party's row.
type firstOfParty struct{ sim.Observer }

func (f firstOfParty) Entered(s *sim.Search) {
	one := *s
	one.Players = s.Players[:1]
	f.Observer.Entered(&one)
}
