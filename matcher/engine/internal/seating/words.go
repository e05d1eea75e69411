package seating

import (
	"fmt"
	"math"
	"strings"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/expression"
)

// Reason describes how a group breaks a rule. Value is what the rule measures and Bound is its
// limit. Both are NaN unless the rule compares numbers.
type Reason struct {
	Value, Bound float64
	Words        string // compares Value and Bound
}

// wordless returns a reason without numbers.
func wordless(format string, args ...any) Reason {
	return Reason{math.NaN(), math.NaN(), fmt.Sprintf(format, args...)}
}

// reason describes how the group breaks a rule that fails.
func (e *evaluator) reason(r *rule) Reason {
	switch of := r.of.(type) {
	case *matcher.Comparison:
		return e.comparisonReason(r, of)
	case *matcher.Distance:
		if with, some, known := e.with(r, of.Reference); some && known {
			for _, x := range r.measured {
				all, _ := e.Numbers(nil, x)
				for _, n := range all {
					if d := expression.Difference(n.Span, with.Span); e.bounded(r, d, tolerance) == fails {
						return e.outside(r, d, "%.6g apart")
					}
				}
			}
		}
	case *matcher.BatchDistance:
		return e.batchReason(r)
	case *matcher.Collection:
		return e.collectionReason(r, of)
	case *matcher.Latency:
		return e.latencyReason([]*rule{r})
	case *matcher.Compound:
		if words := e.statementWords(r.statement, false); words != "" {
			return wordless("%s", words)
		}
	}
	for i := range e.rules.spreads {
		x := &e.rules.spreads[i]
		if apart, most := e.spread(x); x.rule.whole() == r && apart > most {
			most = x.factor * e.at(x.rule.most).High // without the tolerance
			return Reason{apart, most, fmt.Sprintf("%.6g apart, at most %.6g", apart, most)}
		}
	}
	return wordless("no match can satisfy it")
}

// outside describes a number that is outside the bounds of a rule. If the number is a range, its
// end that is nearer to the bound counts. format formats the number.
func (e *evaluator) outside(r *rule, x span, format string) Reason {
	if r.most >= 0 {
		if most := e.orFree(e.at(r.most), math.Inf(1)).High; x.Low > most {
			return Reason{x.Low, most, fmt.Sprintf(format+", at most %.6g", x.Low, most)}
		}
	}
	least := math.Inf(-1)
	if r.least >= 0 {
		least = e.orFree(e.at(r.least), math.Inf(-1)).Low
	}
	return Reason{x.High, least, fmt.Sprintf(format+", at least %.6g", x.High, least)}
}

// comparisonReason describes the first comparison that fails.
func (e *evaluator) comparisonReason(r *rule, of *matcher.Comparison) Reason {
	if of.Measured[0].Base == matcher.Texts {
		return e.textsReason(r, of)
	}
	var all []expression.Number
	for _, x := range r.measured {
		all, _ = e.Numbers(all, x)
	}
	if len(of.Reference) > 0 {
		with, some, known := e.with(r, of.Reference)
		for i := range all {
			if some && known && expression.Compare(of.Operation, all[i], with) == fails {
				value, bound := nearest(all[i].Span, with.Span)
				return Reason{value, bound, fmt.Sprintf("%.6g, expected %s %.6g", value, of.Operation, bound)}
			}
		}
	}
	for i := range all {
		for _, other := range all[:i] {
			if len(of.Reference) == 0 && expression.Compare(of.Operation, all[i], other) == fails {
				value, bound := nearest(other.Span, all[i].Span)
				return Reason{value, bound, fmt.Sprintf("%.6g and %.6g, expected %s", value, bound, alike(of.Operation))}
			}
		}
	}
	return wordless("no match can satisfy it")
}

// nearest returns the two numbers of two ranges that are nearest to each other.
func nearest(a, b span) (x, y float64) {
	switch {
	case a.Low > b.High:
		return a.Low, b.High
	case a.High < b.Low:
		return a.High, b.Low
	}
	x = max(a.Low, b.Low)
	return x, x
}

// alike describes what a comparison without reference expects.
func alike(operation string) string {
	if operation == "=" {
		return "equal values"
	}
	return "different values"
}

// textsReason does the same as comparisonReason for texts.
func (e *evaluator) textsReason(r *rule, of *matcher.Comparison) Reason {
	var all []matcher.Text
	for _, x := range r.measured {
		all, _ = e.Texts(all, x)
	}
	if len(of.Reference) > 0 {
		step, _ := e.reference(r)
		with := of.Reference[step].Value.Text
		for _, text := range all {
			if (text == with) != (of.Operation == "=") {
				return wordless("%q, expected %s %q", e.schema.TextString(text), of.Operation, e.schema.TextString(with))
			}
		}
	}
	for i := range all {
		for _, other := range all[:i] {
			if (all[i] == other) != (of.Operation == "=") {
				return wordless("%q and %q, expected %s", e.schema.TextString(other), e.schema.TextString(all[i]), alike(of.Operation))
			}
		}
	}
	return wordless("no match can satisfy it")
}

