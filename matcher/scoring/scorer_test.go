package scoring

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"mmsim/matcher"
)

// Columns of players and of servers in the tests.
const (
	skillColumn matcher.Column = iota
	levelColumn
	classColumn
	groupsColumn
	modeColumn
	clockColumn
	columnsOfTests
)

// everySignal returns a Scorer with a signal of every kind and aggregate.
func everySignal() *Scorer {
	w := func(name string, weight float64) Weighted { return Weighted{Name: name, Weight: weight} }
	joiner := func(c matcher.Column) Reference { return Reference{Column: c} }
	return &Scorer{KeptSeats: 2, Signals: []Signal{
		&Occupancy{Weighted: w("occupancy", 2)},
		&Acquaintance{Weighted: w("friends", 10)},
		&NearRTT{Weighted: w("rtt", 3), ScaleMS: 250},
		&NearRTT{Weighted: w("delta", 0.7), ScaleMS: 100, OverBest: true},
		&PlayersNumber{Weighted: w("mean", 1.1), Column: skillColumn, To: joiner(skillColumn), Scale: 900},
		&PlayersNumber{Weighted: w("median", 0.3), Column: skillColumn, Aggregate: MedianNumber, To: joiner(skillColumn), Scale: 700},
		&PlayersNumber{Weighted: w("sum", 0.9), Column: levelColumn, Aggregate: SumNumber, To: Reference{Constant: true, Number: 30}, Scale: 45.5},
		&PlayersNumber{Weighted: w("level", 0.4), Column: levelColumn, To: Reference{Constant: true, Number: 3.3}, Scale: 7},
		&PlayersShare{Weighted: w("class", 1), Column: classColumn},
		&PlayersShare{Weighted: w("variety", 0.2), Column: classColumn, Others: true},
		&PlayersOverlap{Weighted: w("groups", 1.5), Column: groupsColumn},
		&ServerNumber{Weighted: w("clock", 0.6), Column: clockColumn, To: Reference{Constant: true, Number: 100}, Scale: 60},
		&ServerText{Weighted: w("mode", 2), Column: modeColumn, To: joiner(classColumn)},
		&PlayersShare{Weighted: w("ignored", 0), Column: classColumn},
	}}
}

// randomPlayer returns a player who has each value with some probability. Numbers have any
// size and long fractions, so that floating-point sums lose bits.
func randomPlayer(r *rand.Rand) matcher.Player {
	p := matcher.Player{Values: make([]matcher.Value, columnsOfTests), RTTMS: []float64{math.NaN(), float64(r.IntN(300)), r.Float64() * 300}}
	if r.IntN(5) > 0 {
		p.Values[skillColumn] = matcher.NumberValue(math.Exp(r.Float64()*40-20) * float64(r.IntN(3)-1))
	}
	if r.IntN(5) > 0 {
		p.Values[levelColumn] = matcher.NumberValue(float64(r.IntN(100)) / 10)
	}
	if r.IntN(5) > 0 {
		p.Values[classColumn] = matcher.TextValue(matcher.Text(r.IntN(3)))
	}
	if r.IntN(5) > 0 {
		var set []matcher.Text
		for text := range matcher.Text(4) {
			if r.IntN(2) == 0 {
				set = append(set, text)
			}
		}
		p.Values[groupsColumn] = matcher.SetValue(set)
	}
	return p
}

func randomServer(sc *Scorer, r *rand.Rand) *Server {
	s := Server{Region: matcher.Region(r.IntN(4) - 1), Capacity: 4 + r.IntN(20), Values: make([]matcher.Value, columnsOfTests)}
	if r.IntN(4) > 0 {
		s.Values[clockColumn] = matcher.NumberValue(float64(r.IntN(200)))
		s.Values[modeColumn] = matcher.TextValue(matcher.Text(r.IntN(3)))
	}
	return sc.Open(s)
}

// Two servers with the same players have the same score to the last bit and the same tallies,
// whatever happened before. The same holds for a server that has become empty.
func TestScoreIsIndependentOfHistory(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	sc := everySignal()
	for range 200 {
		fresh := randomServer(sc, r)
		old := sc.Open(*fresh)
		var present []matcher.Player
		for range r.IntN(300) {
			if n := len(present); n > 0 && r.IntN(2) == 0 {
				i := r.IntN(n)
				sc.Leave(old, &present[i])
				present = slices.Delete(present, i, i+1)
			} else {
				present = append(present, randomPlayer(r))
				sc.Join(old, &present[n])
			}
		}
		r.Shuffle(len(present), func(i, j int) { present[i], present[j] = present[j], present[i] })
		for i := range present {
			sc.Join(fresh, &present[i])
		}
		for range 10 {
			j := NewJoiner(randomPlayer(r), 0, nil)
			if a, b := sc.Score(&j, old), sc.Score(&j, fresh); a != b {
				t.Fatalf("%d players: got score %v on a server that players have joined and left, want %v as on a new server", len(present), a, b)
			}
		}
	}
}

