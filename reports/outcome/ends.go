package outcome

import "reflect"

// Ends counts the searches that ended, and says which share of them ended without a match. It is
// part of [Players], [QueuePlayers] and [Group], and follows from their counts with the struct tag
// ends: "matched" for matched players, and "unmatched" for every other way in which a search ends.
// So a new kind of end needs only a count with that tag. A search that continues after the measured
// window has not ended.
type Ends struct {
	Ended          Count `json:"ended" csv:"ended" unit:"players" words:"ended searches *" meaning:"Searches that ended, with or without a match, counted once per player *"`
	UnmatchedShare Share `json:"unmatched_share" csv:"unmatched_share" better:"lower" base:"ended" matters:"0.1pp" words:"share of searches without a match *" meaning:"Share of ended searches that ended without a match (including those that ended with bots), counted once per player *"`
}

// endsUnmatched is the value of the struct tag ends of counts of searches without a match.
const endsUnmatched = "unmatched"

// endsMatter is the struct tag matters of these counts. As in the share of all of them, one search in
// a thousand matters: 2 more players of 200,000 do not, even if only 2 were unmatched before.
const endsMatter = "1% and 0.1% of entries"

// Searches is a pointer to a struct that embeds Ends.
type Searches interface {
	ends() *Ends
}

func (e *Ends) ends() *Ends { return e }

// SetEnds computes the Ends of s from its counts.
func SetEnds(s Searches) {
	l := Unmatched(s)
	*s.ends() = Ends{l.Ended, ShareOf(l.Count, l.Ended)}
}

// Loss describes the searches that ended without a match.
type Loss struct {
	Count Count  // of players
	Ended Count  // all ended searches, with or without a match
	Share Share  // Count as a share of Ended
	Kinds []Part // how they ended: the keys of the counts with their players, also those without any
}

// Unmatched adds up the counts of s that have the struct tag ends. Share is the metric
// unmatched_share. In an aggregate, the metric is the mean over the runs. If it rounds to 0, Share
// is computed from the counts without rounding, so that it is 0 only if Count is 0.
func Unmatched(s Searches) Loss {
	var l Loss
	v := reflect.ValueOf(s).Elem()
	for _, field := range reflect.VisibleFields(v.Type()) {
		end := field.Tag.Get("ends")
		count := reflect.Indirect(v.FieldByIndex(field.Index))
		if end == "" || !count.IsValid() { // the count is nil if no search of the run can end like this
			continue
		}
		n := count.Interface().(Count)
		l.Ended += n
		if end == endsUnmatched {
			l.Count += n
			l.Kinds = append(l.Kinds, Part{Name: keyOf(field), Count: n})
		}
	}
	l.Count, l.Ended = RoundCount(float64(l.Count)), RoundCount(float64(l.Ended))
	if l.Share = s.ends().UnmatchedShare; !(l.Share > 0) {
		l.Share = Share(Ratio(float64(l.Count), float64(l.Ended)))
	}
	return l
}
