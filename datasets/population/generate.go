package population

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"mmsim/datasets"
	"mmsim/datasets/atlas"
	"mmsim/datasets/internal/draws"
	"mmsim/datasets/internal/tables"
)

// maker contains what generators need to create attributes.
type maker struct {
	day    *datasets.Day
	locate func(place uint32) (datasets.Continent, datasets.CountryCode)
	draw   datasets.Draw
	stream uint64 // number of the first draw for the current attribute

	warnings []string
}

// streamOf returns the number of the first draw for an attribute. It is a hash of the name
// (FNV-1a), so adding or removing an attribute does not change the others.
func streamOf(name string) uint64 {
	hash := uint64(0xcbf29ce484222325)
	for _, c := range []byte(name) {
		hash = (hash ^ uint64(c)) * 0x100000001b3
	}
	return hash
}

func (g Normal) attach(a *Attribute, m *maker) {
	draw, stream, window, grain := m.draw, m.stream, g.window(), newGrain(g.SD)
	a.Kind = datasets.Number
	a.number = remembering(func(entity uint64) float64 {
		x := g.Mean + float64(g.SD*window.of(draw(entity, stream)))
		return min(max(grain.round(x), g.Min), g.Max)
	})
}

func (g LogNormal) attach(a *Attribute, m *maker) {
	draw, stream, window := m.draw, m.stream, g.window()
	mu, sigma := g.parameters()
	// Choose the rounding for the low end, where values are densest.
	grain := newGrain(math.Exp(mu-float64(5*sigma)) * min(sigma, 1))
	a.Kind = datasets.Number
	a.number = remembering(func(entity uint64) float64 {
		x := math.Exp(mu + float64(sigma*window.of(draw(entity, stream))))
		return min(max(grain.round(x), g.Min), g.Max)
	})
}

func (g Uniform) attach(a *Attribute, m *maker) {
	draw, stream, grain := m.draw, m.stream, newGrain(g.Max-g.Min)
	a.Kind = datasets.Number
	a.number = func(p *Person) float64 {
		u := float64(draw(p.Entity, stream)>>11) * 0x1p-53
		return min(max(grain.round(g.Min+float64((g.Max-g.Min)*u)), g.Min), g.Max)
	}
}

func (g Constant) attach(a *Attribute, _ *maker) {
	a.Kind = g.Kind
	a.number = func(*Person) float64 { return g.Number }
	a.text = func(*Person) uint32 { return 1 }
	a.dictionary = newDictionary(strings.Join(g.Items, ";"))
	a.lists = [][]string{nil, g.Items}
}

func (g Choice) attach(a *Attribute, m *maker) {
	draw, stream := m.draw, m.stream
	a.Kind, a.dictionary = g.Kind, newDictionary()
	var numbers, weights []float64
	for _, w := range g.Of {
		number, _ := tables.ParseNumber([]byte(w.Text))
		numbers, weights, a.texts = append(numbers, number), append(weights, w.Weight), append(a.texts, w.Text)
	}
	choices := newChoices(weights)
	a.number = func(p *Person) float64 { return numbers[choices.of(draw(p.Entity, stream))] }
	a.text = func(p *Person) uint32 { return uint32(choices.of(draw(p.Entity, stream))) + 1 }
}

// choices picks one of several options with unequal chances.
type choices []draws.Chance // cumulative, the last one 1

func newChoices(weights []float64) choices {
	total := 0.0
	for _, weight := range weights {
		total += weight
	}
	c := make(choices, len(weights))
	sum := 0.0
	for i, weight := range weights {
		sum += weight
		c[i] = draws.NewChance(sum / total) // the last quotient is exactly 1, because sum equals total
	}
	return c
}

func (c choices) of(draw uint64) int {
	first, last := 0, len(c)-1
	for first < last {
		if middle := (first + last) / 2; c[middle].Holds(draw) {
			last = middle
		} else {
			first = middle + 1
		}
	}
	return first
}

