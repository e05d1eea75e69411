// Package yamltree reads YAML files, including JSON, into a tree of nodes. A node knows its
// position, so that every message about a value can point to its line and column. Package
// value declares keys and reads their values from nodes.
package yamltree

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"mmsim/cmd/mmsim/input"
)

// Source is where values are written: a configuration file or a command-line flag. Messages
// begin with its name.
type Source struct {
	Name   string   // file name as the user wrote it, or a flag such as "--set match.size=1"
	Key    string   // key that Name already contains, or ""
	Folder string   // folder to which relative paths in values refer
	lines  []string // for excerpts in messages; nil for a flag
}

// Kind is the kind of a YAML value.
type Kind uint8

const (
	Null    Kind = iota
	Plain        // scalar without quotes: text, a number, true or false
	Text         // scalar in quotes or a block, which is always text
	Mapping      // entries in the order of the file
	List         // elements in the order of the file
)

// Node is a YAML value with its position. It hides the YAML library from other packages.
type Node struct {
	Kind         Kind
	Text         string  // of a scalar, without quotes
	Entries      []Entry // of a mapping
	Elements     []Node  // of a list
	From         *Source
	Line, Column int    // start at 1; 0 if From is a flag
	Path         string // its whole key, with which messages begin, such as match.size; set when it is read
}

// Entry is a key of a mapping with its value.
type Entry struct{ Key, Value Node }

// Error is an error about a value. Excerpt has the line with the value and a caret below it,
// or is empty.
type Error struct {
	Place, Message, Excerpt string
}

func (e *Error) Error() string { return e.Place + ": " + e.Message + e.Excerpt }

// Errorf returns an error about the node.
func (n Node) Errorf(format string, args ...any) error {
	e := &Error{Place: n.From.Name, Message: fmt.Sprintf(format, args...)}
	if n.Path != "" && n.Path != n.From.Key {
		e.Message = n.Path + ": " + e.Message
	}
	if n.Line > 0 {
		e.Place = fmt.Sprintf("%s:%d:%d", n.From.Name, n.Line, n.Column)
		e.Excerpt = n.From.excerpt(n.Line, n.Column)
	}
	return input.Bad(e)
}

// Placed returns an error about the node with the message of err, unless err already has a place.
func (n Node) Placed(err error) error {
	if _, placed := errors.AsType[*Error](err); err == nil || placed {
		return err
	}
	return n.Errorf("%v", err)
}

// excerptMax is the maximum width of an excerpt. A binary file that is passed by mistake must
// not flood the terminal.
const excerptMax = 120

// excerpt returns a line with a caret under the column. It returns "" if the line does not
// exist or is too long.
func (s *Source) excerpt(line, column int) string {
	if line < 1 || line > len(s.lines) || column < 1 {
		return ""
	}
	text := strings.ReplaceAll(s.lines[line-1], "\t", " ")
	if utf8.RuneCountInString(text) > excerptMax || column > excerptMax+1 {
		return ""
	}
	number := strconv.Itoa(line)
	return fmt.Sprintf("\n  %s | %s\n  %s | %s^", number, text,
		strings.Repeat(" ", len(number)), strings.Repeat(" ", column-1))
}

// Misfit returns an error that describes an invalid value. It points out quotes, because a
// number in quotes is a text.
func (n Node) Misfit() error {
	if n.Kind == Text {
		return errors.New("the text " + n.String())
	}
	return errors.New(n.String())
}

// String describes a value for a message.
func (n Node) String() string {
	switch n.Kind {
	case Null:
		return "nothing"
	case Mapping:
		return emptyOr(len(n.Entries), "mapping")
	case List:
		return emptyOr(len(n.Elements), "list")
	}
	text, rest := input.Shortened(n.Text, 40)
	return strconv.Quote(text) + rest
}

func emptyOr(length int, noun string) string {
	if length == 0 {
		return "an empty " + noun
	}
	return "a " + noun
}

