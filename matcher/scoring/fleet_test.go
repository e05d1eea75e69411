package scoring

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"mmsim/matcher"
)

// randomFleetState is a fleet with its players. It draws random events.
type randomFleetState struct {
	*Fleet
	*rand.Rand
	scorer  *Scorer
	texts   int     // number of different texts
	steps   int     // number of different numbers, or 0 if any number may occur
	blur    float64 // largest random difference between numbers that would otherwise be equal
	regions int
	servers []*Server
	players [][]matcher.Player // players of each server, in the order of servers
}

// randomFleet returns a fleet with randomly chosen signals. Often there are few signals, so that
// each kind decides in some cases. In most cases values repeat, so that scores are equal, either
// exactly or except for rounding.
func randomFleet(r *rand.Rand) *randomFleetState {
	scorer := &Scorer{KeptSeats: max(0, r.IntN(6)-3), MinScore: float64(max(0, r.IntN(9)-6))}
	many := r.IntN(5)
	for _, signal := range everySignal().Signals {
		if weight := float64(r.IntN(4)); (weight > 0 || r.IntN(3) == 0) && r.IntN(5) <= many {
			signal.Settings().Weight = weight * []float64{0.1, 1, 1.7}[r.IntN(3)]
			scorer.Signals = append(scorer.Signals, signal)
		}
	}
	return &randomFleetState{
		Fleet: NewFleet(scorer), Rand: r, scorer: scorer,
		texts: 1 + r.IntN(3)*r.IntN(40), steps: r.IntN(3) * r.IntN(8), blur: float64(r.IntN(2)) * 3e-8,
		regions: 1 + r.IntN(4),
	}
}

func (w *randomFleetState) number() matcher.Value {
	switch {
	case w.IntN(8) == 0:
		return matcher.Value{}
	case w.steps > 0:
		return matcher.NumberValue(float64(w.IntN(w.steps))*300 + w.blur*w.Float64())
	}
	return matcher.NumberValue((w.Float64() - 0.3) * 2000)
}

func (w *randomFleetState) text() matcher.Value {
	if w.IntN(8) == 0 {
		return matcher.Value{}
	}
	return matcher.TextValue(matcher.Text(w.IntN(w.texts)))
}

func (w *randomFleetState) player() matcher.Player {
	p := matcher.Player{Values: make([]matcher.Value, columnsOfTests)}
	for range w.regions {
		p.RTTMS = append(p.RTTMS, float64(50*w.IntN(6)))
	}
	if w.IntN(4) == 0 {
		p.RTTMS[w.IntN(w.regions)] = math.NaN()
	}
	p.Values[skillColumn], p.Values[levelColumn], p.Values[classColumn] = w.number(), w.number(), w.text()
	if w.IntN(8) > 0 {
		var set []matcher.Text
		for range w.IntN(5) {
			set = append(set, matcher.Text(w.IntN(w.texts)))
		}
		slices.Sort(set)
		p.Values[groupsColumn] = matcher.SetValue(slices.Compact(set))
	}
	return p
}

// step makes one random event: a server is opened or closed, or a player joins or leaves.
func (w *randomFleetState) step() {
	switch n := len(w.servers); {
	case n == 0 || w.IntN(4) == 0:
		s := Server{CreatedMS: int64(w.IntN(4)), Region: matcher.Region(w.IntN(w.regions+1) - 1), Capacity: w.IntN(6), Values: make([]matcher.Value, columnsOfTests)}
		if w.IntN(10) == 0 {
			s.Class = 1
		}
		if w.IntN(10) == 0 {
			s.Closed = "private"
		}
		s.Values[clockColumn], s.Values[modeColumn] = w.number(), w.text()
		w.servers, w.players = append(w.servers, w.Open(s)), append(w.players, nil)
	case w.IntN(2) == 0:
		i := w.IntN(n)
		p := w.player()
		w.Join(w.servers[i], &p)
		w.players[i] = append(w.players[i], p)
	default:
		i := w.IntN(n)
		if there := len(w.players[i]); there > 0 {
			p := w.players[i][w.IntN(there)]
			w.players[i] = slices.DeleteFunc(w.players[i], func(o matcher.Player) bool { return &o.Values[0] == &p.Values[0] })
			w.Leave(w.servers[i], &p)
		} else {
			w.Close(w.servers[i])
			w.servers, w.players = slices.Delete(w.servers, i, i+1), slices.Delete(w.players, i, i+1)
		}
	}
}

