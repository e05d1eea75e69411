package population

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mathext"

	"mmsim/datasets"
	"mmsim/datasets/atlas"
	"mmsim/datasets/internal/tables"
)

// Generated declares an attribute that is generated for every player.
type Generated struct {
	Name string
	Generator
	Per Per
}

// Per is who has a value of its own. The other players of a party have the value of its first
// player.
type Per uint8

// Values of Per.
const (
	PerUsual  Per = iota // PerParty for Constant, Choice, Subset and ByCountry, otherwise PerPlayer
	PerPlayer            // every player
	PerParty             // every party
)

// UsualPer returns who has a value of its own unless Per says otherwise. Friends choose together
// what and where to play, so their texts and lists are equal, but each has skills of its own.
func UsualPer(g Generator) Per {
	switch g.(type) {
	case Constant, Choice, Subset, ByCountry:
		return PerParty
	}
	return PerPlayer
}

// perParty reports whether the players of a party have the same value.
func (g Generated) perParty() bool {
	if g.Per == PerUsual {
		return UsualPer(g.Generator) == PerParty
	}
	return g.Per == PerParty
}

// Validate returns an error that names the invalid value.
func (g Generated) Validate() error {
	_, isGraph := g.Generator.(Graph)
	switch {
	case !datasets.Drawable(g.Name):
		return fmt.Errorf("the name %s: expected the name of an attribute, but this column says when, where or with whom a player joins", tables.Quoted(g.Name))
	case isGraph && g.Per == PerParty:
		return fmt.Errorf("a graph per party: expected one per player")
	case isGraph && g.Name != datasets.ColumnFriends:
		return fmt.Errorf("a graph for %s: only the attribute %s can have one", tables.Quoted(g.Name), datasets.ColumnFriends)
	case !isGraph && g.Name == datasets.ColumnFriends:
		return fmt.Errorf("%s has no graph: expected one", datasets.ColumnFriends)
	}
	return g.Generator.Validate()
}

// A Generator is the distribution of an attribute's values. It is one of Normal, LogNormal,
// Uniform, Constant, Choice, Subset and ByCountry or, only for the attribute friends, Graph.
type Generator interface {
	// Validate returns an error that names the value that is out of range.
	Validate() error
	// attach sets the kind and the values of an attribute.
	attach(a *Attribute, m *maker)
}

// Normal is a normal distribution truncated to the range from Min to Max. Its values are
// distributed as if draws were repeated until one is in range, so they do not pile up at the
// limits. Mean and SD apply before truncation. Without limits, Min is -Inf and Max is +Inf.
type Normal struct{ Mean, SD, Min, Max float64 }

// LogNormal is a distribution whose logarithm is normal. It is specified by Median and Sigma (the
// standard deviation of the natural logarithm) or by Mean and SD. The other two are 0. Min and Max
// truncate it as in Normal. Without a lower limit, Min is 0.
type LogNormal struct{ Median, Sigma, Mean, SD, Min, Max float64 }

// Uniform is a uniform distribution from Min to Max.
type Uniform struct{ Min, Max float64 }

// Constant is the same value for every player: Number, or the text or list in Items.
type Constant struct {
	Kind   datasets.Kind
	Number float64
	Items  []string
}

// Choice is one of several texts, with chances in proportion to their weights. If Kind is Number,
// the texts are numbers.
type Choice struct {
	Kind datasets.Kind // Text or Number
	Of   []Weighted
}

// Weighted is a text with its weight.
type Weighted struct {
	Text   string
	Weight float64
}

// Subset is a list of distinct items of the list Of. Its length is uniform from Min to Max. All
// subsets of the same length are equally likely. The items are in the same order as in Of.
type Subset struct {
	Of       []string
	Min, Max int
}

// ByCountry is a text that depends on the player's country. Countries that are not listed have the
// value Default, or no value if Default is "".
type ByCountry struct {
	Countries []datasets.CountryCode
	Texts     []string
	Default   string
}

