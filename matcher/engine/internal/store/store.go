// Package store keeps the rows of a pool: the ticket or session of each row, the time since
// when it waits, and its stage, which is the state of the rules after that wait.
//
// A row is a small number that is reused once its ticket has left. Everything that other
// packages know about a ticket is in slices indexed by row.
package store

import (
	"fmt"
	"math"
	"slices"

	"mmsim/matcher"
)

// Row identifies a ticket or a session from Add until Remove.
type Row = matcher.Row

// Kind is the kind of a row's content.
type Kind uint8

// The kinds of row.
const (
	Free Kind = iota
	Ticket
	Session
)

// Rows are all rows of a pool. The slices are indexed by row.
type Rows struct {
	CreatedMS []int64
	CutMS     []int64 // with WholeSeconds: the milliseconds cut off CreatedMS
	Sequence  []int64 // order of Add: breaks ties of CreatedMS
	Players   []int32
	Kind      []Kind
	Stage     []*Stage // as of the last Advance

	// Changes counts the rows that are added, join a subset or reach another stage. ChangedAt
	// is its value when one of these last happened to a row. BornAt is its value when the row
	// was added; while the row is free, BornAt is larger than any count.
	Changes   uint64
	ChangedAt []uint64
	BornAt    []uint64

	WholeSeconds bool // CreatedMS is rounded down to the second

	NowMS   int64
	stages  *Stages
	fresh   []Row   // added since the last Advance; may contain rows that have left again
	expired []Row   // give-up time reached, unordered; may contain rows that have left, and duplicates
	giveUp  []int64 // instant; matcher.Never: it does not give up
	dueMS   []int64 // instant at which the stage ends or the ticket gives up
	nextMS  int64   // no row except the fresh ones is due earlier
	free    []Row
	nextSeq int64
}

// New returns an empty store. compute returns the state of the rules after a wait.
func New(compute func(waitMS int64) Stage) *Rows {
	return &Rows{NowMS: math.MinInt64, nextMS: matcher.Never, stages: &Stages{compute: compute}}
}

// Add returns a row for a ticket or session that waits since createdMS and gives up at
// giveUpMS, unless that is matcher.Never. Its stage is known after the next Advance.
func (r *Rows) Add(kind Kind, createdMS, giveUpMS int64, players int) Row {
	var row Row
	if n := len(r.free); n > 0 {
		row, r.free = r.free[n-1], r.free[:n-1]
	} else {
		row = Row(len(r.Kind))
		r.CreatedMS, r.Sequence, r.Players = append(r.CreatedMS, 0), append(r.Sequence, 0), append(r.Players, 0)
		r.CutMS = append(r.CutMS, 0)
		r.Kind, r.Stage = append(r.Kind, Free), append(r.Stage, nil)
		r.ChangedAt, r.BornAt = append(r.ChangedAt, 0), append(r.BornAt, 0)
		r.giveUp, r.dueMS = append(r.giveUp, 0), append(r.dueMS, 0)
	}
	if r.WholeSeconds {
		r.CutMS[row] = (createdMS%1000 + 1000) % 1000
		createdMS -= r.CutMS[row]
	}
	r.CreatedMS[row], r.giveUp[row], r.dueMS[row] = createdMS, giveUpMS, math.MinInt64
	r.Sequence[row], r.Players[row], r.Kind[row] = r.nextSeq, int32(players), kind
	r.nextSeq++
	r.Changes++
	r.ChangedAt[row], r.BornAt[row], r.Stage[row] = r.Changes, r.Changes, nil
	r.fresh = append(r.fresh, row)
	return row
}

// Remove frees a row.
func (r *Rows) Remove(row Row) {
	if r.Kind[row] == Free {
		panic(fmt.Sprintf("matcher: row %d is removed, but does not wait", row))
	}
	r.Kind[row], r.BornAt[row], r.dueMS[row] = Free, math.MaxUint64, matcher.Never
	r.free = append(r.free, row)
}

// Len returns the number of rows ever used.
func (r *Rows) Len() int { return len(r.Kind) }

// Advance brings every row to its stage at an instant. If the instant is before the last one,
// all rows are recomputed.
//
// Cost: the rows added since, and a pass over all due times once one of them is reached. The
// due times are contiguous in memory; a heap of timers costs more, because most tickets leave
// before their rules change.
func (r *Rows) Advance(nowMS int64) {
	if nowMS < r.NowMS {
		r.nextMS, r.expired = math.MinInt64, r.expired[:0]
		for row := range r.dueMS {
			if r.Kind[row] != Free {
				r.dueMS[row] = math.MinInt64
			}
		}
	}
	r.NowMS = nowMS
	for _, row := range r.fresh {
		if r.Kind[row] != Free && r.dueMS[row] <= nowMS { // a row can be in the list twice
			r.refresh(row)
		}
	}
	r.fresh = r.fresh[:0]
	if r.nextMS > nowMS {
		return
	}
	next := matcher.Never
	for row, due := range r.dueMS {
		if due <= nowMS {
			r.refresh(Row(row))
			due = r.dueMS[row]
		}
		next = min(next, due)
	}
	r.nextMS = next
}

// refresh brings one row to its stage at the current instant.
func (r *Rows) refresh(row Row) {
	created, due := r.CreatedMS[row], matcher.Never
	stage := r.stages.At(max(0, r.NowMS-created))
	if stage != r.Stage[row] {
		r.Stage[row] = stage
		r.Changes++
		r.ChangedAt[row] = r.Changes
	}
	if stage.UntilMS < matcher.Never-max(0, created) {
		due = created + stage.UntilMS
	}
	if r.giveUp[row] <= r.NowMS {
		r.expired = append(r.expired, row)
	} else {
		due = min(due, r.giveUp[row])
	}
	r.dueMS[row] = due
	r.nextMS = min(r.nextMS, due)
}

// TakeExpired appends the tickets that have reached their give-up time since the last call, in
// order of age. The caller removes them.
func (r *Rows) TakeExpired(dst []Row) []Row {
	from := len(dst)
	for _, row := range r.expired {
		if r.Kind[row] == Ticket && r.giveUp[row] <= r.NowMS {
			dst = append(dst, row)
		}
	}
	r.expired = r.expired[:0]
	slices.SortFunc(dst[from:], r.Compare)
	return append(dst[:from], slices.Compact(dst[from:])...)
}

// GivesUpMS returns the instant at which a row gives up, matcher.Never if it does not.
func (r *Rows) GivesUpMS(row Row) int64 { return r.giveUp[row] }

// WaitMS returns how long a row has waited at the instant of the last Advance.
func (r *Rows) WaitMS(row Row) int64 { return max(0, r.NowMS-r.CreatedMS[row]) }

// Older reports whether a row comes before another in order of age: it has waited longer, or
// equally long and was added first.
func (r *Rows) Older(a, b Row) bool {
	if r.CreatedMS[a] != r.CreatedMS[b] {
		return r.CreatedMS[a] < r.CreatedMS[b]
	}
	return r.Sequence[a] < r.Sequence[b]
}

// Compare orders rows by age.
func (r *Rows) Compare(a, b Row) int {
	switch {
	case a == b:
		return 0
	case r.Older(a, b):
		return -1
	}
	return 1
}

// ByWait returns two rows, the one that has waited longer first. Rows with equal waits keep the
// given order.
func (r *Rows) ByWait(a, b Row) (old, young Row) {
	if r.CreatedMS[b] < r.CreatedMS[a] {
		return b, a
	}
	return a, b
}