// A sum of numbers equals the sum in arbitrary-precision arithmetic.
func TestSumIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 2))
	var got sum
	want := new(big.Float).SetPrec(400)
	for range 10_000 {
		number := math.Ldexp(float64(r.Int64N(1<<52)-1<<51), r.IntN(20)-52-10) // a multiple of 2^-62, so the conversion is exact
		if r.IntN(2) == 0 {
			number = MaxNumber * (2*r.Float64() - 1)
		}
		got = got.plus(exactly(number))
		want.Add(want, big.NewFloat(number))
	}
	exact, _ := want.Float64()
	if f := got.float(); math.Abs(f-exact) > math.Abs(exact)*0x1p-52 {
		t.Errorf("sum: got %v, want %v", f, exact)
	}
	for _, number := range []float64{0, -0.1, 1e-19, MaxNumber, -MaxNumber} {
		if s := exactly(number).plus(exactly(number).negated()); s != (sum{}) {
			t.Errorf("%v minus itself: got %v, want 0", number, s)
		}
	}
	if f := exactly(-0.1).float(); f != -0.1 {
		t.Errorf("exactly(-0.1): got %v, want -0.1", f)
	}
}

// naive computes the value of each signal from the list of players.
func naive(j *Joiner, s *Server, there []matcher.Player) []float64 {
	numbers := func(c matcher.Column) (list []float64) {
		for i := range there {
			if v := there[i].Values[c]; v.Kind == matcher.IsNumber {
				list = append(list, v.Number)
			}
		}
		slices.Sort(list)
		return list
	}
	add := func(list []float64) (total float64) {
		for _, n := range list {
			total += n
		}
		return total
	}
	count := func(is func(p *matcher.Player) bool) (n float64) {
		for i := range there {
			if is(&there[i]) {
				n++
			}
		}
		return n
	}
	close := func(a, b, scale float64) float64 { return max(0, 1-math.Abs(a-b)/scale) }
	own := func(c matcher.Column) matcher.Value { return j.Values[c] }
	n := float64(len(there))
	values := make([]float64, 14)
	values[0] = n / float64(s.Capacity)
	if s.Region > 0 { // region 0 is never measured
		rtt, best := j.RTTMS[s.Region], min(j.RTTMS[1], j.RTTMS[2])
		values[2], values[3] = close(rtt, 0, 250), close(rtt, best, 100)
	}
	if skills := numbers(skillColumn); len(skills) > 0 && own(skillColumn).Kind == matcher.IsNumber {
		values[4] = close(add(skills)/float64(len(skills)), own(skillColumn).Number, 900)
		middle := len(skills) / 2
		median := skills[middle]
		if len(skills)%2 == 0 {
			median = (skills[middle-1] + skills[middle]) / 2
		}
		values[5] = close(median, own(skillColumn).Number, 700)
	}
	levels := numbers(levelColumn)
	if own(levelColumn).Kind == matcher.IsNumber {
		values[6] = close(add(levels)+own(levelColumn).Number, 30, 45.5)
	}
	if len(levels) > 0 {
		values[7] = close(add(levels)/float64(len(levels)), 3.3, 7)
	}
	if n > 0 {
		same := count(func(p *matcher.Player) bool {
			return own(classColumn).Kind == matcher.IsText && p.Values[classColumn].Kind == matcher.IsText && p.Values[classColumn].Text == own(classColumn).Text
		})
		values[8], values[9] = same/n, 1-same/n
		values[10] = count(func(p *matcher.Player) bool {
			return slices.ContainsFunc(p.Values[groupsColumn].Set, func(x matcher.Text) bool { return slices.Contains(own(groupsColumn).Set, x) })
		}) / n
	}
	if s.Values[clockColumn].Kind == matcher.IsNumber {
		values[11] = close(s.Values[clockColumn].Number, 100, 60)
	}
	if s.Values[modeColumn].Kind == matcher.IsText && own(classColumn).Kind == matcher.IsText && s.Values[modeColumn].Text == own(classColumn).Text {
		values[12] = 1
	}
	return values
}

