// Package gate reads gates and writes the reports that CI services read. A gate is a file with
// limits on the metrics of a result.
package gate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
)

// File is a gate file. Each line has a metric and its limits:
//
//	wait_s.p95: {max: 10s}
//	by_datacenter.*.rtt_p95_ms: {max_increase: 5%, min_players: 1000}
type File struct {
	Name  string // as the user wrote it
	Text  string
	Lines []Line
}

// Line has the limits of one metric, or of all metrics that a name with stars matches.
type Line struct {
	Key        yamltree.Node
	bounds     []Bound
	MinPlayers float64
	minAt      yamltree.Node
	guard      bool // the line belongs to a guard; see Guard
}

// place names a limit of the line in messages.
func (line *Line) place(kind judge.LimitKind) string {
	if line.guard {
		return "guard: " + line.Key.Text
	}
	return line.Key.Text + "." + string(kind)
}

// Bound is one limit as written in the file.
type Bound struct {
	kind   judge.LimitKind
	at     yamltree.Node
	amount value.Amount
}

// Read reads a gate file. It does not check the names of metrics; Limits does. Every error is
// a bad input error and names its position.
func Read(file string) (*File, error) {
	text, err := input.ReadFile(file, yamltree.Limit)
	if err != nil {
		return nil, input.Bad(err)
	}
	g := &File{Name: file, Text: string(text)}
	return g, value.NotEmpty(lines(&g.Lines, true)).ReadRoot(yamltree.ParseFile(file, text))
}

// IsLine reports whether an entry of a YAML file looks like a line of a gate: its key is a metric, or it
// has a limit.
func IsLine(e yamltree.Entry) bool {
	return slices.ContainsFunc(outcome.Metrics(), func(m outcome.Metric) bool { return outcome.PatternsMeet(e.Key.Text, m.Name) }) ||
		slices.ContainsFunc(e.Value.Entries, func(limit yamltree.Entry) bool { return slices.Contains(kinds(), limit.Key.Text) })
}

// lines returns the Value of a gate file. Constraints of a tuning are like one, without min_players.
func lines(p *[]Line, isGate bool) value.Value {
	return value.Entries("a mapping of metrics to limits, such as wait_s.p95: {max: 10s}", func() { *p = nil }, func() value.Value { return limits(new(Line), isGate) },
		func(key yamltree.Node) (value.Value, error) {
			line := Line{Key: key}
			return limits(&line, isGate).Then(func() { *p = append(*p, line) }), nil
		})
}

// limits returns the Value of the limits of one metric.
func limits(line *Line, isGate bool) value.Value {
	var keys []value.Key
	for _, kind := range judge.LimitKinds {
		if kind == judge.LimitMaxDistance && !isGate { // trials of a tuning have no distributions
			continue
		}
		bound := Bound{kind: kind}
		v := value.At(&bound.at, value.AmountOf(&bound.amount)).Then(func() {
			bound.at.Path = "" // messages say it in another way
			line.bounds = append(line.bounds, bound)
		})
		keys = append(keys, value.Named(string(kind), "", v))
	}
	if isGate {
		v := value.Number(&line.MinPlayers, value.Limits{High: 1e12, LowOpen: true})
		keys = append(keys, value.Named("min_players", "skip a metric that describes fewer players", value.At(&line.minAt, v)))
	}
	return value.NotEmpty(value.Object{
		Expects: "limits such as {max: 10}",
		Keys:    keys,
		Check: func() error {
			if len(line.bounds) == 0 {
				return errors.New("expected a limit besides min_players, such as {max: 10}")
			}
			return nil
		},
	}.Value()).Taking(func(s value.Schema) value.Schema { return s.With("anyOf", value.Needs(kinds()...)) })
}

func kinds() (list []string) {
	for _, kind := range judge.LimitKinds {
		list = append(list, string(kind))
	}
	return list
}

// Limits returns the limits for the known metrics. These are the metrics of a result, or the
// metrics that runs of a configuration will have. In the second case, stars replace names that
// are known only after a run. It is a bad input error if a metric is unknown, or if a bound
// does not fit its metric's unit.
func (g *File) Limits(known []outcome.Metric, baseline bool) ([]judge.Limit, error) {
	var list []judge.Limit
	var faults []error
	for i := range g.Lines {
		line := &g.Lines[i]
		var chosen []outcome.Metric
		for _, m := range known {
			if outcome.PatternsMeet(line.Key.Text, m.Name) {
				chosen = append(chosen, m)
			}
		}
		where := ""
		if line.guard {
			where = "guard: "
		}
		if names := distributionsOf(line.Key.Text, known); len(names) > 0 {
			limits, err := line.distances(names, baseline)
			list, faults = append(list, limits...), append(faults, err)
			continue
		}
		if len(chosen) == 0 {
			faults = append(faults, unknown(line.Key, where, known))
			continue
		}
		if line.guard { // known may have a family of metrics, whose groups are known only after a run
			chosen = chosen[:1]
			chosen[0].Name = line.Key.Text
		}
		for _, b := range line.bounds {
			for _, m := range chosen {
				limit, err := line.limit(b, m, baseline)
				if limit.Among = len(chosen); err == nil && line.MinPlayers > 0 && outcome.PlayersOf(m.Name) == "" {
					err = line.minAt.Errorf("it is not known how many players %s describes", m.Name)
				}
				if err != nil {
					faults = append(faults, err)
					break
				}
				list = append(list, limit)
			}
		}
	}
	return list, value.Joined(faults)
}

