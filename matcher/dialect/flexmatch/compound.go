package flexmatch

import (
	"fmt"
	"slices"
	"strings"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

var operators = []string{"and", "or", "xor", "not"}

// statement is the statement of a compound rule before it has been parsed.
type statement struct {
	of   *matcher.Compound
	text jsontree.Value
}

// statement parses the statement of a compound rule. It must be called after all rules have been
// read.
func (c *compiler) statement(s statement) {
	p := parser{c: c, text: s.text.Text()}
	s.of.Statement = p.statement(c.set.rule(s.of.Name))
	if p.skipSpace(); p.why == "" && p.at < len(p.text) {
		p.fail("the end of the statement")
	}
	if p.why != "" {
		c.problems.Errorf(s.text, `rule "%s": statement: %s`, s.of.Name, p.why)
	}
}

// statement reads either an operator with its operands or the name of a rule. enclosing is the index
// of the compound rule.
func (p *parser) statement(enclosing int) *matcher.Statement {
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
func (p *parser) named(enclosing int, name string, from int) *matcher.Statement {
	if p.why != "" {
		return nil
	}
	p.at = from
	at := p.c.set.rule(name)
	if at < 0 {
		p.fail("the name of a rule, or one of " + strings.Join(operators, ", "))
		return nil
	}
	r := p.c.set.rules[at].SeatRule
	switch r.(type) {
	case *matcher.BatchDistance, *matcher.Sort:
		p.why = fmt.Sprintf("got %s in %s, expected a rule that is not a batchDistance or a sort", name, jsontree.Quote(p.text))
		return nil
	}
	if at >= enclosing {
		p.why = fmt.Sprintf("got %s in %s, expected a rule that precedes the compound in the file", name, jsontree.Quote(p.text))
	}
	r.Common().Named = true
	p.at += len(name)
	return &matcher.Statement{Rule: r}
}
