package matcher

import "math"

// pair returns the total weighted distance of two rows and whether they may meet:
// every rule, as it holds for these two by themselves.
//
// Sums run in the order of the rules and products are converted before they are
// added, which forbids fusing: equal bits on every machine.
func (p *Pool) pair(a, b Row) (total float64, meet bool) {
	old, young := p.byAge(a, b)
	return p.rate(a, b, old, young)
}

// rate is pair for two whose ages were compared.
func (p *Pool) rate(a, b, old, young Row) (total float64, meet bool) {
	for _, c := range p.ranking {
		f, enforced := c.inForce(old, young)
		distance, fits := p.compare(c, f, a, b)
		if enforced && !fits {
			return 0, false
		}
		total += float64(c.weight * distance)
	}
	return total, true
}

// compare returns the distance of two rows under one rule and whether they fit.
func (p *Pool) compare(c *column, f *force, a, b Row) (distance float64, fits bool) {
	switch c.kind {
	case numberDistance:
		return c.compareNumbers(f, a, b)
	case reachRegion:
		quality, share := p.reach.common(a, b, f.bound, f.level)
		return 1 / (1 + quality), share
	case equalText:
		if c.sameText(a, b) {
			return 0, true
		}
		return 1, false
	case setOverlap:
		return c.compareSets(f, a, b)
	default:
		sum := c.number[a] + c.number[b]
		return openShare(sum, f.bound), c.negatives > 0 || sum <= f.bound+tolerance
	}
}

func (c *column) compareNumbers(f *force, a, b Row) (distance float64, fits bool) {
	difference := math.Abs(c.number[a] - c.number[b])
	if math.IsNaN(difference) {
		return 0, true
	}
	return share(difference, f.bound), difference <= f.bound+tolerance
}

// share returns a difference as a share of what is allowed, from 0 to 1.
func share(difference, allowed float64) float64 {
	if allowed <= 0 {
		if difference == 0 {
			return 0
		}
		return 1
	}
	return min(1, difference/allowed)
}

// openShare returns the share of a maximum that a sum leaves open, from 0 to 1.
func openShare(sum, maximum float64) float64 {
	if maximum <= 0 {
		return 0
	}
	return min(1, max(0, (maximum-sum)/maximum))
}

func (c *column) sameText(a, b Row) bool {
	x, y := c.text[a], c.text[b]
	return x != clashedText && y != clashedText && (x == y || x == anyText || y == anyText)
}

func (c *column) compareSets(f *force, a, b Row) (distance float64, fits bool) {
	if c.set[a] == nil || c.set[b] == nil {
		return 0, true
	}
	n := float64(shared(c.set[a], c.set[b]))
	return 1 / (1 + n), n >= f.bound
}

// pairMeets tells whether the rules about pairs let two rows be in one match.
func (p *Pool) pairMeets(a, b Row) bool {
	old, young := p.byAge(a, b)
	for _, c := range p.pairs {
		f, enforced := c.inForce(old, young)
		if !enforced {
			continue
		}
		if c.kind == equalText {
			if !c.sameText(a, b) {
				return false
			}
		} else if _, fits := c.compareNumbers(f, a, b); !fits {
			return false
		}
	}
	return true
}
