package season

import "mmsim/sim"

// visitor is what a season uses of a person who is online. It is copied from the person at the start of
// a visit and back at its end. Persons are too many for the processor's caches, and a match needs all its
// players several times; visitors are few, and each fills one cache line.
type visitor struct {
	rating  Rating
	read    float64 // rating at the start of the last search, which is what rules read
	skill   float64
	entity  uint64
	matches uint32 // finished matches
	day     uint32 // of the visit, from the first day on which the person may play
	party   uint8  // as in person
	streak  uint8
	tenth   uint8
	counted bool // whether the visit began in the measured window
}

// online marks an element of Season.at: the person is online, and the rest of the element is the index
// of its visitor. The element of any other person is the number of its finished matches.
const online = 1 << 31

// visitor returns the visitor of a person who is online.
func (s *Season) visitor(number uint32) *visitor { return &s.visitors[s.at[number]&^online] }

// board makes a visitor of a person who is not online, and returns its index.
func (s *Season) board(one *sim.Person) uint32 {
	at := s.crowd.find(one.Number)
	p, r := at.person(), at.rating()
	if len(s.free) == 0 {
		s.free = append(s.free, uint32(len(s.visitors)))
		s.visitors = append(s.visitors, visitor{})
		if s.felt {
			s.visits = append(s.visits, visit{})
		}
	}
	i := s.free[len(s.free)-1]
	s.free = s.free[:len(s.free)-1]
	s.visitors[i] = visitor{
		rating: r, read: r.Value, skill: at.skill(), entity: one.Entity, matches: s.at[one.Number],
		day: uint32(p.visit - p.origin()), party: p.party, streak: p.status.streak(), tenth: p.tenth(), counted: p.visit >= 0,
	}
	s.at[one.Number] = online | i
	return i
}

// alight ends what board began. It returns the person.
func (s *Season) alight(number uint32) *person {
	i := s.at[number] &^ online
	at, v := s.crowd.find(number), &s.visitors[i]
	at.rate(&v.rating)
	p := at.person()
	p.status, s.at[number] = newStatus(v.streak, p.status.quit()), v.matches
	s.free = append(s.free, i)
	if s.felt {
		s.visits[i] = visit{}
	}
	return p
}

// Rating returns the rating of a person, which is what rules read. Before the persons of day 0
// exist, it is the first rating.
func (s *Season) Rating(number uint32) float64 {
	switch {
	case s.crowd.made == 0:
		return s.config.First.Value
	case s.at[number]&online != 0:
		return s.visitor(number).read
	}
	return s.crowd.find(number).value()
}

// record returns the rating of a person after its last finished match, and the number of these.
func (s *Season) record(number uint32, at located) (rating float64, matches uint32) {
	i := s.at[number]
	if i&online == 0 {
		return at.value(), i
	}
	v := &s.visitors[i&^online]
	return v.rating.Value, v.matches
}

// Arrives implements sim.Season.
func (s *Season) Arrives(a *sim.Arrival) bool {
	s.reach(a.At)
	s.now = a.At
	number := a.Members[0].Number
	if s.crowd.find(number).person().status.quit() {
		return false
	}
	if s.at[number]&online != 0 {
		if a.At >= 0 {
			s.tally.Skipped += len(a.Members)
		}
		return false
	}
	day := dayOf(a.At)
	for i := range a.Members {
		p := s.crowd.find(a.Members[i].Number).person()
		p.visit = int16(day)
		if p.first == noDay && day >= 0 {
			p.first = int16(day)
			if p.since > 0 {
				s.tally.New++
				s.tally.today.New++
			}
		}
		s.board(&a.Members[i])
	}
	if day >= 0 {
		s.tally.visited(s, a)
	}
	return true
}

// Searches implements sim.Season.
func (s *Season) Searches(first *sim.Person) {
	for i := range uint32(s.visitor(first.Number).party) {
		v := s.visitor(first.Number + i)
		v.read = v.rating.Value
	}
}

// VisitKey implements sim.Season. On the first day on which a person may play, the key is its own.
func (s *Season) VisitKey(p *sim.Person) uint64 {
	return sim.Rekey(p.Entity, uint64(s.visitor(p.Number).day))
}
