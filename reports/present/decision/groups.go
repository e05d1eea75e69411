package decision

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/phrase"
	"mmsim/reports/present"
	"mmsim/reports/words"
)

// groupRowsMax is the number of groups that are shown where there is little room.
const groupRowsMax = 10

// groupPair is a group whose mean wait or mean RTT differs. If only one of these two means differs,
// the field of the other is nil.
type groupPair struct {
	division, group string
	values          string // of the group's attribute, if it is a decile
	wait, rtt       *judge.Difference
}

// size returns the larger of the two differences, as a fraction of A.
func (g *groupPair) size() float64 {
	size := 0.0
	for _, d := range []*judge.Difference{g.wait, g.rtt} {
		if d != nil && d.A != 0 {
			size = max(size, math.Abs(float64(d.Difference/d.A)))
		}
	}
	return size
}

// groupPairs returns the groups that differ in mean wait or mean RTT, those with the largest
// differences first. A kind with a single group is skipped, because it would repeat the totals.
func groupPairs(c *judge.Comparison) []groupPair {
	var list []groupPair
	groups, queues, values := map[string]int{}, c.HasQueues(), "" // groups counts the groups of a kind
	for i := range c.Metrics {
		d := &c.Metrics[i]
		key := d.Name[strings.LastIndexByte(d.Name, '.')+1:]
		if !outcome.IsGroup(d.Name) {
			continue
		}
		division, group, _ := strings.Cut(strings.TrimSuffix(d.Name, "."+key), ".")
		switch {
		case key == "to" && i > 0: // "from" precedes it
			values = decileValues(&c.Metrics[i-1], d)
		case key == "wait_mean_s": // begin a row: wait_mean_s is the first of the group's two means
			groups[division]++
			row := groupPair{division: division, group: group}
			if division == "by_attribute_decile" {
				row.values = values
			}
			if list = append(list, row); d.Verdict.Shown() {
				list[len(list)-1].wait = d
			}
		case key == "rtt_mean_ms" && d.Verdict.Shown() && !queues: // RTTs over queues with different rules say nothing
			list[len(list)-1].rtt = d
		}
	}
	list = slices.DeleteFunc(list, func(g groupPair) bool { return groups[g.division] < 2 || g.wait == nil && g.rtt == nil })
	slices.SortStableFunc(list, func(a, b groupPair) int { return cmp.Compare(b.size(), a.size()) })
	return list
}

// decileValues returns the range of values in a decile, given its metrics from and to. If the
// ranges of A and B differ, it returns that of A.
func decileValues(from, to *judge.Difference) string {
	of := func(from, to judge.Optional) string {
		return words.DecileValues(&outcome.Decile{From: outcome.Value(from), To: outcome.Value(to)})
	}
	a := of(from.A, to.A)
	if a != of(from.B, to.B) {
		a += " in A"
	}
	return " (" + a + ")"
}

// groupDifferenceTable returns a table of the groups that differ.
func groupDifferenceTable(rows []groupPair) present.Table {
	t := present.Table{
		Title: "Groups that differ", Note: "Groups whose mean wait over all searches or mean RTT differs, the largest difference first; verdicts are corrected for multiple comparisons (Holm).",
		Head: []string{"group", "mean wait A", "B", "difference", "verdict", "mean RTT A", "B", "difference", "verdict"}, Left: []int{4, 8}, Verdicts: []int{4, 8},
		Most: groupRowsMax, Rest: "groups, which --json lists",
	}
	for i := range rows {
		g := &rows[i]
		cells := []string{g.division + "." + g.group + g.values}
		for _, d := range []*judge.Difference{g.wait, g.rtt} {
			if d == nil {
				cells = append(cells, "", "", "", "")
				continue
			}
			row := phrase.DifferenceCells(d)
			cells = append(cells, row[1], row[2], row[3], row[6])
		}
		t.Rows = append(t.Rows, cells)
	}
	t.Named(func(key string) string {
		name, values, _ := strings.Cut(key, " ")
		return strings.TrimSpace(phrase.Group(name) + " " + values)
	})
	return t
}

// worseOff names the groups for which B is worse, if there are any.
func worseOff(groups []groupPair) (items []present.Item) {
	for _, of := range []struct {
		label string
		in    func(g *groupPair) *judge.Difference
	}{{"Wait longer in B", func(g *groupPair) *judge.Difference { return g.wait }}, {"Higher RTT in B", func(g *groupPair) *judge.Difference { return g.rtt }}} {
		var names []string
		for i := range groups {
			if d := of.in(&groups[i]); d != nil && d.Verdict == judge.VerdictWorse {
				names = append(names, phrase.Group(groups[i].division+"."+groups[i].group))
			}
		}
		if len(names) > 0 {
			items = append(items, present.Say(of.label, phrase.Enumerate(names)))
		}
	}
	return items
}