func (w *randomFleetState) joiner() Joiner {
	var known []int32
	for range max(0, w.IntN(6)-3) {
		known = append(known, int32(w.IntN(len(w.bySequence)+1)))
	}
	return NewJoiner(w.player(), matcher.Text(w.IntN(10)/9), known)
}

// scan finds the best servers by scoring all of them.
func (w *randomFleetState) scan(j *Joiner) (best, runnerUp *Server) {
	scores := w.scorer.Scores(nil, j, w.servers)
	first := w.scorer.Best(w.servers, scores)
	if first < 0 {
		return nil, nil
	}
	scores[first] = math.NaN()
	without := *w.scorer
	without.MinScore = 0
	if second := without.Best(w.servers, scores); second >= 0 {
		runnerUp = w.servers[second]
	}
	return w.servers[first], runnerUp
}

func (w *randomFleetState) check() error {
	j := w.joiner()
	best, runnerUp := w.Best(&j)
	wantBest, wantRunnerUp := w.scan(&j)
	if best == wantBest && runnerUp == wantRunnerUp {
		return nil
	}
	name := func(s *Server) string {
		if s == nil {
			return "none"
		}
		return fmt.Sprintf("%d with %v", s.Sequence, w.scorer.Score(&j, s))
	}
	return fmt.Errorf("got server %s before %s, want %s before %s", name(best), name(runnerUp), name(wantBest), name(wantRunnerUp))
}