func (g Subset) attach(a *Attribute, m *maker) {
	draw, stream := m.draw, m.stream
	a.Kind = datasets.List
	a.dictionary = newDictionary()
	a.lists = [][]string{nil}
	entries := map[uint64]uint32{0: 0} // dictionary entry of each set of items; the empty set has entry 0, the missing value, like an empty cell
	a.text = remembering(func(entity uint64) uint32 {
		size := g.Min + int(draws.Below(draw(entity, stream), uint64(g.Max-g.Min+1)))
		set := subset(draw, entity, stream+1, size, len(g.Of))
		entry, known := entries[set]
		if !known {
			entry = a.addList(g.Of, set)
			entries[set] = entry
		}
		return entry
	})
}

// subset draws a subset of the given size from n items, where n is at most 64. All subsets of that
// size are equally likely. It uses Floyd's algorithm, which takes one step per drawn item, or per
// omitted item if they are fewer.
func subset(draw datasets.Draw, entity, stream uint64, size, n int) uint64 {
	if 2*size > n {
		return ^subset(draw, entity, stream, n-size, n) & (1<<n - 1)
	}
	const stepsPerDraw = 6 // each uses up 6 of the 64 bits, so the last step still has 34
	set, luck, pick := uint64(0), uint64(0), uint64(0)
	for step := range size {
		if step%stepsPerDraw == 0 {
			luck = draw(entity, stream+uint64(step/stepsPerDraw))
		}
		j := n - size + step
		pick, luck = bits.Mul64(luck, uint64(j+1))
		if set>>pick&1 != 0 {
			pick = uint64(j)
		}
		set |= 1 << pick
	}
	return set
}

// addList adds the list of the items in a set to the dictionary.
func (d *dictionary) addList(items []string, set uint64) uint32 {
	list := make([]string, 0, bits.OnesCount64(set))
	for ; set != 0; set &= set - 1 {
		list = append(list, items[bits.TrailingZeros64(set)])
	}
	d.texts = append(d.texts, strings.Join(list, ";"))
	d.lists = append(d.lists, list)
	return uint32(len(d.texts) - 1)
}

func (g ByCountry) attach(a *Attribute, m *maker) {
	a.Kind = datasets.Text
	a.dictionary = newDictionary()
	entry := func(text string) uint32 {
		i := slices.Index(a.texts, text)
		if i < 0 {
			i = len(a.texts)
			a.texts = append(a.texts, text)
		}
		return uint32(i)
	}
	byCountry := make(map[datasets.CountryCode]uint32)
	for i, country := range g.Countries {
		byCountry[country] = entry(g.Texts[i])
	}
	other := entry(g.Default) // "" gives entry 0
	byPlace := make([]uint32, len(m.day.Places))
	inhabited := make(map[datasets.CountryCode]bool)
	for place := range byPlace {
		_, country := m.where(uint32(place))
		inhabited[country] = true
		var listed bool
		if byPlace[place], listed = byCountry[country]; !listed {
			byPlace[place] = other
		}
	}
	for _, code := range g.Countries {
		if !inhabited[code] && !slices.ContainsFunc(atlas.Countries(), func(c atlas.Country) bool { return c.Code == code }) {
			m.warnings = append(m.warnings, fmt.Sprintf("%s: no player lives in %s, which is not a country with a city of 100,000 people: expected a two-letter code of ISO 3166, such as GB",
				a.Name, code))
		}
	}
	a.text = func(p *Person) uint32 { return byPlace[p.Place] }
}

// where returns the continent and country of a place. It calls locate if the data has none.
func (m *maker) where(place uint32) (continent datasets.Continent, country datasets.CountryCode) {
	continent, country = m.day.Places[place].Continent, m.day.Places[place].Country
	if continent == 0 || country == 0 {
		nearContinent, nearCountry := m.locate(place)
		continent, country = cmp.Or(continent, nearContinent), cmp.Or(country, nearCountry)
	}
	return continent, country
}
