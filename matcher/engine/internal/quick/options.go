package quick

import (
	"math/bits"
	"slices"
)

// Set is a set of the candidates that List received: bit i%64 of word i/64 is set if it has candidate i.
type Set []uint64

// empty returns an empty set for n candidates, in the same memory if that is enough.
func (s Set) empty(n int) Set {
	words := (n + 63) / 64
	s = slices.Grow(s[:0], words)[:words]
	clear(s)
	return s
}

// all returns the set of all of n candidates, in the same memory if that is enough.
func (s Set) all(n int) Set {
	s = s.empty(n)
	for at := range s {
		s[at] = ^uint64(0) >> max(0, 64*(at+1)-n)
	}
	return s
}

func (s Set) add(candidate int) { s[uint(candidate)/64] |= 1 << (uint(candidate) % 64) }

// Options has, for each team, the set of candidates that may still join it.
type Options struct {
	teams int
	words []uint64 // the first word of each team's set, then the second of each, and so on
}

// Words is one word of each team's set in Options.
type Words []uint64

// At returns word at of each team's set.
func (o *Options) At(at int) Words { return o.words[at*o.teams:][:o.teams] }

// Any returns the candidates that may still join any team.
func (w Words) Any() (any uint64) {
	for _, team := range w {
		any |= team
	}
	return any
}

// Teams returns a mask of the teams that the candidate of a bit may still join.
func (w Words) Teams(bit int) (teams uint64) {
	for team := len(w) - 1; team >= 0; team-- {
		teams = teams<<1 | w[team]>>(uint(bit)%64)&1
	}
	return teams
}

// Remove removes the candidate of a bit from the options of some teams.
func (w Words) Remove(bit int, teams uint64) {
	for ; teams != 0; teams &= teams - 1 {
		w[bits.TrailingZeros64(teams)] &^= 1 << (uint(bit) % 64)
	}
}

// Among sets o to those of other options that are in a set. It reuses the memory of o.
func (o *Options) Among(of *Options, set Set) {
	o.teams, o.words = of.teams, o.words[:0]
	for at, word := range set {
		for _, team := range of.At(at) {
			o.words = append(o.words, team&word)
		}
	}
}

// AnyTeam sets o to all candidates, for each team. Close, Fit, Meeting and Narrow need its groups of them.
func (q *State) AnyTeam(g *Group, o *Options) {
	q.group(g)
	o.teams, o.words = q.teams, o.words[:0]
	for _, word := range q.all {
		for range q.teams {
			o.words = append(o.words, word)
		}
	}
}

// groups sorts the candidates by what many have in common, so that a team is closed to all of them at once.
type groups struct {
	sizes  []sized        // the candidates by number of players
	texts  [QuotasMax]Set // for each quota, the candidates with its text
	barred []Set          // indexed by rule about players alone and team: those that the rule keeps out of the team
}

type sized struct {
	players int32
	of      Set
}

// group sorts the candidates into groups.
func (q *State) group(g *Group) {
	n := len(q.rows)
	q.sizes = q.sizes[:0]
	for k := range q.Quotas {
		q.texts[k] = q.texts[k].empty(n)
	}
	for i := range q.barred {
		q.barred[i] = q.barred[i].empty(n)
	}
	var size *sized
	closes, teams := q.Closes(), uint64(1)<<q.teams-1
	for i, row := range q.rows {
		if players := g.Rows.Players[row]; size == nil || size.players != players { // most have the size of the one before
			size = q.sized(players)
		}
		if size.of.add(i); !closes {
			continue
		}
		t := &q.Traits[row]
		for texts := t.Texts; texts != 0; texts &= texts - 1 {
			q.texts[bits.TrailingZeros8(texts)].add(i)
		}
		for barred := teams &^ t.Teams; barred != 0; barred &= barred - 1 {
			team := bits.TrailingZeros64(barred)
			for k := range q.Alone {
				if q.Alone[k].Teams[row]>>team&1 == 0 {
					q.barred[k*q.teams+team].add(i)
				}
			}
		}
	}
}

// sized returns the group of candidates with a number of players.
func (q *State) sized(players int32) *sized {
	at := slices.IndexFunc(q.sizes, func(s sized) bool { return s.players == players })
	if at < 0 {
		at = len(q.sizes)
		q.sizes = slices.Grow(q.sizes, 1)[:at+1]
		q.sizes[at] = sized{players, q.sizes[at].of.empty(len(q.rows))}
	}
	return &q.sizes[at]
}

// players returns the number of players of a set of candidates.
func (q *State) players(set Set) (players int32) {
	for i := range q.sizes {
		n := 0
		for at, word := range q.sizes[i].of {
			n += bits.OnesCount64(word & set[at])
		}
		players += int32(n) * q.sizes[i].players
	}
	return players
}

// Fit removes from a team's options those that have more players than it has free seats.
func (q *State) Fit(options *Options, team int, seats int32) {
	for i := range q.sizes {
		if s := &q.sizes[i]; s.players > seats {
			for at, word := range s.of {
				options.words[at*options.teams+team] &^= word
			}
		}
	}
}
