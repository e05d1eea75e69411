package sim

import "mmsim/matcher"

// mayMeet tells whether two of the tickets being walked may be in one match.
func (e *Engine) mayMeet(a, b int) bool {
	return !e.coolingDown(e.scratch.walk[a], e.scratch.walk[b])
}

// walkOver hands the tickets in walking order to the packer.
func (e *Engine) walkOver(walk []ticketID) *matcher.Packer {
	s := &e.scratch
	s.walk, s.sizes = walk, s.sizes[:0]
	for _, t := range walk {
		s.sizes = append(s.sizes, e.players.of(t).size)
	}
	s.packer.Reset(e.cfg.MatchSize, s.sizes, s.mayMeet)
	return &s.packer
}

// tickets returns the tickets at some positions of the walk.
func (e *Engine) tickets(positions []int32) []ticketID {
	s := &e.scratch
	s.group = s.group[:0]
	for _, i := range positions {
		s.group = append(s.group, s.walk[i])
	}
	return s.group
}

// coolingDown tells whether two tickets met in the last match of one of them,
// less than the cool-down ago. Warm bodies meet anybody.
func (e *Engine) coolingDown(a, b ticketID) bool {
	if e.players.of(a).state == StateWarmBody || e.players.of(b).state == StateWarmBody {
		return false
	}
	return e.cools(a) && e.metAny(a, b) || e.cools(b) && e.metAny(b, a)
}

// cools tells whether the ticket's last match ended less than the cool-down ago.
func (e *Engine) cools(t ticketID) bool {
	p := e.players.of(t)
	return p.searches > 0 && e.now.Sub(p.lastEnd) < e.cfg.PartnerCooldown
}

// metAny tells whether a player of a had one of b as a partner.
func (e *Engine) metAny(a, b ticketID) bool {
	for i := range e.players.members(a) {
		for _, other := range e.players.members(b) {
			if e.players.met(a+uint32(i), other.id) {
				return true
			}
		}
	}
	return false
}
