// Package yamltree reads a YAML file into nodes with positions, so that every message about a
// value can point at its line and column. JSON is YAML too. The meaning of the keys is defined
// by the packages that read configurations, gates, sweeps and tunings; package value reads
// single values.
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

// Source is a text with values: a configuration file, or one command-line flag. Messages begin
// with its name.
type Source struct {
	Name   string   // file name as the user wrote it, or the flag: "--set match.size=1"
	Key    string   // the setting that the name of the flag contains already; "" elsewhere
	Folder string   // the folder to which relative paths among its values refer
	lines  []string // for excerpts in messages; empty for a flag
}

// Kind is the kind of a YAML value.
type Kind uint8

const (
	Null    Kind = iota
	Plain        // scalar without quotes: text, a number, true or false
	Text         // scalar in quotes or a block: always text
	Mapping      // entries in the order of the file
	List         // elements in the order of the file
)

// Node is one YAML value with its position. It keeps the library's syntax tree inside this
// file, and lets every message point at a position.
type Node struct {
	Kind         Kind
	Text         string  // of a scalar, without quotes
	Entries      []Entry // of a mapping
	Elements     []Node  // of a list
	From         *Source
	Line, Column int // from 1; 0 when from is a flag
}

// Entry is one key of a mapping with its value.
type Entry struct{ Key, Value Node }

// Error is a message about one value. Its text begins with the place and
// ends with the offending line and a caret where the source has lines.
type Error struct {
	Place, Message, Excerpt string
}

func (e *Error) Error() string { return e.Place + ": " + e.Message + e.Excerpt }

// Errorf makes the error about this node.
func (n Node) Errorf(format string, args ...any) error {
	e := &Error{Place: n.From.Name, Message: fmt.Sprintf(format, args...)}
	if n.Line > 0 {
		e.Place = fmt.Sprintf("%s:%d:%d", n.From.Name, n.Line, n.Column)
		e.Excerpt = n.From.excerpt(n.Line, n.Column)
	}
	return input.Bad(e)
}

// excerptMax is the largest width of a quoted line, so that a binary file passed by mistake
// does not flood the terminal.
const excerptMax = 120

// excerpt returns a line with a caret under the column, or nothing if the line does not exist
// or is too wide.
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

// alsoAt names the line of the first of two equal nodes.
func (n Node) alsoAt() string {
	if n.Line == 0 {
		return ""
	}
	return fmt.Sprintf(", which stands in line %d already", n.Line)
}

// Misfit describes an invalid value for a message. It shows quotes, because they make a text of
// what looks like a number.
func (n Node) Misfit() error {
	if n.Kind == Text {
		return errors.New("the text " + n.String())
	}
	return errors.New(n.String())
}

// String quotes a value for a message, shortened.
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

func emptyOr(length int, what string) string {
	if length == 0 {
		return "an empty " + what
	}
	return "a " + what
}

// Parse reads one YAML document. JSON is YAML too. Anchors, aliases, tags and further documents
// are errors: a configuration needs none of them, and a misunderstood construct would become a
// wrong number.
func Parse(text []byte, from *Source) (n Node, err error) {
	start := Node{From: from, Line: min(1, len(from.lines)), Column: 1}
	if !utf8.Valid(text) {
		return Node{}, start.Errorf("the file is not UTF-8 text")
	}
	if bytes.IndexByte(text, 0) >= 0 {
		return Node{}, start.Errorf("the file is binary, expected YAML text")
	}
	// The parser has panicked on malformed text before. Bad input must always give an error
	// message.
	defer func() {
		if fault := recover(); fault != nil {
			n, err = Node{}, start.Errorf("the text is not YAML: %v", fault)
		}
	}()
	tokens, err := tokenize(bytes.TrimPrefix(text, []byte("\ufeff")), start)
	if err != nil {
		return Node{}, err
	}
	// mapping finds duplicate keys and reports their positions.
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return Node{}, syntaxError(err, start)
	}
	if len(file.Docs) == 0 {
		return start, nil
	}
	for _, doc := range file.Docs[1:] {
		second, err := from.convert(doc.Body)
		if err != nil {
			return Node{}, err
		}
		if second.Kind != Null {
			return Node{}, second.Errorf("a second YAML document, expected one")
		}
	}
	return from.convert(file.Docs[0].Body)
}

// syntaxError translates the parser's error.
func syntaxError(err error, start Node) error {
	var known yaml.Error
	if !errors.As(err, &known) {
		return start.Errorf("the text is not YAML: %v", err)
	}
	if t := known.GetToken(); t != nil && t.Position != nil && start.Line > 0 {
		start.Line, start.Column = t.Position.Line, t.Position.Column
	}
	return start.Errorf("the text is not YAML: %s", known.GetMessage())
}

// at returns an empty node at the place of a.
func (s *Source) at(a ast.Node) Node { return s.place(a.GetToken()) }

// convert turns the library's syntax tree into nodes.
func (s *Source) convert(a ast.Node) (Node, error) {
	if a == nil {
		return Node{From: s}, nil
	}
	n := s.at(a)
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
		return Node{}, n.Errorf("merge keys are not supported")
	case ast.ScalarNode:
		n.Kind, n.Text = Plain, a.GetToken().Value
	case *ast.MappingValueNode:
		return s.mapping(s.at(a.Key), []*ast.MappingValueNode{a})
	case *ast.MappingNode:
		if !a.IsFlowStyle && len(a.Values) > 0 {
			n = s.at(a.Values[0].Key) // the position of the node itself is the first colon
		}
		return s.mapping(n, a.Values)
	case *ast.SequenceNode:
		return s.list(n, a.Values)
	case *ast.CommentGroupNode:
	default:
		return Node{}, n.Errorf("a %s is no value, expected text, a number or a mapping", a.Type())
	}
	return n, nil
}

// list converts the elements of a list that begins at n.
func (s *Source) list(n Node, values []ast.Node) (Node, error) {
	n.Kind = List
	for _, v := range values {
		element, err := s.convert(v)
		if err != nil {
			return Node{}, err
		}
		n.Elements = append(n.Elements, element)
	}
	return n, nil
}

// mapping converts the entries of a mapping that begins at n.
func (s *Source) mapping(n Node, values []*ast.MappingValueNode) (Node, error) {
	n.Kind = Mapping
	for _, v := range values {
		key := s.at(v.Key)
		scalar, ok := v.Key.(ast.ScalarNode)
		if !ok || v.Key.IsMergeKey() {
			return Node{}, key.Errorf("a key must be plain text")
		}
		key.Kind, key.Text = Plain, scalar.GetToken().Value
		if i := slices.IndexFunc(n.Entries, func(e Entry) bool { return e.Key.Text == key.Text }); i >= 0 {
			return Node{}, key.Errorf("duplicate key %s%s, expected it once", key, n.Entries[i].Key.alsoAt())
		}
		value, err := s.convert(v.Value)
		if err != nil {
			return Node{}, err
		}
		if value.Kind == Null {
			value.Line, value.Column = key.Line, key.Column
		}
		n.Entries = append(n.Entries, Entry{key, value})
	}
	return n, nil
}