// Limits of generators.
const (
	// MaxSubsetItems is the maximum number of items that Subset can draw from.
	MaxSubsetItems = 64
	// MaxFriends is the maximum mean number of friends.
	MaxFriends = 500
	// minMass is the minimum probability that a value is between Min and Max before truncation. If
	// the probability is lower, the limits are assumed to be a mistake.
	minMass = 1e-9
)

// Validate implements Generator.
func (g Normal) Validate() error {
	if !(g.SD > 0) {
		return fmt.Errorf("sd %v: expected more than 0", g.SD)
	}
	return validRange(g.Min, g.Max, g.window())
}

// window returns the part of the standard normal distribution between Min and Max.
func (g Normal) window() window01 {
	return newWindow01((g.Min-g.Mean)/g.SD, (g.Max-g.Mean)/g.SD)
}

// Validate implements Generator.
func (g LogNormal) Validate() error {
	switch byMedian, byMean := g.Median > 0 && g.Sigma > 0, g.Mean > 0 && g.SD > 0; {
	case byMedian == byMean, byMedian && (g.Mean != 0 || g.SD != 0), byMean && (g.Median != 0 || g.Sigma != 0):
		return errors.New("expected median and sigma, or mean and sd, all above 0")
	}
	return validRange(g.Min, g.Max, g.window())
}

// parameters returns the mean and the standard deviation of the logarithm.
func (g LogNormal) parameters() (mu, sigma float64) {
	if g.Median > 0 {
		return math.Log(g.Median), g.Sigma
	}
	ratio := g.SD / g.Mean
	variance := math.Log1p(ratio * ratio)
	return math.Log(g.Mean) - variance/2, math.Sqrt(variance)
}

func (g LogNormal) window() window01 {
	mu, sigma := g.parameters()
	return newWindow01((math.Log(g.Min)-mu)/sigma, (math.Log(g.Max)-mu)/sigma) // the logarithm of 0 is -Inf
}

func validRange(low, high float64, w window01) error {
	if !(low < high) {
		return fmt.Errorf("min %v, max %v: expected min below max", low, high)
	}
	if !(w.mass >= minMass) {
		return fmt.Errorf("min %v, max %v: expected at least %g of the distribution between them", low, high, minMass)
	}
	return nil
}

// Validate implements Generator.
func (g Uniform) Validate() error {
	if !(g.Min < g.Max) || math.IsInf(g.Max-g.Min, 0) {
		return fmt.Errorf("min %v, max %v: expected min below max", g.Min, g.Max)
	}
	return nil
}

// Validate implements Generator.
func (g Constant) Validate() error {
	switch {
	case g.Kind == datasets.Number && (math.IsNaN(g.Number) || math.IsInf(g.Number, 0)):
		return fmt.Errorf("number %v: expected a finite one", g.Number)
	case g.Kind == datasets.Text && len(g.Items) != 1, g.Kind == datasets.List && len(g.Items) == 0:
		return fmt.Errorf("a %s of %d items: expected a text or at least one item", g.Kind, len(g.Items))
	}
	return validTexts(g.Items, g.Kind)
}

// Validate implements Generator.
func (g Choice) Validate() error {
	sum := 0.0
	for _, w := range g.Of {
		if !atlas.ValidWeight(w.Weight) {
			return fmt.Errorf("weight %v of %s: expected 0 to %d (MaxWeight)", w.Weight, tables.Quoted(w.Text), atlas.MaxWeight)
		}
		sum += w.Weight
	}
	if !(sum > 0) {
		return errors.New("all weights are 0: expected one above 0")
	}
	for _, w := range g.Of {
		if number, ok := tables.ParseNumber([]byte(w.Text)); g.Kind == datasets.Number && (!ok || math.Abs(number) > datasets.MaxNumber) {
			return fmt.Errorf("value %s: expected a number from %g to %g (MaxNumber)", tables.Quoted(w.Text), -datasets.MaxNumber, datasets.MaxNumber)
		}
		if err := validTexts([]string{w.Text}, datasets.Text); err != nil {
			return err
		}
	}
	return nil
}

