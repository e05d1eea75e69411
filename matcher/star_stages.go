package matcher

import "math"

// starStage is how a star holds from some wait on, beside what fronts tell.
type starStage struct {
	steps int // that distances and sizes have taken together
	sizes *TeamSizes
	held  []starBound // by distance
	reach starReach
}

// starBound is the largest difference that a distance lets be.
type starBound struct {
	most   float64 // tolerance included; +Inf: none
	absent bool    // the rule does not look at anything
}

// starReach is how far tickets look for regions, before StarRegion.MaxMS. Reaches are
// numbered, so that what is in the reach of many is worked out once; the first is
// infinite.
type starReach struct {
	number int
	ms     float64
}

// reachesMax bounds the reaches that are numbered; the others have this number. Few wait
// for more, and what a measurement knows of more would be in another line of memory.
const reachesMax = 4

// stage computes how the star holds after a wait in ms, as far as no ticket matters, and
// the first wait, above it, at which something differs.
func (s *starSearch) stage(waitMS int64) (f front, of *starStage, untilMS int64) {
	f = front{number: math.NaN(), width: math.Inf(1), size: nobody}
	of, untilMS = &starStage{steps: s.rules.stage(waitMS), sizes: s.rules.at(waitMS)}, Never
	until := func(atMS int64) {
		if atMS > waitMS {
			untilMS = min(untilMS, atMS)
		}
	}
	for i := range s.rules.Sizes {
		until(s.rules.Sizes[i].AfterMS)
	}
	for i := range s.rules.Distances {
		d := &s.rules.Distances[i]
		of.steps += d.stage(waitMS)
		of.held = append(of.held, starBound{d.bound(waitMS) + tolerance, d.at(waitMS).Absent})
		for k := range d.Max {
			until(d.Max[k].AfterMS)
		}
		if i == 0 {
			f.width = of.held[0].most
		}
	}
	f.narrow = f.width
	region := &s.rules.Region
	if waitMS > region.OneWayAfterMS {
		f.level = onlyMax
	} else if region.OneWayAfterMS < Never {
		until(region.OneWayAfterMS + 1)
	}
	reachMS, _ := region.ReachMS.At(waitMS)
	if of.reach = s.reachOf(min(reachMS, region.MaxMS)); !region.Ignored {
		until(region.ReachMS.nextChange(waitMS))
	}
	return f, of, untilMS
}

// reachOf numbers a reach.
func (s *starSearch) reachOf(ms float64) starReach {
	for number, known := range s.reaches {
		if known == ms {
			return starReach{number, ms}
		}
	}
	number := len(s.reaches)
	if number < reachesMax {
		s.reaches = append(s.reaches, ms)
	}
	return starReach{number, ms}
}

// within returns the regions of a ticket or session in a reach, or anywhere.
func (s *starSearch) within(m *measurement, reach starReach) uint64 {
	limitMS := s.rules.Region.from(reach.ms, m.bestMS)
	switch {
	case !m.measured:
		return anywhere
	case reach.number == reachesMax:
		return m.within(limitMS)
	}
	if bit := uint8(1) << reach.number; m.known&bit == 0 {
		m.known, m.masks[reach.number] = m.known|bit, m.within(limitMS)
	}
	return m.masks[reach.number]
}

// within returns the regions that are not beyond a limit.
func (m *measurement) within(limitMS float64) uint64 {
	mask := uint64(0)
	for region, rtt := range m.rttMS {
		if rtt <= limitMS+tolerance && !math.IsInf(rtt, 1) {
			mask |= 1 << region
		}
	}
	return mask
}
