package matcher

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// starRow is what a star needs to know of a ticket or session.
type starRow struct {
	*starStage // by its wait
	*measurement
	numbers []float64 // by distance: mean over the players
	balance float64   // sum over the players of what teams are balanced by
	same    Text      // anyText: none
	kind    int32     // the like of which it can only meet: see starSearch.kindOf
	newOnly bool
	named   bool // there are people or blocked
	people  []Text
	blocked []Text
	options [][]Text // empty: the ticket does not have the option
	own     [][]Text
	taken   *measurement // the row's alone, nil until it needs one
}

// to returns the ticket's round-trip time to a region.
func (r *starRow) to(region Region) float64 {
	if int(region) < len(r.rttMS) {
		return r.rttMS[region]
	}
	return math.Inf(1)
}

// off returns how much further a region is than the nearest.
func (r *starRow) off(region Region) float64 {
	if rtt := r.to(region); !math.IsInf(rtt, 1) {
		return rtt - r.bestMS
	}
	return math.Inf(1)
}

// read fills in a row, with the round-trip times of a vantage, or without one with those
// that were measured last. Its slices are reused.
func (s *starSearch) read(row Row, values []Value, players []Player, from Vantage) {
	r, rules := s.row(row), s.rules
	all := Player{Values: values}
	r.same, r.newOnly = anyText, all.at(rules.NewOnly).Kind != Missing
	if v := all.at(rules.Same); v.Kind == IsText {
		r.same = v.Text
	}
	r.people, r.blocked = r.people[:0], r.blocked[:0]
	for i := range players {
		if v := players[i].at(rules.People); v.Kind == IsText {
			r.people = append(r.people, v.Text)
		}
	}
	if v := all.at(rules.Blocked); v.Kind == IsSet {
		r.blocked = append(r.blocked, v.Set...)
	}
	if r.named = len(r.people)+len(r.blocked) > 0; r.named {
		slices.Sort(r.people)
	}
	r.options, r.own = r.options[:0], r.own[:0]
	for i := range rules.Options {
		o := &rules.Options[i]
		r.options, r.own = all.appendSet(r.options, o.Column), all.appendSet(r.own, o.Own)
	}
	r.numbers, r.balance = r.numbers[:0], 0
	for i := range rules.Distances {
		d := &rules.Distances[i]
		sum := sumOf(d.Column, 0, players)
		r.numbers = append(r.numbers, sum/float64(max(1, len(players))))
		if d.Balanced {
			if d.Scale > 0 {
				sum /= d.Scale
			}
			r.balance += sum
		}
	}
	r.kind = s.kindOf(r)
	if from != NoVantage {
		r.measurement = s.surveyed.of(int32(from))
		return
	}
	if r.taken == nil {
		r.taken = new(measurement)
	}
	r.taken, s.probe = s.probe, r.taken
	r.measurement = r.taken
}

// kindOf numbers what tickets must have alike to meet: the text of Same and the
// values of SameSet options.
func (s *starSearch) kindOf(r *starRow) int32 {
	if r.same == s.same && len(s.rules.Options) == 0 && len(s.alike) > 0 { // as most are
		return s.recent
	}
	s.same = r.same
	s.key = binary.AppendVarint(s.key[:0], int64(r.same))
	for i := range s.rules.Options {
		if s.rules.Options[i].Kind != SameSet {
			continue
		}
		s.key = binary.AppendVarint(s.key, int64(len(r.options[i])))
		for _, text := range r.options[i] {
			s.key = binary.AppendVarint(s.key, int64(text))
		}
	}
	if len(s.alike) > 0 && s.alike[s.recent] == string(s.key) {
		return s.recent
	}
	kind, known := s.kinds[string(s.key)]
	if !known {
		kind = int32(len(s.lanes))
		s.kinds[string(s.key)] = kind
		s.lanes, s.alike = append(s.lanes, nil), append(s.alike, string(s.key))
	}
	s.recent = kind
	return kind
}

// appendSet appends a copy of a set, nil where there is none or it is empty; it
// reuses what lies behind the end of the list.
func (p *Player) appendSet(list [][]Text, c Column) [][]Text {
	n := len(list)
	if list = slices.Grow(list, 1)[:n+1]; list[n] != nil {
		list[n] = list[n][:0]
	}
	if v := p.at(c); v.Kind == IsSet && len(v.Set) > 0 {
		list[n] = append(list[n], v.Set...)
	}
	return list
}

// refuse measures players without a vantage, and returns a Refusal of who measured
// regions that are all too far.
func (s *starSearch) refuse(players []Player, from Vantage) error {
	m := s.probe
	if from != NoVantage {
		m = s.surveyed.of(int32(from))
	} else {
		m.measure(&s.rules.Region, players)
	}
	if most := s.rules.Region.MaxMS; m.measured && m.bestMS > most {
		return Refusal(fmt.Sprintf("no region within %v ms, the nearest common one is at %v ms", most, m.bestMS))
	}
	return nil
}

// row returns the data of a row.
func (s *starSearch) row(row Row) *starRow {
	for int(row) >= len(s.rows) {
		s.rows = append(s.rows, starRow{starStage: s.pool.stages.kept[0].star})
	}
	return &s.rows[row]
}

// wait returns how long a row has waited, ms.
func (s *starSearch) wait(row Row) int64 { return max(0, s.pool.clock.nowMS-s.pool.createdMS[row]) }

// reached returns the regions in which a seed looks for others, best first. One that
// measured nothing looks anywhere, which NoRegion stands for.
func (s *starSearch) reached(seed Row) []Region {
	m := s.row(seed).measurement
	switch session := s.pool.details[seed]; {
	case session != nil:
		s.alone[0] = session.Region
		return s.alone[:]
	case !m.measured:
		s.alone[0] = NoRegion
		return s.alone[:]
	case len(m.order) == 0:
		m.sort(s.pool.schema)
	}
	return m.order[:bits.OnesCount64(s.pool.reach.mask(seed, ownReach))]
}

// starLane is what stands together in the index: tickets of the same kind with the
// same nearest region, in the order of the first distance's numbers, or by
// age without distances.
type starLane struct {
	list  sortedList
	offMS []float64 // by Region: nobody here is less off his nearest region; behind the end +Inf
	any   bool      // tickets without measurements
}

// index puts a ticket into its lane or takes it out.
func (s *starSearch) index(row Row, do func(*sortedList, entry)) {
	r, p := s.row(row), s.pool
	e := entry{float64(p.createdMS[row]), p.sequence[row], p.createdMS[row], row, p.size[row]}
	if len(r.numbers) > 0 {
		e.key = r.numbers[0]
	}
	l := s.lane(r.kind, r.nearest)
	if len(l.list.chunks) == 0 {
		l.offMS = l.offMS[:0]
	}
	for region := range r.rttMS {
		if region >= len(l.offMS) {
			l.offMS = append(l.offMS, math.Inf(1))
		}
		l.offMS[region] = min(l.offMS[region], r.off(Region(region)))
	}
	l.any = r.nearest == NoRegion
	do(&l.list, e)
}

func (s *starSearch) lane(kind int32, nearest Region) *starLane {
	lanes := s.lanes[kind]
	for int(nearest)+1 >= len(lanes) {
		lanes = append(lanes, nil)
	}
	if lanes[nearest+1] == nil {
		lanes[nearest+1] = new(starLane)
	}
	s.lanes[kind] = lanes
	return lanes[nearest+1]
}