// Every signal has the same value as a plain computation over all players, and the score is the
// weighted sum of these values.
func TestSignalsAgainstTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 3))
	sc := everySignal()
	for range 500 {
		s := randomServer(sc, r)
		there := make([]matcher.Player, r.IntN(9))
		for i := range there {
			there[i] = randomPlayer(r)
			sc.Join(s, &there[i])
		}
		var known []int32
		if r.IntN(2) == 0 {
			known = []int32{7, s.Sequence}
		}
		j := NewJoiner(randomPlayer(r), 0, known)
		want, total := naive(&j, s, there), 0.0
		if known != nil {
			want[1] = 1
		}
		for i, c := range sc.Explain(&j, s) {
			if math.Abs(c.Value-want[i]) > 1e-9 {
				t.Errorf("%s: got %v (%s), want %v", c.Signal, c.Value, c.Formula, want[i])
			}
			if c.Value < 0 || c.Value > 1 && c.Signal != "occupancy" {
				t.Errorf("%s: got contribution %v, want 0 to 1", c.Signal, c.Value)
			}
			total += c.Weighted
		}
		if got := sc.Score(&j, s); got != total {
			t.Errorf("got score %v, want %v, the sum of the contributions", got, total)
		}
	}
}

func TestObstructions(t *testing.T) {
	sc := &Scorer{KeptSeats: 2}
	for _, test := range []struct {
		name     string
		server   Server
		players  int
		friend   bool
		expected Obstruction
	}{
		{"free", Server{Capacity: 10}, 7, false, Joinable},
		{"kept", Server{Capacity: 10}, 8, false, SeatsKept},
		{"seats kept for friends", Server{Capacity: 10}, 9, true, Joinable},
		{"full", Server{Capacity: 10}, 10, true, IsFull},
		{"over-full", Server{Capacity: 10}, 12, true, IsFull},
		{"all seats kept", Server{Capacity: 2}, 0, false, SeatsKept},
		{"no seats", Server{}, 0, true, IsFull},
		{"closed", Server{Capacity: 10, Closed: "private"}, 0, true, IsClosed},
		{"class", Server{Capacity: 10, Class: 3}, 0, true, OtherClass},
	} {
		s := sc.Open(test.server)
		for range test.players {
			sc.Join(s, &matcher.Player{})
		}
		j := NewJoiner(matcher.Player{}, 0, nil)
		if test.friend {
			j.Known = []int32{0}
		}
		if got := sc.Obstruction(&j, s); got != test.expected {
			t.Errorf("%s: got %v, want %v", test.name, got, test.expected)
		}
		if scores := sc.Scores(nil, &j, []*Server{s}); math.IsNaN(scores[0]) != (test.expected != Joinable) {
			t.Errorf("%s: got score %v, want NaN if and only if the server cannot be joined", test.name, scores[0])
		}
	}
}

// Of the scores that differ only by rounding, the oldest server wins, and of equally old servers,
// the one with the lowest Sequence. The order of the list has no effect.
func TestBest(t *testing.T) {
	nan := math.NaN()
	for _, test := range []struct {
		name   string
		scores []float64
		least  float64
		want   int
	}{
		{"none", nil, 0, -1},
		{"no joinable server", []float64{nan, nan}, 0, -1},
		{"the highest", []float64{1, 3, 2, nan}, 0, 1},
		{"score 0 reaches minimum 0", []float64{0, 0}, 0, 1},
		{"rounding", []float64{0.1 + 0.2, 0.3, 0.29}, 0, 1},
		{"difference above the tolerance", []float64{0.3 + 2e-9, 0.3}, 0, 0},
		{"relative to large scores", []float64{1e12 + 1, 1e12}, 0, 1},
		{"large and apart", []float64{1e12 + 2000, 1e12}, 0, 0},
		{"same age", []float64{1, nan, 1, 1}, 0, 2},
		{"below the minimum score", []float64{1, 2}, 2.5, -1},
		{"good enough", []float64{1, 2.5}, 2.5, 1},
	} {
		created := []int64{50, 40, 50, 50} // servers 0, 2 and 3 are equally old, so the lowest sequence decides
		sequences := []int32{3, 2, 0, 1}
		var servers []*Server
		for i := range test.scores {
			servers = append(servers, &Server{CreatedMS: created[i], Sequence: sequences[i]})
		}
		sc := &Scorer{MinScore: test.least}
		scores := slices.Clone(test.scores)
		r := rand.New(rand.NewPCG(5, 5))
		want := int32(-1)
		if test.want >= 0 {
			want = sequences[test.want]
		}
		for range 20 {
			got := int32(-1)
			if at := sc.Best(servers, scores); at >= 0 {
				got = servers[at].Sequence
			}
			if got != want {
				t.Errorf("%s: got the server of sequence %d, want %d", test.name, got, want)
			}
			r.Shuffle(len(servers), func(i, j int) {
				servers[i], servers[j] = servers[j], servers[i]
				scores[i], scores[j] = scores[j], scores[i]
			})
		}
	}
}

