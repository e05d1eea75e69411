package flexmatch

import (
	"fmt"
	"slices"
	"strings"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// functionNames are the names of the matcher.Function values, by index.
var functionNames = []string{"", "min", "max", "avg", "median", "sum", "count", "stddev", "flatten", "set_intersection"}

// looksLikeExpression reports whether a text is a property expression rather than a plain text: it
// begins with a function or with teams[.
func looksLikeExpression(text string) bool {
	head, _, call := strings.Cut(text, "(")
	head = strings.ToLower(strings.TrimSpace(head))
	if call && slices.Contains(functionNames[1:], head) {
		return true
	}
	lower := strings.ToLower(strings.TrimSpace(text))
	return strings.HasPrefix(lower, "teams[") || strings.HasPrefix(lower, "team[")
}

// expression parses a property expression. The second parameter is the name of the expression in
// messages. If there is an error, expression records the error and ok is false.
func (c *compiler) expression(v jsontree.Value, label string) (e *matcher.Expression, ok bool) {
	if v.Kind() != jsontree.Text {
		c.problems.Errorf(v, "%s: got %v, expected a property expression", label, v)
		return nil, false
	}
	p := parser{c: c, text: v.Text()}
	e = p.expression()
	if p.skipSpace(); p.why == "" && p.at < len(p.text) {
		p.fail("the end of the expression")
	}
	if p.why != "" {
		c.problems.Errorf(v, "%s: %s", label, p.why)
		return nil, false
	}
	return e, true
}

// parser reads one expression. why is the first error, or "" if there is none.
type parser struct {
	c    *compiler
	text string
	at   int
	why  string
}

// fail records what was expected at the current position. Only the first call has an effect.
func (p *parser) fail(expected string) {
	if p.why != "" {
		return
	}
	got := "the end"
	if p.at < len(p.text) {
		got = jsontree.Quote(p.text[p.at:])
	}
	p.why = fmt.Sprintf("got %s at character %d of %s, expected %s", got, len([]rune(p.text[:p.at]))+1, jsontree.Quote(p.text), expected)
}

func (p *parser) skipSpace() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
}

// take consumes a text, in any letter case, if it comes next. It reports whether it did.
func (p *parser) take(text string) bool {
	p.skipSpace()
	if len(p.text)-p.at < len(text) || !strings.EqualFold(p.text[p.at:p.at+len(text)], text) {
		return false
	}
	p.at += len(text)
	return true
}

func (p *parser) expect(text string) {
	if p.why == "" && !p.take(text) {
		p.fail(text)
	}
}

// word reads up to the next bracket, parenthesis, comma or asterisk.
func (p *parser) word() string {
	p.skipSpace()
	from := p.at
	for p.at < len(p.text) && strings.IndexByte("[](),*", p.text[p.at]) < 0 {
		p.at++
	}
	return strings.TrimSpace(p.text[from:p.at])
}

// expression reads a function or a path.
func (p *parser) expression() *matcher.Expression {
	p.skipSpace()
	from := p.at
	name := strings.ToLower(p.word())
	if name == "teams" || name == "team" {
		return p.path()
	}
	function := slices.Index(functionNames, name)
	if function <= 0 {
		p.at = from
		p.fail("teams[...] or one of " + strings.Join(functionNames[1:], ", "))
		return nil
	}
	p.expect("(")
	if p.why != "" {
		return nil
	}
	argument := p.expression()
	p.expect(")")
	if p.why != "" {
		return nil
	}
	e := &matcher.Expression{Function: matcher.Function(function), Argument: argument}
	if why := inferType(e); why != "" {
		p.why = why + " in " + jsontree.Quote(p.text)
	}
	return e
}

// inferType sets the type of a function's result, see matcher.Type. If the argument has the wrong
// type, it returns the reason.
func inferType(e *matcher.Expression) (why string) {
	of := e.Argument.Type
	name, wants := functionNames[e.Function], ""
	switch e.Function {
	case matcher.Count:
		e.Type = matcher.Type{Base: matcher.Numbers, Depth: of.Depth - 1}
		if of.Depth < 1 {
			wants = "a list"
		}
	case matcher.Flatten:
		e.Type = matcher.Type{Base: of.Base, Depth: of.Depth - 1}
		if of.Depth < 2 {
			wants = "a list of lists"
		}
	case matcher.SetIntersection:
		e.Type = matcher.Type{Base: matcher.Texts, Depth: of.Depth - 1}
		if of.Base != matcher.Texts || of.Depth < 2 {
			wants = "a list of lists of texts"
		}
	default:
		e.Type = matcher.Type{Base: matcher.Numbers, Depth: of.Depth - 1}
		if of.Base != matcher.Numbers || of.Depth < 1 {
			wants = "a list of numbers"
		}
	}
	if wants != "" {
		return fmt.Sprintf("the argument of %s is %v, expected %s", name, of, wants)
	}
	return ""
}

// path reads the rest of a path such as teams[red].players.attributes[skill] after the word teams.
func (p *parser) path() *matcher.Expression {
	e := &matcher.Expression{}
	p.expect("[")
	p.teams(e)
	p.expect("]")
	p.expect(".players")
	if e.Depth = 1; e.PerTeam {
		e.Depth = 2
	}
	switch {
	case p.why != "":
	case p.take(".attributes"):
		p.expect("[")
		p.attribute(e)
		p.expect("]")
	case p.take("["):
		p.expect("playerId")
		p.expect("]")
		e.Field, e.Base, e.Column = matcher.InColumn, matcher.Texts, p.c.set.playerIDs
		p.c.set.readsIDs = true
	default:
		e.Base = matcher.Players
	}
	return e
}

// teams reads the team names in a path.
func (p *parser) teams(e *matcher.Expression) {
	set := p.c.set
	if p.why == "" && p.take("*") {
		e.PerTeam = true
		for i := range set.Teams {
			e.Teams = append(e.Teams, i)
		}
		return
	}
	for p.why == "" {
		p.skipSpace()
		from := p.at
		named := set.teamsNamed(p.word())
		if named == nil {
			p.at = from
			p.fail("* or the name of a team")
			return
		}
		e.Teams = append(e.Teams, named...)
		if !p.take(",") {
			break
		}
	}
	e.PerTeam = len(e.Teams) > 1
}

// attribute reads the attribute name in a path.
func (p *parser) attribute(e *matcher.Expression) {
	p.skipSpace()
	from := p.at
	at := p.c.set.attribute(p.word())
	if p.why != "" {
		return
	}
	if at < 0 {
		p.at = from
		p.fail("the name of an attribute in playerAttributes")
		return
	}
	p.c.set.read[at] = true
	e.Field, e.Column = matcher.InColumn, p.c.set.Attributes[at].Column
	switch a := &p.c.set.Attributes[at]; a.Type {
	case IsText:
		e.Base = matcher.Texts
	case IsTextList:
		e.Base = matcher.Texts
		e.Depth++
	case IsNumberMap:
		p.at = from
		p.fail("an attribute that is a number, a text or a list of texts")
	}
}
