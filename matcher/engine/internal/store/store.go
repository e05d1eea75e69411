// Package store keeps the rows of a pool. A row is a small number that identifies a waiting
// ticket or an open session. It is reused after the ticket or session has left. Other packages
// store their own data about tickets in slices indexed by row.
//
// For each row, the store knows when it was created and its stage. The stage contains the limits
// that the rules apply at the row's current wait.
package store

import (
	"fmt"
	"math"
	"slices"

	"mmsim/matcher"
)

// Row identifies a ticket or session between Add and Remove.
type Row = matcher.Row

// RowKind is the kind of a row.
type RowKind uint8

// The kinds of row.
const (
	Free RowKind = iota
	Ticket
	Session
)

// Rows contains all rows of a pool. Its exported slices are indexed by row, and so are giveUp and
// dueMS.
type Rows struct {
	CreatedMS []int64
	CutMS     []int64 // ms that WholeSeconds removed from CreatedMS; otherwise 0
	Sequence  []int64 // order of the calls of Add; breaks ties of CreatedMS
	Players   []int32
	Kind      []RowKind
	Stage     []*Stage // stage at the time of the last Advance

	// Changes counts changes of rows: a row is added, joins a subset or reaches a new stage.
	// ChangedAt is the count after a row's last change. BornAt is the count after the row was
	// added. While a row is free, its BornAt is larger than any count.
	Changes   uint64
	ChangedAt []uint64
	BornAt    []uint64

	WholeSeconds bool // CreatedMS is rounded down to the second

	NowMS   int64
	stages  *Stages
	fresh   []Row   // rows added since the last Advance; some may have left
	expired []Row   // rows that have reached their give-up time, in no order; may contain duplicates and rows that have left
	giveUp  []int64 // give-up time in ms, or matcher.Never
	dueMS   []int64 // time at which the stage ends or the ticket gives up
	nextMS  int64   // lower bound on dueMS of all rows that are not in fresh
	free    []Row
	nextSeq int64
}

// New returns an empty store. compute returns the stage at a given wait, in ms.
func New(compute func(waitMS int64) Stage) *Rows {
	return &Rows{NowMS: math.MinInt64, nextMS: matcher.Never, stages: &Stages{compute: compute}}
}

// Add returns a row for a ticket or session that was created at createdMS. It gives up at
// giveUpMS unless that is matcher.Never. The next Advance sets its stage.
func (r *Rows) Add(kind RowKind, createdMS, giveUpMS int64, players int) Row {
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

// Remove frees a row for reuse.
func (r *Rows) Remove(row Row) {
	if r.Kind[row] == Free {
		panic(fmt.Sprintf("matcher: row %d is removed, but does not wait", row))
	}
	r.Kind[row], r.BornAt[row], r.dueMS[row] = Free, math.MaxUint64, matcher.Never
	r.free = append(r.free, row)
}

// Len returns the number of rows that exist, including free ones.
func (r *Rows) Len() int { return len(r.Kind) }

// Advance sets the time and updates every row's stage. If nowMS is earlier than at the last call,
// it recomputes all rows.
//
// Advance refreshes the rows added since the last call. When at least one other row is due, it
// also goes through all due times. A heap of timers would take longer: due times are contiguous
// in memory, and most tickets leave before their rules change.
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
		if r.Kind[row] != Free && r.dueMS[row] <= nowMS { // a row may be in the list twice
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

// refresh updates the stage of one row.
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

// TakeExpired appends the tickets that have reached their give-up time since the last call,
// oldest first. The caller must remove them.
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

// WaitMS returns how long a row had waited at the last Advance, in ms.
func (r *Rows) WaitMS(row Row) int64 { return max(0, r.NowMS-r.CreatedMS[row]) }

// StageAfter returns the stage after a wait, in ms.
func (r *Rows) StageAfter(waitMS int64) *Stage { return r.stages.At(waitMS) }

// Older reports whether row a is older than row b. If both were created at the same time, the one
// that was added first is older.
func (r *Rows) Older(a, b Row) bool {
	if r.CreatedMS[a] != r.CreatedMS[b] {
		return r.CreatedMS[a] < r.CreatedMS[b]
	}
	return r.Sequence[a] < r.Sequence[b]
}

// Compare orders rows by age, oldest first.
func (r *Rows) Compare(a, b Row) int {
	switch {
	case a == b:
		return 0
	case r.Older(a, b):
		return -1
	}
	return 1
}

// ByWait returns two rows with the one that has waited longer first. If their waits are equal, it
// keeps the given order.
func (r *Rows) ByWait(a, b Row) (old, young Row) {
	if r.CreatedMS[b] < r.CreatedMS[a] {
		return b, a
	}
	return a, b
}

// FirstLater returns the first instant after NowMS at which holds returns true, or matcher.Never.
// It calls holds at each instant at which the stage after the wait of one of two rows changes, or the
// stage after their mean wait. During the call, NowMS is that instant and both rows have its stages.
// The number of stages must be finite.
func (r *Rows) FirstLater(a, b Row, holds func() bool) int64 {
	nowMS, now := r.NowMS, [2]*Stage{r.Stage[a], r.Stage[b]}
	defer func() { r.NowMS, r.Stage[a], r.Stage[b] = nowMS, now[0], now[1] }()
	for {
		next, first, second := matcher.Never, r.WaitMS(a), r.WaitMS(b)
		for _, waitMS := range [3]int64{first, second, (first + second) / 2} {
			if untilMS := r.stages.At(waitMS).UntilMS; untilMS < matcher.Never-max(0, r.NowMS) {
				next = min(next, r.NowMS+untilMS-waitMS)
			}
		}
		if next == matcher.Never {
			return next
		}
		r.NowMS = next
		r.Stage[a], r.Stage[b] = r.stages.At(r.WaitMS(a)), r.stages.At(r.WaitMS(b))
		if holds() {
			return next
		}
	}
}
