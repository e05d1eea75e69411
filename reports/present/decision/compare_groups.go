package decision

import (
	"math"
	"mmsim/reports/present"
	"slices"
	"strings"

	"mmsim/reports/judge"
	"mmsim/reports/outcome"
)

// groupRowsMost bounds the rows of one division of players on a terminal and in markdown;
// a page and the JSON form have all.
const groupRowsMost = 8

const groupsHeading = "Groups whose mean wait over all searches or mean RTT differs (corrected for multiple comparisons, Holm):"

// divisions are the divisions of players that are shown first, in this order; the others follow
// in the order of the summary.
var divisions = []string{"by_continent", "by_datacenter", "by_hour"}

// groupPair is a group whose mean wait or mean RTT differs; the one that does not differ is nil.
type groupPair struct {
	division, group string
	wait, rtt       *judge.Difference
}

// size returns the larger difference of the group, as a share of A.
func (g *groupPair) size() float64 {
	size := 0.0
	for _, d := range []*judge.Difference{g.wait, g.rtt} {
		if d != nil && d.A != 0 {
			size = max(size, math.Abs(float64(d.Difference/d.A)))
		}
	}
	return size
}

// groupPairs returns the groups that differ in mean wait or mean RTT, division by division: of
// each division at most the given number of groups with the largest differences, in the order
// of the summary. left is the number of omitted groups. A division with a single group is
// skipped, because it repeats the totals.
func groupPairs(c *judge.Comparison, most int) (rows []groupPair, left int) {
	byDivision, sizes, order := map[string][]groupPair{}, map[string]int{}, slices.Clone(divisions)
	queues := c.HasQueues()
	for i := range c.Metrics {
		d := &c.Metrics[i]
		key := d.Name[strings.LastIndexByte(d.Name, '.')+1:]
		if !outcome.IsGroup(d.Name) || key != "wait_mean_s" && key != "rtt_mean_ms" {
			continue
		}
		division, group, _ := strings.Cut(strings.TrimSuffix(d.Name, "."+key), ".")
		if !slices.Contains(order, division) {
			order = append(order, division)
		}
		list := byDivision[division]
		if key == "wait_mean_s" { // the first of the two in every group
			sizes[division]++
			list = append(list, groupPair{division: division, group: group})
		}
		switch last := len(list) - 1; {
		case !d.Verdict.Shown(), queues && key == "rtt_mean_ms": // a mean over queues with different rules
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

// largest keeps the groups with the largest differences, in their original order.
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

// groupDifferenceTable shows the groups that differ.
func groupDifferenceTable(rows []groupPair) *present.Table {
	t := &present.Table{Head: []string{"group", "mean wait A", "B", "difference", "", "mean RTT A", "B", "difference", ""}, Left: []int{4, 8}, Verdicts: []int{4, 8}}
	for i := range rows {
		g := &rows[i]
		cells := []string{g.division + "." + g.group}
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
