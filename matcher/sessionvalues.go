package matcher

import "slices"

// Backfills reports whether a running match accepts more tickets while it has free seats.
func (r *Ruleset) Backfills() bool {
	return r.Pivot != nil && r.Pivot.Backfill || r.Seats != nil && r.Seats.Backfill
}

// SessionValues returns the values of a session after a ticket has joined it. session is nil for
// the first ticket, whose values become the session's values. Later tickets change this
// slice. For values that all tickets must share, the session keeps the intersection. For blocked
// players and values that must be unique, it keeps the union. All other values remain those of the
// first ticket, because the rules require them to be the same for all tickets.
func (r *Ruleset) SessionValues(session, ticket []Value) []Value {
	if session == nil {
		for _, v := range ticket {
			v.Set = slices.Clone(v.Set)
			session = append(session, v)
		}
		return session
	}
	if r.Pivot == nil {
		return session
	}
	union := func(c Column) {
		if c != NoColumn && ticket[c].Kind == IsSet {
			set := append(session[c].Set, ticket[c].Set...)
			slices.Sort(set)
			session[c] = SetValue(slices.Compact(set))
		}
	}
	for _, o := range r.Pivot.Options {
		switch o.Kind {
		case SharedValue:
			alone := func(t Text) bool { return !slices.Contains(ticket[o.Column].Set, t) }
			session[o.Column].Set = slices.DeleteFunc(session[o.Column].Set, alone)
			union(o.Own)
		case NoRepeat:
			union(o.Column)
		}
	}
	union(r.Pivot.Blocked)
	return session
}