func TestDecide(t *testing.T) {
	one := func(values ...float64) []float64 { return values }
	old, young := &Server{CreatedMS: 1}, &Server{CreatedMS: 2}
	if d := Decide(old, young, one(1, 5, 0), one(3, 1, 1)); d != (Decision{ByScore, 1, 1, 4}) {
		t.Errorf("got %+v, want the second signal with 4 and a margin of 1", d)
	}
	third := 1.0 / 3 // because of rounding, this is a little less than 1 - 2*third
	if d := Decide(old, young, one(third, 1), one(0, 2*third)); d.Signal != 0 {
		t.Errorf("got %+v, want the first of two equal signals", d)
	}
	if d := Decide(old, young, one(0.1, 0.2), one(0, 0.3)); d.Reason != ByAge {
		t.Errorf("got %+v, want the reason ByAge", d)
	}
	if d := Decide(old, old, one(2), one(2)); d != (Decision{BySequence, 0, -1, 0}) {
		t.Errorf("got %+v, want the reason BySequence and no signal", d)
	}
}

func TestScoringValidate(t *testing.T) {
	for _, test := range []struct {
		scorer Scorer
		want   string
	}{
		{*everySignal(), ""},
		{Scorer{Signals: []Signal{&Occupancy{Weighted: Weighted{"full", -1}}}}, `signal "full": weight: got -1`},
		{Scorer{Signals: []Signal{&Occupancy{Weighted: Weighted{"full", math.NaN()}}}}, "weight: got NaN"},
		{Scorer{Signals: []Signal{&Occupancy{Weighted: Weighted{"full", math.Inf(1)}}}}, "weight: got +Inf"},
		{Scorer{Signals: []Signal{&NearRTT{Weighted: Weighted{"rtt", 1}}}}, `signal "rtt": scale: got 0`},
		{Scorer{Signals: []Signal{&ServerNumber{Weighted: Weighted{"n", 1}, Scale: math.NaN()}}}, "scale: got NaN"},
		{Scorer{Signals: []Signal{&Occupancy{Weighted: Weighted{"a", 1e308}}, &Acquaintance{Weighted: Weighted{"b", 1e308}}}}, "add up"},
		{Scorer{KeptSeats: -1}, "kept seats"},
		{Scorer{MinScore: math.NaN()}, "minimum score"},
	} {
		err := test.scorer.Validate()
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("got error %v, want one that contains %q", err, test.want)
		}
	}
}

func TestRemoveUnknownPlayerPanics(t *testing.T) {
	sc := everySignal()
	for name, act := range map[string]func(s *Server){
		"empty": func(s *Server) { sc.Leave(s, &matcher.Player{}) },
		"number": func(s *Server) {
			sc.Join(s, &matcher.Player{})
			sc.Leave(s, &matcher.Player{Values: []matcher.Value{matcher.NumberValue(1)}})
		},
		"too much": func(s *Server) {
			sc.Join(s, &matcher.Player{Values: []matcher.Value{matcher.NumberValue(2 * MaxNumber)}})
		},
		"seats": func(*Server) { sc.Open(Server{Capacity: MaxSeats + 1}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: want a panic", name)
				}
			}()
			act(sc.Open(Server{Capacity: 5}))
		}()
	}
}

// benchScorer returns servers that are half full, and players who look for one.
func benchScorer(servers int) (*Scorer, []*Server, []Joiner) {
	r := rand.New(rand.NewPCG(5, 4))
	sc := everySignal()
	fleet := make([]*Server, servers)
	for i := range fleet {
		fleet[i] = randomServer(sc, r)
		fleet[i].Sequence, fleet[i].Capacity = int32(i), 8
		for range 4 {
			p := randomPlayer(r)
			sc.Join(fleet[i], &p)
		}
	}
	joiners := make([]Joiner, 64)
	for i := range joiners {
		joiners[i] = NewJoiner(randomPlayer(r), 0, []int32{int32(r.IntN(servers))})
	}
	return sc, fleet, joiners
}

// BenchmarkScores scores 2,000 servers under 13 signals for one player.
func BenchmarkScores(b *testing.B) {
	sc, servers, joiners := benchScorer(2000)
	var list []float64
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		list = sc.Scores(list[:0], &joiners[n%len(joiners)], servers)
		sc.Best(servers, list)
		n++
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n*len(servers)), "ns/server")
}

func BenchmarkJoinAndLeave(b *testing.B) {
	sc, servers, joiners := benchScorer(100)
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		j := &joiners[n%len(joiners)]
		sc.Join(servers[n%len(servers)], &j.Player)
		sc.Leave(servers[n%len(servers)], &j.Player)
		n++
	}
}
