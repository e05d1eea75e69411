package season

import (
	"cmp"
	"math"
	"slices"

	"mmsim/sim"
)

// Next implements sim.Arrivals. It yields the persons who may play, day by day.
func (s *Season) Next(next *sim.Arrival) bool {
	for len(s.joins) == 0 {
		switch {
		case s.minute < minutes:
			s.beginMinute()
		case s.today < s.days:
			s.beginDay()
			s.today++
		default:
			return false
		}
	}
	j := s.joins[0]
	s.joins = s.joins[1:]
	s.arrival(next, j)
	return true
}

// beginDay makes the persons who appear on the day s.today, and the list of all parties that join on
// that day by minute. Persons from the number fresh on are new.
func (s *Season) beginDay() {
	if s.crowd.made == 0 {
		s.settle()
	}
	fresh := s.crowd.made
	if s.today > 0 {
		s.forget()
		s.addNewcomers()
	}
	from := uint32(0)
	if s.today < 0 {
		from = uint32(sim.Day - s.config.WarmUp)
	}
	s.comers.empty(int(float64(s.crowd.held) * s.config.Visit))
	day := uint64(uint32(s.today))
	for number, at := range s.crowd.all() {
		p := at.person()
		if p.party == 0 || p.status.quit() {
			continue
		}
		if s.config.Visit < 1 && number < fresh && s.draws.visit.Uniform(s.entity(at, 0), day) >= s.config.Visit {
			continue
		}
		if ms := s.shifted(at, day); ms >= from {
			s.comers.add(number, ms/uint32(sim.Minute))
		}
	}
	s.minute = 0
}

// join is the join of a party on the current day: the time of day in ms in the upper half, and the
// number of the party's first person in the lower half. So sorting joins sorts them by time and then
// by number.
type join uint64

// beginMinute makes the list of the joins in the next minute of the day before s.today.
func (s *Season) beginMinute() {
	s.joins = s.list[:0]
	for number := range s.comers.of(s.minute) {
		s.joins = append(s.joins, join(s.shifted(s.crowd.find(number), uint64(uint32(s.today-1))))<<32|join(number))
	}
	slices.Sort(s.joins)
	s.list = s.joins
	s.minute++
}

// shifted returns the time of day at which a party joins on a day. It is reflected at midnight.
func (s *Season) shifted(first located, day uint64) uint32 {
	at := first.person().comes.ms()
	if s.config.Shift == 0 {
		return at
	}
	by := float64(2*s.draws.shift.Uniform(s.entity(first, 0), day)) - 1
	ms := int64(at) + int64(math.Round(float64(by*float64(s.config.Shift))))
	if ms < 0 {
		ms = -ms
	}
	if ms >= int64(sim.Day) {
		ms = 2*int64(sim.Day) - 1 - ms
	}
	return uint32(ms)
}

// settle makes the persons of day 0.
func (s *Season) settle() {
	rows := s.config.Day(0)
	var a sim.Arrival
	for rows.Next(&a) {
		for k := range s.standsFor(&a) {
			s.add(&a, k, 0)
		}
	}
	s.start = int(s.crowd.made)
	s.cutTenths()
}

// standsFor returns the number of parties that a row stands for on day 0.
func (s *Season) standsFor(a *sim.Arrival) uint64 {
	whole, fraction := math.Modf(1 / s.config.Visit)
	n := uint64(whole)
	if fraction > 0 && s.draws.persons.Uniform(a.Members[0].Entity, 0) < fraction {
		n++
	}
	return n
}

// addNewcomers makes the persons who appear on the day s.today.
func (s *Season) addNewcomers() {
	rows := s.config.Day(int32(s.today))
	var a sim.Arrival
	for rows.Next(&a) {
		if s.draws.newcomers.Uniform(a.Members[0].Entity, 0) < s.config.Newcomers {
			s.add(&a, 0, s.today)
		}
	}
}

// add adds the persons of an arrival. k numbers the persons of one row.
func (s *Season) add(a *sim.Arrival, k uint64, day int) {
	for i := range a.Members {
		m := a.Members[i]
		m.Entity = sim.Rekey(m.Entity, k<<variantShift)
		m.Party = sim.Rekey(m.Party, k<<variantShift)
		p := person{
			row: m.Row, place: m.Place, comes: newComes(uint32(int64(a.At)-int64(day)*int64(sim.Day)), k),
			since: int16(day), first: noDay, visit: noDay,
		}
		if i == 0 {
			p.party = uint8(len(a.Members))
		}
		r := s.config.First
		if day == 0 && s.config.Start != nil {
			if x := s.config.Start(&m); !math.IsNaN(x) {
				r.Value = x
			}
		}
		s.crowd.add(p, s.config.Skill(&m), r, m.Copy-s.config.CopyOf(0, int32(day)))
	}
	s.at = extend(s.at, len(a.Members))
}

// extend appends zeros to a long list. It has room for few more: a list that grows by append would have
// room for a quarter more.
func extend(list []uint32, n int) []uint32 {
	if have := len(list); have+n > cap(list) {
		list = append(make([]uint32, 0, have+have/32+1024), list...)
	}
	return list[:len(list)+n]
}

// entity returns the key of a person, which is the given member of its party.
func (s *Season) entity(at located, member uint32) uint64 {
	p := at.person()
	return sim.Rekey(sim.Entity(p.row, at.replica(), int32(p.origin()), member), p.comes.variant()<<variantShift)
}

// variantShift separates the keys of the persons of one row from those of visits, see VisitKey.
const variantShift = 32

// cutTenths divides the persons of day 0 into tenths by skill. Equal skills are divided by number.
func (s *Season) cutTenths() {
	order := make([]uint32, s.start)
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(s.crowd.at(a).skill(), s.crowd.at(b).skill()), cmp.Compare(a, b))
	})
	for rank, number := range order {
		at, n := s.crowd.at(number), rank*tenths/len(order)
		at.person().since = -int16(n)
		t := &s.tally.tenths[n]
		if t.persons == 0 {
			t.SkillLow = at.skill()
		}
		t.persons++
		t.SkillHigh = at.skill()
	}
}

// arrival fills in the arrival of a party.
func (s *Season) arrival(next *sim.Arrival, j join) {
	number := uint32(j)
	next.At = sim.Instant(s.today-1)*sim.Instant(sim.Day) + sim.Instant(j>>32)
	s.members = s.members[:0]
	for i, size := uint32(0), uint32(s.crowd.find(number).person().party); i < size; i++ {
		at := s.crowd.find(number + i)
		p := at.person()
		s.members = append(s.members, sim.Person{
			Entity: s.entity(at, i), Row: p.row, Place: p.place, Copy: s.config.CopyOf(at.replica(), int32(p.origin())), Number: number + i,
		})
		m, first := &s.members[i], &s.members[0]
		m.Party, m.PartyPlace = first.Entity, first.Place
	}
	next.Members = s.members
	if s.config.QueueOf != nil {
		next.Queue = s.config.QueueOf(&s.members[0])
	}
}

// forget removes the persons who have quit, unless a match that they left early may still run. What
// the results need of them is counted.
func (s *Season) forget() {
	s.crowd.forget(func(p *person) bool {
		if !p.status.quit() || s.tied(p) {
			return false
		}
		s.tally.stays = addStay(s.tally.stays, p)
		return true
	})
}

// dayOf returns the day of an instant.
func dayOf(at sim.Instant) int {
	if at < 0 {
		return -1
	}
	return int(at / sim.Instant(sim.Day))
}
