package outcome

import (
	"reflect"
	"sync"
)

// Losses counts the searches that ended without a match by the way in which they ended. It is part of
// [Players], [QueuePlayers] and [Group]; a new way needs only a field here.
type Losses struct {
	Failed    Count  `json:"failed" unit:"players" better:"lower" matters:"1% and 0.1% of entries" words:"failed players *" meaning:"Searches that left the last state without a match, counted once per player *"`
	Expired   Count  `json:"expired" unit:"players" better:"lower" matters:"1% and 0.1% of entries" words:"expired players *" meaning:"Searches whose ticket reached its give-up time, counted once per player *"`
	Bots      Count  `json:"bots" unit:"players" better:"lower" matters:"1% and 0.1% of entries" words:"players sent to bots *" meaning:"Searches that ended with bots, counted once per player *"`
	Rejected  Count  `json:"rejected" unit:"players" better:"lower" matters:"1% and 0.1% of entries" words:"rejected players *" meaning:"Searches whose ticket was refused when they began, counted once per player *"`
	Declined  *Count `json:"declined,omitempty" when:"acceptance of matches" unit:"players" better:"lower" matters:"1% and 0.1% of entries" words:"declined players *" meaning:"Searches that ended because someone on the ticket did not accept a proposed match, counted once per player *"`                   // nil without acceptance of matches
	Cancelled *Count `json:"cancelled,omitempty" when:"players.patience" unit:"players" better:"lower" matters:"1% and 0.1% of entries" words:"players who cancelled *" meaning:"Searches that their players cancelled, counted once per player *"`                                                              // nil without players.patience
	Closed    *Count `json:"closed,omitempty" when:"a maintenance" unit:"players" better:"lower" matters:"1% and 0.1% of entries" words:"players whose search a maintenance ended *" meaning:"Searches that the begin of a maintenance ended, counted once per player *"`                                        // nil without a maintenance in events
	Lost      *Count `json:"lost,omitempty" when:"a production log" unit:"players" better:"lower" matters:"1% and 0.1% of entries" words:"players with a lost end *" meaning:"Searches of which a production log does not tell the end, and which are in no share of ended searches, counted once per player *"` // nil unless a production log reports the run
}

// Ends counts the searches that ended, and says which share of them ended without a match. It stands in
// the same structs as Losses and follows from it and the number of matched players. A search that
// continues after the measured window has not ended.
type Ends struct {
	Ended          Count `json:"ended" unit:"players" words:"ended searches *" meaning:"Searches that ended, with or without a match, counted once per player *"`
	UnmatchedShare Share `json:"unmatched_share" better:"lower" base:"ended" matters:"0.1pp" words:"share of searches without a match *" meaning:"Share of ended searches that ended without a match (including those that ended with bots), counted once per player *"`
}

// Searches is a pointer to a struct that embeds Losses and Ends.
type Searches interface {
	searches() (matched Count, l *Losses, e *Ends)
}

func (p *Players) searches() (Count, *Losses, *Ends)      { return p.Matched, &p.Losses, &p.Ends }
func (p *QueuePlayers) searches() (Count, *Losses, *Ends) { return p.Matched, &p.Losses, &p.Ends }
func (g *Group) searches() (Count, *Losses, *Ends)        { return g.Players, &g.Losses, &g.Ends }

// SetEnds computes the Ends of s from its counts.
func SetEnds(s Searches) {
	l := Unmatched(s)
	_, _, ends := s.searches()
	*ends = Ends{l.Ended, ShareOf(l.Count, l.Ended)}
}

// Loss describes the searches that ended without a match.
type Loss struct {
	Count Count  // of players
	Ended Count  // all ended searches, with or without a match
	Share Share  // Count as a share of Ended
	Kinds []Part // how they ended: the keys of the counts with their players, also those without any
}

// lossSchema is the tree of Losses.
var lossSchema = sync.OnceValue(func() *node {
	n := &node{of: reflect.TypeFor[Losses]()}
	n.grow(false)
	return n
})

// Unmatched adds up the Losses of s. Share is the metric unmatched_share. In an aggregate, the metric is
// the mean over the runs. If it rounds to 0, Share is computed from the counts without rounding, so that
// it is 0 only if Count is 0. Searches with a lost end are left out: most of them found a match.
func Unmatched(s Searches) Loss {
	matched, losses, ends := s.searches()
	var l Loss
	v := reflect.ValueOf(losses).Elem()
	for _, m := range lossSchema().members {
		if count := m.in(v); count.IsValid() && m.key != "lost" { // the count is nil if no search of the run can end like this
			n := count.Interface().(Count)
			l.Count += n
			l.Kinds = append(l.Kinds, Part{Name: m.key, Count: n})
		}
	}
	l.Count, l.Ended = RoundCount(float64(l.Count)), RoundCount(float64(matched+l.Count))
	if l.Share = ends.UnmatchedShare; !(l.Share > 0) {
		l.Share = Share(Ratio(float64(l.Count), float64(l.Ended)))
	}
	return l
}