// distributionsOf returns the names of the distributions that a key is about: of all players, or of those in
// one of several queues, as far as their means are known.
func distributionsOf(key string, known []outcome.Metric) (names []string) {
	if _, is := result.MeasureNamed(key); is {
		return []string{key}
	}
	for _, m := range known {
		name, isMean := strings.CutSuffix(m.Name, ".mean")
		if d, is := result.DistributionNamed(name); isMean && is && d.Queue != "" && outcome.PatternsMeet(key, name) {
			names = append(names, name)
		}
	}
	return names
}

// distances returns the limits on the distances of distributions from those of the baseline.
func (line *Line) distances(names []string, baseline bool) (list []judge.Limit, err error) {
	for _, b := range line.bounds {
		amount, misfit := b.amount.In(outcome.UnitShare)
		switch {
		case b.kind != judge.LimitMaxDistance:
			return nil, b.at.Errorf("%s: %s is a distribution, expected max_distance, or a metric such as %s.mean", line.place(b.kind), line.Key.Text, line.Key.Text)
		case !baseline:
			return nil, b.at.Errorf("%s needs a baseline: expected --baseline DIR", line.place(b.kind))
		case misfit != "", b.amount.Form == value.AmountPoints, amount < 0, amount > 1:
			return nil, b.at.Errorf("%s: got %s, expected a share from 0 to 1 or a percentage such as 5%%", line.place(b.kind), b.at)
		}
		for _, name := range names {
			list = append(list, judge.Limit{
				Pattern: line.Key.Text, Name: name, Kind: b.kind, Bound: judge.Optional(amount), MinPlayers: line.MinPlayers,
				Among: len(names), Line: line.Key.Line, Column: line.Key.Column,
			})
		}
	}
	return list, nil
}

// HasDistances reports whether the gate has limits on distances between distributions.
func (g *File) HasDistances() bool {
	return slices.ContainsFunc(g.Lines, func(line Line) bool {
		return slices.ContainsFunc(line.bounds, func(b Bound) bool { return b.kind == judge.LimitMaxDistance })
	})
}

// limit returns the limit on one metric, in the metric's unit.
func (line *Line) limit(b Bound, m outcome.Metric, baseline bool) (judge.Limit, error) {
	amount, misfit := b.amount.In(m.Unit)
	l := judge.Limit{
		Pattern: line.Key.Text, Name: m.Name, Kind: b.kind, Bound: judge.Optional(amount), MinPlayers: line.MinPlayers,
		Line: line.Key.Line, Column: line.Key.Column,
	}
	isPercent := b.amount.Form == value.AmountPercent
	switch relative := b.kind.IsChange(); {
	case b.kind == judge.LimitMaxDistance:
		return l, b.at.Errorf("%s: %s has no distribution, expected one of %s", line.place(b.kind), m.Name, strings.Join(result.MeasureNames(), ", "))
	case relative && !baseline:
		return l, b.at.Errorf("%s needs a baseline: expected --baseline DIR", line.place(b.kind))
	case isPercent && relative:
		l.Relative = true
	case isPercent && m.Unit != outcome.UnitShare:
		misfit = "is not a share, expected a number instead of a percentage"
	case b.amount.Form == value.AmountPoints && !relative:
		misfit = fmt.Sprintf("is limited itself, not its change, expected a percentage such as %s", value.Amount{X: b.amount.X, Form: value.AmountPercent})
	case line.guard && m.Unit == outcome.UnitShare && amount > 1: // such as 2, which probably means 2pp
		return l, b.at.Errorf("%s: got %s, expected percentage points such as 1pp, or a fraction from 0 to 1", line.place(b.kind), b.at)
	case m.Unit == outcome.UnitShare && amount > 1 && !strings.Contains(line.Key.Text, "*"): // such as 90, which probably means 90%
		return l, b.at.Errorf("%s: got %s, expected a share from 0 to 1 or a percentage such as 90%%", line.place(b.kind), b.at)
	}
	if misfit != "" {
		return l, b.at.Errorf("%s: %s %s", line.place(b.kind), m.Name, misfit)
	}
	return l, nil
}
