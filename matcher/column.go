package matcher

import (
	"math"
	"slices"
)

// tolerance widens bounds on sums and differences of decimal numbers: 0.8 and 0.6
// are within 0.2.
const tolerance = 1e-9

type ruleKind uint8

const (
	equalText ruleKind = iota
	numberDistance
	setOverlap
	matchTotal
	reachRegion
	teamGap
	teamBalance
	largeParties
)

// Texts that stand for no text of a party.
const (
	anyText     Text = -1 // nobody has one and the rule lets such a ticket meet anybody
	clashedText Text = -2 // the party has several
)

// force is a rule as it holds for one ticket by its waiting time. Pairs and
// groups take theirs from one of their tickets.
type force struct {
	bound    float64 // the threshold; of MatchTotal the maximum
	least    float64 // of MatchTotal the minimum
	active   bool
	optional bool
	level    uint8 // of a region rule: that of the threshold, see regionTable
}

// column is a compiled rule: its settings, and what it needs to know of each row.
type column struct {
	kind            ruleKind
	weight          float64
	optionalAfterMS int64
	bound, least    Schedule // as in force
	from            Column   // attribute
	rule            Rule
	shortest        bool // ExpansionBasis
	any             bool // OptionalBasis

	// over all stages
	smallest, largest float64 // bound
	smallestLeast     float64
	everInactive      bool

	// by row
	force  []force
	text   []Text
	number []float64 // of a ticket: merged, NaN for a wildcard; or the sum over its players
	set    [][]Text  // nil for a wildcard

	negatives   int     // MatchTotal: rows with a negative sum
	wasNegative bool    // MatchTotal: there were some in the last pass
	highest     float64 // MatchTotal: no waiting ticket has a larger sum
}

func compileRule(rule Rule, set *Ruleset) *column {
	c := &column{
		rule: rule, weight: rule.common().Weight, optionalAfterMS: rule.common().OptionalAfterMS,
		shortest: set.ExpansionBasis == ShortestWait, any: set.OptionalBasis == AnyWaited,
		highest: math.Inf(-1),
	}
	switch r := rule.(type) {
	case *EqualText:
		c.kind, c.from, c.bound = equalText, r.Column, r.Enabled
	case *NumberDistance:
		c.kind, c.from, c.bound = numberDistance, r.Column, r.Max
	case *SetOverlap:
		c.kind, c.from, c.bound = setOverlap, r.Column, r.MinShared
	case *MatchTotal:
		c.kind, c.from, c.bound, c.least = matchTotal, r.Column, r.Max, r.Min
	case *ReachRegion:
		c.kind, c.bound = reachRegion, r.MaxRTTMS
	case *TeamGap:
		c.kind, c.from, c.bound = teamGap, r.Column, r.Max
	case *TeamBalance:
		c.kind, c.bound = teamBalance, r.Max
	case *LargeParties:
		c.kind = largeParties
	}
	c.smallest, c.largest, c.everInactive = c.bound.span()
	least, _, inactive := c.least.span()
	c.smallestLeast, c.everInactive = least, c.everInactive || inactive
	return c
}

// constant tells whether the rule holds alike whatever the waits.
func (c *column) constant() bool { return c.smallest == c.largest && !c.everInactive }

// at returns the rule as it holds after a wait in ms.
func (c *column) at(waitMS int64) force {
	bound, active := c.bound.At(waitMS)
	least, leastActive := c.least.At(waitMS)
	return force{bound: bound, least: least, active: active && leastActive, optional: waitMS >= c.optionalAfterMS}
}

// nextChange returns the first wait in ms, above the one given, after which at
// differs.
func (c *column) nextChange(waitMS int64) int64 {
	next := min(c.bound.nextChange(waitMS), c.least.nextChange(waitMS))
	if waitMS < c.optionalAfterMS {
		next = min(next, c.optionalAfterMS)
	}
	return next
}

