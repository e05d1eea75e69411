package matcher

import "slices"

// What follows is about finished matches: see Broken of package engine.

// IgnoresTeams reports whether a rule finds the same in a match however it is divided into
// teams.
func (r *SeatRules) IgnoresTeams(rule SeatRule) bool {
	switch rule := rule.(type) {
	case *Comparison:
		return r.ignored(rule.Measured, rule.Reference, true)
	case *Distance:
		return r.ignored(rule.Measured, rule.Reference, true)
	case *Collection:
		return r.ignored(rule.Measured, rule.Reference, false)
	case *Compound:
		return !slices.ContainsFunc(rule.Statement.rules(), func(part SeatRule) bool { return !r.IgnoresTeams(part) })
	}
	return true // about all players
}

// ignored is IgnoresTeams for what a rule measures and what it is compared with. values
// is set if a measured list counts as the values in it.
func (r *SeatRules) ignored(measured []*Expression, reference Steps[Reference], values bool) bool {
	ignores := !slices.ContainsFunc(measured, func(x *Expression) bool { return !r.ignoredBy(x, values) })
	for _, step := range reference {
		ignores = ignores && (step.Value.Expression == nil || r.ignoredBy(step.Value.Expression, false))
	}
	return ignores
}

// ignoredBy is IgnoresTeams for an expression. flat is set if the lists of the teams count
// as one list.
func (r *SeatRules) ignoredBy(x *Expression, flat bool) bool {
	if x.Function != NoFunction {
		return r.ignoredBy(x.Argument, x.Function == Flatten)
	}
	return len(x.Teams) == len(r.Teams) && (flat || !x.PerTeam)
}

// rules returns the rules that a statement names.
func (s *Statement) rules() (list []SeatRule) {
	if s.Rule != nil {
		list = append(list, s.Rule)
	}
	for _, part := range s.Parts {
		list = append(list, part.rules()...)
	}
	return list
}

// NeededLatencies returns the rules about regions without which a rule cannot hold, itself
// included: they all hold where the match is played.
func NeededLatencies(rule SeatRule) (list []*Latency) {
	var read func(*Statement)
	read = func(s *Statement) {
		if s.Rule != nil {
			list = append(list, NeededLatencies(s.Rule)...)
		}
		for i := 0; s.Operator == "and" && i < len(s.Parts); i++ {
			read(s.Parts[i])
		}
	}
	switch rule := rule.(type) {
	case *Latency:
		return []*Latency{rule}
	case *Compound:
		read(rule.Statement)
	}
	return list
}
