package servers

import "mmsim/sim"

// acquaintances finds the online players whom a person knows. These are the person's friends and
// the members of the person's household. Two persons are friends if either lists the other. The
// maps are never iterated over, so map order cannot affect results.
type acquaintances struct {
	people      sim.People
	byRow       registry // persons by their row
	byListed    registry // persons by each row that they list as friends
	byHousehold registry
	rows        []uint32 // scratch
}

func newAcquaintances(people sim.People) acquaintances {
	return acquaintances{people: people, byRow: newRegistry(), byListed: newRegistry(), byHousehold: newRegistry()}
}

// key returns the registry key of a row or household among the persons with a given Copy.
func key(of, copyNumber uint32) uint64 { return uint64(copyNumber)<<32 | uint64(of) }

// of appends the slots of the online players whom a person knows. A slot may be appended twice.
func (a *acquaintances) of(p *sim.Person, slots []uint32) []uint32 {
	slots = a.byListed.AppendTo(slots, key(p.Row, p.Copy))
	if household := a.people.Household(p); household != 0 {
		slots = a.byHousehold.AppendTo(slots, key(household, p.Copy))
	}
	a.rows = a.people.Friends(p, a.rows[:0])
	for _, row := range a.rows {
		slots = a.byRow.AppendTo(slots, key(row, p.Copy))
	}
	return slots
}

// enter registers a person who comes online.
func (a *acquaintances) enter(p *sim.Person, slot uint32) {
	a.change(p, slot, (*registry).Add)
}

// leave removes a person who goes offline.
func (a *acquaintances) leave(p *sim.Person, slot uint32) {
	a.change(p, slot, (*registry).Remove)
}

// change calls do, which adds or removes an entry, for every key of a person.
func (a *acquaintances) change(p *sim.Person, slot uint32, do func(*registry, uint64, uint32)) {
	do(&a.byRow, key(p.Row, p.Copy), slot)
	if household := a.people.Household(p); household != 0 {
		do(&a.byHousehold, key(household, p.Copy), slot)
	}
	a.rows = a.people.Friends(p, a.rows[:0])
	for _, row := range a.rows {
		do(&a.byListed, key(row, p.Copy), slot)
	}
}