// inForce returns the rule as it holds among tickets of which old has waited
// longest and young shortest, and whether it is enforced.
func (c *column) inForce(old, young Row) (f *force, enforced bool) {
	f = &c.force[old]
	if c.shortest {
		f = &c.force[young]
	}
	switch {
	case c.optionalAfterMS == Never: // spares a look at the other row
		return f, f.active
	case c.any:
		return f, f.active && !c.force[old].optional
	}
	return f, f.active && !c.force[young].optional
}

// grow makes room for a row.
func (c *column) grow() {
	c.force = append(c.force, force{})
	switch c.kind {
	case equalText:
		c.text = append(c.text, 0)
	case numberDistance, matchTotal, teamGap:
		c.number = append(c.number, 0)
	case setOverlap:
		c.set = append(c.set, nil)
	}
}

// fill computes what the rule needs to know of the players of a row.
func (c *column) fill(row Row, players []Player) {
	switch c.kind {
	case equalText:
		c.text[row] = commonText(c.rule.(*EqualText), players)
	case numberDistance:
		c.number[row] = mergedNumber(c.rule.(*NumberDistance), players)
	case setOverlap:
		c.set[row] = commonSet(c.rule.(*SetOverlap), players, c.set[row])
	case matchTotal:
		sum := sumOf(c.from, 0, players)
		c.number[row] = sum
		c.highest = max(c.highest, sum)
		if sum < 0 {
			c.negatives++
		}
	case teamGap:
		c.number[row] = sumOf(c.from, c.rule.(*TeamGap).Default, players)
	}
}

// lastNegative tells whether a row is the only one with a negative sum.
func (c *column) lastNegative(row Row) bool {
	return c.kind == matchTotal && c.negatives == 1 && c.number[row] < 0
}

// clear forgets a row.
func (c *column) clear(row Row) {
	if c.kind == matchTotal && c.number[row] < 0 {
		c.negatives--
	}
}

func commonText(r *EqualText, players []Player) Text {
	common := anyText
	for i := range players {
		v := players[i].value(r.Column)
		if v.Kind != IsText {
			if r.MissingAny {
				continue
			}
			v.Text = r.Default
		}
		if common != anyText && common != v.Text {
			return clashedText
		}
		common = v.Text
	}
	return common
}

func mergedNumber(r *NumberDistance, players []Player) float64 {
	sum, lowest, highest, count := 0.0, math.Inf(1), math.Inf(-1), 0
	for i := range players {
		number := r.Default
		if v := players[i].at(r.Column); v.Kind == IsNumber {
			number = v.Number
		} else if r.MissingAny {
			continue
		}
		sum, lowest, highest = sum+number, min(lowest, number), max(highest, number)
		count++
	}
	switch {
	case count == 0:
		return math.NaN()
	case r.Merge == Lowest:
		return lowest
	case r.Merge == Highest:
		return highest
	}
	return sum / float64(count)
}

// commonSet returns what all players have, in the buffer where possible, or nil
// when nobody's set counts.
func commonSet(r *SetOverlap, players []Player, buffer []Text) []Text {
	var common []Text
	for i := range players {
		v := players[i].value(r.Column)
		if v.Kind != IsSet {
			if r.MissingAny {
				continue
			}
			v.Set = r.Default
		}
		if common == nil {
			common = append(slices.Grow(buffer[:0], max(1, len(v.Set))), v.Set...)
		} else {
			common = intersect(common[:0], common, v.Set)
		}
	}
	return common
}

func sumOf(from Column, missing float64, players []Player) float64 {
	sum := 0.0
	for i := range players {
		if v := players[i].at(from); v.Kind == IsNumber {
			sum += v.Number
		} else {
			sum += missing
		}
	}
	return sum
}

// intersect appends to dst what two sorted sets have in common. dst may be the
// beginning of a.
func intersect(dst, a, b []Text) []Text {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			dst = append(dst, a[0])
			a, b = a[1:], b[1:]
		}
	}
	return dst
}

// shared counts what two sorted sets have in common.
func shared(a, b []Text) int {
	count := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			count++
			i++
			j++
		}
	}
	return count
}
