package servers

import (
	"mmsim/sim"
	"mmsim/sim/engine/internal/registry"
)

// acquaintances finds the players online whom a person knows: friends, whichever of the two
// lists the other, and persons of the same household. No order depends on its maps, because
// they are never iterated over.
type acquaintances struct {
	people      sim.People
	byRow       registry.Registry // the persons of a row
	byListed    registry.Registry // the persons who list those of a row as friends
	byHousehold registry.Registry
	rows        []uint32 // scratch
}

func newAcquaintances(people sim.People) acquaintances {
	return acquaintances{people: people, byRow: registry.New(), byListed: registry.New(), byHousehold: registry.New()}
}

// key is the key of a row or household in one copy of the day's persons.
func key(of, copyNumber uint32) uint64 { return uint64(copyNumber)<<32 | uint64(of) }

// of appends the slots of the players whom a person knows. A slot may be appended twice.
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

// enter notes that a person is online in a slot.
func (a *acquaintances) enter(p *sim.Person, slot uint32) {
	a.change(p, slot, (*registry.Registry).Add)
}

// leave notes that a person is online no more.
func (a *acquaintances) leave(p *sim.Person, slot uint32) {
	a.change(p, slot, (*registry.Registry).Remove)
}

// change adds a person to all registries, or removes it.
func (a *acquaintances) change(p *sim.Person, slot uint32, do func(*registry.Registry, uint64, uint32)) {
	do(&a.byRow, key(p.Row, p.Copy), slot)
	if household := a.people.Household(p); household != 0 {
		do(&a.byHousehold, key(household, p.Copy), slot)
	}
	a.rows = a.people.Friends(p, a.rows[:0])
	for _, row := range a.rows {
		do(&a.byListed, key(row, p.Copy), slot)
	}
}
