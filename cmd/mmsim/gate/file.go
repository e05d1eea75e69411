// Package gate reads gates and reports broken ones to CI services. A gate is a file with
// limits on the metrics of a result.
package gate

import (
	"fmt"
	"slices"
	"strings"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
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
	MinAt      yamltree.Node
	guard      bool // the line belongs to a guard; see ReadGuard
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

const MinPlayersKey = "min_players"

var minPlayers = value.Limits{High: 1e12, LowOpen: true}

// Read reads a gate file. It does not check the names of metrics; Limits does. Every error is
// a bad input error and names its position.
func Read(file string) (*File, error) {
	text, err := input.ReadFile(file, yamltree.Limit)
	if err != nil {
		return nil, input.Bad(err)
	}
	root, err := yamltree.ParseFile(file, text)
	if err != nil {
		return nil, err
	}
	if root.Kind != yamltree.Mapping || len(root.Entries) == 0 {
		return nil, root.Errorf("got %s, expected a mapping of metrics to limits, such as wait_s.p95: {max: 10s}", root)
	}
	g := &File{Name: file, Text: string(text)}
	for _, e := range root.Entries {
		line, err := ReadLine(e)
		if err != nil {
			return nil, err
		}
		g.Lines = append(g.Lines, line)
	}
	return g, nil
}

// ReadLine reads the limits of one metric.
func ReadLine(e yamltree.Entry) (Line, error) {
	line := Line{Key: e.Key}
	if e.Value.Kind != yamltree.Mapping || len(e.Value.Entries) == 0 {
		return line, e.Value.Errorf("%s: got %s, expected limits such as {max: 10}", e.Key.Text, e.Value)
	}
	known := []string{MinPlayersKey}
	for _, kind := range judge.LimitKinds {
		known = append(known, string(kind))
	}
	for _, limit := range e.Value.Entries {
		switch key := limit.Key.Text; {
		case !slices.Contains(known, key):
			return line, limit.Key.Errorf("%s: unknown limit %q%s; expected %s", e.Key.Text, key, input.DidYouMean(key, known), strings.Join(known, ", "))
		case key == MinPlayersKey:
			line.MinAt = limit.Key
			if err := value.Number(&line.MinPlayers, minPlayers).Read(limit.Value); err != nil {
				return line, limit.Value.Errorf("%s.%s: got %v, expected a number above 0", e.Key.Text, key, err)
			}
		default:
			amount, err := value.ReadAmount(limit.Value)
			if err != nil {
				return line, limit.Value.Errorf("%s.%s: got %v, expected %s", e.Key.Text, key, err, value.AmountExpects)
			}
			line.bounds = append(line.bounds, Bound{judge.LimitKind(key), limit.Value, amount})
		}
	}
	if len(line.bounds) == 0 {
		return line, line.MinAt.Errorf("%s: expected a limit besides %s, such as {max: 10}", e.Key.Text, MinPlayersKey)
	}
	return line, nil
}

// Limits returns the limits for the known metrics. These are the metrics of a result, or the
// metrics that runs of a configuration will have. In the second case, stars replace names that
// are known only after a run. It is a bad input error if a metric is unknown, or if a bound
// does not fit its metric's unit.
func (g *File) Limits(known []outcome.Metric, baseline bool) ([]judge.Limit, error) {
	var list []judge.Limit
	for i := range g.Lines {
		line := &g.Lines[i]
		var chosen []outcome.Metric
		for _, m := range known {
			if outcome.Meet(line.Key.Text, m.Name) {
				chosen = append(chosen, m)
			}
		}
		where := ""
		if line.guard {
			where = "guard: "
		}
		if len(chosen) == 0 {
			return nil, unknown(line.Key, where, known)
		}
		if line.guard { // known may have a family of metrics, whose groups are known only after a run
			chosen = chosen[:1]
			chosen[0].Name = line.Key.Text
		}
		for _, b := range line.bounds {
			for _, m := range chosen {
				limit, err := line.limit(b, m, baseline)
				if err != nil {
					return nil, err
				}
				limit.Among = len(chosen)
				if line.MinPlayers > 0 && outcome.PlayersOf(m.Name) == "" {
					return nil, line.MinAt.Errorf("%s: it is not known how many players %s describes", MinPlayersKey, m.Name)
				}
				list = append(list, limit)
			}
		}
	}
	return list, nil
}

// limit returns the limit on one metric, in the metric's unit.
func (line *Line) limit(b Bound, m outcome.Metric, baseline bool) (judge.Limit, error) {
	amount, misfit := b.amount.In(m.Unit)
	l := judge.Limit{
		Pattern: line.Key.Text, Name: m.Name, Kind: b.kind, Bound: amount, MinPlayers: line.MinPlayers,
		Line: line.Key.Line, Column: line.Key.Column,
	}
	isPercent := b.amount.Form == value.AmountPercent
	switch relative := b.kind.NeedsBaseline(); {
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
