package decision

import (
	"math"
	"slices"
	"strings"

	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/present"
	"mmsim/reports/words"
)

// groupRowsMax limits the rows for one kind of group, such as continents, on a terminal and in
// markdown. A page and the JSON form have all rows.
const groupRowsMax = 8

const groupsHeading = "Groups whose mean wait over all searches or mean RTT differs (corrected for multiple comparisons, Holm):"

// divisions are the kinds of groups that are shown first. The others follow in the order of the
// summary.
var divisions = []string{"by_continent", "by_datacenter", "by_hour"}

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

// groupPairs returns the groups that differ in mean wait or mean RTT: first those of the kinds in
// divisions, then the others in the order of the summary. If more groups of one kind differ than
// most says, it returns those with the largest differences. left is the number of omitted groups. A
// kind with a single group is skipped, because it would repeat the totals.
func groupPairs(c *judge.Comparison, most int) (rows []groupPair, left int) {
	byDivision, sizes, order := map[string][]groupPair{}, map[string]int{}, slices.Clone(divisions)
	queues, values := c.HasQueues(), ""
	for i := range c.Metrics {
		d := &c.Metrics[i]
		key := d.Name[strings.LastIndexByte(d.Name, '.')+1:]
		if !outcome.IsGroup(d.Name) {
			continue
		}
		if key == "to" && i > 0 { // "from" precedes it
			values = decileValues(&c.Metrics[i-1], d)
		}
		if key != "wait_mean_s" && key != "rtt_mean_ms" {
			continue
		}
		division, group, _ := strings.Cut(strings.TrimSuffix(d.Name, "."+key), ".")
		if division != "by_attribute_decile" {
			values = ""
		}
		if !slices.Contains(order, division) {
			order = append(order, division)
		}
		list := byDivision[division]
		if key == "wait_mean_s" { // begin a row: wait_mean_s is the first of the group's two means
			sizes[division]++
			list = append(list, groupPair{division: division, group: group, values: values})
		}
		switch last := len(list) - 1; {
		case !d.Verdict.Shown(), queues && key == "rtt_mean_ms": // skip metrics that do not differ, and RTTs over queues with different rules
		case key == "wait_mean_s":
			list[last].wait = d
		default:
			list[last].rtt = d
		}
		byDivision[division] = list
	}
	for _, division := range order {
		if sizes[division] < 2 {
			continue
		}
		list := slices.DeleteFunc(byDivision[division], func(g groupPair) bool { return g.wait == nil && g.rtt == nil })
		kept := largest(list, most)
		rows, left = append(rows, kept...), left+len(list)-len(kept)
	}
	return rows, left
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

// largest returns the groups with the largest differences, in their original order.
func largest(list []groupPair, most int) []groupPair {
	if len(list) <= most {
		return list
	}
	sizes := make([]float64, len(list))
	for i := range list {
		sizes[i] = list[i].size()
	}
	slices.Sort(sizes)
	smallest := sizes[len(sizes)-most]
	kept := slices.DeleteFunc(slices.Clone(list), func(g groupPair) bool { return g.size() < smallest })
	return kept[:most]
}

// groupDifferenceTable returns a table of the groups that differ.
func groupDifferenceTable(rows []groupPair) *present.Table {
	t := &present.Table{Head: []string{"group", "mean wait A", "B", "difference", "", "mean RTT A", "B", "difference", ""}, Left: []int{4, 8}, Verdicts: []int{4, 8}}
	for i := range rows {
		g := &rows[i]
		cells := []string{g.division + "." + g.group + g.values}
		for _, d := range []*judge.Difference{g.wait, g.rtt} {
			if d == nil {
				cells = append(cells, "", "", "", "")
				continue
			}
			row := judge.DifferenceCells(d)
			cells = append(cells, row[1], row[2], row[3], row[6])
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}
