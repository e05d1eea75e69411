package population

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"mmsim/datasets"
	"mmsim/datasets/internal/draws"
	"mmsim/datasets/joinfile"
)

func read(tb testing.TB, content string) *datasets.Day {
	tb.Helper()
	day, err := joinfile.Read(strings.NewReader(content), "day.csv", joinfile.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return day
}

// population returns the population of a day with generated attributes.
func population(t testing.TB, day *datasets.Day, generators ...Generated) *Population {
	t.Helper()
	p, err := New(day, Options{
		Generated: generators, Draws: datasets.Draws{Attributes: draws.Stream(11), Friends: draws.Stream(12)},
		Locate: func(uint32) (datasets.Continent, datasets.CountryCode) {
			return datasets.Europe, datasets.CountryCode('D')<<8 | 'E'
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// generated returns a generated attribute of a day with a single join.
func generated(t testing.TB, g Generator) *Attribute {
	t.Helper()
	return population(t, read(t, "00:00:01,50,8\n"), Generated{Name: "x", Generator: g}).Attribute("x")
}

const persons = 200_000

// sample returns an attribute's numbers for many persons.
func sample(a *Attribute) []float64 {
	xs := make([]float64, persons)
	for i := range xs {
		xs[i] = a.Number(&Person{Entity: uint64(i), Party: uint64(i)})
	}
	return xs
}

func density(x float64) float64 {
	if math.IsInf(x, 0) {
		return 0
	}
	return math.Exp(-x*x/2) / math.Sqrt(2*math.Pi)
}

// edge returns x·φ(x), which approaches 0 far from 0.
func edge(x float64) float64 {
	if math.IsInf(x, 0) {
		return 0
	}
	return x * density(x)
}

// The mean, standard deviation and median of a truncated normal distribution match the known
// formulas.
func TestNormal(t *testing.T) {
	none := math.Inf(1)
	for _, g := range []Normal{
		{1500, 300, -none, none},
		{1500, 300, 0, 3000},
		{1500, 300, 1400, 1500},
		{0, 1, 3, none},      // upper tail
		{0, 1, -none, -2},    // lower tail
		{0, 1, 5, 5.5},       // far from the mean
		{5, 0.001, 5, none},  // small
		{-1e9, 1e6, -2e9, 0}, // large
	} {
		a, b := (g.Min-g.Mean)/g.SD, (g.Max-g.Mean)/g.SD
		above := func(x float64) float64 { return math.Erfc(x/math.Sqrt2) / 2 }
		mass := above(a) - above(b)
		shift := (density(a) - density(b)) / mass
		mean := g.Mean + g.SD*shift
		sd := g.SD * math.Sqrt(1+(edge(a)-edge(b))/mass-shift*shift)
		xs := sample(generated(t, g))
		near(t, fmt.Sprint(g, " mean"), average(xs), mean, 5*sd/math.Sqrt(persons))
		near(t, fmt.Sprint(g, " sd"), deviation(xs), sd, 0.01*sd)
		if slices.Min(xs) < g.Min || slices.Max(xs) > g.Max {
			t.Errorf("%v: got values from %v to %v, want them inside Min and Max", g, slices.Min(xs), slices.Max(xs))
		}
		// Half of the probability is below the median of the values.
		slices.Sort(xs)
		near(t, fmt.Sprint(g, " share below the median"), (above(a)-above((xs[persons/2]-g.Mean)/g.SD))/mass, 0.5, 5*0.5/math.Sqrt(persons))
	}
}

func TestLogNormal(t *testing.T) {
	for _, test := range []struct {
		g           LogNormal
		median, sig float64
	}{
		{LogNormal{Median: 20, Sigma: 0.5, Max: math.Inf(1)}, 20, 0.5},
		{LogNormal{Mean: 100, SD: 100 * math.Sqrt(math.E-1), Max: math.Inf(1)}, 100 * math.Exp(-0.5), 1},
	} {
		xs := sample(generated(t, test.g))
		mean := test.median * math.Exp(test.sig*test.sig/2)
		sd := mean * math.Sqrt(math.Expm1(test.sig*test.sig))
		near(t, "mean", average(xs), mean, 5*sd/math.Sqrt(persons))
		for i, x := range xs {
			xs[i] = math.Log(x)
		}
		near(t, "mean of the logarithm", average(xs), math.Log(test.median), 5*test.sig/math.Sqrt(persons))
		near(t, "sd of the logarithm", deviation(xs), test.sig, 0.01*test.sig)
	}
	xs := sample(generated(t, LogNormal{Median: 20, Sigma: 1, Min: 20, Max: 40}))
	if slices.Min(xs) < 20 || slices.Max(xs) > 40 {
		t.Errorf("got values from %v to %v, want 20 to 40", slices.Min(xs), slices.Max(xs))
	}
	slices.Sort(xs)
	// half is half of the probability between the untruncated median and ln 2 standard deviations
	// above it.
	half := (math.Erf(math.Ln2/math.Sqrt2) / 2) / 2
	near(t, "median between", math.Erf(math.Log(xs[persons/2]/20)/math.Sqrt2)/2, half, 0.001)
}

func TestUniform(t *testing.T) {
	xs := sample(generated(t, Uniform{-5, 15}))
	near(t, "mean", average(xs), 5, 5*20/math.Sqrt(12*persons))
	near(t, "sd", deviation(xs), 20/math.Sqrt(12), 0.03)
	if slices.Min(xs) < -5 || slices.Max(xs) > 15 {
		t.Errorf("got values from %v to %v, want -5 to 15", slices.Min(xs), slices.Max(xs))
	}
}

// Numbers have few digits, so that they are equal on all processors.
func TestNumbersAreShort(t *testing.T) {
	a := generated(t, Normal{1500, 300, math.Inf(-1), math.Inf(1)})
	for i := range uint64(1000) {
		if text := string(a.Append(nil, &Person{Entity: i, Party: i})); len(text) > len("-1234.567") {
			t.Fatalf("got number %s, want at most as many characters as -1234.567", text)
		}
	}
}

func TestChoice(t *testing.T) {
	weights := []float64{9, 0, 1, 10}
	g := Choice{datasets.Text, []Weighted{{"1.4", weights[0]}, {"never", weights[1]}, {"1.5", weights[2]}, {"c", weights[3]}}}
	a := generated(t, g)
	counts := map[string]float64{}
	for i := range uint64(persons) {
		counts[a.Dictionary()[a.Text(&Person{Entity: i, Party: i})]]++
	}
	for i, w := range g.Of {
		near(t, w.Text, counts[w.Text]/persons, weights[i]/20, 0.006*min(1, weights[i]))
	}
	g = Choice{datasets.Number, []Weighted{{"1", 1}, {"-2.5", 3}}}
	near(t, "mean of numbers", average(sample(generated(t, g))), (1-3*2.5)/4, 0.02)
}

func TestConstant(t *testing.T) {
	if a := generated(t, Constant{Kind: datasets.Number, Number: 7}); a.Kind != datasets.Number || a.Number(&Person{}) != 7 {
		t.Errorf("got attribute %+v, want the number 7", a)
	}
	for kind, want := range map[datasets.Kind][]string{datasets.Text: {"a;b"}, datasets.List: {"a", "b"}} {
		a := generated(t, Constant{Kind: kind, Items: want})
		if got := string(a.Append(nil, &Person{})); a.Kind != kind || got != "a;b" || !slices.Equal(a.List(a.Text(&Person{})), want) {
			t.Errorf("%s: got %q, want the list a;b", kind, got)
		}
	}
}

// All lengths are equally likely, and so are all subsets of the same length.
func TestSubset(t *testing.T) {
	for _, g := range []Subset{
		{[]string{"a", "b", "c", "d", "e"}, 1, 4},
		{[]string{"a", "b", "c"}, 0, 3},
		{[]string{"a"}, 1, 1},
		{strings.Split("a b c d e f g h i j", " "), 9, 9},
	} {
		a := generated(t, g)
		counts := map[string]float64{}
		for i := range uint64(persons) {
			entry := a.Text(&Person{Entity: i, Party: i})
			list := a.List(entry)
			if !slices.IsSorted(list) || len(list) < g.Min || len(list) > g.Max || a.Dictionary()[entry] != strings.Join(list, ";") {
				t.Fatalf("%v: got subset %v with text %q, want it sorted, of an allowed size, and equal to the text", g, list, a.Dictionary()[entry])
			}
			counts[a.Dictionary()[entry]]++
		}
		sets := 0
		for size := g.Min; size <= g.Max; size++ {
			sets += binomial(len(g.Of), size)
		}
		if len(counts) != sets {
			t.Errorf("%v: got %d different subsets, want %d", g, len(counts), sets)
		}
		for text, n := range counts {
			size := 0
			if text != "" {
				size = strings.Count(text, ";") + 1
			}
			want := persons / float64(g.Max-g.Min+1) / float64(binomial(len(g.Of), size))
			near(t, fmt.Sprint(g, text), n, want, 5*math.Sqrt(want))
		}
	}
}

// If a subset is drawn from the maximum of 64 items, all items are equally likely.
func TestSubsetOfMany(t *testing.T) {
	draw := draws.Stream(3)
	for _, size := range []int{1, 7, 31, 33, 64} {
		var counts [64]float64
		for i := range uint64(persons / 10) {
			set := subset(draw, i, 0, size, 64)
			n := 0
			for item := range counts {
				if set>>item&1 != 0 {
					counts[item]++
					n++
				}
			}
			if n != size {
				t.Fatalf("got %d items, want %d", n, size)
			}
		}
		want := float64(size) / 64 * persons / 10
		for item, n := range counts {
			near(t, fmt.Sprint(size, " of 64, item ", item), n, want, 5*math.Sqrt(want))
		}
	}
}

func binomial(n, k int) int {
	if k == 0 {
		return 1
	}
	return binomial(n-1, k-1) * n / k
}

func TestByCountry(t *testing.T) {
	day := read(t, "time,latitude,longitude,country\n1,50,8,FR\n2,51,8,\n3,52,8,US\n")
	code := func(letters string) datasets.CountryCode { c, _ := datasets.ParseCountry(letters); return c }
	g := ByCountry{Countries: []datasets.CountryCode{code("FR"), code("DE"), code("UK")}, Texts: []string{"fr", "de", "en"}}
	for other, want := range map[string]string{"": "fr,de,", "en": "fr,de,en"} {
		g.Default = other
		p := population(t, day, Generated{Name: "language", Generator: g})
		a := p.Attribute("language")
		var got []string
		for join := range day.Joins() {
			got = append(got, a.Dictionary()[a.Text(&Person{Row: join.Row, Place: join.Place, PartyPlace: join.Place})])
		}
		if text := strings.Join(got, ","); text != want {
			t.Errorf("default %q: got %s, want %s", other, text, want)
		}
		if len(p.Warnings) != 1 || !strings.HasPrefix(p.Warnings[0], "language: no player lives in UK") {
			t.Errorf("got warnings %q, want one that no player lives in UK", p.Warnings)
		}
	}
}

// A person's value depends only on the person and the attribute.
func TestValuesAreKeyed(t *testing.T) {
	day := read(t, "time,latitude,longitude,build,level\n1,50,8,1.4.1,3\n2,50,8,,\n")
	mmr := Generated{Name: "mmr", Generator: Normal{1500, 300, 0, 3000}}
	maps := Generated{Name: "maps", Generator: Subset{[]string{"a", "b", "c"}, 1, 3}}
	alone := population(t, day, mmr, maps)
	among := population(t, day, Generated{Name: "age", Generator: Uniform{10, 80}}, maps, Generated{Name: "build", Generator: Constant{Kind: datasets.Number}}, mmr)
	for i := range uint64(100) {
		p := &Person{Entity: 99 - i, Party: 99 - i, Slot: uint32(i % 3)}
		other := &Person{Entity: 99 - i, Party: 99 - i, Row: 1, Copy: 7, Slot: uint32(i % 8)}
		if a, b := alone.Attribute("mmr").Number(p), among.Attribute("mmr").Number(other); a != b {
			t.Fatalf("got mmr %v alone and %v with other attributes, want equal values", a, b)
		}
		if a, b := alone.Attribute("maps").Append(nil, other), among.Attribute("maps").Append(nil, p); string(a) != string(b) {
			t.Fatalf("got maps %s alone and %s with other attributes, want equal values", a, b)
		}
	}
	if want := []string{"the data has a column build: players.attributes.build is not used"}; !slices.Equal(among.Warnings, want) {
		t.Errorf("got warnings %q, want %q", among.Warnings, want)
	}
	build, level := among.Attribute("build"), among.Attribute("level")
	if got := string(build.Append(nil, &Person{})); got != "1.4.1" || build.Generated() || level.Number(&Person{}) != 3 {
		t.Errorf("got build %q and level %v, want 1.4.1 and 3 from the columns", got, level.Number(&Person{}))
	}
	if missing := (&Person{Row: 1}); build.Text(missing) != 0 || len(build.Append(level.Append(nil, missing), missing)) != 0 {
		t.Error("got a value of a person without one, want none")
	}
	var names []string
	for _, a := range among.Attributes {
		names = append(names, a.Name)
	}
	if got := strings.Join(names, " "); got != "build level age maps mmr" {
		t.Errorf("got attributes %s, want build level age maps mmr", got)
	}
}

// The players of a party have the value of its first player unless an attribute is per player. A
// solo player is the first player of a party of one.
func TestPerParty(t *testing.T) {
	day := read(t, "time,latitude,longitude,country\n1,50,8,FR\n2,51,8,DE\n")
	fr, _ := datasets.ParseCountry("FR")
	generators := map[string]Generator{
		"choice":     Choice{datasets.Text, []Weighted{{"a", 1}, {"b", 1}, {"c", 1}}},
		"numbers":    Choice{datasets.Number, []Weighted{{"1", 1}, {"2", 1}, {"3", 1}}},
		"subset":     Subset{[]string{"a", "b", "c", "d"}, 1, 3},
		"by_country": ByCountry{[]datasets.CountryCode{fr}, []string{"fr"}, "other"},
		"normal":     Normal{0, 1, math.Inf(-1), math.Inf(1)},
		"lognormal":  LogNormal{Median: 1, Sigma: 1, Max: math.Inf(1)},
		"uniform":    Uniform{0, 1},
	}
	for name, g := range generators {
		usually := map[string]bool{"choice": true, "numbers": true, "subset": true, "by_country": true}[name]
		for per, shared := range map[Per]bool{PerUsual: usually, PerPlayer: false, PerParty: true} {
			p := population(t, day, Generated{Name: "x", Generator: g, Per: per})
			a, equal, different := p.Attribute("x"), 0, 0
			for party := range uint64(100) {
				first := &Person{Entity: 2 * party, Party: 2 * party, Slot: 0}
				second := &Person{Entity: 2*party + 1, Party: 2 * party, Place: 1, PartyPlace: 0, Slot: 1}
				alone := &Person{Entity: 2*party + 1, Party: 2*party + 1, Place: 1, PartyPlace: 1, Slot: 2}
				of := func(p *Person) string { return string(a.Append(nil, p)) }
				if shared && of(first) != of(second) || !shared && of(second) != of(alone) {
					t.Fatalf("%s, per %d: got %s for the first, %s for the second player and %s for the second one alone, want the first two to be equal: %t, else the last two",
						name, per, of(first), of(second), of(alone), shared)
				}
				if of(first) == of(alone) {
					equal++
				} else {
					different++
				}
			}
			if different == 0 {
				t.Errorf("%s, per %d: got %d equal values of different players, want some that differ", name, per, equal)
			}
		}
	}
}

func TestGeneratorErrors(t *testing.T) {
	none := math.Inf(1)
	for want, g := range map[string]Generated{
		`attribute "x": sd 0: expected more than 0`:                                          {Name: "x", Generator: Normal{1, 0, -none, none}},
		`attribute "x": min 5, max 5: expected min below max`:                                {Name: "x", Generator: Normal{5, 1, 5, 5}},
		`attribute "x": min 9, max +Inf: expected at least 1e-09`:                            {Name: "x", Generator: Normal{0, 1, 9, none}},
		`attribute "x": expected median and sigma, or mean and sd`:                           {Name: "x", Generator: LogNormal{Median: 1, SD: 1, Max: none}},
		`attribute "x": min 2, max 1: expected min below max`:                                {Name: "x", Generator: Uniform{2, 1}},
		`attribute "x": an empty text`:                                                       {Name: "x", Generator: Choice{datasets.Text, []Weighted{{"", 1}}}},
		`attribute "x": all weights are 0`:                                                   {Name: "x", Generator: Choice{datasets.Text, []Weighted{{"a", 0}}}},
		`attribute "x": weight -1 of "a": expected 0 to 1000 (MaxWeight)`:                    {Name: "x", Generator: Choice{datasets.Text, []Weighted{{"a", -1}}}},
		`attribute "x": value "a": expected a number from -1e+100 to 1e+100 (MaxNumber)`:     {Name: "x", Generator: Choice{datasets.Number, []Weighted{{"a", 1}}}},
		`attribute "x": value "1e101": expected a number from -1e+100 to 1e+100 (MaxNumber)`: {Name: "x", Generator: Choice{datasets.Number, []Weighted{{"1e101", 1}}}},
		`attribute "x": min 2, max 1 of 3 items: expected 0 <= min <= max <= 3`:              {Name: "x", Generator: Subset{[]string{"a", "b", "c"}, 2, 1}},
		`attribute "x": item "a" appears twice: expected it once`:                            {Name: "x", Generator: Subset{[]string{"a", "a"}, 1, 1}},
		`attribute "x": item "a;b": expected one without a semicolon`:                        {Name: "x", Generator: Constant{Kind: datasets.List, Items: []string{"a;b"}}},
		`attribute "time": the name "time": expected the name of an attribute`:               {Name: "time", Generator: Uniform{0, 1}},
		`attribute "friends": friends has no graph: expected one`:                            {Name: "friends", Generator: Uniform{0, 1}},
		`attribute "pals": a graph for "pals": only the attribute friends can have one`:      {Name: "pals", Generator: Graph{6, 0.9}},
		`attribute "friends": a graph per party: expected one per player`:                    {Name: "friends", Generator: Graph{6, 0.9}, Per: PerParty},
		`attribute "friends": mean 501: expected more than 0, at most 500 (MaxFriends)`:      {Name: "friends", Generator: Graph{501, 0.9}},
		`attribute "friends": same_continent 2: expected 0 to 1`:                             {Name: "friends", Generator: Graph{6, 2}},
		`attribute "x": 0 countries with 0 texts: expected at least one, and a text for e`:   {Name: "x", Generator: ByCountry{}},
	} {
		_, err := New(read(t, "00:00:01,50,8\n"), Options{Generated: []Generated{g}})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got error %v\nwant prefix %s", err, want)
		}
	}
}

func average(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}

func deviation(xs []float64) float64 {
	mean, squares := average(xs), 0.0
	for _, x := range xs {
		squares += (x - mean) * (x - mean)
	}
	return math.Sqrt(squares / float64(len(xs)))
}

// near checks that got is within margin of want.
func near(t *testing.T, name string, got, want, margin float64) {
	t.Helper()
	if !(math.Abs(got-want) <= margin) {
		t.Errorf("%s: got %v, want %v ± %v", name, got, want, margin)
	}
}

func BenchmarkAttribute(b *testing.B) {
	for name, g := range map[string]Generator{
		"normal":    Normal{1500, 300, 0, 3000},
		"lognormal": LogNormal{Median: 20, Sigma: 0.5, Max: math.Inf(1)},
		"uniform":   Uniform{0, 1},
		"choice":    Choice{datasets.Text, []Weighted{{"1.4", 9}, {"1.5", 1}}},
		"subset":    Subset{strings.Split("a b c d e f g h i j", " "), 1, 3},
	} {
		b.Run(name, func(b *testing.B) {
			a := generated(b, g)
			b.ReportAllocs()
			for i := uint64(0); b.Loop(); i++ {
				if a.Kind == datasets.Number {
					a.Number(&Person{Entity: i, Party: i})
				} else {
					a.Text(&Person{Entity: i, Party: i})
				}
			}
		})
	}
}