// A fleet chooses the same servers as a scan over all servers. The fleets have random signals,
// sizes and events, with and without equal scores.
func TestFleetAgainstScan(t *testing.T) {
	for seed := range uint64(900) {
		w := randomFleet(rand.New(rand.NewPCG(7, seed)))
		steps := 20 << w.IntN(6)
		for i := range steps {
			w.step()
			if i%3 > 0 {
				continue
			}
			if err := w.check(); err != nil {
				t.Fatalf("seed %d, step %d: %v", seed, i, err)
			}
		}
		if err := w.verify(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// verify checks the trees. Each server that any player may join must be in the leaf that it
// records, and every outline must bound the servers below its node.
func (w *randomFleetState) verify() error {
	joinable := 0
	for _, s := range w.servers {
		if s.Closed == "" && s.players < s.Capacity-w.scorer.KeptSeats {
			joinable++
		}
	}
	for i, t := range w.trees {
		size := 0
		for at := range t.nodes {
			for _, s := range t.nodes[at].members {
				if int(s.leaf) != at || int(s.tree) != i || s.Class != t.class || s.Region != t.region {
					return fmt.Errorf("server %d is in leaf %d of tree %d, but its record has leaf %d of tree %d", s.Sequence, at, i, s.leaf, s.tree)
				}
				for up := s.leaf; up != none; up = t.nodes[up].parent {
					if raise(slices.Clone(t.outline(up)), s.outline) {
						return fmt.Errorf("the outline of node %d does not cover server %d", up, s.Sequence)
					}
				}
				size++
			}
		}
		if size != t.size {
			return fmt.Errorf("counted %d servers in a tree whose size is %d", t.size, size)
		}
		joinable -= size
	}
	if joinable != 0 {
		return fmt.Errorf("%d joinable servers are not in a tree", joinable)
	}
	return nil
}

// TestMeasure checks every measure on a server with two players.
func TestMeasure(t *testing.T) {
	scorer := everySignal()
	scorer.Measured = true
	s := scorer.Open(Server{Region: 1, Capacity: 8, Values: []matcher.Value{modeColumn: matcher.TextValue(7), clockColumn: matcher.NumberValue(160)}})
	with := func(skill, level float64, class matcher.Text, groups ...matcher.Text) matcher.Player {
		return matcher.Player{RTTMS: []float64{30, 90}, Values: []matcher.Value{
			skillColumn: matcher.NumberValue(skill), levelColumn: matcher.NumberValue(level), classColumn: matcher.TextValue(class), groupsColumn: matcher.SetValue(groups)}}
	}
	withoutValues := NewJoiner(matcher.Player{}, 0, nil)
	for i := range scorer.Signals {
		if got := scorer.Measure(&Measure{Signal: i}, &withoutValues, s); i != 1 && i != 11 && !math.IsNaN(got) {
			t.Errorf("%s: got %v for a player without values on an empty server, want NaN", scorer.Signals[i].Settings().Name, got)
		}
	}
	for _, p := range []matcher.Player{with(1000, 4, 7, 1, 2), with(5000, 8, 5, 3)} {
		scorer.Join(s, &p)
	}
	j := NewJoiner(with(100, 10, 7, 2), 0, []int32{0})
	for i, want := range []float64{
		2. / 8, 1, 90, 90, // occupancy, friends, RTT, and the same RTT for the signal with OverBest
		2900, 2900, 8, 2.7, // differences: skill from mean, skill from median, sum of levels 12 + 10 from 30, mean level 6 from 3.3
		0.5, 0.5, 0.5, // shares of players with the same text, without and with Others, and share of overlapping sets
		60, 1, 0.5, // difference of the server's number from its reference, equal server text, and a signal without a weight
	} {
		if got := scorer.Measure(&Measure{Signal: i}, &j, s); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: got %v, want %v", scorer.Signals[i].Settings().Name, got, want)
		}
	}
	if got := scorer.Measure(&Measure{Signal: 8, Fixed: true, Text: 9}, &j, s); got != 0 {
		t.Errorf("got share %v of players with a text that no player has, want 0", got)
	}
}

// Scores that differ only by rounding are equal, even in different groups. The older server must
// win although the bound of its group is below the highest score.
func TestFleetTiesAcrossGroups(t *testing.T) {
	f := NewFleet(&Scorer{Signals: []Signal{
		&ServerNumber{Weighted: Weighted{"clock", 1}, Column: clockColumn, To: Reference{Constant: true}, Scale: 1},
	}})
	open := func(region matcher.Region, createdMS int64, clock float64) *Server {
		return f.Open(Server{Region: region, CreatedMS: createdMS, Capacity: 1, Values: []matcher.Value{clockColumn: matcher.NumberValue(clock)}})
	}
	open(0, 5, 0.25)
	young := open(0, 4, 0.25)
	old := open(1, 3, 0.25+1e-10)
	open(2, 2, 0.25+2e-9)
	j := NewJoiner(matcher.Player{}, 0, nil)
	if best, runnerUp := f.Best(&j); best != old || runnerUp != young {
		t.Errorf("got server %d before %d, want %d before %d", best.Sequence, runnerUp.Sequence, old.Sequence, young.Sequence)
	}
}

// If there are more texts than columns, several texts share a column. A search must still find the
// best server.
func TestFleetOfManyTexts(t *testing.T) {
	f := NewFleet(&Scorer{Signals: []Signal{&PlayersShare{Weighted: Weighted{"language", 1}, Column: 0}}})
	with := func(texts ...matcher.Text) *Server {
		s := f.Open(Server{Region: matcher.Region(f.Running()), Capacity: 99})
		for _, text := range texts {
			f.Join(s, &matcher.Player{Values: []matcher.Value{matcher.TextValue(text)}})
		}
		return s
	}
	var all []matcher.Text
	for text := range matcher.Text(2 * textSlots) {
		all = append(all, text)
	}
	with(all...)
	rare, rarer := matcher.Text(textSlots), matcher.Text(textSlots+1)
	with(rare, 0)
	with(rare, 1)
	best := with(rare, rare, rarer)
	j := NewJoiner(matcher.Player{Values: []matcher.Value{matcher.TextValue(rare)}}, 0, nil)
	if got, _ := f.Best(&j); got != best {
		t.Errorf("got server %d, want %d, where two of three speak the language", got.Sequence, best.Sequence)
	}
}