// Parse parses a YAML document. Anchors, aliases, tags and further documents are errors.
// Configurations do not need them, and misunderstanding one would give wrong results. If the
// mistakes leave a tree, such as a duplicate key, Parse returns it beside the error, without what is
// wrong, so that the values in it can be checked, too. Otherwise it returns a node without a Source.
func Parse(text []byte, from *Source) (n Node, err error) {
	start := Node{From: from, Line: min(1, len(from.lines)), Column: 1}
	if !utf8.Valid(text) {
		return Node{}, start.Errorf("the file is not UTF-8 text")
	}
	if bytes.IndexByte(text, 0) >= 0 {
		return Node{}, start.Errorf("the file is binary, expected YAML text")
	}
	// Return an error if the parser panics, which it has done on malformed text.
	defer func() {
		if fault := recover(); fault != nil {
			n, err = Node{}, start.Errorf("the text is not YAML: %v", fault)
		}
	}()
	tokens, err := tokenize(bytes.TrimPrefix(text, []byte("\ufeff")), start)
	if err != nil {
		return Node{}, err
	}
	// converter.mapping finds duplicate keys and reports their positions.
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return Node{}, syntaxError(err, start)
	}
	if len(file.Docs) == 0 {
		return start, nil
	}
	c := &converter{Source: from}
	for _, doc := range file.Docs[1:] {
		if second, ok := c.convert(doc.Body); ok && second.Kind != Null {
			c.fault(second, "a second YAML document, expected one")
		}
	}
	n, ok := c.convert(file.Docs[0].Body)
	if !ok {
		n = Node{}
	}
	return n, errors.Join(c.faults...)
}

// syntaxError converts an error of the parser.
func syntaxError(err error, start Node) error {
	known, ok := errors.AsType[yaml.Error](err)
	if !ok {
		return start.Errorf("the text is not YAML: %v", err)
	}
	if t := known.GetToken(); t != nil && t.Position != nil && start.Line > 0 {
		start.Line, start.Column = t.Position.Line, t.Position.Column
	}
	return start.Errorf("the text is not YAML: %s", known.GetMessage())
}

// converter converts the library's syntax tree to nodes, and collects what is wrong in it.
type converter struct {
	*Source
	faults []error
}

// fault adds an error about a node.
func (c *converter) fault(n Node, format string, args ...any) {
	c.faults = append(c.faults, n.Errorf(format, args...))
}

// at returns a node without content at the position of a.
func (c *converter) at(a ast.Node) Node { return c.place(a.GetToken()) }

// convert returns the node of a part of the tree. It returns false if the part is no value, or a list
// with such a part in it.
func (c *converter) convert(a ast.Node) (Node, bool) {
	if a == nil {
		return Node{From: c.Source}, true
	}
	n := c.at(a)
	switch a := a.(type) {
	case *ast.NullNode:
	case *ast.StringNode:
		n.Kind, n.Text = Plain, a.Value
		if t := a.GetToken().Type; t == token.SingleQuoteType || t == token.DoubleQuoteType {
			n.Kind = Text
		}
	case *ast.LiteralNode:
		n.Kind, n.Text = Text, a.Value.Value
	case *ast.MergeKeyNode:
		c.fault(n, "merge keys are not supported")
		return n, false
	case ast.ScalarNode:
		n.Kind, n.Text = Plain, a.GetToken().Value
	case *ast.MappingValueNode:
		return c.mapping(c.at(a.Key), []*ast.MappingValueNode{a}), true
	case *ast.MappingNode:
		if !a.IsFlowStyle && len(a.Values) > 0 {
			n = c.at(a.Values[0].Key) // the mapping's own position is that of its first colon
		}
		return c.mapping(n, a.Values), true
	case *ast.SequenceNode:
		n.Kind = List
		for _, v := range a.Values {
			element, ok := c.convert(v)
			if !ok {
				return n, false
			}
			n.Elements = append(n.Elements, element)
		}
	case *ast.CommentGroupNode:
	default:
		c.fault(n, "a %s is not a value, expected text, a number or a mapping", a.Type())
		return n, false
	}
	return n, true
}

// mapping converts the entries of a mapping. n has the mapping's position.
func (c *converter) mapping(n Node, values []*ast.MappingValueNode) Node {
	n.Kind = Mapping
	for _, v := range values {
		key := c.at(v.Key)
		scalar, ok := v.Key.(ast.ScalarNode)
		if !ok || v.Key.IsMergeKey() {
			c.fault(key, "a key must be plain text")
			continue
		}
		key.Kind, key.Text = Plain, scalar.GetToken().Value
		if i := slices.IndexFunc(n.Entries, func(e Entry) bool { return e.Key.Text == key.Text }); i >= 0 {
			also := ""
			if first := n.Entries[i].Key; first.Line > 0 {
				also = fmt.Sprintf(", which is already on line %d", first.Line)
			}
			c.fault(key, "duplicate key %s%s, expected it once", key, also)
		} else if value, ok := c.convert(v.Value); ok {
			if value.Kind == Null {
				value.Line, value.Column = key.Line, key.Column
			}
			n.Entries = append(n.Entries, Entry{key, value})
		}
	}
	return n
}