// Validate implements Generator.
func (g Subset) Validate() error {
	if n := len(g.Of); n < 1 || n > MaxSubsetItems {
		return fmt.Errorf("of %s: expected 1 to %d (MaxSubsetItems)", tables.Counted(n, "item"), MaxSubsetItems)
	}
	if g.Min < 0 || g.Min > g.Max || g.Max > len(g.Of) {
		return fmt.Errorf("min %d, max %d of %s: expected 0 <= min <= max <= %d", g.Min, g.Max, tables.Counted(len(g.Of), "item"), len(g.Of))
	}
	return validTexts(g.Of, datasets.List)
}

// Validate implements Generator.
func (g ByCountry) Validate() error {
	if len(g.Countries) != len(g.Texts) || len(g.Texts) == 0 && g.Default == "" {
		return fmt.Errorf("%d countries with %d texts: expected at least one, and a text for each", len(g.Countries), len(g.Texts))
	}
	if err := validTexts(g.Texts, datasets.Text); err != nil || g.Default == "" {
		return err
	}
	return validTexts([]string{g.Default}, datasets.Text)
}

// validTexts checks texts in the same way as the texts of a column. A text must not be empty,
// because that would be a missing value. Items of a list must be distinct and must not contain
// semicolons.
func validTexts(texts []string, kind datasets.Kind) error {
	for i, text := range texts {
		message := tables.Unreadable([]byte(text))
		switch {
		case text == "":
			return errors.New("an empty text: expected at least one character")
		case message != "":
			return errors.New(message)
		case kind == datasets.List && strings.Contains(text, ";"):
			return fmt.Errorf("item %s: expected one without a semicolon, which separates items", tables.Quoted(text))
		}
		for _, other := range texts[:i] {
			if kind == datasets.List && other == text {
				return fmt.Errorf("item %s appears twice: expected it once", tables.Quoted(text))
			}
		}
	}
	return nil
}

// window01 is a part of the standard normal distribution. It draws a value by inverting the
// distribution function at a uniform number. For large positive values, the function is so close to
// 1 that numbers cannot be distinguished. For large negative values it is precise. So a window
// above 0 is mirrored.
type window01 struct {
	below, mass float64
	sign        float64
}

func newWindow01(low, high float64) window01 {
	w := window01{sign: 1}
	if low > 0 {
		low, high, w.sign = -high, -low, -1
	}
	w.below = normalBelow(low)
	w.mass = normalBelow(high) - w.below
	return w
}

// normalBelow is the distribution function of the standard normal distribution.
func normalBelow(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// of converts a draw to a value.
func (w window01) of(draw uint64) float64 {
	u := (float64(draw>>12) + 0.5) * 0x1p-52 // inside (0, 1), never 0 or 1
	return w.sign * mathext.NormalQuantile(min(w.below+float64(w.mass*u), 1-0x1p-53))
}

// grain rounds generated numbers to a power of ten far below their standard deviation. Mathematical
// functions may differ between processors in the last bits. Rounding makes results equal and keeps
// numbers in files short.
type grain struct{ scale float64 } // steps per unit or, if negative, units per step

// grainDigits is the minimum number of decimal digits that rounding keeps of a standard deviation.
const grainDigits = 5

func newGrain(spread float64) grain {
	digits := grainDigits - int(math.Floor(math.Log10(spread)))
	if digits < 0 {
		return grain{-math.Pow10(min(-digits, 22))}
	}
	return grain{math.Pow10(min(digits, 22))} // powers of ten up to 10^22 are exact
}

func (g grain) round(x float64) float64 {
	if g.scale < 0 {
		return math.Round(x/-g.scale) * -g.scale
	}
	return math.Round(x*g.scale) / g.scale
}
