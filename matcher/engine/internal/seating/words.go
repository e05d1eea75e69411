package seating

import (
	"fmt"
	"math"
	"strings"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/expression"
	"mmsim/matcher/engine/internal/quick"
	"mmsim/matcher/engine/internal/reach"
	"mmsim/matcher/internal/ranges"
)

// words describes how the group breaks a rule, with the values that the rule compares.
func (e *evaluator) words(r *rule) string {
	words := ""
	switch of := r.of.(type) {
	case *matcher.Comparison:
		words = e.comparisonWords(r, of)
	case *matcher.Distance:
		words = e.distanceWords(r, of)
	case *matcher.BatchDistance:
		words = e.batchWords(r)
	case *matcher.Collection:
		words = e.collectionWords(r, of)
	case *matcher.Latency:
		words = e.latencyWords(r)
	case *matcher.Compound:
		words = e.statementWords(r.statement, false)
	}
	if words == "" {
		return "no match can satisfy it"
	}
	return words
}

// outside describes a number that is outside the bounds of a rule. If the number is a range, its
// end that is nearer to the bound counts. format formats the number.
func (e *evaluator) outside(r *rule, x span, format string) string {
	if most := e.OrFree(r.Most, math.Inf(1)).High; x.Low > most {
		return fmt.Sprintf(format+", at most %.6g", x.Low, most)
	}
	return fmt.Sprintf(format+", at least %.6g", x.High, e.OrFree(r.Least, math.Inf(-1)).Low)
}

// comparisonWords describes the first comparison that fails.
func (e *evaluator) comparisonWords(r *rule, of *matcher.Comparison) string {
	say := func(a, b string) string {
		if len(of.Reference) > 0 {
			return fmt.Sprintf("%s, expected %s %s", a, of.Operation, b)
		}
		return fmt.Sprintf("%s and %s, expected %s", b, a, map[string]string{"=": "equal values", "!=": "different values"}[of.Operation])
	}
	if of.Measured[0].Base == matcher.Texts {
		var all, with []matcher.Text
		for _, x := range r.measured {
			all, _ = e.Texts(all, x)
		}
		if len(of.Reference) > 0 {
			step, _ := e.reference(r)
			with = append(with, of.Reference[step].Value.Text)
		}
		if a, b, found := expression.FirstWrong(all, with, func(a, b matcher.Text) bool { return (a == b) != (of.Operation == "=") }); found {
			return say(fmt.Sprintf("%q", e.schema.TextString(a)), fmt.Sprintf("%q", e.schema.TextString(b)))
		}
		return ""
	}
	var all, with []ranges.Number
	for _, x := range r.measured {
		all, _ = e.Numbers(all, x)
	}
	if len(of.Reference) > 0 {
		n, _, _ := e.with(r, of.Reference)
		with = append(with, n)
	}
	a, b, found := expression.FirstWrong(all, with, func(a, b ranges.Number) bool { return ranges.Compare(of.Operation, a, b) == fails })
	if !found {
		return ""
	}
	x := min(max(a.Low, b.Low), a.High) // the value of a that is nearest to b
	return say(fmt.Sprintf("%.6g", x), fmt.Sprintf("%.6g", min(max(x, b.Low), b.High)))
}

// distanceWords describes the first difference that is out of bounds. If that depends on players who
// may join, it describes the difference between the players.
func (e *evaluator) distanceWords(r *rule, of *matcher.Distance) string {
	if with, some, known := e.with(r, of.Reference); some && known {
		for _, x := range r.measured {
			all, _ := e.Numbers(nil, x)
			for _, n := range all {
				if d := ranges.Difference(n.Span, with.Span); e.Bounded(&r.Rule, d, quick.Tolerance) == fails {
					return e.outside(r, d, "%.6g apart")
				}
			}
		}
	}
	for i := range e.rules.checks.Spreads {
		x := &e.rules.checks.Spreads[i]
		if apart, most := e.spread(x); x.Rule == &r.Rule && apart > most {
			return fmt.Sprintf("%.6g apart, at most %.6g", apart, x.Factor*e.At(r.Most).High)
		}
	}
	return ""
}

// batchWords describes the difference between the highest and the lowest number, or two texts.
func (e *evaluator) batchWords(r *rule) string {
	var texts []matcher.Text
	for _, side := range e.Sides {
		for _, member := range side {
			texts = append(texts, e.Columns.Cell(r.column, member).Texts...)
		}
	}
	if a, b, found := expression.FirstWrong(texts, nil, func(a, b matcher.Text) bool { return a != b }); found {
		return fmt.Sprintf("%q and %q, expected equal values", e.schema.TextString(b), e.schema.TextString(a))
	}
	numbers := e.Range(r.column)
	return e.outside(r, ranges.Exactly(numbers.High-numbers.Low), "%.6g apart")
}

// collectionWords describes the first count that is out of bounds.
func (e *evaluator) collectionWords(r *rule, of *matcher.Collection) string {
	step, _ := e.reference(r)
	for _, x := range r.measured {
		var counts []span
		format := "%.6g in common with the reference"
		switch of.Operation {
		case "contains":
			text := of.Reference[step].Value.Text
			counts = []span{e.Holding(x, text)}
			format = "%.6g with " + strings.ReplaceAll(fmt.Sprintf("%q", e.schema.TextString(text)), "%", "%%")
		case "intersection":
			n, none, _ := e.InCommon(x)
			if format = "%.6g in common"; !none {
				counts = []span{n}
			}
		default:
			counts, _ = e.Shared(nil, x, r.with[step])
		}
		for _, n := range counts {
			if e.Bounded(&r.Rule, n, 0) == fails {
				return e.outside(r, n, format)
			}
		}
	}
	return ""
}

// latencyWords describes the best common region. If that is within Latency.Max, Latency.MaxDistance
// excludes it.
func (e *evaluator) latencyWords(r *rule) string {
	most := e.OrFree(r.Most, math.Inf(1)).High
	best, spread := reach.BestCommon(r.Reach, e.Sides, most)
	switch {
	case math.IsInf(best, 1):
		return "no region in common"
	case best > most:
		return fmt.Sprintf("best common region %.6g ms, at most %.6g ms", best, most)
	case r.far < 0:
		return "no common region satisfies all latency rules"
	}
	return fmt.Sprintf("latencies %.6g ms apart in the best common region, at most %.6g ms", spread, e.At(r.far).High)
}

// statementWords describes why a statement fails, or why it holds.
func (e *evaluator) statementWords(s *statement, holds bool) string {
	switch {
	case s.rule != nil && holds:
		return s.rule.of.Common().Name + " holds"
	case s.rule != nil && s.rule.statement != nil:
		return e.statementWords(s.rule.statement, false)
	case s.rule != nil:
		return s.rule.of.Common().Name + ": " + e.words(s.rule)
	case s.operator == "not":
		return e.statementWords(s.parts[0], !holds)
	}
	var parts []string
	for _, part := range s.parts {
		v := e.states(part)
		if v == undecided || s.operator != "xor" && (v == fails) == holds {
			continue // the statement does not depend on this part
		}
		parts = append(parts, e.statementWords(part, v != fails))
		if s.operator == "and" && !holds || s.operator == "or" && holds {
			break // one part is enough
		}
	}
	return strings.Join(parts, "; ")
}
