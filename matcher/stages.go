package matcher

import "math"

// stage is how the rules hold from some wait on.
type stage struct {
	untilMS int64   // the first wait at which a rule differs again
	forces  []force // by column
	front   front   // as far as it depends on the wait
	star    *starStage
}

// stagesMax bounds the stages that are kept; there are more where a rule gives way for
// hours in small steps.
const stagesMax = 512

// stageTable computes once, for all rows, how the rules hold after each wait.
type stageTable struct {
	pool *Pool
	kept []stage // in order, from wait 0 on without gaps
	last stage   // the last one that is not kept
}

func (s *stageTable) init(p *Pool) {
	s.pool = p
	s.kept = append(s.kept, s.compute(0, nil))
}

// at returns the stage after a wait in ms. It is good until the next call.
func (s *stageTable) at(waitMS int64) *stage {
	for i := range s.kept { // most wait for a few stages only
		if waitMS < s.kept[i].untilMS {
			return &s.kept[i]
		}
	}
	for len(s.kept) < stagesMax {
		s.kept = append(s.kept, s.compute(s.kept[len(s.kept)-1].untilMS, nil))
		if last := &s.kept[len(s.kept)-1]; waitMS < last.untilMS {
			return last
		}
	}
	s.last = s.compute(waitMS, s.last.forces[:0])
	return &s.last
}

// compute asks every rule how it holds after a wait in ms.
func (s *stageTable) compute(waitMS int64, forces []force) stage {
	p := s.pool
	of := stage{untilMS: Never, forces: forces}
	if p.star != nil {
		of.front, of.star, of.untilMS = p.star.stage(waitMS)
		return of
	}
	for _, c := range p.columns {
		f := c.at(waitMS)
		if c.kind == reachRegion {
			f.level = p.reach.level(f.bound)
		}
		of.forces = append(of.forces, f)
		of.untilMS = min(of.untilMS, c.nextChange(waitMS))
	}
	of.front = p.frontOf(of.forces)
	return of
}

// frontOf returns the front of a row without number or size under rules as they hold.
func (p *Pool) frontOf(forces []force) front {
	f := front{number: math.NaN(), width: math.Inf(1), narrow: math.Inf(1), size: nobody, level: free}
	for i, c := range p.columns {
		switch {
		case !c.certain(&forces[i]):
		case c == p.index.axis:
			f.width = forces[i].bound + tolerance
		case c == p.region:
			f.level = forces[i].level
		}
	}
	return f
}

// certain tells whether a rule is enforced, as it holds for a row, between it and
// whoever has waited less, and not more widely.
func (c *column) certain(f *force) bool {
	if !c.shortest {
		return f.active && !f.optional
	}
	return c.firm() && c.constant()
}