// batchReason describes the difference between the highest and the lowest number, or two texts that
// differ.
func (e *evaluator) batchReason(r *rule) Reason {
	spread := span{Low: math.Inf(1), High: math.Inf(-1)}
	var texts []matcher.Text
	for _, side := range e.Sides {
		for _, member := range side {
			c := e.Columns.Cell(r.column, member)
			spread.Add(c.Number)
			for _, t := range c.Texts {
				if len(texts) == 0 || texts[0] != t {
					texts = append(texts, t)
				}
			}
		}
	}
	if len(texts) > 1 {
		return wordless("%q and %q, expected equal values", e.schema.TextString(texts[0]), e.schema.TextString(texts[1]))
	}
	return e.outside(r, exactly(spread.High-spread.Low), "%.6g apart")
}

// collectionReason describes the first count that is out of bounds.
func (e *evaluator) collectionReason(r *rule, of *matcher.Collection) Reason {
	step, _ := e.reference(r)
	for _, x := range r.measured {
		var counts []span
		format := "%.6g in common with the reference"
		switch of.Operation {
		case "contains":
			counts = []span{e.Holding(x, of.Reference[step].Value.Text)}
			format = "%.6g with " + strings.ReplaceAll(fmt.Sprintf("%q", e.schema.TextString(of.Reference[step].Value.Text)), "%", "%%")
		case "intersection":
			if n, none, _ := e.InCommon(x); !none {
				counts = []span{n}
			}
			format = "%.6g in common"
		default:
			counts, _ = e.Shared(nil, x, r.with[step])
		}
		for _, n := range counts {
			if e.bounded(r, n, 0) == fails {
				return e.outside(r, n, format)
			}
		}
	}
	return wordless("no match can satisfy it")
}

// latencyReason describes the best common region under latency rules. If that region is within the
// limits of Latency.Max, Latency.MaxDistance excludes it.
func (e *evaluator) latencyReason(rules []*rule) Reason {
	r := rules[0]
	most := math.Inf(1)
	if r.most >= 0 {
		most = e.orFree(e.at(r.most), math.Inf(1)).High
	}
	best, spread, far := math.Inf(1), math.Inf(1), math.Inf(1)
	for region := range e.schema.Regions() {
		worst, lowest := math.Inf(-1), math.Inf(1)
		for _, side := range e.Sides {
			for _, member := range side {
				rtts := e.Columns.RTTOf(r.column, member)
				switch {
				case member < 0 && rtts == nil: // a player of a session who may be anywhere
				case region >= len(rtts) || math.IsNaN(rtts[region]):
					worst = math.Inf(1)
				default:
					worst, lowest = max(worst, rtts[region]), min(lowest, rtts[region])
				}
			}
		}
		if best = min(best, worst); worst <= most {
			spread = min(spread, worst-lowest)
		}
	}
	switch {
	case math.IsInf(best, 1):
		return Reason{best, most, "no region in common"}
	case best > most:
		return Reason{best, most, fmt.Sprintf("best common region %.6g ms, at most %.6g ms", best, most)}
	case r.far >= 0 && e.Complete:
		far = e.orFree(e.at(r.far), math.Inf(1)).High
		return Reason{spread, far, fmt.Sprintf("latencies %.6g ms apart in the best common region, at most %.6g ms", spread, far)}
	}
	return wordless("no region in common satisfies all latency rules")
}

// statementWords describes why a statement fails, or why it holds if holds is set.
func (e *evaluator) statementWords(s *statement, holds bool) string {
	if s.rule != nil {
		name := s.rule.of.Common().Name
		if holds {
			return name + " holds"
		}
		if s.rule.statement != nil {
			return e.statementWords(s.rule.statement, false)
		}
		return name + ": " + e.reason(s.rule).Words
	}
	var parts []string
	for _, part := range s.parts {
		v := e.states(part)
		switch {
		case s.operator == "not":
			return e.statementWords(part, !holds)
		case v == open:
		case s.operator == "xor", (v == fails) != holds:
			parts = append(parts, e.statementWords(part, v != fails))
		}
		if len(parts) == 1 && (s.operator == "and" && !holds || s.operator == "or" && holds) {
			break
		}
	}
	return strings.Join(parts, "; ")
}
