package season

import (
	"cmp"
	"math"
	"slices"

	"mmsim/sim"
)

// person is what a season remembers of a person.
type person struct {
	rating Rating
	skill  float64
	entity uint64
	row    uint32
	place  uint32
	copy   uint32
	ms     uint32 // time of day at which the row joins
	first  int16  // first day on which the person played, or noDay
	visit  int16  // day of the last visit, or noDay
	origin int16  // first day on which the person may play: 0, or that of a newcomer
	party  uint8  // number of players in the party, for its first player; 0 for the others
	streak uint8  // losses in a row, at most MaxLossStreak
	tenth  uint8  // tenth of the persons of day 0 by skill, or noTenth
	quit   bool
}

const (
	noDay   = math.MinInt16
	noTenth = 255
)

// Next implements sim.Arrivals. It yields the persons who may play, day by day.
func (s *Season) Next(next *sim.Arrival) bool {
	for len(s.joins) == 0 {
		if s.today >= s.days {
			return false
		}
		s.beginDay()
		s.today++
	}
	j := s.joins[0]
	s.joins = s.joins[1:]
	s.arrival(next, j)
	return true
}

// join is the join of a party on the current day: the time of day in ms in the upper half, and the
// number of the party's first person in the lower half. So sorting joins sorts them by time and then
// by number.
type join uint64

// beginDay makes the persons who appear on the day s.today and the list of all joins of the day.
func (s *Season) beginDay() {
	if !s.settled {
		s.settle()
		s.settled = true
	} else if s.today > 0 {
		s.addNewcomers()
	}
	from := uint32(0)
	if s.today < 0 {
		from = uint32(sim.Day - s.config.WarmUp)
	}
	s.joins = s.list[:0]
	day := uint64(uint32(s.today))
	for i := 0; i < len(s.persons); i += int(s.persons[i].party) {
		p := &s.persons[i]
		comes := p.origin == int16(s.today) && s.today > 0 || s.config.Visit == 1 || s.draws.visit.Uniform(p.entity, day) < s.config.Visit
		if p.quit || !comes {
			continue
		}
		if ms := s.shifted(p, day); ms >= from {
			s.joins = append(s.joins, join(ms)<<32|join(i))
		}
	}
	slices.Sort(s.joins)
	s.list = s.joins
}

// shifted returns the time of day at which a party joins on a day. It is reflected at midnight.
func (s *Season) shifted(p *person, day uint64) uint32 {
	if s.config.Shift == 0 {
		return p.ms
	}
	by := float64(2*s.draws.shift.Uniform(p.entity, day)) - 1
	ms := int64(p.ms) + int64(math.Round(float64(by*float64(s.config.Shift))))
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
	s.reserve()
	rows := s.config.Day(0)
	var a sim.Arrival
	for rows.Next(&a) {
		for k := range s.standsFor(&a) {
			s.add(&a, k, 0)
		}
	}
	s.start = len(s.persons)
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

// reserve allocates memory for all persons of the run, or for nearly all. A list that grows would hold
// up to three times the memory: the old list, and a new one with room for a quarter more.
func (s *Season) reserve() {
	rows := s.config.Day(0)
	var a sim.Arrival
	start, joins := 0, 0
	for rows.Next(&a) {
		start += int(s.standsFor(&a)) * len(a.Members)
		joins += len(a.Members)
	}
	newcomers := float64(joins) * s.config.Newcomers * float64(max(s.days-1, 0))
	const margin = 1.01 // much above the standard deviation of many newcomers
	s.persons = make([]person, 0, start+int(newcomers*margin))
	s.at = make([]uint32, 0, cap(s.persons))
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
		m.Number = uint32(len(s.persons))
		p := person{
			rating: s.config.First, skill: s.config.Skill(&m), entity: m.Entity, row: m.Row, place: m.Place, copy: m.Copy,
			ms: uint32(int64(a.At) - int64(day)*int64(sim.Day)), first: noDay, visit: noDay, origin: int16(day), tenth: noTenth,
		}
		if day == 0 && s.config.Start != nil {
			if x := s.config.Start(&m); !math.IsNaN(x) {
				p.rating.Value = x
			}
		}
		if i == 0 {
			p.party = uint8(len(a.Members))
		}
		s.persons, s.at = append(s.persons, p), append(s.at, 0)
	}
}

// variantShift separates the keys of the persons of one row from those of visits, see VisitKey.
const variantShift = 32

// cutTenths divides the persons of day 0 into tenths by skill. Equal skills are divided by number.
func (s *Season) cutTenths() {
	order := make([]uint32, len(s.persons))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(s.persons[a].skill, s.persons[b].skill), cmp.Compare(a, b))
	})
	last := -1
	for rank, number := range order {
		p, n := &s.persons[number], rank*tenths/len(order)
		p.tenth = uint8(n)
		if n != last {
			s.tally.tenths[n].SkillLow, last = p.skill, n
		}
		s.tally.tenths[n].SkillHigh = p.skill
	}
}

// arrival fills in the arrival of a party.
func (s *Season) arrival(next *sim.Arrival, j join) {
	number := uint32(j)
	leader := &s.persons[number]
	next.At = sim.Instant(s.today-1)*sim.Instant(sim.Day) + sim.Instant(j>>32)
	s.members = s.members[:0]
	for i := range uint32(leader.party) {
		p := &s.persons[number+i]
		s.members = append(s.members, sim.Person{
			Entity: p.entity, Row: p.row, Place: p.place, Copy: p.copy, Number: number + i,
			Party: leader.entity, PartyPlace: leader.place,
		})
	}
	next.Members = s.members
	if s.config.QueueOf != nil {
		next.Queue = s.config.QueueOf(&s.members[0])
	}
}

// dayOf returns the day of an instant.
func dayOf(at sim.Instant) int {
	if at < 0 {
		return -1
	}
	return int(at / sim.Instant(sim.Day))
}
