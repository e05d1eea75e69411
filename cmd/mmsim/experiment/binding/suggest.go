package binding

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/value"
	"mmsim/datasets"
	"mmsim/matcher"
	"mmsim/matcher/dialect/vendor"
)

// Attribute is a player attribute that rules read.
type Attribute struct {
	Name string
	Kind matcher.ValueKind
	// Optional is set if the rules read the attribute only where players have it, so that a player
	// without it is nothing unusual.
	Optional bool
	Read     *matcher.Read // nil for rules that place players on servers
	Values   vendor.Values // which values such rules accept; nil for rules that make matches
}

// Attributes lists the player attributes that rules read, each once, in the order in which the rules
// read them.
func Attributes(rules *vendor.CompiledRules) []Attribute {
	var list []Attribute
	add := func(a Attribute) {
		if !slices.ContainsFunc(list, func(b Attribute) bool {
			return a.Name == b.Name && a.Kind == b.Kind && a.Optional == b.Optional
		}) {
			list = append(list, a)
		}
	}
	if rules.Placement != nil {
		for _, f := range rules.Placement.PlayerFields() {
			if f.Class || f.Weighed && !f.Alternative {
				add(Attribute{Name: f.Name, Kind: f.Kind, Optional: f.Class, Values: f.Values})
			}
		}
		return list
	}
	for i := range rules.Queue.Reads {
		if read := &rules.Queue.Reads[i]; !read.Identity && !read.Map { // the player's id is no attribute, and no attribute is a map
			add(Attribute{Name: read.Names[len(read.Names)-1], Kind: read.Kind, Optional: read.Joined || read.Flag || read.Optional, Read: read})
		}
	}
	return list
}

// Suggestion returns a flag that generates an attribute that rules read, ready to be pasted into a
// shell. Its numbers come from the rules that read the attribute, if these have any. It returns "" if
// only the data can have the attribute.
func Suggestion(read matcher.Read, set *matcher.Ruleset, schema *matcher.Schema) string {
	name := read.Names[len(read.Names)-1]
	if read.Map || !datasets.Drawable(name) {
		return ""
	}
	var generator yaml.MapSlice
	switch read.Kind {
	case matcher.IsNumber:
		mean, sd := ScaleOf(read, set)
		generator = yaml.MapSlice{{Key: "normal", Value: yaml.MapSlice{{Key: "mean", Value: short(mean)}, {Key: "sd", Value: short(sd)}}}}
	case matcher.IsSet:
		of, least := ItemsOf(read, set, schema)
		generator = yaml.MapSlice{{Key: "subset", Value: yaml.MapSlice{{Key: "of", Value: of}, {Key: "min", Value: least}, {Key: "max", Value: len(of)}}}}
	default:
		generator = yaml.MapSlice{{Key: "choice", Value: yaml.MapSlice{{Key: "a", Value: 0.9}, {Key: "b", Value: 0.1}}}}
	}
	key, written := "players.attributes."+name, generator
	if strings.ContainsAny(name, ".=") { // such a name cannot be part of a key
		key, written = "players.attributes", yaml.MapSlice{{Key: name, Value: generator}}
	}
	return "--set " + input.ShellCommand([]string{key + "=" + value.Flow(written)})
}

// usualSpread is the standard deviation of a suggested number, in units of the largest difference
// that a rule allows at first, and usualMean its mean in standard deviations. With them, a rule that
// allows 100 suggests 1500 ± 300.
const (
	usualSpread = 3
	usualMean   = 5
)

// ScaleOf returns the mean and the standard deviation that are suggested for a number. Without a
// rule that compares the number with another, they are 1500 and 300.
func ScaleOf(read matcher.Read, set *matcher.Ruleset) (mean, sd float64) {
	difference, total := math.NaN(), math.NaN()
	widest := func(limit float64, active bool) {
		if active && limit > 0 && !math.IsInf(limit, 0) && !(limit <= difference) {
			difference = limit
		}
	}
	for _, rule := range set.Rules {
		switch r := rule.(type) {
		case *matcher.NumberDistance:
			if r.Column == read.Column {
				widest(r.Max.At(0))
			}
		case *matcher.TeamGap:
			if r.Column == read.Column {
				widest(r.Max.At(0))
			}
		case *matcher.MatchTotal:
			least, _ := r.Min.At(0)
			if most, _ := r.Max.At(0); r.Column == read.Column && most > 0 && !math.IsInf(most, 0) {
				total = (least + most) / 2 / float64(set.MinPlayers)
			}
		case *matcher.EqualText, *matcher.SetOverlap, *matcher.ReachRegion, *matcher.TeamBalance, *matcher.LargeParties:
			// they read no numbers
		default:
			panic(fmt.Sprintf("binding: ScaleOf does not know %T", r))
		}
	}
	if set.Pivot != nil {
		for _, d := range set.Pivot.Distances {
			if d.Column == read.Column {
				widest(d.Max.At(0))
			}
		}
	}
	if set.Seats != nil {
		for _, rule := range set.Seats.Rules {
			switch r := rule.(type) {
			case *matcher.Distance:
				if slices.ContainsFunc(r.Measured, func(e *matcher.Expression) bool { return reads(e, read.Column) }) {
					widest(r.Max.At(0))
				}
			case *matcher.BatchDistance:
				if r.Column == read.Column {
					widest(r.Max.At(0))
				}
			case *matcher.Comparison, *matcher.Collection, *matcher.Latency, *matcher.Sort, *matcher.Compound:
				// they do not limit differences of numbers
			default:
				panic(fmt.Sprintf("binding: ScaleOf does not know %T", r))
			}
		}
	}
	if math.IsNaN(difference) && !math.IsNaN(total) {
		return total, total / usualMean
	}
	if math.IsNaN(difference) {
		difference = 100
	}
	sd = usualSpread * difference
	mean = usualMean * sd
	if d := read.Default; d.Kind == matcher.IsNumber && d.Number > 0 {
		mean, sd = d.Number, min(sd, d.Number/usualMean)
	}
	return mean, sd
}

// short writes a number with at most four digits, because a suggestion is only a start.
func short(x float64) value.JSON { return value.JSON(strconv.FormatFloat(x, 'g', 4, 64)) }

// reads reports whether an expression reads a column.
func reads(e *matcher.Expression, column matcher.Column) bool {
	for ; e != nil; e = e.Argument {
		if e.Function == matcher.NoFunction {
			return e.Field == matcher.InColumn && e.Column == column
		}
	}
	return false
}

// ItemsOf returns the items that are suggested for a list, and the smallest number of them that a
// player has. They are the default of the rule if it has one.
func ItemsOf(read matcher.Read, set *matcher.Ruleset, schema *matcher.Schema) (of []string, least int) {
	least, texts := 1, read.Default.Set
	for _, rule := range set.Rules {
		if r, is := rule.(*matcher.SetOverlap); is && r.Column == read.Column {
			if n, active := r.MinShared.At(0); active {
				least = max(least, int(n))
			}
			texts = r.Default
		}
	}
	for _, text := range texts {
		of = append(of, schema.TextString(text))
	}
	for i := len(of); i < max(3, least); i++ {
		of = append(of, fmt.Sprintf("item%d", i+1))
	}
	return of, least
}
