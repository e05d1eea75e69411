package flexmatch

import (
	"fmt"
	"slices"
	"strings"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

type compound struct {
	matcher.Compound
	source
	fixed
	text jsontree.Value
}

func (r *compound) language() matcher.SeatRule { return &r.Compound }

var operators = []string{"and", "or", "xor", "not"}

func (c *compiler) readCompound(o *jsontree.Object, common matcher.SeatCommon) rule {
	r := &compound{Compound: matcher.Compound{SeatCommon: common}, source: source{o.Value}}
	o.Text("statement")
	r.text, _ = o.Get("statement")
	if c.set.Large() {
		v, _ := o.Get("type")
		o.Misfit(v, "type", fmt.Sprintf("another type, because matches of more than %d players allow no compound", smallMatchMax))
	}
	return r
}

// statement parses the statement of a compound rule. It must be called after all rules have been
// read.
func (c *compiler) statement(r *compound) {
	if r.text.Kind() != jsontree.Text {
		return
	}
	p := parser{c: c, text: r.text.Text()}
	r.Statement = p.statement(r)
	if p.skipSpace(); p.why == "" && p.at < len(p.text) {
		p.fail("the end of the statement")
	}
	if p.why != "" {
		c.problems.Errorf(r.text, `rule "%s": statement: %s`, r.Name, p.why)
	}
}

// statement reads either an operator with its operands or the name of a rule.
func (p *parser) statement(enclosing *compound) *matcher.Statement {
	p.skipSpace()
	from := p.at
	name := p.word()
	if !p.take("(") {
		return p.named(enclosing, name, from)
	}
	s := &matcher.Statement{Operator: strings.ToLower(name)}
	if !slices.Contains(operators, s.Operator) {
		p.at = from
		p.fail("one of " + strings.Join(operators, ", "))
		return nil
	}
	for p.why == "" {
		s.Parts = append(s.Parts, p.statement(enclosing))
		if !p.take(",") {
			break
		}
	}
	p.expect(")")
	least, most := 2, entriesMax
	switch s.Operator {
	case "not":
		least, most = 1, 1
	case "xor":
		most = 2
	}
	if n := len(s.Parts); p.why == "" && (n < least || n > most) {
		p.why = fmt.Sprintf("got %s with %s in %s, expected %s", s.Operator, jsontree.Count(n, "rule"), jsontree.Quote(p.text), span(least, most))
	}
	return s
}

// span describes the allowed number of operands for a message.
func span(least, most int) string {
	switch {
	case least == most:
		return fmt.Sprint(least)
	case most == entriesMax:
		return fmt.Sprintf("at least %d", least)
	}
	return fmt.Sprintf("%d to %d", least, most)
}

// named returns a statement that consists of the name of a rule.
func (p *parser) named(enclosing *compound, name string, from int) *matcher.Statement {
	if p.why != "" {
		return nil
	}
	p.at = from
	switch r := p.c.set.rule(name).(type) {
	case nil:
		p.fail("the name of a rule, or one of " + strings.Join(operators, ", "))
	case *batchDistance, *sorting:
		p.why = fmt.Sprintf("got %s in %s, expected a rule that is not a batchDistance or a sort", name, jsontree.Quote(p.text))
	default:
		if slices.Index(p.c.set.rules, r) >= slices.Index(p.c.set.rules, rule(enclosing)) {
			p.why = fmt.Sprintf("got %s in %s, expected a rule that precedes the compound in the file", name, jsontree.Quote(p.text))
		}
		r.Common().Named = true
		p.at += len(name)
		return &matcher.Statement{Rule: r.language()}
	}
	return nil
}
